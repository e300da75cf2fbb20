package notice

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/redact/redacttest"
	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

var inbox = &url.URL{Scheme: "https", Host: "guard.example.net:8443"}

// anyText draws what a screen or an agent may say.
func anyText(t *rapid.T, name string) string {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringN(0, 600, -1),
		rapid.SampledFrom([]string{
			"", "https://evil.com/pay?x=1", "HTTP://EVIL.COM", "see evil.com", "www.evil.com", "1.2.3.4/x", "http://[::1]/",
			"intent://scan/#Intent;end", "javascript://%0aalert(1)", "evil。com", "bücher.example", "россия.рф", "x.भारत", "xn--e1.xn--p1ai",
			"\"}],\"url\":\"https://evil.com\"", "\x1b]8;;https://evil.com\x07click\x1b]8;;\x07", "a\u202egnp.moc.live", "$(reboot)", "`id`", "-rf", "</script>",
			"24.10 EUR", "Delete this chat?", "e.g. U.S. 3.5", "hmac-sha256:00ff",
		}),
	).Draw(t, name)
}

// anyApproval draws a question with anything in every field that comes from
// elsewhere.
func anyApproval(t *rapid.T) approval.Approval {
	text := func(name string) string { return anyText(t, name) }
	a := approval.Approval{
		ID: "a_" + rapid.StringMatching(`[a-z2-7]{24}`).Draw(t, "id"), State: approval.Pending,
		Agent: "agt_" + rapid.StringMatching(`[a-z2-7]{16}`).Draw(t, "agent"), AgentName: text("agent name"), Device: text("device"), Session: "session-4711",
		Digest: "hmac-sha256:" + rapid.StringMatching(`[0-9a-f]{64}`).Draw(t, "digest"),
		Intent: "intent-" + rapid.StringMatching(`[0-9a-f]{32}`).Draw(t, "intent"), Similar: "similar-" + rapid.StringMatching(`[0-9a-f]{32}`).Draw(t, "similar"),
		CreatedAt: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 0), Asked: json.RawMessage(`{"asked":"whole request"}`),
		Card: approval.Card{
			Category: rapid.SampledFrom(risk.Categories()).Draw(t, "category"), Critical: rapid.Bool().Draw(t, "critical"),
			Action: text("action"), Argument: text("argument"), Package: text("package"), App: text("app"), Tier: risk.High, TierWhy: text("why"),
			Reason: text("reason"), AgentReason: text("agent reason"), Label: text("label"), ResourceID: text("resource"),
			Facts: risk.Facts{Object: text("object"), Recipient: text("recipient"), Text: text("text")},
			Task:  text("task"), Doubt: text("doubt"),
		},
	}
	if rapid.Bool().Draw(t, "has an amount") {
		a.Card.Facts.Amount = &risk.Amount{Value: text("value"), Currency: text("currency")}
	}
	a.Deadline = a.CreatedAt.Add(15 * time.Minute)
	return a
}

// scheme, host and number are what programs make links of.
var (
	scheme = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://`)
	number = regexp.MustCompile(`\d+\.\d+\.\d+\.\d+`)
	host   = regexp.MustCompile(`[^\s\[][.。．｡]\pL[\pL\pM]`)
)

// linkIn is the first thing in a text that a program may make a link of.
func linkIn(text string) string {
	for _, kind := range []*regexp.Regexp{scheme, number, host} {
		if found := kind.FindString(text); found != "" {
			return found
		}
	}
	return ""
}

// Whatever a question says: what is told of it has no digest, nothing that names
// the intent or the session, no link but to the inbox, nothing that steers a
// terminal, and an end.
func TestMessagesGiveNothingAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyApproval(t)
		for _, at := range []*url.URL{nil, inbox} {
			for _, m := range []Message{MessageOf(&a, at), MessageOf(&a, at).Brief()} {
				checkMessage(t, &a, m, at)
			}
		}
	})
}

