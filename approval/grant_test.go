package approval_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

// five is when the grants of these tests are given.
var five = time.Date(2026, 3, 4, 5, 0, 0, 0, time.UTC)

// asksToSend is a question about a message to Anna.
func asksToSend() approval.Approval {
	return approval.Approval{
		ID: "a_1", State: approval.Pending, Agent: "agt_1", AgentName: "robo", Device: "phone", Similar: "similar",
		Card: approval.Card{
			Action: "tap", Category: risk.Message, Package: "com.whatsapp", App: "WhatsApp", Tier: risk.Medium,
			Label: "Send", Role: risk.IconButton, ResourceID: "com.whatsapp:id/send", Wording: "Send",
			Facts:  risk.Facts{Object: "Trip", Recipient: "Anna", Text: "hello"},
			Source: risk.ContextAwareGuard, Rule: "MEDIUM/message", Observed: true,
		},
	}
}

// granted is the grant that comes with the yes to a question, on the usual terms.
func granted(t *testing.T, a approval.Approval) approval.Grant {
	t.Helper()
	g, ok := approval.GrantFor(&a)
	if !ok {
		t.Fatal("no grant may be given")
	}
	return g.Given("g_1", approval.UsualGrant(), five, "kim", "web")
}

// A grant covers what the question showed and nothing that is wider in any way.
func TestAGrantIsNeverWider(t *testing.T) {
	cases := []struct {
		name string
		then func(a *approval.Approval)
	}{
		{"another agent", func(a *approval.Approval) { a.Agent = "agt_2" }},
		{"no agent", func(a *approval.Approval) { a.Agent = "" }},
		{"another device", func(a *approval.Approval) { a.Device = "tablet" }},
		{"no device", func(a *approval.Approval) { a.Device = "" }},
		{"another category that may be granted", func(a *approval.Approval) { a.Card.Category = risk.Share }},
		{"another category", func(a *approval.Approval) { a.Card.Category = risk.Money }},
		{"a category nobody can see", func(a *approval.Approval) { a.Card.Category = risk.Unknown }},
		{"another app", func(a *approval.Approval) { a.Card.Package = "com.whatsappclone" }},
		{"an app below the same name", func(a *approval.Approval) { a.Card.Package = "com.whatsapp.w4b" }},
		{"no app", func(a *approval.Approval) { a.Card.Package = "" }},
		{"another recipient", func(a *approval.Approval) { a.Card.Facts.Recipient = "Bob" }},
		{"one more recipient", func(a *approval.Approval) { a.Card.Facts.Recipient = "Anna, Bob" }},
		{"a recipient in another letter case", func(a *approval.Approval) { a.Card.Facts.Recipient = "anna" }},
		{"a recipient that only looks the same", func(a *approval.Approval) { a.Card.Facts.Recipient = "Аnna" }},
		{"a recipient with something invisible", func(a *approval.Approval) { a.Card.Facts.Recipient = "Anna\u200b" }},
		{"no recipient", func(a *approval.Approval) { a.Card.Facts.Recipient = "" }},
		{"another object", func(a *approval.Approval) { a.Card.Facts.Object = "Office" }},
		{"an object that holds the first", func(a *approval.Approval) { a.Card.Facts.Object = "Trip and all others" }},
		{"no object", func(a *approval.Approval) { a.Card.Facts.Object = "" }},
		{"an amount", func(a *approval.Approval) { a.Card.Facts.Amount = &risk.Amount{Value: "1.00", Currency: "EUR"} }},
		{"for good", func(a *approval.Approval) { a.Card.Permanent = true }},
		{"critical", func(a *approval.Approval) { a.Card.Critical = true }},
		{"the model doubts", func(a *approval.Approval) { a.Card.Source = risk.Both }},
		{"only the model doubts", func(a *approval.Approval) { a.Card.Source = risk.LLMFlagged }},
		{"a secret was taken out", func(a *approval.Approval) { a.Card.Masked = true }},
		{"another button", func(a *approval.Approval) { a.Card.Label, a.Card.Wording = "Send to all", "Send to all" }},
		{"another label on it", func(a *approval.Approval) { a.Card.Wording = "Send\nto everybody" }},
		{"another id", func(a *approval.Approval) { a.Card.ResourceID = "com.whatsapp:id/send_all" }},
		{"another kind of control", func(a *approval.Approval) { a.Card.Role = risk.MenuItem }},
		{"a dialog that says more", func(a *approval.Approval) { a.Card.Wording = "Send\nSend 40 messages?" }},
		{"another way of acting", func(a *approval.Approval) { a.Card.Action = "long_press" }},
		{"a command", func(a *approval.Approval) { a.Card.Action, a.Card.Argument = "shell", "service call isms 7" }},
		{"an argument", func(a *approval.Approval) { a.Card.Argument = "ENTER" }},
		{"another rule of the policy", func(a *approval.Approval) { a.Card.Rule = "never-at-night" }},
		{"a stricter tier", func(a *approval.Approval) { a.Card.Tier = risk.High }},
		{"a screen that is the agent's word", func(a *approval.Approval) { a.Card.Observed = false }},
		{"a place where nothing can be seen", func(a *approval.Approval) { a.Card.Point = "at 10, 20" }},
	}
	if len(cases) != 37 {
		t.Errorf("%d cases, 37 were written", len(cases))
	}
	g := granted(t, asksToSend())
	for _, c := range cases {
		then := asksToSend()
		c.then(&then)
		if g.Covers(then.Agent, then.Device, &then.Card) {
			t.Errorf("%s is covered", c.name)
		}
	}
	same := asksToSend()
	if !g.Covers(same.Agent, same.Device, &same.Card) {
		t.Error("the same again is not covered, so the table shows nothing")
	}
	if (&approval.Grant{}).Covers("", "", &approval.Card{Category: risk.Message}) {
		t.Error("the zero value covers something")
	}
}

