package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/risk"
)

// past is a record in memory, a row a step.
type past struct {
	rows []Row
	at   time.Time
	made int
}

func newPast() *past { return &past{at: noon} }

func (p *past) row(kind Kind, subject string, body any) {
	doc, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	p.rows = append(p.rows, Row{Seq: int64(len(p.rows)) + 1, At: p.at, Kind: kind, Subject: subject, Body: doc})
}

func (p *past) wait(d time.Duration) { p.at = p.at.Add(d) }

// act records an action that nobody is asked about.
func (p *past) act(change ...func(*Decision)) string {
	p.made++
	id := fmt.Sprintf("a_%d", p.made)
	d := Decision{Outcome: risk.Allow, Category: risk.None, App: App{Package: "com.example.chat"}, Agent: "agt_one", Session: "s1"}
	for _, ch := range change {
		ch(&d)
	}
	p.row(KindDecision, id, d)
	return id
}

// ask records a question.
func (p *past) ask(change ...func(*Decision)) string {
	id := fmt.Sprintf("a_%d", p.made+1)
	asks := func(d *Decision) {
		d.Outcome, d.Category, d.Source, d.Approval = risk.Confirm, risk.Message, risk.KeywordGuard, id
	}
	p.act(append([]func(*Decision){asks}, change...)...)
	p.move(id, "none", "pending")
	return id
}

func (p *past) move(id, from, to string) {
	p.row(KindTransition, id, Transition{Approval: id, From: from, To: to})
}

// join records that a question's action was proposed again.
func (p *past) join(id string) {
	p.row(KindDecision, id, Decision{Outcome: risk.Confirm, Category: risk.Message, Approval: id, App: App{Package: "com.example.chat"}, Agent: "agt_one"})
}

func (p *past) label(id, should string) { p.row(KindLabel, id, Label{By: "Anna", Should: should}) }

// about are the rows about an action.
func (p *past) about(id string) ([]Row, error) {
	var out []Row
	for _, r := range p.rows {
		if r.Subject == id {
			out = append(out, r)
		}
	}
	return out, nil
}

