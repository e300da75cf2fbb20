package lab

import (
	"strings"

	"github.com/countersign/countersign/screen"
)

// The kinds of change that matter: each makes the approved action another one.
const (
	changeRecipient   = "recipient or title"
	changeAmount      = "amount"
	changeText        = "text about to leave"
	changeLabel       = "control's label"
	changeID          = "control's id"
	changeRole        = "control's role"
	changeDialogTitle = "dialog's title"
	changeDialogText  = "dialog's message"
	changeDialogGone  = "dialog gone"
	changeChoice      = "choice in the dialog"
	changeApp         = "another app"
	changeMoved       = "another control in its place"
	changeCovered     = "another window on top"
	changeRow         = "control's row"
	changeOtherRow    = "another row in its place"
	changeTwin        = "another of identical rows"
)

// realChanges are all changes of a scene that matter.
func (s *scene) realChanges() []mutant {
	var list []mutant
	for _, e := range s.names {
		list = append(list, s.rewrite(changeRecipient, e, otherName)...)
	}
	for _, e := range s.sums {
		list = append(list, s.rewrite(changeAmount, e, otherSum(e.text()))...)
	}
	for _, e := range s.drafts {
		list = append(list, s.rewrite(changeText, e, otherText)...)
	}
	for _, e := range s.ownLabels() {
		list = append(list, s.rewrite(changeLabel, e, otherLabel)...)
	}
	for i, e := range s.question {
		kind := changeDialogText
		if i == 0 && len(s.question) > 1 {
			kind = changeDialogTitle
		}
		if i < 4 {
			list = append(list, s.rewrite(kind, e, otherText)...)
		}
	}
	for i, e := range s.inRow {
		if i < 4 {
			list = append(list, s.rewrite(changeRow, e, otherText)...)
		}
	}
	list = append(list, s.otherControls()...)
	list = append(list, s.otherWindows()...)
	return append(list, s.otherRows()...)
}

// otherControls change what the control is, or put another one in its place.
func (s *scene) otherControls() []mutant {
	t := s.control
	var list []mutant
	if t.ResourceID != "" {
		m := s.mutate(changeID, true, func(p *page) { p.find(s.target).ResourceID = t.Package + ":id/other_one" })
		m.was, m.is = t.ResourceID, t.Package+":id/other_one"
		list = append(list, m)
	}
	for _, class := range []string{"android.widget.Switch", "android.widget.CheckedTextView", "android.widget.Button"} {
		if class != t.Class {
			list = append(list, s.mutate(changeRole, true, func(p *page) { p.find(s.target).Class = class }))
		}
	}
	for _, o := range s.elsewhere() {
		if o.holds(t) || t.holds(o) || o.Package != t.Package {
			continue
		}
		swapped := func(p *page) {
			a, b := p.find(s.target), p.find(o.id)
			dx, dy := centre(o.Bounds, t.Bounds)
			b.shift(dx, dy)
			a.shift(-dx, -dy)
		}
		m := s.mutate(changeMoved, true, swapped)
		m.onlyPoint = true
		n := s.mutate(changeMoved, true, func(*page) {})
		n.onlyNode, n.lands = true, o.id
		return append(list, m, n)
	}
	return list
}

// centre is how far the middle of one rectangle is from that of another.
func centre(from, to screen.Rect) (dx, dy int32) {
	fx, fy := from.Center()
	x, y := to.Center()
	return int32(x - fx), int32(y - fy)
}

// elsewhere are the other controls of the window that say something.
func (s *scene) elsewhere() []*element {
	var list []*element
	for _, e := range s.visible {
		if e.id != s.target && e.Flags.Has(screen.Clickable) && !e.Flags.Has(screen.Editable) && e.text() != "" {
			list = append(list, e)
		}
	}
	return list
}

