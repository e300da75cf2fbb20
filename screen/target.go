package screen

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// Bounds on what is gathered around a target, so that a hostile tree costs no
// more than an honest one.
const (
	maxLabels    = 24
	maxChildIDs  = 12
	maxAncestors = 12
)

// A Target is a node with its signals: what it says itself, what the labels
// that belong to it say, and where it stands. It is plain data and read-only
// after Screen.Target returned it.
type Target struct {
	// Node is the index in Screen.Nodes, -1 for a target the caller described.
	Node        int32
	Text        string
	Description string
	ResourceID  string
	Class       string
	Hint        string
	Package     string
	Bounds      Rect
	Flags       Flags
	Role        risk.Role
	WindowKind  WindowKind
	WindowTitle string

	// Labels are those of descendants that are not inside another clickable
	// node: they belong to the target, in document order.
	Labels []Label
	// ChildIDs are the resource ids of those descendants.
	ChildIDs []string
	// AncestorID is the nearest ancestor's resource id, AncestorLabel the label
	// of an enclosing clickable node where the target itself is not clickable.
	AncestorID    string
	AncestorLabel string
	// RowTitle is the title of the row that a switch or checkbox sits in.
	RowTitle string

	Dialog Dialog
	Form   Form
	Place  Place
}

// A Label is text of a descendant that belongs to a target.
type Label struct {
	Text string
	// Button says that the node carrying it is a button by its class.
	Button bool
}

// Labelled reports whether the target or a descendant of its says anything.
func (t *Target) Labelled() bool {
	return t.Text != "" || t.Description != "" || len(t.Labels) > 0
}

// HideSecret takes the text of a password field away, and a description that
// repeats it: a typed secret is never a label.
func (t *Target) HideSecret() {
	if !t.Flags.Has(Password) {
		return
	}
	if t.Description == t.Text {
		t.Description = ""
	}
	t.Text = ""
}

// Target gathers the signals of a node. A node that does not take touches
// itself but stands inside one that does is judged as the outer one: that is
// where the finger lands.
func (s *Screen) Target(node int32) Target {
	node = s.pressed(node)
	n := &s.Nodes[node]
	t := Target{
		Node: node, Text: n.Text, Description: n.Description, ResourceID: n.ResourceID,
		Class: n.Class, Hint: n.Hint, Package: n.Package, Bounds: n.Bounds, Flags: n.Flags,
	}
	t.HideSecret()
	if int(n.Window) < len(s.Windows) {
		t.WindowKind, t.WindowTitle = s.Windows[n.Window].Kind, s.Windows[n.Window].Title
	}
	if !n.Flags.Has(Editable) {
		t.Labels, t.ChildIDs = s.belongings(node)
	}
	t.AncestorID = s.ancestorID(node)
	t.Role = s.role(node, &t)
	if t.Role == risk.Switch && !isToggle(n) && s.holdsChecked(node) {
		t.Flags |= Checked // the row's state is that of the switch in it
	}
	t.RowTitle = s.rowTitle(node, &t)
	t.Dialog = s.dialog(node)
	t.Form = s.form(node)
	t.Place = s.place(node)
	return t
}

// pressed climbs from a node that takes no touch to the nearest ancestor that
// does, unless the node has a label of its own and that ancestor is a large
// container with other labels: a row's text is the row, a page's link is not
// the page.
func (s *Screen) pressed(node int32) int32 {
	if s.takesTouch(node) {
		return node
	}
	own := s.Nodes[node].Text != "" || s.Nodes[node].Description != ""
	for p, up := s.Nodes[node].Parent, 0; p >= 0 && up < maxAncestors; p, up = s.Nodes[p].Parent, up+1 {
		if !s.takesTouch(p) {
			continue
		}
		if own && s.labelCount(p, 8) >= 8 {
			return node
		}
		return p
	}
	return node
}

// holdsChecked reports whether the switches in a row are on, all that are seen.
func (s *Screen) holdsChecked(node int32) bool {
	on := false
	for i := node + 1; i < s.Nodes[node].End; i++ {
		n := &s.Nodes[i]
		if !isToggle(n) || n.Flags.Has(Invisible) || n.Bounds.Empty() {
			continue
		}
		if !n.Flags.Has(Checked) {
			return false
		}
		on = true
	}
	return on
}

// labelCount counts labels in a subtree, up to a bound.
func (s *Screen) labelCount(node int32, bound int) int {
	count := 0
	for i := node; i < s.Nodes[node].End && count < bound; i++ {
		if s.Nodes[i].Text != "" || s.Nodes[i].Description != "" {
			count++
		}
	}
	return count
}

