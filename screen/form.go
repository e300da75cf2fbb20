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
		if !isField(n) || n.Flags.Has(Invisible) {
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
	lowest := int32(-1 << 30)
	buttons, below := 0, 0
	first, end := s.windowRange(node)
	for i := first; i < end; i++ {
		n := &s.Nodes[i]
		switch {
		case n.Bounds.Empty() || n.Flags.Has(Invisible) || i == node:
		case isField(n):
			lowest = max(lowest, n.Bounds.Bottom)
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
	p.FootOfForm = lowest > -1<<30 && b.Top >= lowest && below == 0
	return p
}

func (r Rect) width() int32 { return r.Right - r.Left }
