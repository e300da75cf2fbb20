package decide

import (
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// slides reports whether a swipe that begins on the target works the control
// rather than scrolling: a slider, or a label that asks for the gesture.
func (j *judgement) slides() bool {
	t := &j.target
	if t.Role == risk.Slider || asksForGesture(t.Text) || asksForGesture(t.Description) {
		return true
	}
	for i := range t.Labels {
		if asksForGesture(t.Labels[i].Text) {
			return true
		}
	}
	return false
}

// touchSlop is how far apart in pixels the ends of a swipe may lie for Android
// to take it as a press: 8 density-independent pixels, on a dense screen.
const touchSlop = 32

// swipe tells a press, a slide along a control and a scroll apart.
func (j *judgement) swipe(a *risk.Action) {
	j.look()
	x, y, from := j.point(a, a.X, a.Y)
	x2, y2, to := j.point(a, a.X2, a.Y2)
	across, down := max(x2-x, x-x2), max(y2-y, y-y2)
	if !from || !to || across <= touchSlop && down <= touchSlop {
		j.asPress(a)
		return
	}
	j.category = risk.None
	if !j.hasTree() || j.ui.Problem != "" {
		j.rank() // a scroll needs no tree
		return
	}
	hit := j.hit(a)
	if hit.Node < 0 {
		j.rank()
		return
	}
	j.aim(hit)
	j.rank()
	if j.slides() {
		j.control()
		j.settle()
		return
	}
	sideways := across > 2*down
	if sideways && !j.ownSurface() {
		j.swipeRow(hit.Node)
		j.swipesAway(across)
	}
	if j.category == risk.None && j.staysOn(x2, y2, sideways) {
		j.asPress(a)
	}
}

// asPress judges a swipe as the press that Android makes of it.
func (j *judgement) asPress(a *risk.Action) {
	press := *a
	press.Kind, press.X2, press.Y2 = risk.Tap, nil, nil
	j.action = &press
	j.press()
}

// staysOn reports whether a finger that went down on the target and moves to a
// point is still on it, and nothing around it scrolls instead: a button is
// pressed wherever on it the finger comes up.
func (j *judgement) staysOn(x, y int, sideways bool) bool {
	t := &j.target
	b := t.Bounds
	on := x >= int(b.Left)-touchSlop && x < int(b.Right)+touchSlop && y >= int(b.Top)-touchSlop && y < int(b.Bottom)+touchSlop
	return on && t.Flags.Has(screen.Clickable) && t.Role != risk.TextField && !j.around().Scrolls(sideways)
}

// maxBehind bounds how far a row is searched for what a swipe would do to it.
const maxBehind = 40

// swipeRow judges a sideways swipe over a row: what lies behind it, hidden
// until then, says what the swipe does. Without such evidence it scrolls.
func (j *judgement) swipeRow(node int32) {
	parent := j.ui.Nodes[node].Parent
	if parent < 0 {
		return
	}
	row := j.target.Bounds
	for i := parent; i < min(j.ui.Nodes[parent].End, parent+maxBehind); i++ {
		n := &j.ui.Nodes[i]
		if i == node || n.Bounds.Intersect(row).Empty() && !n.Bounds.Empty() {
			continue
		}
		for _, s := range [...]saying{
			{signal: risk.SignalRow, text: n.Text}, {signal: risk.SignalRow, text: n.Description},
			{signal: risk.SignalResourceID, text: n.ResourceID},
		} {
			if s.text == "" {
				continue
			}
			r := j.label(s.signal, s.text, risk.IconButton)
			if r.Category == risk.Delete && r.Fit == lexicon.Whole || r.Category == risk.Delete && s.signal == risk.SignalResourceID {
				j.find(risk.Delete, &r, s.signal, s.text)
				return
			}
		}
	}
}
