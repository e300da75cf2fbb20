package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// idStart is where the name begins in "package:id/name".
func idStart(identifier string) int {
	if i := strings.LastIndex(identifier, ":id/"); i >= 0 {
		return i + len(":id/")
	}
	return 0
}

// startsWord reports whether a new word of an identifier begins with r, or the
// one before has ended: at everything that is neither letter nor digit, between
// letters and digits, and where the case changes ("HTTPServer" is HTTP and
// Server). rest is what follows r.
func startsWord(before, r rune, rest string) bool {
	if a, b := classOf(before), classOf(r); a != b || b == notWord {
		return true
	}
	if !unicode.IsUpper(r) {
		return false
	}
	after, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsUpper(before) || unicode.IsLower(after)
}

// setIdentifier makes the matching copy of an identifier: its words with one
// space between them.
func (t *copyText) setIdentifier(s string) {
	t.b, t.from, t.to = t.b[:0], t.from[:0], t.to[:0]
	t.cells = t.cells[:0]
	if len(s) > MaxText {
		s = s[:MaxText]
	}
	begin := idStart(s)
	n := uint16(utf8.RuneCountInString(s[:begin]))
	before := ' '
	for at := begin; at < len(s); n++ {
		r, size := utf8.DecodeRuneInString(s[at:])
		at += size
		if propsOf(r)&isIgnorable != 0 {
			continue
		}
		if startsWord(before, r, s[at:]) && len(t.cells) > 0 {
			t.cells = append(t.cells, cell{' ', n, n + 1})
		}
		if classOf(r) != notWord {
			t.cells = append(t.cells, cell{r, n, n + 1})
		}
		before = r
	}
	t.foldLetters()
	t.write()
}

// looksLikeIdentifier reports a label that is a developer's name rather than
// words for a reader: "btn_send", "confirmTransferBtn". A capital inside a word
// is not enough, or every brand ("PayPal") would be one.
func looksLikeIdentifier(s string) bool {
	lower, upper, underscore := false, false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				upper = true
			}
		case c >= '0' && c <= '9', c == '-', c == '.', c == '/', c == ':':
		case c == '_':
			underscore = i > 0 && i+1 < len(s)
		default:
			return false
		}
	}
	return lower && (underscore || upper && s[0] >= 'a' && s[0] <= 'z') || strings.Contains(s, ":id/")
}
