package hold_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// slip is a ticket between gates as the model has it.
type slip struct {
	gate, action string
	what         string // the thing, on its phone
	at           time.Time
	over         bool // used, done, frozen, refused, revoked, forgotten
}

// row is two gates in a row, and the model of what the one has left for the other.
type row struct {
	*fixture
	now     time.Time
	gates   *gates
	slips   []*slip
	frozen  bool
	refuser int
	used    int
}

// rowThings are what is done, by its name and phone.
func rowThings() map[string]decide.Request {
	all := map[string]decide.Request{}
	for _, device := range []string{"phone", "tablet"} {
		for _, what := range []string{"send", "pay", "trip", "work"} {
			req := things[what].request
			req.Device = device
			all[what+" on the "+device] = req
		}
	}
	return all
}

var onPhones = rowThings()

func drawThing(t *rapid.T) string {
	// Mostly the same one, so that something happens.
	return rapid.SampledFrom([]string{
		"send on the phone", "send on the phone", "send on the phone", "pay on the phone", "trip on the phone",
		"work on the phone", "send on the tablet",
	}).Draw(t, "what")
}

// No sequence of leaving, using, waiting, freezing, refusing and revoking lets more
// pass below than was left above, nothing later than two seconds after, and nothing
// but the same.
func TestTicketsAgreeWithTheModel(t *testing.T) {
	used := 0
	rapid.Check(t, func(rt *rapid.T) {
		g := &gates{}
		w := &row{fixture: newFixture(t, rt, withGates(g), manyOpen), gates: g}
		w.now = w.clock.now()
		defer w.close()
		rt.Repeat(map[string]func(*rapid.T){
			"above":       w.leave,
			"above again": w.leave,
			"below":       w.use,
			"below again": w.use,
			"wait":        w.wait,
			"finish":      w.finish,
			"refuse":      w.refuse,
			"freeze":      w.freeze,
			"revoke":      w.revoke,
			"restart":     w.restart,
		})
		w.audit()
		w.verify()
		used += w.used
	})
	if used == 0 {
		t.Error("no ticket was used, so nothing was tried")
	}
}

// leave takes an action through a gate above, or through a plain agent.
func (w *row) leave(t *rapid.T) {
	agent := rapid.SampledFrom([]string{"gate-1", "gate-1", "gate-2", "plain"}).Draw(t, "above")
	what := drawThing(t)
	req := onPhones[what]
	asked := w.propose(agent, req)
	if w.frozen {
		if asked.Outcome != risk.Deny || !asked.TicketUntil.IsZero() {
			t.Fatalf("%s while frozen: %+v", what, asked)
		}
		return
	}
	if asked.Outcome != risk.Confirm || !asked.TicketUntil.IsZero() {
		t.Fatalf("%s: %+v", what, asked)
	}
	w.answer(asked.ID, true)
	up := w.redeemed(agent, asked.ID, req)
	if left := w.gates.are(w.ctx, agent); left != up.TicketUntil.Equal(w.now.Add(2*time.Second)) || !left && !up.TicketUntil.IsZero() {
		t.Fatalf("%s by %s at %v: a ticket until %v", what, agent, w.now, up.TicketUntil)
	}
	if w.gates.are(w.ctx, agent) {
		w.slips = append(w.slips, &slip{gate: agent, action: asked.ID, what: what, at: w.now})
	}
}

// use brings an action to the gate below. When it arrived is drawn; the look at the
// phone takes the rest of the time.
func (w *row) use(t *rapid.T) {
	agent := rapid.SampledFrom([]string{"below-1", "below-2", "gate-1"}).Draw(t, "below")
	what := drawThing(t)
	arrived := w.now.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 0, -1, -1000, -2000, -2001, -60000, 5000}).Draw(t, "arrived, ms")) * time.Millisecond)
	req := onPhones[what]
	open := w.openBelow(agent, &req)
	want := w.fits(agent, what, arrived)
	got := w.below(agent, req, arrived)
	switch {
	case w.frozen:
		if got.Outcome != risk.Deny {
			t.Fatalf("%s while frozen: %+v", what, got)
		}
	case open || want == nil:
		if got.Outcome == risk.Allow || got.Above != "" {
			t.Fatalf("%s that arrived at %v passed: %+v; the model has %v", what, arrived, got, w.slips)
		}
	default:
		if got.Outcome != risk.Allow || got.Above != want.action {
			t.Fatalf("%s that arrived at %v: %+v; the model has a ticket of %s", what, arrived, got, want.action)
		}
		want.over = true
		w.used++
	}
	if got.Approval != nil && rapid.IntRange(0, 3).Draw(t, "stays open") > 0 {
		if _, err := w.desk.Withdraw(w.ctx, agent, got.ID, approval.CodeWithdrawn); err != nil {
			t.Fatalf("withdraw: %v", err)
		}
	}
}

