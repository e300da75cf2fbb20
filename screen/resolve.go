package screen

import (
	"math"
	"strings"

	"github.com/countersign/countersign/risk"
)

// A Hit is the node an action lands on. Node is -1 when nothing was hit.
type Hit struct {
	Node   int32
	Reason Reason
}

func miss(why Reason) Hit { return Hit{Node: -1, Reason: why} }

// At finds the node that takes a touch at a point in device pixels: in the
// topmost window of the display in front that takes touches there, the node
// that is drawn last and lies deepest. Zero-area, off-screen and invisible
// nodes take nothing; a disabled clickable does, since Android consumes the
// touch.
//
// Where no node under the finger is clickable the deepest visible one is
// returned: WebView and canvas content acts without saying so.
// At never fails silently: a Hit without a node carries a Reason, and a node
// that cannot be judged (an opaque WebView, a cut-off tree) carries one too.
func (s *Screen) At(x, y int) Hit {
	switch {
	case s.Problem != "":
		return miss(s.Problem)
	case len(s.Nodes) == 0:
		return miss(NoTree)
	case x < 0 || y < 0, x > math.MaxInt32 || y > math.MaxInt32,
		s.Width > 0 && x >= s.Width, s.Height > 0 && y >= s.Height:
		return miss(PointOffScreen)
	}
	return s.below(len(s.Windows), x, y)
}

// below finds the node that takes a touch among the windows under one of them.
func (s *Screen) below(top, x, y int) Hit {
	inert := int32(-1)
	for i := top - 1; i >= 0; i-- {
		w := &s.Windows[i]
		switch {
		case w.Display != s.Display:
			continue
		case w.First == w.End && w.Bounds.Contains(x, y):
			return miss(NoTree) // it hides what is below it and does not show what it is
		}
		node, touched := s.touched(w, x, y)
		if touched {
			return Hit{Node: node, Reason: s.doubt(node)}
		}
		if node >= 0 && inert < 0 {
			inert = node
		}
		// A dialog's window swallows what it does not use; a system bar does not,
		// and what is drawn over other apps need not.
		if node >= 0 && w.Kind != SystemWindow && w.Kind != OverlayWindow {
			break
		}
	}
	if inert >= 0 {
		return Hit{Node: inert, Reason: s.doubt(inert)}
	}
	if s.Truncated {
		return miss(TreeTruncated)
	}
	return miss(NoTarget)
}

// Beneath finds what takes a touch at a point if the overlay that node stands
// in lets touches through, as overlays may without saying so. It is false for
// a node that is in no overlay.
func (s *Screen) Beneath(node int32, x, y int) (Hit, bool) {
	w := int(s.Nodes[node].Window)
	if w >= len(s.Windows) || s.Windows[w].Kind != OverlayWindow {
		return Hit{}, false
	}
	return s.below(w, x, y), true
}

// Over finds what takes a touch at the middle of a node in the node's place:
// clients that are told a node press its middle, whatever is drawn over it. It
// is false where the node, or the control that it belongs to, takes the touch.
func (s *Screen) Over(node int32) (Hit, bool) {
	hit := s.At(s.Nodes[node].Bounds.Center())
	if hit.Node < 0 || s.pressed(hit.Node) == s.pressed(node) {
		return Hit{}, false
	}
	return hit, true
}

// touched looks through one window, from what is drawn last to what is drawn
// first. In document order descendants follow their ancestors and later
// siblings are drawn over earlier ones, so the walk runs backwards.
func (s *Screen) touched(w *Window, x, y int) (node int32, clickable bool) {
	node = -1
	for i := w.End - 1; i >= w.First; i-- {
		n := &s.Nodes[i]
		if !n.Bounds.Contains(x, y) || n.Flags.Has(Invisible) {
			continue
		}
		if s.takesTouch(i) {
			if !clickable || s.drawnOver(i, node) {
				node, clickable = i, true
			}
			continue
		}
		if node < 0 {
			node = i
		}
	}
	return node, clickable
}

