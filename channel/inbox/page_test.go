package inbox

import (
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

var update = flag.Bool("update", false, "write the golden pages anew")

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func frameForTest() Frame {
	return Frame{
		Approver: "kim", Level: "same user", LevelWhy: "The guard runs as user 1000, which is a person's account.",
		Version: "0.4.0", Policy: "default@sha256:0123456789abcdef", Now: noon,
		CSRF: func(form string) string { return "token-of-" + form },
	}
}

// payment is a question with everything on its card.
func payment() approval.Approval {
	return approval.Approval{
		ID: "a_payment", State: approval.Pending, Version: 1, Agent: "agt_1", AgentName: "errands", Device: "emulator-5554", Session: "s1",
		Digest: "hmac-sha256:00ff", CreatedAt: noon.Add(-time.Minute), Deadline: noon.Add(4*time.Minute + 10*time.Second),
		Card: approval.Card{
			Action: "tap", Category: risk.Money, Critical: true, Package: "com.paypal.android.p2pmobile", App: "PayPal", Tier: risk.High,
			TierWhy: "catalogue: payments", Reason: "Pays, orders or transfers 24.10 EUR in PayPal (HIGH). “Pay now” says so.",
			AgentReason: "Pays, orders or transfers in PayPal (HIGH).", Label: "Pay now", Role: risk.Button, ResourceID: "com.paypal.android.p2pmobile:id/pay",
			Facts:     risk.Facts{Object: "Bicycle shop Müller", Recipient: "mueller@bikes.example", Amount: &risk.Amount{Value: "24.10", Currency: "EUR"}, Text: "For the repair.\n\nThanks!"},
			Permanent: true, Evidence: []risk.Evidence{{Signal: risk.SignalText, Match: "Pay", Start: 0, End: 3, Term: "pay", Language: "en", Layer: risk.LayerTerm, Category: risk.Money}},
			Source: risk.ContextAwareGuard, Delta: risk.Added, Rule: "money/HIGH", Policy: "default@sha256:0123456789abcdef", Observed: true,
			Task: "get the bicycle repaired", Doubt: "the amount is not the one on the receipt", Before: "similar request refused 3 minutes ago",
		},
	}
}

func drawn(t *testing.T, a approval.Approval) string {
	t.Helper()
	page, err := Card(frameForTest(), a, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestGolden(t *testing.T) {
	shell := approval.Approval{
		ID: "a_shell", State: approval.Approved, AgentName: "errands", Digest: "hmac-sha256:00fe", CreatedAt: noon, Deadline: noon.Add(time.Minute), UseBy: noon.Add(time.Hour + 5*time.Minute),
		AnsweredAt: noon, AnsweredBy: "lee", How: "terminal",
		Card: approval.Card{
			Action: "shell", Argument: longCommand, Category: risk.Uninstall, Tier: risk.High, Reason: "Uninstalls software (HIGH).", Masked: true,
			Source: risk.Both, Delta: risk.Added, Evidence: []risk.Evidence{{Signal: risk.SignalCommand, Match: "pm uninstall com.example.notes", End: 30, Term: "pm", Layer: risk.LayerCommand, Category: risk.Uninstall}},
		},
	}
	denied := payment()
	denied.State, denied.AnsweredBy, denied.How, denied.Note, denied.SettledAt = approval.Denied, "kim", "web", "not this shop", noon
	frozen := frameForTest()
	frozen.Freeze, frozen.Observe = hold.Freeze{Frozen: true, At: noon, By: "kim", Note: "lunch"}, true
	pages := map[string]func() ([]byte, error){
		"card.html":  func() ([]byte, error) { return Card(frameForTest(), payment(), "") },
		"shell.html": func() ([]byte, error) { return Card(frameForTest(), shell, "Your answer was not taken.") },
		"list.html": func() ([]byte, error) {
			return List(frameForTest(), []approval.Approval{payment(), shell}, []approval.Approval{denied})
		},
		"empty.html": func() ([]byte, error) { return List(frozen, nil, nil) },
		"sign.html":  func() ([]byte, error) { return SignIn(Sign{Ticket: "cst_x"}) },
		"outside.html": func() ([]byte, error) {
			return SignIn(Sign{Problem: "the link was used", Again: "/approvals/a_payment"})
		},
	}
	for name, draw := range pages {
		page, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		// The style sheet is a file of its own already.
		got := strings.Replace(string(page), style, "…", 1)
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from testdata; look at what has changed, then run the test with -update\n%s", name, got)
		}
	}
}

// longCommand is the line of report X01.
var longCommand = "echo " + strings.Repeat("x", 380) + "; pm uninstall com.example.notes"

// TestTheDangerousPartIsSeen is report X01: of a long line the part that matters
// stands before anything that scrolls, the length is said, and all of it is there.
func TestTheDangerousPartIsSeen(t *testing.T) {
	const part = "pm uninstall com.example.notes"
	for name, evidence := range map[string][]risk.Evidence{
		"with evidence": {{Signal: risk.SignalCommand, Match: part, End: len(part), Layer: risk.LayerCommand}},
		"without":       nil,
	} {
		a := payment()
		a.Card.Argument, a.Card.Evidence = longCommand, evidence
		page := drawn(t, a)
		head, _, scrolls := strings.Cut(page, `class="scroll"`)
		if !scrolls || !strings.Contains(strip(head), part) {
			t.Errorf("%s: the part that matters is not on the card before the box that scrolls", name)
		}
		for _, want := range []string{"417 characters", strings.Repeat("x", 380)} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the card has no %.40q", name, want)
			}
		}
		if marked := strings.Contains(page, "<mark>"+part+"</mark>"); marked != (evidence != nil) {
			t.Errorf("%s: marked is %v", name, marked)
		}
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

// strip is the text of a page, roughly: enough for words without entities.
func strip(page string) string { return tags.ReplaceAllString(page, "") }

// TestInvisibleAndPadding is report X03.
func TestInvisibleAndPadding(t *testing.T) {
	tests := []struct{ label, want string }{
		{"OK" + strings.Repeat("\u00a0", 300) + "and delete all photos", "OK ⟨300 blanks⟩ and delete all photos"},
		{"Save\u001b[2K\rCancel", `Save\u001b[2K\u000dCancel`},
		{"OK\u2028Approve? yes", `OK\u2028Approve? yes`},
		{"pay\u202etxt.exe", `pay\u202etxt.exe`},
		{"a\u200bb\u2066c\ufeffd", `a\u200bb\u2066c\ufeffd`},
		{"two\nlines", "two lines"},
		{"\u3164\u115f", `\u3164\u115f`},
		{"bad\xff", "bad�"},
	}
	for _, tt := range tests {
		a := payment()
		a.Card.Label, a.Card.Evidence = tt.label, nil
		page := drawn(t, a)
		if !strings.Contains(page, "<bdi>"+tt.want+"</bdi>") {
			t.Errorf("%q is not shown as %q on one line", tt.label, tt.want)
		}
		wantNoInvisible(t, page)
	}
	if len(tests) != 8 {
		t.Errorf("%d cases, want 8", len(tests))
	}
}

func wantNoInvisible(t *testing.T, page string) {
	t.Helper()
	for _, r := range page {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u00a0\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u3164\u115f", r) {
			t.Fatalf("the page has a raw U+%04X", r)
		}
	}
}

// hostileStrings are what an agent or a screen may say.
var hostileStrings = []string{
	`<img src=x onerror="fetch('/approvals/a1/approve',{method:'POST'})">`,
	`[Approve](javascript:alert(1)) **safe**`,
	`</bdi></dd></dl><form action="https://attacker.example"><button>Approve</button></form>`,
	`"><script>alert(1)</script>`,
	`' onmouseover='alert(1)`,
	`{{.CSRF}}{{template "top" .}}`,
	`</style><style>*{display:none}`,
	`--><!-- <meta http-equiv="refresh" content="0;url=https://attacker.example">`,
	"\u202e<b>\u001b[31m\u2028" + strings.Repeat("\u00a0", 400) + "</b>",
	"javascript:alert(1)",
	strings.Repeat("<p>", 400),
	"a\n<hr>\n\n\n\n\nb",
}

// fill puts a text into every string of a value, so that a field that is added
// later is tried as well.
func fill(v reflect.Value, s string) (filled int) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return fill(v.Elem(), s)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				filled += fill(v.Field(i), s)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return 0
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			filled += fill(v.Index(i), s)
		}
	case reflect.String:
		v.SetString(s)
		return 1
	}
	return filled
}

