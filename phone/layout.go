package phone

import (
	"image"
	"strings"
	"unicode"
)

// layouter places views: a column stacks its children, a row puts them side by
// side, a frame lays them over each other. Sizes are in pixels.
type layouter struct {
	dp      func(int) int
	screens map[string]int // how far what scrolls is scrolled, by key
}

// Sizes of leaves in dp, by class.
var leafSizes = map[string]struct{ width, height int }{
	"Button": {0, 48}, "ImageButton": {48, 48}, "ImageView": {40, 40}, "EditText": {0, 56},
	"Switch": {56, 48}, "CheckBox": {40, 48}, "RadioButton": {40, 48}, "SeekBar": {0, 48}, "View": {0, 48},
}

// Lines of text, in dp.
const (
	textSize   = 16
	lineHeight = 24
	textPad    = 8 // above and below, left and right
)

// width is how wide a view is that nobody tells.
func (l *layouter) width(v *view) int {
	switch {
	case v.def.width > 0:
		return l.dp(v.def.width)
	case len(v.kids) > 0:
		return l.kidsWidth(v) + 2*l.dp(v.def.pad)
	}
	w := l.dp(leafSizes[tail(v.class)].width)
	if v.text != "" {
		w += textWidth(v.text, l.dp(textSize)) + 2*l.dp(textPad)
	}
	if tail(v.class) == "Button" {
		w += 2 * l.dp(textPad)
	}
	return w
}

func (l *layouter) kidsWidth(v *view) int {
	sum, widest := 0, 0
	for _, k := range v.kids {
		w := l.width(k)
		sum, widest = sum+w+l.dp(v.def.gap), max(widest, w)
	}
	if v.def.layout == "row" {
		return sum
	}
	return widest
}

// height is how tall a view is at a width, when nobody tells.
func (l *layouter) height(v *view, width int) int {
	if v.def.height > 0 {
		return l.dp(v.def.height)
	}
	inner, pad, gap := max(0, width-2*l.dp(v.def.pad)), 2*l.dp(v.def.pad), l.dp(v.def.gap)
	switch {
	case v.def.layout == "column":
		h := max(0, len(v.kids)-1) * gap
		for _, k := range v.kids {
			h += l.height(k, l.across(k, inner))
		}
		return h + pad
	case v.def.layout == "row":
		h, widths := 0, l.widths(v, inner)
		for i, k := range v.kids {
			h = max(h, l.height(k, widths[i]))
		}
		return h + pad
	case v.def.layout == "frame":
		h := 0
		for _, k := range v.kids {
			h = max(h, l.height(k, l.across(k, inner)))
		}
		return h + pad
	}
	return l.leafHeight(v, width)
}

func (l *layouter) leafHeight(v *view, width int) int {
	least := l.dp(leafSizes[tail(v.class)].height)
	if v.text == "" || v.editable && !v.def.lines {
		return max(least, l.dp(lineHeight))
	}
	return max(least, lines(v.text, l.dp(textSize), width-2*l.dp(textPad))*l.dp(lineHeight)+2*l.dp(textPad))
}

// across is the width of a child of a column or a frame.
func (l *layouter) across(k *view, inner int) int {
	if k.def.width > 0 {
		return min(inner, l.dp(k.def.width))
	}
	return inner
}

// widths shares the width of a row out: what has a weight, and what has no
// width of its own, takes what the others leave.
func (l *layouter) widths(v *view, inner int) []int {
	widths, weights, sum := make([]int, len(v.kids)), make([]int, len(v.kids)), 0
	rest := inner - max(0, len(v.kids)-1)*l.dp(v.def.gap)
	for i, k := range v.kids {
		if weights[i] = k.def.weight; weights[i] == 0 && k.def.width == 0 && (len(k.kids) > 0 || l.width(k) == 0 || k.editable) || k.def.width < 0 {
			weights[i] = 1
		}
		if weights[i] == 0 {
			widths[i] = min(l.width(k), max(0, rest))
			rest -= widths[i]
		}
		sum += weights[i]
	}
	for i := range widths {
		if weights[i] > 0 {
			widths[i] = max(0, rest) * weights[i] / sum
		}
	}
	return widths
}

