package hold

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// Proposal is an action that an agent wants carried out.
type Proposal struct {
	// Agent is the id of the credential, AgentName what its owner calls it. Both
	// come from the gate, never from the request.
	Agent, AgentName string
	// Bound says that the requester waits on a connection; see approval.Approval.
	Bound   bool
	Request *decide.Request
	// Screenshot is what the device showed, a PNG or a JPEG of at most
	// picture.MaxShot bytes; empty for none. It is shown with the question, kept in
	// memory only, and gone when the question ends.
	Screenshot []byte
	// Shot takes that screenshot where none came, once a question is really put: it
	// costs time that what is allowed should not. Nil, and an answer that is no such
	// picture, stand for none.
	Shot func(context.Context) []byte
	// Patience is how long the caller of Do waits for an answer before it has to tell
	// its requester something: 0 for as long as the question is open, negative for
	// not at all.
	Patience time.Duration
	// Key makes a repeated proposal the same one; empty for none.
	Key string
	// Arrived is when the action came to a gate that looks at the device itself, by
	// Desk.Now; a later time counts as now. An action that arrived at most
	// identity.VoucherFor after a yes to the same at a gate above needs no second one.
	// The zero time is right for a gate that takes its agent's word for the screen:
	// what it is told needs an answer of its own.
	Arrived time.Time
}

// The mechanisms of this package that can have the last word in a decision.
const (
	ByLinked = "linked_approval"
	BySticky = "sticky_denial"
	ByFreeze = "freeze"
)

// CodeRecentlyRefused says that the owner refused the same intent a short while ago.
const CodeRecentlyRefused = "recently_refused"

// Propose decides about an action and records the decision. What is to be asked
// becomes a question, or joins the one that is open for the same thing. When it
// returns an error nothing may be carried out.
func (d *Desk) Propose(ctx context.Context, p Proposal) (Ticket, error) {
	if p.Request == nil {
		return Ticket{}, errors.New("hold: the proposal has no request")
	}
	dec := d.decide(p.Request)
	if t, known, err := d.keyed(ctx, &p, &dec); known || err != nil {
		return t, err
	}
	id, err := d.newID("a_")
	if err != nil {
		return Ticket{}, err
	}
	before, err := d.remember(ctx, &p, &dec)
	if err != nil {
		return Ticket{}, err
	}
	if d.options.Observe || dec.Outcome != risk.Confirm {
		return d.pass(ctx, id, &p, &dec)
	}
	if t, passed, err := d.byTicket(ctx, id, &p, &dec); passed || err != nil {
		return t, err
	}
	if t, linked, err := d.link(ctx, id, &p, &dec); linked || err != nil {
		return t, err
	}
	if t, passed, err := d.byGrant(ctx, id, &p, &dec); passed || err != nil {
		return t, err
	}
	return d.hold(ctx, id, &p, &dec, before)
}

// keyed answers a proposal whose idempotency key was used before.
func (d *Desk) keyed(ctx context.Context, p *Proposal, dec *decide.Decision) (Ticket, bool, error) {
	if p.Key == "" {
		return Ticket{}, false, nil
	}
	k, err := d.options.Store.Key(ctx, p.Agent, p.Key)
	switch {
	case errors.Is(err, ErrNotFound):
		return Ticket{}, false, nil
	case err != nil:
		return Ticket{}, true, err
	case k.Request != dec.Digest():
		return Ticket{}, true, ErrKeyReused
	}
	t, err := d.Ticket(ctx, p.Agent, k.Action)
	return t, true, err
}

// keyOf is the idempotency key of a proposal for the store, nil without one.
func (d *Desk) keyOf(id string, p *Proposal, dec *decide.Decision) *Key {
	if p.Key == "" {
		return nil
	}
	return &Key{Agent: p.Agent, Key: p.Key, Request: dec.Digest(), Action: id, At: d.clock.read()}
}

