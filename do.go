package countersign

import (
	"context"
	"errors"
	"fmt"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// Asker asks a person whether an action may go ahead, and returns the answer
// with a note for the agent (at most hold.MaxNote runes). It is called from a
// goroutine of its own, one question at a time each; ctx ends when the question
// does, and an answer after that counts for nothing. An error is no answer: the
// question stays open until its time is over.
type Asker func(ctx context.Context, question Approval) (yes bool, note string, err error)

// ErrNoStore says that a Guard decides only: it has nowhere to keep a question
// or a record.
var ErrNoStore = errors.New("the guard has no store, so it can hold nothing; set Options.Store, for instance with store/sqlite")

// Do takes an action through the whole sequence: it looks at the device, decides,
// records, asks and waits where a person has to answer, looks again, and carries
// the action out if it still is what was approved. It returns nil only when the
// Releaser carried the action out without an error; else the error says why not
// and the ticket where the action stands. When ctx ends, a question that waits is
// cancelled.
//
// It needs Options.Store, Options.DigestKey and Options.Ask, and is safe for
// concurrent use.
func (g *Guard) Do(ctx context.Context, req *Request, o Observer, r Releaser) (Ticket, error) {
	if g == nil || g.desk == nil {
		return Ticket{}, ErrNoStore
	}
	return g.desk.Do(ctx, hold.Proposal{Agent: "library", AgentName: "library", Request: req}, o, r)
}

// Desk is where the guard holds actions: to list, revoke and freeze. It is nil
// without Options.Store.
func (g *Guard) Desk() *hold.Desk {
	if g == nil {
		return nil
	}
	return g.desk
}

// Close ends the holding of actions. Open questions stay in the store: those of
// Do are cancelled at the next start. The store is the caller's to close.
func (g *Guard) Close() {
	if g == nil || g.desk == nil {
		return
	}
	g.stop()
	g.desk.Close()
}

// holdOn starts the holding of actions.
func (g *Guard) holdOn(o *Options) error {
	if o.Store == nil {
		return nil
	}
	if len(o.DigestKey) == 0 {
		return hold.ErrNoDigest
	}
	owner := o.Approver
	if owner == "" {
		owner = "owner"
	}
	ask := &asking{ask: o.Ask, owner: owner}
	options := hold.Options{Store: o.Store, Decider: g, Observe: o.Observe}
	if o.Ask != nil {
		options.Notifiers = []hold.Notifier{ask}
		options.Somebody = func(context.Context) bool { return true }
	}
	desk, err := hold.New(context.Background(), options)
	if err != nil {
		return fmt.Errorf("countersign: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	g.desk, g.stop, ask.desk, ask.until = desk, stop, desk, ctx
	go desk.Run(ctx)
	return nil
}

// asking turns an Asker into a notifier whose answers count.
type asking struct {
	ask   Asker
	owner string
	desk  *hold.Desk
	until context.Context
}

// Ask puts the question to the person and goes on at once.
func (a *asking) Ask(_ context.Context, q approval.Approval) error {
	go a.put(q)
	return nil
}

func (a *asking) put(q approval.Approval) {
	ctx, end := context.WithCancel(a.until)
	defer end()
	go func() { // the question may end while the person thinks
		defer end()
		_, _ = a.desk.Wait(ctx, q.Agent, q.ID)
	}()
	full, err := a.desk.View(ctx, q.ID)
	if err != nil {
		return
	}
	yes, note, err := a.ask(ctx, full)
	if err != nil {
		return
	}
	// A conflict means that the question ended meanwhile: nothing to do.
	_, _ = a.desk.Answer(context.WithoutCancel(ctx), hold.Answer{
		ID: q.ID, Digest: q.Digest, Yes: yes, By: a.owner, How: "library", Note: note,
	})
}
