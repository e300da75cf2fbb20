package document

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxComplaints is how many complaints one file gets; the rest are counted.
const MaxComplaints = 20

// Node is a place in a document.
type Node = yaml.Node

// Reader walks a document and collects complaints about it. It is for one
// goroutine.
type Reader struct {
	file   string
	secret bool // nothing of the file is shown
	lines  []string
	errs   []error
	more   int // complaints beyond MaxComplaints
}

// Entry is one key of a mapping with its value.
type Entry struct {
	Key string
	// At is where the key stands.
	At    *Node
	Value *Node
}

// Mapping returns the entries of a mapping in their order, without those whose
// key is no word or was there before; what names the mapping in complaints.
func (r *Reader) Mapping(n *Node, what string) []Entry {
	if n.Kind != yaml.MappingNode {
		r.Complain(n, "", "%s must be a mapping, not %s", what, r.describe(n))
		return nil
	}
	var entries []Entry
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			r.Complain(key, "", "a key of %s must be a word, not %s", what, r.describe(key))
			continue
		}
		if line, twice := first[key.Value]; twice {
			r.Complain(key, fmt.Sprintf("it was given before, in line %d", line), "%s is given twice", r.quote(key.Value))
			continue
		}
		first[key.Value] = key.Line
		entries = append(entries, Entry{key.Value, key, n.Content[i+1]})
	}
	return entries
}

// Fields returns the values of a mapping whose keys are known beforehand, and
// complains about any other key.
func (r *Reader) Fields(n *Node, what string, known ...string) map[string]*Node {
	values := map[string]*Node{}
	for _, e := range r.Mapping(n, what) {
		if _, ok := r.Index(e.At, "a key of "+what, known); ok {
			values[e.Key] = e.Value
		}
	}
	return values
}

// List returns the items of a list, without words that were there before; what
// names the list in complaints.
func (r *Reader) List(n *Node, what string) []*Node {
	var items []*Node
	first := map[string]int{}
	for _, item := range r.Items(n, what) {
		if item.Kind == yaml.ScalarNode {
			if line, twice := first[item.Value]; twice {
				r.Complain(item, fmt.Sprintf("it was given before, in line %d", line), "%s is given twice", r.quote(item.Value))
				continue
			}
			first[item.Value] = item.Line
		}
		items = append(items, item)
	}
	return items
}

// Items returns all items of a list; what names the list in complaints.
func (r *Reader) Items(n *Node, what string) []*Node {
	if !IsList(n) {
		r.Complain(n, "", "%s must be a list, not %s", what, r.describe(n))
		return nil
	}
	return n.Content
}

// Index returns the place of a scalar among the accepted words, and complains
// with the nearest of them if it is not there.
func (r *Reader) Index(n *Node, what string, accepted []string) (int, bool) {
	if n.Kind != yaml.ScalarNode || IsNothing(n) {
		r.Complain(n, Accept(accepted), "%s must be a word, not %s", what, r.describe(n))
		return 0, false
	}
	for i, word := range accepted {
		if n.Value == word {
			return i, true
		}
	}
	hint := Accept(accepted)
	if len(r.errs) < MaxComplaints { // a file of nothing but slips is not worth the search
		if word, ok := nearest(n.Value, accepted); ok {
			hint = fmt.Sprintf("did you mean %q?", word)
		}
	}
	r.Complain(n, hint, "%s is not %s", r.quote(n.Value), what)
	return 0, false
}

// Accept lists words that are accepted, as a hint.
func Accept(words []string) string { return "accepted: " + strings.Join(words, ", ") }

// IsList reports whether a node is a list.
func IsList(n *Node) bool { return n.Kind == yaml.SequenceNode }

// IsNothing reports whether a node is empty or an explicit null.
func IsNothing(n *Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// Describe says what a node is, for a message that wanted something else.
func Describe(n *Node) string {
	switch {
	case IsNothing(n):
		return "nothing"
	case n.Kind == yaml.ScalarNode:
		return Quote(n.Value)
	case n.Kind == yaml.SequenceNode:
		return "a list"
	default:
		return "a mapping"
	}
}

func (r *Reader) describe(n *Node) string {
	if r.secret && n.Kind == yaml.ScalarNode && !IsNothing(n) {
		return "what stands here"
	}
	return Describe(n)
}

func (r *Reader) quote(word string) string {
	if r.secret {
		return "this"
	}
	return Quote(word)
}

// Quote quotes a word of the file for a message, shortened where it is long.
func Quote(word string) string {
	const longest = 60
	if runes := []rune(word); len(runes) > longest {
		word = string(runes[:longest]) + "..."
	}
	return strconv.Quote(word)
}

// Complain records a complaint about a node.
func (r *Reader) Complain(n *Node, hint, format string, args ...any) {
	width := 1
	if n.Kind == yaml.ScalarNode {
		width = max(1, utf8.RuneCountInString(n.Value))
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			width += 2
		}
	}
	line, column := n.Line, n.Column
	if line > len(r.lines) { // a value that is left out at the end has its place after it
		line = len(r.lines)
		column = utf8.RuneCountInString(r.line(line)) + 1
	}
	r.fault(line, column, width, fmt.Sprintf(format, args...), hint)
}

// fault records a complaint about a place; line 0 is the whole file.
func (r *Reader) fault(line, column, width int, message, hint string) {
	if len(r.errs) == MaxComplaints {
		r.more++
		return
	}
	e := &Error{File: r.file, Line: line, Column: column, Message: message, Hint: hint}
	if !r.secret {
		e.excerpt, e.width = r.line(line), width
	}
	r.errs = append(r.errs, e)
}

// line returns a line of the file, counted from 1, without its line break.
func (r *Reader) line(n int) string {
	if n < 1 || n > len(r.lines) {
		return ""
	}
	return strings.TrimSuffix(r.lines[n-1], "\r")
}

// Count is how many complaints there are.
func (r *Reader) Count() int { return len(r.errs) + r.more }

// Failed reports whether there is any complaint.
func (r *Reader) Failed() bool { return r.Count() > 0 }

// Err joins the complaints; nil if there are none.
func (r *Reader) Err() error {
	if r.more > 0 {
		return errors.Join(append(r.errs, fmt.Errorf("%s: and %d more", r.file, r.more))...)
	}
	return errors.Join(r.errs...)
}

// Text reads a scalar that is any text but none.
func (r *Reader) Text(n *Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" || IsNothing(n) {
		r.Complain(n, "", "the %s must be a text, not %s", what, r.describe(n))
		return ""
	}
	return n.Value
}

// Flag reads true or false; false where there is nothing to read.
func (r *Reader) Flag(n *Node, what string) bool {
	if n == nil {
		return false
	}
	v, err := strconv.ParseBool(n.Value)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || err != nil {
		r.Complain(n, "accepted: true, false", "%s may not be %s", what, r.describe(n))
	}
	return v
}
