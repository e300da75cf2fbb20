package e2e

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold/fatigue"
)

// The reports of kind ux, against a guard with its real doors, the page on a
// terminal of the size that they name, the web page and a webhook. Where the
// design wants something else than a report, uxDisagreements says what and why.
var uxDisagreements = map[string]string{
	"X05": "“Checkout” pays in some shops and opens a form in others, and the words alone do not say which; the guard asks, so a session that goes by that word has two questions",
}

// uxReport is a report's input, which must be about what the test tries.
func uxReport(t *testing.T, id, says string) report {
	t.Helper()
	r := readReports(t)[id]
	if !strings.Contains(r.body, says) {
		t.Fatalf("report %s does not say %q any more:\n%s", id, says, r.body)
	}
	return r
}

// squeezed is a text without its blanks and line ends: what was folded is whole
// again.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// unmarked is a text without the marks of the words that spoke.
var unmarked = strings.NewReplacer("⟦", "", "⟧", "", "<mark>", "", "</mark>", "").Replace

// choices reports whether the choices stand on the last line.
func choices(shown string) bool {
	last := shown[strings.LastIndexByte(shown, '\n')+1:]
	return strings.Contains(last, "[a]pprove") && strings.Contains(last, "[d]eny")
}

// hiddenCommand is the line of report X01, with so many characters before what it
// does.
func hiddenCommand(length int) string {
	return "echo " + strings.Repeat("x", length) + "; pm uninstall com.example.notes"
}

func TestReportX01TheDangerousPartIsSeen(t *testing.T) {
	uxReport(t, "X01", `"echo " + 380 chars + "; pm uninstall com.example.notes"`)
	h := openHouse(t)
	v := h.held(h.agent, map[string]any{"action": map[string]any{"kind": "shell", "shell": hiddenCommand(380)}})
	const part, length = "pm uninstall com.example.notes", "417 characters"

	d := watchOn(t, h.p.home, 80, 24)
	first := d.await("the card", choices)
	if !strings.Contains(first, part) || !strings.Contains(first, length) {
		t.Errorf("without scrolling the terminal shows\n%s", first)
	}
	if rest := squeezed(first + d.readOn(t)); !strings.Contains(rest, strings.Repeat("x", 380)) {
		t.Errorf("scrolling does not show all of the command:\n%s", rest)
	}

	page := h.page("/approvals/" + v.ID)
	above, scrolls, ok := strings.Cut(page, `class="scroll"`)
	if !ok || !strings.Contains(above, "<mark>"+part+"</mark>") || !strings.Contains(page, length) {
		t.Error("on the web page the part that matters does not stand above what scrolls, or the length is not said")
	}
	if !strings.Contains(scrolls, strings.Repeat("x", 380)) {
		t.Error("the web page does not have all of the command")
	}
}

// readOn scrolls to the end of the card, and returns what came up. The choices
// have to stay.
func (d *display) readOn(t *testing.T) string {
	t.Helper()
	var seen strings.Builder
	shown := d.await("the card", choices)
	for strings.Contains(ruleOf(shown), "↓") {
		before := ruleOf(shown)
		d.keys("\x1b[6~") // PgDn
		shown = d.await("the next lines", func(s string) bool { return ruleOf(s) != before })
		if !choices(shown) {
			t.Fatalf("the choices are gone:\n%s", shown)
		}
		seen.WriteString(shown + "\n")
	}
	return seen.String()
}

var ruleLine = regexp.MustCompile(`(?m)^── lines .*$`)

// ruleOf is the line that says how much of the card is seen.
func ruleOf(shown string) string { return ruleLine.FindString(shown) }

// labelled are the inputs of X03 and X07.
type labelled struct {
	Label, Note string
	Expect      struct {
		CardContains string `json:"card_contains"`
		Padding      bool   `json:"padding_marked"`
		Lines        int    `json:"card_lines_from_label"`
		Verdict      string
		HTML         string `json:"html_contains"`
		RenderedAs   string `json:"rendered_as"`
	}
}

