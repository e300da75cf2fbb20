package redact

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// ErrJSON is what JSON returns, wrapped with the place, for a document that is
// not well formed. Such a document must not be stored as it is.
var ErrJSON = errors.New("not a JSON document")

// deepest is how far objects and arrays may be nested.
const deepest = 1000

// JSON returns doc, compact, with [Text] of every string value; keys and their
// order stay. All of the value of a key that names a secret is one: strings and
// numbers, also inside the objects and arrays under it. true, false and null stay,
// since they say that there is a password, not which. The text of an object that
// says "password": true about itself is a secret, as UI trees have it. A whole
// number that is a card number becomes a marker. Values of keys that hold ids and
// digests may be random.
//
// JSON of its own result is that result. doc is not changed.
func JSON(doc []byte) ([]byte, error) {
	w := walker{out: make([]byte, 0, len(doc)+32)}
	if len(doc) > 0 {
		w.in = unsafe.String(&doc[0], len(doc)) // read only, and only until we return
	}
	if err := w.value(under{}, 0); err != nil {
		return nil, err
	}
	if w.skip(); w.i < len(w.in) {
		return nil, w.bad("something after the end")
	}
	return w.out, nil
}

// walker copies a document from in to out.
type walker struct {
	in  string
	i   int
	out []byte
}

// under is what the key above a value says about it.
type under struct {
	secret     bool // all of it
	code       bool // if it has the form of a one-time code
	soft       bool // if it looks like a secret
	identifier bool // ids and digests
}

func (w *walker) bad(what string) error {
	return fmt.Errorf("redact: %w: %s at byte %d", ErrJSON, what, w.i)
}

func (w *walker) skip() {
	for w.i < len(w.in) {
		switch w.in[w.i] {
		case ' ', '\t', '\n', '\r':
			w.i++
		default:
			return
		}
	}
}

func (w *walker) value(u under, depth int) error {
	w.skip()
	if w.i >= len(w.in) {
		return w.bad("no value")
	}
	if depth > deepest {
		return w.bad("nested too deep")
	}
	switch c := w.in[w.i]; {
	case c == '{':
		return w.object(u, depth)
	case c == '[':
		return w.array(u, depth)
	case c == '"':
		raw, plain, err := w.str()
		if err == nil {
			w.text(raw, plain, u)
		}
		return err
	case c == 't':
		return w.literal("true")
	case c == 'f':
		return w.literal("false")
	case c == 'n':
		return w.literal("null")
	case c == '-' || isDigit(c):
		return w.number(u)
	}
	return w.bad("no value")
}

func (w *walker) literal(word string) error {
	if !strings.HasPrefix(w.in[w.i:], word) {
		return w.bad("no value")
	}
	w.i += len(word)
	w.out = append(w.out, word...)
	return nil
}

func (w *walker) array(u under, depth int) error {
	w.i++
	w.out = append(w.out, '[')
	if w.skip(); w.i < len(w.in) && w.in[w.i] == ']' {
		w.i++
		w.out = append(w.out, ']')
		return nil
	}
	for {
		if err := w.value(u, depth+1); err != nil {
			return err
		}
		more, err := w.more(']')
		if err != nil || !more {
			return err
		}
	}
}

// more reads the comma or the bracket after a value.
func (w *walker) more(end byte) (bool, error) {
	w.skip()
	if w.i < len(w.in) && (w.in[w.i] == ',' || w.in[w.i] == end) {
		c := w.in[w.i]
		w.i++
		w.out = append(w.out, c)
		return c == ',', nil
	}
	return false, w.bad("no comma and no end")
}

func (w *walker) object(u under, depth int) error {
	w.i++
	w.out = append(w.out, '{')
	if w.skip(); w.i < len(w.in) && w.in[w.i] == '}' {
		w.i++
		w.out = append(w.out, '}')
		return nil
	}
	field := passwordField{}
	for {
		if w.skip(); w.i >= len(w.in) || w.in[w.i] != '"' {
			return w.bad("no key")
		}
		raw, plain, err := w.str()
		if err != nil {
			return err
		}
		w.out = append(w.out, raw...)
		if w.skip(); w.i >= len(w.in) || w.in[w.i] != ':' {
			return w.bad("no colon")
		}
		w.i++
		w.out = append(w.out, ':')
		key := raw[1 : len(raw)-1]
		if !plain {
			key = unquoted(raw)
		}
		start := len(w.out)
		if err := w.value(u.key(key), depth+1); err != nil {
			return err
		}
		field.saw(key, w.out, start)
		more, err := w.more('}')
		if err != nil {
			return err
		}
		if !more {
			w.out = field.hide(w.out)
			return nil
		}
	}
}

// passwordField remembers what an object says about itself: that it is a field
// for a password, and where its text went.
type passwordField struct {
	password bool
	texts    []span
}

