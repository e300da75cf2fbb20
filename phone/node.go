package phone

import (
	"image"
)

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

	screen int    // the number of the screen it is on
	key    string // what it is there: TapNode finds it again by these
}

// Window is a window of the screen.
type Window struct {
	ID       int
	Package  string
	Activity string // of an app's window
	Title    string
	// Kind is "app", "dialog", "keyboard", "system" (a bar) or "panel" (the shade).
	Kind    string
	Layer   int
	Focused bool
	Secure  bool
	Bounds  image.Rectangle
}

// Nodes are the nodes of the window that has the focus, in the order of a dump.
func (p *Phone) Nodes() []Node {
	p.lock()
	defer p.mu.Unlock()
	defer p.looked()
	var list []Node
	for i, w := range p.shown() {
		if w.focused {
			list = nodesOf(w, i)
		}
	}
	return list
}

// AllNodes are the nodes of all windows that are not covered, the topmost window
// first, in the order of a dump of all windows.
func (p *Phone) AllNodes() []Node {
	p.lock()
	defer p.mu.Unlock()
	defer p.looked()
	var list []Node
	for i, w := range p.shown() {
		first := len(list)
		for _, n := range nodesOf(w, i) {
			n.Index += first
			if n.Parent >= 0 {
				n.Parent += first
			}
			list = append(list, n)
		}
	}
	return list
}

func nodesOf(w *window, window int) []Node {
	var list []Node
	var add func(v *view, parent, sibling, depth int)
	add = func(v *view, parent, sibling, depth int) {
		n := v.node()
		n.Index, n.Parent, n.Sibling, n.Depth, n.Window = len(list), parent, sibling, depth, window
		list = append(list, n)
		place := 0
		for _, k := range v.kids {
			if k.seen() {
				add(k, n.Index, place, depth+1)
				place++
			}
		}
	}
	add(w.root, -1, 0, 0)
	return list
}

func (v *view) node() Node {
	n := Node{
		Package: v.pkg, Class: v.class, Text: v.text, Description: v.desc, ResourceID: v.id, Hint: v.hint,
		Bounds: v.bounds, Clickable: v.clickable, LongClickable: v.longClickable, Checkable: v.checkable,
		Checked: v.checked, Enabled: v.enabled, Focusable: v.focusable, Focused: v.focused,
		Scrollable: v.scrollable, Password: v.password, Selected: v.selected, Editable: v.editable, key: v.key,
	}
	if v.screen != nil {
		n.screen = v.screen.id
	}
	return n
}

// shown are the windows that accessibility sees, the topmost first.
func (p *Phone) shown() []*window {
	var list []*window
	all := p.frame()
	for i := len(all) - 1; i >= 0; i-- {
		if !all[i].covered {
			list = append(list, all[i])
		}
	}
	return list
}

// Windows are the windows of the screen that are not covered whole, the topmost
// first, as "dumpsys window" and "uiautomator dump --windows" list them.
func (p *Phone) Windows() []Window {
	p.lock()
	defer p.mu.Unlock()
	var list []Window
	for _, w := range p.shown() {
		list = append(list, Window{
			ID: w.screen.id, Package: w.screen.app.def.pkg, Activity: w.screen.def.activity, Title: w.title,
			Kind: w.kind, Layer: w.layer, Focused: w.focused, Secure: w.secure, Bounds: w.bounds,
		})
	}
	return list
}

// Focus is the package and the activity of the window that has the focus. A
// dialog of an app has the activity that it belongs to.
func (p *Phone) Focus() (pkg, activity string) {
	p.lock()
	defer p.mu.Unlock()
	if p.shade != nil {
		return p.shade.app.def.pkg, p.shade.def.activity
	}
	stack := p.front().stack
	top := stack[len(stack)-1]
	for i := len(stack) - 1; i > 0 && stack[i].def.activity == "" && stack[i-1].app == top.app; i-- {
		activity = stack[i-1].def.activity
	}
	if top.def.activity != "" {
		activity = top.def.activity
	}
	return top.app.def.pkg, activity
}

// find finds the view of a node that was looked at before, nil where it is gone.
func (p *Phone) find(n Node) *view {
	var found *view
	for _, w := range p.shown() {
		if w.screen.id != n.screen {
			continue
		}
		w.root.walk(func(v *view) bool {
			if v.key == n.key && v.seen() {
				found = v
			}
			return found == nil
		})
	}
	return found
}

// TapNode touches a node that [Phone.Nodes] returned as automation servers that
// act through accessibility do: it performs the click on the node itself, or on
// the nearest clickable one around it, whatever is drawn over it. It reports
// whether something took it; a node that is no longer there does not.
func (p *Phone) TapNode(n Node) bool {
	return p.perform("tap", n, func(v *view) bool { return v.clickable || v.checkable }, p.click)
}

// LongTapNode is TapNode for the long click.
func (p *Phone) LongTapNode(n Node) bool {
	return p.perform("longpress", n, func(v *view) bool { return v.longClickable }, p.longClick)
}

// SetText replaces the text of a field, as accessibility's ACTION_SET_TEXT does.
func (p *Phone) SetText(n Node, text string) bool {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "text", Detail: text, Data: map[string]string{"node": n.label()}})
	defer p.changed()
	v := p.find(n)
	if v == nil || !v.editable || !v.enabled || p.asleep {
		return false
	}
	p.setText(v, text)
	return true
}

func (p *Phone) perform(kind string, n Node, can func(*view) bool, do func(*view) bool) bool {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: kind, Detail: "node " + n.label(), Data: map[string]string{"node": n.label()}})
	if p.asleep {
		return false
	}
	defer p.changed()
	for v := p.find(n); v != nil; v = v.parent {
		if can(v) {
			return do(v)
		}
	}
	return false
}

// label is what a record calls a node.
func (n Node) label() string {
	for _, s := range []string{n.Text, n.Description, n.ResourceID} {
		if s != "" {
			return s
		}
	}
	return n.Class
}
