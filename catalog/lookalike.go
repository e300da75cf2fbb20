package catalog

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/countersign/countersign/risk"
)

// Editions of one bank differ by a letter as squats do, so nearness to a HIGH
// app proves nothing bad; it only shows that the id may be one of its kind.
// Both deserve HIGH, and the verdict says whom it resembles.

// allowedEdits is how many edits make an id of n bytes a look-alike: short ids
// are near each other by chance.
func allowedEdits(n int) int {
	switch {
	case n >= 12:
		return 2
	case n >= minNear:
		return 1
	}
	return 0
}

// minNear is the length below which ids are too short to be near anything, or
// to be the beginning of anything.
const minNear = 8

// lookalikeVoice recognises unknown apps that could be mistaken for a HIGH one:
// by an id within two edits, by an id that goes on where a known one ends
// (com.whatsappclone), or by the same label.
func (c *Catalog) lookalikeVoice(app App) (Verdict, bool) {
	if c.near == nil {
		return Verdict{}, false
	}
	if _, known := c.apps.find(app.Package); known {
		return Verdict{}, false
	}
	row, ok := c.near.recent.of(app.Package, c.near.resembles)
	if !ok && app.Label != "" {
		row, ok = c.near.labelled(app.Label)
	}
	if !ok {
		return Verdict{}, false
	}
	v := Verdict{Tier: risk.High, Why: WhyLookalike, LookalikeOf: c.apps.id(row)}
	v.Kind = c.apps.class(row).kind
	return v, true
}

// resembles finds the HIGH app that an id could be mistaken for.
func (x *nearIndex) resembles(pkg string) (row int, ok bool) {
	var buf [maxPackage]byte
	id := fold(&buf, pkg)
	if row, ok = x.sameButForCase(id); ok {
		return row, ok
	}
	if row, ok = x.within(id); ok {
		return row, ok
	}
	return x.extended(id)
}

// nearIndex finds the HIGH apps that an unknown id or label resembles. It is
// immutable once built, but for what it remembers of its own answers.
//
// Ids are cut into three pieces. Two edits cannot touch all three, so a near id
// shares at least one piece whole, at a place that moved by at most two; looking
// up the few possible pieces replaces comparing with every id.
type nearIndex struct {
	rows   []int32                 // the HIGH rows
	ids    []string                // their ids, folded
	exact  postings                // by hash of the whole folded id
	pieces postings                // by hash of length, number and text of a piece
	recent *recent                 // what the last ids resembled
	labels func() map[string]int32 // folded name -> row; made at first use, most callers know no labels
}

const (
	pieceCount = 3
	maxEdits   = pieceCount - 1
)

func newNearIndex(t *table) *nearIndex {
	x := &nearIndex{recent: &recent{}}
	var exact, pieces []posting
	for row := range t.size() {
		if t.class(row).tier != risk.High {
			continue
		}
		at := int32(len(x.ids))
		id := strings.ToLower(t.id(row))
		x.rows, x.ids = append(x.rows, int32(row)), append(x.ids, id)
		exact = append(exact, posting{hashString(id), at})
		if len(id) < minNear {
			continue
		}
		for piece := range pieceCount {
			from, to := pieceBounds(len(id), piece)
			pieces = append(pieces, posting{pieceKey(len(id), piece, hashString(id[from:to])), at})
		}
	}
	x.exact, x.pieces = newPostings(exact), newPostings(pieces)
	x.labels = sync.OnceValue(func() map[string]int32 { return highLabels(t) })
	return x
}

func highLabels(t *table) map[string]int32 {
	labels := map[string]int32{}
	for row := range t.size() {
		if t.class(row).tier != risk.High {
			continue
		}
		for _, name := range nameVariants(t.name(row)) {
			first, taken := labels[name]
			// A part of the system is what a borrowed label is most likely to mean.
			if !taken || !t.class(int(first)).surface.System() && t.class(row).surface.System() {
				labels[name] = int32(row)
			}
		}
	}
	return labels
}

// pieceBounds is the half-open range of one of the three pieces of an id of n bytes.
func pieceBounds(n, piece int) (from, to int) {
	return n * piece / pieceCount, n * (piece + 1) / pieceCount
}

func pieceKey(length, piece int, hash uint32) uint32 {
	return (hash ^ uint32(length*pieceCount+piece)) * 0x9e3779b1
}

