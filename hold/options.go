package hold

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
)

// Decider decides about an action; *countersign.Guard and *decide.Decider do.
type Decider interface {
	Decide(*decide.Request) decide.Decision
}

// Notifier is told that a question waits. Ask must return soon; it is called
// from a goroutine of its own, one question after the other. An error is
// recorded in the log and changes nothing: a notice is no answer.
type Notifier interface {
	Ask(ctx context.Context, a approval.Approval) error
}

// Options say how a Desk holds. Store and Decider are required; the zero value
// of everything else is a safe default.
type Options struct {
	Store   Store
	Decider Decider
	// Now is the machine's clock; time.Now if nil.
	Now func() time.Time
	// Random makes ids; crypto/rand if nil.
	Random io.Reader
	// Somebody reports whether anybody can be asked. Nil stands for nobody: then
	// what would be held ends at once as no_channel.
	Somebody func(context.Context) bool
	// Reaches reports whether anybody may hear of this question; nil stands for
	// yes. Where it says no, the question ends at once as if there were nobody.
	Reaches func(*approval.Approval) bool
	// Gate reports whether an agent's id is that of a gate's credential in use: what
	// a yes lets go ahead there passes once, right after it, at a gate below as well.
	// Nil stands for no.
	Gate func(ctx context.Context, agent string) bool
	// Unattended says that nobody is there by the owner's will: the same, with a
	// code of its own.
	Unattended bool
	// Observe decides and records everything and holds nothing.
	Observe   bool
	Notifiers []Notifier
	// Shared says that other desks work on the same store at the same time. Else
	// what an earlier desk left behind is settled by New.
	Shared bool
	Log    *slog.Logger

	// AnswerWithin is how long a question waits (15 minutes), UseWithin how long a
	// yes may be used (5 minutes), ReleaseWithin how long a release may take (1
	// minute).
	AnswerWithin, UseWithin, ReleaseWithin time.Duration
	// ParkFor is how long a question stays whose requester was told to ask again
	// (10 minutes), ParkCritical the same for critical ones (2 minutes).
	ParkFor, ParkCritical time.Duration
	// Lease is how long a requester that polls may be silent (10 minutes).
	Lease time.Duration
	// Cooldown is how long a refusal also refuses the same intent (10 minutes).
	Cooldown time.Duration
	// LinkWithin is how soon a generic yes has to follow the answer that covers it
	// (15 seconds).
	LinkWithin time.Duration
	// OpenPerAgent is how many questions of one agent may be open (20).
	OpenPerAgent int
}

func (o *Options) validate() error {
	switch {
	case o.Store == nil:
		return errors.New("hold: Options.Store is missing; open one with store/sqlite")
	case o.Decider == nil:
		return errors.New("hold: Options.Decider is missing; a *countersign.Guard is one")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	for _, d := range []struct {
		name   string
		value  *time.Duration
		preset time.Duration
	}{
		{"AnswerWithin", &o.AnswerWithin, 15 * time.Minute}, {"UseWithin", &o.UseWithin, 5 * time.Minute},
		{"ReleaseWithin", &o.ReleaseWithin, time.Minute}, {"ParkFor", &o.ParkFor, 10 * time.Minute},
		{"ParkCritical", &o.ParkCritical, 2 * time.Minute}, {"Lease", &o.Lease, 10 * time.Minute},
		{"Cooldown", &o.Cooldown, 10 * time.Minute}, {"LinkWithin", &o.LinkWithin, 15 * time.Second},
	} {
		switch {
		case *d.value < 0:
			return fmt.Errorf("hold: Options.%s is %v; it must be positive, or 0 for %v", d.name, *d.value, d.preset)
		case *d.value == 0:
			*d.value = d.preset
		}
	}
	if o.OpenPerAgent < 0 {
		return fmt.Errorf("hold: Options.OpenPerAgent is %d; it must be positive, or 0 for 20", o.OpenPerAgent)
	}
	if o.OpenPerAgent == 0 {
		o.OpenPerAgent = 20
	}
	return nil
}

func (o *Options) terms() approval.Terms {
	return approval.Terms{UseWithin: o.UseWithin, ReleaseWithin: o.ReleaseWithin}
}
