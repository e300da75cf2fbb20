package screen

import "strings"

// A Form is what stands in the text fields around a target.
type Form struct {
	// Fields counts the text fields of the window, Filled those that hold text.
	Fields, Filled int
	// Password says that one of them takes a secret, FilledPassword that one is typed.
	Password, FilledPassword bool
	// Draft is the text of the field nearest to the target, never a secret.
	Draft string
	// DraftHint, DraftID and DraftLabel say what that field is for.
	DraftHint, DraftID string
	// MultiLine says that this field takes several lines, as messages do.
	MultiLine bool
}

// Place is where a target stands, for nodes that say nothing themselves.
type Place struct {
	// BesideField says that the target stands right after a text field on the
	// same line; BesideFilled that this field holds text.
	BesideField, BesideFilled bool
	// InField says that it stands inside the bounds of a text field, as the
	// cross that empties it does.
	InField bool
	// AboveForm says that it ends above the first text field of its window.
	AboveForm bool
	// FootOfForm says that it is the last and only control below text fields.
	FootOfForm bool
	// Lone says that it is the only button of its window.
	Lone bool
}

// form looks at the text fields of the target's window.
func (s *Screen) form(node int32) Form {
	var f Form
	nearest, distance := int32(-1), int32(1<<30)
	first, end := s.windowRange(node)
	for i := first; i < end; i++ {
		n := &s.Nodes[i]
		if n.Flags.Has(Invisible) || !isField(n) {
			if picksOne(n) {
				f.Fields++
			}
			continue
		}
		f.Fields++
		filled := n.Holds()
		if filled {
			f.Filled++
		}
		if n.Flags.Has(Password) {
			f.Password = true
			f.FilledPassword = f.FilledPassword || filled
			continue
		}
		if d := fieldDistance(n.Bounds, s.Nodes[node].Bounds); d < distance {
			nearest, distance = i, d
		}
	}
	if nearest >= 0 && nearest != node {
		n := &s.Nodes[nearest]
		f.DraftHint, f.DraftID, f.MultiLine = n.Hint, n.ResourceID, n.Flags.Has(MultiLine)
		if f.DraftHint == "" {
			f.DraftHint = n.Description
		}
		if n.Holds() {
			f.Draft = n.Text
		}
	}
	return f
}

func (s *Screen) windowRange(node int32) (first, end int32) {
	w := s.Nodes[node].Window
	if int(w) < len(s.Windows) && s.holdsNode(w, node) {
		return s.Windows[w].First, s.Windows[w].End
	}
	return 0, int32(len(s.Nodes))
}

func (s *Screen) holdsNode(w, node int32) bool {
	return node >= s.Windows[w].First && node < s.Windows[w].End
}

// Rivals are the controls that stand between the last field of a form and the
// node: where there is one that submits the form as well, it comes first and
// the node is the link below it.
func (s *Screen) Rivals(node int32) []int32 {
	first, end := s.windowRange(node)
	lowest := int32(-1 << 30)
	for i := first; i < end; i++ {
		if n := &s.Nodes[i]; isField(n) && !n.Bounds.Empty() && !n.Flags.Has(Invisible) {
			lowest = max(lowest, n.Bounds.Top)
		}
	}
	b := s.Nodes[node].Bounds
	var rivals []int32
	for i := first; i < end && len(rivals) < maxRivals; i++ {
		n := &s.Nodes[i]
		if i == node || !n.TakesTouch() || isField(n) || isToggle(n) || n.Bounds.Empty() ||
			s.holds(i, node) || s.holds(node, i) {
			continue
		}
		if n.Bounds.Top >= lowest && (n.Bounds.Top < b.Top || n.Bounds.Top == b.Top && n.Bounds.Left < b.Left) {
			rivals = append(rivals, i)
		}
	}
	return rivals
}

// maxRivals bounds how many controls of a form are compared with one.
const maxRivals = 8

// Label is what a node says, else the first thing said inside it.
func (s *Screen) Label(node int32) string { return s.firstLabel(node) }

// picksOne reports whether a node is a field whose value is chosen from a list.
func picksOne(n *Node) bool { return strings.HasSuffix(n.Class, "Spinner") }

// isField reports whether a node takes typed text.
func isField(n *Node) bool {
	return n.Flags.Has(Editable) || strings.HasSuffix(n.Class, "EditText") ||
		strings.HasSuffix(n.Class, "AutoCompleteTextView")
}

// Holds reports whether a field holds typed text. Android shows the hint as
// the text of an empty field, and old dumps have no hint attribute: there a
// text equal to the description is taken for the hint.
func (n *Node) Holds() bool {
	return n.Text != "" && n.Text != n.Hint && n.Text != n.Description
}

// fieldDistance is how far a field is from a control, down and across; a field
// below the control is further away than any above it.
func fieldDistance(field, control Rect) int32 {
	d := control.Top - field.Bottom
	switch {
	case field.Top < control.Bottom && control.Top < field.Bottom:
		d = max(0, control.Left-field.Right, field.Left-control.Right) / 8 // the same line
	case d < 0:
		d = 1<<20 - d
	}
	return d
}

// place looks at where the target stands among fields and buttons.
func (s *Screen) place(node int32, t *Target) Place {
	var p Place
	b := s.Nodes[node].Bounds
	lowest, highest := int32(-1<<30), int32(1<<30)
	buttons, below := 0, 0
	first, end := s.windowRange(node)
	for i := first; i < end; i++ {
		n := &s.Nodes[i]
		switch {
		case n.Bounds.Empty() || n.Flags.Has(Invisible) || i == node:
		case isField(n):
			lowest, highest = max(lowest, n.Bounds.Bottom), min(highest, n.Bounds.Top)
			if x, y := b.Center(); n.Bounds.Contains(x, y) {
				p.InField = true
			}
			if n.Bounds.Top < b.Bottom && b.Top < n.Bounds.Bottom && n.Bounds.Right <= b.Left+b.width()/2 {
				p.BesideField = true
				p.BesideFilled = p.BesideFilled || n.Holds()
			}
		case n.Flags.Has(Clickable) && !s.holds(i, node) && !s.holds(node, i):
			buttons++
			if n.Bounds.Top >= b.Top {
				below++
			}
		}
	}
	p.Lone = buttons == 0
	p.AboveForm = highest < 1<<30 && b.Bottom <= highest
	p.FootOfForm = lowest > -1<<30 && b.Top >= lowest && below == 0
	return p
}

func (r Rect) width() int32 { return r.Right - r.Left }
