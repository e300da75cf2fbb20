package notice

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/countersign/countersign/ledger"
)

// The bounds of a lane.
const (
	// mostQueued is how many questions may wait for one channel.
	mostQueued = 64
	// tellTime is how long one try may take.
	tellTime = 20 * time.Second
	// firstPause is the pause after the first try that failed. It doubles with
	// each further one, up to longestPause.
	firstPause   = 2 * time.Second
	longestPause = time.Minute
	// failedFor is how long a failure counts: then the next question is a new try.
	// Without an end, a channel that nothing is sent to would never work again.
	failedFor = 10 * time.Minute
)

// lane is one channel with what it still has to tell.
type lane struct {
	Named
	o    *Options
	wake chan struct{} // has something when the queue has changed
	turn chan struct{} // holds something while the channel is told something

	mu    sync.Mutex
	queue []*errand
	state State
	about map[string]State // of the questions that the board remembers
}

// errand is a message on its way.
type errand struct {
	message Message
	until   time.Time
	due     time.Time
	tries   int
}

func newLane(n Named, o *Options) *lane {
	return &lane{
		Named: n, o: o, wake: make(chan struct{}, 1), turn: make(chan struct{}, 1), about: map[string]State{},
		state: State{Name: n.Name, Kind: n.Kind, Where: n.Where, State: Untried},
	}
}

// put takes a message into the queue, to be told when it is due, or fails where
// there is no room.
func (l *lane) put(m Message, due, until time.Time) {
	if l.Brief {
		m = m.Brief()
	}
	l.mu.Lock()
	full := len(l.queue) >= mostQueued
	l.about[m.Data.ID] = State{Name: l.Name, Kind: l.Kind, State: Waiting}
	if !full {
		l.queue = append(l.queue, &errand{message: m, until: until, due: due})
	}
	l.mu.Unlock()
	if full {
		l.settle(m.Data.ID, &Failure{Why: "it was not told: too many questions wait to be told", Final: true}, Fails)
		return
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run tells what is in the queue until ctx ends.
func (l *lane) run(ctx context.Context) {
	for {
		e, pause := l.next()
		if e != nil && pause <= 0 && ctx.Err() == nil {
			l.try(ctx, e)
			continue
		}
		var due <-chan time.Time
		if e != nil {
			due = time.After(pause)
		}
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-due:
		}
	}
}

// next is the errand that is due first, and how long until then; nil when there
// is none.
func (l *lane) next() (*errand, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		return nil, 0
	}
	first := slices.MinFunc(l.queue, func(a, b *errand) int { return a.due.Compare(b.due) })
	return first, first.due.Sub(l.o.Now())
}

// try makes one attempt at an errand, and puts it off or is done with it.
func (l *lane) try(ctx context.Context, e *errand) {
	id := e.message.Data.ID
	at := l.o.Now()
	if !at.Before(e.until) || l.o.Waits != nil && !l.o.Waits(ctx, id) {
		l.drop(e)
		l.over(id)
		return
	}
	bounded, cancel := context.WithTimeout(ctx, min(tellTime, e.until.Sub(at)))
	err := l.tell(bounded, e.message)
	cancel()
	if ctx.Err() != nil { // the guard stops; that is nobody's failure
		l.drop(e)
		return
	}
	e.tries++
	var f *Failure
	if final := errors.As(err, &f) && f.Final; err == nil || final {
		l.drop(e)
		l.settle(id, err, Fails)
		return
	}
	pause := min(firstPause<<min(e.tries-1, 10), longestPause)
	if f != nil {
		pause = max(pause, f.After)
	}
	l.mu.Lock()
	e.due = l.o.Now().Add(pause)
	again := e.due.Before(e.until)
	l.mu.Unlock()
	if !again {
		l.drop(e)
		l.settle(id, err, Fails)
		return
	}
	l.settle(id, err, Waiting)
}

// tell is the one place where the channel is called, one call at a time.
func (l *lane) tell(ctx context.Context, m Message) error {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	return l.Channel.Tell(ctx, m)
}

func (l *lane) drop(e *errand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = slices.DeleteFunc(l.queue, func(other *errand) bool { return other == e })
}

// settle takes down how a try went: of the channel, and of the question, which is
// in the given state where it failed. What changed is recorded.
func (l *lane) settle(id string, err error, failed string) {
	at := l.o.Now().UTC()
	l.mu.Lock()
	was := l.state.State
	l.state.State, l.state.Why, l.state.At = Works, "", at
	one := State{Name: l.Name, Kind: l.Kind, State: Told, At: at}
	if err == nil {
		l.state.LastOK = at
	} else {
		l.state.State, l.state.Why, l.state.LastFailure = Fails, reason(err), at
		one.State, one.Why, one.LastFailure = failed, l.state.Why, at
	}
	if _, known := l.about[id]; known {
		l.about[id] = one
	}
	now := l.state
	l.mu.Unlock()
	l.report(was, now)
}

// report writes to the log what failed, and to the record when that has changed.
func (l *lane) report(was string, now State) {
	detail := "works again"
	if now.State == Fails {
		detail = "fails: " + now.Why
		l.o.Log.Warn("a channel failed", "channel", l.Name, "why", now.Why)
	}
	if now.State == was || was == Untried && now.State == Works || l.o.Record == nil {
		return
	}
	row := ledger.Entry{Kind: ledger.KindChannel, Body: ledger.Change{By: "countersign", What: l.Name, Detail: detail}}
	if err := l.o.Record(context.Background(), row); err != nil {
		l.o.Log.Error("how a channel stands could not be recorded", "channel", l.Name, "error", err.Error())
	}
}

// over says of a question that it ended before it was told.
func (l *lane) over(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one, known := l.about[id]; known && one.State == Waiting {
		one.State = Over
		l.about[id] = one
	}
}

// spare says of a question that it is not told, since its agent asks too often.
func (l *lane) spare(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.about[id] = State{Name: l.Name, Kind: l.Kind, State: Over, Why: "it was not told: the agent asks too often"}
}

func (l *lane) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.about, id)
}

// usable reports whether somebody may be reached through the channel.
func (l *lane) usable(at time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.State != Fails || at.Sub(l.state.LastFailure) >= failedFor
}

func (l *lane) stands() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

func (l *lane) of(id string) State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.about[id]
}

// test sends a sample, and returns how the channel stands then.
func (l *lane) test(ctx context.Context, m Message) (State, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*tellTime) // the other one, and this
	defer cancel()
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return State{}, ctx.Err()
	}
	bounded, done := context.WithTimeout(ctx, tellTime)
	err := l.Channel.Tell(bounded, m)
	done()
	<-l.turn
	l.settle(m.Data.ID, err, Fails)
	return l.stands(), nil
}
