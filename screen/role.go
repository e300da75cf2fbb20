package screen

import (
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// role infers what kind of control a node is, from its class, its state, what
// is inside it and what it stands in.
func (s *Screen) role(node int32, t *Target) risk.Role {
	n := &s.Nodes[node]
	if t.WindowKind == KeyboardWindow {
		return risk.Key
	}
	if role, ok := roleOfClass(n); ok {
		return role
	}
	if s.isTab(node) {
		return risk.Tab
	}
	if s.holdsToggle(node) {
		return risk.Switch
	}
	class := classTail(n.Class)
	switch {
	case strings.HasSuffix(class, "Button"):
		if n.Text == "" && len(t.Labels) == 0 {
			return risk.IconButton
		}
		return s.inDialogOr(node, risk.Button)
	case strings.HasSuffix(class, "ImageView") || class == "Image":
		return risk.IconButton
	case s.isMenuItem(node, n, t):
		return risk.MenuItem
	case class == "Link":
		return risk.Link
	case n.End > node+1:
		return s.roleOfContainer(node, t)
	case n.Text == "" && s.small(n.Bounds) && (n.Description != "" || n.Flags.Has(Clickable)):
		return risk.IconButton
	case n.Flags.Has(Clickable) && (n.Text != "" || n.Description != ""):
		return s.roleOfText(node)
	}
	return risk.View
}

// roleOfClass knows the roles that a class or a flag alone decides.
func roleOfClass(n *Node) (risk.Role, bool) {
	class := classTail(n.Class)
	switch {
	case n.Flags.Has(Editable), strings.HasSuffix(class, "EditText"),
		strings.HasSuffix(class, "AutoCompleteTextView"), class == "SearchAutoComplete":
		return risk.TextField, true
	case isToggle(n):
		if isSwitch(n) {
			return risk.Switch, true
		}
		return risk.Checkbox, true
	case strings.HasSuffix(class, "SeekBar"), strings.HasSuffix(class, "Slider"):
		return risk.Slider, true
	case strings.HasSuffix(class, "TabView"), strings.HasSuffix(class, "$Tab"), class == "Tab",
		strings.HasSuffix(class, "BottomNavigationItemView"):
		return risk.Tab, true
	}
	return risk.View, false
}

// isToggle reports whether the node itself holds a state that a tap flips.
func isToggle(n *Node) bool {
	class := classTail(n.Class)
	switch {
	case strings.Contains(class, "Switch") && !strings.Contains(class, "Switcher"),
		strings.HasSuffix(class, "CheckBox"), strings.HasSuffix(class, "RadioButton"),
		strings.HasSuffix(class, "CheckedTextView"):
		return true
	}
	return n.Flags.Has(Checkable) && !strings.HasSuffix(class, "ToggleButton") &&
		!strings.HasSuffix(class, "Button")
}

// isSwitch reports whether a node is a switch, among what holds a state.
func isSwitch(n *Node) bool { return isToggle(n) && strings.Contains(classTail(n.Class), "Switch") }

// holdsToggle reports whether a clickable row holds a switch that takes no
// touch of its own: tapping the row flips it.
func (s *Screen) holdsToggle(node int32) bool {
	for i := node + 1; i < s.Nodes[node].End && i < node+24; i++ {
		n := &s.Nodes[i]
		if isSwitch(n) {
			return s.labelCount(node, 6) < 6
		}
	}
	return false
}

// roleOfContainer tells a button made of parts from a row of content.
func (s *Screen) roleOfContainer(node int32, t *Target) risk.Role {
	n := &s.Nodes[node]
	for i := node + 1; i < n.End; i++ {
		// Compose gives a button's role to an inner node without a label.
		if c := &s.Nodes[i]; strings.HasSuffix(c.Class, "Button") && !s.ownsTouch(i) && (len(t.Labels) <= 3 || n.Text != "") {
			if len(t.Labels) == 0 && n.Text == "" {
				return risk.IconButton
			}
			return s.inDialogOr(node, risk.Button)
		}
	}
	if n.Text != "" {
		return s.roleOfText(node) // what stands inside only adds to what it says itself
	}
	labels := len(t.Labels)
	if n.Text != "" || n.Description != "" {
		labels++
	}
	switch {
	case n.Text == "" && len(t.Labels) > 0 && utf8.RuneCountInString(t.Labels[0].Text) >= contentLength*2/3:
		return risk.Row // something to read
	case labels > 0 && s.wide(n.Bounds) && s.holdsControls(node):
		return risk.Row // a box to tick or a button of its own stands in it
	case labels > 0 && labels <= 2 && s.narrow(n.Bounds):
		return s.inDialogOr(node, risk.Button) // too narrow for a row, such as Like below a post
	case labels == 0 && s.small(n.Bounds):
		return risk.IconButton
	case labels == 0:
		return risk.View
	case labels <= 2 && !s.inList(node) && !s.wide(n.Bounds) && len(t.Labels) <= 1:
		return s.inDialogOr(node, risk.Button)
	case labels == 1 && !s.inList(node):
		return s.inDialogOr(node, risk.Button)
	}
	return risk.Row
}

// roleOfText judges a clickable node with a label and no children.
func (s *Screen) roleOfText(node int32) risk.Role {
	switch {
	case s.inList(node) && !s.narrow(s.Nodes[node].Bounds):
		return risk.Row
	case isContent(s.Nodes[node].label()):
		return risk.View
	}
	return s.inDialogOr(node, risk.Button)
}

// contentLength is the length in runes from which a text that is no button by
// its class is something to read.
const contentLength = 48

func isContent(text string) bool { return utf8.RuneCountInString(text) >= contentLength }

func (s *Screen) inDialogOr(node int32, otherwise risk.Role) risk.Role {
	if s.dialogSurface(node) >= 0 {
		return risk.DialogButton
	}
	return otherwise
}

// isMenuItem recognises the entries of popup and overflow menus: a list alone
// in a small window, with a title id of the platform.
func (s *Screen) isMenuItem(node int32, n *Node, t *Target) bool {
	if strings.Contains(n.Class, "MenuItem") {
		return true
	}
	popup := s.windowIsSmall(n.Window) && s.inList(node)
	if !popup {
		return false
	}
	for _, id := range t.ChildIDs {
		if strings.HasSuffix(id, ":id/title") {
			return true
		}
	}
	return strings.HasSuffix(n.ResourceID, ":id/title") || len(t.Labels) == 1
}

// isTab recognises tabs by what holds them and by a row of siblings of which
// one is selected.
func (s *Screen) isTab(node int32) bool {
	for p, up := s.Nodes[node].Parent, 0; p >= 0 && up < 4; p, up = s.Nodes[p].Parent, up+1 {
		class := classTail(s.Nodes[p].Class)
		if strings.Contains(class, "TabLayout") || strings.Contains(class, "TabWidget") ||
			strings.Contains(class, "BottomNavigation") || class == "TabBar" {
			return true
		}
	}
	return namesTab(s.Nodes[node].ResourceID) || s.selectedSibling(node)
}

// namesTab reports whether one of the words of an id is "tab".
func namesTab(id string) bool {
	tail := idTail(id)
	return strings.HasPrefix(tail, "tab_") || strings.HasSuffix(tail, "_tab") || strings.Contains(tail, "_tab_") ||
		strings.HasSuffix(tail, "Tab")
}

// selectedSibling reports whether the node is one of at least three clickable
// siblings of one size in one line of which exactly one is selected, and the
// line spans the window at its top or bottom, as that of tabs does: below a
// post the one that is selected is Like.
func (s *Screen) selectedSibling(node int32) bool {
	parent := s.Nodes[node].Parent
	if parent < 0 || s.isContentNode(node) {
		return false
	}
	var siblings, selected int
	var line Rect
	b := s.Nodes[node].Bounds
	for i := parent + 1; i < s.Nodes[parent].End; i = s.Nodes[i].End {
		n := &s.Nodes[i]
		if !n.TakesTouch() || n.Bounds.Top != b.Top {
			continue
		}
		if !near(n.Bounds.Width(), b.Width()) {
			return false
		}
		siblings++
		line = union(line, n.Bounds)
		if n.Flags.Has(Selected) {
			selected++
		}
	}
	return siblings >= 3 && selected == 1 && s.spansAtEdge(line, s.Nodes[node].Window)
}

// spansAtEdge reports whether a line takes most of a window's width in its
// upper quarter or at its foot.
func (s *Screen) spansAtEdge(line Rect, window int32) bool {
	if int(window) >= len(s.Windows) {
		return false
	}
	w := s.Windows[window].Bounds
	return line.Width()*10 >= w.Width()*8 &&
		(int(line.Bottom-w.Top)*4 <= w.Height() || int(w.Bottom-line.Bottom)*10 <= w.Height())
}

// inList reports whether the node is an element of a list or grid.
func (s *Screen) inList(node int32) bool {
	for p, up := s.Nodes[node].Parent, 0; p >= 0 && up < 3; p, up = s.Nodes[p].Parent, up+1 {
		switch class := classTail(s.Nodes[p].Class); {
		case strings.HasSuffix(class, "ListView"), strings.HasSuffix(class, "RecyclerView"),
			strings.HasSuffix(class, "GridView"), class == "List":
			return true
		}
	}
	return false
}

// small reports whether the rectangle is the size of an icon: less than a
// quarter of the display's width, or of 1080 pixels where that is not known.
func (s *Screen) small(r Rect) bool {
	return r.Width()*4 < s.displayWidth() && r.Height()*4 < s.displayWidth()
}

// narrow reports whether the rectangle takes at most a third of the display's
// width and is no taller than it is wide.
func (s *Screen) narrow(r Rect) bool {
	return r.Width()*3 <= s.displayWidth() && r.Height() <= r.Width()
}

// wide reports whether the rectangle spans most of the display.
func (s *Screen) wide(r Rect) bool { return r.Width()*10 > s.displayWidth()*7 }

func (s *Screen) displayWidth() int {
	if s.Width > 0 {
		return s.Width
	}
	return 1080
}

// windowIsSmall reports whether a window leaves part of the display free, as
// dialogs and popups do.
func (s *Screen) windowIsSmall(w int32) bool {
	if int(w) >= len(s.Windows) {
		return false
	}
	b := s.Windows[w].Bounds
	switch {
	case b.Empty():
		return false
	case s.Width <= 0 || s.Height <= 0:
		return b.Left > 0 || b.Top > 0 // a dump of a dialog alone does not know the display
	}
	return b.Width()*100 < s.Width*97 || b.Height()*100 < s.Height*80
}

// classTail is the class name without its package.
func classTail(class string) string {
	return class[strings.LastIndexByte(class, '.')+1:]
}

// RoleOfClass infers a role from what a caller says of a control: its class,
// its own label, how many labels stand in it, and whether it answers a dialog.
func RoleOfClass(class, label string, labels int, dialog bool) risk.Role {
	labelled := label != "" || labels > 0
	n := Node{Class: class}
	if role, ok := roleOfClass(&n); ok {
		return role
	}
	tail := classTail(class)
	switch {
	case dialog:
		return risk.DialogButton
	case strings.HasSuffix(tail, "Button"), tail == "":
		if !labelled && tail != "" {
			return risk.IconButton
		}
		return risk.Button
	case strings.HasSuffix(tail, "ImageView"), tail == "Image":
		return risk.IconButton
	case labels > 1:
		return risk.Row
	case labelled && !isContent(label):
		return risk.Button
	}
	return risk.View
}
