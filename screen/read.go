package screen

import (
	"fmt"
	"strings"
)

// Read reads a UI tree and tells by itself whether it is uiautomator XML,
// Appium page source or a JSON tree; see [ReadUIAutomator], [ReadAppium] and
// [ReadJSON] for what each accepts.
//
// Text that comes as a string is not copied: the strings of the screen's nodes
// share its memory, and keep it alive. Bytes are copied once.
//
// The screen is never nil. Whatever the reader cannot make sense of, it answers
// with an error and an unknown screen, one whose Problem is set: a caller that
// overlooks the error still does not see an empty screen. The error is
// [ErrNoTree], a [*SyntaxError], a [*FieldError] or a [*LimitError], wrapped.
// Damage that leaves no doubt about the tree is no error; it sets Truncated or
// Repairs.
//
// Read is safe for concurrent use.
func Read[T ~string | ~[]byte](tree T, limits Limits) (*Screen, error) {
	return read(string(tree), limits, func(src string, limits Limits) (*Screen, error) {
		if looksLikeJSON(src) {
			return readJSON(src, limits)
		}
		return readXML(src, limits, undecided)
	})
}

// read holds what all readers share: the size limit, the encoding, and that an
// error comes with an unknown screen.
func read(src string, limits Limits, tree func(string, Limits) (*Screen, error)) (*Screen, error) {
	limits = limits.withDefaults()
	if len(src) > limits.Bytes {
		return unknown(&LimitError{"bytes", limits.Bytes})
	}
	text, repairs := decode(src)
	s, err := tree(text, limits)
	if err != nil {
		return unknown(err)
	}
	s.Repairs += repairs
	return s, nil
}

// unknown is the screen of a tree that could not be read.
func unknown(err error) (*Screen, error) {
	return &Screen{Problem: NoTree}, fmt.Errorf("read UI tree: %w", err)
}

// looksLikeJSON reports whether the text begins with a JSON object, or with an
// array of objects. A dump may begin with a tool's message, and that with "[".
func looksLikeJSON(src string) bool {
	src = strings.TrimLeft(src, " \t\r\n")
	if strings.HasPrefix(src, "[") {
		src = strings.TrimLeft(src[1:], " \t\r\n")
		if strings.HasPrefix(src, "]") {
			return true
		}
	}
	return strings.HasPrefix(src, "{")
}
