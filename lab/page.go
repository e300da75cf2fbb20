package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/countersign/countersign/screen"
)

// A page is a tree that can be changed and written again. Elements keep their
// id from copy to copy, so that one can be found again after the tree around it
// has changed.
type page struct {
	top  element // holds the roots; is none itself
	next int     // the id of the next element that is added
	// width and height are those of the display; sized says that they are known,
	// else they are what the tree takes up.
	width, height int
	sized         bool
}

// element is one node of a page. Of the screen.Node in it the places in the
// tree (Parent, End, Depth, Window) are not kept.
type element struct {
	screen.Node
	id   int // the place in the tree that was read, above it for added ones
	up   *element
	kids []*element
}

// pageOf copies a tree that was read.
func pageOf(ui *screen.Screen) *page {
	p := &page{next: len(ui.Nodes), width: ui.Width, height: ui.Height, sized: ui.Width > 0 && ui.Height > 0}
	all := make([]*element, len(ui.Nodes))
	for i := range ui.Nodes {
		up := &p.top
		if parent := ui.Nodes[i].Parent; parent >= 0 {
			up = all[parent]
		}
		all[i] = &element{Node: ui.Nodes[i], id: i, up: up}
		up.kids = append(up.kids, all[i])
		if !p.sized {
			p.width, p.height = max(p.width, int(ui.Nodes[i].Bounds.Right)), max(p.height, int(ui.Nodes[i].Bounds.Bottom))
		}
	}
	return p
}

// copy is a page of its own with the same elements.
func (p *page) copy() *page {
	q := &page{next: p.next, width: p.width, height: p.height, sized: p.sized}
	for _, root := range p.top.kids {
		q.top.kids = append(q.top.kids, root.copyUnder(&q.top))
	}
	return q
}

func (e *element) copyUnder(up *element) *element {
	c := &element{Node: e.Node, id: e.id, up: up, kids: make([]*element, 0, len(e.kids))}
	for _, kid := range e.kids {
		c.kids = append(c.kids, kid.copyUnder(c))
	}
	return c
}

// walk visits an element and what is in it, in document order, as long as visit
// returns true.
func (e *element) walk(visit func(*element) bool) bool {
	if e.up != nil && !visit(e) {
		return false
	}
	for _, kid := range e.kids {
		if !kid.walk(visit) {
			return false
		}
	}
	return true
}

// all are the elements inside one, itself included, in document order.
func (e *element) all() []*element {
	var list []*element
	e.walk(func(x *element) bool { list = append(list, x); return true })
	return list
}

func (p *page) find(id int) *element {
	var found *element
	p.top.walk(func(e *element) bool {
		if e.id == id {
			found = e
		}
		return found == nil
	})
	return found
}

// index is the place of an element in document order, -1 where it is none.
func (p *page) index(id int) int {
	n, at := 0, -1
	p.top.walk(func(e *element) bool {
		if e.id == id {
			at = n
		}
		n++
		return at < 0
	})
	return at
}

// holds reports whether an element is another or stands around it.
func (e *element) holds(inner *element) bool {
	for ; inner != nil; inner = inner.up {
		if inner == e {
			return true
		}
	}
	return false
}

// root is the element without a parent that holds this one.
func (e *element) root() *element {
	for e.up != nil && e.up.up != nil {
		e = e.up
	}
	return e
}

// place is the place among the siblings.
func (e *element) place() int { return slices.Index(e.up.kids, e) }

// add puts a new element at a place among the children of another.
func (p *page) add(up *element, place int, n screen.Node, kids ...screen.Node) *element {
	e := &element{Node: n, id: p.next, up: up}
	p.next++
	up.kids = slices.Insert(up.kids, place, e)
	for _, kid := range kids {
		p.add(e, len(e.kids), kid)
	}
	return e
}

// twin puts a copy of an element, as new ones, behind it.
func (p *page) twin(e *element) *element {
	c := e.copyUnder(e.up)
	c.walk(func(x *element) bool { x.id = p.next; p.next++; return true })
	e.up.kids = slices.Insert(e.up.kids, e.place()+1, c)
	return c
}

// drop takes an element out of the page.
func (e *element) drop() { e.up.kids = slices.Delete(e.up.kids, e.place(), e.place()+1) }

// shift moves an element and what is in it.
func (e *element) shift(dx, dy int32) {
	e.walk(func(x *element) bool {
		b := &x.Bounds
		b.Left, b.Right, b.Top, b.Bottom = b.Left+dx, b.Right+dx, b.Top+dy, b.Bottom+dy
		return true
	})
}

// text is what an element says itself.
func (e *element) text() string {
	switch {
	case e.Flags.Has(screen.Password):
		return ""
	case e.Text != "":
		return e.Text
	}
	return e.Description
}

// takesTouch reports whether an element is a control.
func (e *element) takesTouch() bool {
	return e.Flags&(screen.Clickable|screen.LongClickable|screen.Checkable|screen.Editable) != 0
}

// shown reports whether an element can be seen.
func (e *element) shown() bool { return !e.Bounds.Empty() && !e.Flags.Has(screen.Invisible) }

// onDisplay reports whether a part of an element lies on the display.
func (p *page) onDisplay(e *element) bool {
	b := e.Bounds
	return b.Right > 0 && b.Bottom > 0 && int(b.Left) < p.width && int(b.Top) < p.height
}

// write is the page in the notation of uiautomator.
func (p *page) write() string {
	var b strings.Builder
	b.WriteString("<hierarchy rotation=\"0\">")
	for _, root := range p.top.kids {
		root.write(&b)
	}
	b.WriteString("</hierarchy>")
	return b.String()
}

// written are the flags of a node and their attributes.
var written = [...]struct {
	name string
	flag screen.Flags
}{
	{"clickable", screen.Clickable}, {"long-clickable", screen.LongClickable}, {"checkable", screen.Checkable},
	{"checked", screen.Checked}, {"focusable", screen.Focusable}, {"focused", screen.Focused},
	{"scrollable", screen.Scrollable}, {"password", screen.Password}, {"selected", screen.Selected},
	{"editable", screen.Editable}, {"multiline", screen.MultiLine}, {"dismissable", screen.Dismissable},
}

func (e *element) write(b *strings.Builder) {
	b.WriteString("<node")
	for _, a := range [...]struct{ name, value string }{
		{"text", e.Text}, {"content-desc", e.Description}, {"resource-id", e.ResourceID},
		{"class", e.Class}, {"package", e.Package}, {"hint", e.Hint},
	} {
		if a.value != "" {
			b.WriteString(" " + a.name + "=\"")
			escapeAttribute.WriteString(b, a.value)
			b.WriteString("\"")
		}
	}
	for _, f := range written {
		if e.Flags.Has(f.flag) {
			b.WriteString(" " + f.name + "=\"true\"")
		}
	}
	if e.Flags.Has(screen.Disabled) {
		b.WriteString(" enabled=\"false\"")
	}
	if e.Flags.Has(screen.Invisible) {
		b.WriteString(" visible-to-user=\"false\"")
	}
	if e.DrawingOrder != 0 {
		fmt.Fprintf(b, " drawing-order=\"%d\"", e.DrawingOrder)
	}
	fmt.Fprintf(b, " bounds=\"[%d,%d][%d,%d]\">", e.Bounds.Left, e.Bounds.Top, e.Bounds.Right, e.Bounds.Bottom)
	for _, kid := range e.kids {
		kid.write(b)
	}
	b.WriteString("</node>")
}

var escapeAttribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\r", "&#13;", "\t", "&#9;")
