package client

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/picture"
)

// columns is the most columns that a character takes on any terminal. What is
// counted too narrow would be cut off at the edge, so doubtful symbols count as
// wide.
func columns(r rune) int {
	switch {
	case r >= ' ' && r < 0x7f:
		return 1
	case r == 0xfe0f || r == 0x20e3: // make the sign before them an emoji
		return 1
	case r >= 0x2000 && unicode.In(r, unicode.So, unicode.Sk):
		return 2
	}
	return picture.Columns(string(r))
}

// breadth is the most columns that a text takes.
func breadth(s string) int {
	n := 0
	for _, r := range s {
		n += columns(r)
	}
	return n
}

// fold breaks text into lines of at most width columns, at blanks where there
// are any. Nothing is lost but the blanks at the breaks.
func fold(text string, width int) []string {
	width = max(width, 8)
	var out []string
	for {
		end := fitting(text, width)
		if end == len(text) {
			return append(out, text)
		}
		if blank := strings.LastIndexByte(text[:end+1], ' '); blank > 0 {
			end = blank
		} else {
			end = wholeEscape(text, end)
		}
		out = append(out, strings.TrimRight(text[:end], " "))
		text = strings.TrimLeft(text[end:], " ")
	}
}

// fitting is the length in bytes of the longest beginning of text that takes at
// most width columns.
func fitting(text string, width int) int {
	used := 0
	for i, r := range text {
		used += columns(r)
		if used > width && i > 0 {
			return i
		}
	}
	return len(text)
}

// longestEscape is the length of \u followed by the digits of the last character.
const longestEscape = 8

// wholeEscape moves a cut out of an escape such as \u001b, to where that begins.
func wholeEscape(text string, end int) int {
	from := max(0, end-longestEscape+1)
	i := strings.LastIndex(text[from:end], `\`)
	if i < 0 || from+i == 0 {
		return end
	}
	start := from + i
	for k := start + 1; k < end; k++ {
		if c := text[k]; c != 'u' && !isHex(c) {
			return end
		}
	}
	return start
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// clip shortens text to width columns, for lists where the card has the whole.
func clip(text string, width int) string {
	if breadth(text) <= width {
		return text
	}
	return strings.TrimRight(text[:fitting(text, max(width-1, 1))], " ") + "…"
}

// clipLeft shortens text from its beginning, for what is being typed.
func clipLeft(text string, width int) string {
	if breadth(text) <= width {
		return text
	}
	for breadth(text) > width-1 && text != "" {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return "…" + text
}

// pad fills text up to a number of columns.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-breadth(text)))
}
