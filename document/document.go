package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Open reads one YAML document of at most most bytes strictly: no second
// document, no anchors, no tags, no characters that make a file read differently
// from what it says. file names it in complaints. An error is like that of
// [Reader.Err].
func Open(file string, data []byte, most int) (*Reader, *Node, error) {
	return (&Reader{file: file}).open(data, most)
}

// OpenSecret is like Open, for a file that may hold secrets: a complaint shows
// neither the line nor a word of it.
func OpenSecret(file string, data []byte, most int) (*Reader, *Node, error) {
	return (&Reader{file: file, secret: true}).open(data, most)
}

func (r *Reader) open(data []byte, most int) (*Reader, *Node, error) {
	if len(data) > most {
		r.fault(0, 0, 0, fmt.Sprintf("the file is larger than %d KiB", most>>10), "")
		return nil, nil, r.Err()
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r.lines = strings.Split(string(data), "\n")
	if r.refuseCharacters(); r.Failed() {
		return nil, nil, r.Err()
	}
	root := r.document(data)
	if r.Failed() {
		return nil, nil, r.Err()
	}
	if r.refuseSharing(root); r.Failed() {
		return nil, nil, r.Err()
	}
	return r, root, nil
}

// refuseCharacters complains about the first character that has no business in
// a file of ours. Besides what YAML itself refuses these are the other line breaks,
// which would put the lines that we count out of step, and the marks that
// change the direction of writing, with which a line can be made to look like
// another.
func (r *Reader) refuseCharacters() {
	for i, line := range r.lines {
		if i < len(r.lines)-1 { // the last one has no line feed that a return could belong to
			line = strings.TrimSuffix(line, "\r")
		}
		for column, c := range []rune(line) {
			switch {
			case c == utf8.RuneError:
				r.fault(i+1, column+1, 1, "this is not UTF-8", "save the file as UTF-8")
			case c != '\t' && unicode.In(c, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control):
				r.fault(i+1, column+1, 1, fmt.Sprintf("the invisible character %U is not accepted", c), "")
			default:
				continue
			}
			return
		}
	}
}

// document returns the top node of the only document in data.
func (r *Reader) document(data []byte) (root *Node) {
	// The YAML package panics where it finds itself in a state that it did not
	// expect. It is fed hostile files here, so that is one more bad file.
	defer func() {
		if v := recover(); v != nil {
			r.notYAML(0, 0, fmt.Sprint(v), "")
		}
	}()
	in := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := in.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && IsNothing(doc.Content[0]):
		r.fault(0, 0, 0, "the file is empty", "")
		return nil
	case err != nil:
		r.syntax(err)
		return nil
	}
	switch err := in.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.syntax(err)
	default:
		r.Complain(second.Content[0], "only one document is read", "a second document begins here")
	}
	return doc.Content[0]
}

var (
	syntaxError   = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// syntaxHints are what most often lies behind the complaints of the YAML
// package, by how they begin.
var syntaxHints = []struct{ problem, hint string }{
	{"did not find expected ", "the fault is here or in the block that begins here: look at indentation, brackets, colons and commas"},
	{"mapping values are not allowed", "the line before lacks its colon, or this one is indented too far"},
	{"could not find expected ':'", "a colon is missing"},
	{"found unexpected end of stream", "the quote that is opened here is never closed"},
	{"found character that cannot start any token", "indent with spaces, not with tabs; put quotes around a word that begins with a sign"},
}

// syntax turns an error of the YAML package into one with a place. The package
// tells lines only, and not all of them as its readers count them.
func (r *Reader) syntax(err error) {
	m := syntaxError.FindStringSubmatch(err.Error())
	if m == nil {
		r.notYAML(0, 0, err.Error(), "")
		return
	}
	line, problem := 1, m[2]
	if n, err := strconv.Atoi(m[1]); err == nil {
		line = n
		if strings.HasPrefix(problem, "did not find expected ") && line < len(r.lines) {
			line++ // these are counted from 0
		}
	}
	if name := unknownAnchor.FindStringSubmatch(problem); name != nil {
		line = 1 + max(0, slices.IndexFunc(r.lines, func(l string) bool { return strings.Contains(l, "*"+name[1]) }))
	}
	hint := ""
	for _, h := range syntaxHints {
		if strings.HasPrefix(problem, h.problem) {
			hint = h.hint
		}
	}
	text := r.line(line)
	indent := utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeft(text, " \t"))
	r.notYAML(line, indent+1, problem, hint)
}

// notYAML complains in the words of the YAML package, which may quote the file.
func (r *Reader) notYAML(line, column int, problem, hint string) {
	message := "this is not YAML"
	if !r.secret {
		message += ": " + problem
	}
	r.fault(line, column, 1, message, hint)
}

// refuseSharing complains about the first anchor, alias or tag. Our files need
// none of them, and with them a short file can mean an endless one.
func (r *Reader) refuseSharing(n *Node) {
	switch {
	case n.Kind == yaml.AliasNode:
		r.Complain(n, "write it out where it is needed", "an alias is not accepted")
	case n.Anchor != "":
		r.Complain(n, "write it out where it is needed", "an anchor is not accepted")
	case n.Style&yaml.TaggedStyle != 0:
		r.Complain(n, "leave the tag out", "a tag is not accepted")
	}
	for _, child := range n.Content {
		if r.Failed() {
			return
		}
		r.refuseSharing(child)
	}
}
