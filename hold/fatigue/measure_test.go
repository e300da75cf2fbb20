package fatigue_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/hold/fatigue"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

func TestMeasure(t *testing.T) {
	o := openOffice(t)
	o.propose("pocket", press("com.whatsapp", "Chats"))
	quick, slow := toAnna(1), toAnna(2)
	ticket := o.asked("pocket", quick)
	o.propose("pocket", quick) // joins
	o.wait(time.Second)
	o.yes("pocket", ticket, quick)
	o.wait(time.Minute)
	since := o.at
	ticket = o.asked("pocket", slow)
	o.wait(time.Minute)
	o.yes("pocket", ticket, slow, func(an *hold.Answer) { an.Grant = &approval.GrantTerms{Count: 1, For: time.Hour} })
	o.wait(time.Minute)
	if granted := o.propose("pocket", toAnna(3)); granted.Outcome != risk.Allow {
		t.Fatalf("the grant: %v", granted.Outcome)
	}

	all := o.measure().All
	if all.Actions != 4 || all.Asked != 2 || all.Approved != 2 || all.Hasty != 1 || all.Joined != 1 || all.Granted != 1 || all.Tasks != 1 || all.AskedInTasks != 2 {
		t.Errorf("all: %+v", all)
	}
	later := o.measure(func(m *fatigue.Options) { m.Since = since })
	if later.All.Actions != 2 || later.All.Asked != 1 || later.All.Hasty != 0 || later.All.Joined != 0 || later.Cut || later.From.Before(since) {
		t.Errorf("since then: %+v", later)
	}
	read := 0
	newest := o.measure(func(m *fatigue.Options) { m.Newest = 3; m.Progress = func(n int) { read = n } })
	if !newest.Cut || newest.Rows != 3 || read != 3 || newest.All.Actions != 1 {
		t.Errorf("the newest three rows: %+v, progress %d", newest, read)
	}
	if never := o.measure(func(m *fatigue.Options) { m.Since = o.at.Add(time.Hour) }); never.Rows != 0 || never.All != (ledger.Asking{}) || never.Habits == nil && len(never.Habits) != 0 {
		t.Errorf("from the future: %+v", never)
	}
}

// The kinds that come often are kept, however many come once.
func TestManyKindsDoNotDriveOutTheOftenOnes(t *testing.T) {
	src := &madeUp{}
	const others = 9000
	for i := range others {
		src.approve(fmt.Sprintf("somebody %d", i))
		if i%300 == 299 {
			src.approve("Anna")
		}
	}
	report, err := fatigue.Measure(context.Background(), src, fatigue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Habits) != 1 || report.Habits[0].Recipient != "Anna" || report.Habits[0].Approved != others/300 {
		t.Errorf("%d habits: %+v", len(report.Habits), report.Habits)
	}
}

// madeUp is a record of answers that no desk has held.
type madeUp struct {
	rows      []ledger.Row
	questions map[string]approval.Approval
	broken    error
}

func (m *madeUp) approve(recipient string) {
	id := fmt.Sprintf("a_%d", len(m.rows))
	at := monday.Add(time.Duration(len(m.rows)) * time.Second)
	if m.questions == nil {
		m.questions = map[string]approval.Approval{}
	}
	m.questions[id] = approval.Approval{
		ID: id, State: approval.Released, Agent: "pocket", AgentName: "pocket", Device: "phone", Similar: "s", AnsweredAt: at,
		Card: approval.Card{Category: risk.Message, Package: "com.example.chat", Action: "tap", Label: "Send", Rule: "table HIGH.message", Facts: risk.Facts{Recipient: recipient}},
	}
	body := fmt.Appendf(nil, `{"approval":%q,"from":"pending","to":"approved"}`, id)
	m.rows = append(m.rows, ledger.Row{Seq: int64(len(m.rows)) + 1, At: at, Kind: ledger.KindTransition, Subject: id, Body: body})
}

func (m *madeUp) Head(context.Context) (ledger.Head, error) {
	return ledger.Head{Size: int64(len(m.rows))}, nil
}

func (m *madeUp) Rows(_ context.Context, after int64, limit int) ([]ledger.Row, error) {
	return m.rows[after:min(int(after)+limit, len(m.rows))], m.broken
}

func (m *madeUp) About(context.Context, string) ([]ledger.Row, error) { return nil, nil }

