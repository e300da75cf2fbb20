package hold_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

func conflicts(err error) bool {
	var c *approval.Conflict
	return errors.As(err, &c)
}

func decodeDecision(t complainer, body json.RawMessage) ledger.Decision {
	var d ledger.Decision
	if err := json.Unmarshal(body, &d); err != nil {
		t.Fatalf("read a decision: %v", err)
	}
	return d
}

// phone is a device with one screen that can change, and what reached it.
type phone struct {
	mu      sync.Mutex
	screen  string
	fail    error
	blind   error
	reached []string
	before  func()
}

func (p *phone) Observe(context.Context) (*decide.Screen, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blind != nil {
		return nil, p.blind
	}
	return &decide.Screen{Package: "com.example.bank", Tree: p.screen, Observed: true}, nil
}

func (p *phone) Release(_ context.Context, req *decide.Request) error {
	if p.before != nil {
		p.before()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reached = append(p.reached, string(req.Action.Kind))
	return p.fail
}

func (p *phone) show(screen string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen = screen
}

func (p *phone) touched() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.reached)
}

// bank is a page with one button.
func bank(label string) string {
	return `<hierarchy><node class="android.widget.FrameLayout" package="com.example.bank" bounds="[0,0][1080,2400]">` +
		`<node class="android.widget.Button" package="com.example.bank" text="` + label + `" clickable="true" bounds="[100,2000][980,2150]"/></node></hierarchy>`
}

func tapButton() *decide.Request {
	x, y := 540, 2075
	return &decide.Request{Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y}}
}

type notifier func(approval.Approval)

func (n notifier) Ask(_ context.Context, a approval.Approval) error { n(a); return nil }

// do runs Do on a phone whose question is answered.
func do(t *testing.T, p *phone, yes bool, first func(f *fixture, a approval.Approval)) (*fixture, hold.Ticket, error) {
	var f *fixture
	f = newFixture(t, t, func(o *hold.Options) {
		o.Notifiers = []hold.Notifier{notifier(func(a approval.Approval) {
			if first != nil {
				first(f, a)
			}
			f.answer(a.ID, yes)
		})}
	})
	ticket, err := f.desk.Do(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: tapButton()}, p, p)
	return f, ticket, err
}

func TestDoReleasesWhatWasApproved(t *testing.T) {
	p := &phone{screen: bank("Pay 12.00 €")}
	var f *fixture
	p.before = func() { // the release is on the disk before anything reaches the phone
		list, err := f.store.Approvals(f.ctx, hold.Query{States: []approval.State{approval.Releasing}})
		if err != nil || len(list) != 1 {
			t.Errorf("while it is carried out: %v, %v", list, err)
		}
	}
	var ticket hold.Ticket
	var err error
	f = newFixture(t, t, func(o *hold.Options) {
		o.Notifiers = []hold.Notifier{notifier(func(a approval.Approval) { f.answer(a.ID, true) })}
	})
	defer f.close()
	ticket, err = f.desk.Do(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: tapButton()}, p, p)
	if err != nil || ticket.Approval.State != approval.Released || p.touched() != 1 {
		t.Errorf("%v, %+v, %d touches", err, ticket.Approval, p.touched())
	}
	f.verify()
}

