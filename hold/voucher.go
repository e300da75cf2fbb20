package hold

import (
	"context"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// Two gates in a row ask once. What a yes let go ahead at the gate above leaves a
// ticket, and the same action passes on it at the gate below, once. Here the ticket
// is called a voucher, since a [Ticket] is where an action stands.
// docs/decisions/0013-tickets.md has the rules and their reasons.

// ByTicket is the mechanism in a decision that the ticket of a gate above let pass.
const ByTicket = "ticket"

// leave leaves a voucher for what a yes has let go ahead at a gate. question is
// the one whose yes that was. at is a time from before the record was written, so
// that a freeze or a refusal that is recorded later is later. It returns until when
// an action below may arrive, the zero time where nothing was left.
func (d *Desk) leave(ctx context.Context, agent, action, question string, dec *decide.Decision, at time.Time) time.Time {
	device := dec.Request().Device
	if device == "" || dec.Digest() == "" || d.options.Gate == nil || !d.options.Gate(ctx, agent) {
		return time.Time{}
	}
	d.vouchers.Drop(func(v *identity.Voucher) bool { return d.overdue(v, at) })
	d.vouchers.Leave(identity.Voucher{
		Agent: agent, Action: action, Question: question, Device: device, Digest: dec.Digest(), Critical: dec.Critical, At: at,
	})
	return at.Add(identity.VoucherFor)
}

// overdue reports whether the action that left a voucher must be over by now,
// however long the one below was looked at.
func (d *Desk) overdue(v *identity.Voucher, at time.Time) bool {
	return !at.Before(v.At.Add(d.options.ReleaseWithin))
}

// spent takes a voucher back whose action is done: what comes now is another one.
func (d *Desk) spent(action string) {
	d.vouchers.Drop(func(v *identity.Voucher) bool { return v.Action == action })
}

// byTicket lets a confirm pass that a person said yes to at a gate above, a moment
// before it arrived here. passed is false where a person has to be asked: that is so
// without such a voucher, and where the same question is open already, whose answer
// comes first.
func (d *Desk) byTicket(ctx context.Context, id string, p *Proposal, dec *decide.Decision) (t Ticket, passed bool, err error) {
	if dec.Outcome != risk.Confirm || p.Arrived.IsZero() || p.Request.Device == "" || dec.Digest() == "" {
		return Ticket{}, false, nil
	}
	at := d.clock.read()
	arrived := p.Arrived
	if arrived.After(at) {
		arrived = at
	}
	fits := func(v *identity.Voucher) bool {
		return v.Device == p.Request.Device && v.Digest == dec.Digest() && v.Agent != p.Agent &&
			(v.Critical || !dec.Critical) && v.InTime(arrived) && !d.overdue(v, at)
	}
	if !d.vouchers.Have(fits) {
		return Ticket{}, false, nil
	}
	if asked, err := d.asked(ctx, p, dec, at); err != nil || asked {
		return Ticket{}, false, err
	}
	for {
		v, found := d.vouchers.Take(fits)
		if !found {
			return Ticket{}, false, nil
		}
		stands, err := d.stands(ctx, &v, dec)
		if err != nil {
			return Ticket{}, false, err
		}
		if stands {
			t, err := d.redeemVoucher(ctx, id, p, dec, &v)
			return t, true, err
		}
	}
}

// stands reports whether a voucher still counts: its gate's credential is in use,
// and since it was left nothing was frozen, be that over again or not, and the same
// was not refused to anybody.
func (d *Desk) stands(ctx context.Context, v *identity.Voucher, dec *decide.Decision) (bool, error) {
	if d.options.Gate == nil || !d.options.Gate(ctx, v.Agent) {
		return false, nil
	}
	f, err := d.options.Store.Freeze(ctx)
	if err != nil || f.Frozen || !f.At.Before(v.At) {
		return false, err
	}
	refused, err := d.options.Store.Approvals(ctx, Query{
		States: []approval.State{approval.Denied}, Intent: dec.Intent(), Since: v.At, Limit: 1,
	})
	return err == nil && len(refused) == 0, err
}

// redeemVoucher records that a voucher, which nobody else can have any more, lets a
// proposal pass.
func (d *Desk) redeemVoucher(ctx context.Context, id string, p *Proposal, dec *decide.Decision, v *identity.Voucher) (Ticket, error) {
	body := d.decisionBody(id, p, dec, v.Question) // its reason is why it would have been asked about
	body.Outcome, body.DecidedBy, body.Above = risk.Allow, ByTicket, v.Action
	err := d.commit(ctx, Change{
		Rows: []ledger.Entry{{Kind: ledger.KindDecision, Subject: id, Body: body}}, Key: d.keyOf(id, p, dec), RefuseFrozen: true,
	})
	if err != nil {
		return d.unwritten(ctx, id, p, dec, err)
	}
	dec.Outcome, dec.DecidedBy = risk.Allow, ByTicket
	t := d.ticketFor(id, dec)
	t.Above = v.Action
	t.Message = t.message()
	return t, nil
}
