package screen

// Around is a node in its surroundings: what it stands in, beside and above.
// Each question walks a part of the tree, so it is answered only when asked.
// The zero value is a node that nobody has seen: nothing is known to be true of
// it. An Around is a plain value, safe for concurrent use.
type Around struct {
	screen *Screen
	node   int32
}

// Around is a node with what is around it. A node that is not on the screen, or
// no screen at all, gives the zero value.
func (s *Screen) Around(node int32) Around {
	if s == nil || node < 0 || int(node) >= len(s.Nodes) {
		return Around{}
	}
	return Around{s, node}
}

// Label is what the node says, else the first thing said inside it.
func (a Around) Label() string {
	if a.screen == nil {
		return ""
	}
	return a.screen.firstLabel(a.node)
}

// Heading is the title of the page the node stands on: the text that stands
// highest in the upper half of its window and in no control, field or list.
func (a Around) Heading() string {
	if a.screen == nil {
		return ""
	}
	look := a.Look()
	return look.Heading()
}

// RowLabels are the labels of the row the node stands in, without its own. They
// tell one Delete button from the next.
func (a Around) RowLabels() []string {
	if a.screen == nil {
		return nil
	}
	return a.screen.rowLabels(a.node)
}

// Look gathers what stands around the node and can be seen.
func (a Around) Look() Surroundings {
	if a.screen == nil {
		return Surroundings{}
	}
	return a.screen.surroundings(a.node, false)
}

// BesideLabels are the labels of controls that share a line with the node, a
// few at most: the other answer to a question stands there.
func (a Around) BesideLabels() []string {
	if a.screen == nil {
		return nil
	}
	return a.screen.besideLabels(a.node)
}

// Ordinal is the place of the node among those of its window that are the same
// in class, id and labels and stand in rows that say the same, in document
// order from 0.
func (a Around) Ordinal() int {
	if a.screen == nil {
		return 0
	}
	return a.screen.ordinal(a.node)
}

// InList reports whether the node is an element of a list or grid.
func (a Around) InList() bool { return a.screen != nil && a.screen.inList(a.node) }

// Row is the element of a list that the node stands in, or is. It is false where
// the node is in none.
func (a Around) Row() (row Rect, ok bool) {
	if a.screen == nil {
		return Rect{}, false
	}
	return a.screen.listRow(a.node)
}

// InContent reports whether the node is part of what a list or a web page shows.
func (a Around) InContent() bool { return a.screen != nil && a.screen.isContentNode(a.node) }

// Scrolls reports whether something around the node takes a swipe that begins on
// it, sideways or up and down.
func (a Around) Scrolls(sideways bool) bool {
	return a.screen != nil && a.screen.scrolls(a.node, sideways)
}

// IsArea reports whether the node is larger than an icon.
func (a Around) IsArea() bool { return a.screen != nil && a.screen.isArea(a.node) }

// IsNarrow reports whether the node is too narrow to be a row or the main button
// of a page.
func (a Around) IsNarrow() bool {
	return a.screen != nil && a.screen.narrow(a.screen.Nodes[a.node].Bounds)
}

// IsTile reports whether the node is one of several pictures of one size with a
// label below each, none of them a button by its class: the way home pages offer
// what an app can do.
func (a Around) IsTile() bool { return a.screen != nil && a.screen.isTile(a.node) }

// IsIconTile reports whether the node has the shape of such a tile and a label
// for screen readers only, as where the toolkit draws everything itself.
func (a Around) IsIconTile() bool { return a.screen != nil && a.screen.isIconTile(a.node) }

// HoldsControls reports whether another node that takes touches stands inside.
func (a Around) HoldsControls() bool { return a.screen != nil && a.screen.holdsControls(a.node) }

// HoldsTickBox reports whether a box to tick stands inside.
func (a Around) HoldsTickBox() bool { return a.screen != nil && a.screen.holdsTickBox(a.node) }

// IsLone reports whether no other control with a label stands in the node's
// window: icons such as the arrow back do not count.
func (a Around) IsLone() bool { return a.screen != nil && a.screen.isLone(a.node) }

// IsOnlyControl reports whether nothing else in the node's window takes touches.
func (a Around) IsOnlyControl() bool { return a.screen != nil && a.screen.isOnlyControl(a.node) }

// IsOnlyAnswer reports whether the node stands on a dialog that holds no other
// control which says anything.
func (a Around) IsOnlyAnswer() bool { return a.screen != nil && a.screen.isOnlyAnswer(a.node) }