func TestDoReleasesNothingElse(t *testing.T) {
	cases := []struct {
		name  string
		yes   bool
		first func(p *phone, f *fixture, a approval.Approval)
		state approval.State
		reach int
	}{
		{"refused", false, nil, approval.Denied, 0},
		{"the amount has changed", true, func(p *phone, _ *fixture, _ approval.Approval) { p.show(bank("Pay 1200.00 €")) }, approval.Void, 0},
		{"the button is gone", true, func(p *phone, _ *fixture, _ approval.Approval) { p.show(`<hierarchy/>`) }, approval.Void, 0},
		{"the phone cannot be seen any more", true, func(p *phone, _ *fixture, _ approval.Approval) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.blind = errors.New("lost")
		}, approval.Void, 0},
		{"the phone fails", true, func(p *phone, _ *fixture, _ approval.Approval) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.fail = errors.New("no such device")
		}, approval.Failed, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := &phone{screen: bank("Pay 12.00 €")}
			f, ticket, err := do(t, p, c.yes, func(f *fixture, a approval.Approval) {
				if c.first != nil {
					c.first(p, f, a)
				}
			})
			defer f.close()
			if err == nil || ticket.Approval.State != c.state || p.touched() != c.reach {
				t.Errorf("%v, %v, %d touches", err, ticket.Approval.State, p.touched())
			}
			f.verify()
		})
	}
	if len(cases) != 5 {
		t.Errorf("%d cases", len(cases))
	}
}

// When the caller goes away its question is cancelled, and a later yes is a
// conflict.
func TestACallerThatGoesAwayCancels(t *testing.T) {
	p := &phone{screen: bank("Pay 12.00 €")}
	asked := make(chan approval.Approval, 1)
	f := newFixture(t, t, func(o *hold.Options) {
		o.Notifiers = []hold.Notifier{notifier(func(a approval.Approval) { asked <- a })}
	})
	defer f.close()
	ctx, cancel := context.WithCancel(f.ctx)
	done := make(chan error, 1)
	go func() {
		_, err := f.desk.Do(ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: tapButton()}, p, p)
		done <- err
	}()
	a := <-asked
	cancel()
	if err := <-done; !errors.Is(err, hold.ErrNotReleased) || !errors.Is(err, context.Canceled) {
		t.Errorf("Do: %v", err)
	}
	_, err := f.desk.Answer(f.ctx, hold.Answer{ID: a.ID, Digest: a.Digest, Yes: true, By: "owner"})
	if !conflicts(err) || p.touched() != 0 {
		t.Errorf("a later yes: %v, %d touches", err, p.touched())
	}
	after, err := f.store.Approval(f.ctx, a.ID)
	if err != nil || after.State != approval.Cancelled || after.Code != approval.CodeGone {
		t.Errorf("it is %v (%s), %v", after.State, after.Code, err)
	}
}