// stats counts the rows from one on; every card has so many words.
func (p *past) stats(t interface{ Fatal(...any) }, from, words int) Stats {
	s := Statistician{Words: func(string) (int, error) { return words, nil }, About: p.about}
	for _, r := range p.rows[from:] {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	return s.Stats()
}

func TestStatsOfADay(t *testing.T) {
	p := newPast()
	for range 6 {
		p.act()
	}
	bank := func(d *Decision) {
		d.App.Package, d.Category, d.Agent, d.Session = "com.example.bank", risk.Money, "agt_two", ""
	}
	p.act(bank, func(d *Decision) { d.Task = "pay the rent" })
	p.act(func(d *Decision) { d.Session = "" })

	quick := p.ask()
	p.join(quick)
	p.wait(2 * time.Second) // 12 words take 3
	p.move(quick, "pending", "approved")
	p.join(quick)
	p.move(quick, "approved", "releasing")
	p.move(quick, "releasing", "released")
	p.act(func(d *Decision) { d.Approval, d.DecidedBy, d.Category = quick, "linked_approval", risk.Message })
	p.act(func(d *Decision) { d.Approval, d.Grant, d.Category = quick, "g_1", risk.Message })

	slow := p.ask(bank, func(d *Decision) { d.Task = "pay the rent" })
	p.wait(10 * time.Second)
	p.move(slow, "pending", "denied")
	unused := p.ask()
	p.wait(4 * time.Second)
	p.move(unused, "pending", "approved")
	p.move(unused, "approved", "expired")
	late, gone, froze := p.ask(), p.ask(), p.ask()
	p.wait(time.Hour)
	p.move(late, "pending", "expired")
	p.move(gone, "pending", "cancelled")
	p.move(froze, "pending", "revoked")
	p.act(func(d *Decision) {
		d.Outcome, d.Category, d.Approval = risk.Confirm, risk.Call, fmt.Sprintf("a_%d", p.made)
	})
	p.move(fmt.Sprintf("a_%d", p.made), "none", "no_channel")
	p.ask()
	observed := p.act(func(d *Decision) { d.Outcome, d.Observe, d.Category = risk.Confirm, true, risk.Publish })
	p.row(KindDecision, "a_x", json.RawMessage(`{"outcome": 7}`))

	p.label("a_1", "confirm")
	p.label(quick, "allow")
	p.label(slow, "allow")
	p.label(slow, "confirm") // taken back
	p.label(observed, "allow")
	p.label("a_nothing", "allow")

	got := p.stats(t, 0, 12)
	want := Asking{
		Actions: 19, Asked: 8, WouldAsk: 1, Tasks: 2, AskedInTasks: 8,
		Joined: 2, Linked: 1, Granted: 1,
		Approved: 2, Denied: 1, Expired: 1, Withdrawn: 2, Nobody: 1, Open: 1,
		Hasty: 1, Median: Millis(4 * time.Second), P90: Millis(9984 * time.Millisecond),
		Needless: 2, Missed: 1,
		AskedPer100: 900.0 / 19, AskedPerTask: 4,
		Shares: Shares{
			Approved: 2.0 / 8, Denied: 1.0 / 8, Expired: 1.0 / 8, Withdrawn: 2.0 / 8, Nobody: 1.0 / 8, Hasty: 1.0 / 3,
			Joined: 2.0 / 12, Linked: 1.0 / 12, Granted: 1.0 / 12, Needless: 2.0 / 9, Missed: 1.0 / 10,
		},
	}
	if got.All != want {
		t.Errorf("all:\n%+v, want\n%+v", got.All, want)
	}
	if got.TasksBySession != 1 || got.TasksByText != 1 || got.NoTask != 1 || got.Unread != 1 {
		t.Errorf("tasks by session %d and text %d, %d without, %d rows not read", got.TasksBySession, got.TasksByText, got.NoTask, got.Unread)
	}
	if len(got.Categories) != 5 || got.Categories[0].Name != "message" || len(got.Apps) != 2 || len(got.Sources) != 2 || len(got.Agents) != 2 {
		t.Errorf("groups %v %v %v %v", got.Categories, got.Apps, got.Sources, got.Agents)
	}
	app := got.Apps[1]
	if app.Name != "com.example.bank" || app.Actions != 2 || app.Asked != 1 || app.Denied != 1 || app.Hasty != 0 || app.Tasks != 1 || app.AskedPerTask != 1 {
		t.Errorf("the bank: %+v", app)
	}
	if !got.From.Equal(noon) || !got.To.Equal(p.at) {
		t.Errorf("from %v to %v", got.From, got.To)
	}
}

// What was asked before the first row does not count, nor does its answer.
func TestStatsBeginInTheMiddle(t *testing.T) {
	p := newPast()
	old := p.ask()
	begin := len(p.rows)
	p.join(old)
	p.move(old, "pending", "approved")
	p.join(old)
	p.label(old, "allow")
	fresh := p.ask()
	p.move(fresh, "pending", "denied")
	got := p.stats(t, begin, 1).All
	if got.Actions != 1 || got.Asked != 1 || got.Approved != 0 || got.Denied != 1 || got.Joined != 2 || got.Needless != 0 {
		t.Errorf("%+v", got)
	}
}

func TestStatsNeedWhatTheyAskFor(t *testing.T) {
	p := newPast()
	id := p.ask()
	p.move(id, "pending", "approved")
	p.label(id, "allow")
	var plain Statistician
	cause := errors.New("cannot be read")
	cards := Statistician{Words: func(string) (int, error) { return 0, cause }}
	labels := Statistician{About: func(string) ([]Row, error) { return nil, cause }}
	failed := 0
	for _, r := range p.rows {
		if err := plain.Add(r); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Statistician{&cards, &labels} {
			if err := s.Add(r); err != nil {
				failed++
				if !errors.Is(err, cause) {
					t.Error(err)
				}
			}
		}
	}
	if got := plain.Stats().All; failed != 2 || got.Hasty != 0 || got.Needless != 0 || got.Approved != 1 {
		t.Errorf("%d failed; %+v", failed, got)
	}
}

// Every name comes from outside, so there may be any number of them.
func TestStatsKeepSoManyGroups(t *testing.T) {
	p := newPast()
	for i := range MaxGroups + 50 {
		p.act(func(d *Decision) { d.App.Package = fmt.Sprintf("com.example.n%d", i) })
	}
	got := p.stats(t, 0, 1)
	if len(got.Apps) != MaxGroups+1 || got.Apps[0].Name != OtherGroups || got.Apps[0].Actions != 50 || got.All.Actions != MaxGroups+50 {
		t.Errorf("%d groups, the first %+v", len(got.Apps), got.Apps[0])
	}
}

// Whatever happens, the ends of the questions add up, and the groups of each sort
// add up to the whole.
func TestStatsAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newPast()
		open := map[string]string{}
		steps := rapid.IntRange(0, 60).Draw(rt, "steps")
		for range steps {
			p.wait(time.Duration(rapid.IntRange(0, 5000).Draw(rt, "ms")) * time.Millisecond)
			change := func(d *Decision) {
				d.App.Package = rapid.SampledFrom([]string{"com.a", "com.b", ""}).Draw(rt, "app")
				d.Agent = rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "agent")
				d.Session = rapid.SampledFrom([]string{"", "s", "t"}).Draw(rt, "session")
			}
			var ids []string
			for id := range open {
				ids = append(ids, id)
			}
			slices.Sort(ids)
			switch n := rapid.IntRange(0, 5).Draw(rt, "step"); {
			case n == 0:
				p.act(change)
			case n == 1 || len(ids) == 0:
				open[p.ask(change)] = "pending"
			case n == 2:
				p.join(rapid.SampledFrom(ids).Draw(rt, "joined"))
			default:
				id := rapid.SampledFrom(ids).Draw(rt, "moved")
				to := rapid.SampledFrom([]string{"approved", "denied", "expired", "cancelled", "no_channel"}).Draw(rt, "to")
				p.move(id, open[id], to)
				if delete(open, id); to == "approved" {
					open[id] = to
				}
			}
		}
		s := p.stats(rt, rapid.IntRange(0, len(p.rows)).Draw(rt, "from"), rapid.IntRange(0, 30).Draw(rt, "words"))
		for _, groups := range [][]AskingGroup{{{Asking: s.All}}, s.Categories, s.Apps, s.Sources, s.Agents} {
			var sum Asking
			for _, g := range groups {
				if ends := g.Approved + g.Denied + g.Expired + g.Withdrawn + g.Nobody + g.Open; ends != g.Asked || g.Open < 0 || g.Hasty > g.Answered() {
					rt.Fatalf("%d ends of %d questions: %+v", ends, g.Asked, g)
				}
				if g.Median > g.P90 || g.AskedInTasks > g.Asked || g.Tasks > g.Actions {
					rt.Fatalf("%+v", g)
				}
				sum.Actions, sum.Asked, sum.Joined, sum.Hasty = sum.Actions+g.Actions, sum.Asked+g.Asked, sum.Joined+g.Joined, sum.Hasty+g.Hasty
				sum.Approved, sum.Denied, sum.Open = sum.Approved+g.Approved, sum.Denied+g.Denied, sum.Open+g.Open
			}
			all := Asking{Actions: s.All.Actions, Asked: s.All.Asked, Joined: s.All.Joined, Hasty: s.All.Hasty, Approved: s.All.Approved, Denied: s.All.Denied, Open: s.All.Open}
			if sum != all {
				rt.Fatalf("the groups add up to %+v, not to %+v", sum, all)
			}
		}
	})
}