func (m *madeUp) Approval(_ context.Context, id string) (approval.Approval, error) {
	a, ok := m.questions[id]
	if !ok {
		return a, hold.ErrNotFound
	}
	return a, nil
}

func (m *madeUp) Approvals(context.Context, hold.Query) ([]approval.Approval, error) { return nil, nil }

// What is on record of questions that the store no longer has is counted, and
// nothing is made of it.
func TestQuestionsThatAreGone(t *testing.T) {
	src := &madeUp{}
	for range 30 {
		src.approve("Anna")
	}
	clear(src.questions)
	report, err := fatigue.Measure(context.Background(), src, fatigue.Options{})
	if err != nil || len(report.Habits) != 0 || report.Rows != 30 {
		t.Errorf("%+v, %v", report, err)
	}
	src.broken = errors.New("the disk is gone")
	if _, err := fatigue.Measure(context.Background(), src, fatigue.Options{Since: monday}); !errors.Is(err, src.broken) {
		t.Errorf("a record that cannot be read: %v", err)
	}
}

func TestWordsOfACard(t *testing.T) {
	card := approval.Card{
		Reason: "Sends a message in WhatsApp.", App: "WhatsApp", Label: "Send now", Wording: "Send now\nto Anna",
		Facts: risk.Facts{Recipient: "Anna Smith", Amount: &risk.Amount{Value: "12", Currency: "EUR"}, Text: "see you"}, Task: "answer Anna",
	}
	without := card
	without.Wording = ""
	if got := fatigue.Words(&card); got != 5+1+4+2+1+2+2 {
		t.Errorf("%d words", got)
	}
	if got := fatigue.Words(&without); got != 5+1+2+2+1+2+2 {
		t.Errorf("%d words without the wording", got)
	}
	if fatigue.Words(&approval.Card{}) != 0 {
		t.Error("an empty card has words")
	}
}

func TestAgentsAreNamed(t *testing.T) {
	var r fatigue.Report
	for _, id := range []string{"agt_1", "agt_2", "agt_3", "agt_4", ledger.OtherGroups} {
		r.Agents = append(r.Agents, ledger.AskingGroup{Name: id})
	}
	r.Habits = []fatigue.Habit{{Besides: fatigue.Besides{Examples: []fatigue.Example{{Agent: "agt_1"}}}}}
	r.NameAgents([]identity.Agent{{ID: "agt_1", Name: "pocket"}, {ID: "agt_2", Name: "desk"}, {ID: "agt_3", Name: "desk"}})
	var got []string
	for _, g := range r.Agents {
		got = append(got, g.ID+"="+g.Name)
	}
	if want := "[agt_1=pocket agt_2=desk (agt_2) agt_3=desk (agt_3) agt_4=agt_4 (others)=(others)]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if e := r.Habits[0].Besides.Examples[0]; e.AgentName != "pocket" || e.Agent != "agt_1" {
		t.Errorf("%+v", e)
	}
}

func TestFiguresInWords(t *testing.T) {
	table := []struct{ got, want string }{
		{fatigue.Span(time.Minute), "1 minute"}, {fatigue.Span(10 * time.Minute), "10 minutes"}, {fatigue.Span(time.Hour), "1 hour"},
		{fatigue.Span(90 * time.Minute), "90 minutes"}, {fatigue.Span(24 * time.Hour), "24 hours"},
		{fatigue.Took(0), "0.0 s"}, {fatigue.Took(ledger.Millis(2940 * time.Millisecond)), "2.9 s"}, {fatigue.Took(ledger.Millis(19968 * time.Millisecond)), "20 s"},
		{fatigue.Took(ledger.Millis(10 * time.Minute)), "10 min"}, {fatigue.Took(ledger.Millis(5 * time.Hour)), "5 h"},
		{fatigue.Percent(0), ""}, {fatigue.Percent(0.004), "0.4 %"}, {fatigue.Percent(0.05), "5 %"}, {fatigue.Percent(0.0996), "10 %"},
		{fatigue.Percent(1.0 / 3), "33 %"}, {fatigue.Percent(1), "100 %"},
		{fatigue.List(nil), ""}, {fatigue.List([]fatigue.Share{{3, 0.75, "approved"}, {0, 0, "denied"}, {1, 0, "open"}}), "3 approved (75 %), 1 open"},
	}
	for _, c := range table {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if len(table) != 18 {
		t.Errorf("%d figures", len(table))
	}
}
