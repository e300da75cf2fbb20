package hold_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// model is section 8 of the design in plain Go: what the desk must do, without
// a store, without a ledger, without concurrency.
type model struct {
	now    time.Time
	frozen bool
	open   map[string]*modelled // by id, those that ended too
	refuse map[string]time.Time // agent, app, category and intent -> when it was refused
	grants map[string]*lent     // by id, those that ended too
}

type modelled struct {
	agent, what      string
	state            approval.State
	bound, critical  bool
	deadline, parked time.Time
	useBy, releaseBy time.Time
	begun            int
	lease            time.Time
}

const (
	answerWithin  = 15 * time.Minute
	useWithin     = 5 * time.Minute
	releaseWithin = time.Minute
	parkFor       = 10 * time.Minute
	parkCritical  = 2 * time.Minute
	leaseFor      = 10 * time.Minute
	cooldown      = 10 * time.Minute
)

// pass ends what is over at the present time. Only what is swept loses its lease.
func (q *modelled) pass(now time.Time, swept bool) {
	over := func(t time.Time) bool { return !t.IsZero() && !now.Before(t) }
	switch {
	case q.state == approval.Pending && (over(q.deadline) || over(q.parked)):
		q.state = approval.Expired
	case q.state == approval.Pending && swept && !q.bound && q.parked.IsZero() && over(q.lease):
		q.state = approval.Cancelled
	case q.state == approval.Approved && over(q.useBy):
		q.state = approval.Expired
	case q.state == approval.Releasing && over(q.releaseBy):
		q.state = approval.Failed
	}
}

// move applies an event by the table, late or not.
func (q *modelled) move(now time.Time, e approval.Event) bool {
	q.pass(now, false)
	to, ok := approval.Next(q.state, e)
	if !ok {
		return false
	}
	q.state = to
	switch e {
	case approval.Approve:
		q.useBy = now.Add(useWithin)
		if q.parked.After(q.useBy) {
			q.useBy = q.parked
		}
	case approval.Begin:
		q.releaseBy, q.begun = now.Add(releaseWithin), q.begun+1
	}
	return true
}

// things are what the agents propose: the same word in one app is one intent.
var things = map[string]struct {
	request  decide.Request
	critical bool
}{
	"send":   {request: press("com.whatsapp", "Send")},
	"delete": {request: press("com.whatsapp", "Delete chat")},
	"pay":    {request: press("com.paypal.android.p2pmobile", "Pay now"), critical: true},
	"open":   {request: press("com.whatsapp", "Chats")},
	// These two are similar, and of each it is said what is deleted.
	"trip": {request: drop("Trip")},
	"work": {request: drop("Work")},
}

func press(pkg, text string) decide.Request {
	return decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: pkg}, Target: &decide.Target{Text: text},
	}
}

func TestDeskAgreesWithTheModel(t *testing.T) {
	released, used := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, rt)
		defer w.close()
		rt.Repeat(map[string]func(*rapid.T){
			"propose":   w.propose,
			"again":     w.again,
			"through":   w.through,
			"refuse":    w.refuseSimilar,
			"answer":    w.answer,
			"begin":     w.begin,
			"finish":    w.finish,
			"withdraw":  w.withdraw,
			"revoke":    w.revoke,
			"end grant": w.endGrant,
			"park":      w.park,
			"poll":      w.poll,
			"freeze":    w.freeze,
			"wait":      w.wait,
			"sweep":     w.sweep,
			"restart":   w.restart,
			"":          w.compare,
		})
		released += w.released
		used += w.used
		w.verify()
		w.audit()
	})
	if released == 0 || used == 0 {
		t.Errorf("%d actions were released and %d passed by a grant, so nothing was tried", released, used)
	}
}

// world is a desk and the model of it.
type world struct {
	*fixture
	model
	released, used int
}

func newWorld(t *testing.T, rt *rapid.T) *world {
	w := &world{fixture: newFixture(t, rt)}
	w.model = model{now: w.clock.now(), open: map[string]*modelled{}, refuse: map[string]time.Time{}, grants: map[string]*lent{}}
	return w
}

