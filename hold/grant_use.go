package hold

import (
	"context"
	"errors"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// byGrant lets a confirm pass that an open grant covers, and counts the use in
// the transaction that records the decision. passed is false where a person has
// to be asked: that is so for everything critical, for everything that the
// agent's own model doubts, and where the same question is open already, whose
// answer comes first.
func (d *Desk) byGrant(ctx context.Context, id string, p *Proposal, dec *decide.Decision) (t Ticket, passed bool, err error) {
	if dec.Outcome != risk.Confirm || dec.Critical || dec.Layers.LLM || !approval.Grantable(dec.Category) || dec.Similar() == "" {
		return Ticket{}, false, nil
	}
	for {
		g, found, err := d.covering(ctx, p, dec)
		if err != nil || !found {
			return Ticket{}, false, err
		}
		t, err := d.use(ctx, id, p, dec, g)
		switch {
		case isMoved(err):
			continue // somebody else used or ended it: look again
		case errors.Is(err, ErrFrozen):
			t, err = d.frozen(ctx, id, p, dec)
		case errors.Is(err, ErrKeyTaken):
			t, _, err = d.keyed(ctx, p, dec)
		}
		return t, true, err
	}
}

// covering finds the open grant that covers a proposal and ends first.
func (d *Desk) covering(ctx context.Context, p *Proposal, dec *decide.Decision) (best approval.Grant, found bool, err error) {
	open, err := d.options.Store.Grants(ctx, GrantQuery{Agent: p.Agent, Similar: dec.Similar(), Open: true, Limit: maxGrants})
	if err != nil || len(open) == 0 {
		return best, false, err
	}
	card, err := masked(cardOf(dec))
	if err != nil {
		return best, false, err
	}
	at := d.clock.read()
	for i := range open {
		g := &open[i]
		if !g.Open(at) || !g.Covers(p.Agent, p.Request.Device, &card) || found && !g.ExpiresAt.Before(best.ExpiresAt) {
			continue
		}
		best, found = *g, true
	}
	if !found {
		return best, false, nil
	}
	if asked, err := d.asked(ctx, p, dec, at); err != nil || asked {
		return best, false, err
	}
	return d.unlessDenied(ctx, best)
}

// asked reports whether the same question is open.
func (d *Desk) asked(ctx context.Context, p *Proposal, dec *decide.Decision, at time.Time) (bool, error) {
	same, err := d.options.Store.Approvals(ctx, Query{
		States: []approval.State{approval.Pending, approval.Approved}, Agent: p.Agent, Digest: dec.Digest(), Limit: 1,
	})
	if err != nil || len(same) == 0 || same[0].Device != p.Request.Device {
		return false, err
	}
	_, _, late := same[0].Overdue(at)
	return !late, nil
}

// unlessDenied passes a grant on unless something similar was refused since. The
// refusal has ended it by itself, except where two desks on one store gave the
// one and the other at the same moment.
func (d *Desk) unlessDenied(ctx context.Context, g approval.Grant) (approval.Grant, bool, error) {
	refused, err := d.options.Store.Approvals(ctx, Query{
		States: []approval.State{approval.Denied}, Agent: g.Agent, Similar: g.Similar, Since: g.CreatedAt.Add(time.Millisecond), Limit: 1,
	})
	if err != nil || len(refused) == 0 {
		return g, err == nil, err
	}
	why := approval.Cause{By: refused[0].AnsweredBy, How: refused[0].How, Code: approval.CodeDeniedSince}
	_, err = d.endGrant(ctx, g, d.clock.read(), why)
	if isMoved(err) {
		err = nil
	}
	return g, false, err
}

// use records that a grant lets a proposal pass.
func (d *Desk) use(ctx context.Context, id string, p *Proposal, dec *decide.Decision, g approval.Grant) (Ticket, error) {
	body := d.decisionBody(id, p, dec, g.From) // its reason is why it would have been asked about
	body.Outcome, body.DecidedBy, body.Grant = risk.Allow, ByGrant, g.ID
	at, was := d.clock.read(), g.Version
	if !g.Open(at) {
		return Ticket{}, ErrMoved
	}
	g.Use(at)
	c := Change{
		Rows: []ledger.Entry{
			{Kind: ledger.KindDecision, Subject: id, Body: body},
			grantRow(&g, ledger.GrantUsed, approval.Cause{By: p.AgentName}, id),
		},
		MovedGrants: []MovedGrant{{Grant: g, Was: was}}, Key: d.keyOf(id, p, dec), RefuseFrozen: true,
	}
	if g.Left() == 0 {
		c.Rows = append(c.Rows, grantRow(&g, ledger.GrantEnded, approval.Cause{By: g.EndedBy, Code: g.Code}, id))
	}
	if err := d.commit(ctx, c); err != nil {
		return Ticket{}, err
	}
	d.mu.Lock()
	d.announce()
	d.mu.Unlock()
	dec.Outcome, dec.DecidedBy = risk.Allow, ByGrant
	t := d.ticketFor(id, dec)
	t.Grant, t.TicketUntil = g.ID, d.leave(ctx, p.Agent, id, g.From, dec, at)
	t.Message = t.message()
	return t, nil
}
