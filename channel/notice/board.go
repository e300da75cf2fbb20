package notice

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// All stands for every channel, in what Options.Route returns.
const All = "all"

// Options say which channels there are and who is told of what. Now is required.
type Options struct {
	Channels []Named
	// Route returns the names of the channels that are told of a question put at
	// a time, or All alone; nil is all for everything.
	Route func(c risk.Category, t risk.Tier, critical bool, at time.Time) []string
	// Required reports whether Reaches may say no; nil for never.
	Required func() bool
	// Inbox returns the https address of the inbox where it has a name with TLS,
	// else "": then, and where it is nil, no message has a link.
	Inbox func() string
	// Now is the guard's time.
	Now func() time.Time
	// Waits reports whether a question still waits; nil is until its deadline. What
	// no longer waits is not told.
	Waits func(ctx context.Context, id string) bool
	// Record writes rows; nil for nowhere.
	Record func(context.Context, ...ledger.Entry) error
	Log    *slog.Logger
}

// Named is a channel and what its owner calls it.
type Named struct {
	// Name is unique; Kind is "webhook", "push" or "hook".
	Name, Kind string
	// Where says where it leads, with nothing secret in it: a host, a program.
	Where string
	// Brief says that it is told nothing of what is on the screen.
	Brief   bool
	Channel Channel
}

// Channel tells a person something.
type Channel interface {
	// Tell returns when the channel has taken the message, or why it did not. It
	// ends soon after ctx does, and is called by one goroutine at a time. An error
	// that is no *Failure is one that may pass.
	Tell(ctx context.Context, m Message) error
}

// Board tells channels of questions. It is a hold.Notifier, and safe for
// concurrent use.
type Board struct {
	o     Options
	lanes []*lane
	pace  pace
	stop  context.CancelFunc
	work  sync.WaitGroup

	mu sync.Mutex
	// told are the routes of the last questions, by their ids, oldest first in
	// order.
	told  map[string][]*lane
	order []string
}

// remembered is how many questions Told knows of.
const remembered = 256

// New makes a board. Close it.
func New(o Options) (*Board, error) {
	if o.Now == nil {
		return nil, errors.New("notice: Options.Now is missing: the guard's clock")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b := &Board{o: o, told: map[string][]*lane{}}
	for _, c := range o.Channels {
		if c.Channel == nil || c.Name == "" || c.Name == All || b.lane(c.Name) != nil {
			return nil, fmt.Errorf("notice: the channel %q is nothing, is named twice, or has a name that is none", c.Name)
		}
		b.lanes = append(b.lanes, newLane(c, &b.o))
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	for _, l := range b.lanes {
		b.work.Go(func() { l.run(ctx) })
	}
	return b, nil
}

// Close gives up what has not been told yet, and waits for what is under way.
func (b *Board) Close() {
	b.stop()
	b.work.Wait()
}

// Ask has the channels told of a question that waits. It returns at once: what a
// channel is too slow for is dropped, and that is its failure; what an agent asks
// too fast is told later. Implements
// hold.Notifier.
func (b *Board) Ask(_ context.Context, a approval.Approval) error {
	lanes := b.route(&a)
	b.remember(a.ID, lanes)
	if len(lanes) == 0 {
		return nil
	}
	m := MessageOf(&a, b.inbox())
	due, soon := b.pace.next(a.Agent, b.o.Now())
	for _, l := range lanes {
		if soon {
			l.put(m, due, a.Deadline)
		} else {
			l.spare(a.ID)
		}
	}
	return nil
}

// inbox is where a message links to, nil for nowhere.
func (b *Board) inbox() *url.URL {
	if b.o.Inbox == nil {
		return nil
	}
	at, err := url.Parse(b.o.Inbox())
	if err != nil || at.Scheme != "https" || at.Host == "" || at.User != nil {
		return nil
	}
	return at
}

// Reaches reports whether somebody may hear of a question. Where a channel is
// required, one that is told of it must be fit for use. Nothing is sent.
func (b *Board) Reaches(a *approval.Approval) bool {
	if b.o.Required == nil || !b.o.Required() {
		return true
	}
	at := b.o.Now()
	return slices.ContainsFunc(b.route(a), func(l *lane) bool { return l.usable(at) })
}

// route is who is told of a question.
func (b *Board) route(a *approval.Approval) []*lane {
	names := []string{All}
	if b.o.Route != nil {
		names = b.o.Route(a.Card.Category, a.Card.Tier, a.Card.Critical, a.CreatedAt)
	}
	if slices.Contains(names, All) {
		return b.lanes
	}
	var lanes []*lane
	for _, l := range b.lanes { // in their own order, and each once
		if slices.Contains(names, l.Name) {
			lanes = append(lanes, l)
		}
	}
	return lanes
}

func (b *Board) remember(id string, lanes []*lane) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.told[id]; !known {
		b.order = append(b.order, id)
	}
	b.told[id] = lanes
	if len(b.order) > remembered {
		forgotten := b.order[0]
		b.order = b.order[1:]
		delete(b.told, forgotten)
		for _, l := range b.lanes {
			l.forget(forgotten)
		}
	}
}

// States are the channels and how each did, in the order of Options.
func (b *Board) States() []State {
	states := make([]State, len(b.lanes))
	for i, l := range b.lanes {
		states[i] = l.stands()
	}
	return states
}

// Told is what became of telling of a question: the channels that are told of it,
// and how that went. Of questions long ago nothing is known.
func (b *Board) Told(id string) []State {
	b.mu.Lock()
	lanes := b.told[id]
	b.mu.Unlock()
	states := make([]State, 0, len(lanes))
	for _, l := range lanes {
		states = append(states, l.of(id))
	}
	return states
}

// ErrUnknown says that there is no channel of a name.
var ErrUnknown = errors.New("there is no such channel")

// Test sends a harmless message through a channel and returns how it stands then.
// Only that there is no such channel, or that ctx ended before it was its turn,
// is an error; that it failed is its state.
func (b *Board) Test(ctx context.Context, name string) (State, error) {
	l := b.lane(name)
	if l == nil {
		names := make([]string, len(b.lanes))
		for i, l := range b.lanes {
			names[i] = l.Name
		}
		if len(names) == 0 {
			return State{}, fmt.Errorf("%w; this guard has none at all", ErrUnknown)
		}
		return State{}, fmt.Errorf("%w; there are %s", ErrUnknown, strings.Join(names, ", "))
	}
	return l.test(ctx, Sample(name, b.o.Now(), b.inbox()))
}

func (b *Board) lane(name string) *lane {
	for _, l := range b.lanes {
		if l.Name == name {
			return l
		}
	}
	return nil
}