func (w *world) pick(t *rapid.T) (string, *modelled) {
	ids := make([]string, 0, len(w.open))
	for _, id := range w.order {
		if w.open[id] != nil {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		t.Skip("nothing was proposed yet")
	}
	// The latest ones are where something can still happen.
	id := ids[len(ids)-1-rapid.IntRange(0, min(len(ids)-1, 3)).Draw(t, "which")]
	return id, w.open[id]
}

func (w *world) propose(t *rapid.T) {
	agent := rapid.SampledFrom([]string{"agent-1", "agent-2"}).Draw(t, "agent")
	what := rapid.SampledFrom([]string{"send", "send", "pay", "delete", "open", "trip", "work"}).Draw(t, "what")
	w.proposed(t, agent, what, rapid.Bool().Draw(t, "bound"))
}

// proposed holds a proposal against the model.
func (w *world) proposed(t *rapid.T, agent, what string, bound bool) {
	thing := things[what]
	req := thing.request
	ticket, err := w.desk.Propose(w.ctx, hold.Proposal{Agent: agent, AgentName: agent, Bound: bound, Request: &req})
	if err != nil {
		t.Fatalf("propose %s: %v", what, err)
	}
	if what == "open" {
		if want := w.orFrozen(risk.Allow); ticket.Outcome != want || ticket.Approval != nil {
			t.Fatalf("open: %v, want %v", ticket.Outcome, want)
		}
		return
	}
	if at, ok := w.refuse[agent+what]; ok && w.now.Sub(at) <= cooldown {
		if ticket.Outcome != risk.Deny || ticket.Approval != nil {
			t.Fatalf("%s was refused and is %v", what, ticket.Outcome)
		}
		return
	}
	for id, q := range w.open {
		if q.pass(w.now, false); q.agent == agent && q.what == what && (q.state == approval.Pending || q.state == approval.Approved) {
			if ticket.ID != id {
				t.Fatalf("%s did not join %s", what, id)
			}
			q.parked, q.lease = time.Time{}, w.now.Add(leaseFor)
			return
		}
	}
	if w.passes(t, agent, what, &ticket) {
		return
	}
	if w.frozen {
		if ticket.Outcome != risk.Deny || ticket.Approval != nil {
			t.Fatalf("%s while frozen: %v", what, ticket.Outcome)
		}
		return
	}
	if ticket.Outcome != risk.Confirm || w.open[ticket.ID] != nil {
		t.Fatalf("%s: %v, id %s", what, ticket.Outcome, ticket.ID)
	}
	w.order = append(w.order, ticket.ID)
	w.open[ticket.ID] = &modelled{
		agent: agent, what: what, state: approval.Pending, bound: bound, critical: thing.critical,
		deadline: w.now.Add(answerWithin), lease: w.now.Add(leaseFor),
	}
}

func (w *world) orFrozen(o risk.Outcome) risk.Outcome {
	if w.frozen {
		return risk.Deny
	}
	return o
}

// agrees holds an error against what the model says of the same event.
func (w *world) agrees(t *rapid.T, what string, err error, moved bool) {
	var conflict *approval.Conflict
	switch {
	case moved && err != nil:
		t.Fatalf("%s: %v, the model moves", what, err)
	case !moved && !errors.As(err, &conflict):
		t.Fatalf("%s: %v, the model has a conflict", what, err)
	}
}

func (w *world) answer(t *rapid.T) {
	id, q := w.pick(t)
	yes := rapid.Bool().Draw(t, "yes")
	if rapid.IntRange(0, 9).Draw(t, "another's digest") == 0 {
		if _, err := w.desk.Answer(w.ctx, hold.Answer{ID: id, Digest: "hmac-sha256:0", Yes: yes, By: "owner"}); !errors.Is(err, hold.ErrDigest) {
			t.Fatalf("another digest: %v", err)
		}
		return
	}
	w.answered(t, id, q, yes, drawTerms(t))
}

// answered holds an answer against the model. Terms of no times stand for a yes
// without a grant.
func (w *world) answered(t *rapid.T, id string, q *modelled, yes bool, terms approval.GrantTerms) {
	an := hold.Answer{ID: id, Digest: w.digest(id), Yes: yes, By: "owner", How: "terminal"}
	if yes && terms.Count > 0 {
		an.Grant = &terms
	}
	if an.Grant != nil && !q.grantable() {
		if _, err := w.desk.Answer(w.ctx, an); !errors.Is(err, hold.ErrNoGrant) && !conflicts(err) {
			t.Fatalf("a grant that may not be given: %v", err)
		}
		q.pass(w.now, false)
		return
	}
	a, err := w.desk.Answer(w.ctx, an)
	event := approval.Deny
	if yes {
		event = approval.Approve
	}
	moved := q.move(w.now, event)
	w.agrees(t, "answer", err, moved)
	switch {
	case moved && !yes:
		w.refuse[q.agent+q.what] = w.now
		w.endSimilar(q)
	case moved && an.Grant != nil:
		w.lend(t, a.Grant, id, q, terms)
	}
}

func (w *world) begin(t *rapid.T) {
	id, q := w.pick(t)
	w.begun(t, id, q, rapid.IntRange(0, 3).Draw(t, "same screen") > 0)
}

// begun holds the beginning of a release against the model.
func (w *world) begun(t *rapid.T, id string, q *modelled, same bool) {
	req := things[q.what].request
	if !same {
		req.Target = &decide.Target{Text: req.Target.Text, DialogMessage: "Are you sure?"}
	}
	req.Action = risk.Action{Kind: risk.Tap}
	ticket, err := w.desk.Begin(w.ctx, q.agent, id, &req)
	event := approval.Begin
	if !same {
		event = approval.Change
	}
	moved := q.move(w.now, event)
	if moved && same {
		w.released++
	}
	w.agrees(t, "begin", err, moved)
	if moved && ticket.Approval.State != q.state {
		t.Fatalf("begin: %v, want %v", ticket.Approval.State, q.state)
	}
	if q.begun > 1 {
		t.Fatalf("%s was begun %d times", id, q.begun)
	}
}

func (w *world) finish(t *rapid.T) {
	id, q := w.pick(t)
	ok := rapid.Bool().Draw(t, "ok")
	_, err := w.desk.Finish(w.ctx, q.agent, id, hold.Result{OK: ok})
	event := approval.Fail
	if ok {
		event = approval.Succeed
	}
	w.agrees(t, "finish", err, q.move(w.now, event))
}

func (w *world) withdraw(t *rapid.T) {
	id, q := w.pick(t)
	other := "agent-1"
	if q.agent == other {
		other = "agent-2"
	}
	if _, err := w.desk.Withdraw(w.ctx, other, id, approval.CodeWithdrawn); !errors.Is(err, hold.ErrNotFound) {
		t.Fatalf("another agent withdraws: %v", err)
	}
	_, err := w.desk.Withdraw(w.ctx, q.agent, id, approval.CodeWithdrawn)
	w.agrees(t, "withdraw", err, q.move(w.now, approval.Cancel))
}

func (w *world) revoke(t *rapid.T) {
	id, q := w.pick(t)
	_, err := w.desk.Revoke(w.ctx, id, "owner", "terminal", "")
	moved := q.move(w.now, approval.Revoke)
	w.agrees(t, "revoke", err, moved)
	for _, g := range w.grants {
		g.ended = g.ended || moved && g.from == id
	}
}

func (w *world) park(t *rapid.T) {
	id, q := w.pick(t)
	if _, err := w.desk.Park(w.ctx, q.agent, id); err != nil {
		t.Fatalf("park: %v", err)
	}
	if q.pass(w.now, false); q.state != approval.Pending {
		return
	}
	q.parked = w.now.Add(parkFor)
	if q.critical {
		q.parked = w.now.Add(parkCritical)
	}
}

// poll asks for the state, which never ends a question.
func (w *world) poll(t *rapid.T) {
	id, q := w.pick(t)
	ended, cancel := canceled(w.ctx)
	defer cancel()
	if _, err := w.desk.Wait(ended, q.agent, id); err != nil {
		t.Fatalf("wait: %v", err)
	}
	if q.state == approval.Pending {
		q.lease = w.now.Add(leaseFor)
	}
}

func (w *world) freeze(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "really") > 0 && !w.frozen {
		t.Skip("freezing ends everything, so it is rare")
	}
	var err error
	if w.frozen {
		err = w.desk.Unfreeze(w.ctx, "owner", "")
	} else if err = w.desk.Freeze(w.ctx, "owner", "stop"); err == nil {
		for _, q := range w.open {
			q.move(w.now, approval.Revoke)
		}
		for _, g := range w.grants {
			g.ended = true
		}
	}
	if err != nil {
		t.Fatalf("freeze: %v", err)
	}
	w.frozen = !w.frozen
}