// place gives a view its rectangle, and those in it theirs. What lies outside
// of clip cannot be seen.
func (l *layouter) place(v *view, r, clip image.Rectangle) {
	v.full, v.bounds = r, r.Intersect(clip)
	inner := r.Inset(l.dp(v.def.pad))
	if inner.Empty() {
		inner = image.Rectangle{r.Min, r.Min}
	}
	switch v.def.layout {
	case "column":
		l.column(v, inner)
	case "row":
		l.row(v, inner)
	case "frame":
		l.frame(v, inner)
	}
}

func (l *layouter) column(v *view, inner image.Rectangle) {
	gap := l.dp(v.def.gap)
	rest, sum := inner.Dy()-max(0, len(v.kids)-1)*gap, 0
	heights := make([]int, len(v.kids))
	for i, k := range v.kids {
		weight := k.def.weight
		if k.def.height < 0 {
			weight = 1
		}
		if weight > 0 && !v.def.scroll {
			sum += weight
			heights[i] = -weight
			continue
		}
		heights[i] = l.height(k, l.across(k, inner.Dx()))
		rest -= heights[i]
	}
	y := inner.Min.Y
	if v.def.scroll {
		v.content = inner.Dy() - rest
		v.scrollable = rest < 0
		y -= min(max(0, l.screens[v.key]), max(0, -rest))
	}
	for i, k := range v.kids {
		h := heights[i]
		if h < 0 {
			h = max(0, rest) * -h / sum
		}
		l.place(k, image.Rect(inner.Min.X, y, inner.Min.X+l.across(k, inner.Dx()), y+h), v.bounds)
		y += h + gap
	}
}

func (l *layouter) row(v *view, inner image.Rectangle) {
	x, widths := inner.Min.X, l.widths(v, inner.Dx())
	for i, k := range v.kids {
		r := image.Rect(x, inner.Min.Y, x+widths[i], inner.Max.Y)
		if h := l.dp(k.def.height); k.def.height > 0 && h < r.Dy() {
			r.Min.Y += (r.Dy() - h) / 2
			r.Max.Y = r.Min.Y + h
		}
		l.place(k, r, v.bounds)
		x += widths[i] + l.dp(v.def.gap)
	}
}

func (l *layouter) frame(v *view, inner image.Rectangle) {
	for _, k := range v.kids {
		r := inner
		if k.def.width > 0 {
			r.Max.X = min(r.Max.X, r.Min.X+l.dp(k.def.width))
		}
		if k.def.at != "" || k.def.height > 0 {
			r.Max.Y = min(r.Max.Y, r.Min.Y+l.height(k, r.Dx()))
		}
		move := image.Point{}
		if strings.Contains(k.def.at, "right") {
			move.X = inner.Max.X - r.Max.X
		}
		if strings.Contains(k.def.at, "bottom") {
			move.Y = inner.Max.Y - r.Max.Y
		}
		if k.def.at == "middle" {
			move = image.Pt((inner.Max.X-r.Max.X)/2, (inner.Max.Y-r.Max.Y)/2)
		}
		l.place(k, r.Add(move), v.bounds)
	}
}

// textWidth is about how wide a text is at a size in pixels.
func textWidth(text string, size int) int {
	hundredths := 0
	for _, r := range text {
		hundredths += runeWidth(r)
	}
	return (hundredths*size + 99) / 100
}

// runeWidth is the width of a character in hundredths of the text's size.
func runeWidth(r rune) int {
	switch {
	case r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x3000):
		return 100
	case strings.ContainsRune(" .,:;!'|ijlI", r):
		return 32
	case unicode.IsUpper(r), strings.ContainsRune("mwMW@%—→", r):
		return 78
	}
	return 58
}

// lines is how many lines a text takes in a width, by words where it can be.
func lines(text string, size, width int) int {
	count := 0
	for line := range strings.SplitSeq(text, "\n") {
		count += len(wrap(line, size, width))
	}
	return count
}

// wrap cuts a line into pieces of at most a width.
func wrap(line string, size, width int) []string {
	var pieces []string
	width = max(width, size)
	for line != "" {
		end, space, used := len(line), 0, 0
		for i, r := range line {
			if used += runeWidth(r) * size; used > width*100 && i > 0 {
				end = i
				break
			}
			if r == ' ' {
				space = i + 1
			}
		}
		if end < len(line) && space > 0 {
			end = space
		}
		pieces = append(pieces, line[:end])
		line = line[end:]
	}
	if pieces == nil {
		pieces = []string{""}
	}
	return pieces
}
