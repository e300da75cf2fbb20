package e2e

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
)

// released says that an action was let go which must not be.
func released(v view) string {
	if v.Status < 300 && v.Approval.State == "releasing" {
		return fmt.Sprintf("it was released: %+v", v)
	}
	return ""
}

// taken says that an agent got an answer about what is not its own.
func taken(v view) string {
	if v.Status < 400 {
		return fmt.Sprintf("it was answered: %+v", v)
	}
	return ""
}

func replays(t *testing.T) []way {
	s := besiege(t)
	bank := func(text string) map[string]any { return tap("com.example.bank", text) }
	again := func(text string) map[string]any { return fresh("com.example.bank", text) }
	releasing := s.answered(s.agent, bank("Pay 1.00"), true)
	done := s.answered(s.agent, bank("Pay 2.00"), true)
	failed := s.answered(s.agent, bank("Pay 3.00"), true)
	for q, text := range map[string]string{releasing.ID: "Pay 1.00", done.ID: "Pay 2.00", failed.ID: "Pay 3.00"} {
		if s.agent.redeem(q, again(text)).Status != 200 {
			t.Fatalf("%s is not released", text)
		}
	}
	s.agent.report(done.ID)
	s.agent.call("POST", "/v1/actions/"+failed.ID+"/result", `{"ok": false}`)
	theirs := s.answered(s.other, bank("Pay 4.00"), true)
	pending := s.asked(s.other, bank("Pay 5.00"))
	theirReleasing := s.answered(s.other, bank("Pay 6.00"), true)
	s.other.redeem(theirReleasing.ID, again("Pay 6.00"))
	allowed := s.other.propose(tap("com.example.reader", "Next page"))
	approvedAgain := s.answered(s.agent, bank("Pay 7.00"), true)

	onTheirs := func(name, id string, do func() view) way {
		return way{name, func() string {
			before := s.other.state(id)
			got := taken(do())
			if after := s.other.state(id); after.Approval.State != before.Approval.State {
				got += fmt.Sprintf(" it moved: %+v", after)
			}
			return got
		}}
	}
	path := func(id, what string) string { return "/v1/actions/" + id + what }
	withKey := bank("Pay 8.00")
	withKey["idempotency_key"] = "k"
	s.other.propose(withKey)
	return []way{
		{"while it is released", func() string { return released(s.agent.redeem(releasing.ID, again("Pay 1.00"))) }},
		{"after it was released", func() string { return released(s.agent.redeem(done.ID, again("Pay 2.00"))) }},
		{"after it failed", func() string { return released(s.agent.redeem(failed.ID, again("Pay 3.00"))) }},
		{"before the answer", func() string { return released(s.other.redeem(pending.ID, again("Pay 5.00"))) }},
		{"sixteen at once", func() string { return s.together(approvedAgain.ID, again("Pay 7.00")) }},
		{"asked again after it was done", func() string {
			v := s.agent.propose(bank("Pay 2.00"))
			if v.Outcome == "allow" || v.Approval.State == "approved" || v.ID == done.ID {
				return fmt.Sprintf("the old answer counts again: %+v", v)
			}
			return ""
		}},
		{"a result that is told twice", func() string {
			if v := s.agent.call("POST", path(done.ID, "/result"), `{"ok": false}`); v.Status < 300 {
				return fmt.Sprintf("the result was changed: %+v", v)
			}
			return ""
		}},
		{"a result without a release", func() string {
			if v := s.other.report(theirs.ID); v.Status < 300 {
				return fmt.Sprintf("it counts as done: %+v", v)
			}
			return ""
		}},
		onTheirs("another agent redeems", theirs.ID, func() view { return s.agent.redeem(theirs.ID, again("Pay 4.00")) }),
		onTheirs("another agent redeems with the whole action", theirs.ID, func() view { return s.agent.redeem(theirs.ID, bank("Pay 4.00")) }),
		onTheirs("another agent reports the result", theirReleasing.ID, func() view { return s.agent.report(theirReleasing.ID) }),
		onTheirs("another agent reports on what was allowed", allowed.ID, func() view { return s.agent.report(allowed.ID) }),
		onTheirs("another agent withdraws", pending.ID, func() view { return s.agent.call("DELETE", path(pending.ID, ""), nil) }),
		onTheirs("another agent withdraws the answer", theirs.ID, func() view { return s.agent.call("DELETE", path(theirs.ID, ""), nil) }),
		onTheirs("another agent reads a question", pending.ID, func() view { return s.agent.state(pending.ID) }),
		onTheirs("another agent reads what was allowed", allowed.ID, func() view { return s.agent.state(allowed.ID) }),
		onTheirs("another agent waits for it", pending.ID, func() view { return s.agent.call("GET", path(pending.ID, "?wait=10ms"), nil) }),
		{"another agent asks the same and is let join", func() string {
			v := s.agent.propose(bank("Pay 4.00"))
			if v.ID == theirs.ID || v.Approval.State == "approved" || v.Outcome == "allow" {
				return fmt.Sprintf("it joined: %+v", v)
			}
			return ""
		}},
		{"another agent uses the same idempotency key", func() string {
			v := s.agent.propose(withKey)
			if mine := s.other.propose(withKey); v.ID == mine.ID {
				return fmt.Sprintf("it got the other's question: %+v", v)
			}
			return ""
		}},
		{"an agent that was revoked redeems", func() string {
			gone := s.newAgent("gone")
			q := s.answered(gone, bank("Pay 9.00"), true)
			_, err := s.d.Registry().RevokeAgent(t.Context(), "gone")
			s.must(err)
			return released(gone.redeem(q.ID, again("Pay 9.00")))
		}},
		{"an agent of the same name redeems", func() string {
			gone := s.newAgent("twin")
			q := s.answered(gone, bank("Pay 10.00"), true)
			_, err := s.d.Registry().RevokeAgent(t.Context(), "twin")
			s.must(err)
			return released(s.newAgent("twin").redeem(q.ID, again("Pay 10.00")))
		}},
	}
}