// What is no wider is covered, else nobody would be asked less.
func TestAGrantCoversTheNextOne(t *testing.T) {
	cases := []struct {
		name        string
		first, then func(a *approval.Approval)
	}{
		{"another text", nil, func(a *approval.Approval) { a.Card.Facts.Text = "see you at 7" }},
		{"no text", nil, func(a *approval.Approval) { a.Card.Facts.Text = "" }},
		{"a milder tier", nil, func(a *approval.Approval) { a.Card.Tier = risk.Low }},
		{"a screen that was looked at", func(a *approval.Approval) { a.Card.Observed = false }, func(a *approval.Approval) {}},
		{"not for good", func(a *approval.Approval) { a.Card.Permanent = true }, func(a *approval.Approval) {}},
		{"what the draft says in its field", inField("first"), inField("second")},
		{"another text that is typed", typed("first\n"), typed("second\n")},
		{"the same command", command("am start -a android.intent.action.CALL -d tel:110"), command("am start -a android.intent.action.CALL -d tel:110")},
		{"only an object", func(a *approval.Approval) { deletes(a, "Trip") }, func(a *approval.Approval) { deletes(a, "Trip") }},
	}
	if len(cases) != 9 {
		t.Errorf("%d cases, 9 were written", len(cases))
	}
	for _, c := range cases {
		first, then := asksToSend(), asksToSend()
		if c.first != nil {
			c.first(&first)
		}
		c.then(&then)
		if g := granted(t, first); !g.Covers(then.Agent, then.Device, &then.Card) {
			t.Errorf("%s is not covered", c.name)
		}
	}
}

func inField(draft string) func(*approval.Approval) {
	return func(a *approval.Approval) {
		a.Card.Action, a.Card.Argument, a.Card.Role, a.Card.Label, a.Card.Wording = "key", "ENTER", risk.TextField, draft, ""
		a.Card.Facts.Text = draft
	}
}

