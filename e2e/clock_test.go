package e2e

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
)

// clockByHand is a machine's clock that is moved by hand. It has no monotonic
// reading, like that of a machine that slept.
type clockByHand struct {
	mu sync.Mutex
	at time.Time
}

func (c *clockByHand) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clockByHand) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// timed is a guard in this process whose clock jumps.
type timed struct {
	*pair
	d     *daemon.Daemon
	stop  func()
	clock *clockByHand
}

func newTimed(t *testing.T) *timed {
	t.Helper()
	x := &timed{clock: &clockByHand{at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}}
	home := newHome(t)
	x.d, x.stop = inProcess(t, daemon.Options{Home: home, Now: x.clock.now})
	x.pair = newPair(t, home, x.d.AgentsURL())
	return x
}

// restart stops the guard, has something happen, and starts it again.
func (x *timed) restart(meanwhile func()) {
	x.t.Helper()
	x.stop()
	meanwhile()
	x.d, x.stop = inProcess(x.t, daemon.Options{Home: x.home, Now: x.clock.now})
	x.url = x.d.AgentsURL()
}

// pass lets time pass, and the guard see it, as its sweep does twice a second.
func (x *timed) pass(d time.Duration) {
	x.clock.move(d)
	x.d.Desk().Now()
}

// over wants two questions to be over: a late yes and a late use change nothing,
// and both are told why.
func (x *timed) over(yes, open question) {
	x.t.Helper()
	var problem *client.Problem
	if err := x.approve(open); !errors.As(err, &problem) || problem.Status != http.StatusConflict || problem.Code != "expired" {
		x.t.Errorf("a late yes: %v, want 409 expired", err)
	}
	if ans := x.redeem(yes); ans.status != http.StatusConflict || ans.Code != "expired" {
		x.t.Errorf("a late use: %d %s %s, want 409 expired", ans.status, ans.Code, ans.Detail)
	}
	for _, q := range []question{yes, open} {
		if got := x.state(q); got != approval.Expired {
			x.t.Errorf("%s is %v, want it expired", q.id, got)
		}
	}
	x.record(yes, open)
}

const (
	useFor    = 5 * time.Minute
	answerFor = 15 * time.Minute
)

func TestClockJumps(t *testing.T) {
	for name, jump := range map[string]func(*timed){
		"forward": func(x *timed) { x.clock.move(time.Hour) },
		"forward across a restart": func(x *timed) {
			x.restart(func() { x.clock.move(time.Hour) })
		},
		"back, and the time passes": func(x *timed) {
			x.pass(-time.Hour)
			x.pass(answerFor)
		},
		"back and back again": func(x *timed) {
			for range 30 {
				x.pass(-time.Hour)
				x.pass(answerFor / 30)
			}
		},
		"back and forward again": func(x *timed) {
			x.pass(-time.Hour)
			x.pass(time.Hour)
			x.pass(-time.Hour)
		},
		"back across a restart, and the time passes": func(x *timed) {
			x.restart(func() { x.clock.move(-24 * time.Hour) })
			x.pass(answerFor)
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newTimed(t)
			yes, open := x.approved(), x.held()
			jump(x)
			x.over(yes, open)
		})
	}
}

// TestClockSetBackEndsNothingEarly: a clock that is set back takes no time away
// either, and the record goes on.
func TestClockSetBackEndsNothingEarly(t *testing.T) {
	for name, jump := range map[string]func(*timed){
		"running":          func(x *timed) { x.pass(-time.Hour) },
		"across a restart": func(x *timed) { x.restart(func() { x.clock.move(-24 * time.Hour) }) },
	} {
		t.Run(name, func(t *testing.T) {
			x := newTimed(t)
			yes, open := x.approved(), x.held()
			jump(x)
			x.pass(useFor - time.Second)
			x.recovers(yes, open)
		})
	}
}
