package hold

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// remember applies what the owner refused a short while ago: the same intent is
// refused again, whatever the way to it; a similar one is asked about and says
// so. A yes is never remembered here, but for one that did not count because the
// screen changed: the question that follows says what differs. It returns what
// the card says of what was before.
func (d *Desk) remember(ctx context.Context, p *Proposal, dec *decide.Decision) (before string, err error) {
	if dec.Outcome == risk.Deny || dec.Outcome == risk.Allow && !dec.Category.Risky() {
		return "", nil
	}
	at := d.clock.read()
	q := Query{States: []approval.State{approval.Denied}, Agent: p.Agent, Similar: dec.Similar(), Since: at.Add(-d.options.Cooldown), Limit: 50}
	refused, err := d.options.Store.Approvals(ctx, q)
	if err != nil {
		return "", err
	}
	if len(refused) == 0 {
		return d.follows(ctx, at, p, dec)
	}
	intent := dec.Intent()
	for i := range refused {
		if refused[i].Intent == intent {
			dec.Outcome, dec.DecidedBy, dec.Code = risk.Deny, BySticky, CodeRecentlyRefused
			return "", nil
		}
	}
	if dec.Outcome == risk.Allow {
		dec.Outcome, dec.DecidedBy = risk.Confirm, BySticky
	}
	return "similar request refused " + ago(at.Sub(refused[0].AnsweredAt)), nil
}

// link lets the yes to a question also cover the generic yes that follows it:
// Delete, then OK. Only where nothing critical is at stake, in the same app and
// category, at once, and where the second question is about no more than the
// first. Each answer covers one.
func (d *Desk) link(ctx context.Context, id string, p *Proposal, dec *decide.Decision) (Ticket, bool, error) {
	if dec.Critical || !dec.Affirmative() || dec.Layers.LLM {
		return Ticket{}, false, nil
	}
	at := d.clock.read()
	done, err := d.options.Store.Approvals(ctx, Query{
		States: []approval.State{approval.Released}, Agent: p.Agent, Similar: dec.Similar(),
		Since: at.Add(-d.options.LinkWithin), Limit: 1,
	})
	if err != nil || len(done) == 0 {
		return Ticket{}, false, err
	}
	first := done[0]
	card, err := masked(cardOf(dec))
	if err != nil {
		return Ticket{}, false, err
	}
	if first.LinkedBy != "" || first.Card.Critical || first.Device != p.Request.Device || wider(&card, &first.Card, dec) {
		return Ticket{}, false, nil
	}
	was := first.Version
	first.LinkedBy, first.Version = id, was+1
	body := d.decisionBody(id, p, dec, first.ID) // its reason is why it would have been asked about
	body.Outcome, body.DecidedBy = risk.Allow, ByLinked
	err = d.commit(ctx, Change{
		Rows: []ledger.Entry{{Kind: ledger.KindDecision, Subject: id, Body: body}}, Moved: []Moved{{Approval: first, Was: was}},
		Key: d.keyOf(id, p, dec), RefuseFrozen: true,
	})
	if err != nil {
		if isMoved(err) {
			return Ticket{}, false, nil // somebody used it first: ask
		}
		return Ticket{}, true, err
	}
	dec.Outcome, dec.DecidedBy = risk.Allow, ByLinked
	t := d.ticketFor(id, dec)
	t.TicketUntil = d.leave(ctx, p.Agent, id, first.ID, dec, at)
	return t, true, nil
}

// wider reports whether the second card is about anything that the first did
// not show.
func wider(second, first *approval.Card, dec *decide.Decision) bool {
	f, g := &second.Facts, &first.Facts
	switch {
	case second.Permanent && !first.Permanent:
		return true
	case f.Recipient != "" && f.Recipient != g.Recipient, f.Text != "" && f.Text != g.Text:
		return true
	case f.Amount != nil && (g.Amount == nil || *f.Amount != *g.Amount):
		return true
	case f.Object == "" || f.Object == g.Object, g.Object != "" && strings.Contains(f.Object, g.Object):
		return false
	case g.Object != "" && decide.Names(first.Bound, g.Object):
		return true
	}
	// The first one named nothing: its object is that of the page. A question that
	// names nothing either is about the same.
	return !dec.Asks(f.Object) || namesSomething(f.Object)
}

// namesSomething reports whether a dialog's question may name what it is about:
// it counts, or has a capital letter after the first, or is in a script where
// names have none. A plain “Delete this chat?” does not.
func namesSomething(question string) bool {
	first := true
	for _, r := range question {
		switch {
		case unicode.IsDigit(r), unicode.IsLetter(r) && !unicode.IsLower(r) && !first:
			return true
		case unicode.IsLetter(r) && !unicode.IsLower(r) && !unicode.IsUpper(r):
			return true
		case unicode.IsLetter(r):
			first = false
		}
	}
	return false
}

// ago says how long something is past, for a person.
func ago(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d seconds ago", int(d.Seconds()))
	}
	return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
}