var values = regexp.MustCompile(`="[^"]*"`)

// skeleton is what a page is made of: its tags with the names of their
// attributes, without the values and without what may be there or not.
func skeleton(page string) []string {
	var out []string
	for _, tag := range tags.FindAllString(page, -1) {
		out = append(out, values.ReplaceAllString(tag, ""))
	}
	return out
}

// TestHostileCard: with any text in every one of its strings a card consists of
// the same tags as with a harmless one of the same shape.
func TestHostileCard(t *testing.T) {
	shape := func(s string) approval.Approval {
		a := payment()
		if n := fill(reflect.ValueOf(&a).Elem(), s); n < 40 {
			t.Fatalf("%d strings were filled, there are more", n)
		}
		a.State, a.Card.Critical = approval.Pending, true
		a.Card.Evidence = a.Card.Evidence[:1]
		return a
	}
	cases := 0
	for _, hostile := range hostileStrings {
		for _, state := range []approval.State{approval.Pending, approval.Approved, approval.Expired} {
			a, b := shape(hostile), shape(harmless(hostile))
			a.State, b.State = state, state
			f := frameForTest()
			f.Freeze = hold.Freeze{Frozen: true, By: hostile, Note: hostile, At: noon}
			f.Approver, f.Level, f.LevelWhy, f.Version, f.Policy = hostile, hostile, hostile, hostile, hostile
			for what, draw := range map[string]func(approval.Approval) ([]byte, error){
				"card": func(a approval.Approval) ([]byte, error) { return Card(f, a, a.Note) },
				"list": func(a approval.Approval) ([]byte, error) {
					return List(f, []approval.Approval{a}, []approval.Approval{a})
				},
			} {
				page, err := draw(a)
				if err != nil {
					t.Fatal(err)
				}
				plain, err := draw(b)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(skeleton(string(page)), skeleton(string(plain))) {
					t.Errorf("%s, %s: %q changes what the page consists of", what, state, hostile)
				}
				// A digest goes back as it came, in a field that nobody sees.
				wantNoInvisible(t, values.ReplaceAllString(string(page), ""))
				wantOnlyOurAddresses(t, string(page))
				cases++
			}
		}
	}
	if want := len(hostileStrings) * 3 * 2; cases != want || len(hostileStrings) != 12 {
		t.Errorf("%d cases, want %d", cases, want)
	}
}