func (w *world) wait(t *rapid.T) {
	d := time.Duration(rapid.SampledFrom([]int{1, 20, 60, 119, 300, 599, 900}).Draw(t, "seconds")) * time.Second
	w.clock.pass(d)
	w.now = w.now.Add(d)
	w.desk.Now() // Run reads the clock twice a second: it sees time pass before it jumps
	if rapid.IntRange(0, 4).Draw(t, "the clock is set back") == 0 {
		w.clock.setBack(time.Hour)
		w.desk.Now()
	}
}

func (w *world) sweep(*rapid.T) {
	w.desk.Sweep(w.ctx)
	for _, q := range w.open {
		q.pass(w.now, true)
	}
	for _, g := range w.grants {
		g.ended = g.ended || !w.now.Before(g.until)
	}
}

func (w *world) restart(t *rapid.T) {
	// Run sweeps twice a second, so that a restart finds questions swept. It
	// matters where the clock was set back: the new desk knows the time of the
	// last row and no later one.
	w.sweep(t)
	head, err := w.store.Head(w.ctx)
	if err != nil {
		t.Fatalf("read the head: %v", err)
	}
	w.fixture.restart()
	if w.now = w.clock.now(); head.At.After(w.now) {
		w.now = head.At
	}
	for _, q := range w.open {
		q.pass(w.now, false)
		switch {
		case q.state == approval.Releasing:
			q.state = approval.Failed
		case q.state == approval.Pending && q.bound && q.parked.IsZero(), q.state == approval.Approved && q.bound && q.parked.IsZero():
			q.state = approval.Cancelled
		}
		q.lease = w.now.Add(leaseFor)
	}
}

// compare holds every question against the model. What is over and was not
// swept may still stand as open in the store; it can do nothing any more.
func (w *world) compare(t *rapid.T) {
	w.compareGrants(t)
	for id, q := range w.open {
		a, err := w.store.Approval(w.ctx, id)
		if err != nil {
			t.Fatalf("read %s: %v", id, err)
		}
		expected := *q
		expected.pass(w.now, false)
		if _, _, late := a.Overdue(w.now); a.State != expected.state && !(late && !expected.state.Open()) {
			t.Fatalf("%s is %v, the model has %v", id, a.State, expected.state)
		}
	}
}