// otherWindows put another app in front, a window over the control, or take the
// dialog away.
func (s *scene) otherWindows() []mutant {
	t := s.control
	const app = "com.example.somebody.else"
	m := s.mutate(changeApp, true, func(p *page) {
		for _, e := range p.find(s.target).root().all() {
			if e.Package == t.Package {
				e.Package = app
			}
		}
	})
	m.app, m.was, m.is = app, t.Package, app
	list := []mutant{m}
	for _, pkg := range []string{t.Package, app} {
		if pkg == app && overApps(t.root()) {
			continue // no app's window lies over the system's, or over a keyboard
		}
		list = append(list, s.mutate(changeCovered, true, func(p *page) { s.cover(p, pkg) }))
	}
	if d := s.dialog; d != nil {
		m := s.mutate(changeDialogGone, true, func(p *page) {
			gone := p.find(d.id)
			up, place := gone.up, gone.place()
			b := gone.Bounds
			gone.drop()
			below := p.add(up, place, plain(t.Package, "FrameLayout", "", b))
			p.add(below, 0, plain(t.Package, "TextView", "Nothing is asked here", b))
		})
		m.lands, m.onlyPoint = -1, true
		list = append(list, m)
		for i, e := range d.all() {
			if e.Flags.Has(screen.Checkable) && e.id != s.target && e.shown() && !t.holds(e) && i < 200 {
				list = append(list, s.mutate(changeChoice, true, func(p *page) { p.find(e.id).Flags ^= screen.Checked }))
			}
		}
	}
	return list
}

// overApps reports whether a window lies over those of apps.
func overApps(root *element) bool {
	name := strings.ToLower(root.Package)
	return root.Package == statusBarPackage || strings.Contains(name, "inputmethod") || strings.Contains(name, "keyboard") || strings.Contains(name, "swiftkey")
}

// cover puts a small window of an app over the control.
func (s *scene) cover(p *page, pkg string) {
	x, y := s.control.Bounds.Center()
	cx, cy := int32(x), int32(y)
	b := screen.Rect{Left: cx - 60, Top: cy - 40, Right: cx + 60, Bottom: cy + 40}
	answer := plain(pkg, "Button", "Update now", screen.Rect{Left: cx - 50, Top: cy - 20, Right: cx + 50, Bottom: cy + 30})
	answer.Flags |= screen.Clickable
	p.add(&p.top, 0, plain(pkg, "FrameLayout", "", b),
		plain(pkg, "TextView", "A new version is there", screen.Rect{Left: cx - 60, Top: cy - 40, Right: cx + 60, Bottom: cy - 20}), answer)
}

// otherRows let the action land on the same control of another row.
func (s *scene) otherRows() []mutant {
	row, t := s.row, s.control
	if row == nil {
		return nil
	}
	var list []mutant
	for _, sibling := range row.up.kids {
		if sibling == row || sibling.Bounds.Empty() || sibling.holds(t) {
			continue
		}
		other := alike(sibling, t)
		if other == nil || saysSame(sibling, row) {
			continue
		}
		m := s.mutate(changeOtherRow, true, func(p *page) {
			dx, dy := centre(other.Bounds, t.Bounds)
			for _, kid := range p.find(row.id).up.kids {
				kid.shift(dx, dy)
			}
		})
		m.lands = other.id
		list = append(list, m)
		break
	}
	return append(list, s.twins(row)...)
}

// twins are two rows with nothing to tell them apart, of which the one is
// approved and the other one pressed.
func (s *scene) twins(row *element) []mutant {
	height := int32(row.Bounds.Height())
	if row.Bounds.Top < height {
		return nil // it would leave the display
	}
	base := s.page.copy()
	twin := base.twin(base.find(row.id))
	t, other := base.find(s.target), (*element)(nil)
	for i, e := range base.find(row.id).all() {
		if e == t {
			other = twin.all()[i]
		}
	}
	for _, kid := range twin.up.kids[twin.place():] {
		kid.shift(0, height)
	}
	fresh := base.copy()
	for _, kid := range fresh.find(row.id).up.kids {
		kid.shift(0, -height)
	}
	return []mutant{{kind: changeTwin, real: true, base: base, fresh: fresh, lands: other.id}}
}

// alike is the control in an element that is of the same kind as another, nil
// where there is none.
func alike(e, t *element) *element {
	var found *element
	e.walk(func(x *element) bool {
		if x.alike(t) {
			found = x
		}
		return found == nil
	})
	return found
}

func saysSame(a, b *element) bool {
	said := func(e *element) (list []string) {
		for _, x := range e.all() {
			list = append(list, x.text())
		}
		return list
	}
	x, y := said(a), said(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}
