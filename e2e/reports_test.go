package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/risk"
)

// report is one report from the field: the fenced block under its id.
type report struct{ kind, body string }

var reportHead = regexp.MustCompile("(?s)\\*\\*([A-Z][0-9]{2})\\*\\* Right:[^\n]*\n```([a-z]+)\n(.*?)\n```")

func readReports(t *testing.T) map[string]report {
	t.Helper()
	data, err := os.ReadFile(corpus(t, "reports", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]report{}
	for _, m := range reportHead.FindAllStringSubmatch(string(data), -1) {
		reports[m[1]] = report{kind: m[2], body: m[3]}
	}
	if len(reports) < 40 {
		t.Fatalf("%d reports found, there are more", len(reports))
	}
	return reports
}

// input is the form most reports have; names are mapped here and nowhere else.
type input struct {
	In struct {
		App struct {
			Package, Tier string
		}
		Action struct {
			Kind string
			X, Y *int
		}
		Target struct {
			Text, Desc, ID, Class string
		}
		Elements   json.RawMessage
		Locale     string
		LLM        bool `json:"llm_flag"`
		Unattended bool
	}
	Expect struct {
		Verdict  string
		Not      []string
		Category string
		Match    struct {
			Runes [2]int
			Text  string
		}
		CardText bool `json:"card_text_unchanged"`
	}
}

// categories are the reports' names for our categories.
var categories = map[string]risk.Category{
	"pay": risk.Money, "purchase": risk.Money, "transfer": risk.Money, "send": risk.Message,
	"grant": risk.Permission, "clear_data": risk.Delete,
}

// disagreements are the inputs on which the reports and the design differ; the
// design wins.
var disagreements = map[string]string{
	"E01 Size guide": "the model's flag alone makes it ask (LLM_FLAGGED); the category stays none, since the tap does nothing",
	// "Delete account" is the account category of the design; the verdict is the same.
	"L09 Apagar conta":                    "deleting an account is the category account",
	"L11 İİ Delete account":               "deleting an account is the category account",
	"L11 ȺȺ Delete account":               "deleting an account is the category account",
	"U11 com.example.gallery:id/ic_trash": "a LOW app's delete that does not ask and is not permanent is allowed (table of tiers and categories)",
}

// guardFor is a guard whose owner has set the tier that a report gives its app.
func guardFor(t *testing.T, pkg, tier string) *countersign.Guard {
	t.Helper()
	ours := map[string]string{"system": "HIGH", "high": "HIGH", "medium": "MEDIUM", "low": "LOW"}[tier]
	options := countersign.Options{DigestKey: []byte("0123456789abcdef0123456789abcdef")}
	if ours != "" && pkg != "" {
		options.Apps = filepath.Join(t.TempDir(), "apps.yaml")
		if err := os.WriteFile(options.Apps, fmt.Appendf(nil, "apps:\n  %s: %s\n", pkg, ours), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g, err := countersign.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (in *input) request() *countersign.Request {
	i := &in.In
	req := &countersign.Request{
		Action: countersign.Action{Kind: countersign.ActionKind(i.Action.Kind), X: i.Action.X, Y: i.Action.Y},
		Screen: &countersign.Screen{Package: i.App.Package},
		Locale: i.Locale, LLM: countersign.LLM{RequiresConfirmation: i.LLM},
	}
	target := i.Target
	if target.Text+target.Desc+target.ID+target.Class != "" {
		req.Target = &countersign.Target{Text: target.Text, ContentDesc: target.Desc, ResourceID: target.ID, Class: target.Class}
	}
	if i.Elements != nil {
		req.Screen.Tree = `{"elements":` + string(i.Elements) + `}`
		req.Screen.Width, req.Screen.Height = 1080, 2400
	}
	return req
}

func (in *input) name() string {
	t := &in.In.Target
	for _, s := range []string{t.Text, t.Desc, t.ID, string(in.In.Elements), in.In.App.Package} {
		if s != "" {
			return s
		}
	}
	return "no target"
}

func TestReportsOfOneInput(t *testing.T) {
	reports := readReports(t)
	ran, holding := 0, 0
	for _, id := range []string{"E01", "E05", "L01", "L03", "L05", "L07", "L09", "L11", "U11", "U13"} {
		var inputs []input
		if err := json.Unmarshal([]byte(reports[id].body), &inputs); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		for _, in := range inputs {
			if in.In.Unattended {
				holding++ // nobody to ask: a matter of holding, not of deciding
				continue
			}
			ran++
			t.Run(id+" "+in.name(), func(t *testing.T) { checkInput(t, id, &in) })
		}
	}
	if ran != 39 || holding != 1 {
		t.Errorf("%d inputs ran and %d need holding, want 39 and 1", ran, holding)
	}
}

func checkInput(t *testing.T, id string, in *input) {
	guard := guardFor(t, in.In.App.Package, in.In.App.Tier)
	dec := guard.Decide(in.request())
	differs := disagreements[id+" "+in.name()]
	if !verdictIs(dec.Outcome, in.Expect.Verdict, in.Expect.Not) && differs == "" {
		t.Errorf("%v, want %s %v: %s", dec.Outcome, in.Expect.Verdict, in.Expect.Not, dec.Reason())
	}
	if want := in.Expect.Category; want != "" && differs == "" && in.Expect.Verdict != "allow" {
		c, ok := categories[want]
		if !ok {
			c, ok = risk.ParseCategory(want)
		}
		if !ok || dec.Category != c {
			t.Errorf("category %v, want %s: %s", dec.Category, want, dec.Reason())
		}
	}
	if in.Expect.Match.Text != "" {
		checkMatch(t, &dec, in)
	}
	if in.Expect.CardText && dec.Label() != in.In.Target.Text {
		t.Errorf("the card says %q, the screen %q", dec.Label(), in.In.Target.Text)
	}
}

// checkMatch holds the evidence against the span in runes of the original.
func checkMatch(t *testing.T, dec *countersign.Decision, in *input) {
	for _, e := range dec.Evidence() {
		runes := []rune(in.In.Target.Text)
		if e.Start < 0 || e.End > len(runes) || string(runes[e.Start:e.End]) != e.Match {
			t.Errorf("evidence %+v is not a span of %q", e, in.In.Target.Text)
			continue
		}
		if e.Start <= in.Expect.Match.Runes[0] && e.End >= in.Expect.Match.Runes[1] {
			return
		}
	}
	t.Errorf("no evidence covers %v %q: %+v", in.Expect.Match.Runes, in.Expect.Match.Text, dec.Evidence())
}

func verdictIs(got countersign.Outcome, want string, not []string) bool {
	for _, n := range not {
		if got.String() == n {
			return false
		}
	}
	switch want {
	case "block":
		return got == countersign.Deny
	case "":
		return true
	}
	return got.String() == want
}

// xmlReport is the tree of a report that is given as XML, without the remarks.
func xmlReport(t *testing.T, r report) string {
	t.Helper()
	if r.kind != "xml" {
		t.Fatalf("the report is %s, not xml", r.kind)
	}
	tree, _, _ := strings.Cut(r.body, "<!--")
	return tree
}
