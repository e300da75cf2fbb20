package document

import (
	"fmt"
	"strings"
	"unicode"
)

// Error is one complaint about a file. Several are joined; errors.As finds the
// first.
type Error struct {
	// File is the path or name that the text came from.
	File string
	// Line and Column count from 1, columns in runes. They are 0 where the
	// complaint is about the file as a whole.
	Line, Column int
	// Message says what is wrong.
	Message string
	// Hint says what would be accepted; it may be empty.
	Hint string

	excerpt string // the line itself
	width   int    // how many runes of it are at fault
}

// Error draws the complaint over several lines, with the offending line and a
// mark under the place:
//
//	mine.yaml:4:11: "mesage" is not a category
//	   4 |   HIGH: { mesage: confirm }
//	     |           ^~~~~~
//	     = did you mean "message"?
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Message)
	if e.excerpt != "" && e.Column > 0 {
		text, mark := e.draw()
		fmt.Fprintf(&b, "\n%4d | %s\n     | %s", e.Line, text, mark)
	}
	if e.Hint != "" {
		b.WriteString("\n     = " + e.Hint)
	}
	return b.String()
}

// draw returns the part of the line around the fault, and the mark to go below.
func (e *Error) draw() (text, mark string) {
	const before, most = 48, 76
	line := []rune(e.excerpt)
	at := min(e.Column-1, len(line))
	start := max(0, at-before)
	end := min(len(line), start+most)
	for i, r := range line[start:end] {
		switch {
		case r == '\t':
			line[start+i] = ' ' // one column, as the mark below has
		case !unicode.IsPrint(r):
			line[start+i] = unicode.ReplacementChar // it goes to a terminal
		}
	}
	width := max(1, min(e.width, end-at))
	return strings.TrimRight(string(line[start:end]), " "),
		strings.Repeat(" ", at-start) + "^" + strings.Repeat("~", width-1)
}
