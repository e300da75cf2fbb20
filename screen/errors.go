package screen

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrNoTree says that the input holds no UI tree at all: it is empty, it is
// the message of a tool that failed, or it is a tree without a single node.
var ErrNoTree = errors.New("no UI tree")

// SyntaxError says where the input stops being a UI tree.
type SyntaxError struct {
	// Format is what the input was read as, such as "UI tree (XML)".
	Format string
	// Line and Column count from 1, the column in characters of the line.
	Line, Column int
	// Found and Expected say what stands there and what is accepted instead.
	Found, Expected string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s, line %d, column %d: found %s, expected %s",
		e.Format, e.Line, e.Column, e.Found, e.Expected)
}

// FieldError says that a JSON tree has a field that the reader cannot use.
type FieldError struct {
	// Path leads to the object that holds the field, such as
	// "windows[0].root.children[3]"; it is empty at the top level.
	Path string
	// Field is the field's name as it stands in the input.
	Field string
	// Problem says what is wrong with it.
	Problem string
	// Nearest is the accepted name that is most like Field, where one is.
	Nearest string
}

func (e *FieldError) Error() string {
	name := quoted(e.Field)
	if e.Path != "" {
		name = e.Path + ", field " + name
	} else {
		name = "field " + name
	}
	if e.Nearest != "" {
		return fmt.Sprintf("%s %s; did you mean %q?", name, e.Problem, e.Nearest)
	}
	return name + " " + e.Problem
}

// syntaxError places an error at a byte offset of the decoded input.
func syntaxError(format, src string, offset int, found, expected string) *SyntaxError {
	before := src[:min(offset, len(src))]
	lineStart := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Format:   format,
		Line:     1 + strings.Count(before, "\n"),
		Column:   1 + utf8.RuneCountInString(before[lineStart:]),
		Found:    found,
		Expected: expected,
	}
}

// longestQuote is how much of somebody else's text an error message repeats.
const longestQuote = 80

// quoted makes text from a device safe to stand in an error message: short,
// on one line, and with everything invisible spelled out.
func quoted(text string) string {
	cut := 0
	for i := range text {
		if cut++; cut > longestQuote {
			return strconv.Quote(text[:i]) + "..."
		}
	}
	return strconv.Quote(text)
}

// noTree explains why the input is no tree by the line that says so: the first
// that reports an error, else the first that says anything.
func noTree(src string) error {
	first := ""
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "ERROR") || strings.HasPrefix(line, "Error") {
			return fmt.Errorf("%w: the dump tool reports %s", ErrNoTree, quoted(line))
		}
		if first == "" {
			first = line
		}
	}
	if first == "" {
		return fmt.Errorf("%w: the input is empty", ErrNoTree)
	}
	return fmt.Errorf("%w: the input begins with %s; a UI tree has a <hierarchy> or <displays> element, or is a JSON object",
		ErrNoTree, quoted(first))
}