func typed(text string) func(*approval.Approval) {
	return func(a *approval.Approval) {
		inField(text)(a)
		a.Card.Action, a.Card.Argument = "type", text
	}
}

func command(line string) func(*approval.Approval) {
	return func(a *approval.Approval) {
		a.Card = approval.Card{
			Action: "shell", Argument: line, Category: risk.Call, Package: "com.android.dialer",
			Facts: risk.Facts{Object: "tel:110"}, Source: risk.ContextAwareGuard,
		}
	}
}

func deletes(a *approval.Approval, object string) {
	a.Card.Category, a.Card.Facts = risk.Delete, risk.Facts{Object: object}
}

// A text where the first had none is wider, and so is another text that is sent
// by the same command.
func TestAGrantCoversNoNewText(t *testing.T) {
	first := asksToSend()
	first.Card.Facts.Text = ""
	g, then := granted(t, first), asksToSend()
	if g.Covers(then.Agent, then.Device, &then.Card) {
		t.Error("a text where the first had none is covered")
	}
	call, other := asksToSend(), asksToSend()
	command("am start -a android.intent.action.CALL -d tel:110")(&call)
	command("am start -a android.intent.action.CALL -d tel:110; rm -r /sdcard")(&other)
	if g := granted(t, call); g.Covers(other.Agent, other.Device, &other.Card) {
		t.Error("another command is covered")
	}
}

func TestWhereNoGrantMayBeGiven(t *testing.T) {
	long := strings.Repeat("a", 201)
	cases := []struct {
		name string
		but  func(a *approval.Approval)
	}{
		{"critical", func(a *approval.Approval) { a.Card.Critical = true }},
		{"masked", func(a *approval.Approval) { a.Card.Masked = true }},
		{"the model doubts", func(a *approval.Approval) { a.Card.Source = risk.Both }},
		{"no app", func(a *approval.Approval) { a.Card.Package = "" }},
		{"neither recipient nor object", func(a *approval.Approval) { a.Card.Facts = risk.Facts{Text: "hello"} }},
		{"a message to nobody knows whom", func(a *approval.Approval) { a.Card.Facts.Recipient = "" }},
		{"nothing can be seen there", func(a *approval.Approval) { a.Card.Point = "at 1, 2" }},
		{"an installation without a key", func(a *approval.Approval) { a.Similar = "" }},
		{"a recipient nobody reads to the end", func(a *approval.Approval) { a.Card.Facts.Recipient = long }},
		{"a command nobody reads to the end", func(a *approval.Approval) { a.Card.Argument = strings.Repeat(long, 5) }},
	}
	if len(cases) != 10 {
		t.Errorf("%d cases, 10 were written", len(cases))
	}
	for _, c := range cases {
		a := asksToSend()
		c.but(&a)
		if g, ok := approval.GrantFor(&a); ok {
			t.Errorf("%s: %s is offered", c.name, g.Scope())
		}
	}
}

// The categories that may be granted are those six and no others.
func TestGrantable(t *testing.T) {
	may := map[risk.Category]bool{risk.Message: true, risk.Call: true, risk.Publish: true, risk.Share: true, risk.Delete: true, risk.Submit: true}
	all := append(risk.Categories(), risk.Affirmative, risk.Dismissal, risk.Category(200))
	for _, c := range all {
		if approval.Grantable(c) != may[c] {
			t.Errorf("%s may be granted: %v", c, !may[c])
		}
		a := asksToSend()
		a.Card.Category = c
		if _, ok := approval.GrantFor(&a); ok != may[c] {
			t.Errorf("%s is offered: %v", c, ok)
		}
	}
	if len(all) != 25 {
		t.Errorf("%d categories were tried", len(all))
	}
}

