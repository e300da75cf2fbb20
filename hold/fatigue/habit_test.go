package fatigue_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/hold/fatigue"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
)

func toAnna(i int) *decide.Request { return chat("Anna", fmt.Sprintf("message number %d", i)) }

func TestAGrantIsProposed(t *testing.T) {
	o := openOffice(t)
	o.approve(24, 20*time.Minute, "pocket", toAnna)
	h := o.only()
	if h.Approved != 24 || h.Agent != "pocket" || h.AgentName != "the pocket" || h.Scope() != "sending to “Anna” in WhatsApp" || h.Line != nil || h.Why != "" {
		t.Fatalf("%+v", h)
	}
	if h.Grant == nil || h.Grant.Sentence() != "sending to “Anna” in WhatsApp, 11 times, for 4 hours" {
		t.Fatalf("%+v", h.Grant)
	}
	if h.Besides.Count != 0 || len(h.Besides.Examples) != 0 {
		t.Errorf("besides: %+v", h.Besides)
	}
}

// What a proposed grant would have spared is what it spares when a person gives
// it: with the first question, and anew with each that is still asked.
func TestAProposedGrantSparesWhatItSays(t *testing.T) {
	paces := []time.Duration{10 * time.Second, 9 * time.Minute, 50 * time.Minute, 11 * time.Hour}
	for _, apart := range paces {
		const times = 25
		o := openOffice(t)
		o.approve(times, apart, "pocket", toAnna)
		g := o.only().Grant
		if g == nil {
			t.Errorf("nothing is proposed for one every %v", apart)
			continue
		}
		again, given, spared := openOffice(t), 0, 0
		for i := range times {
			req := toAnna(i)
			ticket := again.propose("pocket", req)
			again.wait(time.Second)
			if ticket.Outcome == risk.Allow {
				spared++
			} else {
				given++
				again.yes("pocket", ticket, req, func(an *hold.Answer) { an.Grant = &approval.GrantTerms{Count: g.Count, For: g.For} })
			}
			again.wait(apart)
		}
		if spared != g.Spared || g.Of != times || given < g.Given || given-g.Given > 1 { // the last may have been given for nothing
			t.Errorf("one every %v: %+v; it spares %d and is given %d times", apart, g, spared, given)
		}
	}
	if len(paces) != 4 {
		t.Errorf("%d paces", len(paces))
	}
}

func TestALineIsProposedWhereNoGrantReaches(t *testing.T) {
	o := openOffice(t)
	post := func(int) *decide.Request { return press("com.example.board", "Post") }
	o.approve(21, time.Minute, "pocket", post)
	o.approve(2, time.Minute, "desktop", post)                                                                  // another kind
	o.approve(1, time.Minute, "pocket", func(int) *decide.Request { return press("com.example.wall", "Post") }) // another app
	o.approve(1, time.Minute, "pocket", func(int) *decide.Request { return press("com.example.board", "Delete account") })
	o.asked("desktop", post(0))
	o.wait(time.Hour)
	o.asked("desktop", post(0))                                         // the first one is over by then
	o.asked("desktop", doubted(press("com.example.board", "Post all"))) // no line overrules the model
	h := o.only()
	if h.Grant != nil || h.Line == nil || h.Line.Spared != 21 || h.Line.Of != 21 || h.Why != "" || h.Scope() != "publish in com.example.board" {
		t.Fatalf("%+v, line %+v", h, h.Line)
	}
	if want := "apps:\n  com.example.board:\n    table: { publish: allow }\n"; h.Line.YAML != want {
		t.Errorf("the line is %q, want %q", h.Line.YAML, want)
	}
	if h.Besides.Count != 4 || h.Besides.Refused != 0 || len(h.Besides.Examples) != 4 {
		t.Errorf("besides: %+v", h.Besides)
	}
	for i, want := range []string{"waits for an answer", "not answered in time", "approved", "approved"} {
		if e := h.Besides.Examples[i]; e.Became != want || e.Agent != "desktop" || e.Label != "Post" || e.Row == 0 || e.Action == "" {
			t.Errorf("example %d: %+v, want %s", i, e, want)
		}
	}
	o.checkLine(h)
}

