package e2e

import (
	"sync"
	"sync/atomic"
	"time"
)

// doorway is where clients find the guard. It is killed and comes back at
// another address all the time, and they go after it.
type doorway struct {
	// busy is held, to read, by every request on its way: after shut none is left
	// that could reach the next guard before it was looked at.
	busy sync.RWMutex

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every change
	life    int           // counts the guards that were let in
	url     string        // empty while there is none
	over    bool

	aim atomic.Pointer[aim]
}

func newDoorway() *doorway { return &doorway{changed: make(chan struct{})} }

// open lets clients in to the next guard.
func (d *doorway) open(url string) { d.change(func() { d.url, d.life = url, d.life+1 }) }

// shut says that the guard is gone, and waits for the requests that it has cut
// off.
func (d *doorway) shut() {
	d.busy.Lock()
	defer d.busy.Unlock()
	d.change(func() { d.url = "" })
}

// enter begins a request to the guard of a life, unless that is over.
func (d *doorway) enter(life int) (leave func(), ok bool) {
	d.busy.RLock()
	d.mu.Lock()
	ok = d.url != "" && d.life == life
	d.mu.Unlock()
	if !ok {
		d.busy.RUnlock()
		return nil, false
	}
	return d.busy.RUnlock, true
}

// end tells clients that no other guard comes.
func (d *doorway) end() { d.change(func() { d.over = true }) }

func (d *doorway) change(what func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	what()
	close(d.changed)
	d.changed = make(chan struct{})
}

// after waits for a guard later than one that broke the connection; 0 stands
// for any. ok is false when no other comes.
func (d *doorway) after(life int) (url string, now int, ok bool) {
	for {
		d.mu.Lock()
		url, now, over, changed := d.url, d.life, d.over, d.changed
		d.mu.Unlock()
		switch {
		case over:
			return "", now, false
		case url != "" && now > life:
			return url, now, true
		}
		<-changed
	}
}

// operation names what a client asks for, in the words of the issue.
type operation string

const (
	opDecide   operation = "decide" // propose: decide, record and hold
	opWait     operation = "wait"
	opAnswer   operation = "answer"
	opRevoke   operation = "revoke"
	opRedeem   operation = "redeem"
	opResult   operation = "result"
	opWithdraw operation = "withdraw"
)

// aimedAt are the operations that a kill is aimed at.
var aimedAt = []operation{opDecide, opAnswer, opRedeem, opResult, opWithdraw, opRevoke}

// aim is a moment that a kill waits for: the next operation of a kind that is
// under way, or of any kind, after some others were answered. It is counted in
// operations and not in time, so that it is the same on a slow machine.
type aim struct {
	at    operation // empty for any
	left  atomic.Int64
	fired chan struct{}
	once  sync.Once
}

// sending is called by clients as they send a request.
func (d *doorway) sending(op operation) {
	if a := d.aim.Load(); a != nil && a.left.Load() <= 0 && (a.at == "" || a.at == op) {
		a.once.Do(func() { close(a.fired) })
	}
}

// answered is called by clients when a request was answered.
func (d *doorway) answered() {
	if a := d.aim.Load(); a != nil {
		a.left.Add(-1)
	}
}

// now is the time of the machine without its monotonic reading, which is what
// the guard's deadlines are written in.
func now() time.Time { return time.Now().Round(0) }
