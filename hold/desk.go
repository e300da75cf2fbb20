package hold

import (
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/redact"
)

// Desk is where actions are held. Its methods are safe for concurrent use. Make
// one with New, let Run go on beside it, and Close it.
type Desk struct {
	options Options
	decider atomic.Pointer[Decider]
	clock   *clock

	mu      sync.Mutex
	open    map[string]*question
	changed chan struct{} // closed and replaced at every change
	poke    chan struct{} // wakes Run
	closed  bool

	// granting is held while a grant is given or a freeze ends them all, and shared
	// by refusals, which end some.
	granting sync.RWMutex
	// grantsEnd is when the next grant is over that this desk knows of, the zero
	// time for never; mu guards it.
	grantsEnd time.Time

	// vouchers are what gates above have left for gates below.
	vouchers identity.Vouchers

	notices chan approval.Approval
	work    sync.WaitGroup
	later   chan ledger.Entry
}

// question is what is known of an open question while the desk runs and is
// never stored: the whole card, the request as it came, who is waiting.
type question struct {
	approval approval.Approval
	card     approval.Card
	decision *decide.Decision // nil after a restart
	shot     picture.Shot     // none unless the gate handed one over
	lease    time.Time        // until when a requester that polls may be silent
	moved    chan struct{}    // closed when it moves, and when the desk is closed
}

// New builds a desk. Unless the store is shared it first settles what an earlier
// desk left behind: a connection that waited is gone, and of an action that was
// being released nobody knows what became.
func New(ctx context.Context, o Options) (*Desk, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	head, err := o.Store.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("hold: read the record: %w", err)
	}
	d := &Desk{
		options: o, clock: newClock(o.Now, head.At), open: map[string]*question{},
		changed: make(chan struct{}), poke: make(chan struct{}, 1),
		notices: make(chan approval.Approval, 1024), later: make(chan ledger.Entry, mostTogether),
	}
	d.decider.Store(&o.Decider)
	if err := d.recover(ctx); err != nil {
		return nil, fmt.Errorf("hold: settle what was left open: %w", err)
	}
	d.work.Go(d.notify)
	d.work.Go(d.writeLater)
	return d, nil
}

// Close stops the desk's goroutines after what they have in hand. Questions
// stay as they are.
func (d *Desk) Close() {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return
	}
	d.closed = true
	close(d.notices)
	close(d.later)
	close(d.changed)
	for _, q := range d.open {
		close(q.moved)
	}
	d.mu.Unlock()
	d.work.Wait()
}

// Now is the desk's time: the machine's, except that it never goes back.
func (d *Desk) Now() time.Time { return d.clock.read() }

// SetDecider puts another policy in place, for decisions from now on.
func (d *Desk) SetDecider(by Decider) { d.decider.Store(&by) }

func (d *Desk) decide(req *decide.Request) decide.Decision { return (*d.decider.Load()).Decide(req) }

// Decide decides without holding or recording anything.
func (d *Desk) Decide(req *decide.Request) decide.Decision { return d.decide(req) }

// newID makes an id that nobody can guess, with the letter of its kind before it.
// One in some ten thousand looks like a secret (a card number, a key); it would be
// taken out of what it names, so another one is made.
func (d *Desk) newID(kind string) (string, error) {
	raw := make([]byte, 15)
	for {
		if _, err := io.ReadFull(d.options.Random, raw); err != nil {
			return "", fmt.Errorf("hold: make an id: %w", err)
		}
		id := kind + strings.ToLower(base32.StdEncoding.EncodeToString(raw))
		if redact.Text(id) == id {
			return id, nil
		}
	}
}

// commit writes a change and tells whoever waits.
func (d *Desk) commit(ctx context.Context, c Change) error {
	c.At = d.clock.read()
	// A change that was begun is not given up because its caller is: whether it
	// happened must be known.
	_, err := d.options.Store.Commit(context.WithoutCancel(ctx), c)
	return err
}

// move carries an event to a question: in the store with its row, then here.
// It reads the question again when somebody else was faster.
func (d *Desk) move(ctx context.Context, id string, e approval.Event, c approval.Cause, extra func(*Change)) (approval.Approval, error) {
	for {
		a, err := d.options.Store.Approval(ctx, id)
		if err != nil {
			return approval.Approval{}, err
		}
		next, err := d.moveFrom(ctx, a, e, c, extra)
		if errors.Is(err, ErrMoved) {
			continue
		}
		return next, err
	}
}

// moveFrom is one attempt of move, from a question as it was read. A question
// whose time is over is ended first, whatever was to happen to it.
func (d *Desk) moveFrom(ctx context.Context, a approval.Approval, e approval.Event, c approval.Cause, extra func(*Change)) (approval.Approval, error) {
	at := d.clock.read()
	if due, why, late := a.Overdue(at); late && due != e {
		if _, err := d.moveFrom(ctx, a, due, why, nil); err != nil {
			return a, err
		}
		return a, ErrMoved
	}
	c.Note = redact.Text(c.Note) // it is stored, and told to the agent
	next, was := a, a.State
	if err := next.Move(e, at, c, d.options.terms()); err != nil {
		return a, err
	}
	change := Change{
		Rows:  []ledger.Entry{transitionRow(&next, was, e, c)},
		Moved: []Moved{{Approval: next, Was: a.Version}},
	}
	if extra != nil {
		extra(&change)
		next = change.Moved[0].Approval
	}
	if err := d.commit(ctx, change); err != nil {
		return a, err
	}
	d.settle(next)
	return next, nil
}

// settle takes over what the store holds now and wakes whoever waits for it.
func (d *Desk) settle(a approval.Approval) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.open[a.ID]; q != nil && a.Version > q.approval.Version {
		q.approval = a
		if !d.closed {
			close(q.moved)
			q.moved = make(chan struct{})
		}
		if !a.State.Open() {
			delete(d.open, a.ID)
		}
	}
	d.announce()
}

// announce wakes whoever waits for a change; d.mu is held.
func (d *Desk) announce() {
	if d.closed {
		return
	}
	close(d.changed)
	d.changed = make(chan struct{})
	select {
	case d.poke <- struct{}{}:
	default:
	}
}

// Changed returns a channel that is closed at the next change of any question,
// of the freeze, and when the desk is closed.
func (d *Desk) Changed() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changed
}

// moved returns a channel that is closed at the next change that may be one of
// this question. With many that wait, each is woken for its own question only.
func (d *Desk) moved(id string) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.open[id]; q != nil && !d.options.Shared {
		return q.moved
	}
	return d.changed
}

// notify tells the notifiers, one question after the other.
func (d *Desk) notify() {
	for a := range d.notices {
		for _, n := range d.options.Notifiers {
			if err := n.Ask(context.Background(), a); err != nil {
				d.options.Log.Warn("a channel could not be told of a question", "approval", a.ID, "error", err.Error())
			}
		}
	}
}

// Record appends rows that are about no question: credentials, policies, refused
// requests.
func (d *Desk) Record(ctx context.Context, entries ...ledger.Entry) error {
	return d.commit(ctx, Change{Rows: entries})
}
