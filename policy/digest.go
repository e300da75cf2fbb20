package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// digest identifies what the policy says: "sha256:" and the first 16 hex digits
// of the hash of its canonical form. It is there to tell policies apart in the
// ledger, not to withstand somebody who chooses policies to collide.
func (p *Policy) digest() string {
	sum := sha256.Sum256([]byte(p.canonical()))
	return "sha256:" + hex.EncodeToString(sum[:8])
}

// canonical writes the policy with everything stated and in one order: every
// channel rule and cell, then the exceptions by key. Two files that mean the same have the same
// canonical form. No word in it can contain a space or a line break.
func (p *Policy) canonical() string {
	var b strings.Builder
	b.WriteString("version " + formatVersion + "\nengine " + p.engine.String() + "\n")
	p.channels.writeCanonical(&b)
	if p.engine != Context {
		return b.String()
	}
	for t := range tiers {
		for c := range categories {
			b.WriteString(cellNames[t][c] + " " + cellWords[p.table[t][c]] + "\n")
		}
	}
	for _, all := range [...]map[string]*override{p.apps.exact, p.apps.below} {
		for _, key := range slices.Sorted(maps.Keys(all)) {
			all[key].writeCanonical(&b)
		}
	}
	return b.String()
}

func (o *override) writeCanonical(b *strings.Builder) {
	if o.speaksOf(subjectTier) {
		b.WriteString(o.rule + " tier " + o.tier.String() + "\n")
	}
	for c := range categories {
		if o.speaksOf(subject(c)) {
			b.WriteString(o.rule + " " + c.String() + " " + cellWords[o.cells[c]] + "\n")
		}
	}
}
