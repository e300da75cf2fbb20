package api

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/countersign/countersign/hold"
)

// freezeFor is how long what is known of the freeze is good. Another process on
// the same store may freeze without this desk being told.
const freezeFor = time.Second

// freeze remembers whether everything is frozen, so that a pure decision need
// not ask the store. It is safe for concurrent use.
type freeze struct {
	desk *hold.Desk
	now  func() time.Time
	last atomic.Pointer[frozenAt]
}

// frozenAt is what was read at a time, good until the next change of the desk.
type frozenAt struct {
	frozen  bool
	at      time.Time
	changed <-chan struct{}
}

// is reports whether everything is frozen.
func (f *freeze) is(ctx context.Context) (bool, error) {
	now := f.now()
	if l := f.last.Load(); l != nil {
		if age := now.Sub(l.at); age >= 0 && age < freezeFor {
			select {
			case <-l.changed:
			default:
				return l.frozen, nil
			}
		}
	}
	// The channel comes first: a change while the store is read closes it.
	changed := f.desk.Changed()
	state, err := f.desk.Frozen(ctx)
	if err != nil {
		return false, err
	}
	f.last.Store(&frozenAt{frozen: state.Frozen, at: now, changed: changed})
	return state.Frozen, nil
}