func TestGrantTerms(t *testing.T) {
	for _, c := range []struct {
		terms approval.GrantTerms
		ok    bool
	}{
		{approval.UsualGrant(), true}, {approval.GrantTerms{1, time.Minute}, true}, {approval.GrantTerms{20, 24 * time.Hour}, true},
		{approval.GrantTerms{}, false}, {approval.GrantTerms{0, time.Hour}, false}, {approval.GrantTerms{-1, time.Hour}, false},
		{approval.GrantTerms{21, time.Hour}, false}, {approval.GrantTerms{3, 59 * time.Second}, false},
		{approval.GrantTerms{3, 24*time.Hour + 1}, false}, {approval.GrantTerms{3, -time.Hour}, false},
	} {
		if err := c.terms.Check(); (err == nil) != c.ok || err != nil && !errors.Is(err, approval.ErrGrantTerms) {
			t.Errorf("%+v: %v", c.terms, err)
		}
	}
}

// A grant opens when it is given, counts down, and closes with its last use, its
// time or its end, for good.
func TestTheLifeOfAGrant(t *testing.T) {
	g := granted(t, asksToSend())
	late := five.Add(10 * time.Minute)
	if !g.Open(five) || !g.Open(late.Add(-1)) || g.Open(late) || g.Open(five.Add(-1)) || g.Ending(late) != approval.CodeGrantExpired {
		t.Error("it is not open from when it was given until it is over")
	}
	for left := 2; left >= 0; left-- {
		if g.Use(five); g.Left() != left || g.Open(five) != (left > 0) {
			t.Errorf("%d left, open %v; want %d", g.Left(), g.Open(five), left)
		}
	}
	if g.Code != approval.CodeUsedUp || g.EndedAt != five || g.Version != 4 {
		t.Errorf("used up: %+v", g)
	}
	g.End(late, "kim", approval.CodeRevoked)
	if g.Code != approval.CodeUsedUp || g.EndedAt != five || g.Version != 4 {
		t.Errorf("it ended twice: %+v", g)
	}
	other := granted(t, asksToSend())
	other.End(five, "kim", approval.CodeRevoked)
	if other.Open(five) || other.Ending(five) != approval.CodeRevoked || other.Left() != 3 {
		t.Errorf("revoked: %+v", other)
	}
	if (&approval.Grant{}).Open(time.Time{}) {
		t.Error("the zero value is open")
	}
}

func TestTheSentenceOfAGrant(t *testing.T) {
	cases := []struct {
		but  func(a *approval.Approval)
		want string
	}{
		{func(a *approval.Approval) { a.Card.Facts.Object = "" }, "sending to “Anna” in WhatsApp, 3 times, until 06:10"},
		{func(a *approval.Approval) {}, "sending to “Anna”, about “Trip” in WhatsApp, 3 times, until 06:10"},
		{func(a *approval.Approval) { a.Card.Facts.Object = "Anna" }, "sending to “Anna” in WhatsApp, 3 times, until 06:10"},
		{func(a *approval.Approval) { deletes(a, "Trip"); a.Card.Permanent = true }, "deleting “Trip” in WhatsApp, for good, 3 times, until 06:10"},
		{func(a *approval.Approval) { a.Card.App = "" }, "sending to “Anna”, about “Trip” in com.whatsapp, 3 times, until 06:10"},
		{func(a *approval.Approval) {
			a.Card.Facts = risk.Facts{Recipient: "Anna” in WhatsApp, once, until 06:01\u202e\n“"}
		}, `sending to “Anna\u201d in WhatsApp, once, until 06:01\u202e \u201c” in WhatsApp, 3 times, until 06:10`},
	}
	zone := time.FixedZone("east", 3600)
	for _, c := range cases {
		a := asksToSend()
		c.but(&a)
		g := granted(t, a)
		if got := g.Sentence(zone); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	g, _ := approval.GrantFor(new(asksToSend()))
	g = g.Given("g_1", approval.GrantTerms{Count: 1, For: 24 * time.Hour}, five, "kim", "web")
	if got, want := g.Sentence(zone), "sending to “Anna”, about “Trip” in WhatsApp, once, until 06:00 on 5 March"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(cases) != 6 {
		t.Errorf("%d cases", len(cases))
	}
}
