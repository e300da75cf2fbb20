package phone

import (
	"fmt"
	"image"
	"strconv"
	"time"
)

// The phone's measures of what a finger does, as ViewConfiguration has them.
const (
	longPress = 500 * time.Millisecond
	touchSlop = 8 // dp
)

// Motion kinds, as "input motionevent" names them.
const (
	Down   = "DOWN"
	Move   = "MOVE"
	Up     = "UP"
	Cancel = "CANCEL"
)

// stroke is a finger from where it came down to where it is.
type stroke struct {
	from, to image.Point
	began    time.Time
	// far says that it has once left the touch slop: it is no tap any more.
	far bool
	// held says that it was a long press already, before it was lifted.
	held bool
}

// Tap touches a point, in pixels of the display as it is rotated now, and lifts
// the finger again.
func (p *Phone) Tap(x, y int) {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "tap", Detail: fmt.Sprintf("%d,%d", x, y)})
	p.gesture(stroke{from: image.Pt(x, y), to: image.Pt(x, y)}, 0)
}

// LongPress holds a point for a time. Shorter than the phone's long-press time
// of 500 ms is a tap.
func (p *Phone) LongPress(x, y int, d time.Duration) {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "longpress", Detail: fmt.Sprintf("%d,%d %dms", x, y, d.Milliseconds())})
	p.gesture(stroke{from: image.Pt(x, y), to: image.Pt(x, y)}, d)
}

// Swipe drags from one point to another. As on a phone, one that stays within
// the touch slop of 8 dp is a tap or, from 500 ms on, a long press; one along a
// slider moves it; any other scrolls what lies under its beginning, or swipes a
// row away that can be.
func (p *Phone) Swipe(x1, y1, x2, y2 int, d time.Duration) {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "swipe", Detail: fmt.Sprintf("%d,%d %d,%d %dms", x1, y1, x2, y2, d.Milliseconds())})
	p.gesture(stroke{from: image.Pt(x1, y1), to: image.Pt(x2, y2)}, d)
}

// lock takes the phone's lock. A finger that has lain still for the time of a
// long press by then has pressed long, whether it is lifted or not.
func (p *Phone) lock() {
	p.mu.Lock()
	if p.finger == nil || p.finger.far || p.finger.held || p.asleep || p.options.Now().Sub(p.finger.began) < longPress {
		return
	}
	if w, v := p.hit(p.finger.from); w != nil && v != nil && v.longClickable && !v.editable {
		p.finger.held = true
		p.touch(p.finger.from, p.longClick)
		p.changed()
	}
}

// Motion is one raw event of a finger: [Down], [Move], [Up] or [Cancel]. What
// the finger did is decided when it is lifted, but for a long press: that is one
// as soon as its time has passed.
func (p *Phone) Motion(kind string, x, y int) {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "motion", Detail: fmt.Sprintf("%s %d,%d", kind, x, y)})
	at := image.Pt(x, y)
	switch kind {
	case Down:
		p.finger = &stroke{from: at, to: at, began: p.options.Now()}
	case Cancel:
		p.finger = nil
	case Move, Up:
		if p.finger == nil {
			return
		}
		p.finger.to = at
		p.finger.far = p.finger.far || p.leaves(p.finger.from, at)
		if kind == Up {
			lifted := *p.finger
			p.finger = nil
			if lifted.held {
				return
			}
			p.gesture(lifted, p.options.Now().Sub(lifted.began))
		}
	}
}

// leaves reports whether a finger that goes from one point to another leaves
// the touch slop.
func (p *Phone) leaves(from, to image.Point) bool {
	d, slop := to.Sub(from), p.dp(touchSlop)
	return d.X*d.X+d.Y*d.Y > slop*slop
}

// gesture is what a finger has done when it is lifted.
func (p *Phone) gesture(s stroke, d time.Duration) {
	if p.asleep {
		return
	}
	p.toast = ""
	defer p.changed()
	switch {
	case s.far || p.leaves(s.from, s.to):
		p.drag(s)
	case d >= longPress:
		p.touch(s.from, p.longClick)
	default:
		p.touch(s.from, p.click)
	}
}

// touch finds what takes a touch at a point and does it to it.
func (p *Phone) touch(at image.Point, do func(*view) bool) {
	w, v := p.hit(at)
	if w == nil {
		return
	}
	p.bringForward(w)
	switch {
	case v != nil && v.slides() && v.def.slide == nil:
		p.slide(v, stroke{from: at, to: at}) // a seek bar goes to where it is touched
	case v != nil:
		do(v)
	case w.modal && !at.In(w.bounds) && !w.screen.def.fixed:
		p.leave(func(a *activity) bool { return a == w.screen })
	}
}

