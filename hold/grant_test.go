package hold_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// chat is a conversation in WhatsApp with a draft and a button that sends it.
func chat(with, draft string) decide.Request {
	node := func(class, id, text, desc, bounds, more string) string {
		return fmt.Sprintf(`<node class="android.widget.%s" package="com.whatsapp" resource-id="com.whatsapp:id/%s" text="%s" content-desc="%s" bounds="%s" enabled="true" %s />`, class, id, text, desc, bounds, more)
	}
	tree := `<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]" enabled="true">` +
		node("TextView", "conversation_contact_name", with, "", "[160,100][800,180]", "") +
		node("EditText", "entry", draft, "", "[40,2200][900,2360]", `clickable="true" focusable="true" focused="true"`) +
		node("ImageButton", "send", "", "Send", "[920,2200][1060,2360]", `clickable="true"`) +
		`</node></hierarchy>`
	x, y := 990, 2280
	return decide.Request{
		Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y}, Device: "phone",
		Screen: &decide.Screen{Package: "com.whatsapp", Tree: tree, Width: 1080, Height: 2400, Observed: true},
	}
}

// drop asks to delete a list that is named in the dialog.
func drop(list string) decide.Request {
	req := press("com.example.notes", "Delete")
	req.Target.DialogMessage = "Delete “" + list + "”?"
	return req
}

// grant says yes to a question, with a grant.
func (f *fixture) grant(id string, count int, length time.Duration) approval.Grant {
	f.t.Helper()
	a, err := f.desk.Answer(f.ctx, hold.Answer{
		ID: id, Digest: f.digest(id), Yes: true, By: "owner", How: "terminal", Grant: &approval.GrantTerms{Count: count, For: length},
	})
	if err != nil {
		f.t.Fatalf("say yes to %s with a grant: %v", id, err)
	}
	g, err := f.desk.Grant(f.ctx, a.Grant)
	if err != nil {
		f.t.Fatalf("the grant of %s: %v", id, err)
	}
	return g
}

// granted asks, says yes with a grant, and carries the action out.
func (f *fixture) granted(agent string, req decide.Request, count int, length time.Duration) approval.Grant {
	f.t.Helper()
	asked := f.propose(agent, req)
	if asked.Outcome != risk.Confirm {
		f.t.Fatalf("the first one: %v", asked.Outcome)
	}
	g := f.grant(asked.ID, count, length)
	f.release(agent, asked.ID, req)
	return g
}

