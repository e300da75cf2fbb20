package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// canonicalJSON writes a JSON object in the one form that the ledger accepts:
// no blanks, strings as encoding/json spells them without its HTML escapes,
// numbers and the order of keys as they are. Half surrogates and bytes that are
// not UTF-8 become U+FFFD, as in encoding/json. The canonical form of a
// canonical form is itself.
func canonicalJSON(src []byte) ([]byte, error) {
	w := writer{src: src, dst: make([]byte, 0, len(src))}
	w.blanks()
	if w.peek() != '{' {
		return nil, ErrBody
	}
	if err := w.value(); err != nil {
		return nil, fmt.Errorf("%w: at byte %d: %w", ErrBody, w.pos, err)
	}
	w.blanks()
	if w.pos != len(src) {
		return nil, fmt.Errorf("%w: more data after byte %d", ErrBody, w.pos)
	}
	return w.dst, nil
}

// writer reads JSON from src and writes its canonical form to dst.
type writer struct {
	src, dst []byte
	pos      int
	depth    int
}

var (
	errSyntax   = errors.New("this is no JSON")
	errDeep     = fmt.Errorf("more than %d levels", maxDepth)
	errRepeated = errors.New("a key stands twice in one object")
)

// peek is the next byte, 0 at the end; JSON has no 0 outside strings.
func (w *writer) peek() byte {
	if w.pos < len(w.src) {
		return w.src[w.pos]
	}
	return 0
}

func (w *writer) blanks() {
	for {
		switch w.peek() {
		case ' ', '\t', '\n', '\r':
			w.pos++
		default:
			return
		}
	}
}

// take copies a byte that must come next, after blanks.
func (w *writer) take(c byte) bool {
	w.blanks()
	if w.peek() != c {
		return false
	}
	w.pos++
	w.dst = append(w.dst, c)
	return true
}

func (w *writer) value() error {
	w.blanks()
	switch w.peek() {
	case '{':
		return w.nested('}', w.member())
	case '[':
		return w.nested(']', w.value)
	case '"':
		return w.text()
	case 't':
		return w.word("true")
	case 'f':
		return w.word("false")
	case 'n':
		return w.word("null")
	}
	return w.number()
}

// nested copies an object or a list, item by item.
func (w *writer) nested(end byte, item func() error) error {
	if w.depth++; w.depth > maxDepth {
		return errDeep
	}
	w.dst = append(w.dst, w.src[w.pos])
	w.pos++
	if !w.take(end) {
		for {
			if err := item(); err != nil {
				return err
			}
			if w.take(end) {
				break
			}
			if !w.take(',') {
				return errSyntax
			}
		}
	}
	w.depth--
	return nil
}

// fewKeys is how many keys are compared one by one before a map is worth it.
const fewKeys = 32

// member copies the members of one object and knows the keys it has seen.
func (w *writer) member() func() error {
	var spans [][2]int // of keys in dst, while they are few
	var seen map[string]bool
	return func() error {
		w.blanks()
		start := len(w.dst)
		if err := w.text(); err != nil {
			return err
		}
		key := w.dst[start:]
		if seen == nil {
			for _, s := range spans {
				if bytes.Equal(w.dst[s[0]:s[1]], key) {
					return errRepeated
				}
			}
			if spans = append(spans, [2]int{start, len(w.dst)}); len(spans) == fewKeys {
				seen = make(map[string]bool, 2*fewKeys)
				for _, s := range spans {
					seen[string(w.dst[s[0]:s[1]])] = true
				}
			}
		} else if seen[string(key)] {
			return errRepeated
		} else {
			seen[string(key)] = true
		}
		if !w.take(':') {
			return errSyntax
		}
		return w.value()
	}
}

func (w *writer) word(word string) error {
	if !bytes.HasPrefix(w.src[w.pos:], []byte(word)) {
		return errSyntax
	}
	w.pos += len(word)
	w.dst = append(w.dst, word...)
	return nil
}

// number copies a number as it is spelled, if JSON allows the spelling.
func (w *writer) number() error {
	start := w.pos
	for {
		switch c := w.peek(); {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
			w.pos++
			continue
		}
		break
	}
	number := w.src[start:w.pos]
	if len(number) == 0 || !json.Valid(number) {
		return errSyntax
	}
	w.dst = append(w.dst, number...)
	return nil
}

// text copies a string.
func (w *writer) text() error {
	if w.peek() != '"' {
		return errSyntax
	}
	w.pos++
	w.dst = append(w.dst, '"')
	for {
		w.plain()
		if w.pos == len(w.src) {
			return errSyntax
		}
		switch c := w.src[w.pos]; {
		case c == '"':
			w.pos++
			w.dst = append(w.dst, '"')
			return nil
		case c < 0x20:
			return errSyntax
		case c == '\\':
			r, err := w.escape()
			if err != nil {
				return err
			}
			w.dst = appendRune(w.dst, r)
		default:
			r, size := utf8.DecodeRune(w.src[w.pos:])
			w.dst = appendRune(w.dst, r)
			w.pos += size
		}
	}
}

// plain copies ASCII characters that stand for themselves, as most do.
func (w *writer) plain() {
	start := w.pos
	for w.pos < len(w.src) {
		if c := w.src[w.pos]; c < 0x20 || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			break
		}
		w.pos++
	}
	w.dst = append(w.dst, w.src[start:w.pos]...)
}

// escape reads the character that an escape stands for.
func (w *writer) escape() (rune, error) {
	if w.pos+1 >= len(w.src) {
		return 0, errSyntax
	}
	c := w.src[w.pos+1]
	if c == 'u' {
		return w.unicodeEscape()
	}
	w.pos += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	}
	return 0, errSyntax
}

// unicodeEscape reads \uXXXX, and a pair of them where they belong together.
func (w *writer) unicodeEscape() (rune, error) {
	r, ok := w.hex(w.pos)
	if !ok {
		return 0, errSyntax
	}
	w.pos += 6
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if low, ok := w.hex(w.pos); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			w.pos += 6
			return pair, nil
		}
	}
	return utf8.RuneError, nil
}

// hex reads the \uXXXX that stands at a place.
func (w *writer) hex(at int) (rune, bool) {
	if at+6 > len(w.src) || w.src[at] != '\\' || w.src[at+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range w.src[at+2 : at+6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

const hexDigits = "0123456789abcdef"

// appendRune writes one character of a string.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\b':
		return append(dst, '\\', 'b')
	case r == '\f':
		return append(dst, '\\', 'f')
	case r == '\n':
		return append(dst, '\\', 'n')
	case r == '\r':
		return append(dst, '\\', 'r')
	case r == '\t':
		return append(dst, '\\', 't')
	case r < 0x20, r == 0x2028, r == 0x2029:
		return append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
	return utf8.AppendRune(dst, r)
}

// appendString writes a string with its quotes.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		dst = appendRune(dst, r)
	}
	return append(dst, '"')
}
