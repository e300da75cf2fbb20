package hold_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// gates says whose credentials are gates' in a test: the names that begin so, unless
// they were revoked.
type gates struct{ revoked sync.Map }

func (g *gates) are(_ context.Context, agent string) bool {
	_, gone := g.revoked.Load(agent)
	return !gone && strings.HasPrefix(agent, "gate-")
}

// withGates makes agents gates by their names.
func withGates(g *gates) func(*hold.Options) {
	return func(o *hold.Options) { o.Gate = g.are }
}

// pressOn is a press on a phone.
func pressOn(device, pkg, text string) decide.Request {
	req := press(pkg, text)
	req.Device = device
	return req
}

func sendIt() decide.Request { return pressOn("phone", "com.whatsapp", "Send") }

// asked proposes, and says yes.
func (f *fixture) asked(agent string, req decide.Request) hold.Ticket {
	f.t.Helper()
	t := f.propose(agent, req)
	if t.Approval == nil || t.Approval.State != approval.Pending {
		f.t.Fatalf("%s was not asked about: %v %s", agent, t.Outcome, t.Code)
	}
	f.answer(t.ID, true)
	return t
}

// above takes an action through the gate above, to where it may be carried out.
func (f *fixture) above(agent string, req decide.Request) hold.Ticket {
	f.t.Helper()
	return f.redeemed(agent, f.asked(agent, req).ID, req)
}

func (f *fixture) redeemed(agent, id string, req decide.Request) hold.Ticket {
	f.t.Helper()
	t, err := f.desk.Begin(f.ctx, agent, id, &req)
	if err != nil || t.Approval.State != approval.Releasing {
		f.t.Fatalf("begin: %v, %v", t.Approval, err)
	}
	return t
}

// below proposes at a gate that has looked itself, at the time that it arrived.
func (f *fixture) below(agent string, req decide.Request, arrived time.Time) hold.Ticket {
	f.t.Helper()
	t, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: agent, AgentName: agent, Request: &req, Bound: true, Arrived: arrived})
	if err != nil {
		f.t.Fatalf("propose below: %v", err)
	}
	return t
}

// changes is a decider whose decisions are changed before anybody sees them.
type changes struct {
	by     hold.Decider
	change func(*decide.Decision)
}

func (c changes) Decide(req *decide.Request) decide.Decision {
	d := c.by.Decide(req)
	c.change(&d)
	return d
}

// How an action stands at the gate below.
const (
	passes  = "passes"  // by the ticket
	asks    = "asks"    // a question of its own
	joined  = "joins"   // the question that is open
	refuses = "refuses" // at once
)

func (f *fixture) stands(t *hold.Ticket, before string) string {
	f.t.Helper()
	switch {
	case t.Outcome == risk.Allow && t.Above != "":
		return passes
	case t.Outcome == risk.Deny && t.Approval == nil:
		return refuses
	case t.Approval != nil && t.ID == before:
		return joined
	case t.Approval != nil && t.Approval.State == approval.Pending:
		return asks
	}
	return fmt.Sprintf("%v %s by %q", t.Outcome, t.Code, t.Grant)
}