func TestAGrantLetsTheNextOnesPass(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	first := f.propose("a", chat("Anna", "one"))
	view, err := f.desk.View(f.ctx, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	offer, ok := f.desk.Offer(view)
	if !ok || offer.Sentence(time.UTC) != "sending to “Anna” in WhatsApp, 3 times, until 05:16" || offer.ID != "" {
		t.Fatalf("offered %v: %q", ok, offer.Sentence(time.UTC))
	}
	g := f.grant(first.ID, 2, time.Hour)
	f.release("a", first.ID, chat("Anna", "one"))
	for i, text := range []string{"two", "three"} {
		ticket := f.propose("a", chat("Anna", text))
		if ticket.Outcome != risk.Allow || ticket.Grant != g.ID || ticket.Approval != nil {
			t.Fatalf("%s: %v by %q", text, ticket.Outcome, ticket.Grant)
		}
		if strings.ContainsAny(ticket.Message, "0123456789") {
			t.Errorf("the agent learns how many are left: %s", ticket.Message)
		}
		row := f.decision(ticket.ID)
		if row.DecidedBy != hold.ByGrant || row.Grant != g.ID || row.Approval != first.ID || row.Outcome != risk.Allow || row.Source != risk.ContextAwareGuard {
			t.Errorf("%s: on record %v by %q of %q, %s", text, row.Outcome, row.DecidedBy, row.Grant, row.Source)
		}
		if strings.Contains(row.Reason, "policy") {
			t.Errorf("the record says that the policy let it pass: %s", row.Reason)
		}
		if now, err := f.desk.Grant(f.ctx, g.ID); err != nil || now.Used != i+1 {
			t.Errorf("used %d times, %v", now.Used, err)
		}
		if read, err := f.desk.Ticket(f.ctx, "a", ticket.ID); err != nil || read.Grant != g.ID || read.Message != ticket.Message {
			t.Errorf("read back: %+v, %v", read, err)
		}
	}
	if fourth := f.propose("a", chat("Anna", "four")); fourth.Outcome != risk.Confirm {
		t.Errorf("one more than granted: %v", fourth.Outcome)
	}
	f.events(g.ID, "given:", "used:", "used:", "ended:used_up")
	f.verify()
}

// events holds the record of a grant against what should have happened to it.
func (f *fixture) events(id string, want ...string) {
	f.t.Helper()
	rows, err := f.store.About(f.ctx, id)
	if err != nil {
		f.t.Fatalf("about %s: %v", id, err)
	}
	var got []string
	for _, r := range rows {
		if r.Kind != ledger.KindGrant {
			f.t.Fatalf("a %s row about a grant", r.Kind)
		}
		var body ledger.Grant
		if err := json.Unmarshal(r.Body, &body); err != nil || body.Grant != id || body.By == "" || body.Event == ledger.GrantUsed && body.Action == "" {
			f.t.Fatalf("on record: %+v, %v", body, err)
		}
		got = append(got, string(body.Event)+":"+body.Code)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		f.t.Fatalf("on record %q, want %q", got, want)
	}
}

// What the desk itself has to keep a grant from, on top of what it covers.
func TestWhatAGrantDoesNotCover(t *testing.T) {
	doubted := chat("Anna", "again")
	doubted.LLM = decide.LLM{RequiresConfirmation: true, Reason: "is this right?"}
	claimed := chat("Anna", "again")
	claimed.Screen.Observed = false
	tablet := chat("Anna", "again")
	tablet.Device = "tablet"
	held := chat("Anna", "again")
	held.Action.Kind = risk.LongPress
	cases := []struct {
		name   string
		agent  string
		then   decide.Request
		before func(f *fixture, g approval.Grant)
	}{
		{"another recipient", "a", chat("Bob", "again"), nil},
		{"another agent", "b", chat("Anna", "again"), nil},
		{"another device", "a", tablet, nil},
		{"another app", "a", withPackage(press("com.example.chat", "Send"), "com.example.chat"), nil},
		{"another consequence", "a", press("com.whatsapp", "Delete chat"), nil},
		{"the model doubts", "a", doubted, nil},
		{"the agent's word for the screen", "a", claimed, nil},
		{"a press that is held", "a", held, nil},
		{"a secret in the text", "a", chat("Anna", "the card is 4111 1111 1111 1111"), nil},
		{"its time is over", "a", chat("Anna", "again"), func(f *fixture, g approval.Grant) { f.clock.pass(time.Hour) }},
		{"revoked", "a", chat("Anna", "again"), func(f *fixture, g approval.Grant) {
			if _, err := f.desk.RevokeGrant(f.ctx, g.ID, "owner", "terminal"); err != nil {
				f.t.Fatalf("revoke: %v", err)
			}
		}},
		{"frozen and lifted", "a", chat("Anna", "again"), func(f *fixture, g approval.Grant) {
			if err := errors.Join(f.desk.Freeze(f.ctx, "owner", ""), f.desk.Unfreeze(f.ctx, "owner", "")); err != nil {
				f.t.Fatalf("freeze: %v", err)
			}
		}},
		{"something similar was refused", "a", chat("Anna", "again"), func(f *fixture, g approval.Grant) {
			f.answer(f.propose("a", chat("Bob", "again")).ID, false)
		}},
	}
	if len(cases) != 13 {
		t.Errorf("%d cases, 13 were written", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, t)
			defer f.close()
			g := f.granted("a", chat("Anna", "first"), 3, time.Hour)
			if c.before != nil {
				c.before(f, g)
			}
			if then := f.propose(c.agent, c.then); then.Outcome != risk.Confirm || then.Grant != "" {
				t.Errorf("%v by %q", then.Outcome, then.Grant)
			}
			f.verify()
		})
	}
}

