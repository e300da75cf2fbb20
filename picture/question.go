package picture

import (
	"encoding/base64"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// Aim is what a question is about, on its screen.
type Aim struct {
	// Node is the control's index in Screen.Nodes, negative for none.
	Node int32
	// Pointed says that the finger lands at X, Y, in device pixels.
	Pointed  bool
	X, Y     int32
	Critical bool
	// Near draws the part of the screen around it only, for a narrow page.
	Near bool
}

// questionWidth is the breadth of a question's screen in CSS pixels, before the
// page makes it fit.
const questionWidth = 360

// Drawing is a picture of a question.
type Drawing struct {
	SVG []byte
	// Width and Height are its size in CSS pixels, NearHeight how high it is with
	// Aim.Near; the breadth is the same.
	Width, Height, NearHeight int
	// Aimed says that the control, or where the finger lands, is on the picture.
	// It is not where screenshot and tree do not fit each other: an outline at the
	// wrong place would be worse than none.
	Aimed bool
}

// Question draws the screen of one question: the control that the action lands
// on is outlined, the rest toned down. Over the screenshot, where there is one;
// else from the tree. name stands in for the picture where it is not seen.
//
// What is held by password fields is covered on a screenshot as well.
func Question(s *screen.Screen, shot Shot, a Aim, name string) Drawing {
	if s == nil {
		s = &screen.Screen{Problem: screen.NoTree}
	}
	d := drawing{s: s, marks: map[int32]placedMark{}}
	fits := d.fit(shot)
	bezel := px(7)
	d.frame = box{bezel, bezel, d.at(d.width), d.at(d.height)}
	if shot.None() {
		d.phone()
	} else {
		d.rect(d.frame.inset(-px(5)), px(14), `fill="#263238"`)
		d.shot(shot)
		if fits {
			d.cover()
		}
	}
	at, aimed := d.aim(a, fits)
	if name = clean(cut(name, maxLabel)); name == "" {
		name = "the screen of the question"
	}
	whole := box{0, 0, d.frame.w + 2*bezel, d.frame.h + 2*bezel}
	seen, part := whole, whole
	if aimed {
		part = near(whole, at)
	}
	if a.Near {
		seen = part
	}
	return Drawing{
		SVG: d.canvas.window(name, seen, `fill="none"`), Aimed: aimed,
		Width: int(seen.w / px(1)), Height: int(seen.h / px(1)), NearHeight: int(part.h / px(1)),
	}
}

// near is the part of a picture around a place: as wide as all of it, and some
// two thirds as high as wide, or more where the place is larger.
func near(all, place box) box {
	h := min(all.h, max(all.w*2/3, min(place.h+px(40), all.w*6/5)))
	y := min(max(0, place.y+place.h/2-h/2), all.h-h)
	return box{0, y, all.w, h}
}

// fit settles the size of the display. It reports whether places of the tree are
// places of the screenshot: both have the same shape, within 2 %.
func (d *drawing) fit(shot Shot) bool {
	if shot.None() {
		d.measure(questionWidth)
		return true
	}
	sized := *d.s
	whole := sized.Width > 0 && sized.Height > 0
	if !whole {
		sized.Width, sized.Height = shot.width, shot.height
	}
	across, down := int64(sized.Width)*int64(shot.height), int64(sized.Height)*int64(shot.width)
	fits := 50*max(across, down) <= 51*min(across, down)
	if !whole {
		w, h := d.reach()
		fits = int(w) <= shot.width && int(h) <= shot.height
	}
	if !fits {
		sized.Width, sized.Height = shot.width, shot.height
	}
	d.s = &sized
	d.measure(questionWidth)
	return fits
}

// reach is how far the nodes of the tree go.
func (d *drawing) reach() (width, height int32) {
	for i := range d.s.Nodes {
		if b := d.s.Nodes[i].Bounds; !b.Empty() {
			width, height = max(width, b.Right), max(height, b.Bottom)
		}
	}
	return width, height
}

// shot puts the screenshot into the frame. It stands in the picture itself:
// a picture loads nothing.
func (d *drawing) shot(s Shot) {
	d.add(`<image x="%v" y="%v" width="%v" height="%v" preserveAspectRatio="none" href="data:%s;base64,%s"/>`,
		d.frame.x, d.frame.y, d.frame.w, d.frame.h, s.kind, base64.StdEncoding.EncodeToString(s.data))
}

// cover hides what password fields hold.
func (d *drawing) cover() {
	for i := range d.s.Nodes {
		n := &d.s.Nodes[i]
		if b, ok := d.place(n.Bounds); ok && n.Flags.Has(screen.Password) {
			d.rect(b, px(4), `fill="#fafafa" stroke="`+faint+`"`)
			d.secret(n, b)
		}
	}
}

// aim draws what the action lands on: the rest toned down, the control outlined
// on a light ground so that it shows on any screen, a ring where the finger goes.
// It returns where that is; aimed is false where it is nowhere, or fits says that
// places of the tree mean nothing here.
func (d *drawing) aim(a Aim, fits bool) (at box, aimed bool) {
	if !fits {
		return box{}, false
	}
	v := verdictOf(risk.Confirm, a.Critical)
	if a.Node >= 0 && int(a.Node) < len(d.s.Nodes) && d.shows(a.Node) {
		if at, aimed = d.place(d.s.Nodes[a.Node].Bounds); aimed {
			d.outlined(v, at)
		}
	}
	if a.Pointed && a.X >= 0 && a.Y >= 0 && a.X < d.width && a.Y < d.height {
		finger, _ := d.place(screen.Rect{Left: a.X, Top: a.Y, Right: a.X + 1, Bottom: a.Y + 1})
		d.add(`<circle cx="%v" cy="%v" r="11" fill="none" stroke="#fff" stroke-width="6"/>`, finger.x, finger.y)
		d.add(`<circle cx="%v" cy="%v" r="11" fill="%s" fill-opacity=".25" stroke="%s" stroke-width="3"/>`, finger.x, finger.y, looks[v].colour, looks[v].colour)
		if !aimed || at.h > d.frame.h/2 {
			at = finger // a large control says little about where
		}
		aimed = true
	}
	return at, aimed
}

// outlined outlines a control and tones everything else down.
func (d *drawing) outlined(v verdict, b box) {
	f, hole := d.frame, b.inset(-px(4))
	d.add(`<path d="M%v %vh%vv%vh%vzM%v %vv%vh%vv%vz" fill="#10181c" fill-opacity=".3" fill-rule="evenodd"/>`,
		f.x, f.y, f.w, f.h, -f.w, hole.x, hole.y, hole.h, hole.w, -hole.h)
	d.rect(b.inset(-px(3)), px(7), `fill="none" stroke="#fff" stroke-width="7"`)
	d.rect(b.inset(-px(3)), px(7), `fill="none" stroke="`+looks[v].colour+`" stroke-width="3.5"`)
}
