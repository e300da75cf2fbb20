package phone

import (
	"image"
	"image/color"
	"strings"
)

// style is a ground and the ink on it. Each has sixteen steps from the one to
// the other in the palette, so that edges of letters are smooth in a picture of
// one byte a pixel.
type style uint8

const (
	paper   style = iota // black on white: what is to be read
	surface              // black on grey: bars and keys
	accent               // white on blue: buttons
	muted                // grey on white: hints, and what is disabled
	dark                 // white on black: the system's bars
	black                // nothing can be seen
	styles
)

const steps = 16

var grounds = [styles][2]color.RGBA{
	paper:   {{255, 255, 255, 255}, {17, 17, 17, 255}},
	surface: {{225, 229, 234, 255}, {17, 17, 17, 255}},
	accent:  {{24, 90, 188, 255}, {255, 255, 255, 255}},
	muted:   {{255, 255, 255, 255}, {118, 118, 118, 255}},
	dark:    {{32, 33, 36, 255}, {255, 255, 255, 255}},
	black:   {{0, 0, 0, 255}, {0, 0, 0, 255}},
}

// palette has the steps of each style, and behind them the same in the shade
// of a dialog.
var palette = func() color.Palette {
	var bright, shaded color.Palette
	for _, g := range grounds {
		for i := range steps {
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(steps-1-i) + int(b)*i) / (steps - 1)) }
			c := color.RGBA{mix(g[0].R, g[1].R), mix(g[0].G, g[1].G), mix(g[0].B, g[1].B), 255}
			bright = append(bright, c)
			shaded = append(shaded, color.RGBA{c.R / 2, c.G / 2, c.B / 2, 255})
		}
	}
	return append(bright, shaded...)
}()

// canvas is a picture of the screen while it is drawn.
type canvas struct {
	*image.Paletted
	dpi int
}

func newCanvas(r image.Rectangle, dpi int) *canvas {
	return &canvas{image.NewPaletted(r, palette), dpi}
}

func (c *canvas) dp(n int) int { return n * c.dpi / 160 }

// fill paints a rectangle in a style's ground.
func (c *canvas) fill(r image.Rectangle, s style) { c.shade(r, s, 0) }

// shade paints a rectangle in one step of a style.
func (c *canvas) shade(r image.Rectangle, s style, step int) {
	r = r.Intersect(c.Rect)
	if r.Empty() {
		return
	}
	first := c.Pix[c.PixOffset(r.Min.X, r.Min.Y):][:r.Dx()]
	for i := range first {
		first[i] = byte(int(s)*steps + step)
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(c.Pix[c.PixOffset(r.Min.X, y):][:r.Dx()], first)
	}
}

// outline paints the edge of a rectangle in one step of a style.
func (c *canvas) outline(r image.Rectangle, s style, step int) {
	const thick = 2
	c.shade(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+thick), s, step)
	c.shade(image.Rect(r.Min.X, r.Max.Y-thick, r.Max.X, r.Max.Y), s, step)
	c.shade(image.Rect(r.Min.X, r.Min.Y, r.Min.X+thick, r.Max.Y), s, step)
	c.shade(image.Rect(r.Max.X-thick, r.Min.Y, r.Max.X, r.Max.Y), s, step)
}

// dim puts all that is drawn so far in the shade.
func (c *canvas) dim() {
	for i, at := range c.Pix {
		if at < byte(styles)*steps {
			c.Pix[i] = at + byte(styles)*steps
		}
	}
}

// view draws a node the way its kind of control looks, and what is in it.
func (c *canvas) view(v *view, ground style) {
	if !v.seen() {
		return
	}
	class := tail(v.class)
	switch {
	case v.slides():
		c.slider(v, ground)
	case v.editable:
		c.field(v, ground)
	case strings.HasSuffix(class, "Switch"), strings.HasSuffix(class, "CheckBox"), strings.HasSuffix(class, "RadioButton"):
		c.toggle(v, ground)
	case class == "Button" || class == "View" && v.clickable && len(v.kids) > 0:
		ground = c.button(v, ground)
	case strings.HasPrefix(class, "Image"):
		c.icon(v, ground)
	case class == "WebView":
		c.page(v, ground)
	default:
		ground = c.plain(v, ground)
	}
	for _, k := range v.kids {
		c.view(k, ground)
	}
	if v.focused {
		c.outline(v.bounds, ground, steps-1)
	}
}

// plain draws a text, or the ground and the edge of what holds others.
func (c *canvas) plain(v *view, ground style) style {
	if strings.HasSuffix(v.id, ":id/toolbar") {
		ground = surface
		c.fill(v.bounds, ground)
	}
	if v.clickable || v.longClickable {
		c.shade(image.Rect(v.bounds.Min.X, v.bounds.Max.Y-2, v.bounds.Max.X, v.bounds.Max.Y), ground, 4)
	}
	if v.selected {
		c.outline(v.bounds, ground, 8)
	}
	words, s := v.text, ground
	if words == "" && len(v.kids) == 0 {
		words = v.desc
	}
	if !v.enabled && ground == paper {
		s = muted
	}
	c.text(words, v.bounds, s, v.clickable && v.bounds.Dx() < c.Rect.Dx()/2)
	return ground
}

func (c *canvas) button(v *view, ground style) style {
	r, s := v.bounds.Inset(c.dp(3)), accent
	if !v.enabled {
		s = muted
		c.outline(r, s, 8)
	} else {
		c.fill(r, s)
	}
	c.text(v.text, r, s, true)
	return s
}

// icon draws a frame with the description in it, since there are no pictures.
func (c *canvas) icon(v *view, ground style) {
	r := v.bounds.Inset(c.dp(6))
	if v.clickable && ground == paper && v.enabled {
		ground = accent
		c.fill(r, ground)
	}
	c.outline(r, ground, 6)
	c.set(v.desc, r, ground, true, c.dp(10))
}

func (c *canvas) field(v *view, ground style) {
	r := v.bounds.Inset(c.dp(4))
	c.fill(r, paper)
	c.outline(r, paper, 8)
	s := paper
	if v.showsHint || !v.enabled {
		s = muted
	}
	c.text(v.text, r, s, false)
}

func (c *canvas) toggle(v *view, ground style) {
	side := min(c.dp(24), v.bounds.Dy(), v.bounds.Dx())
	box := image.Rect(0, 0, side, side).Add(image.Pt(v.bounds.Min.X+c.dp(6), (v.bounds.Min.Y+v.bounds.Max.Y-side)/2))
	c.outline(box, ground, steps-1)
	if v.checked {
		c.fill(box.Inset(side/5), accent)
	}
	rest := v.bounds
	rest.Min.X = min(box.Max.X, rest.Max.X)
	c.text(v.text, rest, ground, false)
}

func (c *canvas) slider(v *view, ground style) {
	r := v.bounds.Inset(c.dp(4))
	c.outline(r, ground, 8)
	thumb := r
	thumb.Min.X += max(0, r.Dx()-r.Dy()) * v.percent / 100
	thumb.Max.X = min(r.Max.X, thumb.Min.X+r.Dy())
	c.fill(thumb.Inset(c.dp(4)), accent)
	c.text(v.text, r, ground, true)
}

// page draws lines where a page would have text that nobody gives away.
func (c *canvas) page(v *view, ground style) {
	for y := v.bounds.Min.Y + c.dp(16); y < v.bounds.Max.Y; y += c.dp(28) {
		c.shade(image.Rect(v.bounds.Min.X+c.dp(16), y, v.bounds.Max.X-c.dp(16), min(y+c.dp(8), v.bounds.Max.Y)), ground, 3)
	}
}