// A refusal of the same thing counts before a grant of it, and a refusal of
// another agent's leaves the grant alone.
func TestRefusalsAndGrants(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	f.answer(f.propose("a", chat("Anna", "no")).ID, false)
	g := f.granted("a", chat("Anna", "yes"), 3, time.Hour)
	if again := f.propose("a", chat("Anna", "no")); again.Outcome != risk.Deny || again.Code != hold.CodeRecentlyRefused {
		t.Errorf("what was refused before: %v %s", again.Outcome, again.Code)
	}
	f.answer(f.propose("b", chat("Anna", "no")).ID, false)
	if then := f.propose("a", chat("Anna", "more")); then.Grant != g.ID {
		t.Errorf("after another agent's refusal: %v", then.Outcome)
	}
	f.answer(f.propose("a", chat("Bob", "no")).ID, false)
	f.events(g.ID, "given:", "used:", "ended:denied_since")
}

// The question that is open already is answered by its answer, not by a grant.
func TestAnOpenQuestionComesBeforeAGrant(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	first, second := f.propose("a", chat("Anna", "one")), f.propose("a", chat("Anna", "two"))
	g := f.grant(first.ID, 3, time.Hour)
	if again := f.propose("a", chat("Anna", "one")); again.ID != first.ID || again.Approval.State != approval.Approved {
		t.Errorf("the approved question again: %v %s", again.Outcome, again.Grant)
	}
	if again := f.propose("a", chat("Anna", "two")); again.ID != second.ID {
		t.Errorf("the open question again: %v %s", again.Outcome, again.Grant)
	}
	f.clock.pass(16 * time.Minute)
	if late := f.propose("a", chat("Anna", "two")); late.Grant != g.ID {
		t.Errorf("a question whose time is over stands before the grant: %v", late.Outcome)
	}
}

func TestWhenNoGrantIsGiven(t *testing.T) {
	usual := approval.UsualGrant()
	cases := []struct {
		name   string
		req    decide.Request
		yes    bool
		terms  approval.GrantTerms
		frozen bool
		want   error
	}{
		{"with a no", chat("Anna", "x"), false, usual, false, hold.ErrGrantNo},
		{"terms of nothing", chat("Anna", "x"), true, approval.GrantTerms{}, false, approval.ErrGrantTerms},
		{"too often", chat("Anna", "x"), true, approval.GrantTerms{Count: 21, For: time.Hour}, false, approval.ErrGrantTerms},
		{"too long", chat("Anna", "x"), true, approval.GrantTerms{Count: 1, For: 25 * time.Hour}, false, approval.ErrGrantTerms},
		{"critical", press("com.paypal.android.p2pmobile", "Pay now"), true, usual, false, hold.ErrNoGrant},
		{"neither recipient nor object", press("com.whatsapp", "Send"), true, usual, false, hold.ErrNoGrant},
		{"a secret in the text", chat("Anna", "my card 4111 1111 1111 1111"), true, usual, false, hold.ErrNoGrant},
		{"a category without grants", press("com.android.vending", "Install"), true, usual, false, hold.ErrNoGrant},
	}
	if len(cases) != 8 {
		t.Errorf("%d cases, 8 were written", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, t)
			defer f.close()
			asked := f.propose("a", c.req)
			if _, ok := f.desk.Offer(f.view(asked.ID)); ok != (c.want != hold.ErrNoGrant) {
				t.Errorf("offered: %v", ok)
			}
			_, err := f.desk.Answer(f.ctx, hold.Answer{ID: asked.ID, Digest: f.digest(asked.ID), Yes: c.yes, By: "owner", Grant: &c.terms})
			if !errors.Is(err, c.want) {
				t.Errorf("answered %v, want %v", err, c.want)
			}
			if a := f.view(asked.ID); a.State != approval.Pending || a.Grant != "" {
				t.Errorf("the question is %v with %q", a.State, a.Grant)
			}
			if list, err := f.desk.Grants(f.ctx, false); err != nil || len(list) != 0 {
				t.Errorf("%d grants, %v", len(list), err)
			}
		})
	}
}

