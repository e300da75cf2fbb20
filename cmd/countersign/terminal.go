package main

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// terminal is where a command reads and writes.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	// inTTY, outTTY and errTTY say which of them are a person.
	inTTY, outTTY, errTTY bool
	// width is how many columns a line of out has.
	width  int
	colour bool
}

// Widths of lines: of a terminal that does not tell its own, and the bounds
// within which it is believed.
const (
	defaultWidth  = 100
	minWidth      = 40
	maxWidth      = 200
	readableWidth = 110 // prose is not set wider
)

// systemTerminal is the process's own standard input and output.
func systemTerminal() *terminal {
	t := &terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr, width: defaultWidth}
	t.inTTY = term.IsTerminal(int(os.Stdin.Fd()))
	t.outTTY = term.IsTerminal(int(os.Stdout.Fd()))
	t.errTTY = term.IsTerminal(int(os.Stderr.Fd()))
	t.colour = t.outTTY && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		t.width = columns
	}
	if t.outTTY {
		if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && columns > 0 {
			t.width = columns
		}
	}
	t.width = min(max(t.width, minWidth), maxWidth)
	return t
}

// ink is how text is set: the numbers of an SGR escape sequence.
type ink string

// The inks. What they say is always said in words or signs as well.
const (
	plain  ink = ""
	bold   ink = "1"
	dim    ink = "2"
	red    ink = "1;31"
	green  ink = "32"
	yellow ink = "1;33"
	purple ink = "1;35"
	cyan   ink = "36"
)

// paint sets text in an ink where there is colour.
func (t *terminal) paint(i ink, text string) string {
	if !t.colour || i == plain || text == "" {
		return text
	}
	return "\x1b[" + string(i) + "m" + text + "\x1b[0m"
}