// pass records a decision that is not held: allowed, refused, or observed.
func (d *Desk) pass(ctx context.Context, id string, p *Proposal, dec *decide.Decision) (Ticket, error) {
	err := d.commit(ctx, Change{
		Rows: []ledger.Entry{d.decisionEntry(id, p, dec, "")}, Key: d.keyOf(id, p, dec),
		RefuseFrozen: dec.Outcome == risk.Allow || d.options.Observe,
	})
	if err != nil {
		return d.unwritten(ctx, id, p, dec, err)
	}
	return d.ticketFor(id, dec), nil
}

// unwritten is what becomes of a proposal whose decision was not written, and why:
// a freeze refuses it, and where its key is taken it is the action that took it.
func (d *Desk) unwritten(ctx context.Context, id string, p *Proposal, dec *decide.Decision, why error) (Ticket, error) {
	switch {
	case errors.Is(why, ErrFrozen):
		return d.frozen(ctx, id, p, dec)
	case errors.Is(why, ErrKeyTaken):
		t, _, err := d.keyed(ctx, p, dec)
		return t, err
	}
	return Ticket{}, why
}

// frozen refuses what met the freeze, for good: that it is lifted by now lets
// nothing go ahead that nobody was asked about.
func (d *Desk) frozen(ctx context.Context, id string, p *Proposal, dec *decide.Decision) (Ticket, error) {
	dec.Outcome, dec.DecidedBy, dec.Code = risk.Deny, ByFreeze, approval.CodeFrozen
	if err := d.commit(ctx, Change{Rows: []ledger.Entry{d.decisionEntry(id, p, dec, "")}}); err != nil {
		return Ticket{}, err
	}
	t := d.ticketFor(id, dec)
	t.Outcome, t.Observing = risk.Deny, false
	t.Message = t.message()
	return t, nil
}

// hold makes a question of a decision.
func (d *Desk) hold(ctx context.Context, id string, p *Proposal, dec *decide.Decision, before string) (Ticket, error) {
	a, card, err := d.question(id, p, dec, before)
	if err != nil {
		return Ticket{}, err
	}
	if t, joined, err := d.join(ctx, p, dec, &a); joined || err != nil {
		return t, err
	}
	if err := d.room(ctx, p.Agent); err != nil {
		return Ticket{}, err
	}
	shot, err := takeShot(ctx, p)
	if err != nil {
		return Ticket{}, err
	}
	event, cause := approval.Ask, approval.Cause{By: a.AgentName}
	switch {
	case d.options.Unattended:
		event, cause.Code = approval.Unasked, approval.CodeUnattended
	case d.options.Somebody == nil || !d.options.Somebody(ctx),
		d.options.Reaches != nil && !d.options.Reaches(&a):
		event, cause.Code = approval.Unasked, approval.CodeNobody
	}
	if err := a.Move(event, a.CreatedAt, cause, d.options.terms()); err != nil {
		return Ticket{}, err
	}
	q := &question{approval: a, card: card, decision: dec, shot: shot, lease: d.clock.read().Add(d.options.Lease), moved: make(chan struct{})}
	if !d.admit(q) {
		return Ticket{}, ErrTooMany
	}
	err = d.commit(ctx, Change{
		Rows: []ledger.Entry{d.decisionEntry(id, p, dec, id), transitionRow(&a, approval.None, event, cause)},
		New:  &a, Key: d.keyOf(id, p, dec), RefuseFrozen: true,
	})
	if err != nil {
		d.forget(id)
	}
	switch {
	case errors.Is(err, ErrJoin):
		t, joined, err := d.join(ctx, p, dec, &a)
		if joined || err != nil {
			return t, err
		}
		return d.hold(ctx, id, p, dec, before) // the other one has ended meanwhile
	case err != nil:
		return d.unwritten(ctx, id, p, dec, err)
	}
	d.announceNew(&a)
	t := d.ticketOf(a)
	t.Decision = dec
	return t, nil
}