// checkLine holds a line against the guard itself: with it every question of the
// record that was the habit's own goes ahead, so does exactly what is counted
// besides, and the policy says nothing else than before anywhere else.
func (o *office) checkLine(h *fatigue.Habit) {
	o.t.Helper()
	with := deciderOf(o.t, defaultPolicy+h.Line.YAML)
	rows, err := o.store.Rows(o.ctx, 0, 10000)
	if err != nil {
		o.t.Fatal(err)
	}
	own, besides := 0, 0
	for i := range rows {
		d, err := rows[i].Decision()
		if err != nil || d.Outcome == risk.Allow {
			continue
		}
		req, err := decide.ReadRequest(d.Features)
		if err != nil {
			o.t.Fatal(err)
		}
		if with.Decide(req).Outcome != risk.Allow {
			continue
		}
		a, err := o.store.Approval(o.ctx, d.ActionID)
		if err != nil {
			o.t.Fatal(err)
		}
		if d.Agent == h.Agent && d.Facts.Recipient == h.Recipient && d.Facts.Object == h.Object && a.State == approval.Released {
			own++
		} else {
			besides++
		}
	}
	if own != h.Line.Spared || besides != h.Besides.Count {
		o.t.Errorf("the line lets %d of its own and %d others pass, not %d and %d", own, besides, h.Line.Spared, h.Besides.Count)
	}
	without := deciderOf(o.t, defaultPolicy)
	changed := 0
	for _, pkg := range []string{h.Line.Package, h.Line.Package + ".x", "com.example", ""} {
		for _, c := range risk.Categories() {
			for _, tier := range []risk.Tier{risk.High, risk.Medium, risk.Low} {
				in := policy.Input{Tier: tier, Category: c, Package: pkg, Observed: true, Permanent: true}
				if with.Policy.Evaluate(in).Outcome != without.Policy.Evaluate(in).Outcome {
					changed++
					if pkg != h.Line.Package || c != h.Line.Category {
						o.t.Errorf("the line changes %s in %q", c, pkg)
					}
				}
			}
		}
	}
	if changed == 0 {
		o.t.Error("the line changes nothing")
	}
}

func TestWhatIsNeverProposed(t *testing.T) {
	pay := func(int) *decide.Request { return press("com.example.shop", "Pay now") }
	many := func(label, pkg string) func(*office) {
		return func(o *office) {
			o.approve(fatigue.Often, time.Minute, "pocket", func(int) *decide.Request { return press(pkg, label) })
		}
	}
	none := ""
	table := []struct {
		name   string
		past   func(*office)
		habits int
		why    string // of the one habit; empty for a proposal
	}{
		{"nothing happened", func(*office) {}, 0, none},
		{"critical", func(o *office) { o.approve(30, time.Minute, "pocket", pay) }, 0, none},
		{"one too few", func(o *office) { o.approve(fatigue.Often-1, time.Minute, "pocket", toAnna) }, 0, none},
		{"just enough", func(o *office) { o.approve(fatigue.Often, time.Minute, "pocket", toAnna) }, 1, none},
		{"refused once, at the beginning", func(o *office) { o.refuse("pocket", toAnna(99)); o.approve(30, time.Minute, "pocket", toAnna) }, 0, none},
		{"refused once, at the end", func(o *office) { o.approve(30, time.Minute, "pocket", toAnna); o.refuse("pocket", toAnna(99)) }, 0, none},
		{"another agent was refused", func(o *office) { o.approve(30, time.Minute, "pocket", toAnna); o.refuse("desktop", toAnna(99)) }, 1, none},
		{"another recipient was refused", func(o *office) {
			o.approve(30, time.Minute, "pocket", toAnna)
			o.refuse("pocket", chat("Bob", "hello"))
		}, 1, none},
		{"different recipients", func(o *office) {
			o.approve(40, time.Minute, "pocket", func(i int) *decide.Request { return chat(fmt.Sprintf("Anna %d", i), "hello") })
		}, 0, none},
		{"doubted", func(o *office) {
			o.approve(30, time.Minute, "pocket", func(i int) *decide.Request { return doubted(toAnna(i)) })
		}, 1, "the agent's own model"},
		{"doubted now and then", func(o *office) {
			o.approve(30, time.Minute, "pocket", func(i int) *decide.Request {
				if i%3 == 0 {
					return doubted(toAnna(i))
				}
				return toAnna(i)
			})
		}, 1, none},
		{"once a day, to a person", func(o *office) { o.approve(22, 25*time.Hour, "pocket", toAnna) }, 1, none}, // a line
		{"once a day, deleted", func(o *office) {
			o.approve(22, 25*time.Hour, "pocket", func(int) *decide.Request { return drop("Milk") })
		}, 1, "deleted for good"},
		{"deleted often", func(o *office) {
			o.approve(22, time.Minute, "pocket", func(int) *decide.Request { return drop("Milk") })
		}, 1, none},
		{"permissions", many("Allow access to contacts", "com.android.permissioncontroller"), 1, "opens the way to others"},
		{"installed", many("Install", "com.android.vending"), 1, "opens the way to others"},
		{"no app", many("Send", ""), 1, "no app is named"},
		{"no package", many("Send", "com.x: {message: allow}\n  com.y"), 1, "no name of a package"},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			o := openOffice(t)
			c.past(o)
			habits := o.measure().Habits
			if len(habits) != c.habits {
				t.Fatalf("%d habits, want %d: %+v", len(habits), c.habits, habits)
			}
			if c.habits == 0 {
				return
			}
			h := habits[0]
			if proposed := h.Grant != nil || h.Line != nil; proposed != (c.why == none) || !strings.Contains(h.Why, c.why) || h.Why != "" && c.why == none || h.Grant != nil && h.Line != nil {
				t.Errorf("grant %+v, line %+v, why %q; want why %q", h.Grant, h.Line, h.Why, c.why)
			}
			if strings.ContainsAny(h.Why, "\n\x1b") {
				t.Errorf("a name breaks the line: %q", h.Why)
			}
		})
	}
	if len(table) != 18 {
		t.Errorf("%d pasts", len(table))
	}
}

