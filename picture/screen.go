package picture

import (
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// A Mark is what was decided about one control.
type Mark struct {
	// Node is the control's index in Screen.Nodes. A mark of a node that is not
	// there is passed over; those of nodes that cannot be seen, or stand outside
	// the display, are counted below the screen.
	Node     int32
	Outcome  risk.Outcome
	Critical bool
	// Note is a sentence for the list below the screen, where the mark then has
	// a number. Without one the mark is an outline and a badge.
	Note string
}

// Options say how a screen is drawn. The zero value is good.
type Options struct {
	// Title and Subtitle stand above the screen, such as the app and its tier.
	Title, Subtitle string
	// Width is the breadth of the phone in CSS pixels, 0 for 400; it is held
	// between 240 and 1200. A screen that lies on its side is drawn as high as
	// it would otherwise be wide.
	Width int
}

// Bounds on what is drawn, so that a hostile tree makes no huge picture.
const (
	maxDrawn  = 4000 // nodes with something to show, in one picture
	maxNotes  = 60
	maxLabel  = 240 // characters of one label
	margin    = tenths(160)
	narrowest = 240
	broadest  = 1200
)

// Screen draws a screen with its marks. A screen that could not be read is
// drawn as an empty phone that says so; a nil one as well.
func Screen(s *screen.Screen, marks []Mark, o Options) []byte {
	if s == nil {
		s = &screen.Screen{Problem: screen.NoTree}
	}
	d := drawing{s: s, marks: map[int32]placedMark{}}
	d.measure(o.Width)
	var notes []note
	for _, m := range marks {
		if m.Node < 0 || int(m.Node) >= len(s.Nodes) {
			continue
		}
		if !d.shows(m.Node) {
			d.unseen++
			continue
		}
		p := placedMark{verdict: verdictOf(m.Outcome, m.Critical)}
		if m.Note != "" && len(notes) < maxNotes {
			p.number = len(notes) + 1
			notes = append(notes, note{p.verdict, p.number, m.Note})
		}
		d.marks[m.Node] = p
	}

	y := d.heading(o)
	d.frame = box{margin, y, d.at(d.width), d.at(d.height)}
	y += d.frame.h + px(14)
	d.phone()
	y = d.legend(y)
	y = d.notes(notes, y)
	return d.document(o.Title, d.frame.w+2*margin, y+margin)
}

// placedMark is a mark that has found its node.
type placedMark struct {
	verdict verdict
	number  int
}

// drawing is one picture in the making.
type drawing struct {
	canvas
	s *screen.Screen
	// width and height are the display's, in device pixels.
	width, height int32
	// scale is the breadth of scaleOf device pixels in tenths.
	scale, scaleOf int64
	frame          box
	marks          map[int32]placedMark
	drawn          int
	// unseen counts the marks of nodes that stand nowhere on the picture.
	unseen int
}

// Sizes of a display that are believed, in device pixels.
const (
	tiniest, hugest         = 64, 16384
	usualWidth, usualHeight = 1080, 2400
)

// measure settles the size of the display and of its picture.
func (d *drawing) measure(width int) {
	if width <= 0 {
		width = 400
	}
	width = min(max(width, narrowest), broadest)
	d.width, d.height = int32(min(d.s.Width, hugest)), int32(min(d.s.Height, hugest))
	if d.width <= 0 || d.height <= 0 {
		d.width, d.height = d.extent()
	}
	d.width, d.height = max(d.width, tiniest), max(d.height, tiniest)
	// A ribbon of a screen must not make a ribbon of a picture.
	d.width, d.height = min(d.width, 4*d.height), min(d.height, 4*d.width)
	d.scale, d.scaleOf = int64(px(width)), int64(min(d.width, d.height))
}

// extent is the size of a display that the tree does not name: as far as its
// nodes reach, or that of a common phone.
func (d *drawing) extent() (width, height int32) {
	for i := range d.s.Nodes {
		b := d.s.Nodes[i].Bounds
		if !b.Empty() && b.Right <= hugest && b.Bottom <= hugest {
			width, height = max(width, b.Right), max(height, b.Bottom)
		}
	}
	if width < tiniest || height < tiniest {
		return usualWidth, usualHeight
	}
	return width, height
}

// at scales device pixels to tenths.
func (d *drawing) at(devicePixels int32) tenths {
	return tenths(int64(devicePixels) * d.scale / d.scaleOf)
}

// place is where a rectangle of the display stands on the picture, cut to the
// display; ok is false when nothing of it is left.
func (d *drawing) place(r screen.Rect) (b box, ok bool) {
	r = r.Intersect(screen.Rect{Right: d.width, Bottom: d.height})
	if r.Empty() {
		return box{}, false
	}
	x, y := d.at(r.Left), d.at(r.Top)
	return box{d.frame.x + x, d.frame.y + y, d.at(r.Right) - x, d.at(r.Bottom) - y}, true
}

// shows reports whether something of a node is on the picture.
func (d *drawing) shows(i int32) bool {
	n := &d.s.Nodes[i]
	_, ok := d.place(n.Bounds)
	return ok && !n.Flags.Has(screen.Invisible)
}

// phone draws the display: its windows, the topmost last.
func (d *drawing) phone() {
	d.rect(d.frame.inset(-px(5)), px(14), `fill="#263238"`)
	d.rect(d.frame, px(3), `fill="#dfe4e8"`)
	if d.s.Problem != "" || len(d.s.Nodes) == 0 {
		d.unreadable()
		return
	}
	for i := range d.s.Windows {
		w := &d.s.Windows[i]
		if w.Display == d.s.Display {
			d.window(i, w)
		}
	}
}

// unreadable says on an empty phone why there is nothing to draw.
func (d *drawing) unreadable() {
	why := string(d.s.Problem)
	if why == "" {
		why = string(screen.NoTree)
	}
	d.rect(d.frame, px(3), `fill="url(#opaque)"`)
	middle := d.frame.x + d.frame.w/2
	d.text(middle, d.frame.y+d.frame.h/2, px(15), atMiddle, `fill="#263238" font-weight="bold"`, "the screen could not be read")
	d.text(middle, d.frame.y+d.frame.h/2+px(20), px(12), atMiddle, `fill="#263238"`, why)
}

// window draws one window over those below it. A dialog dims what it covers.
func (d *drawing) window(index int, w *screen.Window) {
	b, ok := d.place(w.Bounds)
	if !ok {
		return
	}
	dialog := index > 0 && w.Kind == screen.AppWindow && b.h < d.frame.h*9/10
	switch {
	case dialog:
		d.rect(d.frame, px(3), `fill="#000" fill-opacity=".38"`)
		d.rect(b, px(10), `fill="#fff"`)
	case w.Kind == screen.SystemWindow:
		d.rect(b, 0, `fill="#eceff1"`)
	case w.Kind == screen.KeyboardWindow:
		d.rect(b, 0, `fill="#cfd8dc"`)
	default:
		d.rect(b, px(3), `fill="#fff"`)
	}
	if w.First >= w.End {
		d.rect(b, 0, `fill="url(#opaque)"`)
		d.label("nothing of this window was read", b, style{size: px(12), colour: grey, middle: true})
		return
	}
	for i := w.First; i < w.End; i++ {
		d.node(i)
	}
	for i := w.First; i < w.End; i++ {
		d.mark(i)
	}
}

// mark draws the verdict over a control: outline and pattern, and the badge at
// its upper right corner, inside the phone.
func (d *drawing) mark(i int32) {
	m, marked := d.marks[i]
	if !marked {
		return
	}
	b, _ := d.place(d.s.Nodes[i].Bounds)
	d.outline(m.verdict, b.inset(px(1)))
	x := min(b.x+b.w-px(6), d.frame.x+d.frame.w-px(10))
	y := max(b.y+px(6), d.frame.y+px(10))
	d.badge(m.verdict, x, y, m.number)
}
