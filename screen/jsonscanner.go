package screen

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonScanner walks over the values of one JSON document. Strings share the
// memory of src where nothing in them is escaped. Invalid UTF-8, lone
// surrogates and control characters become U+FFFD and are counted; everything
// else that JSON does not allow is an error.
type jsonScanner struct {
	src     string
	pos     int
	repairs int
	// room is how many more levels of objects and arrays may be opened.
	room   int
	limits Limits
}

const jsonFormat = "UI tree (JSON)"

func (s *jsonScanner) expected(what string) error {
	found := "the end"
	for _, r := range s.src[s.pos:] {
		found = quoted(string(r))
		break
	}
	return syntaxError(jsonFormat, s.src, s.pos, found, what)
}

// peek passes white space and returns the byte that follows, 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
	if s.pos == len(s.src) {
		return 0
	}
	return s.src[s.pos]
}

// pass passes one byte of punctuation, with the white space before it.
func (s *jsonScanner) pass(c byte, what string) error {
	if s.peek() != c {
		return s.expected(what)
	}
	s.pos++
	return nil
}

// word passes a literal such as null, if it stands there.
func (s *jsonScanner) word(literal string) bool {
	s.peek()
	if !strings.HasPrefix(s.src[s.pos:], literal) {
		return false
	}
	s.pos += len(literal)
	return true
}

// each calls member for every member of an array or object, between the two
// brackets. It stands at the member's beginning and has to pass it.
func (s *jsonScanner) each(open, closing byte, what string, member func(i int) error) error {
	if err := s.pass(open, what); err != nil {
		return err
	}
	if s.room--; s.room < 0 {
		return &LimitError{"depth", s.limits.Depth}
	}
	defer func() { s.room++ }()
	if s.peek() == closing {
		s.pos++
		return nil
	}
	for i := 0; ; i++ {
		if err := member(i); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.pos++
		case closing:
			s.pos++
			return nil
		default:
			return s.expected("a comma or " + string(rune(closing)))
		}
	}
}

// text reads a string.
func (s *jsonScanner) text(what string) (string, error) {
	if err := s.pass('"', what); err != nil {
		return "", err
	}
	start := s.pos
	for ; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		if c == '"' {
			s.pos++
			return s.src[start : s.pos-1], nil
		}
		if c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			return s.longText(start)
		}
	}
	return "", s.expected("a quote that ends the text")
}

// longText reads a string on from its first unusual byte.
func (s *jsonScanner) longText(start int) (string, error) {
	var text strings.Builder
	kept := start // src[start:kept] is in text already
	replace := func(size int, by string) {
		text.WriteString(s.src[kept:s.pos])
		text.WriteString(by)
		s.pos += size
		kept = s.pos
	}
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch {
		case c == '"':
			s.pos++
			if kept == start {
				return s.src[start : s.pos-1], nil
			}
			text.WriteString(s.src[kept : s.pos-1])
			return text.String(), nil
		case c == '\\':
			by, size, ok := s.escape(s.src[s.pos:])
			if !ok {
				return "", s.expected(`an escape such as \n or \u0041`)
			}
			replace(size, by)
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.src[s.pos:])
			if r == utf8.RuneError && size == 1 || !isText(r) {
				s.repairs++
				replace(size, replacement)
				continue
			}
			s.pos += size
		case c == '\t' || c == '\n' || c == '\r':
			s.repairs++ // they should be escaped, but what they mean is clear
			s.pos++
		case c < ' ':
			s.repairs++
			replace(1, replacement)
		default:
			s.pos++
		}
	}
	return "", s.expected("a quote that ends the text")
}

// escape resolves the escape sequence at the beginning of raw.
func (s *jsonScanner) escape(raw string) (text string, size int, ok bool) {
	const plain, meaning = `"\/bfnrt`, "\"\\/\uFFFD\uFFFD\n\r\t"
	if len(raw) < 2 {
		return "", 0, false
	}
	if raw[1] != 'u' {
		i := strings.IndexByte(plain, raw[1])
		if i < 0 {
			return "", 0, false
		}
		r := []rune(meaning)[i]
		if r == utf8.RuneError {
			s.repairs++
		}
		return string(r), 2, true
	}
	r, ok := hexEscape(raw)
	if !ok {
		return "", 0, false
	}
	size = 6
	if utf16.IsSurrogate(r) {
		low, isEscape := hexEscape(raw[size:])
		if r = utf16.DecodeRune(r, low); isEscape && r != utf8.RuneError {
			return string(r), 2 * size, true
		}
		r = -1
	}
	if !isText(r) {
		s.repairs++
		return replacement, size, true
	}
	return string(r), size, true
}

// hexEscape reads \uXXXX at the beginning of raw.
func hexEscape(raw string) (r rune, ok bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	for i := 2; i < 6; i++ {
		d := digit(raw[i])
		if d < 0 {
			return 0, false
		}
		r = r<<4 | d
	}
	return r, true
}

// whole reads a whole number. One that does not fit is the nearest that does.
func (s *jsonScanner) whole() (n int32, ok bool) {
	s.peek()
	numeral := s.numeral()
	n, rest, ok := leadingInt(numeral)
	if !ok || rest != "" {
		return 0, false
	}
	s.pos += len(numeral)
	return n, true
}

// numeral returns the number that begins at the scanner's place, or nothing.
func (s *jsonScanner) numeral() string {
	rest := strings.TrimPrefix(s.src[s.pos:], "-")
	after, digits := passDigits(rest)
	if digits == 0 || digits > 1 && rest[0] == '0' {
		return ""
	}
	if fraction, ok := strings.CutPrefix(after, "."); ok {
		if after, digits = passDigits(fraction); digits == 0 {
			return ""
		}
	}
	if len(after) > 0 && (after[0] == 'e' || after[0] == 'E') {
		exponent := after[1:]
		if len(exponent) > 0 && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		if after, digits = passDigits(exponent); digits == 0 {
			return ""
		}
	}
	return s.src[s.pos : len(s.src)-len(after)]
}

// passDigits passes the decimal digits at the beginning of the text.
func passDigits(text string) (rest string, digits int) {
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	return text[digits:], digits
}

// skip passes a value of any kind.
func (s *jsonScanner) skip() error {
	switch s.peek() {
	case '{':
		return s.each('{', '}', "an object", func(int) error {
			if _, err := s.text("the name of a field"); err != nil {
				return err
			}
			if err := s.pass(':', "a colon"); err != nil {
				return err
			}
			return s.skip()
		})
	case '[':
		return s.each('[', ']', "an array", func(int) error { return s.skip() })
	case '"':
		_, err := s.text("a text")
		return err
	}
	if s.word("true") || s.word("false") || s.word("null") {
		return nil
	}
	numeral := s.numeral()
	if numeral == "" {
		return s.expected("a value")
	}
	s.pos += len(numeral)
	return nil
}