func labelsOf(t *testing.T, id string, want int) []labelled {
	t.Helper()
	var list []labelled
	if err := json.Unmarshal([]byte(readReports(t)[id].body), &list); err != nil || len(list) != want {
		t.Fatalf("report %s has %d inputs, want %d: %v", id, len(list), want, err)
	}
	return list
}

// doubtedTap is a tap that is asked about whatever its label says.
func doubtedTap(pkg, label string) map[string]any {
	m := tap(pkg, label)
	m["llm"] = map[string]any{"requires_confirmation": true}
	return m
}

func TestReportX03NothingIsHidden(t *testing.T) {
	h := openHouse(t)
	told := h.webhook()
	inputs := labelsOf(t, "X03", 3)
	for _, in := range inputs {
		label := in.Label
		if in.Note == "imagine 300 NBSP" {
			label = strings.Replace(label, strings.Repeat("\u00a0", 12), strings.Repeat("\u00a0", 300), 1)
		}
		if in.Expect.Verdict != "" {
			alone := h.agent.propose(tap("com.example.gallery", label))
			if alone.Outcome != in.Expect.Verdict {
				t.Errorf("%q: %s, want %s", in.Label, alone.Outcome, in.Expect.Verdict)
			}
			h.agent.call("DELETE", "/v1/actions/"+alone.ID, nil)
			<-told
		}
		v := h.held(h.agent, doubtedTap("com.example.gallery", label))
		d := watchOn(t, h.p.home, 80, 24)
		outputs := map[string]string{
			"the terminal's page": d.await("the card", choices), "approvals show": h.command("approvals", "show", v.ID),
			"approvals list": h.command("approvals", "list"), "the web page": h.page("/approvals/" + v.ID), "the webhook": <-told,
		}
		if len(outputs) != 5 {
			t.Errorf("%d channels", len(outputs))
		}
		for where, out := range outputs {
			if got := harm(where, out); got != "" {
				t.Errorf("%q: %s", in.Label, got)
			}
			if where != "approvals list" { // a line for each
				checkLabel(t, where, out, &in)
			}
		}
		h.agent.call("DELETE", "/v1/actions/"+v.ID, nil)
	}
}

// checkLabel holds an output against what a report expects of a label.
func checkLabel(t *testing.T, where, out string, in *labelled) {
	t.Helper()
	want := in.Expect.CardContains
	out = unmarked(out)
	if where == "the webhook" {
		var message struct{ Data struct{ Control string } }
		if err := json.Unmarshal([]byte(out), &message); err != nil {
			t.Fatalf("%s: %v in %s", where, err, out)
		}
		out = message.Data.Control
	}
	if !strings.Contains(squeezed(out), squeezed(want)) {
		t.Errorf("%s does not say %q:\n%s", where, want, out)
	}
	if in.Expect.Padding && !strings.Contains(squeezed(out), "⟨300blanks⟩") {
		t.Errorf("%s does not say how many blanks there are:\n%s", where, out)
	}
	if in.Expect.Lines == 1 {
		head, tail, _ := strings.Cut(in.Label, "\u2028")
		for line := range strings.Lines(out) {
			if strings.Contains(line, tail) && !strings.Contains(line, head) {
				t.Errorf("%s: a part of the label begins a line of its own:\n%s", where, out)
			}
		}
		if !strings.Contains(out, head+`\u2028`+tail) {
			t.Errorf("%s does not spell the line break out:\n%s", where, out)
		}
	}
}

// webhook starts the guard again with a webhook, and hands on what it is told.
func (h *house) webhook() <-chan string {
	h.t.Helper()
	told := make(chan string, 64)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			body = []byte(err.Error())
		}
		told <- string(body)
	}))
	h.t.Cleanup(server.Close)
	files := map[string]string{
		daemon.ChannelsFile: "channels:\n  house: { kind: webhook, url: \"" + server.URL + "\", secret_file: house.secret }\n",
		"house.secret":      "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=\n",
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(h.p.home, name), []byte(content), 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	h.again()
	return told
}

// looking is a way of acting without a target.
func looking(pkg, kind string) map[string]any {
	return map[string]any{"action": map[string]any{"kind": kind}, "screen": map[string]any{"package": pkg}}
}

