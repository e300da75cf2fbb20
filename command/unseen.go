package command

import (
	"math"
	"strings"
)

// unseen marks the presses of a line that land on a screen nobody has looked
// at, because something before them in the line changed it: "am start" and then
// "input tap", or TAB and then ENTER. Judged on the screen of now, such a press
// may be another one than it will be, so an effect that is not known is put
// beside it.
//
// So it is where a press waits for something else than the line's own acts: behind
// "sleep 60", in a trap, under watch. Who moves about meanwhile chooses where it
// lands.
//
// In a line whose parts may run again, or at the same time, or later than where
// they stand, there is no before: any change counts.
func (r *reader) unseen() {
	changes := 0
	for i := range r.effects {
		if changesScreen(&r.effects[i]) {
			changes++
		}
	}
	changed := r.repeats && changes > 0 || r.unordered && changes > 1
	out := make([]Effect, 0, len(r.effects))
	var last *Press
	for _, e := range r.effects {
		late := e.late
		e.late = false
		out = append(out, e)
		changes := changesScreen(&e)
		if (changed && changes || late) && e.Press != nil && !continuesPress(last, e.Press) {
			out = append(out, Effect{Code: codeUnseen, Term: e.Term, Start: e.Start, End: e.End,
				Object: r.script[min(e.Start, len(r.script)):min(e.End, len(r.script))]})
		}
		changed = changed || changes
		last = e.Press
	}
	r.effects = out
}

// changesScreen reports whether an effect may leave another screen, or another
// focus, than it found. Typing without a line break stays in its field.
func changesScreen(e *Effect) bool {
	if e.Press != nil {
		return e.Press.Kind != PressType || strings.ContainsAny(e.Press.Text, "\r\n")
	}
	if e.Category.Risky() {
		return true
	}
	switch e.Code {
	case codeNavigate, codeLaunch, codeCompose, codeWebLink:
		return true
	}
	return false
}

// continuesPress reports whether a press goes on with the one right before it:
// the second half of a double tap, the next part of one touch.
func continuesPress(before, p *Press) bool {
	if before == nil || before.Display != p.Display {
		return false
	}
	switch {
	case before.Kind == PressTap && p.Kind == PressTap:
		return math.Hypot(float64(p.X-before.X), float64(p.Y-before.Y)) <= tapSlop &&
			before.Duration == 0 && p.Duration == 0
	case before.Kind == PressDown || before.Kind == PressMove:
		return p.Kind == PressMove || p.Kind == PressUp
	}
	return false
}
