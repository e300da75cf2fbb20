package catalog

import (
	"bytes"

	"github.com/countersign/countersign/risk"
)

// namePattern is a word in a package id that tells what the app is for.
type namePattern struct {
	word    string
	where   place
	kind    string
	surface Surface
}

// place is where in an id a word counts.
type place uint8

const (
	inside  place = iota // anywhere inside a segment
	whole                // a whole segment, or a whole part between underscores
	ending               // at the end of a segment
	lastest              // the whole last segment
)

// namePatterns are few: a word stays out unless nine in ten of the catalogued
// ids that hold it are HIGH (a test counts them). Ids say little: these words
// find about a third of the HIGH apps, and they can mislead ("foodbank"), so
// they only ever raise.
var namePatterns = []namePattern{
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
	{"contacts", lastest, "contacts", Contacts},
	{"appstore", inside, "store", Store},
	{"appmarket", inside, "store", Store},
	{"superuser", inside, "root tool", RootManager},
	{"magisk", inside, "root tool", RootManager},
	{"kernelsu", inside, "root tool", RootManager},
}

// namePatternVoice finds a telling word in the id.
func namePatternVoice(_ *Catalog, app App) (Verdict, bool) {
	var buf [maxPackage]byte
	id := afterFirstSegment(fold(&buf, app.Package))
	for i := range namePatterns {
		if p := &namePatterns[i]; p.matches(id) {
			return Verdict{
				Tier: risk.High, Why: WhyNamePattern, Kind: p.kind, Surface: p.surface, detail: p.word,
			}, true
		}
	}
	return Verdict{}, false
}

func (p *namePattern) matches(id []byte) bool {
	if !contains(id, p.word) {
		return false
	}
	switch p.where {
	case inside:
		return true
	case whole:
		return hasSegment(id, p.word)
	case lastest:
		return string(id[bytes.LastIndexByte(id, '.')+1:]) == p.word
	}
	return endsSegment(id, p.word)
}

// endsSegment reports whether a segment of id ends in word.
func endsSegment(id []byte, word string) bool {
	for len(id) >= len(word) {
		end := bytes.IndexAny(id, "._")
		if end < 0 {
			end = len(id)
		}
		if bytes.HasSuffix(id[:end], []byte(word)) {
			return true
		}
		if end == len(id) {
			return false
		}
		id = id[end+1:]
	}
	return false
}