// shopping is a session of 20 steps that ends in an order.
func shopping(pkg string, change map[int]string) []map[string]any {
	search := map[string]any{"hint": "Search", "class": "android.widget.EditText", "focused": true}
	typing, enter := looking(pkg, "type"), looking(pkg, "key")
	typing["action"], typing["target"] = map[string]any{"kind": "type", "text": "running shoes"}, search
	enter["action"], enter["target"] = map[string]any{"kind": "key", "key": "ENTER"}, search
	steps := []map[string]any{
		looking(pkg, "launch"), tap(pkg, "Search"), typing, enter, looking(pkg, "scroll"), looking(pkg, "scroll"), tap(pkg, "Trail runner, 89.00 EUR"),
		tap(pkg, "Reviews"), looking(pkg, "scroll"), looking(pkg, "back"), tap(pkg, "Size 42"), tap(pkg, "Add to basket"), tap(pkg, "Basket"), looking(pkg, "screenshot"),
		tap(pkg, "Delivery"), tap(pkg, "Home address"), tap(pkg, "Standard delivery"), tap(pkg, "Next"), looking(pkg, "scroll"), tap(pkg, "Place order"),
	}
	for i, label := range change {
		steps[i] = tap(pkg, label)
	}
	return steps
}

func TestReportX05LookingIsFree(t *testing.T) {
	uxReport(t, "X05", `12 x scroll, 4 x back, open "Statements", open a row, screenshot, tap "Balance"`)
	uxReport(t, "X05", `20-step shop session ending in "Place order" EXPECT exactly 1 prompt`)
	const bank, shop = "com.example.bank", "com.example.shop"
	var reading []map[string]any
	for range 12 {
		reading = append(reading, looking(bank, "scroll"))
	}
	for range 4 {
		reading = append(reading, looking(bank, "back"))
	}
	row := tap(bank, "Grocer, 24.10 EUR")
	row["target"].(map[string]any)["role"] = "row"
	reading = append(reading, tap(bank, "Statements"), row, looking(bank, "screenshot"), tap(bank, "Balance"))
	sessions := []struct {
		name    string
		steps   []map[string]any
		prompts int64
		last    string // the outcome of the last step
	}{
		{"reading in a bank", reading, 0, "allow"},
		{"shopping", shopping(shop, nil), 1, "confirm"},
		{"shopping by a word that may pay", shopping(shop, map[int]string{14: "Checkout"}), 2, "confirm"}, // uxDisagreements
	}
	for _, s := range sessions {
		t.Run(s.name, func(t *testing.T) {
			apps := filepath.Join(t.TempDir(), "apps.yaml")
			if err := os.WriteFile(apps, []byte("apps:\n  "+bank+": HIGH\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			g := startGuard(t, func(o *daemon.Options) { o.Apps = apps })
			var last view
			for i, step := range s.steps {
				step["session"] = s.name
				last = g.agent.propose(step)
				if last.Outcome == "confirm" && i < len(s.steps)-1 {
					g.approve(last.ID)
				}
			}
			if len(s.steps) != 20 || last.Outcome != s.last {
				t.Errorf("%d steps, and the last one is %s", len(s.steps), last.Outcome)
			}
			report, err := fatigue.Measure(context.Background(), g.record(), fatigue.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a := &report.All; a.Actions != 20 || a.Asked != s.prompts || a.Tasks != 1 || a.AskedPerTask != float64(s.prompts) {
				t.Errorf("on record: %d actions, %d questions, %d tasks; want %d questions (%s)", a.Actions, a.Asked, a.Tasks, s.prompts, uxDisagreements["X05"])
			}
			list, err := g.owner.List(context.Background(), client.ListAll, 100)
			if err != nil || int64(len(list.Approvals)) != s.prompts {
				t.Errorf("%d prompts were put, %v", len(list.Approvals), err)
			}
		})
	}
	if len(sessions) != 3 {
		t.Errorf("%d sessions", len(sessions))
	}
}

func TestReportX07LabelsAreText(t *testing.T) {
	h := openHouse(t)
	inputs := labelsOf(t, "X07", 2)
	for _, in := range inputs {
		v := h.held(h.agent, doubtedTap("com.example.chat", in.Label))
		for _, path := range []string{"/", "/approvals/" + v.ID, "/history", "/actions?outcome=all"} {
			page := h.page(path)
			if strings.Contains(page, "<img src=x") || strings.Contains(page, "\x00") || regexp.MustCompile(`<a [^>]*javascript|<strong>safe|onerror="`).MatchString(page) {
				t.Errorf("%q comes to life on %s", in.Label, path)
			}
			if path == "/approvals/"+v.ID {
				if want := in.Expect.HTML; !strings.Contains(page, want) {
					t.Errorf("the card has no %q", want)
				}
				if in.Expect.RenderedAs == "plain text" && !strings.Contains(unmarked(page), in.Label) {
					t.Errorf("the card does not show %q as it is", in.Label)
				}
			}
			policy := h.do("GET", path, "").Header.Get("Content-Security-Policy")
			if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "script-src 'sha256-") || strings.Contains(policy, "unsafe") {
				t.Errorf("%s would run a script: %s", path, policy)
			}
		}
		if state := h.agent.state(v.ID).Approval.State; state != "pending" {
			t.Errorf("%q: the question is %s", in.Label, state)
		}
	}
}

// says is a display that says something.
func says(want string) func(string) bool {
	return func(shown string) bool { return strings.Contains(shown, want) }
}

// asked presses the key for a yes until the card has stood long enough for it to
// count, and the page asks whether it is meant. What came too soon is said, until
// something else is asked.
func (d *display) asked() {
	d.t.Helper()
	for {
		d.keys("a")
		shown := d.await("an answer to the key", func(s string) bool { return says("Approve this?")(s) || says("is dropped")(oneLine(s)) })
		if says("Approve this?")(shown) {
			return
		}
		d.keys("f")
		d.await("the question about the freeze", says("Freeze all agents?"))
		d.keys("n")
		d.await("the choices", choices)
	}
}

// oneLine is a text with its folds taken out.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestReportX09TheChoicesStay(t *testing.T) {
	uxReport(t, "X09", "card body 60 lines, terminal 80x24, then 40x12")
	sizes := [][2]int{{80, 24}, {40, 12}}
	for _, size := range sizes {
		h := openHouse(t)
		d := watchOn(t, h.p.home, size[0], size[1])
		d.await("the empty page", func(s string) bool { return strings.Contains(s, "0 open") })
		// Typed ahead, before there is a card; that the question about the freeze
		// shows tells that the keys before it were read.
		d.keys("ay\rf")
		d.await("the question about the freeze", says("Freeze all agents?"))
		d.keys("n")
		v := h.held(h.agent, map[string]any{"action": map[string]any{"kind": "shell", "shell": hiddenCommand(60 * (size[0] - 11))}})
		shown := d.await("the card", choices)
		if !strings.Contains(ruleOf(shown), "↓") {
			t.Errorf("%v: the card has no more lines than are seen: %s", size, ruleOf(shown))
		}
		all := squeezed(shown + d.readOn(t))
		if got := strings.Count(all, "x"); got < 60*(size[0]-11) {
			t.Errorf("%v: scrolling shows %d characters of %d", size, got, 60*(size[0]-11))
		}
		d.keys("\r\r\x1b[H") // Enter, and Home, which shows that the keys before it were read
		back := d.await("the top of the card", func(s string) bool { return strings.Contains(ruleOf(s), "lines 1 to") })
		d.asked()
		d.keys("\r")
		d.await("the choices again", choices)
		if state := h.agent.state(v.ID).Approval.State; state != "pending" {
			t.Errorf("%v: Enter or what was typed ahead answered it: %s\n%s", size, state, back)
		}
		d.asked()
		d.keys("y")
		if now := h.agent.call("GET", "/v1/actions/"+v.ID+"?wait=60s", nil); now.Approval.State != "approved" {
			t.Errorf("%v: a and y do not approve it: %s", size, now.Approval.State)
		}
	}
	if len(sizes) != 2 {
		t.Errorf("%d sizes", len(sizes))
	}
}
