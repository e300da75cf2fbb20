package screen

import "time"

// Reason is why a screen or a target cannot be seen. Reasons are stable codes:
// they are recorded and answered to agents.
type Reason string

// The reasons. The zero value means that nothing is wrong.
const (
	NoTree         Reason = "no_tree"          // the dump failed, is empty or is not a tree
	StaleTree      Reason = "stale_tree"       // the tree is of another app or moment than what is in front
	WebViewOpaque  Reason = "webview_opaque"   // a WebView without children is under the finger
	TreeTruncated  Reason = "tree_truncated"   // the tree is cut off where the finger lands
	NoTarget       Reason = "no_target"        // no node is under the finger
	PointOffScreen Reason = "point_off_screen" // the point lies outside the display
)

// Screen is what the device showed: its windows and the accessibility nodes in
// them. A Screen is read-only after a reader returned it and is then safe for
// concurrent use.
type Screen struct {
	// Package and Activity are the app in front as the caller knows it, from
	// the focused window rather than from the tree. They may be empty.
	Package  string
	Activity string
	// Width and Height are the display's size in device pixels; 0 is not known.
	Width, Height int
	// Rotation is the display's rotation in quarter turns, 0 to 3.
	Rotation int
	Display  int
	// Secure says that the window forbids screenshots (FLAG_SECURE).
	Secure bool
	// Observed says that we read the tree ourselves; false is the agent's word.
	Observed   bool
	CapturedAt time.Time

	// Windows are in drawing order, the topmost last. A dump that knows no
	// windows has one, or one a package where nodes of several apps stand in it.
	Windows []Window
	// Nodes are in document order: a parent stands before its children.
	Nodes []Node

	// Problem is set when the tree cannot be relied on at all.
	Problem Reason
	// Truncated says that the document ended early or a depth limit cut it;
	// what was read up to there is whole.
	Truncated bool
	// DepthLimit is the depth at which the source stops short (Appium's page
	// source), 0 where it does not: a leaf there may have lost its children.
	DepthLimit int
	// Repairs counts invalid characters and entities that were replaced.
	Repairs int
}

// WindowKind is what a window is for.
type WindowKind uint8

// The window kinds.
const (
	AppWindow      WindowKind = iota
	SystemWindow              // status bar, navigation bar, notification shade
	KeyboardWindow            // an input method
	OverlayWindow             // drawn over other apps
)

// Window is one window of the screen.
type Window struct {
	Package string
	Title   string
	Kind    WindowKind
	Bounds  Rect
	Focused bool
	// Display is the display it is on; see Screen.Display for the one in front.
	Display int
	// First and End are the half-open range of its nodes in Screen.Nodes, empty
	// for a window that gave none: what it shows is not known.
	First, End int32
}

// Node is one accessibility node. Strings may share the memory of the input.
type Node struct {
	Text        string
	Description string
	ResourceID  string
	Class       string
	Package     string
	Hint        string
	Bounds      Rect
	Flags       Flags
	// Parent is the index of the parent, -1 for a root.
	Parent int32
	// End is one past the last descendant: the subtree of node i is Nodes[i:End].
	End int32
	// Depth is 0 for a root.
	Depth int32
	// Window is the index of its window.
	Window int32
	// DrawingOrder is the order among siblings where the reader knows it, else 0.
	DrawingOrder int32
}

// Flags are a node's boolean attributes.
type Flags uint32

// The flags. Disabled and Invisible are negative so that a reader that does
// not know the attribute leaves the usual case: enabled and visible.
const (
	Clickable Flags = 1 << iota
	LongClickable
	Checkable
	Checked
	Disabled
	Focusable
	Focused
	Scrollable
	Password
	Selected
	Invisible
	Editable
	MultiLine
	Dismissable
	IMESend   // the field's IME action sends
	IMESearch // the field's IME action searches
	IMEGo     // the field's IME action goes or is done
)

// Has reports whether all of want are set.
func (f Flags) Has(want Flags) bool { return f&want == want }

// Rect is a rectangle in device pixels: Left and Top are inside, Right and
// Bottom are not.
type Rect struct{ Left, Top, Right, Bottom int32 }

// Empty reports whether the rectangle has no area.
func (r Rect) Empty() bool { return r.Right <= r.Left || r.Bottom <= r.Top }

// Contains reports whether the pixel is inside.
func (r Rect) Contains(x, y int) bool {
	return int32(x) >= r.Left && int32(x) < r.Right && int32(y) >= r.Top && int32(y) < r.Bottom
}

// Width is the width in pixels, never negative.
func (r Rect) Width() int { return max(0, int(r.Right)-int(r.Left)) }

// Height is the height in pixels, never negative.
func (r Rect) Height() int { return max(0, int(r.Bottom)-int(r.Top)) }

// Center is the middle of the rectangle.
func (r Rect) Center() (x, y int) {
	return (int(r.Left) + int(r.Right)) / 2, (int(r.Top) + int(r.Bottom)) / 2
}

// Intersect returns the part both rectangles share, empty when there is none.
func (r Rect) Intersect(s Rect) Rect {
	t := Rect{max(r.Left, s.Left), max(r.Top, s.Top), min(r.Right, s.Right), min(r.Bottom, s.Bottom)}
	if t.Empty() {
		return Rect{}
	}
	return t
}