func (p *passwordField) saw(key string, out []byte, start int) {
	switch {
	case key == "password" && string(out[start:]) == "true":
		p.password = true
	case key == "text" && len(out) > start+2 && out[start] == '"':
		p.texts = append(p.texts, span{start, len(out)})
	}
}

// hide replaces the texts of a password field, the last one first.
func (p *passwordField) hide(out []byte) []byte {
	if !p.password {
		return out
	}
	for n := len(p.texts) - 1; n >= 0; n-- {
		x := p.texts[n]
		tail := string(out[x.end:])
		secret := Secret(unquoted(string(out[x.start:x.end])))
		out = append(appendString(out[:x.start], secret), tail...)
	}
	return out
}

// identifierKeys hold ids and digests, which are random and no secret.
var identifierKeys = map[string]bool{
	"id": true, "action_id": true, "idempotency_key": true, "digest": true, "policy": true, "hash": true, "prev": true, "root": true, "leaf": true,
	"checkpoint": true, "previous": true, "parent": true, "approval": true, "request_id": true, "approval_id": true, "policy_digest": true,
	"screen_hash": true, "sha256": true, "fingerprint": true, "tree_hash": true, "signed": true,
}

var identifierShapes = shapesOf(identifierKeys)

// key is what the value of key in an object that is itself under u may hold.
func (u under) key(key string) under {
	next := under{secret: u.secret}
	if identifierShapes.may(key) && identifierKeys[key] {
		next.identifier = true
		return next
	}
	switch gradeName(key) {
	case gradeSure:
		next.secret = true
	case gradeCode:
		next.code = true
	case gradeSoft:
		next.soft = true
	}
	return next
}

// text writes a string value. raw has its quotes.
func (w *walker) text(raw string, plain bool, u under) {
	s := raw[1 : len(raw)-1]
	if !plain {
		s = unquoted(raw)
	}
	hidden := s
	switch {
	case u.secret, u.code && codeValue(s), u.soft && looksSecret(s, 0, len(s)):
		hidden = Secret(s)
	default:
		hidden = settle(s, u.identifier)
	}
	if hidden == s {
		w.out = append(w.out, raw...)
		return
	}
	w.out = appendString(w.out, hidden)
}

// codeValue is true for four to eight digits.
func codeValue(s string) bool {
	return len(s) >= 4 && len(s) <= 8 && digitsEnd(s, 0) == len(s)
}

// str reads the string at in[i] and returns it with its quotes; plain is true
// when nothing in it is escaped.
func (w *walker) str() (raw string, plain bool, err error) {
	start := w.i
	plain = true
	for i := start + 1; i < len(w.in); i++ {
		switch c := w.in[i]; {
		case c == '"':
			w.i = i + 1
			return w.in[start:w.i], plain, nil
		case c == '\\':
			plain = false
			n := escape(w.in[i:])
			if n == 0 {
				w.i = i
				return "", false, w.bad("no such escape")
			}
			i += n - 1
		case c < ' ':
			w.i = i
			return "", false, w.bad("a control character in a string")
		}
	}
	w.i = len(w.in)
	return "", false, w.bad("a string without an end")
}

// escape returns the length of the escape that s begins with, 0 for none.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	if strings.IndexByte(`"\/bfnrt`, s[1]) >= 0 {
		return 2
	}
	if s[1] != 'u' || len(s) < 6 || !isHex(s[2:6]) {
		return 0
	}
	return 6
}

// unquoted is what a well-formed JSON string says.
func unquoted(raw string) string {
	var s string
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		return raw
	}
	return s
}

// number copies the number at in[i].
func (w *walker) number(u under) error {
	start := w.i
	in := w.in
	if in[w.i] == '-' {
		w.i++
	}
	first := w.i
	w.i = digitsEnd(in, w.i)
	if w.i == first || in[first] == '0' && w.i > first+1 {
		return w.bad("no number")
	}
	whole := w.i - first
	if w.i < len(in) && in[w.i] == '.' {
		from := w.i + 1
		if w.i = digitsEnd(in, from); w.i == from {
			return w.bad("no number")
		}
		whole = 0
	}
	if w.i < len(in) && (in[w.i] == 'e' || in[w.i] == 'E') {
		from := w.i + 1
		if from < len(in) && (in[from] == '+' || in[from] == '-') {
			from++
		}
		if w.i = digitsEnd(in, from); w.i == from {
			return w.bad("no number")
		}
		whole = 0
	}
	text := in[start:w.i]
	if u.secret || whole >= shortestCard && whole <= longestCard && luhn([]byte(in[first:w.i])) && network([]byte(in[first:w.i])) {
		w.out = appendString(w.out, Secret(text))
		return nil
	}
	w.out = append(w.out, text...)
	return nil
}

// appendString appends s as a JSON string.
func appendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\r':
			out = append(out, '\\', 'r')
		case r == '\t':
			out = append(out, '\\', 't')
		case r < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}