// view is a question as a person sees it.
func (f *fixture) view(id string) approval.Approval {
	f.t.Helper()
	a, err := f.desk.View(f.ctx, id)
	if err != nil {
		f.t.Fatalf("view %s: %v", id, err)
	}
	return a
}

// A yes that comes too late gives no grant.
func TestALateYesGivesNoGrant(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	asked := f.propose("a", chat("Anna", "x"))
	f.clock.pass(time.Hour)
	terms := approval.UsualGrant()
	if _, err := f.desk.Answer(f.ctx, hold.Answer{ID: asked.ID, Digest: f.digest(asked.ID), Yes: true, By: "owner", Grant: &terms}); !conflicts(err) {
		t.Errorf("a late yes: %v", err)
	}
	if list, err := f.desk.Grants(f.ctx, false); err != nil || len(list) != 0 || f.view(asked.ID).Grant != "" {
		t.Errorf("%d grants, %v", len(list), err)
	}
}

func TestWhatEndsAGrant(t *testing.T) {
	cases := []struct {
		name string
		end  func(f *fixture, g approval.Grant)
		code string
	}{
		{"revoked", func(f *fixture, g approval.Grant) {
			if ended, err := f.desk.RevokeGrant(f.ctx, g.ID, "owner", "web"); err != nil || ended.EndedBy != "owner" {
				f.t.Fatalf("revoke: %+v, %v", ended, err)
			}
		}, approval.CodeRevoked},
		{"the yes is taken back", func(f *fixture, g approval.Grant) {
			if _, err := f.desk.Revoke(f.ctx, g.From, "owner", "web", ""); err != nil {
				f.t.Fatalf("revoke: %v", err)
			}
		}, approval.CodeRevoked},
		{"frozen", func(f *fixture, g approval.Grant) {
			if err := f.desk.Freeze(f.ctx, "owner", ""); err != nil {
				f.t.Fatalf("freeze: %v", err)
			}
		}, approval.CodeFrozen},
		{"its time", func(f *fixture, g approval.Grant) {
			f.clock.pass(time.Hour)
			f.desk.Sweep(f.ctx)
		}, approval.CodeGrantExpired},
		{"its time, after a restart", func(f *fixture, g approval.Grant) {
			f.clock.pass(time.Hour)
			f.restart()
		}, approval.CodeGrantExpired},
		{"frozen by a guard that died in the middle", func(f *fixture, g approval.Grant) {
			frozen := hold.Freeze{Frozen: true, By: "owner", At: f.clock.now()}
			if _, err := f.store.Commit(f.ctx, hold.Change{At: f.clock.now(), Freeze: &frozen}); err != nil {
				f.t.Fatalf("freeze: %v", err)
			}
			f.restart()
		}, approval.CodeFrozen},
		{"a freeze that is lifted before it ended everything", func(f *fixture, g approval.Grant) {
			frozen := hold.Freeze{Frozen: true, By: "owner", At: f.clock.now()}
			if _, err := f.store.Commit(f.ctx, hold.Change{At: f.clock.now(), Freeze: &frozen}); err != nil {
				f.t.Fatalf("freeze: %v", err)
			}
			if err := f.desk.Unfreeze(f.ctx, "owner", ""); err != nil {
				f.t.Fatalf("unfreeze: %v", err)
			}
		}, approval.CodeFrozen},
	}
	if len(cases) != 7 {
		t.Errorf("%d cases, 7 were written", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, t)
			defer f.close()
			g := f.grant(f.propose("a", drop("Trip")).ID, 3, time.Hour)
			c.end(f, g)
			f.events(g.ID, "given:", "ended:"+c.code)
			if now, err := f.desk.Grant(f.ctx, g.ID); err != nil || now.Code != c.code || now.EndedAt.IsZero() {
				t.Errorf("%+v, %v", now, err)
			}
			if open, err := f.desk.Grants(f.ctx, true); err != nil || len(open) != 0 {
				t.Errorf("%d are open, %v", len(open), err)
			}
			if _, err := f.desk.RevokeGrant(f.ctx, g.ID, "owner", "web"); !errors.Is(err, hold.ErrGrantOver) {
				t.Errorf("revoked when it is over: %v", err)
			}
			f.verify()
		})
	}
}

