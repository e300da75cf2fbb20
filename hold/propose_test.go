package hold_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// propose puts an action to the desk and fails the test on an error.
func (f *fixture) propose(agent string, req decide.Request) hold.Ticket {
	f.t.Helper()
	ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: agent, AgentName: agent, Request: &req})
	if err != nil {
		f.t.Fatalf("propose: %v", err)
	}
	return ticket
}

func (f *fixture) answer(id string, yes bool) {
	f.t.Helper()
	if _, err := f.desk.Answer(f.ctx, hold.Answer{ID: id, Digest: f.digest(id), Yes: yes, By: "owner", How: "terminal"}); err != nil {
		f.t.Fatalf("answer %s: %v", id, err)
	}
}

// release redeems an approved question on the same screen and reports success.
func (f *fixture) release(agent, id string, req decide.Request) {
	f.t.Helper()
	if _, err := f.desk.Begin(f.ctx, agent, id, &req); err != nil {
		f.t.Fatalf("begin %s: %v", id, err)
	}
	if _, err := f.desk.Finish(f.ctx, agent, id, hold.Result{OK: true}); err != nil {
		f.t.Fatalf("finish %s: %v", id, err)
	}
}

func TestOneKeyIsOneQuestion(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	var group sync.WaitGroup
	ids := make([]string, 8)
	for i := range ids {
		group.Go(func() {
			req := press("com.whatsapp", "Send")
			ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &req, Key: "k"})
			if err != nil {
				t.Errorf("propose: %v", err)
			}
			ids[i] = ticket.ID
		})
	}
	group.Wait()
	for _, id := range ids {
		if id != ids[0] || id == "" {
			t.Errorf("the ids are %q, there should be one", ids)
		}
	}
	other := press("com.whatsapp", "Delete chat")
	if _, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", Request: &other, Key: "k"}); !errors.Is(err, hold.ErrKeyReused) {
		t.Errorf("the key with another action: %v", err)
	}
	if ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "b", Request: &other, Key: "k"}); err != nil || ticket.ID == ids[0] {
		t.Errorf("another agent's key of the same name: %v, %s", err, ticket.ID)
	}
	harmless := press("com.whatsapp", "Chats")
	first, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", Request: &harmless, Key: "h"})
	again, err2 := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", Request: &harmless, Key: "h"})
	if err != nil || err2 != nil || first.ID != again.ID || again.Outcome != risk.Allow {
		t.Errorf("an allowed action under its key: %v %v, %s and %s", err, err2, first.ID, again.ID)
	}
	f.verify()
}

// A refusal covers the intent: other ways to the same effect are refused or
// asked about, also where the policy would let them pass.
func TestARefusalIsRemembered(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	first := f.propose("a", press("com.example.chat", "Delete chat"))
	f.answer(first.ID, false)

	enter := press("com.example.chat", "Delete chat")
	enter.Action = risk.Action{Kind: risk.PressKey, Key: "ENTER"}
	enter.Target.Focused = true
	if again := f.propose("a", enter); again.Outcome != risk.Deny || again.Code != hold.CodeRecentlyRefused {
		t.Errorf("the Enter key on the same button: %v %q", again.Outcome, again.Code)
	}
	shell := decide.Request{Action: risk.Action{Kind: risk.ShellLine, Shell: "pm clear com.example.chat"}}
	clear := f.propose("a", shell)
	if clear.Outcome != risk.Confirm {
		t.Fatalf("the shell line: %v", clear.Outcome)
	}
	if a, err := f.desk.View(f.ctx, clear.ID); err != nil || a.Card.Before != "similar request refused 0 seconds ago" {
		t.Errorf("its card says %q, %v", a.Card.Before, err)
	}
	if other := f.propose("b", press("com.example.chat", "Delete chat")); other.Outcome != risk.Confirm {
		t.Errorf("another agent: %v", other.Outcome)
	}
	f.clock.pass(11 * time.Minute)
	if later := f.propose("a", press("com.example.chat", "Delete chat")); later.Outcome != risk.Confirm {
		t.Errorf("after the cool-down: %v", later.Outcome)
	}
}