// harmless is a text of the same shape without anything that means something in
// a page: as long, the line breaks and blanks in the same places.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == ' ' || r == '\u00a0' {
			return r
		}
		return 'x'
	}, s)
}

var addresses = regexp.MustCompile(`(?:href|action|src|content)="([^"]*)"`)

func wantOnlyOurAddresses(t *testing.T, page string) {
	t.Helper()
	for _, found := range addresses.FindAllStringSubmatch(page, -1) {
		ours := strings.HasPrefix(found[1], "/") && !strings.HasPrefix(found[1], "//")
		if !ours && !slices.Contains([]string{"width=device-width, initial-scale=1", "light dark", "noindex", "5"}, found[1]) {
			t.Errorf("the page leads to %q", found[1])
		}
	}
}

func TestReportX07(t *testing.T) {
	a := payment()
	a.Card.Evidence = nil
	for label, want := range map[string]string{
		hostileStrings[0]: "&lt;img src=x onerror=",
		hostileStrings[1]: "[Approve](javascript:alert(1)) **safe**",
	} {
		a.Card.Label = label
		page := drawn(t, a)
		if !strings.Contains(page, want) || strings.Contains(page, "<img") || strings.Contains(page, "<a href=\"javascript") {
			t.Errorf("%q is not shown as plain text", label)
		}
	}
}

// TestThePolicyAllowsTheStyle: the hash in the policy is that of the style sheet
// as it stands in the page, and the page has nothing else to allow.
func TestThePolicyAllowsTheStyle(t *testing.T) {
	page := drawn(t, payment())
	found := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("%d style sheets", len(found))
	}
	sum := sha256.Sum256([]byte(found[0][1]))
	h := http.Header{}
	Protect(h)
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	if got := h.Get("Content-Security-Policy"); got != want {
		t.Errorf("policy %s\nwant   %s", got, want)
	}
	for _, forbidden := range []string{"<script", "style=", "<link", "<img", "<iframe", " on"} {
		if strings.Contains(strings.ReplaceAll(strings.Join(tags.FindAllString(page, -1), "\n"), found[0][1], ""), forbidden) {
			t.Errorf("the page has %q", forbidden)
		}
	}
}

// TestTheListStaysStillWithQuestions: it loads again by itself only while
// nothing is open, so that no link moves under a finger; a card never does.
func TestTheListStaysStillWithQuestions(t *testing.T) {
	const again = `http-equiv="refresh"`
	empty, err := List(frameForTest(), nil, []approval.Approval{payment()})
	if err != nil {
		t.Fatal(err)
	}
	one, err := List(frameForTest(), []approval.Approval{payment()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(empty), again) || strings.Contains(string(one), again) || strings.Contains(drawn(t, payment()), again) {
		t.Error("which pages load again by themselves is not as promised")
	}
}

// TestFormsByState: an answer is asked for while it counts, and only then.
func TestFormsByState(t *testing.T) {
	for _, state := range approval.States() {
		for _, critical := range []bool{false, true} {
			a := payment()
			a.State, a.Card.Critical, a.UseBy, a.ReleaseBy = state, critical, noon.Add(time.Minute), noon.Add(time.Minute)
			page := drawn(t, a)
			want := map[string]bool{
				`value="approve"`: state == approval.Pending,
				`value="deny"`:    state == approval.Pending,
				`value="revoke"`:  state == approval.Approved,
				`name="sure"`:     state == approval.Pending && critical,
				"⚠ CRITICAL":      critical,
				" left</strong>":  state.Open(),
			}
			for what, there := range want {
				if strings.Contains(page, what) != there {
					t.Errorf("%s, critical %v: %q is there: %v", state, critical, what, !there)
				}
			}
			if stateWords[state] == "" || !strings.Contains(page, stateWords[state]) {
				t.Errorf("%s has no word on its card", state)
			}
		}
	}
}