// together redeems an approval many times at once, which may work once.
func (s *siege) together(id string, look map[string]any) string {
	const many = 16
	got := make(chan view, many)
	for range many {
		go func() { got <- s.agent.redeem(id, look) }()
	}
	times := 0
	for range many {
		if released(<-got) != "" {
			times++
		}
	}
	if times != 1 {
		return fmt.Sprintf("it was released %d times", times)
	}
	return ""
}

// page is a screen with one button in a dialog.
type page struct {
	pkg, text, id, title, message, class string
	disabled, gone                       bool
	y                                    int
}

func (p page) tree() string {
	button := fmt.Sprintf(`<node class=%q package=%q text=%q resource-id=%q enabled="%t" clickable="true" bounds="[100,%d][980,%d]"/>`,
		p.class, p.pkg, p.text, p.id, !p.disabled, p.y-40, p.y+40)
	if p.gone {
		button = ""
	}
	return fmt.Sprintf(`<hierarchy><node class="android.widget.FrameLayout" package=%q bounds="[0,0][1080,2400]">`+
		`<node class="android.widget.TextView" package=%q text=%q resource-id="android:id/alertTitle" bounds="[100,200][980,300]"/>`+
		`<node class="android.widget.TextView" package=%q text=%q resource-id="android:id/message" bounds="[100,320][980,600]"/>%s</node></hierarchy>`,
		p.pkg, p.pkg, p.title, p.pkg, p.message, button)
}

func (p page) screen() map[string]any { return map[string]any{"package": p.pkg, "tree": p.tree()} }

