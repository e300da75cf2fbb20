package policy

import "github.com/countersign/countersign/risk"

// subject is what an exception can speak about: a category, or the tier.
type subject uint8

const subjectTier = subject(categories)

// override is the owner's exception for one app, or for all apps below a prefix.
type override struct {
	rule  string // as Result.Rule names it: "app com.example.*"
	says  uint32 // a bit for each subject that the exception speaks about
	tier  risk.Tier
	cells [categories]cell
}

// Every subject needs a bit in override.says.
const _ = uint(31 - subjectTier)

func (o *override) speaksOf(s subject) bool { return o.says&(1<<s) != 0 }

func (o *override) setTier(t risk.Tier) {
	o.tier = t
	o.says |= 1 << subjectTier
}

func (o *override) setCell(c risk.Category, v cell) {
	o.cells[c] = v
	o.says |= 1 << subject(c)
}

// apps are the exceptions of a policy. The zero value has none.
type apps struct {
	exact map[string]*override
	// below is keyed by the prefix without its ".*".
	below map[string]*override
	// longest is the length of the longest key of below. No longer prefix of a
	// package is looked up, so that an endless name costs no more than a real one.
	longest int
}

// find returns the most specific exception for a package that speaks about the
// subject: the exact name first, then the prefixes from the longest down. An
// exception that is silent on the subject leaves it to a less specific one.
func (a *apps) find(pkg string, s subject) *override {
	if pkg == "" {
		return nil
	}
	if o := a.exact[pkg]; o != nil && o.speaksOf(s) {
		return o
	}
	for i := min(len(pkg)-1, a.longest); i > 0; i-- {
		if pkg[i] != '.' {
			continue
		}
		if o := a.below[pkg[:i]]; o != nil && o.speaksOf(s) {
			return o
		}
	}
	return nil
}

// maxKey is the longest package name that a key of apps may have, in bytes.
// Android allows no longer one.
const maxKey = 255

// add files an exception under its key, an exact package or a prefix that ends
// in ".*".
func (a *apps) add(key string, o *override) {
	prefix, isPrefix := cutPrefixKey(key)
	if !isPrefix {
		if a.exact == nil {
			a.exact = map[string]*override{}
		}
		a.exact[key] = o
		return
	}
	if a.below == nil {
		a.below = map[string]*override{}
	}
	a.below[prefix] = o
	a.longest = max(a.longest, len(prefix))
}

func cutPrefixKey(key string) (prefix string, ok bool) {
	if n := len(key) - len(".*"); n > 0 && key[n:] == ".*" {
		return key[:n], true
	}
	return key, false
}

// isPackage reports whether the name could be an Android package: segments
// between dots, each a letter and then letters, digits or underscores.
func isPackage(name string) bool {
	if len(name) > maxKey {
		return false
	}
	first := true
	for i := range len(name) {
		b := name[i]
		letter := 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
		switch {
		case first && !letter:
			return false
		case b == '.':
			first = true
		case letter || '0' <= b && b <= '9' || b == '_':
			first = false
		default:
			return false
		}
	}
	return !first
}