// TakesTouch reports whether the node consumes a touch.
func (n *Node) TakesTouch() bool {
	return n.Flags&(Clickable|LongClickable|Checkable|Editable) != 0
}

// takesTouch reports whether a node consumes a touch, rather than the row around
// it: a switch that can be checked and not clicked shows the state of its row,
// which Android gives the touch to.
func (s *Screen) takesTouch(i int32) bool {
	n := &s.Nodes[i]
	if !n.TakesTouch() || n.Flags&(Clickable|LongClickable|Editable) != 0 || !isSwitch(n) {
		return n.TakesTouch()
	}
	for p, up := n.Parent, 0; p >= 0 && up < maxAncestors; p, up = s.Nodes[p].Parent, up+1 {
		if s.Nodes[p].Flags.Has(Clickable) {
			labels := s.labelCount(p, 6)
			return labels == 0 || labels == 6 // nothing says what it is, or it is a page
		}
	}
	return true
}

// drawnOver reports whether node a, which stands before b in the document, is
// drawn over it all the same because the reader knows the drawing order.
func (s *Screen) drawnOver(a, b int32) bool {
	if b < s.Nodes[a].End {
		return false // b is inside a
	}
	branchA, branchB := a, b
	for s.Nodes[branchA].Depth > s.Nodes[branchB].Depth {
		branchA = s.Nodes[branchA].Parent
	}
	for s.Nodes[branchB].Depth > s.Nodes[branchA].Depth {
		branchB = s.Nodes[branchB].Parent
	}
	for s.Nodes[branchA].Parent != s.Nodes[branchB].Parent {
		branchA, branchB = s.Nodes[branchA].Parent, s.Nodes[branchB].Parent
	}
	return s.Nodes[branchA].DrawingOrder > s.Nodes[branchB].DrawingOrder
}

// doubt says why a node that was hit cannot be judged, if it cannot.
func (s *Screen) doubt(i int32) Reason {
	n := &s.Nodes[i]
	if n.End == i+1 && isWebView(n.Class) && n.Text == "" && n.Description == "" {
		return WebViewOpaque
	}
	if s.Truncated && n.End == int32(len(s.Nodes)) && n.Text == "" && n.Description == "" {
		return TreeTruncated // it was still open where the document ends
	}
	if s.cutOff(i) {
		return TreeTruncated
	}
	return ""
}

// cutOff reports whether the node is a label-less leaf at the depth at which
// the page source stops.
func (s *Screen) cutOff(i int32) bool {
	n := &s.Nodes[i]
	return s.DepthLimit > 0 && int(n.Depth) >= s.DepthLimit && n.End == i+1 &&
		n.Text == "" && n.Description == "" && n.ResourceID == ""
}

func isWebView(class string) bool {
	return strings.HasSuffix(class, "WebView") || strings.HasSuffix(class, "WebViewChromium")
}

// ByIndex finds a node by its place in document order, counted from 0.
func (s *Screen) ByIndex(index int) Hit {
	switch {
	case s.Problem != "":
		return miss(s.Problem)
	case len(s.Nodes) == 0:
		return miss(NoTree)
	case index < 0 || index >= len(s.Nodes):
		if s.Truncated {
			return miss(TreeTruncated)
		}
		return miss(NoTarget)
	}
	return Hit{Node: int32(index), Reason: s.doubt(int32(index))}
}

// inReach reports whether a touch can land on a node: it is visible, has an
// area and lies on the display in front.
func (s *Screen) inReach(n *Node) bool {
	if w := s.windowOf(n); n.Flags.Has(Invisible) || n.Bounds.Empty() || w != nil && w.Display != s.Display {
		return false
	}
	x, y := n.Bounds.Center()
	return x >= 0 && y >= 0 && (s.Width <= 0 || x < s.Width) && (s.Height <= 0 || y < s.Height)
}

// windowOf is the window a node stands in, nil where the screen has none.
func (s *Screen) windowOf(n *Node) *Window {
	if int(n.Window) >= len(s.Windows) {
		return nil
	}
	return &s.Windows[n.Window]
}

