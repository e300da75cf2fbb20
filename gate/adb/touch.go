package adb

import (
	"strings"
	"time"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// How long the parts of one act may lie apart.
const (
	doubleWithin  = 300 * time.Millisecond // two taps that are a double tap (ViewConfiguration)
	burstWithin   = 3 * time.Second        // one piece of typed text and the next
	burstFor      = 10 * time.Second       // the first piece and the last on one look
	gestureWithin = 10 * time.Second       // a finger that is down
	maxBurst      = 256                    // pieces that one look, or one answer, covers
	touchSlop     = 32                     // pixels, as in package decide
)

// touch is what is under way on the screen, piece by piece.
type touch struct {
	down   *finger
	typing *burst
	tapped *tap
}

// finger is a touch that is sent in parts.
type finger struct {
	x, y, display int
	at            time.Time
	moves         uint64
	view          *decide.Screen
	// agreed says that a person said yes to what this touch does; nothing more is
	// asked about it.
	agreed bool
}

// burst is text that comes in pieces.
type burst struct {
	display int
	began   time.Time
	at      time.Time
	moves   uint64
	pieces  int
	view    *decide.Screen
	agreed  bool
}

// tap is the last one, if it was let through without asking.
type tap struct {
	x, y, display int
	at            time.Time
	moves         uint64
	view          *decide.Screen
}

// viewed is what an act was let through on.
type viewed struct {
	view  *decide.Screen
	asked bool
}

// planPress makes the act of a single press: parts of one touch, of one text and
// of a double tap are one decision.
func (d *Device) planPress(a act, p *command.Press) act {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch p.Kind {
	case command.PressDown:
		d.touch.down = nil
		a.passed = func(v *viewed) {
			d.touch.down = &finger{x: p.X, y: p.Y, display: p.Display, at: d.now(), moves: d.moves, view: v.view, agreed: v.asked}
		}
	case command.PressMove, command.PressUp:
		return d.planFinger(a, p)
	case command.PressType:
		return d.planTyping(a, p)
	case command.PressTap:
		return d.planTap(a, p)
	}
	return a
}

// planFinger makes the act of a finger that is down and moves or comes up. Where it
// stays it goes on with what was decided when it went down; elsewhere it is a
// swipe from there.
func (d *Device) planFinger(a act, p *command.Press) act {
	f := d.touch.down
	if f == nil || f.display != p.Display || f.moves != d.moves || d.now().Sub(f.at) > gestureWithin {
		return a
	}
	if p.Kind == command.PressUp {
		d.touch.down = nil // whatever becomes of it
	}
	if f.agreed || near(f.x, f.y, p.X, p.Y) {
		// The window that got the finger gets all of its touch, so this is what was
		// decided about then.
		a.action = risk.Action{Kind: risk.Scroll, Text: a.action.Shell}
		a.sight, a.passed = sightNone, func(*viewed) { f.moves = d.moves }
		return a
	}
	x, y, x2, y2 := f.x, f.y, p.X, p.Y
	a.action = risk.Action{Kind: risk.Swipe, X: &x, Y: &y, X2: &x2, Y2: &y2}
	a.view = f.view
	a.passed = func(v *viewed) { f.moves, f.agreed = d.moves, f.agreed || v.asked }
	return a
}

// planTyping makes the act of a piece of text: in a burst the first look is good
// for all, since typing changes nothing but its field, and so is a yes.
func (d *Device) planTyping(a act, p *command.Press) act {
	b, now := d.touch.typing, d.now()
	if b != nil && (b.display != p.Display || b.moves != d.moves || b.pieces >= maxBurst ||
		now.Sub(b.at) > burstWithin || now.Sub(b.began) > burstFor) || strings.ContainsAny(p.Text, "\r\n\t") {
		b, d.touch.typing = nil, nil
	}
	if b != nil && b.agreed && strings.Contains(p.Text, " ") {
		b, d.touch.typing = nil, nil // it presses, where the focus is on no field
	}
	switch {
	case b == nil:
		b = &burst{display: p.Display, began: now}
	case b.agreed:
		// Nothing of it is written down: it may be the rest of a secret.
		a.action = risk.Action{Kind: risk.TypeText, Text: strings.Repeat("•", len([]rune(p.Text)))}
		a.sight = sightNone
	default:
		a.view = b.view
	}
	a.passed = func(v *viewed) {
		if v.view != nil {
			b.view = v.view
		}
		b.agreed = b.agreed || v.asked && !strings.ContainsAny(p.Text, " \r\n\t")
		b.at, b.moves, b.pieces = d.now(), d.moves, b.pieces+1
		d.touch.typing = b
	}
	return a
}

// planTap makes the act of a tap. The second of a double tap is judged on the look
// of the first, unless that one was asked about.
func (d *Device) planTap(a act, p *command.Press) act {
	t := d.touch.tapped
	d.touch.tapped = nil
	if p.Duration > 0 {
		return a
	}
	if t != nil && t.display == p.Display && t.moves == d.moves && near(t.x, t.y, p.X, p.Y) && d.now().Sub(t.at) <= doubleWithin {
		a.view = t.view
		return a
	}
	a.passed = func(v *viewed) {
		if !v.asked {
			d.touch.tapped = &tap{x: p.X, y: p.Y, display: p.Display, at: d.now(), moves: d.moves, view: v.view}
		}
	}
	return a
}

// near reports whether two points are one to Android.
func near(x, y, x2, y2 int) bool {
	return max(x-x2, x2-x) <= touchSlop && max(y-y2, y2-y) <= touchSlop
}
