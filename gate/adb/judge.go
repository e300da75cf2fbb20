package adb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// sight is what has to be seen of the phone before an action can be judged.
type sight uint8

const (
	sightNone    sight = iota // nothing: it changes nothing, wherever it lands
	sightPicture              // a screenshot for whoever is asked; the screen says nothing about it
	sightTree                 // the tree
)

// An act is one action of a client and how it is judged. The zero value is an
// action of no kind, which is unknown.
type act struct {
	action risk.Action
	sight  sight
	// view is a look that was just taken and still counts; nil for a new one.
	view *decide.Screen
	// passed is told, with the device locked and the turn held, that the action was
	// let through; nil for nobody.
	passed func(*viewed)
	// calm says that it leaves the screen and the phone as they are, though it
	// queues with what does not.
	calm bool
}

// way is how an action is taken through the desk.
type way struct {
	// reads says that it changes nothing: it queues behind nobody.
	reads bool
	// follows says that it comes behind what this service has begun, in one stream:
	// it needs no turn but that.
	follows bool
	// plan makes the act. It is called when the turn has come, for what an action
	// means may depend on the one before. A *refused ends it there.
	plan func(context.Context) (act, error)
	// arrived is when the action came, by the desk's clock; judge sets it.
	arrived time.Time
	// release carries the action out.
	release func(context.Context) error
	// ended, asked after the release, is closed when what was begun is over on the
	// phone; nil where it was over when the release returned.
	ended func() <-chan struct{}
}

// judge takes an action through the desk: it waits for its turn, looks, has it
// decided and answered, and carries it out. Only in the release does anything
// reach the phone. The ticket says more about an error.
func (s *serving) judge(ctx context.Context, w way) (hold.Ticket, error) {
	w.arrived = s.gate.options.Desk.Now()
	var mine *turn
	if s.turn != nil && w.follows {
		mine = s.turn.pass()
	}
	if !w.reads && mine == nil {
		var err error
		if mine, err = s.order.take(ctx, atLeast(s.patience(), grace)); err != nil {
			if errors.Is(err, errBusy) {
				s.record(ctx, errBusy.Error())
			}
			return hold.Ticket{}, err
		}
	}
	t, began, calm, err := s.judged(ctx, w)
	switch {
	case mine == nil:
	case !began && s.turn == nil || calm || err == nil && w.ended == nil:
		mine.end()
	case err != nil: // something reached the phone, and nobody sees what becomes of it
		mine.endWith(nil)
	default:
		s.turn = mine
		mine.endWith(w.ended())
	}
	var no *refused
	if errors.As(err, &no) {
		s.record(ctx, no.message)
	}
	if err != nil && !began && s.isGone() {
		s.gaveUp()
	}
	return t, err
}

// judged is judge without the turn. began says that the release was.
func (s *serving) judged(ctx context.Context, w way) (t hold.Ticket, began, calm bool, err error) {
	a, err := w.plan(ctx)
	if err != nil {
		return t, false, false, err
	}
	o := &s.gate.options
	req := &decide.Request{Action: a.action, Device: s.serial}
	seen := observer{device: s.Device, sight: a.sight, view: a.view}
	if a.sight == sightTree && a.view == nil {
		seen.view = s.firstLook(ctx, req)
		if what := drag(&a.action); what != "" && !seen.view.Observed {
			a.action = s.opaque("a swipe on a screen that nobody can look at", what).action
			req.Action = a.action
		}
	}
	p := hold.Proposal{Agent: o.Agent, AgentName: o.AgentName, Request: req, Patience: s.patience()}
	if a.view == nil { // an older look is none at what a yes at another gate was about
		p.Arrived = w.arrived
	}
	if a.sight != sightNone {
		p.Shot = s.screenshot
	}
	t, err = o.Desk.Do(ctx, p, &seen, releaser(func(ctx context.Context, r *decide.Request) error {
		if s.isGone() { // though nobody has told ctx yet
			return errGone
		}
		if !w.reads && !a.calm {
			s.changed()
		}
		began = true
		if err := w.release(ctx); err != nil {
			return err
		}
		if a.passed != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			a.passed(&viewed{seen.view, seen.looks > 1}) // after an answer it is looked at again
		}
		return nil
	}))
	if a.action.Kind == risk.ToolCall {
		t.Reason = "This is " + a.action.Tool + "." // nobody knows more of it
	}
	return t, began, a.calm, err
}

// errGone says that nobody is there any more to do it for.
var errGone = errors.New("the client has hung up")

// firstLook looks at the screen. What the agent has dumped itself is good for what
// is allowed; a person is asked about what the gate has seen itself, as it will be
// seen again before the release.
func (s *serving) firstLook(ctx context.Context, req *decide.Request) *decide.Screen {
	v, borrowed := s.look(ctx, false)
	if !borrowed {
		return v
	}
	on := *req
	on.Screen = v
	if dec := s.gate.options.Desk.Decide(&on); dec.Outcome == risk.Allow {
		return v
	}
	v, _ = s.look(ctx, true)
	return v
}

// drag is what an action draws over the screen, empty for nothing. On a screen that
// was looked at and failed it is a scroll (package decide); where the agent keeps
// the guard from looking it may as well be the slide that pays.
func drag(a *risk.Action) string {
	switch {
	case a.Kind == risk.Swipe && a.X != nil && a.Y != nil && a.X2 != nil && a.Y2 != nil:
		return fmt.Sprintf("from %d,%d to %d,%d", *a.X, *a.Y, *a.X2, *a.Y2)
	case a.Kind == risk.Swipe, a.Kind == risk.Scroll && a.X != nil:
		return string(a.Kind)
	case a.Kind != risk.ShellLine:
		return ""
	}
	for _, e := range command.Shell(a.Shell) {
		if e.Press != nil && slices.Contains([]command.PressKind{command.PressSwipe, command.PressDrag, command.PressMove}, e.Press.Kind) {
			return a.Shell
		}
	}
	return ""
}

// asks notes that the client has asked for something and begins to wait.
func (s *serving) asks() {
	s.asked, s.due = s.gate.options.Now(), time.Time{}
	if wait := s.waits(); wait > 0 {
		s.due = s.asked.Add(wait)
	}
}

// patience is how long this service's client still waits: 0 for ever, negative
// when its time is over.
func (s *serving) patience() time.Duration {
	if s.due.IsZero() {
		return 0
	}
	if left := s.due.Sub(s.gate.options.Now()); left > 0 {
		return left
	}
	return -1
}

// grace is how long a turn is waited for that is about to end, whatever the
// patience: the client of the action before has its answer a moment earlier.
const grace = time.Second

// atLeast is a patience that is not less than something; for ever stays so.
func atLeast(patience, least time.Duration) time.Duration {
	if patience == 0 {
		return 0
	}
	return max(patience, least)
}

// observer shows the desk the screen: first what was looked at already, then, when
// an answer has come, a fresh look.
type observer struct {
	device *Device
	sight  sight
	view   *decide.Screen
	looks  int
}

// Observe implements hold.Observer. What needs no look gets none.
func (o *observer) Observe(ctx context.Context) (*decide.Screen, error) {
	o.looks++
	if o.sight == sightTree && o.looks > 1 {
		o.view, _ = o.device.look(ctx, true)
	}
	return o.view, nil
}

// releaser is a function as a hold.Releaser.
type releaser func(context.Context, *decide.Request) error

func (r releaser) Release(ctx context.Context, req *decide.Request) error { return r(ctx, req) }
