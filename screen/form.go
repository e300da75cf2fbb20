package screen

import (
	"iter"
	"strings"
)

// A Form is what stands in the fields of a target's window.
type Form struct {
	// Fields are the fields other than the target, the one nearest to it first.
	Fields []Field
	// Password says that one of them takes a secret, FilledPassword that one is typed.
	Password, FilledPassword bool
}

// A Field takes typed text, or a choice from a list.
type Field struct {
	// Text is what is typed or chosen, empty for an empty field and for secrets.
	Text string
	// Hint and ID say what the field is for.
	Hint, ID string
	Password bool
}

// Draft is the text of the nearest field that holds some, "" where none does.
func (f *Form) Draft() string {
	for i := range f.Fields {
		if f.Fields[i].Text != "" {
			return f.Fields[i].Text
		}
	}
	return ""
}

// Place is where a target stands. Everything in it can only make a control
// that says nothing more suspicious, so that more neighbours never clear one.
type Place struct {
	// BesideFilled says that the target stands right after a text field with
	// text in it, on the same line.
	BesideFilled bool
	// FootOfForm says that it stands closely below a text field.
	FootOfForm bool
	// CloseToField says that hardly any room is left between it and the field
	// above it, or that it shares a line with one: so the form's own button stands.
	CloseToField bool
	// NearField says that a text field lies within reach above or below it.
	NearField bool
	// BelowFilled says that a field with text in it stands above it, however far.
	BelowFilled bool
	// AboveForm says that it ends above the first text field of its window.
	AboveForm bool
}

// maxFields bounds how many fields are kept.
const maxFields = 32

// form looks at the fields of the target's window.
func (s *Screen) form(node int32) Form {
	var f Form
	nearest := int32(1 << 30)
	first, end := s.windowRange(node)
	for i := first; i < end && len(f.Fields) < maxFields; i++ {
		n := &s.Nodes[i]
		if i == node || n.Flags.Has(Invisible) || !isField(n) && !picksOne(n) {
			continue
		}
		field := Field{Hint: n.purpose(), ID: n.ResourceID, Password: n.Flags.Has(Password)}
		switch {
		case field.Password:
			f.Password = true
			f.FilledPassword = f.FilledPassword || n.Holds()
		case n.Holds():
			field.Text = n.Text
		}
		f.Fields = append(f.Fields, field)
		if d := fieldDistance(n.Bounds, s.Nodes[node].Bounds); d < nearest {
			nearest = d
			last := len(f.Fields) - 1
			f.Fields[0], f.Fields[last] = f.Fields[last], f.Fields[0]
		}
	}
	return f
}

// purpose is what a field says it is for.
func (n *Node) purpose() string {
	if n.Hint != "" {
		return n.Hint
	}
	return n.Description
}

// controls yields the other controls of a node's window that touch nothing of it.
func (s *Screen) controls(node int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		first, end := s.windowRange(node)
		for i := first; i < end; i++ {
			if i != node && s.ownsTouch(i) && !s.holds(i, node) && !s.holds(node, i) && !yield(i) {
				return
			}
		}
	}
}

// isLone reports whether no other control with a label stands in the node's
// window: icons such as the arrow back do not count.
func (s *Screen) isLone(node int32) bool {
	for other := range s.controls(node) {
		if s.hasText(other) {
			return false
		}
	}
	return true
}

// hasText reports whether a control says something that is no icon's name.
func (s *Screen) hasText(node int32) bool {
	for i := node; i < s.Nodes[node].End; i++ {
		n := &s.Nodes[i]
		if n.Text != "" || n.Description != "" && !s.small(n.Bounds) {
			return true
		}
	}
	return false
}

// isOnlyControl reports whether nothing else in the node's window takes touches.
func (s *Screen) isOnlyControl(node int32) bool {
	for range s.controls(node) {
		return false
	}
	return true
}

// besideLabels are the labels of controls that share a line with a node.
func (s *Screen) besideLabels(node int32) []string {
	var labels []string
	for other := range s.controls(node) {
		if !sameLine(s.Nodes[other].Bounds, s.Nodes[node].Bounds) {
			continue
		}
		if label := s.firstLabel(other); label != "" && len(labels) < maxBeside {
			labels = append(labels, label)
		}
	}
	return labels
}

// maxBeside bounds how many controls of a line are looked at.
const maxBeside = 8

func (s *Screen) windowRange(node int32) (first, end int32) {
	w := s.Nodes[node].Window
	if int(w) < len(s.Windows) && node >= s.Windows[w].First && node < s.Windows[w].End {
		return s.Windows[w].First, s.Windows[w].End
	}
	return 0, int32(len(s.Nodes))
}

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
	return n.Text != "" && n.Text != n.Hint && (n.Hint != "" || n.Text != n.Description)
}

// fieldDistance is how far a field is from a control, down and across; a field
// below the control is further away than any above it.
func fieldDistance(field, control Rect) int32 {
	d := control.Top - field.Bottom
	switch {
	case sameLine(field, control):
		d = max(0, control.Left-field.Right, field.Left-control.Right) / 8
	case d < 0:
		d = 1<<20 - d
	}
	return d
}

func sameLine(a, b Rect) bool { return a.Top < b.Bottom && b.Top < a.Bottom }

// place looks at where the target stands among the fields.
func (s *Screen) place(node int32) Place {
	var p Place
	b := s.Nodes[node].Bounds
	reach := int32(s.displayWidth() / 3)
	highest := int32(1 << 30)
	first, end := s.windowRange(node)
	for i := first; i < end; i++ {
		n := &s.Nodes[i]
		if !isField(n) && !picksOne(n) || i == node || n.Bounds.Empty() || n.Flags.Has(Invisible) {
			continue
		}
		f := n.Bounds
		highest = min(highest, f.Top)
		p.BelowFilled = p.BelowFilled || n.Holds() && b.Top >= f.Bottom
		if n.Holds() && sameLine(f, b) && f.Right <= (b.Left+b.Right)/2 {
			p.BesideFilled = true
		}
		if gap := b.Top - f.Bottom; gap >= 0 {
			p.FootOfForm = p.FootOfForm || gap <= reach
			p.CloseToField = p.CloseToField || gap <= reach*3/8
		}
		p.CloseToField = p.CloseToField || sameLine(f, b)
		p.NearField = p.NearField || b.Top-f.Bottom <= reach && f.Top-b.Bottom <= reach
	}
	p.AboveForm = highest < 1<<30 && b.Bottom <= highest
	return p
}