// What the policy allows in a LOW app is asked about after a similar refusal.
func TestARefusalRaisesWhatIsAllowed(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	const notes = "com.google.android.keep"
	if free := f.propose("a", press(notes, "Delete note")); free.Outcome != risk.Allow {
		t.Fatalf("a note's deletion: %v", free.Outcome)
	}
	forever := press(notes, "OK")
	forever.Target.DialogMessage = "Delete all notes permanently?"
	asked := f.propose("a", forever)
	if asked.Outcome != risk.Confirm {
		t.Fatalf("for good: %v", asked.Outcome)
	}
	f.answer(asked.ID, false)
	if raised := f.propose("a", press(notes, "Delete note")); raised.Outcome != risk.Confirm {
		t.Errorf("after the refusal: %v", raised.Outcome)
	}
	if none := f.propose("a", press(notes, "Archive list")); none.Outcome != risk.Allow {
		t.Errorf("what is no deletion: %v", none.Outcome)
	}
}

func TestAYesCoversTheYesThatFollows(t *testing.T) {
	const chat = "com.example.chat"
	ok := press(chat, "OK")
	ok.Target.DialogMessage = "Delete this chat?"
	all := press(chat, "OK")
	all.Target.DialogMessage = "Delete all 12 chats?"
	forever := press(chat, "OK")
	forever.Target.DialogMessage = "Delete this chat permanently?"
	doubted := ok
	doubted.LLM = decide.LLM{RequiresConfirmation: true}
	ann := press(chat, "OK")
	ann.Target.DialogMessage = "Delete chat with Ann?"
	chinese := press(chat, "确定")
	chinese.Target.DialogMessage = "删除与小明的聊天？"
	cases := []struct {
		name   string
		then   decide.Request
		agent  string
		after  time.Duration
		linked bool
	}{
		{"at once", ok, "a", time.Second, true},
		{"after 16 seconds", ok, "a", 16 * time.Second, false},
		{"another agent", ok, "b", time.Second, false},
		{"more of them", all, "a", time.Second, false},
		{"somebody is named", ann, "a", time.Second, false},
		{"somebody may be named", chinese, "a", time.Second, false},
		{"for good", forever, "a", time.Second, false},
		{"the model doubts", doubted, "a", time.Second, false},
		{"no generic yes", press(chat, "Delete messages"), "a", time.Second, false},
		{"another app", withPackage(ok, "com.example.mail"), "a", time.Second, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, t)
			defer f.close()
			first := f.propose("a", press(chat, "Delete chat"))
			f.answer(first.ID, true)
			f.release("a", first.ID, press(chat, "Delete chat"))
			f.clock.pass(c.after)
			then := f.propose(c.agent, c.then)
			if linked := then.Outcome == risk.Allow; linked != c.linked {
				t.Fatalf("%v, linked should be %v", then.Outcome, c.linked)
			}
			if !c.linked {
				return
			}
			if twice := f.propose(c.agent, c.then); twice.Outcome != risk.Confirm {
				t.Errorf("a second time: %v", twice.Outcome)
			}
			row := f.decision(then.ID)
			if row.DecidedBy != hold.ByLinked || row.Approval != first.ID {
				t.Errorf("the record says %q by %s", row.DecidedBy, row.Approval)
			}
			f.verify()
		})
	}
	if len(cases) != 10 {
		t.Errorf("%d cases", len(cases))
	}
}

// The object of the first question has to stand in the second.
func TestAYesDoesNotCoverAnotherObject(t *testing.T) {
	asks := func(dialog string) decide.Request {
		req := press("com.example.chat", "OK")
		req.Target.DialogMessage = dialog
		return req
	}
	for then, linked := range map[string]bool{"Delete chat with Bob?": true, "Delete chat with Ann?": false, "Delete this chat?": false} {
		f := newFixture(t, t)
		first := f.propose("a", asks("Delete chat with Bob?"))
		f.answer(first.ID, true)
		f.release("a", first.ID, asks("Delete chat with Bob?"))
		if got := f.propose("a", asks(then)); (got.Outcome == risk.Allow) != linked {
			t.Errorf("%s: %v", then, got.Outcome)
		}
		f.close()
	}
}

// A key that joined an open question is that question's, also when it is over.
func TestAKeyThatJoined(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	req := press("com.whatsapp", "Send")
	keyed := func(key string) string {
		t.Helper()
		ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &req, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		return ticket.ID
	}
	first, second := keyed("k1"), keyed("k2")
	f.answer(first, true)
	f.release("a", first, req)
	if again := keyed("k2"); first != second || again != first {
		t.Errorf("%s, joined by %s, then %s", first, second, again)
	}
}

