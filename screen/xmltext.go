package screen

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// clean returns the text that an attribute value stands for. References are
// resolved and line ends become \n. What XML does not allow is repaired, and
// counted in s.repairs: an invalid character becomes U+FFFD, and an & that
// begins no reference stands for itself. The usual value has nothing to
// resolve and is returned as it is, sharing the input's memory.
func (s *scanner) clean(raw string) string {
	for i := 0; i < len(raw); i++ {
		if needsCare[raw[i]] {
			return s.resolve(raw, i)
		}
	}
	return raw
}

// needsCare holds the bytes that may not stand for themselves.
var needsCare = func() (care [256]bool) {
	for c := range care {
		care[c] = c < ' ' && c != '\t' && c != '\n' || c >= utf8.RuneSelf || c == '&' || c == '<'
	}
	return care
}()

// resolve does the work of clean from the first byte that needs care. Text in
// other scripts needs care only to be found valid, and is still not copied.
func (s *scanner) resolve(raw string, first int) string {
	var text strings.Builder
	kept := 0 // raw[:kept] is in text already
	replace := func(from, to int, by string) {
		if kept == 0 {
			text.Grow(len(raw))
		}
		text.WriteString(raw[kept:from])
		text.WriteString(by)
		kept = to
	}
	for i := first; i < len(raw); {
		c := raw[i]
		switch {
		case !needsCare[c]:
			i++
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(raw[i:])
			if r == utf8.RuneError && size == 1 || !isText(r) {
				s.repairs++
				replace(i, i+size, replacement)
			}
			i += size
		case c == '&':
			by, size := s.reference(raw[i:])
			replace(i, i+size, by)
			i += size
		case c == '\r':
			size := 1
			if strings.HasPrefix(raw[i:], "\r\n") {
				size = 2
			}
			replace(i, i+size, "\n")
			i += size
		case c == '<':
			s.repairs++
			i++
		default:
			s.repairs++
			replace(i, i+1, replacement)
			i++
		}
	}
	if kept == 0 {
		return raw
	}
	text.WriteString(raw[kept:])
	return text.String()
}

// reference resolves the reference at the beginning of raw and returns how many
// bytes it takes. An & that begins none is kept and counted as a repair, so
// that "AT&T" and "&nbsp;" stay readable.
func (s *scanner) reference(raw string) (text string, size int) {
	if strings.HasPrefix(raw, "&#") {
		if r, size, ok := characterReference(raw); ok {
			return s.character(r, size, raw)
		}
	}
	for _, entity := range entities {
		if strings.HasPrefix(raw, entity.name) {
			return entity.text, len(entity.name)
		}
	}
	s.repairs++
	return "&", 1
}

// entities are the five that XML knows without being told. Declared ones do
// not exist here, since document types are refused.
var entities = [...]struct{ name, text string }{
	{"&amp;", "&"}, {"&quot;", `"`}, {"&lt;", "<"}, {"&gt;", ">"}, {"&apos;", "'"},
}

// character turns a numeric reference into text. Old versions of Android write
// an emoji as two references, one for each half of its surrogate pair: these
// make one character. A lone half, like any character that XML does not allow,
// becomes U+FFFD.
func (s *scanner) character(r rune, size int, raw string) (string, int) {
	if utf16.IsSurrogate(r) {
		low, lowSize, ok := characterReference(raw[size:])
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			return string(pair), size + lowSize
		}
	}
	if !isText(r) {
		s.repairs++
		return replacement, size
	}
	return string(r), size
}

// isText reports whether a character may stand in a label. The set is that of
// XML, and JSON trees are held to it too.
func isText(r rune) bool {
	return r >= ' ' && r != '\uFFFE' && r != '\uFFFF' && utf8.ValidRune(r) ||
		r == '\t' || r == '\n' || r == '\r'
}

// characterReference reads &#...; or &#x...; at the beginning of raw. A number
// beyond Unicode comes back as -1.
func characterReference(raw string) (r rune, size int, ok bool) {
	if !strings.HasPrefix(raw, "&#") {
		return 0, 0, false
	}
	i, base := len("&#"), rune(10)
	if i < len(raw) && (raw[i] == 'x' || raw[i] == 'X') {
		i, base = i+1, 16
	}
	digits := i
	for ; i < len(raw); i++ {
		d := digit(raw[i])
		if d < 0 || d >= base {
			break
		}
		if r >= 0 {
			r = r*base + d
		}
		if r > utf8.MaxRune {
			r = -1
		}
	}
	if i == digits || i == len(raw) || raw[i] != ';' {
		return 0, 0, false
	}
	return r, i + 1, true
}

// digit is the value of a decimal or hexadecimal digit, -1 for any other byte.
func digit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}
