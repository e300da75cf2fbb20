package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// The reports of kinds approval and audit, and those of kind engine that need
// holding, against a daemon over its real doors. Where the design wants
// something else than a report, holdDisagreements says what and why.
var holdDisagreements = map[string]string{
	"E03":        "with no approver the question ends at once as no_channel instead of being held until it expires; the code is nobody_to_ask",
	"V07":        "a point that moved with its control is the same action: the digest holds what is acted on and no coordinates",
	"V05":        "expired is answered with outcome deny and state expired; the reason code is not_answered",
	"V07 serial": "a redeem cannot name a device at all, so a yes for one phone cannot be asked for on another",
}

func TestReportE03NoApproverMeansNo(t *testing.T) {
	g := startGuard(t)
	// The door refuses to let the last approver go, so it is done behind it.
	if _, err := g.d.Registry().RevokeApprover(context.Background(), daemon.FirstApprover); err != nil {
		t.Fatal(err)
	}
	body := tap("com.example.shop", "Subscribe")
	body["llm"] = map[string]any{"requires_confirmation": true}
	v := g.agent.propose(body)
	if v.Outcome != "deny" || v.Approval.State != "no_channel" || v.Code != approval.CodeNobody {
		t.Errorf("%+v; %s", v, holdDisagreements["E03"])
	}
	if r := g.agent.redeem(v.ID, fresh("com.example.shop", "Subscribe")); r.Status != 409 {
		t.Errorf("it was redeemed: %+v", r)
	}
}

func TestReportE05UnattendedIsRefusedAtOnce(t *testing.T) {
	g := startGuard(t, func(o *daemon.Options) { o.Unattended = true })
	v := g.agent.propose(tap("com.example.bank", "Transfer"))
	if v.Status != 200 || v.Outcome != "deny" || v.Code != approval.CodeUnattended {
		t.Errorf("%+v", v)
	}
	if v := g.agent.propose(tap("com.example.reader", "Next page")); v.Outcome != "allow" {
		t.Errorf("a harmless tap: %+v", v)
	}
}

func TestReportE07AnotherWayToWhatWasRefused(t *testing.T) {
	g := startGuard(t)
	first := g.agent.propose(tap("com.example.chat", "Delete chat"))
	if first.Status != 202 || g.deny(first.ID) != approval.Denied {
		t.Fatalf("%+v", first)
	}
	shell := g.agent.propose(`{"action": {"kind": "shell", "shell": "pm clear com.example.chat"}}`)
	if shell.Outcome == "allow" {
		t.Errorf("the shell line: %+v", shell)
	}
	card, err := g.owner.Get(context.Background(), shell.ID)
	if err != nil || card.Card.Before == "" {
		t.Errorf("the card does not say that a similar request was refused: %q, %v", card.Card.Before, err)
	}
	enter := g.agent.propose(`{"action": {"kind": "key", "key": "66"}, "screen": {"package": "com.example.chat"}, "target": {"text": "Delete chat", "focused": true}}`)
	if enter.Outcome == "allow" {
		t.Errorf("the Enter key: %+v", enter)
	}
}

// V01: written down before it is shown; after a kill -9 the same id and deadline,
// and the answer is used once.
func TestReportV01KilledAndStartedAgain(t *testing.T) {
	home := newHome(t)
	p := up(t, home, nil)
	token, err := secretOf(home, daemon.AgentTokenFile)
	if err != nil {
		t.Fatal(err)
	}
	a := httpAgent{t: t, url: p.url, token: token}
	asked := a.propose(tap("com.whatsapp", "Send"))
	if asked.Status != 202 {
		t.Fatalf("%+v", asked)
	}
	p.kill()
	p = up(t, home, nil)
	a.url = p.url
	if again := a.state(asked.ID); again.Approval.State != "pending" || !again.Approval.ExpiresAt.Equal(asked.Approval.ExpiresAt) {
		t.Errorf("after the start: %+v, was %+v", again, asked)
	}
	owner := ownerOf(t, home)
	card, err := owner.Get(context.Background(), asked.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Approve(context.Background(), asked.ID, card.Digest, ""); err != nil {
		t.Fatal(err)
	}
	taps := 0
	for range 2 {
		if a.state(asked.ID).Approval.State == "approved" {
			if r := a.redeem(asked.ID, fresh("com.whatsapp", "Send")); r.Status == 200 {
				taps++
			}
		}
	}
	if r := a.redeem(asked.ID, fresh("com.whatsapp", "Send")); taps != 1 || r.Status != 409 {
		t.Errorf("released %d times, then %+v", taps, r)
	}
}

// V03: two answers meet; one counts, and what it allows happens once.
func TestReportV03TwoAnswersMeet(t *testing.T) {
	g := startGuard(t)
	const rounds = 200
	for i := range rounds {
		text := fmt.Sprintf("Send %d", i)
		asked := g.agent.propose(tap("com.whatsapp", text))
		if asked.Status != 202 {
			t.Fatalf("round %d: %+v", i, asked)
		}
		won, lost := 0, 0
		var mu sync.Mutex
		var group sync.WaitGroup
		for _, say := range []func(context.Context, string, string, string) (approval.Approval, error){
			g.owner.Approve, []func(context.Context, string, string, string) (approval.Approval, error){g.owner.Approve, g.owner.Deny}[i%2],
		} {
			group.Go(func() {
				_, err := say(context.Background(), asked.ID, asked.Digest, "")
				var p *client.Problem
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won++
				case errors.As(err, &p) && p.Conflict():
					lost++
				default:
					t.Error(err)
				}
			})
		}
		group.Wait()
		if won != 1 || lost != 1 {
			t.Fatalf("round %d: %d counted and %d were late", i, won, lost)
		}
		taps := 0
		for range 2 {
			if r := g.agent.redeem(asked.ID, fresh("com.whatsapp", text)); r.Status == 200 {
				taps++
			}
		}
		state := g.agent.state(asked.ID).Approval.State
		if want := map[string]int{"releasing": 1, "denied": 0}; taps != want[state] {
			t.Fatalf("round %d: %s and %d taps", i, state, taps)
		}
		g.agent.report(asked.ID)
		g.clock.shift(11 * time.Minute) // past the cool-down of a refusal
	}
	g.verify()
}