func checkMessage(t *rapid.T, a *approval.Approval, m Message, at *url.URL) {
	doc, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	body := string(doc)
	for _, not := range []string{a.Digest, a.Intent, a.Similar, a.Session, a.Agent, "whole request"} {
		if strings.Contains(body, not) {
			t.Fatalf("%q is in it: %s", not, body)
		}
	}
	if len(body) > 20_000 {
		t.Fatalf("it has %d bytes", len(body))
	}
	if strings.ContainsFunc(body, func(r rune) bool { return r < ' ' || unicode.Is(unicode.Bidi_Control, r) }) {
		t.Fatalf("it steers whoever shows it: %q", body)
	}
	var back Message
	if err := json.Unmarshal(doc, &back); err != nil || back.Data.ID != a.ID {
		t.Fatalf("%v: %s", err, body)
	}
	q := &back.Data
	if at == nil && (q.URL != "" || q.Where != AtTheComputer) {
		t.Fatalf("without a name it says %q and %q", q.Where, q.URL)
	}
	if at != nil && (q.URL != "https://guard.example.net:8443/approvals/"+a.ID || q.Where != "Open the inbox at guard.example.net:8443.") {
		t.Fatalf("with a name it says %q and %q", q.Where, q.URL)
	}
	if rest := strings.ReplaceAll(body, q.URL, ""); strings.Contains(rest, "://") {
		t.Fatalf("there is another link: %s", body)
	}
	for _, text := range []string{q.Sentence, q.App, q.Agent, q.Device, q.Control, q.Object, q.Recipient, q.Amount, q.Text} {
		if link := linkIn(text); link != "" {
			t.Fatalf("%q would become a link: %q", link, text)
		}
	}
}

// No planted secret survives in any field, whether the desk has masked it or not.
func TestMessagesHaveNoSecrets(t *testing.T) {
	planted := redacttest.Planted()
	put := []func(*approval.Approval, string){
		func(a *approval.Approval, s string) { a.AgentName = s },
		func(a *approval.Approval, s string) { a.Device = s },
		func(a *approval.Approval, s string) { a.Card.App = s },
		func(a *approval.Approval, s string) { a.Card.Package = s },
		func(a *approval.Approval, s string) { a.Card.Reason = s },
		func(a *approval.Approval, s string) { a.Card.AgentReason = s },
		func(a *approval.Approval, s string) { a.Card.Label = s },
		func(a *approval.Approval, s string) { a.Card.Facts.Object = s },
		func(a *approval.Approval, s string) { a.Card.Facts.Recipient = s },
		func(a *approval.Approval, s string) { a.Card.Facts.Text = s },
		func(a *approval.Approval, s string) { a.Card.Facts.Amount = &risk.Amount{Value: s} },
	}
	tried := 0
	for _, s := range planted {
		for i, into := range put {
			a := approval.Approval{ID: "a_1"}
			into(&a, s.Text)
			doc, err := MessageOf(&a, nil).JSON()
			if err != nil {
				t.Fatal(err)
			}
			var plain any
			if err := json.Unmarshal(doc, &plain); err != nil {
				t.Fatal(err)
			}
			if text := joined(plain); strings.Contains(text, s.Secret) || strings.Contains(text, Unlinked(s.Secret)) {
				t.Errorf("place %d, %s %q: %s", i, s.Kind, s.Secret, doc)
			}
			tried++
		}
	}
	if len(planted) < 300 || tried != len(planted)*11 {
		t.Errorf("tried %d, of %d secrets", tried, len(planted))
	}
}

// joined are all texts of a document.
func joined(v any) string {
	switch v := v.(type) {
	case string:
		return v + "\n"
	case map[string]any:
		all := ""
		for _, inner := range v {
			all += joined(inner)
		}
		return all
	}
	return ""
}

