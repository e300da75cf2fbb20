package main

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/picture"
)

// pad fills text up to a number of terminal columns.
func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-picture.Columns(text)))
}

// fold breaks text into lines of at most width columns, at blanks where there
// are any. Line breaks in the text stay.
func fold(text string, width int) []string {
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		out = append(out, foldParagraph(paragraph, max(width, 2))...)
	}
	return out
}

func foldParagraph(text string, width int) []string {
	var out []string
	for picture.Columns(text) > width {
		end := fitting(text, width)
		if blank := strings.LastIndexByte(text[:end+1], ' '); blank > 0 {
			end = blank
		}
		out = append(out, strings.TrimRight(text[:end], " "))
		text = strings.TrimLeft(text[end:], " ")
	}
	return append(out, text)
}

// fitting is the length in bytes of the longest beginning of text that takes at
// most width columns; text must be wider.
func fitting(text string, width int) int {
	used := 0
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		used += picture.Columns(text[i : i+size])
		if used > width {
			return max(i, size)
		}
		i += size
	}
	return len(text)
}

// clip shortens text to width columns.
func clip(text string, width int) string {
	if picture.Columns(text) <= width {
		return text
	}
	return strings.TrimRight(text[:fitting(text, max(width-1, 1))], " ") + "…"
}

// table is text in columns. The last column takes what room is left and folds;
// the others are as wide as their widest cell, up to their own limit, and fold
// beyond it.
type table struct {
	heads  []string
	limits []int
	rows   []row
}

type row struct {
	cells []string
	// inks set the cells; nil is plain.
	inks []ink
	// section is a line across all columns instead of cells.
	section string
}

// write prints the table within the terminal's width.
func (tb *table) write(t *terminal, w io.Writer) error {
	widths := tb.widths(t.width)
	var b strings.Builder
	heads := make([]ink, len(tb.heads))
	for i := range heads {
		heads[i] = dim
	}
	tb.line(t, &b, row{cells: tb.heads, inks: heads}, widths)
	for _, r := range tb.rows {
		if r.section != "" {
			b.WriteString("\n" + t.paint(bold, clip(r.section, t.width)) + "\n")
			continue
		}
		tb.line(t, &b, r, widths)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// gap stands between two columns.
const gap = "  "

func (tb *table) widths(total int) []int {
	widths := make([]int, len(tb.heads))
	last := len(widths) - 1
	left := total
	for c := range widths[:last] {
		widths[c] = picture.Columns(tb.heads[c])
		for _, r := range tb.rows {
			if r.section == "" {
				widths[c] = max(widths[c], picture.Columns(r.cells[c]))
			}
		}
		widths[c] = min(widths[c], max(tb.limits[c], picture.Columns(tb.heads[c])))
		left -= widths[c] + len(gap)
	}
	for left < leastLast {
		widest := 0
		for c := range widths[:last] {
			if widths[c] > widths[widest] {
				widest = c
			}
		}
		if widths[widest] <= leastOther {
			break
		}
		widths[widest]--
		left++
	}
	widths[last] = max(left, leastOther)
	return widths
}

// The room that columns keep on a narrow terminal.
const leastLast, leastOther = 22, 6

// line prints one row, in as many lines as its longest cell needs.
func (tb *table) line(t *terminal, b *strings.Builder, r row, widths []int) {
	cells := make([][]string, len(r.cells))
	height := 0
	for c, text := range r.cells {
		cells[c] = fold(text, widths[c])
		height = max(height, len(cells[c]))
	}
	for k := range height {
		var line strings.Builder
		for c := range cells {
			text := ""
			if k < len(cells[c]) {
				text = cells[c][k]
			}
			how := plain
			if r.inks != nil {
				how = r.inks[c]
			}
			line.WriteString(t.paint(how, text))
			if c < len(cells)-1 {
				line.WriteString(strings.Repeat(" ", max(0, widths[c]-picture.Columns(text))) + gap)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
