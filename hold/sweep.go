package hold

import (
	"context"
	"time"

	"github.com/countersign/countersign/approval"
)

// sweepAtLeast is how often Run looks at the clock even if no deadline is near:
// a machine's clock may jump, and a question is to end within a second of its
// deadline.
const sweepAtLeast = 500 * time.Millisecond

// Run ends questions when their time is over, until ctx ends. It must run for
// as long as the desk is used.
func (d *Desk) Run(ctx context.Context) {
	for {
		timer := time.NewTimer(min(d.Sweep(ctx), sweepAtLeast))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-d.poke:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// Sweep ends the questions and grants whose time is over, and the questions whose
// requester was silent for longer than its lease. It returns how long it is until the next one
// is due, an hour when there is none. A question that cannot be ended, since the
// store fails, is tried again at the next sweep; no answer to it counts meanwhile.
func (d *Desk) Sweep(ctx context.Context) time.Duration {
	at := d.clock.read()
	late, next := d.due(at)
	for i := range late {
		id := late[i].id
		if _, err := d.move(ctx, id, late[i].event, late[i].cause, nil); ctx.Err() != nil {
			break // the guard stops; the next start ends them
		} else if err != nil && !isConflict(err) {
			d.options.Log.Error("a question could not be ended", "approval", id, "error", err.Error())
		} else if err != nil {
			d.refresh(ctx, id)
		}
	}
	if end := d.sweepGrants(ctx, at); !end.IsZero() && end.Before(next) {
		next = end
	}
	return next.Sub(at)
}

// end is what is due for a question.
type end struct {
	id    string
	event approval.Event
	cause approval.Cause
}

// due are the questions that are over at a time, and when the next one is. It is
// called at every change, so it copies no more than it finds.
func (d *Desk) due(at time.Time) (late []end, next time.Time) {
	next = at.Add(time.Hour)
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, q := range d.open {
		a := &q.approval
		if e, cause, over := a.Overdue(at); over {
			late = append(late, end{id, e, cause})
			continue
		}
		if a.State == approval.Pending && !a.Bound && a.ParkedUntil.IsZero() && !q.lease.IsZero() && !at.Before(q.lease) {
			late = append(late, end{id, approval.Cancel, approval.Cause{By: "countersign", Code: approval.CodeGone}})
			continue
		}
		for _, wake := range []time.Time{a.Wake(), q.lease} {
			if !wake.IsZero() && wake.After(at) && wake.Before(next) {
				next = wake
			}
		}
	}
	return late, next
}

// refresh takes over a question that was moved by somebody else.
func (d *Desk) refresh(ctx context.Context, id string) {
	if a, err := d.options.Store.Approval(ctx, id); err == nil {
		d.settle(a)
	}
}

// recover takes over what an earlier desk left open, grants too, and settles what ended with
// it: connections are gone, and of what was being released nobody knows.
func (d *Desk) recover(ctx context.Context) error {
	const all = 1 << 20
	open, err := d.options.Store.Approvals(ctx, Query{
		States: []approval.State{approval.Pending, approval.Approved, approval.Releasing}, Limit: all,
	})
	if err != nil {
		return err
	}
	at := d.clock.read()
	for i := range open {
		a := open[i]
		d.open[a.ID] = &question{approval: a, card: a.Card, lease: at.Add(d.options.Lease), moved: make(chan struct{})}
		if d.options.Shared {
			continue
		}
		e, cause := approval.Event(0), approval.Cause{By: "countersign", Code: approval.CodeRestart}
		switch {
		case a.State == approval.Releasing:
			e, cause.Code = approval.Lose, approval.CodeResultUnknown
		case a.Bound && a.ParkedUntil.IsZero():
			e = approval.Cancel
		default:
			continue
		}
		if _, err := d.move(ctx, a.ID, e, cause, nil); err != nil && !isConflict(err) {
			return err
		}
	}
	f, err := d.options.Store.Freeze(ctx)
	if err != nil {
		return err
	}
	if f.Frozen {
		return d.revokeOpen(ctx, "countersign")
	}
	_, err = d.expireGrants(ctx, at)
	return err
}
