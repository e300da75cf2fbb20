package policy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxErrors is how many complaints one file gets; the rest are counted.
const maxErrors = 20

// reader walks a YAML document and collects complaints about it.
type reader struct {
	file  string
	lines []string
	errs  []error
	more  int // complaints beyond maxErrors
}

// entry is one key of a mapping with its value.
type entry struct {
	key   string
	at    *yaml.Node
	value *yaml.Node
}

// mapping returns the entries of a mapping in their order, without those whose
// key is no word or was there before; what names the mapping in complaints.
func (r *reader) mapping(n *yaml.Node, what string) []entry {
	if n.Kind != yaml.MappingNode {
		r.complain(n, "", "%s must be a mapping, not %s", what, describe(n))
		return nil
	}
	var entries []entry
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			r.complain(key, "", "a key of %s must be a word, not %s", what, describe(key))
			continue
		}
		if line, twice := first[key.Value]; twice {
			r.complain(key, fmt.Sprintf("it was given before, in line %d", line), "%s is given twice", quote(key.Value))
			continue
		}
		first[key.Value] = key.Line
		entries = append(entries, entry{key.Value, key, n.Content[i+1]})
	}
	return entries
}

// fields returns the values of a mapping whose keys are known beforehand, and
// complains about any other key.
func (r *reader) fields(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	values := map[string]*yaml.Node{}
	for _, e := range r.mapping(n, what) {
		if _, ok := r.index(e.at, "a key of "+what, known); ok {
			values[e.key] = e.value
		}
	}
	return values
}

// index returns the place of a scalar among the accepted words, and complains
// with the nearest of them if it is not there.
func (r *reader) index(n *yaml.Node, what string, accepted []string) (int, bool) {
	if n.Kind != yaml.ScalarNode || isNothing(n) {
		r.complain(n, accept(accepted), "%s must be a word, not %s", what, describe(n))
		return 0, false
	}
	for i, word := range accepted {
		if n.Value == word {
			return i, true
		}
	}
	hint := accept(accepted)
	if len(r.errs) < maxErrors { // a file of nothing but slips is not worth the search
		if word, ok := nearest(n.Value, accepted); ok {
			hint = fmt.Sprintf("did you mean %q?", word)
		}
	}
	r.complain(n, hint, "%s is not %s", quote(n.Value), what)
	return 0, false
}

func accept(words []string) string { return "accepted: " + strings.Join(words, ", ") }

// isNothing reports whether a node is empty or an explicit null.
func isNothing(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

func describe(n *yaml.Node) string {
	switch {
	case isNothing(n):
		return "nothing"
	case n.Kind == yaml.ScalarNode:
		return quote(n.Value)
	case n.Kind == yaml.SequenceNode:
		return "a list"
	default:
		return "a mapping"
	}
}

// quote quotes a word of the file for a message, shortened where it is long.
func quote(word string) string {
	const longest = 60
	if runes := []rune(word); len(runes) > longest {
		word = string(runes[:longest]) + "..."
	}
	return strconv.Quote(word)
}

// complain records a complaint about a node.
func (r *reader) complain(n *yaml.Node, hint, format string, args ...any) {
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
func (r *reader) fault(line, column, width int, message, hint string) {
	if len(r.errs) == maxErrors {
		r.more++
		return
	}
	r.errs = append(r.errs, &Error{
		File: r.file, Line: line, Column: column, Message: message, Hint: hint,
		excerpt: r.line(line), width: width,
	})
}

// line returns a line of the file, counted from 1, without its line break.
func (r *reader) line(n int) string {
	if n < 1 || n > len(r.lines) {
		return ""
	}
	return strings.TrimSuffix(r.lines[n-1], "\r")
}

func (r *reader) count() int { return len(r.errs) + r.more }

func (r *reader) failed() bool { return r.count() > 0 }

// err joins the complaints; nil if there are none.
func (r *reader) err() error {
	if r.more > 0 {
		return errors.Join(append(r.errs, fmt.Errorf("%s: and %d more", r.file, r.more))...)
	}
	return errors.Join(r.errs...)
}