func swappedScreens(t *testing.T) []way {
	s := besiege(t)
	was := page{"com.example.bank", "Pay 12.00", "com.example.bank:id/pay", "Pay Anna?", "12.00 EUR to Anna", "android.widget.Button", false, false, 1800}
	changed := func(change func(*page)) page {
		p := was
		change(&p)
		return p
	}
	action := map[string]any{"kind": "tap", "x": 540, "y": 1800}
	pages := map[string]page{
		"amount on the button":   changed(func(p *page) { p.text = "Pay 1200.00" }),
		"currency":               changed(func(p *page) { p.message = "12.00 USD to Anna" }),
		"amount in the dialog":   changed(func(p *page) { p.message = "1200.00 EUR to Anna" }),
		"recipient":              changed(func(p *page) { p.title, p.message = "Pay Mallory?", "12.00 EUR to Mallory" }),
		"title alone":            changed(func(p *page) { p.title = "Pay Mallory?" }),
		"another app":            changed(func(p *page) { p.pkg = "com.example.other" }),
		"an app that looks like": changed(func(p *page) { p.pkg = "com.example.bank.x" }),
		"another control":        changed(func(p *page) { p.id = "com.example.bank:id/pay_all" }),
		"a harmless label":       changed(func(p *page) { p.text = "Cancel" }),
		"disabled":               changed(func(p *page) { p.disabled = true }),
		"gone":                   changed(func(p *page) { p.gone = true }),
		"moved away":             changed(func(p *page) { p.y = 900 }),
		"look-alike letters":     changed(func(p *page) { p.message = "12.00 EUR to Аnna" }),
	}
	redeemed := func(body map[string]any) string {
		q := s.answered(s.agent, map[string]any{"action": action, "screen": was.screen()}, true)
		v := s.agent.redeem(q.ID, body)
		if got := released(v); got != "" {
			s.agent.report(q.ID)
			return got
		}
		// Where nothing could be compared the answer is still there: it is taken back.
		_, err := s.d.Desk().Revoke(t.Context(), q.ID, "owner", "terminal", "")
		if s.agent.state(q.ID).Approval.State == "approved" {
			return fmt.Sprintf("an answer that was taken back is there: %v", err)
		}
		return ""
	}
	with := func(more map[string]any) map[string]any {
		body := map[string]any{"screen": was.screen()}
		maps.Copy(body, more)
		return body
	}
	ways := []way{{"none: the same screen is released", func() string {
		if redeemed(with(nil)) == "" {
			return "the same screen is not released, so that nothing is tried"
		}
		return ""
	}}}
	for name, p := range pages {
		ways = append(ways, way{name, func() string { return redeemed(map[string]any{"screen": p.screen()}) }})
	}
	ways = append(ways, way{"the argument of a tool", func() string {
		call := func(text string) map[string]any {
			return map[string]any{"action": map[string]any{"kind": "tool", "tool": "transfer", "text": text}}
		}
		q := s.answered(s.agent, call("1 EUR to Anna"), true)
		return released(s.agent.redeem(q.ID, call("1000 EUR to Mallory")))
	}})
	for name, body := range map[string]map[string]any{
		"another kind of action":  with(map[string]any{"action": map[string]any{"kind": "long_press", "x": 540, "y": 1800}}),
		"typing instead":          with(map[string]any{"action": map[string]any{"kind": "type", "text": "1200.00"}}),
		"a shell line instead":    with(map[string]any{"action": map[string]any{"kind": "shell", "shell": "pm clear com.example.bank"}}),
		"another place":           with(map[string]any{"action": map[string]any{"kind": "tap", "x": 540, "y": 250}}),
		"no tree, a fitting word": {"target": map[string]any{"text": "Pay 12.00"}, "screen": map[string]any{"package": was.pkg}},
		"no look at all":          {},
		"an empty screen":         {"screen": map[string]any{}},
		"a broken tree":           {"screen": map[string]any{"package": was.pkg, "tree": was.tree()[:200]}},
	} {
		ways = append(ways, way{name, func() string { return redeemed(body) }})
	}
	return ways
}

func lateReleases(t *testing.T) []way {
	s := besiege(t, func(o *daemon.Options) { o.AnswerWithin, o.UseWithin = time.Minute, time.Minute })
	n := 0
	after := func(yes bool, what func(approval.Approval)) func() string {
		return func() string {
			n++
			text := fmt.Sprintf("Pay %d.00", n)
			q := s.asked(s.agent, tap("com.example.bank", text))
			if yes {
				s.yes(q.ID, q.Digest)
			}
			what(q)
			return released(s.agent.redeem(q.ID, fresh("com.example.bank", text)))
		}
	}
	owner := func(what string) func(approval.Approval) {
		return func(q approval.Approval) {
			h := s.send(wire{atInbox, "POST", what, []string{bearer(s.approver), "Content-Type: application/json"}, "{}"})
			if h.status != 200 {
				t.Errorf("%s: %s", what, h.raw)
			}
		}
	}
	frozen := after(true, owner("/v1/freeze"))
	unfreeze := owner("/v1/unfreeze")
	return []way{
		{"denied", after(false, func(q approval.Approval) { s.deny(q.ID) })},
		{"not answered in time", after(false, func(approval.Approval) { s.clock.shift(61 * time.Second) })},
		{"answered too late", after(false, func(q approval.Approval) {
			s.clock.shift(61 * time.Second)
			_, _ = s.owner.Approve(t.Context(), q.ID, q.Digest, "") // a conflict
		})},
		{"not used in time", after(true, func(approval.Approval) { s.clock.shift(61 * time.Second) })},
		{"revoked", after(true, func(q approval.Approval) { owner("/v1/approvals/" + q.ID + "/revoke")(q) })},
		{"revoked before the answer", after(false, func(q approval.Approval) {
			owner("/v1/approvals/" + q.ID + "/revoke")(q)
			_, _ = s.owner.Approve(t.Context(), q.ID, q.Digest, "") // a conflict
		})},
		{"withdrawn", after(true, func(q approval.Approval) { s.agent.call("DELETE", "/v1/actions/"+q.ID, nil) })},
		{"withdrawn before the answer", after(false, func(q approval.Approval) {
			s.agent.call("DELETE", "/v1/actions/"+q.ID, nil)
			_, _ = s.owner.Approve(t.Context(), q.ID, q.Digest, "") // a conflict
		})},
		{"frozen", func() string {
			defer unfreeze(approval.Approval{})
			return frozen()
		}},
		{"frozen, then let go on", after(true, func(q approval.Approval) {
			owner("/v1/freeze")(q)
			unfreeze(q)
		})},
	}
}