// sameButForCase finds the HIGH id that is, folded, the folded id, however short.
func (x *nearIndex) sameButForCase(id []byte) (row int, ok bool) {
	return x.whole(hashBytes(id), id)
}

func (x *nearIndex) whole(hash uint32, id []byte) (row int, ok bool) {
	for _, p := range x.exact.with(hash) {
		if p.key == hash && string(id) == x.ids[p.at] {
			return int(x.rows[p.at]), true
		}
	}
	return 0, false
}

// within finds a HIGH id that is at most [allowedEdits] away from the folded id.
func (x *nearIndex) within(id []byte) (row int, ok bool) {
	for length := len(id) - maxEdits; length <= len(id)+maxEdits; length++ {
		edits := allowedEdits(min(length, len(id)))
		if edits == 0 {
			continue
		}
		for piece := range pieceCount {
			from, to := pieceBounds(length, piece)
			// At least one of the pieces that match whole has moved by no more than
			// the edits that fit before it, and the rest must fit behind it.
			grown, behind := len(id)-length, maxEdits-piece
			for shift := max(-piece, grown-behind); shift <= min(piece, grown+behind); shift++ {
				if from+shift < 0 || to+shift > len(id) {
					continue
				}
				key := pieceKey(length, piece, hashBytes(id[from+shift:to+shift]))
				for _, p := range x.pieces.with(key) {
					if p.key == key && isWithin(id, x.ids[p.at], edits) {
						return int(x.rows[p.at]), true
					}
				}
			}
		}
	}
	return 0, false
}

// extended finds a HIGH id that the folded id goes on from without a dot. What
// stands below an id at a dot is the catalogue's business.
func (x *nearIndex) extended(id []byte) (row int, ok bool) {
	hash := hashSeed
	for n := range id {
		if n >= minNear && id[n] != '.' {
			if row, ok := x.whole(hash, id[:n]); ok {
				return row, true
			}
		}
		hash = hashStep(hash, id[n])
	}
	return 0, false
}

// posting says that the id at a position of nearIndex.ids has a key.
type posting struct {
	key uint32
	at  int32
}

// postings are sorted by key, with a directory by the key's first bits, so that
// a look-up reads one or two of them.
type postings struct {
	sorted []posting
	starts []uint32 // where each run of equal first bits starts, and the end
}

const directoryBits = 12

func newPostings(unsorted []posting) postings {
	slices.SortFunc(unsorted, func(a, b posting) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
	})
	starts := make([]uint32, 1<<directoryBits+1)
	for _, p := range unsorted {
		starts[p.key>>(32-directoryBits)+1]++
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	return postings{unsorted, starts}
}

// with returns a short run that holds the postings with the key, and perhaps others.
func (p *postings) with(key uint32) []posting {
	first := key >> (32 - directoryBits)
	return p.sorted[p.starts[first]:p.starts[first+1]]
}

// labelled finds the HIGH app that is called like the label.
func (x *nearIndex) labelled(label string) (row int, ok bool) {
	if len(label) > 4*maxPackage {
		return 0, false
	}
	at, ok := x.labels()[foldLabel(label)]
	return int(at), ok
}

// isWithin reports whether a can be turned into b by at most k insertions,
// deletions and replacements of single bytes.
func isWithin(a []byte, b string, k int) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if len(a)-len(b) > k || len(b)-len(a) > k {
		return false
	}
	if len(a) == 0 || len(b) == 0 {
		return true // what is left is at most k long
	}
	return k > 0 && (isWithin(a[1:], b[1:], k-1) || isWithin(a[1:], b, k-1) || isWithin(a, b[1:], k-1))
}

// nameVariants are the folded names under which an app is known: sources write
// "Маркет ~~ Market" and "Dialer / Phone" for apps with several, and stores put a
// claim behind the name ("Acme: pay and save").
func nameVariants(name string) []string {
	var folded []string
	for _, part := range strings.Split(strings.ReplaceAll(name, " / ", "~~"), "~~") {
		short, _, _ := strings.Cut(part, ": ")
		for _, label := range []string{part, short} {
			if f := foldLabel(label); f != "" {
				folded = append(folded, f)
			}
		}
	}
	return folded
}

// foldLabel drops what does not tell labels apart for a reader: case, spaces,
// punctuation and invisible characters.
func foldLabel(label string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, label)
}
