package picture

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Measures of a terminal's picture, and the bounds on it.
const (
	cellWidth    = tenths(84) // a monospaced character at 14 px
	cellHeight   = tenths(190)
	cellBaseline = tenths(140)
	cellSize     = tenths(140)
	barHeight    = tenths(340)
	maxColumns   = 240
	maxRows      = 2000
)

// Terminal draws what a program wrote to a terminal of the given width in
// columns; 0 is 80 and more than 240 counts as 240. It understands the escape
// sequences for bold, dim, underlined and coloured text (SGR) and drops all
// others. Lines are not wrapped: what is longer than the terminal is cut. Rows
// beyond the first 2,000 are not drawn.
func Terminal(session, title string, width int) []byte {
	if width <= 0 {
		width = 80
	}
	width = min(width, maxColumns)
	t := terminal{width: width}
	rows := strings.Split(strings.TrimRight(session, "\n"), "\n")
	rows = rows[:min(len(rows), maxRows)]
	title = cut(clean(title), maxLabel)

	w := cellWidth*tenths(width) + 2*margin
	h := barHeight + cellHeight*tenths(len(rows)) + margin
	for i, c := range [...]string{"#ff6b60", "#ffc041", "#45c95a"} {
		t.add(`<circle cx="%v" cy="%v" r="5.5" fill="%s"/>`, px(20+18*i), barHeight/2, c)
	}
	t.text(w/2, barHeight/2+px(4), px(12), atMiddle, `fill="#a9b7c0"`, title)
	for i, row := range rows {
		t.row(row, barHeight+cellHeight*tenths(i))
	}
	if title == "" {
		title = "a terminal session"
	}
	return t.document(title, w, h, `fill="#14191d"`)
}

// terminal is a session in the making.
type terminal struct {
	canvas
	width int
	pen   pen
}

// pen is how the next characters are set.
type pen struct {
	bold, dim, underline bool
	colour               int // 0 is the usual one, else 1 + the ANSI number, 0 to 15
}

// ansi are the sixteen colours, chosen to be read on the dark ground.
var ansi = [16]string{
	"#5c6b75", "#ff8a80", "#8be09a", "#ffd37a", "#8ab8ff", "#e0a3ff", "#7fdfe6", "#e6edf1",
	"#8596a0", "#ffaaa2", "#aef0b8", "#ffe2a6", "#b3d1ff", "#efc9ff", "#aef0f4", "#ffffff",
}

// attributes are the pen's in SVG.
func (p pen) attributes() string {
	colour := "#d5dee3"
	switch {
	case p.colour > 0:
		colour = ansi[p.colour-1]
	case p.dim:
		colour = "#93a3ad"
	case p.bold:
		colour = "#ffffff"
	}
	out := `fill="` + colour + `"`
	if p.bold {
		out += ` font-weight="bold"`
	}
	if p.underline {
		out += ` text-decoration="underline"`
	}
	return out
}

// row draws one line. Characters that are set alike and take their cells one by
// one stay together; scripts that join or run from the right are runs of their
// own, so that no font can push the rest of the line aside.
func (t *terminal) row(line string, y tenths) {
	column, start := 0, 0
	var run strings.Builder
	flush := func() {
		if text := run.String(); strings.TrimSpace(text) != "" {
			t.run(text, start, column, y)
		}
		run.Reset()
		start = column
	}
	simple := true
	for line != "" {
		if rest, codes, ok := escapeSequence(line); ok {
			flush()
			t.pen.apply(codes)
			line = rest
			continue
		}
		r, size := utf8.DecodeRuneInString(line)
		line = line[size:]
		if s := inCells(r); s != simple && r != ' ' && columns(r) > 0 {
			flush()
			simple = s
		}
		if column+columns(r) > t.width {
			break
		}
		if hidden(r) {
			continue
		}
		run.WriteRune(r)
		column += columns(r)
	}
	flush()
}

// run draws text that takes the columns from start to end.
func (t *terminal) run(text string, start, end int, y tenths) {
	lead := len(text) - len(strings.TrimLeft(text, " "))
	start += lead
	text = strings.TrimRight(text[lead:], " ")
	fit := ""
	if strings.IndexFunc(text, func(r rune) bool { return !inCells(r) }) < 0 {
		fit = ` textLength="` + (cellWidth * tenths(Columns(text))).String() + `" lengthAdjust="spacingAndGlyphs"`
	}
	t.add(`<text x="%v" y="%v" font-size="%v" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" xml:space="preserve" %s%s>%s</text>`,
		margin+cellWidth*tenths(start), y+cellBaseline, cellSize, t.pen.attributes(), fit, escapes.Replace(text))
}

// inCells reports whether a character is set in a cell of its own in any font:
// not those of scripts that join, stack or run from the right, with their marks
// and punctuation, nor wide ones.
func inCells(r rune) bool {
	switch {
	case r >= 0x0590 && r <= 0x08FF, r >= 0xFB1D && r <= 0xFDFF, r >= 0xFE70 && r <= 0xFEFF: // Hebrew to Arabic
		return false
	case r >= 0x0900 && r <= 0x109F, r >= 0x1780 && r <= 0x18AF: // India, South-East Asia, Mongolia
		return false
	}
	return r < 0x2E80
}

// escapeSequence reads a control sequence, or a command to the terminal such as
// its title, at the beginning of the line; codes are its numbers when it sets
// the pen.
func escapeSequence(line string) (rest string, codes []int, ok bool) {
	if command, ok := strings.CutPrefix(line, "\x1b]"); ok {
		_, rest, _ := strings.Cut(command, "\x07")
		return rest, nil, true
	}
	body, ok := strings.CutPrefix(line, "\x1b[")
	if !ok {
		return line, nil, false
	}
	end := strings.IndexFunc(body, func(r rune) bool { return r >= '@' && r <= '~' })
	if end < 0 {
		return "", nil, true
	}
	if body[end] == 'm' {
		for word := range strings.SplitSeq(body[:end], ";") {
			n, err := strconv.Atoi(word)
			if err != nil {
				n = 0
			}
			codes = append(codes, n)
		}
	}
	return body[end+1:], codes, true
}

// apply sets the pen by the numbers of a sequence; it ignores what it does not
// know.
func (p *pen) apply(codes []int) {
	for _, n := range codes {
		switch {
		case n == 0:
			*p = pen{}
		case n == 1:
			p.bold = true
		case n == 2:
			p.dim = true
		case n == 4:
			p.underline = true
		case n == 22:
			p.bold, p.dim = false, false
		case n == 24:
			p.underline = false
		case n >= 30 && n <= 37:
			p.colour = 1 + n - 30
		case n == 39:
			p.colour = 0
		case n >= 90 && n <= 97:
			p.colour = 1 + 8 + n - 90
		}
	}
}