// V05: a question whose time is over was refused by nobody.
func TestReportV05SilenceIsNoRefusal(t *testing.T) {
	g := startGuard(t, func(o *daemon.Options) { o.AnswerWithin = 3 * time.Second })
	asked := g.agent.propose(tap("com.whatsapp", "Send"))
	g.clock.shift(3500 * time.Millisecond)
	v := g.agent.call("GET", "/v1/actions/"+asked.ID+"?wait=5s", nil)
	if v.Outcome != "deny" || v.Approval.State != "expired" || v.Code != approval.CodeNotAnswered || v.Message == "" {
		t.Errorf("%+v; %s", v, holdDisagreements["V05"])
	}
	_, err := g.owner.Approve(context.Background(), asked.ID, asked.Digest, "")
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != 409 || p.Code != "expired" {
		t.Errorf("a late yes: %v", err)
	}
	if r := g.agent.redeem(asked.ID, fresh("com.whatsapp", "Send")); r.Status != 409 {
		t.Errorf("redeemed: %+v", r)
	}
	rows, err := g.record().About(context.Background(), asked.ID)
	if err != nil {
		t.Fatal(err)
	}
	var last ledger.Transition
	if err := json.Unmarshal(rows[len(rows)-1].Body, &last); err != nil || last.To != "expired" || last.By != "countersign" {
		t.Errorf("on record: %+v, %v", last, err)
	}
	if again := g.agent.propose(tap("com.whatsapp", "Send")); again.Status != 202 || again.ID == asked.ID {
		t.Errorf("asked again: %+v", again)
	}
}

// V07 by its own rows.
func TestReportV07AYesIsForItsContent(t *testing.T) {
	reports := readReports(t)
	var rows []struct {
		Approved map[string]any `json:"approved"`
		With     struct {
			Serial, Package, Label string
			X, Y                   int
		} `json:"released_with"`
		Expect struct{ Verdict string } `json:"expect"`
	}
	if err := json.Unmarshal([]byte(reports["V07"].body), &rows); err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	g := startGuard(t)
	page := func(label string, y int) map[string]any {
		return map[string]any{"package": "com.example.bank", "tree": fmt.Sprintf(`<hierarchy><node class="android.widget.FrameLayout" package="com.example.bank" bounds="[0,0][1080,2400]">`+
			`<node class="android.widget.Button" package="com.example.bank" text="%s" clickable="true" bounds="[100,%d][980,%d]"/></node></hierarchy>`, label, y-40, y+40)}
	}
	for i, row := range rows {
		asked := g.agent.propose(map[string]any{
			"action": map[string]any{"kind": "tap", "x": 540, "y": 1800}, "screen": page("Pay 12.00", 1800),
		})
		if g.approve(asked.ID) != approval.Approved {
			t.Fatalf("row %d: %+v", i, asked)
		}
		label, y := row.With.Label, row.With.Y
		if y == 0 {
			y = 1800
		}
		body := map[string]any{"screen": page(label, y)}
		if row.With.Serial == "emulator-5556" {
			body["device"] = row.With.Serial // holdDisagreements "V07 serial"
		}
		r := g.agent.redeem(asked.ID, body)
		released := r.Status == 200 && r.Approval.State == "releasing"
		if want := row.Expect.Verdict == "allow"; released != want {
			t.Errorf("row %d (%+v): %+v", i, row.With, r)
		}
		switch {
		case released:
			g.agent.report(asked.ID)
		case r.Status == 400 || r.Status == 422:
			if again := g.agent.redeem(asked.ID, map[string]any{"screen": page("Pay 12.00", 1800)}); again.Status != 200 {
				t.Errorf("row %d: a request that could not be read used the yes up: %+v", i, again)
			}
			g.agent.report(asked.ID)
		}
	}
}

