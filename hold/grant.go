package hold

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// The errors of grants, beside ErrNotFound and those of approval.GrantTerms.
var (
	// ErrNoGrant says that no grant may be given with the yes to this question.
	ErrNoGrant = errors.New("no grant may be given with this question; say yes without one")
	// ErrGrantNo says that a grant came with a no.
	ErrGrantNo = errors.New("a grant comes with a yes; a no grants nothing")
	// ErrGrantOver says that a grant has ended already.
	ErrGrantOver = errors.New("this grant is over already; nothing more is done on it")
)

// ByGrant is the mechanism in a decision that a grant let pass.
const ByGrant = "grant"

// maxGrants is how many grants a list has at most.
const maxGrants = 500

// Offer is the grant that may be given with the yes to a question, on the usual
// terms as of now and without an id; ok is false where none may be given, and
// while everything is frozen.
func (d *Desk) Offer(a approval.Approval) (g approval.Grant, ok bool) {
	card, err := masked(a.Card)
	if err != nil || a.State != approval.Pending {
		return g, false
	}
	card.Masked = card.Masked || a.Card.Masked
	a.Card = card
	if g, ok = approval.GrantFor(&a); !ok {
		return approval.Grant{}, false
	}
	if f, err := d.options.Store.Freeze(context.Background()); err != nil || f.Frozen {
		return approval.Grant{}, false
	}
	return g.Given("", approval.UsualGrant(), d.clock.read(), "", ""), true
}

// Grants are the newest grants, newest first: those that may be used, or all.
func (d *Desk) Grants(ctx context.Context, openOnly bool) ([]approval.Grant, error) {
	list, err := d.options.Store.Grants(ctx, GrantQuery{Open: openOnly, Limit: maxGrants})
	if err != nil || !openOnly {
		return list, err
	}
	at, open := d.clock.read(), list[:0]
	for i := range list {
		if list[i].Open(at) {
			open = append(open, list[i])
		}
	}
	return open, nil
}

// Grant is one grant.
func (d *Desk) Grant(ctx context.Context, id string) (approval.Grant, error) {
	if id == "" {
		return approval.Grant{}, noGrant(id)
	}
	list, err := d.options.Store.Grants(ctx, GrantQuery{ID: id, Limit: 1})
	switch {
	case err != nil:
		return approval.Grant{}, err
	case len(list) == 0:
		return approval.Grant{}, noGrant(id)
	}
	return list[0], nil
}

func noGrant(id string) error { return fmt.Errorf("grant %q: %w", id, ErrNotFound) }

// RevokeGrant ends a grant at once. One that is over is ErrGrantOver.
func (d *Desk) RevokeGrant(ctx context.Context, id, by, how string) (approval.Grant, error) {
	if by == "" {
		return approval.Grant{}, ErrAnonymous
	}
	for {
		g, err := d.Grant(ctx, id)
		if err != nil {
			return g, err
		}
		at := d.clock.read()
		if g.Ending(at) != "" {
			return g, fmt.Errorf("%w (%s)", ErrGrantOver, g.Ending(at))
		}
		ended, err := d.endGrant(ctx, g, at, approval.Cause{By: by, How: how, Code: approval.CodeRevoked})
		if !isMoved(err) {
			return ended, err
		}
	}
}

// standStill keeps the grants from changing in the middle of an answer: none is
// given while a refusal or a freeze ends those that there are. It returns what
// ends it.
func (d *Desk) standStill(an *Answer) (end func()) {
	switch {
	case an.Grant != nil:
		d.granting.Lock()
		return d.granting.Unlock
	case !an.Yes:
		d.granting.RLock()
		return d.granting.RUnlock
	}
	return func() {}
}

// alongside is what an answer changes besides its question: a yes may give a
// grant, a no ends the grants of what is similar. It is nil where there is
// nothing to change, and where the answer counts for nothing.
func (d *Desk) alongside(ctx context.Context, a *approval.Approval, an *Answer, e approval.Event) (func(*Change), error) {
	if _, counts := approval.Next(a.State, e); !counts {
		return nil, nil
	}
	if !an.Yes {
		return d.ending(ctx, GrantQuery{Agent: a.Agent, Similar: a.Similar}, approval.Cause{By: an.By, How: an.How, Code: approval.CodeDeniedSince})
	}
	if an.Grant == nil {
		return nil, nil
	}
	g, ok := approval.GrantFor(a)
	if !ok {
		return nil, ErrNoGrant
	}
	id, err := d.newID("g_")
	if err != nil {
		return nil, err
	}
	g = g.Given(id, *an.Grant, d.clock.read(), an.By, an.How)
	return func(c *Change) {
		c.NewGrant, c.RefuseFrozen = &g, true
		c.Moved[0].Approval.Grant = id
		c.Rows = append(c.Rows, grantRow(&g, ledger.GrantGiven, approval.Cause{By: an.By, How: an.How}, ""))
		d.expects(g.ExpiresAt)
	}, nil
}