// V07: the answer is bound to what was shown, not to where it was.
func TestAYesIsForWhatWasShown(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	ask := func(key string) string {
		req := tapButton()
		req.Screen = &decide.Screen{Package: "com.example.bank", Tree: bank("Pay 12.00")}
		ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: req, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		f.answer(ticket.ID, true)
		return ticket.ID
	}
	moved := strings.ReplaceAll(bank("Pay 12.00"), "[100,2000][980,2150]", "[100,1500][980,1650]")
	cases := []struct {
		name, screen string
		state        approval.State
	}{
		{"another amount", bank("Pay 1200.00"), approval.Void},
		{"the place shows something else now", moved, approval.Void},
		{"the same", bank("Pay 12.00"), approval.Releasing},
	}
	for _, c := range cases {
		id := ask(c.name)
		ticket, err := f.desk.Begin(f.ctx, "a", id, &decide.Request{Screen: &decide.Screen{Package: "com.example.bank", Tree: c.screen}})
		if err != nil || ticket.Approval.State != c.state {
			t.Errorf("%s: %v %v", c.name, ticket.Approval.State, err)
		}
	}
	if len(cases) != 3 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestWhatIsKeptOverARestart(t *testing.T) {
	f := newFixture(t, t)
	defer func() { f.close() }()
	secret := press("com.example.bank", "")
	secret.Target = &decide.Target{Class: "android.widget.EditText", Password: true, Focused: true}
	secret.Action = risk.Action{Kind: risk.TypeText, Text: "S3cret-example\n"}
	typed := f.propose("a", secret)
	if typed.Outcome != risk.Confirm {
		t.Fatalf("a typed password with Enter: %v", typed.Outcome)
	}
	plain := f.propose("a", press("com.whatsapp", "Send"))
	before, err := f.store.Approval(f.ctx, plain.ID)
	if err != nil {
		t.Fatal(err)
	}
	f.restart()
	after, err := f.store.Approval(f.ctx, plain.ID)
	if err != nil || after.State != approval.Pending || !after.Deadline.Equal(before.Deadline) || after.ID != before.ID {
		t.Errorf("after the restart: %+v, %v", after, err)
	}
	f.answer(plain.ID, true)
	f.release("a", plain.ID, decide.Request{Screen: &decide.Screen{Package: "com.whatsapp"}, Target: &decide.Target{Text: "Send"}})

	f.answer(typed.ID, true)
	fresh := secret
	fresh.Action = risk.Action{}
	if _, err := f.desk.Begin(f.ctx, "a", typed.ID, &fresh); !errors.Is(err, hold.ErrActionNeeded) {
		t.Errorf("redeemed without the text that is not kept: %v", err)
	}
	f.release("a", typed.ID, secret)
	f.verify()
}

// A release whose result never came is lost, never repeated; a late result is
// recorded and changes nothing.
func TestALostReleaseIsNeverRepeated(t *testing.T) {
	for _, restart := range []bool{false, true} {
		f := newFixture(t, t)
		ticket := f.propose("a", press("com.whatsapp", "Send"))
		f.answer(ticket.ID, true)
		req := press("com.whatsapp", "Send")
		if _, err := f.desk.Begin(f.ctx, "a", ticket.ID, &req); err != nil {
			t.Fatal(err)
		}
		if restart {
			f.restart()
		} else {
			f.clock.pass(61 * time.Second)
			f.desk.Sweep(f.ctx)
		}
		a, err := f.store.Approval(f.ctx, ticket.ID)
		if err != nil || a.State != approval.Failed || a.Code != approval.CodeResultUnknown {
			t.Errorf("restart %v: %v %s %v", restart, a.State, a.Code, err)
		}
		if _, err := f.desk.Begin(f.ctx, "a", ticket.ID, &req); !conflicts(err) {
			t.Errorf("restart %v: a second release: %v", restart, err)
		}
		if _, err := f.desk.Finish(f.ctx, "a", ticket.ID, hold.Result{OK: true, Note: "late"}); !conflicts(err) {
			t.Errorf("restart %v: a late result: %v", restart, err)
		}
		rows, err := f.store.About(f.ctx, ticket.ID)
		if err != nil || rows[len(rows)-1].Kind != ledger.KindResult {
			t.Errorf("restart %v: the late result is not on record: %v", restart, err)
		}
		f.verify()
		f.close()
	}
}

// The result of an action that needed no answer is recorded once.
func TestAnAllowedActionsResultIsRecordedOnce(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	allowed := f.propose("a", press("com.whatsapp", "Chats"))
	if _, err := f.desk.Finish(f.ctx, "b", allowed.ID, hold.Result{OK: true}); !errors.Is(err, hold.ErrNotFound) {
		t.Errorf("another agent's report: %v", err)
	}
	if _, err := f.desk.Finish(f.ctx, "a", allowed.ID, hold.Result{OK: true}); err != nil {
		t.Errorf("the first report: %v", err)
	}
	if _, err := f.desk.Finish(f.ctx, "a", allowed.ID, hold.Result{OK: true}); !conflicts(err) {
		t.Errorf("the second report: %v", err)
	}
	if rows, err := f.store.About(f.ctx, allowed.ID); err != nil || len(rows) != 2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// A question that cannot be read is not taken for a refusal.
func TestAStoreThatCannotBeRead(t *testing.T) {
	var broken *failing
	f := newFixture(t, t, func(o *hold.Options) {
		broken = &failing{Store: o.Store}
		o.Store = broken
	})
	defer f.close()
	asked := f.propose("a", press("com.whatsapp", "Send"))
	broken.blind = true
	if _, err := f.desk.Ticket(f.ctx, "a", asked.ID); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("its state: %v", err)
	}
	broken.blind = false
	if ticket, err := f.desk.Ticket(f.ctx, "a", asked.ID); err != nil || ticket.Approval.State != approval.Pending {
		t.Errorf("afterwards: %v", err)
	}
}

// failing is a store that cannot write while broken is set, and cannot read
// questions while blind is.
type failing struct {
	hold.Store
	broken, blind bool
}

func (s *failing) Approval(ctx context.Context, id string) (approval.Approval, error) {
	if s.blind {
		return approval.Approval{}, hold.ErrUnavailable
	}
	return s.Store.Approval(ctx, id)
}

func (s *failing) Commit(ctx context.Context, c hold.Change) ([]ledger.Row, error) {
	if s.broken {
		return nil, hold.ErrUnavailable
	}
	return s.Store.Commit(ctx, c)
}

func TestWhatCannotBeRecordedIsNotReleased(t *testing.T) {
	var broken *failing
	f := newFixture(t, t, func(o *hold.Options) {
		broken = &failing{Store: o.Store}
		o.Store = broken
	})
	defer f.close()
	p := &phone{screen: bank("Balance")}
	broken.broken = true
	_, err := f.desk.Do(f.ctx, hold.Proposal{Agent: "a", Request: tapButton()}, p, p)
	if !errors.Is(err, hold.ErrUnavailable) || p.touched() != 0 {
		t.Errorf("a harmless tap that cannot be recorded: %v, %d touches", err, p.touched())
	}
	broken.broken = false
	ticket := f.propose("a", press("com.whatsapp", "Send"))
	f.answer(ticket.ID, true)
	broken.broken = true
	req := press("com.whatsapp", "Send")
	if _, err := f.desk.Begin(f.ctx, "a", ticket.ID, &req); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("a release that cannot be recorded: %v", err)
	}
	broken.broken = false
	f.release("a", ticket.ID, req)
	if _, err := f.desk.Do(f.ctx, hold.Proposal{Agent: "a", Request: tapButton()}, p, p); err != nil || p.touched() != 1 {
		t.Errorf("afterwards: %v, %d touches", err, p.touched())
	}
	f.verify()
}

