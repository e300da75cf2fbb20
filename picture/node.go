package picture

import (
	"strings"

	"github.com/countersign/countersign/screen"
)

// Colours of what is drawn in a screen.
const (
	ink   = "#1c2529"
	grey  = "#607d8b"
	faint = "#b0bec5"
)

// style is how a label is set.
type style struct {
	size   tenths
	colour string
	italic bool
	middle bool
}

// node draws one node the way its kind of control looks. Containers that say
// nothing are not drawn: their children are.
func (d *drawing) node(i int32) {
	n := &d.s.Nodes[i]
	b, ok := d.place(n.Bounds)
	if !ok || n.Flags.Has(screen.Invisible) || d.drawn >= maxDrawn || b.w < px(2) || b.h < px(2) {
		return
	}
	class := n.Class[strings.LastIndexByte(n.Class, '.')+1:]
	leaf := n.End == i+1
	d.drawn++
	switch {
	case n.Flags.Has(screen.Password):
		d.secret(n, b)
	case n.Flags.Has(screen.Editable) || strings.HasSuffix(class, "EditText"):
		d.field(n, b)
	case strings.Contains(class, "Switch") && !strings.Contains(class, "Switcher"):
		d.toggle(n, b, true)
	case strings.HasSuffix(class, "CheckBox"), strings.HasSuffix(class, "RadioButton"):
		d.toggle(n, b, false)
	case leaf && strings.Contains(class, "WebView") && n.Text == "" && n.Description == "":
		d.opaque(b)
	case strings.HasSuffix(class, "Image") || strings.HasSuffix(class, "ImageView") || strings.HasSuffix(class, "ImageButton"):
		d.image(n, b, leaf)
	case strings.HasSuffix(class, "Button"):
		d.button(i, n, b)
	case n.Text != "":
		d.label(n.Text, b, style{size: d.textSize(b), colour: ink, middle: n.TakesTouch() && leaf && b.w < d.frame.w/2})
	case leaf && n.Description != "":
		d.label(n.Description, b, style{size: px(11), colour: grey, italic: true, middle: true})
	default:
		d.container(n, b)
	}
}

// textSize guesses the size of a label's font from the room it takes.
func (d *drawing) textSize(b box) tenths { return min(max(b.h*11/16, px(9)), px(15)) }

// label sets text in a box, in as many lines as there is room for. Somebody
// else's text is cut before it is measured.
func (d *drawing) label(text string, b box, st style) {
	text = clean(cut(text, maxLabel))
	if text == "" {
		return
	}
	room := b.w - px(4)
	size := st.size
	for size > px(9) && (breadth(text, size) > room || lineHeight(size) > b.h+px(2)) && !d.fits(text, size, room, b.h) {
		size -= px(1)
	}
	lines := wrap(text, size, room, max(1, int(b.h/lineHeight(size))))
	attributes := `fill="` + st.colour + `"`
	if st.italic {
		attributes += ` font-style="italic"`
	}
	x, at := b.x+px(2), atStart
	if b.x == d.frame.x {
		x += px(8) // a row that goes to the edge has its text further in
	}
	switch {
	case st.middle:
		x, at = b.x+b.w/2, atMiddle
	case rightToLeft(text):
		x, at = b.x+b.w-px(2), atEnd
	}
	y := b.y + (b.h-lineHeight(size)*tenths(len(lines)))/2 + size
	for _, line := range lines {
		d.text(x, y, size, at, attributes, line)
		y += lineHeight(size)
	}
}

// fits reports whether the text has room in several lines without being cut.
func (d *drawing) fits(text string, size, room, height tenths) bool {
	lines := int(height / lineHeight(size))
	set := wrap(text, size, room, lines)
	return len(set) > 0 && !strings.HasSuffix(set[len(set)-1], "…")
}

func lineHeight(size tenths) tenths { return size * 5 / 4 }

// secret draws a password field. What is typed there is not told, nor how much.
func (d *drawing) secret(n *screen.Node, b box) {
	d.rect(b.inset(px(1)), px(4), `fill="#fafafa" stroke="`+faint+`"`)
	text := n.Hint
	if n.Holds() || n.Text != "" {
		text = "••••••"
	}
	d.label(text, b.inset(px(6)), style{size: px(13), colour: grey})
}