// bringForward gives the focus to the task of a window that was touched.
func (p *Phone) bringForward(w *window) {
	for _, t := range p.tasks {
		if t.top() == w.screen && t != p.front() {
			p.toFront(t.root())
			return
		}
	}
}

// hit finds the window that takes a touch at a point, and the node in it: the
// deepest of those drawn last that takes touches, nil where none does. A window
// without such a node keeps the touch all the same.
func (p *Phone) hit(at image.Point) (*window, *view) {
	all := p.frame()
	for i := len(all) - 1; i >= 0; i-- {
		switch w := all[i]; {
		case at.In(w.bounds):
			return w, w.root.taker(at)
		case w.modal && at.In(w.area):
			return w, nil
		}
	}
	return nil, nil
}

// taker is the node that takes a touch at a point: children before their
// parents, the last before the first.
func (v *view) taker(at image.Point) *view {
	if !at.In(v.bounds) {
		return nil
	}
	for i := len(v.kids) - 1; i >= 0; i-- {
		if t := v.kids[i].taker(at); t != nil {
			return t
		}
	}
	if v.takes() {
		return v
	}
	return nil
}

// takes reports whether a node keeps a touch: it does so when it is disabled too.
func (v *view) takes() bool {
	return v.clickable || v.longClickable || v.slides() || tail(v.class) == "WebView"
}

// slides reports whether a swipe along the node moves something in it.
func (v *view) slides() bool { return v.def.slide != nil || tail(v.class) == "SeekBar" }

// deepest is the innermost node at a point, whether it takes touches or not.
func (v *view) deepest(at image.Point) *view {
	if !at.In(v.bounds) {
		return nil
	}
	for i := len(v.kids) - 1; i >= 0; i-- {
		if d := v.kids[i].deepest(at); d != nil {
			return d
		}
	}
	return v
}

// drag is a finger that went somewhere else: from what lies under its beginning
// outwards, the first node that a drag in that direction means something to.
func (p *Phone) drag(s stroke) {
	w, _ := p.hit(s.from)
	if w == nil || !s.from.In(w.bounds) {
		return
	}
	by := s.to.Sub(s.from)
	sideways := by.X*by.X > by.Y*by.Y
	if s.from.Y < p.dp(statusHeight) && !sideways && by.Y > p.dp(navigationHeight) {
		p.pullShade()
		return
	}
	p.bringForward(w)
	for v := w.root.deepest(s.from); v != nil; v = v.parent {
		switch {
		case sideways && v.slides():
			p.slide(v, s)
			return
		case sideways && v.def.swipe != nil && by.X*by.X*9 >= v.full.Dx()*v.full.Dx():
			if v.enabled {
				p.do(v.def.swipe, p.scopeOf(v), v)
			}
			return
		case !sideways && v.scrollable:
			w.screen.scroll[v.key] = min(max(0, p.scrolled(v)-by.Y), max(0, v.content-v.full.Dy()))
			return
		}
	}
}

// scrolled is how far a view is scrolled now.
func (p *Phone) scrolled(v *view) int {
	return min(max(0, v.screen.scroll[v.key]), max(0, v.content-v.full.Dy()))
}

// sliderEnd is how far, in percent, a slider has to be moved to do what it does.
const sliderEnd = 90

// slide moves a slider. One that acts is carried along by as far as the finger
// goes, does it at its end, and springs back; a seek bar stays where it is put.
func (p *Phone) slide(v *view, s stroke) {
	width := v.full.Dx()
	if !v.enabled || width == 0 || v.def.bound == "" {
		return
	}
	vars := v.screen.app.variables
	if v.def.slide == nil {
		vars[v.def.bound] = percentOf(s.to.X-v.full.Min.X, width)
		return
	}
	moved := percentOf((s.to.X-s.from.X)*10/9, width) // the thumb takes a tenth of the track itself
	vars[v.def.bound] = moved
	if n, _ := strconv.Atoi(moved); n >= sliderEnd {
		p.do(v.def.slide, p.scopeOf(v), v)
	}
	vars[v.def.bound] = "0"
}

func percentOf(part, whole int) string { return strconv.Itoa(min(max(0, part*100/whole), 100)) }