// Focus finds the node that has the input focus, in the topmost window that has
// one. A web page and the field in it may both say so: the inner one has it.
func (s *Screen) Focus() Hit {
	if s.Problem != "" {
		return miss(s.Problem)
	}
	for w := len(s.Windows) - 1; w >= 0; w-- {
		for i := s.Windows[w].First; i < s.Windows[w].End; i++ {
			if s.Nodes[i].Flags.Has(Focused) {
				i = s.innermostFocus(i)
				return Hit{Node: i, Reason: s.doubt(i)}
			}
		}
	}
	return miss(NoTarget)
}

// innermostFocus is the last focused node inside a focused one, or itself.
func (s *Screen) innermostFocus(outer int32) int32 {
	inner := outer
	for i := outer + 1; i < s.Nodes[outer].End; i++ {
		if s.Nodes[i].Flags.Has(Focused) {
			inner = i
		}
	}
	return inner
}

// Select finds the node a selector names. Some clients count every node that
// matches and some only those that can be touched: where that makes a
// difference, the one that the latter mean is in touchable, else -1.
func (s *Screen) Select(sel risk.Selector) (hit Hit, touchable int32) {
	switch {
	case s.Problem != "":
		return miss(s.Problem), -1
	case sel.Text == "" && sel.ContentDesc == "" && sel.ResourceID == "" && sel.Class == "":
		return miss(NoTarget), -1
	}
	hit = miss(NoTarget)
	if s.Truncated {
		hit = miss(TreeTruncated)
	}
	all, touched := sel.Instance, sel.Instance
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if !selects(sel, n) {
			continue
		}
		if all == 0 {
			hit = Hit{Node: int32(i), Reason: s.doubt(int32(i))}
		}
		all--
		if !s.inReach(n) {
			continue
		}
		if touched == 0 {
			if int32(i) == hit.Node {
				return hit, -1
			}
			return hit, int32(i)
		}
		touched--
	}
	return hit, -1
}

func selects(sel risk.Selector, n *Node) bool {
	same := func(want, got string) bool { return want == "" || want == got }
	return same(sel.Text, n.Text) && same(sel.ContentDesc, n.Description) &&
		same(sel.ResourceID, n.ResourceID) && same(sel.Class, n.Class)
}

// HasDisplay reports whether a window is on the display.
func (s *Screen) HasDisplay(display int) bool {
	for i := range s.Windows {
		if s.Windows[i].Display == display {
			return true
		}
	}
	return false
}

// scrolls reports whether something around a node takes a swipe that begins on
// it, sideways or up and down.
func (s *Screen) scrolls(node int32, sideways bool) bool {
	for p := node; p >= 0; p = s.Nodes[p].Parent {
		if s.Nodes[p].Flags.Has(Scrollable) && (s.liesSideways(p) == sideways) {
			return true
		}
	}
	return false
}

// liesSideways reports whether what scrolls has its content side by side.
func (s *Screen) liesSideways(node int32) bool {
	class := classTail(s.Nodes[node].Class)
	if strings.Contains(class, "Horizontal") || strings.Contains(class, "ViewPager") {
		return true
	}
	first := node + 1
	if first >= s.Nodes[node].End {
		return false
	}
	second := s.Nodes[first].End
	return second < s.Nodes[node].End && s.Nodes[second].Bounds.Left >= s.Nodes[first].Bounds.Right
}

// ToDevice converts a point from a space of the given size, such as a scaled
// screenshot, to device pixels. It reports false when either size is unknown or
// the point lies outside the space: then nobody can tell where it lands.
func (s *Screen) ToDevice(x, y, spaceWidth, spaceHeight int) (int, int, bool) {
	if x < 0 || y < 0 || x >= spaceWidth || y >= spaceHeight ||
		spaceWidth > maxSpace || spaceHeight > maxSpace || s.Width <= 0 || s.Height <= 0 {
		return 0, 0, false
	}
	return x * s.Width / spaceWidth, y * s.Height / spaceHeight, true
}

// maxSpace is the size in pixels of the largest picture that coordinates are
// scaled from.
const maxSpace = 1 << 24
