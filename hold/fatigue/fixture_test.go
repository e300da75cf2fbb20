package fatigue_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/hold/fatigue"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// office is a desk on a store in memory with a clock of its own.
type office struct {
	t     *testing.T
	ctx   context.Context
	at    time.Time
	store *sqlite.Store
	desk  *hold.Desk
}

var monday = time.Date(2026, 10, 5, 9, 0, 0, 0, time.UTC)

func openOffice(t *testing.T, change ...func(*hold.Options)) *office {
	t.Helper()
	private, _, err := ledger.GenerateKey("countersign")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ledger.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t, ctx: context.Background(), at: monday}
	if o.store, err = sqlite.Open(o.ctx, sqlite.Memory, sqlite.Options{Signer: signer}); err != nil {
		t.Fatal(err)
	}
	options := hold.Options{
		Store: o.store, Decider: deciderOf(t, defaultPolicy), Now: func() time.Time { return o.at }, Somebody: func(context.Context) bool { return true },
	}
	for _, ch := range change {
		ch(&options)
	}
	if o.desk, err = hold.New(o.ctx, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		o.desk.Close()
		if err := o.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

const defaultPolicy = "version: 1\nextends: default\n"

func deciderOf(t *testing.T, text string) *decide.Decider {
	t.Helper()
	p, err := policy.Parse("test", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return &decide.Decider{Policy: p, Catalog: catalog.Default(), Key: []byte("0123456789abcdef0123456789abcdef")}
}

func (o *office) wait(d time.Duration) { o.at = o.at.Add(d) }

// propose puts an action to the desk; what an earlier refusal would decide is
// over by then.
func (o *office) propose(agent string, req *decide.Request) hold.Ticket {
	o.t.Helper()
	ticket, err := o.desk.Propose(o.ctx, hold.Proposal{Agent: agent, AgentName: "the " + agent, Request: req})
	if err != nil {
		o.t.Fatalf("propose: %v", err)
	}
	return ticket
}

// asked proposes what has to be asked about.
func (o *office) asked(agent string, req *decide.Request) hold.Ticket {
	o.t.Helper()
	ticket := o.propose(agent, req)
	if ticket.Outcome != risk.Confirm || ticket.Approval == nil {
		o.t.Fatalf("it is not asked about: %v %s", ticket.Outcome, ticket.Message)
	}
	return ticket
}

// yes approves and carries out; grant may be nil.
func (o *office) yes(agent string, ticket hold.Ticket, req *decide.Request, change ...func(*hold.Answer)) {
	o.t.Helper()
	o.answer(ticket, true, change...)
	if _, err := o.desk.Begin(o.ctx, agent, ticket.ID, req); err != nil {
		o.t.Fatalf("begin: %v", err)
	}
	if _, err := o.desk.Finish(o.ctx, agent, ticket.ID, hold.Result{OK: true}); err != nil {
		o.t.Fatalf("finish: %v", err)
	}
}

func (o *office) answer(ticket hold.Ticket, yes bool, change ...func(*hold.Answer)) {
	o.t.Helper()
	an := hold.Answer{ID: ticket.ID, Digest: ticket.Digest, Yes: yes, By: "Anna", How: "terminal"}
	for _, ch := range change {
		ch(&an)
	}
	if _, err := o.desk.Answer(o.ctx, an); err != nil {
		o.t.Fatalf("answer: %v", err)
	}
}

// approve proposes something so many times, so far apart, and always says yes.
func (o *office) approve(times int, apart time.Duration, agent string, req func(i int) *decide.Request) {
	o.t.Helper()
	for i := range times {
		r := req(i)
		ticket := o.asked(agent, r)
		o.wait(time.Second)
		o.yes(agent, ticket, r)
		o.wait(apart)
	}
}

// refuse proposes something and says no; the refusal is no longer remembered
// afterwards.
func (o *office) refuse(agent string, req *decide.Request) {
	o.t.Helper()
	o.answer(o.asked(agent, req), false)
	o.wait(11 * time.Minute)
}

func (o *office) measure(change ...func(*fatigue.Options)) *fatigue.Report {
	o.t.Helper()
	var options fatigue.Options
	for _, ch := range change {
		ch(&options)
	}
	report, err := fatigue.Measure(o.ctx, o.store, options)
	if err != nil {
		o.t.Fatal(err)
	}
	return report
}

// only is the one habit that there is.
func (o *office) only() *fatigue.Habit {
	o.t.Helper()
	report := o.measure()
	if len(report.Habits) != 1 {
		o.t.Fatalf("%d habits: %+v", len(report.Habits), report.Habits)
	}
	return &report.Habits[0]
}

// chat is a conversation in WhatsApp with a draft and the button that sends it.
func chat(with, draft string) *decide.Request {
	node := func(class, id, text, desc, bounds, more string) string {
		return fmt.Sprintf(`<node class="android.widget.%s" package="com.whatsapp" resource-id="com.whatsapp:id/%s" text="%s" content-desc="%s" bounds="%s" enabled="true" %s />`, class, id, text, desc, bounds, more)
	}
	tree := `<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]" enabled="true">` +
		node("TextView", "conversation_contact_name", with, "", "[160,100][800,180]", "") +
		node("EditText", "entry", draft, "", "[40,2200][900,2360]", `clickable="true" focusable="true" focused="true"`) +
		node("ImageButton", "send", "", "Send", "[920,2200][1060,2360]", `clickable="true"`) +
		`</node></hierarchy>`
	x, y := 990, 2280
	return &decide.Request{
		Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y}, Device: "phone", Task: "answer the messages of the day",
		Screen: &decide.Screen{Package: "com.whatsapp", Tree: tree, Width: 1080, Height: 2400, Observed: true},
	}
}

// press is a tap on a button as an agent describes it.
func press(pkg, label string) *decide.Request {
	return &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Device: "phone", Screen: &decide.Screen{Package: pkg}, Target: &decide.Target{Text: label},
	}
}

// drop asks to delete a list that is named in the dialog.
func drop(list string) *decide.Request {
	req := press("com.example.notes", "Delete")
	req.Target.DialogMessage = "Delete “" + list + "”?"
	return req
}

// doubted is an action that the agent's own model asks a person about.
func doubted(req *decide.Request) *decide.Request {
	req.LLM = decide.LLM{RequiresConfirmation: true, Reason: "is this right?"}
	return req
}
