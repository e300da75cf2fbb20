package phone

import (
	"image"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// text sets a text in a box, in as many lines as it has room for.
func (c *canvas) text(text string, box image.Rectangle, s style, middle bool) {
	c.set(text, box, s, middle, min(c.dp(textSize), box.Dy()*3/4))
}

// set is text at a size in pixels.
func (c *canvas) set(text string, box image.Rectangle, s style, middle bool, size int) {
	box = box.Intersect(c.Rect)
	if text == "" || size < 6 {
		return
	}
	pad := size * textPad / textSize
	var set []string
	for line := range strings.SplitSeq(text, "\n") {
		set = append(set, wrap(line, size, box.Dx()-2*pad)...)
	}
	height := size * lineHeight / textSize
	set = set[:min(len(set), max(1, box.Dy()/height))]
	y := box.Min.Y + (box.Dy()-len(set)*height)/2 + size + (height-size)/4
	for _, line := range set {
		x := box.Min.X + pad
		if middle {
			x = max(box.Min.X+2, box.Min.X+(box.Dx()-letters.width(line, size))/2)
		}
		c.line(line, image.Pt(x, y), box, s, size)
		y += height
	}
}

// line sets one line with its foot at a point, and nothing outside of the box.
func (c *canvas) line(text string, at image.Point, box image.Rectangle, s style, size int) {
	for _, r := range text {
		g := letters.glyph(r, size)
		c.stamp(g, at, box, s)
		at.X += g.advance
		if at.X >= box.Max.X {
			return
		}
	}
}

// stamp puts one letter on the picture.
func (c *canvas) stamp(g *glyph, at image.Point, box image.Rectangle, s style) {
	r := g.bounds.Add(at)
	seen := r.Intersect(box)
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		ink := g.ink[(y-r.Min.Y)*r.Dx():]
		row := c.Pix[c.PixOffset(0, y):]
		for x := seen.Min.X; x < seen.Max.X; x++ {
			if step := ink[x-r.Min.X]; step > 0 {
				row[x] = max(row[x], byte(int(s)*steps)+step)
			}
		}
	}
}

// glyph is a letter as it is set: how far each pixel is ink, from 0 to 15.
type glyph struct {
	bounds  image.Rectangle // around the foot of the letter
	ink     []byte
	advance int
}

// letters are those of Go's own typeface, drawn once for each size. It has
// Latin, Greek and Cyrillic; what it lacks is an empty box.
var letters = &typeface{faces: map[int]font.Face{}, glyphs: map[letter]*glyph{}}

type letter struct {
	r    rune
	size int
}

// typeface is safe for concurrent use; what a face draws is not.
type typeface struct {
	mu     sync.Mutex
	parsed *opentype.Font
	faces  map[int]font.Face
	glyphs map[letter]*glyph
}

// maxGlyphs bounds what is kept: hostile text has many letters.
const maxGlyphs = 4096

func (t *typeface) width(text string, size int) int {
	w := 0
	for _, r := range text {
		w += t.glyph(r, size).advance
	}
	return w
}

func (t *typeface) glyph(r rune, size int) *glyph {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := letter{r, size}
	if g, ok := t.glyphs[key]; ok {
		return g
	}
	if len(t.glyphs) >= maxGlyphs {
		clear(t.glyphs)
	}
	g := t.draw(r, size)
	t.glyphs[key] = g
	return g
}

// emptyBox stands for a letter that the typeface lacks.
func emptyBox(width, size int) *glyph {
	r := image.Rect(1, -size*3/4, max(2, width-1), 0)
	g := &glyph{bounds: r, ink: make([]byte, r.Dx()*r.Dy()), advance: width}
	for i := range g.ink {
		if x, y := i%r.Dx(), i/r.Dx(); x == 0 || y == 0 || x == r.Dx()-1 || y == r.Dy()-1 {
			g.ink[i] = steps / 2
		}
	}
	return g
}

// draw draws a letter.
func (t *typeface) draw(r rune, size int) *glyph {
	face, err := t.face(size)
	if err != nil {
		return &glyph{advance: size / 3}
	}
	bounds, mask, at, advance, ok := face.Glyph(fixed.P(0, 0), r)
	if !ok {
		return emptyBox(runeWidth(r)*size/100, size)
	}
	g := &glyph{bounds: bounds, ink: make([]byte, bounds.Dx()*bounds.Dy()), advance: advance.Round()}
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			_, _, _, alpha := mask.At(at.X+x, at.Y+y).RGBA()
			g.ink[y*bounds.Dx()+x] = byte(alpha >> 12)
		}
	}
	return g
}

func (t *typeface) face(size int) (font.Face, error) {
	if face, ok := t.faces[size]; ok {
		return face, nil
	}
	if t.parsed == nil {
		parsed, err := opentype.Parse(goregular.TTF)
		if err != nil {
			return nil, err
		}
		t.parsed = parsed
	}
	if len(t.faces) > 64 {
		clear(t.faces)
	}
	face, err := opentype.NewFace(t.parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
	if err == nil {
		t.faces[size] = face
	}
	return face, err
}
