package hold

import (
	"context"
	"errors"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// Wait returns where an action stands as soon as it is no longer pending, or
// when ctx ends; then the question is still pending and no error is returned.
// Asking keeps the requester's lease; it never ends a question.
func (d *Desk) Wait(ctx context.Context, agent, id string) (Ticket, error) {
	for {
		moved := d.moved(id) // before reading, so that no move is missed
		t, err := d.Ticket(context.WithoutCancel(ctx), agent, id)
		if err != nil || t.Approval == nil || t.Approval.State != approval.Pending {
			return t, err
		}
		d.renew(id)
		if d.isClosed() {
			return t, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return t, nil
		}
	}
}

func (d *Desk) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}

// Park keeps a question whose requester is answered "not yet, ask again" before
// its patience ends. The same proposal, made again in time, joins it.
func (d *Desk) Park(ctx context.Context, agent, id string) (Ticket, error) {
	for {
		a, err := d.own(ctx, agent, id)
		if err != nil {
			return Ticket{}, err
		}
		if a.State != approval.Pending {
			return d.ticketOf(a), nil
		}
		if due, why, late := a.Overdue(d.clock.read()); late { // parking does not bring it back
			if _, err := d.moveFrom(ctx, a, due, why, nil); err != nil && !isMoved(err) {
				return Ticket{}, err
			}
			continue
		}
		next := a
		next.ParkedUntil = d.clock.read().Add(d.options.ParkFor)
		if a.Card.Critical {
			next.ParkedUntil = d.clock.read().Add(d.options.ParkCritical)
		}
		next, err = d.touch(ctx, a, next, "park")
		if errors.Is(err, ErrMoved) {
			continue
		}
		return d.ticketOf(next), err
	}
}

// unpark lets a requester wait for a parked question again.
func (d *Desk) unpark(ctx context.Context, a approval.Approval) (approval.Approval, error) {
	next := a
	next.ParkedUntil = time.Time{}
	next, err := d.touch(ctx, a, next, "unpark")
	if errors.Is(err, ErrMoved) {
		return d.options.Store.Approval(ctx, a.ID)
	}
	return next, err
}

// touch changes an attribute of a question that is no state.
func (d *Desk) touch(ctx context.Context, was, next approval.Approval, what string) (approval.Approval, error) {
	next.Version = was.Version + 1
	row := ledger.Entry{Kind: ledger.KindTransition, Subject: was.ID, Body: ledger.Transition{
		Approval: was.ID, From: was.State.String(), To: next.State.String(), Event: what, By: was.AgentName, Digest: was.Digest,
	}}
	err := d.commit(ctx, Change{Rows: []ledger.Entry{row}, Moved: []Moved{{Approval: next, Was: was.Version}}})
	if err != nil {
		return was, err
	}
	d.settle(next)
	return next, nil
}