// Quantiles are at most one part in 64 below the true ones.
func TestQuantiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := rapid.SliceOfN(rapid.Int64Range(0, 48*3600*1000), 1, 50).Draw(rt, "ms")
		var s spans
		for _, ms := range all {
			s.add(time.Duration(ms) * time.Millisecond)
		}
		slices.Sort(all)
		for _, q := range []float64{0.01, 0.5, 0.9, 1} {
			exact, got := all[int(math.Ceil(q*float64(len(all))))-1], s.quantile(q).Milliseconds()
			if got > exact || exact-got > exact/64 || exact < 128 && got != exact {
				rt.Fatalf("quantile %v is %d ms, exactly %d", q, got, exact)
			}
		}
	})
	if (&spans{}).quantile(0.5) != 0 {
		t.Error("there is a median of nothing")
	}
}

func TestDistinctIsExactOrCloseToIt(t *testing.T) {
	tested := 0
	for _, n := range []int{0, 1, 999, 5000, 40000} {
		var d distinct
		for range 2 {
			for i := range n {
				d.add(tasksOf(&Decision{Agent: "a", Task: fmt.Sprint(i)}).hash)
			}
		}
		tested++
		if got := d.count(); n < keptHashes && got != int64(n) || math.Abs(float64(got)-float64(n)) > 0.1*float64(n) {
			t.Errorf("%d different tasks are counted as %d", n, got)
		}
		if len(d.smallest) > keptHashes {
			t.Errorf("%d hashes are kept", len(d.smallest))
		}
	}
	if tested != 5 {
		t.Errorf("%d numbers", tested)
	}
}

func TestTasksAreToldApart(t *testing.T) {
	names := []Decision{
		{Agent: "a", Session: "s"}, {Agent: "b", Session: "s"}, {Agent: "a", Session: "t"}, {Agent: "a", Task: "s"}, {Agent: "a", Task: "t"}, {Agent: "as", Task: "t"},
	}
	seen := map[uint64]bool{}
	for i := range names {
		seen[tasksOf(&names[i]).hash] = true
	}
	if len(seen) != 6 || tasksOf(&Decision{Agent: "a"}).named {
		t.Errorf("%d tasks of 6", len(seen))
	}
	if same := tasksOf(&Decision{Agent: "a", Session: "s", Task: "anything"}); same != tasksOf(&names[0]) || !same.bySession {
		t.Error("the text counts although there is a session")
	}
}

func TestReadingTime(t *testing.T) {
	table := []struct {
		text  string
		words int
		takes time.Duration
	}{
		{"", 0, 1500 * time.Millisecond}, {"Send", 1, 1500 * time.Millisecond}, {"Sends a message to Anna, in WhatsApp.", 7, 1750 * time.Millisecond},
		{"don't — stop", 2, 1500 * time.Millisecond}, {"com.example:id/send_now 12.50 EUR", 8, 2 * time.Second}, {"删除这个聊天吗", 4, 1500 * time.Millisecond},
		{"می\u200cخواهم بروم", 2, 1500 * time.Millisecond}, {"नमस्ते दुनिया", 2, 1500 * time.Millisecond}, {"\x00\u202e   \n", 0, 1500 * time.Millisecond},
	}
	for _, c := range table {
		if n := CountWords(c.text); n != c.words || ReadingTime(n) != c.takes {
			t.Errorf("%q has %d words and takes %v, want %d and %v", c.text, n, ReadingTime(n), c.words, c.takes)
		}
	}
	if len(table) != 9 {
		t.Errorf("%d texts", len(table))
	}
}