// belongings gathers the labels and ids of descendants, leaving out the
// subtrees of other nodes that take touches: their labels are theirs.
func (s *Screen) belongings(node int32) (labels []Label, ids []string) {
	for i := node + 1; i < s.Nodes[node].End; {
		n := &s.Nodes[i]
		if s.ownsTouch(i) {
			i = n.End
			continue
		}
		if !n.Flags.Has(Invisible) && len(labels) < maxLabels {
			button := strings.HasSuffix(n.Class, "Button")
			if n.Text != "" && !n.Flags.Has(Password) {
				labels = append(labels, Label{Text: n.Text, Button: button})
			}
			if n.Description != "" && n.Description != n.Text {
				labels = append(labels, Label{Text: n.Description, Button: button})
			}
		}
		if n.ResourceID != "" && len(ids) < maxChildIDs {
			ids = append(ids, n.ResourceID)
		}
		i++
	}
	return labels, ids
}

// ownsTouch reports whether a descendant takes touches for itself. A checkable
// node that is not clickable is the state of the row around it.
func (s *Screen) ownsTouch(i int32) bool {
	return s.Nodes[i].Flags&(Clickable|LongClickable|Editable) != 0 && !s.Nodes[i].Bounds.Empty()
}

// isArea reports whether a node is larger than an icon.
func (s *Screen) isArea(node int32) bool { return !s.small(s.Nodes[node].Bounds) }

// isTile reports whether a node is one of several pictures of one size with a
// label below each, none of them a button by its class: the way home pages
// offer what an app can do. A button with a picture on it stands alone.
func (s *Screen) isTile(node int32) bool {
	n := &s.Nodes[node]
	if strings.HasSuffix(n.Class, "Button") || n.Bounds.Width()*5 > s.displayWidth()*2 {
		return false
	}
	pictures, labels := 0, 0
	for i := node + 1; i < n.End; i++ {
		switch c := &s.Nodes[i]; {
		case c.label() != "":
			labels++
		case strings.HasSuffix(c.Class, "ImageView") || c.Class == "android.widget.Image":
			pictures++
		}
	}
	return pictures > 0 && labels > 0 && s.isOneOfMany(node)
}

// isIconTile reports whether a node has the shape of such a tile and a label
// for screen readers only, as where the toolkit draws everything itself.
func (s *Screen) isIconTile(node int32) bool {
	n := &s.Nodes[node]
	return n.Text == "" && n.Description != "" && s.narrow(n.Bounds) &&
		n.Bounds.Height()*20 >= n.Bounds.Width()*9 && s.isOneOfMany(node)
}

// isOneOfMany reports whether at least two other controls of the node's window
// have its size and stand in a line or a column with it.
func (s *Screen) isOneOfMany(node int32) bool {
	first, end := s.windowRange(node)
	b, alike := s.Nodes[node].Bounds, 0
	for i := first; i < end && alike < 2; i++ {
		o := s.Nodes[i].Bounds
		if i != node && s.ownsTouch(i) && near(o.Width(), b.Width()) && near(o.Height(), b.Height()) && (near(int(o.Top), int(b.Top)) || near(int(o.Left), int(b.Left))) {
			alike++
		}
	}
	return alike == 2
}

// near allows for the pixel that rounding takes or gives.
func near(a, b int) bool { return max(a-b, b-a) <= 2 }

// isContentNode reports whether a node is part of what a list or a web page shows.
func (s *Screen) isContentNode(node int32) bool {
	if s.inList(node) {
		return true
	}
	for p := s.Nodes[node].Parent; p >= 0; p = s.Nodes[p].Parent {
		if isWebView(s.Nodes[p].Class) {
			return true
		}
	}
	return false
}

// holdsControls reports whether another node that takes touches stands inside.
func (s *Screen) holdsControls(node int32) bool { return s.controlCount(node, 1) > 0 }

// holdsTickBox reports whether a box to tick stands inside.
func (s *Screen) holdsTickBox(node int32) bool {
	for i := node + 1; i < s.Nodes[node].End; i++ {
		if isToggle(&s.Nodes[i]) {
			return true
		}
	}
	return false
}

func (s *Screen) ancestorID(node int32) string {
	for p, up := s.Nodes[node].Parent, 0; p >= 0 && up < maxAncestors; p, up = s.Nodes[p].Parent, up+1 {
		if id := s.Nodes[p].ResourceID; id != "" {
			return id
		}
	}
	return ""
}

// rowTitle is the title of the row a switch or checkbox stands in: its own
// label where that is more than a state, else the first label of the nearest
// ancestor that has one.
func (s *Screen) rowTitle(node int32, t *Target) string {
	if t.Role != risk.Switch && t.Role != risk.Checkbox {
		return ""
	}
	if len(t.Labels) > 0 {
		return t.Labels[0].Text
	}
	row := s.Nodes[node].Parent
	for up := 0; row >= 0 && up < 4; row, up = s.Nodes[row].Parent, up+1 {
		for i := row + 1; i < s.Nodes[row].End; i++ {
			if i == node {
				continue
			}
			if label := s.Nodes[i].label(); label != "" && !isToggle(&s.Nodes[i]) {
				return label
			}
		}
	}
	return ""
}

// label is the node's text, else its description; of a field with a secret the
// description alone, where that does not repeat it.
func (n *Node) label() string {
	secret := n.Flags.Has(Password)
	switch {
	case n.Text != "" && !secret:
		return n.Text
	case secret && n.Description == n.Text:
		return ""
	}
	return n.Description
}
