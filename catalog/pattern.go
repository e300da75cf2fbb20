package catalog

import (
	"bytes"

	"github.com/countersign/countersign/risk"
)

// pattern is a word in a package id that tells what the app is.
type pattern struct {
	word    string
	where   place
	kind    string
	surface Surface
}

// place is where in an id a word counts. The parts of an id stand between dots
// and underscores.
type place uint8

const (
	inside place = iota // anywhere
	whole               // a whole part
	ending              // at the end of a part
	last                // the whole last segment
)

// namePatterns are few: a word stays out unless it is right in at least eight of
// ten catalogued ids that hold it, and all together in nine of ten (a test
// counts). Ids say little: these words find about a third of the HIGH apps, and
// they can mislead ("foodbank"), so they only ever raise.
var namePatterns = newPatternSet([]pattern{
	{"bank", inside, "banking", NoSurface},
	{"banco", inside, "banking", NoSurface},
	{"banque", inside, "banking", NoSurface},
	{"payment", inside, "payments", NoSurface},
	{"pay", ending, "payments", NoSurface},
	{"wallet", inside, "payments", NoSurface},
	{"authenticator", inside, "password manager", NoSurface},
	{"keepass", inside, "password manager", NoSurface},
	{"passwordmanager", inside, "password manager", NoSurface},
	{"password", whole, "password manager", NoSurface},
	{"passwords", whole, "password manager", NoSurface},
	{"otp", whole, "password manager", NoSurface},
	{"mail", whole, "email", NoSurface},
	{"email", whole, "email", NoSurface},
	{"messenger", whole, "messaging", NoSurface},
	{"messaging", whole, "messaging", SMS},
	{"messages", whole, "messaging", SMS},
	{"sms", whole, "SMS", SMS},
	{"mms", whole, "SMS", SMS},
	{"dialer", inside, "phone", Dialer},
	{"incallui", inside, "phone", Dialer},
	{"contacts", last, "contacts", Contacts},
	{"appstore", inside, "store", Store},
	{"appmarket", inside, "store", Store},
	{"superuser", inside, "root tool", RootManager},
	{"magisk", inside, "root tool", RootManager},
	{"kernelsu", inside, "root tool", RootManager},
})

// namePatternVoice finds a telling word in the id.
func namePatternVoice(_ *Catalog, app App) (Verdict, bool) {
	p, ok := namePatterns.find(app.Package)
	if !ok {
		return Verdict{}, false
	}
	return Verdict{
		Tier: risk.High, Why: WhyNamePattern, Kind: p.kind, Surface: p.surface, detail: p.word,
	}, true
}

// patternSet is a list of patterns, the first match of which counts.
type patternSet struct {
	list []pattern
	// letters are the letters of each word, so that most words are ruled out
	// without being searched for.
	letters []uint32
}

func newPatternSet(list []pattern) *patternSet {
	s := &patternSet{list: list, letters: make([]uint32, len(list))}
	for i := range list {
		s.letters[i] = lettersOf([]byte(list[i].word))
	}
	return s
}

// find returns the first pattern that the package id matches. The first segment
// ("com") is a country or a habit and is not searched.
func (s *patternSet) find(pkg string) (*pattern, bool) {
	var buf [maxPackage]byte
	id := fold(&buf, pkg)
	dot := bytes.IndexByte(id, '.')
	if dot < 0 {
		return nil, false
	}
	id = id[dot+1:]
	letters := lettersOf(id)
	for i := range s.list {
		if s.letters[i]&^letters == 0 && s.list[i].matches(id) {
			return &s.list[i], true
		}
	}
	return nil, false
}

// lettersOf is the set of letters in folded text; what is no letter is left out.
func lettersOf(text []byte) uint32 {
	set := uint32(0)
	for _, c := range text {
		if 'a' <= c && c <= 'z' {
			set |= 1 << (c - 'a')
		}
	}
	return set
}

// matches reports whether the pattern applies to a folded id.
func (p *pattern) matches(id []byte) bool {
	word := []byte(p.word)
	switch p.where {
	case inside:
		return bytes.Contains(id, word) // words hold no dot, so a hit is inside a segment
	case last:
		return bytes.Equal(id[bytes.LastIndexByte(id, '.')+1:], word)
	}
	for rest := id; len(rest) >= len(word); {
		part := rest
		if end := bytes.IndexAny(rest, "._"); end >= 0 {
			part, rest = rest[:end], rest[end+1:]
		} else {
			rest = nil
		}
		if bytes.HasSuffix(part, word) && (p.where == ending || len(part) == len(word)) {
			return true
		}
	}
	return false
}
