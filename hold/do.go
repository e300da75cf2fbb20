package hold

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// Observer looks at the device.
type Observer interface {
	// Observe returns what the device shows now. An error means that it cannot
	// be seen, which is decided as unknown.
	Observe(ctx context.Context) (*decide.Screen, error)
}

// Releaser carries an action out.
type Releaser interface {
	Release(ctx context.Context, req *decide.Request) error
}

// ErrNotReleased says that the action was not carried out; the ticket says why.
var ErrNotReleased = errors.New("the action was not carried out")

// ErrNotYet says that Proposal.Patience ended before the question was answered.
// The question is parked: the same proposal, made again in time, joins it, and is
// carried out once where the answer was yes.
var ErrNotYet = errors.New("the question is not answered yet")

// Do takes an action through the whole sequence: it looks, decides, records,
// waits for the answer where one is needed, looks again, and carries the action
// out. It returns nil only when the Releaser did. When ctx ends while the
// question waits, the question is cancelled: a later yes does nothing. When
// Proposal.Patience ends first, the question is parked and the error is ErrNotYet.
//
// Whatever the proposal says of the screen is replaced by what the Observer
// sees, and it is bound to this call.
func (d *Desk) Do(ctx context.Context, p Proposal, o Observer, r Releaser) (Ticket, error) {
	if p.Request == nil || o == nil || r == nil {
		return Ticket{}, errors.New("hold: Do needs a request, an Observer and a Releaser")
	}
	req := *p.Request
	p.Request, p.Bound = &req, true
	req.Screen = observe(ctx, o)
	t, err := d.Propose(ctx, p)
	if err != nil {
		return t, err
	}
	if t.Outcome == risk.Deny {
		return t, refused(&t)
	}
	if t.Approval == nil {
		err := r.Release(ctx, &req)
		d.spent(t.ID)
		d.note(resultRow(t.ID, "", resultOf(err)))
		return t, err
	}
	if t, err = d.waitBound(ctx, p.Agent, t.ID, p.Patience); err != nil {
		return t, err
	}
	return d.release(ctx, p.Agent, t, &req, o, r)
}

// waitBound waits for the answer and gives the question up with the caller, or
// keeps it for the caller's next try when its patience ends.
func (d *Desk) waitBound(ctx context.Context, agent, id string, patience time.Duration) (Ticket, error) {
	waiting, stop := ctx, func() {}
	if patience != 0 {
		waiting, stop = context.WithTimeout(ctx, patience)
	}
	defer stop()
	t, err := d.Wait(waiting, agent, id)
	if err != nil {
		return t, err
	}
	if t.Approval.State == approval.Pending && waiting.Err() != nil && ctx.Err() == nil {
		if t, err = d.Park(ctx, agent, id); err != nil {
			return t, err
		}
		if t.Approval.State == approval.Pending {
			return t, ErrNotYet
		}
	}
	if t.Approval.State == approval.Pending || ctx.Err() != nil {
		gone, err := d.Withdraw(context.WithoutCancel(ctx), agent, id, approval.CodeGone)
		if err != nil && !isConflict(err) {
			return t, err
		}
		return gone, errors.Join(refused(&gone), ctx.Err())
	}
	if t.Outcome == risk.Deny {
		return t, refused(&t)
	}
	return t, nil
}

// release looks again, records that the action is released, and acts.
func (d *Desk) release(ctx context.Context, agent string, t Ticket, req *decide.Request, o Observer, r Releaser) (Ticket, error) {
	fresh := *req
	fresh.Screen = observe(ctx, o)
	t, err := d.Begin(ctx, agent, t.ID, &fresh)
	if err != nil {
		return t, err
	}
	if t.Approval.State != approval.Releasing {
		return t, refused(&t)
	}
	acted := r.Release(ctx, &fresh)
	t, err = d.Finish(context.WithoutCancel(ctx), agent, t.ID, resultOf(acted))
	return t, errors.Join(acted, err)
}

// observe looks at the device; what cannot be seen is a screen without a tree,
// which is decided as unknown.
func observe(ctx context.Context, o Observer) *decide.Screen {
	s, err := o.Observe(ctx)
	if err != nil || s == nil {
		return &decide.Screen{Tree: " "}
	}
	return s
}

func resultOf(err error) Result {
	if err != nil {
		return Result{Note: err.Error()}
	}
	return Result{OK: true}
}

func refused(t *Ticket) error { return fmt.Errorf("%w: %s", ErrNotReleased, t.Message) }
