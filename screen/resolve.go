package screen

import (
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
// topmost window that takes touches there, the node that is drawn last and
// lies deepest. Zero-area, off-screen and invisible nodes take nothing; a
// disabled clickable does, since Android consumes the touch.
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
	case x < 0 || y < 0, s.Width > 0 && x >= s.Width, s.Height > 0 && y >= s.Height:
		return miss(PointOffScreen)
	}
	inert := int32(-1)
	for w := len(s.Windows) - 1; w >= 0; w-- {
		node, touched := s.touched(&s.Windows[w], x, y)
		if touched {
			return Hit{Node: node, Reason: s.doubt(node)}
		}
		if node >= 0 && inert < 0 {
			inert = node
		}
		// A dialog's window swallows what it does not use; a system bar does not.
		if node >= 0 && s.Windows[w].Kind != SystemWindow {
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
		if n.TakesTouch() {
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

// Focus finds the node that has the input focus, in the topmost window that has one.
func (s *Screen) Focus() Hit {
	if s.Problem != "" {
		return miss(s.Problem)
	}
	for w := len(s.Windows) - 1; w >= 0; w-- {
		for i := s.Windows[w].First; i < s.Windows[w].End; i++ {
			if s.Nodes[i].Flags.Has(Focused) {
				return Hit{Node: i, Reason: s.doubt(i)}
			}
		}
	}
	return miss(NoTarget)
}

// Select finds the node a selector names.
func (s *Screen) Select(sel risk.Selector) Hit {
	if s.Problem != "" {
		return miss(s.Problem)
	}
	if sel.Text == "" && sel.ContentDesc == "" && sel.ResourceID == "" && sel.Class == "" {
		return miss(NoTarget)
	}
	left := sel.Instance
	for i := range s.Nodes {
		if !selects(sel, &s.Nodes[i]) {
			continue
		}
		if left == 0 {
			return Hit{Node: int32(i), Reason: s.doubt(int32(i))}
		}
		left--
	}
	if s.Truncated {
		return miss(TreeTruncated)
	}
	return miss(NoTarget)
}

func selects(sel risk.Selector, n *Node) bool {
	same := func(want, got string) bool { return want == "" || want == got }
	return same(sel.Text, n.Text) && same(sel.ContentDesc, n.Description) &&
		same(sel.ResourceID, n.ResourceID) && same(sel.Class, n.Class)
}

// ToDevice converts a point from a space of the given size, such as a scaled
// screenshot, to device pixels. It reports false when either size is unknown.
func (s *Screen) ToDevice(x, y, spaceWidth, spaceHeight int) (int, int, bool) {
	if spaceWidth <= 0 || spaceHeight <= 0 || s.Width <= 0 || s.Height <= 0 {
		return x, y, false
	}
	return x * s.Width / spaceWidth, y * s.Height / spaceHeight, true
}