// fits is the oldest ticket that lets an action pass, nil for none.
func (w *row) fits(agent, what string, arrived time.Time) *slip {
	if arrived.After(w.now) {
		arrived = w.now
	}
	for _, s := range w.slips {
		late := arrived.Before(s.at) || arrived.Sub(s.at) > 2*time.Second || w.now.Sub(s.at) >= releaseWithin
		if !s.over && !late && s.what == what && s.gate != agent {
			return s
		}
	}
	return nil
}

// openBelow reports whether the same question is open there.
func (w *row) openBelow(agent string, req *decide.Request) bool {
	dec := w.desk.Decide(req)
	same, err := w.store.Approvals(w.ctx, hold.Query{States: []approval.State{approval.Pending, approval.Approved}, Agent: agent, Digest: dec.Digest()})
	if err != nil {
		w.t.Fatalf("read the questions: %v", err)
	}
	return slices.ContainsFunc(same, func(a approval.Approval) bool {
		_, _, late := a.Overdue(w.now)
		return !late
	})
}

func (w *row) wait(t *rapid.T) {
	d := time.Duration(rapid.SampledFrom([]int{1, 500, 1000, 1999, 2000, 2001, 30000, 59999, 60000}).Draw(t, "ms")) * time.Millisecond
	w.clock.pass(d)
	w.now = w.now.Add(d)
}

// finish reports what became of something above, which ends its ticket.
func (w *row) finish(t *rapid.T) {
	if len(w.slips) == 0 {
		t.Skip("nothing was left yet")
	}
	s := w.slips[len(w.slips)-1-rapid.IntRange(0, min(len(w.slips)-1, 2)).Draw(t, "which")]
	_, err := w.desk.Finish(w.ctx, s.gate, s.action, hold.Result{OK: rapid.Bool().Draw(t, "ok")})
	if err != nil && !conflicts(err) {
		t.Fatalf("finish: %v", err)
	}
	s.over = true
}

// refuse has somebody else ask for the same, and says no.
func (w *row) refuse(t *rapid.T) {
	if w.frozen {
		t.Skip("nobody is asked")
	}
	what := drawThing(t)
	w.refuser++
	asked := w.propose(fmt.Sprint("third-", w.refuser), onPhones[what])
	w.answer(asked.ID, false)
	for _, s := range w.slips {
		s.over = s.over || s.what == what
	}
	w.tick()
}

// tick lets a millisecond pass: a ticket of the one in which something was refused
// or a freeze ended counts for nothing.
func (w *row) tick() {
	w.clock.pass(time.Millisecond)
	w.now = w.now.Add(time.Millisecond)
}

func (w *row) freeze(t *rapid.T) {
	if !w.frozen && rapid.IntRange(0, 2).Draw(t, "really") > 0 {
		t.Skip("freezing ends everything, so it is rare")
	}
	var err error
	if w.frozen {
		err = w.desk.Unfreeze(w.ctx, "owner", "")
	} else {
		err = w.desk.Freeze(w.ctx, "owner", "")
	}
	if err != nil {
		t.Fatalf("freeze: %v", err)
	}
	w.frozen = !w.frozen
	for _, s := range w.slips {
		s.over = true
	}
	w.tick()
}

func (w *row) revoke(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "really") > 0 {
		t.Skip("there are two gates")
	}
	gate := rapid.SampledFrom([]string{"gate-1", "gate-2"}).Draw(t, "whose")
	w.gates.revoked.Store(gate, true)
	for _, s := range w.slips {
		s.over = s.over || s.gate == gate
	}
}

func (w *row) restart(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "really") > 0 {
		t.Skip("it forgets everything, so it is rare")
	}
	w.fixture.restart()
	for _, s := range w.slips {
		s.over = true
	}
}

// audit reads the record alone: what passed by a ticket names an action of another
// agent that was released, with the same digest on the same phone, and none twice.
func (w *row) audit() {
	seen := map[string]bool{}
	for _, d := range w.ticketed() {
		a, err := w.store.Approval(w.ctx, d.Above)
		if err != nil {
			w.t.Fatalf("the action above %s: %v", d.ActionID, err)
		}
		if seen[d.Above] || a.Digest != d.Digest || a.Device != d.Device || a.Agent == d.Agent || d.Approval != a.ID || a.ReleaseBy.IsZero() {
			w.t.Fatalf("%s passed by the ticket of %s, used before %v: %+v", d.ActionID, d.Above, seen[d.Above], a)
		}
		seen[d.Above] = true
	}
}
