package client

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/countersign/countersign/approval"
)

// An effect is what a model wants done.
type effect struct {
	do verb
	// id, digest and note are of an answer: the digest is that of the card as it
	// was shown.
	id, digest, note string
	// terms are those of the grant that an answer gives.
	terms approval.GrantTerms
	// seen is the version that a fetch waits to change.
	seen string
	// after is how long to wait before.
	after time.Duration
}

type verb uint8

const (
	fetch verb = iota + 1
	look
	askStatus
	offer
	approve
	grant
	deny
	revoke
	freeze
	unfreeze
	ring
	tick
	quit
)

// The pauses of the page.
const (
	longPoll   = 30 * time.Second
	samePause  = 250 * time.Millisecond // where the door does not wait as it was asked to
	lostPause  = 2 * time.Second
	wrongPause = 10 * time.Second // a refusal does not pass by itself
	tickPause  = time.Second
)

func retryAfter(err error) time.Duration {
	var p *Problem
	if errors.As(err, &p) && p.Status < 500 {
		return wrongPause
	}
	return lostPause
}

// A door is what the page needs of a Client.
type door interface {
	Wait(ctx context.Context, seen string, wait time.Duration) (Questions, error)
	Get(ctx context.Context, id string) (approval.Approval, error)
	Approve(ctx context.Context, id, digest, note string) (approval.Approval, error)
	Offer(ctx context.Context, id string) (approval.Grant, bool, error)
	ApproveWithGrant(ctx context.Context, id, digest, note string, terms approval.GrantTerms) (approval.Approval, error)
	Deny(ctx context.Context, id, digest, note string) (approval.Approval, error)
	Revoke(ctx context.Context, id, digest, note string) (approval.Approval, error)
	Freeze(ctx context.Context, why string) error
	Unfreeze(ctx context.Context, why string) error
	Status(ctx context.Context) (Status, error)
}

// command is an effect as the runtime carries it out.
func command(ctx context.Context, d door, e effect) tea.Cmd {
	switch e.do {
	case quit:
		return tea.Quit
	case ring:
		return tea.Raw("\a")
	case tick:
		return tea.Tick(tickPause, func(time.Time) tea.Msg { return ticked{} })
	}
	return func() tea.Msg {
		if e.after > 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(e.after):
			}
		}
		return perform(ctx, d, e)
	}
}

// perform asks the door for what an effect wants and returns the answer as a
// message.
func perform(ctx context.Context, d door, e effect) tea.Msg {
	switch e.do {
	case fetch:
		list, err := d.Wait(ctx, e.seen, longPoll)
		return listed{list, err}
	case look:
		a, err := d.Get(ctx, e.id)
		return looked{e.id, a, err}
	case offer:
		g, ok, err := d.Offer(ctx, e.id)
		return offered{e.id, e.digest, g, ok, err}
	case askStatus:
		s, err := d.Status(ctx)
		return stated{s, err}
	}
	m := done{do: e.do, id: e.id}
	switch e.do {
	case approve:
		m.found, m.err = d.Approve(ctx, e.id, e.digest, e.note)
	case grant:
		m.found, m.err = d.ApproveWithGrant(ctx, e.id, e.digest, e.note, e.terms)
	case deny:
		m.found, m.err = d.Deny(ctx, e.id, e.digest, e.note)
	case revoke:
		m.found, m.err = d.Revoke(ctx, e.id, e.digest, e.note)
	case freeze:
		m.err = d.Freeze(ctx, e.note)
	case unfreeze:
		m.err = d.Unfreeze(ctx, e.note)
	}
	return m
}