// A refusal from before the rows that are read counts too.
func TestAnOldRefusalCounts(t *testing.T) {
	o := openOffice(t)
	o.refuse("pocket", toAnna(0))
	o.wait(30 * 24 * time.Hour)
	since := o.at
	o.approve(25, time.Minute, "pocket", toAnna)
	report := o.measure(func(m *fatigue.Options) { m.Since = since })
	if report.All.Denied != 0 || report.All.Approved != 25 || len(report.Habits) != 0 {
		t.Errorf("%d denied, %d approved, habits %+v", report.All.Denied, report.All.Approved, report.Habits)
	}
}

// What would have let through something that a person refused is not proposed,
// and what was refused is shown first.
func TestALineThatSomebodyWouldHaveMindedIsNotProposed(t *testing.T) {
	o := openOffice(t)
	o.approve(25, time.Minute, "pocket", func(int) *decide.Request { return press("com.example.board", "Post") })
	for i := range 7 {
		o.refuse("desktop", press("com.example.board", fmt.Sprintf("Post number %d", i)))
	}
	o.approve(9, time.Minute, "desktop", func(i int) *decide.Request { return press("com.example.board", "Post") })
	h := o.only()
	if h.Line != nil || h.Grant != nil || !strings.Contains(h.Why, "a line of policy for publish in com.example.board would also have let pass what a person refused: 7 times") {
		t.Errorf("line %+v, why %q", h.Line, h.Why)
	}
	if h.Besides.Count != 16 || h.Besides.Refused != 7 || len(h.Besides.Examples) != 5 {
		t.Fatalf("besides: %+v", h.Besides)
	}
	for i, e := range h.Besides.Examples {
		if e.Became != "refused by a person" || e.Label != fmt.Sprintf("Post number %d", 6-i) {
			t.Errorf("example %d: %+v", i, e)
		}
	}
}

// In observe mode nobody was asked, and a line would have changed nothing; but it
// shows how far the line reaches.
func TestObservedActionsAreWeighed(t *testing.T) {
	o := openOffice(t)
	o.approve(20, time.Minute, "pocket", func(int) *decide.Request { return press("com.example.board", "Post") })
	watching, err := hold.New(o.ctx, hold.Options{Store: o.store, Decider: deciderOf(t, defaultPolicy), Observe: true, Now: func() time.Time { return o.at }})
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Close()
	for _, label := range []string{"Post", "Next page"} {
		if _, err := watching.Propose(o.ctx, hold.Proposal{Agent: "pocket", AgentName: "pocket", Request: press("com.example.board", label)}); err != nil {
			t.Fatal(err)
		}
	}
	h := o.only()
	if h.Line == nil || h.Besides.Count != 1 || h.Besides.Examples[0].Became != "not asked, in observe mode" {
		t.Errorf("line %+v, besides %+v", h.Line, h.Besides)
	}
}