func TestRevokingWhatIsNoGrant(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	g := f.granted("a", drop("Trip"), 3, time.Hour)
	for id, want := range map[string]error{"": hold.ErrNotFound, "g_nothing": hold.ErrNotFound, g.From: hold.ErrNotFound} {
		if _, err := f.desk.RevokeGrant(f.ctx, id, "owner", "web"); !errors.Is(err, want) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := f.desk.RevokeGrant(f.ctx, g.ID, "", "web"); !errors.Is(err, hold.ErrAnonymous) {
		t.Errorf("by nobody: %v", err)
	}
	if open, err := f.desk.Grants(f.ctx, true); err != nil || len(open) != 1 {
		t.Errorf("%d are open, %v", len(open), err)
	}
}

// A grant is there after a restart, with its count and its end.
func TestAGrantOutlivesARestart(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	g := f.granted("a", chat("Anna", "one"), 2, time.Hour)
	for _, text := range []string{"two", "three"} {
		f.restart()
		if then := f.propose("a", chat("Anna", text)); then.Grant != g.ID {
			t.Errorf("%s: %v", text, then.Outcome)
		}
	}
	f.restart()
	if then := f.propose("a", chat("Anna", "four")); then.Outcome != risk.Confirm {
		t.Errorf("one more than granted: %v", then.Outcome)
	}
	f.events(g.ID, "given:", "used:", "used:", "ended:used_up")
}

// With an idempotency key a proposal that is sent twice uses a grant once.
func TestAKeyUsesAGrantOnce(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	g := f.granted("a", chat("Anna", "one"), 2, time.Hour)
	req := chat("Anna", "two")
	first, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &req, Key: "k"})
	again, err2 := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &req, Key: "k"})
	if err != nil || err2 != nil || first.ID != again.ID || again.Grant != g.ID || again.Outcome != risk.Allow {
		t.Errorf("%v %v: %+v and %+v", err, err2, first, again)
	}
	f.events(g.ID, "given:", "used:")
}

// The grant that ends first is used first.
func TestOfTwoGrantsTheOneThatEndsFirst(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	short, long := f.propose("a", chat("Anna", "one")), f.propose("a", chat("Anna", "two"))
	later, sooner := f.grant(long.ID, 1, 2*time.Hour), f.grant(short.ID, 1, time.Hour)
	var used []string
	for _, text := range []string{"three", "four"} {
		used = append(used, f.propose("a", chat("Anna", text)).Grant)
	}
	if used[0] != sooner.ID || used[1] != later.ID {
		t.Errorf("used %q, want %q", used, []string{sooner.ID, later.ID})
	}
}

// Where nobody can be asked a grant that was given counts all the same; in
// observe mode none is used up.
func TestGrantsWhereNobodyIsAsked(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	g := f.granted("a", chat("Anna", "one"), 2, time.Hour)
	f.options.Somebody = func(context.Context) bool { return false }
	f.restart()
	if then := f.propose("a", chat("Anna", "two")); then.Grant != g.ID {
		t.Errorf("with nobody there: %v", then.Outcome)
	}
	f.options.Observe = true
	f.restart()
	if then := f.propose("a", chat("Anna", "three")); then.Grant != "" || then.Would != risk.Confirm {
		t.Errorf("in observe mode: %v by %q", then.Would, then.Grant)
	}
	f.events(g.ID, "given:", "used:")
}