func (d *drawing) field(n *screen.Node, b box) {
	d.rect(b.inset(px(1)), px(4), `fill="#fafafa" stroke="`+faint+`"`)
	inner := box{b.x + px(6), b.y, max(0, b.w-px(12)), b.h}
	switch {
	case n.Text != "":
		d.label(n.Text, inner, style{size: px(13), colour: ink})
	case n.Hint != "":
		d.label(n.Hint, inner, style{size: px(13), colour: grey, italic: true})
	default:
		d.label(n.Description, inner, style{size: px(13), colour: grey, italic: true})
	}
}

// toggle draws a switch or a box with its state at the end of its room, and its
// label before it.
func (d *drawing) toggle(n *screen.Node, b box, isSwitch bool) {
	on := n.Flags.Has(screen.Checked)
	side := min(b.h, px(18))
	y := b.y + (b.h-side)/2
	if isSwitch {
		w := min(b.w, side*2)
		x := b.x + b.w - w
		track, knob := `fill="#cfd8dc" stroke="#90a4ae"`, x+side/2
		if on {
			track, knob = `fill="#37474f"`, x+w-side/2
		}
		d.rect(box{x, y, w, side}, side/2, track)
		d.add(`<circle cx="%v" cy="%v" r="%v" fill="#fff" stroke="#90a4ae"/>`, knob, y+side/2, max(0, side/2-px(2)))
		b.w -= w
	} else {
		d.rect(box{b.x, y, side, side}.inset(px(2)), px(2), `fill="#fff" stroke="#607d8b" stroke-width="1.5"`)
		if on {
			d.rect(box{b.x, y, side, side}.inset(px(5)), px(1), `fill="#37474f"`)
		}
		b.x, b.w = b.x+side, b.w-side
	}
	if b.w > px(24) {
		d.label(n.Text, b, style{size: d.textSize(b), colour: ink})
	}
}

// opaque draws a web page of which the tree shows nothing.
func (d *drawing) opaque(b box) {
	d.rect(b, 0, `fill="#f5f7f8" stroke="`+faint+`"`)
	d.rect(b, 0, `fill="url(#opaque)"`)
	d.label("a web page: the tree shows nothing of it", b.inset(px(20)), style{size: px(13), colour: ink, middle: true})
}

// image draws an icon or a picture as a tile with its description, else with
// the last word of its id: the guard has no more than that either.
func (d *drawing) image(n *screen.Node, b box, leaf bool) {
	if b.w*b.h > d.frame.w*d.frame.h/2 {
		return // a backdrop
	}
	if n.TakesTouch() || n.Description != "" || b.w < d.frame.w/3 {
		d.rect(b.inset(px(2)), px(6), `fill="#eceff1"`)
	}
	switch {
	case !leaf && n.Description == "" && n.Text == "":
	case b.w < px(20) && !n.TakesTouch(): // a sign of the status bar: no room for words
	case n.Text != "":
		d.label(n.Text, b.inset(px(2)), style{size: px(11), colour: ink, middle: true})
	case n.Description != "":
		d.label(n.Description, b.inset(px(2)), style{size: px(11), colour: ink, middle: true})
	case n.ResourceID != "" && n.TakesTouch():
		d.label(n.ResourceID[strings.LastIndexByte(n.ResourceID, '/')+1:], b.inset(px(2)), style{size: px(9), colour: grey, italic: true, middle: true})
	}
}

// button draws a button. One made of parts is its outline: the parts have the
// words.
func (d *drawing) button(i int32, n *screen.Node, b box) {
	d.rect(b.inset(px(2)), px(6), `fill="#e3e9ec"`)
	text := n.Text
	if text == "" && !d.labelledBelow(i) {
		text = n.Description
	}
	d.label(text, b.inset(px(3)), style{size: px(13), colour: ink, middle: true})
}

// labelledBelow reports whether a node's descendants say anything.
func (d *drawing) labelledBelow(i int32) bool {
	for j := i + 1; j < d.s.Nodes[i].End; j++ {
		if d.s.Nodes[j].Text != "" || d.s.Nodes[j].Description != "" {
			return true
		}
	}
	return false
}

// container draws a hairline below rows that take a touch, so that lists look
// like lists.
func (d *drawing) container(n *screen.Node, b box) {
	if !n.TakesTouch() || b.h > d.frame.h/4 {
		d.drawn-- // nothing of it shows
		return
	}
	d.add(`<path d="M%v %vh%v" stroke="#e3e9ec"/>`, b.x, b.y+b.h, b.w)
}
