package picture

import (
	"fmt"
	"strconv"
	"strings"
)

// canvas gathers the elements of a picture. Everything that is not written
// here in the program goes through [canvas.text] or [escape].
type canvas struct{ b strings.Builder }

// add writes markup of our own. Arguments must be numbers, tenths, or strings
// that the program itself made.
func (c *canvas) add(format string, args ...any) {
	fmt.Fprintf(&c.b, format, args...)
	c.b.WriteByte('\n')
}

// tenths is a length in tenths of a CSS pixel: whole numbers make the same
// picture on every machine.
type tenths int

// px converts whole CSS pixels.
func px(n int) tenths { return tenths(n * 10) }

// String is the length as SVG wants it: "12", "12.5".
func (t tenths) String() string {
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	if t%10 == 0 {
		return sign + strconv.Itoa(int(t/10))
	}
	return sign + strconv.Itoa(int(t/10)) + "." + strconv.Itoa(int(t%10))
}

// box is a rectangle on the picture.
type box struct{ x, y, w, h tenths }

// inset makes the box smaller by d on every side.
func (b box) inset(d tenths) box {
	return box{b.x + d, b.y + d, max(0, b.w-2*d), max(0, b.h-2*d)}
}

// rect draws a box with rounded corners.
func (c *canvas) rect(b box, radius tenths, attributes string) {
	radius = min(radius, b.w/2, b.h/2)
	c.add(`<rect x="%v" y="%v" width="%v" height="%v" rx="%v" %s/>`, b.x, b.y, b.w, b.h, radius, attributes)
}

// anchor is where the point of a text lies.
type anchor string

const (
	atStart  anchor = "start"
	atMiddle anchor = "middle"
	atEnd    anchor = "end"
)

// text draws one line of somebody else's text; y is the baseline.
func (c *canvas) text(x, y, size tenths, at anchor, attributes, s string) {
	c.add(`<text x="%v" y="%v" font-size="%v" text-anchor="%s" %s>%s</text>`, x, y, size, at, attributes, escape(s))
}

// escape makes text safe between tags and inside quoted attributes. It expects
// clean text: what XML cannot hold is replaced.
func escape(s string) string { return escapes.Replace(clean(s)) }

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
