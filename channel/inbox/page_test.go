package inbox

import (
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/risk"
)

var update = flag.Bool("update", false, "write the golden pages anew")

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func frameForTest() Frame {
	return Frame{
		Approver: "kim", Level: "same user", LevelWhy: "The guard runs as user 1000, which is a person's account.",
		Version: "0.4.0", Policy: "default@sha256:0123456789abcdef", Now: noon, Waiting: 2, Seen: "v1", Newest: noon.Add(-time.Minute),
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

// seenForTest is what a desk says of a picture that it can draw.
var seenForTest = hold.Picture{Drawing: picture.Drawing{SVG: []byte("<svg/>"), Width: 374, Height: 814, NearHeight: 249, Aimed: true}}

// listed is the page around a list.
func listed(f Frame, l Listing) ([]byte, error) {
	b, err := DrawBoard(f.Now, l, false)
	if err != nil {
		return nil, err
	}
	return List(f, b)
}

func drawn(t *testing.T, a approval.Approval) string {
	t.Helper()
	page, err := Card(frameForTest(), Question{Approval: a})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(page), script, "", 1)
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
	frozen.Waiting = 0
	last := payment()
	last.State, last.SettledAt, last.Card.Facts.Amount = approval.Denied, noon.Add(-time.Hour), &risk.Amount{Value: "12.00", Currency: "EUR"}
	pages := map[string]func() ([]byte, error){
		"card.html": func() ([]byte, error) {
			return Card(frameForTest(), Question{Approval: payment(), Picture: seenForTest, Last: &last, Type: "“24.10” or “PayPal”"})
		},
		"shell.html": func() ([]byte, error) {
			return Card(frameForTest(), Question{Approval: shell, Notice: "Your answer was not taken.", Picture: hold.Picture{Why: hold.NoScreen}, Label: "needless"})
		},
		"list.html": func() ([]byte, error) {
			return listed(frameForTest(), Listing{Open: []approval.Approval{payment(), shell}, Settled: []approval.Approval{denied}, Waiting: 1, Version: "v2", Newest: noon})
		},
		"cut.html": func() ([]byte, error) {
			b, err := drawBoard(noon, flood(payment(), shell, denied), 3)
			if err != nil {
				return nil, err
			}
			return b.Part()
		},
		"empty.html": func() ([]byte, error) { return listed(frozen, Listing{Version: "v3"}) },
		"part.html": func() ([]byte, error) {
			b, err := DrawBoard(noon, Listing{Open: []approval.Approval{payment()}, Waiting: 1, Version: "v4"}, false)
			if err != nil {
				return nil, err
			}
			return b.Part()
		},
		"state.html":   func() ([]byte, error) { return State(Frame{Now: noon}, denied) },
		"history.html": func() ([]byte, error) { return historyForTest(frameForTest(), "") },
		"actions.html": func() ([]byte, error) { return actionsForTest(frameForTest(), "") },
		"record.html":  func() ([]byte, error) { return recordForTest(frameForTest(), "") },
		"problem.html": func() ([]byte, error) { return Problem(frameForTest(), "Not Found", "there is no question of this id") },
		"sign.html":    func() ([]byte, error) { return SignIn(Sign{Ticket: "cst_x"}) },
		"outside.html": func() ([]byte, error) {
			return SignIn(Sign{Problem: "the link was used", Again: "/approvals/a_payment"})
		},
	}
	for name, draw := range pages {
		page, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		// The style sheet and the script are files of their own already.
		got := strings.Replace(strings.Replace(string(page), style, "…", 1), script, "…", 1)
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

func TestReportX07(t *testing.T) {
	a := payment()
	a.Card.Evidence = nil
	for label, want := range map[string]string{
		`<img src=x onerror="fetch('/approvals/a1/approve',{method:'POST'})">`: "&lt;img src=x onerror=",
		"[Approve](javascript:alert(1)) **safe**":                              "[Approve](javascript:alert(1)) **safe**",
	} {
		a.Card.Label = label
		page := drawn(t, a)
		if !strings.Contains(page, want) || strings.Contains(page, "<img src=x") || strings.Contains(page, "<a href=\"javascript") {
			t.Errorf("%q is not shown as plain text", label)
		}
	}
}

// TestThePolicyAllowsWhatThePageHas: the hashes in the policy are those of the
// style sheet and the script as they stand in the page, and the page has nothing
// else to allow.
func TestThePolicyAllowsWhatThePageHas(t *testing.T) {
	drawn, err := Card(frameForTest(), Question{Approval: payment()})
	if err != nil {
		t.Fatal(err)
	}
	page := string(drawn)
	hash := func(element string) string {
		found := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(page, -1)
		if len(found) != 1 {
			t.Fatalf("%d of %s", len(found), element)
		}
		page = strings.Replace(page, found[0][1], "", 1)
		sum := sha256.Sum256([]byte(found[0][1]))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := "default-src 'none'; style-src " + hash("style") + "; script-src " + hash("script") +
		"; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
	h := http.Header{}
	Protect(h)
	if got := h.Get("Content-Security-Policy"); got != want {
		t.Errorf("policy %s\nwant   %s", got, want)
	}
	for _, forbidden := range []string{"<script ", "style=", "<iframe", "<object", "<embed", " on", "srcdoc", "javascript:"} {
		if strings.Contains(strings.Join(tags.FindAllString(page, -1), "\n"), forbidden) {
			t.Errorf("the page has %q", forbidden)
		}
	}
	ProtectPicture(h)
	if got := h.Get("Content-Security-Policy"); strings.Contains(got, "script-src") || !strings.HasPrefix(got, "default-src 'none'; ") || !strings.HasSuffix(got, "; sandbox") {
		t.Errorf("the policy of a picture is %s", got)
	}
}

// TestTheScriptMakesNoMarkup: what would make markup or code out of text, or load
// something from elsewhere, is not in the script. The policy would stop it too.
func TestTheScriptMakesNoMarkup(t *testing.T) {
	for _, forbidden := range []string{"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "Function(", "setTimeout(\"", "srcdoc", "import(", "http:", "https:", "</script", "<!--"} {
		if strings.Contains(script, forbidden) {
			t.Errorf("the script has %q", forbidden)
		}
	}
}

// TestTheListStaysStillWithQuestions: it loads again by itself only while
// nothing is open, so that no link moves under a finger; a card never does.
func TestTheListStaysStillWithQuestions(t *testing.T) {
	const again = `<noscript><meta http-equiv="refresh" content="5"></noscript>`
	empty, err := listed(frameForTest(), Listing{Settled: []approval.Approval{payment()}})
	if err != nil {
		t.Fatal(err)
	}
	one, err := listed(frameForTest(), Listing{Open: []approval.Approval{payment()}})
	if err != nil {
		t.Fatal(err)
	}
	card := drawn(t, payment())
	if !strings.Contains(string(empty), again) || strings.Contains(string(one), "http-equiv") || strings.Contains(card, "http-equiv") {
		t.Error("which pages load again by themselves is not as promised")
	}
}

// TestFormsByState: an answer is asked for while it counts, and only then.
func TestFormsByState(t *testing.T) {
	for _, state := range approval.States() {
		for _, critical := range []bool{false, true} {
			a := payment()
			a.State, a.Card.Critical, a.UseBy, a.ReleaseBy = state, critical, noon.Add(time.Minute), noon.Add(time.Minute)
			page, err := Card(frameForTest(), Question{Approval: a, Picture: seenForTest})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]bool{
				`value="approve"`:   state == approval.Pending,
				`value="deny"`:      state == approval.Pending,
				`value="revoke"`:    state == approval.Approved,
				`name="sure"`:       state == approval.Pending && critical,
				"⚠ CRITICAL":        critical,
				"data-until=":       state.Open(),
				"data-hold":         state == approval.Pending && critical,
				"/screen\"":         state.Open(),
				`value="needless"`:  true,
				"Freeze everything": true,
			}
			for what, there := range want {
				if strings.Contains(strings.Replace(string(page), script, "", 1), what) != there {
					t.Errorf("%s, critical %v: %q is there: %v", state, critical, what, !there)
				}
			}
			if stateWords[state] == "" || !strings.Contains(string(page), stateWords[state]) {
				t.Errorf("%s has no word on its card", state)
			}
		}
	}
}
