package phone

import "image"

// Node is an accessibility node as it is on the screen.
type Node struct {
	// Index is its place in the whole dump (not the compressed one) in document
	// order, from 0; Parent that of its parent, -1 for the root of a window.
	Index, Parent int
	Depth         int
	// Window is the index in [Phone.Windows].
	Window int
	// Sibling is its place among its parent's children: uiautomator's "index".
	Sibling int

	Package, Class, Text, Description, ResourceID, Hint string
	// Bounds are in pixels of the display as it is rotated now.
	Bounds image.Rectangle

	Clickable, LongClickable, Checkable, Checked, Enabled, Focusable, Focused, Scrollable, Password, Selected bool
	// Editable is a text field.
	Editable bool

	key string // what it is in the app's data: TapNode finds it again by this
}

// Window is a window of the screen.
type Window struct {
	ID       int
	Package  string
	Activity string // of an app's window
	Title    string
	// Kind is "app", "dialog", "keyboard", "system" or "overlay".
	Kind    string
	Layer   int
	Focused bool
	Secure  bool
	Bounds  image.Rectangle
}

// Nodes are the nodes of the windows that a dump shows, in its order.
func (p *Phone) Nodes() []Node { return nil }

// Windows are the windows of the screen, the topmost first, as "dumpsys window"
// and "uiautomator dump --windows" list them.
func (p *Phone) Windows() []Window { return nil }

// Focus is the package and the activity of the window that has the focus. A
// dialog has the activity that it belongs to.
func (p *Phone) Focus() (pkg, activity string) { return "", "" }
