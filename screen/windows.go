package screen

import (
	"cmp"
	"slices"
)

// layout gathers what a document says about windows while it is read, and then
// lays the windows out in drawing order.
type layout struct {
	declared []declaredWindow
	roots    []root
	// display is the display that the reader is in.
	display int
	// front is the display in front where the document states it; otherwise it
	// is the one that the document begins with.
	front      int
	frontKnown bool
}

// declaredWindow is a window as the document describes it.
type declaredWindow struct {
	Window
	kindKnown bool
	active    bool  // it was touched last
	layer     int64 // its place in the drawing order, higher ones on top
	before    int32 // how many nodes stand before it in the document
}

// root is a node without a parent, and the declared window that it stands in:
// -1 where the document declares none.
type root struct{ node, window int32 }

func (l *layout) addRoot(node, window int32) {
	l.roots = append(l.roots, root{node, window})
}

// addWindow starts a declared window and returns its index.
func (l *layout) addWindow(w declaredWindow, nodesBefore int) int32 {
	w.Display = l.display
	w.before = int32(nodesBefore)
	l.declared = append(l.declared, w)
	return int32(len(l.declared) - 1)
}

// stacked is a window together with what decides its place in drawing order.
type stacked struct {
	declaredWindow
	area  uint64 // in pixels, of a window whose layer is not known
	place int32
}

// arrange sets the screen's windows and the window of each node. What the
// document does not say is inferred: the kind and the focus of a window, the
// drawing order, the size of the display.
func (l *layout) arrange(s *Screen) {
	stack := l.windows(s)
	inferKinds(s, stack)
	s.Display = l.front
	if !l.frontKnown {
		s.Display = stack[0].Display
	}
	slices.SortStableFunc(stack, func(a, b stacked) int {
		return cmp.Or(
			compareDisplays(a.Display, b.Display, s.Display),
			cmp.Compare(a.layer, b.layer),
			cmp.Compare(b.area, a.area),
			cmp.Compare(b.place, a.place), // documents have the topmost first
		)
	})
	focus(s, stack)
	s.Windows = make([]Window, len(stack))
	for i := range stack {
		s.Windows[i] = stack[i].Window
		for n := stack[i].First; n < stack[i].End; n++ {
			s.Nodes[n].Window = int32(i)
		}
	}
	measure(s)
}

// compareDisplays puts the windows of the front display last, on top.
func compareDisplays(a, b, front int) int {
	switch {
	case a == b:
		return 0
	case a == front:
		return 1
	case b == front:
		return -1
	}
	return cmp.Compare(a, b)
}

// windows returns the windows in the order of their nodes, and behind them the
// declared ones that have no nodes: something is there that cannot be seen.
func (l *layout) windows(s *Screen) []stacked {
	var stack []stacked
	hasNodes := make([]bool, len(l.declared))
	for i := 0; i < len(l.roots); {
		end := l.windowEnd(s, i)
		w := stacked{place: l.roots[i].node}
		if declared := l.roots[i].window; declared >= 0 {
			w.declaredWindow = l.declared[declared]
			hasNodes[declared] = true
		} else {
			w.Display = l.display
		}
		w.First, w.End = l.roots[i].node, s.Nodes[l.roots[end-1].node].End
		w.takeFromNodes(s, l.roots[i:end])
		stack = append(stack, w)
		i = end
	}
	for i, w := range l.declared {
		if !hasNodes[i] {
			w.First, w.End = w.before, w.before
			stack = append(stack, stacked{declaredWindow: w, place: w.before})
		}
	}
	return stack
}

// windowEnd returns where the window ends that begins with root i.
//
// The document's windows count where it has any. Otherwise root nodes of
// different apps are different windows. Root nodes of one app are windows of
// their own, such as a dialog over its activity, if they look like the root of
// a view tree: with a class and with children. Short hand-written trees put
// plain siblings there, and those stay together.
func (l *layout) windowEnd(s *Screen, i int) int {
	first := l.roots[i]
	end := i + 1
	whole := isViewRoot(s, first.node)
	for ; end < len(l.roots); end++ {
		next := l.roots[end]
		if next.window != first.window {
			break
		}
		if first.window < 0 && s.Nodes[next.node].Package != s.Nodes[first.node].Package {
			break
		}
		whole = whole && isViewRoot(s, next.node)
	}
	if first.window < 0 && whole {
		return i + 1
	}
	return end
}

func isViewRoot(s *Screen, node int32) bool {
	n := &s.Nodes[node]
	return n.Class != "" && n.End > node+1
}

// takeFromNodes fills in the package, and the bounds where none are declared.
func (w *stacked) takeFromNodes(s *Screen, roots []root) {
	for i := w.First; i < w.End && w.Package == ""; i++ {
		w.Package = s.Nodes[i].Package
	}
	if !w.Bounds.Empty() {
		return
	}
	for _, r := range roots {
		w.Bounds = union(w.Bounds, s.Nodes[r.node].Bounds)
	}
}

// union is the smallest rectangle around two. An empty one adds nothing.
func union(a, b Rect) Rect {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return Rect{min(a.Left, b.Left), min(a.Top, b.Top), max(a.Right, b.Right), max(a.Bottom, b.Bottom)}
}

// focus makes sure that a window has the focus. It is the one that the document
// says, else the one that was touched last, else the topmost one with a focused
// node, else the topmost one of an app.
func focus(s *Screen, stack []stacked) {
	signs := [...]func(*stacked) bool{
		func(w *stacked) bool { return w.Focused },
		func(w *stacked) bool { return w.active },
		func(w *stacked) bool { return hasFocusedNode(s.Nodes[w.First:w.End]) },
		func(w *stacked) bool { return w.Kind == AppWindow },
		func(*stacked) bool { return true },
	}
	for _, sign := range signs {
		for i := len(stack) - 1; i >= 0; i-- {
			if sign(&stack[i]) {
				for j := range stack {
					stack[j].Focused = i == j
				}
				return
			}
		}
	}
}

func hasFocusedNode(nodes []Node) bool {
	for i := range nodes {
		if nodes[i].Flags.Has(Focused) {
			return true
		}
	}
	return false
}

// measure takes the display's size from the windows that span it. Only a whole
// view tree that begins at the display's corner tells a size: the bounds of a
// dialog or of an excerpt do not.
func measure(s *Screen) {
	var extent Rect
	for _, w := range s.Windows {
		if w.Display == s.Display && w.First < w.End && isViewRoot(s, w.First) {
			extent = union(extent, w.Bounds)
		}
	}
	if extent.Left <= 0 && extent.Top <= 0 && !extent.Empty() {
		s.Width = max(s.Width, int(extent.Right))
		s.Height = max(s.Height, int(extent.Bottom))
	}
}
