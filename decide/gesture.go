package decide

import (
	"strings"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// gestureWords are how labels ask for a slide or a hold, folded as
// lexicon.Fold does: such a control acts by the gesture.
var gestureWords = []string{
	"slide to", "slide right", "swipe to", "swipe right", "swipe up to", "drag to", "hold to",
	"press and hold", "hold down to", "long press to", "touch and hold", "glisser pour",
	"faites glisser", "maintenir pour", "wischen", "halten", "desliza", "deslice", "manten",
	"arrastra", "deslize", "arraste", "segure", "scorri per", "tieni premuto", "veeg", "houd",
	"przesun", "przesuń", "przytrzymaj", "проведите", "сдвиньте", "удерживайте", "смахните",
	"kaydir", "basili tut", "geser untuk", "tahan untuk", "vuot de", "vuốt để", "giu de", "giữ để",
	"滑动", "滑動", "长按", "長按", "按住", "スライドして", "長押し", "밀어서", "길게 눌러", "اسحب", "اضغط مطولا",
}

// asksForGesture reports whether a label tells to slide or hold.
func asksForGesture(label string) bool {
	if label == "" {
		return false
	}
	var buf [256]byte
	folded := string(lexicon.Fold(buf[:0], clip(label, 80)))
	for _, word := range gestureWords {
		if strings.Contains(folded, word) {
			return true
		}
	}
	return false
}

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