func withPackage(req decide.Request, pkg string) decide.Request {
	req.Screen = &decide.Screen{Package: pkg}
	return req
}

// decision is what is on record of an action's decision.
func (f *fixture) decision(id string) ledger.Decision {
	f.t.Helper()
	rows, err := f.store.About(f.ctx, id)
	if err != nil {
		f.t.Fatalf("about %s: %v", id, err)
	}
	for _, r := range rows {
		if r.Kind == ledger.KindDecision {
			return decodeDecision(f.t, r.Body)
		}
	}
	f.t.Fatalf("no decision about %s on record", id)
	return ledger.Decision{}
}

func TestNobodyToAsk(t *testing.T) {
	cases := []struct {
		name   string
		change func(*hold.Options)
		code   string
	}{
		{"no approver", func(o *hold.Options) { o.Somebody = func(context.Context) bool { return false } }, approval.CodeNobody},
		{"nobody was named", func(o *hold.Options) { o.Somebody = nil }, approval.CodeNobody},
		{"nobody hears of it", func(o *hold.Options) {
			o.Reaches = func(a *approval.Approval) bool { return a.Card.Category != risk.Money }
		}, approval.CodeNobody},
		{"unattended", func(o *hold.Options) { o.Unattended = true }, approval.CodeUnattended},
	}
	for _, c := range cases {
		f := newFixture(t, t, c.change)
		ticket := f.propose("a", press("com.example.bank", "Transfer"))
		if ticket.Outcome != risk.Deny || ticket.Approval == nil || ticket.Approval.State != approval.NoChannel || ticket.Code != c.code {
			t.Errorf("%s: %v %+v", c.name, ticket.Outcome, ticket.Approval)
		}
		if _, err := f.desk.Answer(f.ctx, hold.Answer{ID: ticket.ID, Digest: ticket.Digest, Yes: true, By: "owner"}); !conflicts(err) {
			t.Errorf("%s: a late yes: %v", c.name, err)
		}
		if again := f.propose("a", press("com.example.bank", "Transfer")); again.Code == hold.CodeRecentlyRefused {
			t.Errorf("%s: it counts as a refusal", c.name)
		}
		f.verify()
		f.close()
	}
}

func TestObserveModeHoldsNothing(t *testing.T) {
	f := newFixture(t, t, func(o *hold.Options) { o.Observe = true })
	defer f.close()
	ticket := f.propose("a", press("com.whatsapp", "Send"))
	if ticket.Outcome != risk.Allow || ticket.Would != risk.Confirm || !ticket.Observing || ticket.Approval != nil {
		t.Errorf("%+v", ticket)
	}
	if row := f.decision(ticket.ID); row.Outcome != risk.Confirm || !row.Observe {
		t.Errorf("on record: %v, observe %v", row.Outcome, row.Observe)
	}
	if err := f.desk.Freeze(f.ctx, "owner", ""); err != nil {
		t.Fatal(err)
	}
	if frozen := f.propose("a", press("com.whatsapp", "Send")); frozen.Outcome != risk.Deny {
		t.Errorf("a freeze counts in observe mode too: %v", frozen.Outcome)
	}
}

func TestOpenQuestionsAreBounded(t *testing.T) {
	f := newFixture(t, t, func(o *hold.Options) { o.OpenPerAgent = 3 })
	defer f.close()
	for _, text := range []string{"Send one", "Send two", "Send three"} {
		f.propose("a", press("com.whatsapp", text))
	}
	req := press("com.whatsapp", "Send four")
	if _, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", Request: &req}); !errors.Is(err, hold.ErrTooMany) {
		t.Errorf("a fourth question: %v", err)
	}
	f.propose("b", press("com.whatsapp", "Send four"))
}

func TestWithoutAKeyNothingIsHeld(t *testing.T) {
	f := newFixture(t, t, func(o *hold.Options) {
		d := decider(t)
		d.Key = nil
		o.Decider = d
	})
	defer f.close()
	req := press("com.whatsapp", "Send")
	if _, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", Request: &req}); !errors.Is(err, hold.ErrNoDigest) {
		t.Errorf("propose: %v", err)
	}
}