func TestMessageOf(t *testing.T) {
	a := payment()
	m := MessageOf(&a, nil)
	doc, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"question.waits","timestamp":"2026-03-04T11:00:00Z","data":{"id":"a_1","sentence":"Pays 24.10 EUR to anna@example[.]com.",` +
		`"category":"money","critical":true,"permanent":true,"app":"PayPal","package":"com.paypal.android.p2pmobile","tier":"HIGH","agent":"shopper",` +
		`"device":"emulator-5554","control":"Pay now","object":"the order","recipient":"anna@example[.]com","amount":"24.10 EUR","text":"two lines",` +
		`"deadline":"2026-03-04T11:01:00Z","where":"Open the inbox on the computer that runs the guard."}}`
	if string(doc) != want {
		t.Errorf("got\n%s\nwant\n%s", doc, want)
	}
	if doc, err = m.Brief().JSON(); err != nil {
		t.Fatal(err)
	}
	const brief = `{"type":"question.waits","timestamp":"2026-03-04T11:00:00Z","data":{"id":"a_1","sentence":"A question waits.","category":"money",` +
		`"critical":true,"tier":"HIGH","deadline":"2026-03-04T11:01:00Z","where":"Open the inbox on the computer that runs the guard."}}`
	if string(doc) != brief {
		t.Errorf("in brief\n%s\nwant\n%s", doc, brief)
	}
	a.Card = approval.Card{}
	if got := MessageOf(&a, nil).Data.Sentence; got != "A question waits." {
		t.Errorf("of a card that says nothing: %q", got)
	}
}

func TestSample(t *testing.T) {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	m := Sample("phone", at, nil)
	if m.Type != TypeTest || m.Data.ID != "test_1772625600000" || m.Data.URL != "" || m.Data.Where != AtTheComputer || m.Brief() != m {
		t.Errorf("%+v", m)
	}
	if m = Sample("phone", at, inbox); m.Data.URL != "https://guard.example.net:8443" {
		t.Errorf("%+v", m)
	}
}

func TestUnlinked(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"24.10 EUR", "24.10 EUR"},
		{"v1.2.3", "v1.2.3"},
		{"z.B. so", "z.B. so"},
		{"The end. Begin.", "The end. Begin."},
		{"https://evil.com/a.b?c=d.efg", "https[:]//evil[.]com/a.b?c=d[.]efg"},
		{"upi://pay", "upi[:]//pay"},
		{"evil.com", "evil[.]com"},
		{"www.evil.co.uk", "www[.]evil[.]co[.]uk"},
		{"a-.co", "a-[.]co"},
		{"1.2.3.4", "1[.]2[.]3[.]4"},
		{"россия.рф", "россия[.]рф"},
		{"उदाहरण.भारत", "उदाहरण[.]भारत"},
		{"evil。com", "evil[.]com"},
		{"anna@example.org", "anna@example[.]org"},
		{"mailto:a@b.io", "mailto:a@b[.]io"},
	}
	for _, test := range tests {
		if got := Unlinked(test.text); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.text, got, test.want)
		}
	}
	if len(tests) != 16 {
		t.Errorf("ran %d cases, want 16", len(tests))
	}
}

// What is written so is no link, says the same, and stays as it is when it is
// written so again.
func FuzzUnlinked(f *testing.F) {
	for _, s := range []string{"https://evil.com", "1.2.3.4", "a.b.cd", "x。com", "1.1.1.1.1.1", "0.00.0000.00000", "....ab", "a.é́b", "://://", "\xff.ab"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 || !utf8.ValidString(s) || strings.ContainsAny(s, "[]") {
			return
		}
		out := Unlinked(s)
		if link := linkIn(out); link != "" {
			t.Fatalf("%q becomes %q, in which %q is a link", s, out, link)
		}
		if again := Unlinked(out); again != out {
			t.Fatalf("%q becomes %q, and that %q", s, out, again)
		}
		plain := strings.NewReplacer("[.]", ".", "[:]", ":").Replace(out)
		dots := strings.NewReplacer("。", ".", "．", ".", "｡", ".")
		if dots.Replace(plain) != dots.Replace(s) {
			t.Fatalf("%q becomes %q, which says something else", s, out)
		}
	})
}
