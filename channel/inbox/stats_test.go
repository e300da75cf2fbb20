package inbox

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/hold/fatigue"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// asking are figures with something in every column.
func asking(n int64) ledger.Asking {
	return ledger.Asking{
		Actions: 100 * n, Asked: 20 * n, WouldAsk: n, Tasks: 5, AskedInTasks: 20 * n, Joined: n, Linked: n, Granted: 2 * n,
		Approved: 15 * n, Denied: 2 * n, Expired: n, Withdrawn: n, Open: n, Hasty: 3 * n, Median: ledger.Millis(4200 * time.Millisecond), P90: ledger.Millis(time.Minute),
		Needless: 1, Missed: 1, AskedPer100: 21, AskedPerTask: 4 * float64(n),
		Shares: ledger.Shares{Approved: 0.75, Denied: 0.1, Expired: 0.05, Withdrawn: 0.05, Hasty: 3.0 / 17, Joined: 0.04, Linked: 0.04, Granted: 0.08, Needless: 0.05, Missed: 0.01},
	}
}

// reportForTest is a report with a text in all that comes from outside.
func reportForTest(text string) *fatigue.Report {
	app, agent, recipient, why := text, text, text, text
	if text == "" {
		app, agent, recipient, why = "com.whatsapp", "pocket", "Anna", "one of these opens the way to others, so each is asked about"
	}
	kind := fatigue.Kind{Agent: "agt_1", AgentName: agent, Category: risk.Message, Package: app, App: app, Recipient: recipient}
	line := kind
	line.Category, line.Recipient = risk.Publish, ""
	examples := []fatigue.Example{
		{Row: 7, At: noon, Action: "a_7", Agent: "agt_2", AgentName: agent, Label: text, Recipient: recipient, Reason: "Sends a message in " + app + ".", Became: "approved"},
		{Row: 5, At: noon, Action: "a_5", Agent: agent, Object: recipient, Reason: text, Became: "refused by a person"},
	}
	quiet := asking(1)
	quiet.AskedPer100 = 1
	return &fatigue.Report{
		Stats: ledger.Stats{
			From: noon.Add(-24 * time.Hour), To: noon, All: asking(3), TasksBySession: 4, TasksByText: 1, NoTask: 2,
			Categories: []ledger.AskingGroup{{Name: "block_report", Asking: asking(2)}, {Name: "none", Asking: ledger.Asking{Actions: 100}}, {Name: "message", Asking: quiet}},
			Apps:       []ledger.AskingGroup{{Name: app, Asking: asking(3)}, {Asking: asking(1)}},
			Sources:    []ledger.AskingGroup{{Name: "CONTEXT_AWARE_GUARD", Asking: asking(3)}},
			Agents:     []ledger.AskingGroup{{Name: agent, ID: "agt_1", Asking: asking(3)}},
		},
		Habits: []fatigue.Habit{
			{Kind: kind, Approved: 24, First: noon.Add(-8 * time.Hour), Last: noon, Grant: &fatigue.Grant{Scope: kind.Scope(), Count: 6, For: time.Hour, Given: 4, Spared: 20, Of: 24}},
			{Kind: line, Approved: 21, First: noon, Last: noon, Line: &fatigue.Line{Package: "com.whatsapp", Category: risk.Publish, YAML: "apps:\n  com.whatsapp:\n    table: { publish: allow }\n", Spared: 21, Of: 21}, Besides: fatigue.Besides{Count: 1, Examples: examples[:1]}},
			{Kind: kind, Approved: 30, First: noon, Last: noon, Why: why, Besides: fatigue.Besides{Count: 9, Refused: 1, Examples: examples}},
		},
	}
}

func statsForTest(f Frame, text, by string) ([]byte, error) {
	choices := []Choice{{Name: "days", Label: "Time", Value: text, Values: []Value{{"7", "7 days"}}}, {Name: "by", Label: "By", Value: by, Values: ByValues()}}
	return Stats(f, reportForTest(text), by, choices, "The newest rows were read.")
}

func TestStatsLookAsTheyDid(t *testing.T) {
	drawn := map[string]func() ([]byte, error){
		"stats.html":       func() ([]byte, error) { return statsForTest(frameForTest(), "", ByCategory) },
		"stats-empty.html": func() ([]byte, error) { return Stats(frameForTest(), &fatigue.Report{}, ByApp, nil, "") },
	}
	rewrite := flag.Lookup("update").Value.String() == "true"
	for name, draw := range drawn {
		page, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Replace(strings.Replace(string(page), style, "…", 1), script, "…", 1)
		path := filepath.Join("testdata", name)
		if rewrite {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || got != string(want) {
			t.Errorf("%s differs from testdata (%v); look at what has changed, then run the test with -update\n%s", name, err, got)
		}
	}
	if len(drawn) != 2 {
		t.Errorf("%d pages", len(drawn))
	}
}

// Whatever an app, an agent or a recipient is called, the page consists of the
// same tags, has nothing on it that cannot be seen, and leads nowhere else. There
// is no button on it but the one that narrows the figures down.
func TestHostileStats(t *testing.T) {
	cases := 0
	for _, hostile := range hostileStrings {
		for _, by := range []string{ByCategory, ByApp, BySource, ByAgent} {
			page, err := statsForTest(frameForTest(), hostile, by)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := statsForTest(frameForTest(), harmless(hostile), by)
			if err != nil {
				t.Fatal(err)
			}
			got := bare(page)
			if !slices.Equal(skeleton(got), skeleton(bare(plain))) {
				t.Errorf("by %s: %.80q changes what the page consists of", by, hostile)
			}
			wantNoInvisible(t, values.ReplaceAllString(got, ""))
			wantOnlyOurAddresses(t, got)
			main := got[strings.Index(got, "<main"):strings.Index(got, "</main>")]
			if strings.Count(main, "<form") != 1 || strings.Count(main, "<button") != 1 || !strings.Contains(main, `method="get"`) || strings.Contains(main, "style=") {
				t.Errorf("by %s: the page has more than one form, or a style of its own", by)
			}
			cases++
		}
	}
	if cases != hostileCount*4 {
		t.Errorf("%d cases", cases)
	}
}

// The bars are in proportion, and nothing has none.
func TestBarsAreInProportion(t *testing.T) {
	groups := []ledger.AskingGroup{{Name: "a", Asking: ledger.Asking{AskedPer100: 40}}, {Name: "b", Asking: ledger.Asking{AskedPer100: 10}}, {Name: "c"}, {Name: "d", Asking: ledger.Asking{AskedPer100: 0.01}}}
	_, rows := statsTable(groups, ByApp)
	for i, want := range []string{"100.0", "25.0", "", "1.0"} {
		if rows[i].Bar != want {
			t.Errorf("the bar of %s is %q, want %q", rows[i].Name, rows[i].Bar, want)
		}
	}
}