// The time of a desk never goes back, and a question ends by it.
func TestAClockThatJumps(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	ticket := f.propose("a", press("com.whatsapp", "Send"))
	f.clock.setBack(24 * time.Hour)
	f.desk.Now()
	f.clock.pass(16 * time.Minute)
	if _, err := f.desk.Answer(f.ctx, hold.Answer{ID: ticket.ID, Digest: ticket.Digest, Yes: true, By: "owner"}); !conflicts(err) {
		t.Errorf("set back, then 16 minutes: %v", err)
	}
	second := f.propose("a", press("com.whatsapp", "Send now"))
	f.answer(second.ID, true)
	f.clock.pass(48 * time.Hour)
	req := press("com.whatsapp", "Send now")
	if _, err := f.desk.Begin(f.ctx, "a", second.ID, &req); !conflicts(err) {
		t.Errorf("set forward two days: %v", err)
	}
	f.verify()
}

// A guard that stops while a question's time is over leaves it to the next
// start, and complains of nothing: nothing is wrong.
func TestAGuardThatStopsDoesNotComplain(t *testing.T) {
	var said strings.Builder
	f := newFixture(t, t, func(o *hold.Options) { o.Log = slog.New(slog.NewTextHandler(&said, nil)) })
	defer f.close()
	ticket := f.propose("a", press("com.whatsapp", "Send"))
	f.clock.pass(time.Hour)
	stopped, stop := context.WithCancel(f.ctx)
	stop()
	f.desk.Sweep(stopped)
	if strings.Contains(said.String(), "level=ERROR") {
		t.Errorf("it said %s", said.String())
	}
	f.desk.Sweep(f.ctx)
	if a, err := f.store.Approval(f.ctx, ticket.ID); err != nil || a.State != approval.Expired {
		t.Errorf("the next sweep left it %v, %v", a.State, err)
	}
}