// V11: one key, one card, one tap.
func TestReportV11ARetriedRequestIsOneCard(t *testing.T) {
	g := startGuard(t)
	keyed := func(text, key string) map[string]any {
		m := tap("com.whatsapp", text)
		m["idempotency_key"] = key
		return m
	}
	first, second := g.agent.propose(keyed("Send", "k1")), g.agent.propose(keyed("Send", "k1"))
	if first.ID == "" || first.ID != second.ID {
		t.Errorf("%s and %s", first.ID, second.ID)
	}
	if other := g.agent.propose(keyed("Pay", "k1")); other.Status != 409 || other.Code != "key_reused" {
		t.Errorf("the key for something else: %+v", other)
	}
	ids := map[string]bool{}
	var mu sync.Mutex
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			v := g.agent.propose(keyed("Send all", "k2"))
			mu.Lock()
			defer mu.Unlock()
			ids[v.ID] = true
		})
	}
	group.Wait()
	list, err := g.owner.List(context.Background(), client.ListOpen, 50)
	if err != nil || len(ids) != 1 || len(list.Approvals) != 2 {
		t.Fatalf("ids %v, %d cards, %v", ids, len(list.Approvals), err)
	}
	for id := range ids {
		g.approve(id)
		taps := 0
		for range 3 {
			if g.agent.redeem(id, fresh("com.whatsapp", "Send all")).Status == 200 {
				taps++
			}
		}
		if taps != 1 {
			t.Errorf("%d taps", taps)
		}
	}
}

// D07: one record an action, whatever became of it.
func TestReportD07EveryActionIsOnRecord(t *testing.T) {
	g := startGuard(t, func(o *daemon.Options) { o.AnswerWithin = time.Minute })
	before := g.verify()
	for _, text := range []string{"Chats", "Payment history", "Next page", "Back"} {
		if v := g.agent.propose(tap("com.whatsapp", text)); v.Outcome != "allow" {
			t.Fatalf("%s: %+v", text, v)
		}
	}
	for i, text := range []string{"Send", "Delete chat", "Call"} {
		v := g.agent.propose(tap("com.whatsapp", text))
		if v.Status != 202 {
			t.Fatalf("%s: %+v", text, v)
		}
		switch i {
		case 0:
			g.approve(v.ID)
			g.agent.redeem(v.ID, fresh("com.whatsapp", text))
			g.agent.report(v.ID)
		case 1:
			g.deny(v.ID)
		case 2:
			g.clock.shift(61 * time.Second)
			g.agent.call("GET", "/v1/actions/"+v.ID+"?wait=5s", nil)
		}
	}
	for _, line := range []string{"settings put secure enabled_accessibility_services a/.b", "setprop service.adb.tcp.port 5555"} {
		if v := g.agent.propose(map[string]any{"action": map[string]any{"kind": "shell", "shell": line}}); v.Outcome != "deny" {
			t.Fatalf("%s: %+v", line, v)
		}
	}
	malformed := `{"action": {"kind": "tap", "fingers": 3}}`
	if v := g.agent.propose(malformed); v.Status != 400 {
		t.Fatalf("malformed: %+v", v)
	}
	counts := map[string]int{}
	rows, err := g.record().Rows(context.Background(), before, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		switch r.Kind {
		case ledger.KindDecision:
			d, err := r.Decision()
			if err != nil {
				t.Fatal(err)
			}
			counts[d.Outcome.String()]++
		case ledger.KindRefused:
			var refused ledger.Refused
			if err := json.Unmarshal(r.Body, &refused); err != nil || refused.Size != int64(len(malformed)) {
				t.Errorf("the malformed one: %+v, %v", refused, err)
			}
			counts["malformed"]++
		case ledger.KindTransition:
			var move ledger.Transition
			if err := json.Unmarshal(r.Body, &move); err != nil {
				t.Fatal(err)
			}
			counts[move.To]++
		}
	}
	want := map[string]int{
		risk.Allow.String(): 4, risk.Confirm.String(): 3, risk.Deny.String(): 2, "malformed": 1,
		"pending": 3, "approved": 1, "releasing": 1, "released": 1, "denied": 1, "expired": 1,
	}
	for what, n := range want {
		if counts[what] != n {
			t.Errorf("%d rows say %s, want %d (%v)", counts[what], what, n, counts)
		}
	}
	g.verify()
}