func TestTicketBetweenGates(t *testing.T) {
	type hands struct {
		*fixture
		gates   *gates
		upper   string // who asks above
		req     decide.Request
		lower   string
		under   decide.Request // what comes to the gate below
		arrived func() time.Time
		before  string // a question that is open below
	}
	pay := pressOn("phone", "com.paypal.android.p2pmobile", "Pay now")
	finish := func(ok bool) func(h *hands, id string) {
		return func(h *hands, id string) {
			if _, err := h.desk.Finish(h.ctx, h.upper, id, hold.Result{OK: ok}); err != nil {
				t.Fatal(err)
			}
		}
	}
	later := func(d time.Duration) func(h *hands, id string) {
		return func(h *hands, _ string) { h.clock.pass(d) }
	}
	looked := func(d time.Duration) func(h *hands, id string) {
		return func(h *hands, _ string) {
			at := h.desk.Now()
			h.arrived = func() time.Time { return at }
			h.clock.pass(d)
		}
	}
	decided := func(change func(*decide.Decision)) func(h *hands, id string) {
		return func(h *hands, _ string) { h.desk.SetDecider(changes{h.options.Decider, change}) }
	}
	refuse := func(h *hands, agent string, req decide.Request) {
		asked := h.propose(agent, req)
		h.answer(asked.ID, false)
	}
	cases := []struct {
		name string
		set  func(h *hands)            // before anybody asks
		then func(h *hands, id string) // between the release above and the action below
		want string
	}{
		{"at once", nil, nil, passes},
		{"two seconds later", nil, later(2 * time.Second), passes},
		{"later than that", nil, later(2*time.Second + time.Millisecond), asks},
		{"looked at for half a minute", nil, looked(30 * time.Second), passes},
		{"looked at for longer than a release takes", nil, looked(time.Minute), asks},
		{"arrived before the yes was used", func(h *hands) {
			at := h.desk.Now()
			h.arrived = func() time.Time { return at }
			h.clock.pass(time.Millisecond)
		}, nil, asks},
		{"arrives in the future", func(h *hands) { h.arrived = func() time.Time { return h.desk.Now().Add(time.Hour) } }, nil, passes},
		{"arrives in the future, and late", func(h *hands) { h.arrived = func() time.Time { return h.desk.Now().Add(time.Hour) } }, later(3 * time.Second), asks},
		{"a gate that takes its agent's word", func(h *hands) { h.arrived = func() time.Time { return time.Time{} } }, nil, asks},
		{"another phone", func(h *hands) { h.under.Device = "tablet" }, nil, asks},
		{"no phone", func(h *hands) { h.req.Device, h.under.Device = "", "" }, nil, asks},
		{"another app", func(h *hands) { h.under.Screen = &decide.Screen{Package: "org.telegram.messenger"} }, nil, asks},
		{"another control", func(h *hands) { h.under.Target = &decide.Target{Text: "Send now"} }, nil, asks},
		{"a dialog over it", func(h *hands) { h.under.Target = &decide.Target{Text: "Send", DialogMessage: "Send to all?"} }, nil, asks},
		{"another recipient", func(h *hands) { h.req, h.under = chat("Anna", "hi"), chat("Bob", "hi") }, nil, asks},
		{"another text", func(h *hands) { h.req, h.under = chat("Anna", "hi"), chat("Anna", "bye") }, nil, asks},
		{"the same message", func(h *hands) { h.req, h.under = chat("Anna", "hi"), chat("Anna", "hi") }, nil, passes},
		{"a plain agent above", func(h *hands) { h.upper = "plain" }, nil, asks},
		{"its own agent", func(h *hands) { h.lower = h.upper }, nil, asks},
		{"another gate's agent below", func(h *hands) { h.lower = "gate-2" }, nil, passes},
		{"what was done already", nil, finish(true), asks},
		{"what was tried already", nil, finish(false), asks},
		{"a payment", func(h *hands) { h.req, h.under = pay, pay }, nil, passes},
		{"critical below only", nil, decided(func(d *decide.Decision) { d.Critical = true }), asks},
		{"denied below", nil, decided(func(d *decide.Decision) { d.Outcome = risk.Deny }), refuses},
		{"without a digest below", nil, func(h *hands, _ string) {
			bare := *(h.options.Decider.(*decide.Decider))
			bare.Key = []byte("another key of another guard, 32 bytes")
			h.desk.SetDecider(&bare)
		}, asks},
		{"refused below a moment ago", func(h *hands) { refuse(h, h.lower, h.under) }, nil, refuses},
		{"refused to somebody else before", func(h *hands) { refuse(h, "third", h.under); h.clock.pass(time.Second) }, nil, passes},
		{"refused to somebody else since", nil, func(h *hands, _ string) { refuse(h, "third", h.under) }, asks},
		{"something else refused since", nil, func(h *hands, _ string) { refuse(h, "third", pay) }, passes},
		{"asked about below already", func(h *hands) { h.before = h.propose(h.lower, h.under).ID }, nil, joined},
		{"frozen", nil, func(h *hands, _ string) {
			if err := h.desk.Freeze(h.ctx, "owner", ""); err != nil {
				t.Fatal(err)
			}
		}, refuses},
		{"frozen, and on again", nil, func(h *hands, _ string) {
			if err := errors.Join(h.desk.Freeze(h.ctx, "owner", ""), h.desk.Unfreeze(h.ctx, "owner", "")); err != nil {
				t.Fatal(err)
			}
		}, asks},
		{"frozen and on again before", func(h *hands) {
			if err := errors.Join(h.desk.Freeze(h.ctx, "owner", ""), h.desk.Unfreeze(h.ctx, "owner", "")); err != nil {
				t.Fatal(err)
			}
			h.clock.pass(time.Millisecond)
		}, nil, passes},
		{"the gate's credential revoked", nil, func(h *hands, _ string) { h.gates.revoked.Store(h.upper, true) }, asks},
		{"the guard started again", nil, func(h *hands, _ string) { h.restart() }, asks},
		{"used up", nil, func(h *hands, _ string) {
			if first := h.below("another", h.under, h.desk.Now()); first.Above == "" {
				t.Errorf("it was not used: %+v", first)
			}
		}, asks},
	}
	if len(cases) != 37 {
		t.Errorf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := &gates{}
			h := &hands{fixture: newFixture(t, t, withGates(g)), gates: g, upper: "gate-1", req: sendIt(), lower: "below", under: sendIt()}
			defer h.close()
			h.arrived = func() time.Time { return h.desk.Now() }
			if c.set != nil {
				c.set(h)
			}
			up := h.above(h.upper, h.req)
			if c.then != nil {
				c.then(h, up.ID)
			}
			got := h.below(h.lower, h.under, h.arrived())
			if stands := h.stands(&got, h.before); stands != c.want {
				t.Fatalf("it %s, want %s: %+v", stands, c.want, got)
			}
			if c.want == passes {
				h.usedTicket(t, &got, up.ID, up.ID)
			}
			h.verify()
		})
	}
}

// usedTicket holds what the record and the gate are told of an action that passed
// by a ticket.
func (f *fixture) usedTicket(t *testing.T, got *hold.Ticket, above, question string) {
	t.Helper()
	rows, err := f.store.About(f.ctx, got.ID)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows about it, %v", len(rows), err)
	}
	d, err := rows[0].Decision()
	if err != nil || d.Outcome != risk.Allow || d.DecidedBy != hold.ByTicket || d.Above != above || d.Approval != question || d.Digest == "" || d.Source == risk.SourceNone {
		t.Errorf("the record has %v by %s, above %s, question %s, digest %q: %v", d.Outcome, d.DecidedBy, d.Above, d.Approval, d.Digest, err)
	}
	if !got.TicketUntil.IsZero() {
		t.Error("what passed by a ticket has left one")
	}
	again, err := f.desk.Ticket(f.ctx, d.Agent, got.ID)
	if err != nil || again.Outcome != risk.Allow || again.Above != above || again.Message != got.Message || !strings.Contains(again.Message, "gate above") {
		t.Errorf("read back: %+v, %v", again, err)
	}
}
