package hold

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
)

// MaxNote is the longest note of an answer, in runes.
const MaxNote = 500

// Answer is what a person says to a question.
type Answer struct {
	ID string
	// Digest is that of the question as the person saw it.
	Digest string
	Yes    bool
	// By is the approver's name, How the way the answer came.
	By, How string
	// Note is told to the agent; at most MaxNote runes.
	Note string
	// Grant lets the agent do the same again, on these terms; nil for this time
	// only. It comes with a yes, and where Desk.Offer has something to offer.
	Grant *approval.GrantTerms
}

// ErrAnonymous says that an answer names nobody.
var ErrAnonymous = errors.New("an answer needs the name of who gave it")

// ErrNote says that a note is too long.
var ErrNote = fmt.Errorf("a note has at most %d characters", MaxNote)

// Answer gives a person's answer to a question. The first one counts; a later
// one, or one after the question's time, is an *approval.Conflict. Whoever calls
// this has made sure that it is a person who answers: the desk cannot. A yes with
// a grant that may not be given (ErrNoGrant, ErrFrozen, approval.ErrGrantTerms)
// counts for nothing: the question stays open.
func (d *Desk) Answer(ctx context.Context, an Answer) (approval.Approval, error) {
	switch {
	case an.By == "":
		return approval.Approval{}, ErrAnonymous
	case utf8.RuneCountInString(an.Note) > MaxNote || !utf8.ValidString(an.Note):
		return approval.Approval{}, ErrNote
	case an.Grant != nil && !an.Yes:
		return approval.Approval{}, ErrGrantNo
	case an.Grant != nil:
		if err := an.Grant.Check(); err != nil {
			return approval.Approval{}, err
		}
	}
	defer d.standStill(&an)()
	event := approval.Deny
	if an.Yes {
		event = approval.Approve
	}
	for {
		a, err := d.options.Store.Approval(ctx, an.ID)
		if err != nil {
			return a, err
		}
		if an.Digest == "" || an.Digest != a.Digest {
			return a, ErrDigest
		}
		more, err := d.alongside(ctx, &a, &an, event)
		if err != nil {
			return a, err
		}
		a, err = d.moveFrom(ctx, a, event, approval.Cause{By: an.By, How: an.How, Note: an.Note}, more)
		if errors.Is(err, ErrMoved) {
			continue
		}
		return a, err
	}
}

// Revoke takes a question or an answer back that has not been released yet, and
// with it the grant that came with the answer. One that is being released is an
// *approval.Conflict.
func (d *Desk) Revoke(ctx context.Context, id, by, how, note string) (approval.Approval, error) {
	if by == "" {
		return approval.Approval{}, ErrAnonymous
	}
	why := approval.Cause{By: by, How: how, Code: approval.CodeRevoked, Note: note}
	for {
		a, err := d.options.Store.Approval(ctx, id)
		if err != nil {
			return a, err
		}
		more, err := d.ending(ctx, GrantQuery{From: id}, why)
		if err != nil {
			return a, err
		}
		if a, err = d.moveFrom(ctx, a, approval.Revoke, why, more); !isMoved(err) {
			return a, err
		}
	}
}

// View is a question as a person sees it: with the whole card while the desk
// that asked it runs, else with the masked one.
func (d *Desk) View(ctx context.Context, id string) (approval.Approval, error) {
	a, err := d.options.Store.Approval(ctx, id)
	if err != nil {
		return a, err
	}
	return d.unmask(a), nil
}

// Views are the questions that match, as a person sees them, newest first.
func (d *Desk) Views(ctx context.Context, q Query) ([]approval.Approval, error) {
	list, err := d.options.Store.Approvals(ctx, q)
	for i := range list {
		list[i] = d.unmask(list[i])
	}
	return list, err
}

// unmask puts the full card in place of the stored one, where it is known.
func (d *Desk) unmask(a approval.Approval) approval.Approval {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.open[a.ID]; q != nil && q.decision != nil {
		a.Card = q.card
	}
	return a
}