// admit takes a question up before it can be answered, so that no change is
// missed. It refuses one too many: of those that come at the same time the store
// knows none yet.
func (d *Desk) admit(q *question) bool {
	if !q.approval.State.Open() {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	pending := 0
	for _, other := range d.open {
		if other.approval.Agent == q.approval.Agent && other.approval.State == approval.Pending {
			pending++
		}
	}
	if pending >= d.options.OpenPerAgent {
		return false
	}
	q.shot = d.roomFor(q)
	d.open[q.approval.ID] = q
	return true
}

func (d *Desk) forget(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, id)
}

func (d *Desk) announceNew(a *approval.Approval) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.announce()
	if a.State != approval.Pending || d.closed {
		return
	}
	select {
	case d.notices <- *a:
	default:
		d.options.Log.Warn("a channel was not told of a question: too many wait to be told", "approval", a.ID)
	}
}

// question builds the record of a question and its full card.
func (d *Desk) question(id string, p *Proposal, dec *decide.Decision, before string) (approval.Approval, approval.Card, error) {
	digest := dec.Digest()
	if digest == "" {
		return approval.Approval{}, approval.Card{}, ErrNoDigest
	}
	card := cardOf(dec)
	card.Before = before
	stored, err := masked(card)
	if err != nil {
		return approval.Approval{}, card, err
	}
	asked, partial, err := askedOf(dec)
	if err != nil {
		return approval.Approval{}, card, err
	}
	at := d.clock.read()
	return approval.Approval{
		ID: id, Agent: p.Agent, AgentName: p.AgentName, Device: p.Request.Device, Session: p.Request.Session, Bound: p.Bound,
		Digest: digest, Intent: dec.Intent(), Similar: dec.Similar(), Card: stored, Asked: asked, Partial: partial,
		CreatedAt: at, Deadline: at.Add(d.options.AnswerWithin),
	}, card, nil
}

// join finds the open question for the same thing. One that was parked is
// waited for again.
func (d *Desk) join(ctx context.Context, p *Proposal, dec *decide.Decision, a *approval.Approval) (Ticket, bool, error) {
	same, err := d.options.Store.Approvals(ctx, Query{
		States: []approval.State{approval.Pending, approval.Approved}, Agent: p.Agent, Digest: a.Digest, Limit: 1,
	})
	if err != nil || len(same) == 0 || same[0].Device != a.Device {
		return Ticket{}, false, err
	}
	old := same[0]
	if due, why, late := old.Overdue(d.clock.read()); late {
		if _, err := d.move(ctx, old.ID, due, why, nil); err != nil && !isConflict(err) {
			return Ticket{}, true, err
		}
		return Ticket{}, false, nil
	}
	row := ledger.Entry{Kind: ledger.KindDecision, Subject: old.ID, Body: joinedBody(p, dec, &old)}
	err = d.commit(ctx, Change{Rows: []ledger.Entry{row}, Key: d.keyOf(old.ID, p, dec)})
	if errors.Is(err, ErrKeyTaken) {
		return d.keyed(ctx, p, dec)
	}
	if err != nil {
		return Ticket{}, true, err
	}
	if !old.ParkedUntil.IsZero() {
		if old, err = d.unpark(ctx, old); err != nil {
			return Ticket{}, true, err
		}
	}
	d.renew(old.ID)
	return d.ticketOf(old), true, nil
}

// room refuses a question of an agent that has too many open.
func (d *Desk) room(ctx context.Context, agent string) error {
	open, err := d.options.Store.Approvals(ctx, Query{
		States: []approval.State{approval.Pending}, Agent: agent, Limit: d.options.OpenPerAgent,
	})
	if err != nil {
		return err
	}
	if len(open) >= d.options.OpenPerAgent {
		return fmt.Errorf("%d are open: %w", len(open), ErrTooMany)
	}
	return nil
}

// renew extends the lease of a requester that polls.
func (d *Desk) renew(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.open[id]; q != nil {
		q.lease = d.clock.read().Add(d.options.Lease)
	}
}

func isConflict(err error) bool {
	var c *approval.Conflict
	return errors.As(err, &c)
}
