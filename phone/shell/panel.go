package shell

import (
	"sync"

	"github.com/countersign/countersign/phone"
)

// Numbers of the kernel's input events (linux/input-event-codes.h).
const (
	evSyn, evKey, evAbs   = 0, 1, 3
	synReport             = 0
	btnTouch              = 330
	absX, absY            = 0, 1
	absMTX, absMTY, absID = 53, 54, 57
)

// linuxKeys are the keys of the kernel that stand for keys of Android.
var linuxKeys = map[int]int{28: 66, 102: 3, 114: 25, 115: 24, 116: 26, 139: 82, 158: 4, 172: 3, 217: 84, 580: 187, 1: 111, 14: 67, 15: 61, 57: 62}

// panel is the touch panel as sendevent writes to it.
type panel struct {
	mu         sync.Mutex
	x, y       int
	down, held bool // down is what was written, held what was reported
}

// event takes one event of the kernel. Events take hold with the next report.
func (t *panel) event(p *phone.Phone, kind, code, value int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case kind == evAbs && (code == absX || code == absMTX):
		t.x = value
	case kind == evAbs && (code == absY || code == absMTY):
		t.y = value
	case kind == evAbs && code == absID:
		t.down = value >= 0
	case kind == evKey && code == btnTouch:
		t.down = value != 0
	case kind == evKey && value == 1:
		if key, ok := linuxKeys[code]; ok {
			p.Key(key, false)
		}
	case kind == evSyn && code == synReport:
		t.report(p)
	}
}

func (t *panel) report(p *phone.Phone) {
	switch {
	case t.down && !t.held:
		p.Motion(phone.Down, t.x, t.y)
	case t.down:
		p.Motion(phone.Move, t.x, t.y)
	case t.held:
		p.Motion(phone.Up, t.x, t.y)
	}
	t.held = t.down
}
