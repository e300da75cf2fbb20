package automation

import (
	"image"
	"strings"
	"time"

	"github.com/countersign/countersign/phone"
)

// identity is a node without what may change of it: two with the same identity
// are the same element.
func identity(n phone.Node) phone.Node {
	n.Index, n.Parent, n.Depth, n.Window, n.Sibling = 0, 0, 0, 0, 0
	n.Text, n.Description, n.Hint = "", "", ""
	n.Bounds = image.Rectangle{}
	n.Clickable, n.LongClickable, n.Checkable, n.Checked = false, false, false, false
	n.Enabled, n.Focusable, n.Focused, n.Scrollable, n.Password, n.Selected = false, false, false, false, false, false
	n.Editable = false
	return n
}

// again finds a node that was seen before.
func again(p *phone.Phone, was phone.Node) (phone.Node, bool) {
	want := identity(was)
	for _, n := range p.Nodes() {
		if identity(n) == want {
			return n, true
		}
	}
	return phone.Node{}, false
}

// typed is the text in a field: one that is empty shows its hint instead.
func typed(n phone.Node) string {
	if n.Text == n.Hint {
		return ""
	}
	return n.Text
}

// middle is the point that a click on a node presses.
func middle(b image.Rectangle) (x, y int) { return (b.Min.X + b.Max.X) / 2, (b.Min.Y + b.Max.Y) / 2 }

// within are the nodes below another, in order.
func within(nodes []phone.Node, parent phone.Node) []phone.Node {
	var list []phone.Node
	inside := map[int]bool{parent.Index: true}
	for _, n := range nodes {
		if inside[n.Parent] {
			inside[n.Index] = true
			list = append(list, n)
		}
	}
	return list
}

// pressTime is how long Android takes a touch for before it is a long press.
const pressTime = 500 * time.Millisecond

// hold touches a point for a time.
func hold(p *phone.Phone, x, y int, d time.Duration) {
	if d < pressTime {
		p.Tap(x, y)
		return
	}
	p.LongPress(x, y, d)
}

// children counts the children of a node.
func children(nodes []phone.Node, parent phone.Node) int {
	count := 0
	for _, n := range nodes {
		if n.Parent == parent.Index {
			count++
		}
	}
	return count
}

// shortID is a resource id without its package.
func shortID(id string) string {
	if _, short, found := strings.Cut(id, ":id/"); found {
		return short
	}
	return id
}

// swipeOver are the ends of a swipe over an area in a direction, over a part of
// its length.
func swipeOver(b image.Rectangle, direction string, part float64) (from, to image.Point, ok bool) {
	x, y := middle(b)
	dx, dy := int(float64(b.Dx())*part), int(float64(b.Dy())*part)
	switch direction {
	case "up":
		return image.Pt(x, b.Max.Y-1), image.Pt(x, b.Max.Y-1-dy), true
	case "down":
		return image.Pt(x, b.Min.Y), image.Pt(x, b.Min.Y+dy), true
	case "left":
		return image.Pt(b.Max.X-1, y), image.Pt(b.Max.X-1-dx, y), true
	case "right":
		return image.Pt(b.Min.X, y), image.Pt(b.Min.X+dx, y), true
	}
	return from, to, false
}
