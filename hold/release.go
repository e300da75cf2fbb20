package hold

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// Begin is the last step before an action is carried out: it decides again on a
// fresh look, holds the digest against the one that was approved, and records
// that the action is released. Only when it returns no error, and the ticket's
// question is in state releasing, may the action be carried out, once.
//
// fresh is the request with the screen as it is now. An action of no kind stands
// for the one that was asked for. When the screen is no longer the one that was
// approved the question is void, and the ticket says so.
func (d *Desk) Begin(ctx context.Context, agent, id string, fresh *decide.Request) (Ticket, error) {
	for {
		a, err := d.own(ctx, agent, id)
		if err != nil {
			return Ticket{}, err
		}
		t, err := d.begin(ctx, a, fresh)
		if errors.Is(err, ErrMoved) {
			continue
		}
		return t, err
	}
}

func (d *Desk) begin(ctx context.Context, a approval.Approval, fresh *decide.Request) (Ticket, error) {
	if _, ok := approval.Next(a.State, approval.Begin); !ok {
		return d.ticketOf(a), &approval.Conflict{ID: a.ID, State: a.State, Event: approval.Begin}
	}
	req, err := d.again(&a, fresh)
	if err != nil {
		return Ticket{}, err
	}
	dec := d.decide(req)
	if what := changed(&a, &dec); what != "" {
		cause := approval.Cause{By: a.AgentName, Code: approval.CodeScreenChanged, Note: what}
		a, err = d.moveFrom(ctx, a, approval.Change, cause, nil)
		if err != nil {
			return d.ticketOf(a), err
		}
		t := d.ticketOf(a)
		t.Decision = &dec
		return t, nil
	}
	a, err = d.moveFrom(ctx, a, approval.Begin, approval.Cause{By: a.AgentName}, func(c *Change) { c.RefuseFrozen = true })
	if err != nil {
		return d.ticketOf(a), err
	}
	t := d.ticketOf(a)
	t.Decision = &dec
	t.TicketUntil = d.leave(ctx, a.Agent, a.ID, a.ID, &dec, a.ReleaseBy.Add(-d.options.ReleaseWithin))
	return t, nil
}

// again is the request that was approved, on the fresh screen.
func (d *Desk) again(a *approval.Approval, fresh *decide.Request) (*decide.Request, error) {
	if fresh == nil {
		fresh = &decide.Request{}
	}
	req := *fresh
	req.Device, req.Session = a.Device, a.Session
	if req.Action.Kind != "" {
		return &req, nil
	}
	d.mu.Lock()
	q := d.open[a.ID]
	d.mu.Unlock()
	switch {
	case q != nil && q.decision != nil:
		asked := q.decision.Request()
		req.Action, req.App, req.Locale = asked.Action, asked.App, asked.Locale
		if req.Target == nil && req.Screen == nil {
			req.Target = asked.Target
		}
	case a.Partial || len(a.Asked) == 0:
		return nil, ErrActionNeeded
	default:
		var asked decide.Request
		if err := json.Unmarshal(a.Asked, &asked); err != nil {
			return nil, fmt.Errorf("question %s: %w: %w", a.ID, ErrUnavailable, err)
		}
		req.Action, req.App, req.Locale = asked.Action, asked.App, asked.Locale
	}
	return &req, nil
}

// Result is what became of an action.
type Result struct {
	OK bool
	// Note says more, such as the error of the device; it is recorded.
	Note string
}

// Finish records the result of an action. For one that was held it ends the
// question; for one that needed no answer it adds a row. A result that comes
// after the question was given up as lost is recorded too, and changes nothing.
func (d *Desk) Finish(ctx context.Context, agent, id string, r Result) (Ticket, error) {
	a, err := d.own(ctx, agent, id)
	if errors.Is(err, ErrNotFound) {
		return d.finishUnasked(ctx, agent, id, r)
	}
	if err != nil {
		return Ticket{}, err
	}
	d.spent(id)
	event, code := approval.Succeed, ""
	if !r.OK {
		event, code = approval.Fail, approval.CodeReleaseFailed
	}
	a, err = d.move(ctx, id, event, approval.Cause{By: a.AgentName, Code: code, Note: r.Note}, nil)
	if isConflict(err) && a.Code == approval.CodeResultUnknown {
		if werr := d.recordLate(ctx, id, r); werr != nil {
			return d.ticketOf(a), werr
		}
	}
	return d.ticketOf(a), err
}

// recordLate records, once, a result that came after it was given up.
func (d *Desk) recordLate(ctx context.Context, id string, r Result) error {
	if reported, err := d.reported(ctx, id); err != nil || reported {
		return err
	}
	return d.commit(ctx, Change{Rows: []ledger.Entry{resultRow(id, id, r)}})
}

// finishUnasked records the result of an action that needed no answer, once.
func (d *Desk) finishUnasked(ctx context.Context, agent, id string, r Result) (Ticket, error) {
	t, err := d.Ticket(ctx, agent, id)
	if err != nil {
		return t, err
	}
	d.spent(id)
	reported, err := d.reported(ctx, id)
	switch {
	case err != nil:
		return t, err
	case t.Outcome != risk.Allow:
		return t, &approval.Conflict{ID: id, State: approval.Denied, Event: approval.Succeed}
	case reported:
		return t, &approval.Conflict{ID: id, State: approval.Released, Event: approval.Succeed}
	}
	return t, d.commit(ctx, Change{Rows: []ledger.Entry{resultRow(id, "", r)}})
}

// reported tells whether the record has a row with the result of an action.
func (d *Desk) reported(ctx context.Context, id string) (bool, error) {
	rows, err := d.options.Store.About(ctx, id)
	return slices.ContainsFunc(rows, func(row ledger.Row) bool { return row.Kind == ledger.KindResult }), err
}

func resultRow(id, question string, r Result) ledger.Entry {
	code := ""
	if !r.OK {
		code = approval.CodeReleaseFailed
	}
	return ledger.Entry{Kind: ledger.KindResult, Subject: id, Body: ledger.Result{Approval: question, OK: r.OK, Code: code, Note: r.Note}}
}

// Withdraw ends a question that its requester no longer wants, or that lost its
// requester (code approval.CodeGone).
func (d *Desk) Withdraw(ctx context.Context, agent, id, code string) (Ticket, error) {
	a, err := d.own(ctx, agent, id)
	if err != nil {
		return Ticket{}, err
	}
	a, err = d.move(ctx, id, approval.Cancel, approval.Cause{By: a.AgentName, Code: code}, nil)
	return d.ticketOf(a), err
}

// own is a question of an agent's; another agent's is not found.
func (d *Desk) own(ctx context.Context, agent, id string) (approval.Approval, error) {
	a, err := d.options.Store.Approval(ctx, id)
	if err == nil && a.Agent != agent {
		return approval.Approval{}, ErrNoAction
	}
	return a, err
}