// ending adds to a change the end of the open grants that match; nil where there
// are none. When one of them is used meanwhile the change fails with ErrMoved.
func (d *Desk) ending(ctx context.Context, q GrantQuery, why approval.Cause) (func(*Change), error) {
	q.Open, q.Limit = true, 1<<20
	list, err := d.options.Store.Grants(ctx, q)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	at := d.clock.read()
	return func(c *Change) {
		for i := range list {
			c.endGrant(list[i], at, why)
		}
	}, nil
}

// endGrant adds the end of an open grant to a change.
func (c *Change) endGrant(g approval.Grant, at time.Time, why approval.Cause) approval.Grant {
	was := g.Version
	if !at.Before(g.ExpiresAt) {
		why = approval.Cause{By: "countersign", Code: approval.CodeGrantExpired}
	}
	g.End(at, why.By, why.Code)
	c.MovedGrants = append(c.MovedGrants, MovedGrant{Grant: g, Was: was})
	c.Rows = append(c.Rows, grantRow(&g, ledger.GrantEnded, why, ""))
	return g
}

// endGrant ends an open grant on its own.
func (d *Desk) endGrant(ctx context.Context, g approval.Grant, at time.Time, why approval.Cause) (approval.Grant, error) {
	var c Change
	ended := c.endGrant(g, at, why)
	if err := d.commit(ctx, c); err != nil {
		return g, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.announce()
	return ended, nil
}

// endGrants ends every open grant that matches, one after the other.
func (d *Desk) endGrants(ctx context.Context, q GrantQuery, why approval.Cause) error {
	q.Open = true
	for {
		open, err := d.options.Store.Grants(ctx, q)
		if err != nil || len(open) == 0 {
			return err
		}
		for i := range open {
			if _, err := d.endGrant(ctx, open[i], d.clock.read(), why); err != nil && !isMoved(err) {
				return err
			}
		}
	}
}

// expects takes note of when a grant is over, so that the sweep writes it down.
func (d *Desk) expects(end time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.grantsEnd.IsZero() || end.Before(d.grantsEnd) {
		d.grantsEnd = end
	}
}

// sweepGrants writes down which grants are over. It returns when the next one
// is, the zero time for never. What fails is tried again at the next sweep; no
// grant counts meanwhile.
func (d *Desk) sweepGrants(ctx context.Context, at time.Time) time.Time {
	d.mu.Lock()
	next := d.grantsEnd
	d.mu.Unlock()
	if next.IsZero() || at.Before(next) {
		return next
	}
	next, err := d.expireGrants(ctx, at)
	if err != nil && ctx.Err() == nil {
		d.options.Log.Error("the end of a grant could not be recorded", "error", err.Error())
	}
	if err != nil {
		return at.Add(sweepAtLeast)
	}
	return next
}

// expireGrants ends the grants whose time is over and returns when the next one
// is, the zero time for never.
func (d *Desk) expireGrants(ctx context.Context, at time.Time) (next time.Time, err error) {
	d.mu.Lock()
	was := d.grantsEnd
	d.grantsEnd = time.Time{} // one that is given from now on is noted beside
	d.mu.Unlock()
	open, err := d.options.Store.Grants(ctx, GrantQuery{Open: true, Limit: 1 << 20})
	for i := range open {
		g := &open[i]
		if at.Before(g.ExpiresAt) {
			d.expects(g.ExpiresAt)
		} else if _, end := d.endGrant(ctx, *g, at, approval.Cause{}); end != nil && !isMoved(end) {
			err = end
		}
	}
	if err != nil && !was.IsZero() {
		d.expects(was)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.grantsEnd, err
}

// grantRow is the row of what happened to a grant; action is the one that it let
// pass, empty for none.
func grantRow(g *approval.Grant, what ledger.GrantEvent, c approval.Cause, action string) ledger.Entry {
	return ledger.Entry{Kind: ledger.KindGrant, Subject: g.ID, Body: ledger.Grant{
		Grant: g.ID, Event: what, By: c.By, How: c.How, Code: c.Code, Agent: g.Agent, Device: g.Device, Approval: g.From, Action: action,
		Category: g.Category, Package: g.Package, Object: g.Object, Recipient: g.Recipient,
		Count: g.Count, Used: g.Used, ExpiresAt: g.ExpiresAt,
	}}
}
