package adb

import (
	"context"
	"errors"
	"sync"
	"time"
)

// settleWithin is how long the next action waits at most for what a command that
// was let through does to the screen. A command that presses is done when its
// stream ends; some stay for hours.
const settleWithin = 5 * time.Second

// errBusy says that another action of the agent's was still in the way when its
// patience ended.
var errBusy = errors.New("another action of this agent waits for its answer")

// order lets what changes the phone happen one after the other, first come first
// served: what is judged must not find another screen than it was judged on. What
// only reads does not queue.
type order struct {
	slot chan struct{} // holds one token while somebody has the turn
}

func newOrder() order { return order{slot: make(chan struct{}, 1)} }

// A turn is the right to change the phone.
type turn struct {
	slot chan struct{}
	once sync.Once
}

// take waits for the turn, for as long as patience says: 0 is for ever, less is
// not at all.
func (o order) take(ctx context.Context, patience time.Duration) (*turn, error) {
	if patience != 0 {
		var stop context.CancelFunc
		waiting, stop := context.WithTimeout(ctx, max(patience, 0))
		defer stop()
		select {
		case o.slot <- struct{}{}:
			return &turn{slot: o.slot}, nil
		default:
		}
		select {
		case o.slot <- struct{}{}:
			return &turn{slot: o.slot}, nil
		case <-waiting.Done():
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, errBusy
		}
	}
	select {
	case o.slot <- struct{}{}:
		return &turn{slot: o.slot}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// end gives the turn to the next. It may be called more than once.
func (t *turn) end() { t.once.Do(func() { <-t.slot }) }

// pass hands the turn on without ending it; nil where it has ended.
func (t *turn) pass() (next *turn) {
	t.once.Do(func() { next = &turn{slot: t.slot} })
	return next
}

// endWith ends the turn when a stream does, or after a while; a nil channel is a
// stream whose end nobody sees.
func (t *turn) endWith(ended <-chan struct{}) {
	go func() {
		timer := time.NewTimer(settleWithin)
		defer timer.Stop()
		select {
		case <-ended:
		case <-timer.C:
		}
		t.end()
	}()
}
