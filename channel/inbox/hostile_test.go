package inbox

import (
	"encoding/json"
	"fmt"
	"html"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// hostileStrings are what an agent, a screen or a file may say.
var hostileStrings = []string{
	// markup
	`<img src=x onerror="fetch('/approvals/a1/approve',{method:'POST'})">`,
	`<script>alert(1)</script>`,
	`"><script>alert(1)</script>`,
	`'><svg/onload=alert(1)>`,
	`</bdi></dd></dl><form action="https://attacker.example"><button>Approve</button></form>`,
	`</title><meta http-equiv="refresh" content="0;url=https://attacker.example">`,
	`</style><style>*{display:none}`,
	`--><!-- <base href="https://attacker.example/">`,
	`<!--`,
	`]]>`,
	`<![CDATA[x]]>`,
	`<?xml version="1.0"?>`,
	`</script><script src=//attacker.example>`,
	`<iframe srcdoc="<p>Approve</p>">`,
	`<a href="javascript:alert(1)">Approve</a>`,
	`<math><mtext></mtext><mglyph><style><!--</style><img title="--><img src=x onerror=alert(1)>">`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
	`<textarea></textarea><button autofocus onfocus=alert(1)>`,
	`<details open ontoggle=alert(1)>`,
	`<input name="sure" value="yes">`,
	`<input type=hidden name=csrf value=x>`,
	`<p id="standing" data-state="approved">`,
	strings.Repeat("<p>", 400),
	strings.Repeat(`"`, 300),
	"<",
	">",
	"&",
	"&lt;b&gt;",
	"&#60;script&#62;",
	"&amp;lt;",
	// attributes and addresses
	`' onmouseover='alert(1)`,
	`" autofocus onfocus="alert(1)`,
	"`onload=alert(1)",
	"javascript:alert(1)",
	"data:text/html,<script>alert(1)</script>",
	"//attacker.example/a",
	"https://attacker.example/?" + strings.Repeat("a", 500),
	`\\attacker.example\share`,
	"../../etc/passwd",
	"%3Cscript%3E",
	// what templates and other formats make something of
	`{{.CSRF}}{{template "top" .}}`,
	"${7*7}",
	"[Approve](javascript:alert(1)) **safe**",
	`=cmd|' /C calc'!A0`,
	`{"approved":true}`,
	"%s%d%n%!v",
	`\u003cscript\u003e`,
	`a\nb\tc\\`,
	// what cannot be seen, or turns round what can
	"\u202e<b>\u001b[31m\u2028" + strings.Repeat("\u00a0", 400) + "</b>",
	"safe\u202egnp.exe",
	"\u2066\u2067\u2068\u2069",
	"a\u200bb\u200ec\u200fd\ufeffe",
	"\u001b[2J\u001b]0;title\u0007",
	"\r\u0085\u000b\u000c",
	"\u2028\u2029",
	"\x00\x01\x7f\u009f",
	"\u3164\u115f\u1160\uffa0",
	"\u034f\u17b4\u17b5",
	"\U000e0041\U000e0042\U000e007f",
	"\ue000\U000f0000",
	"bad\xff\xc3\x28utf8",
	strings.Repeat(" ", 300) + "and delete all photos",
	strings.Repeat("\u3000", 50) + "x",
	"a\n<hr>\n\n\n\n\nb",
	strings.Repeat("\n", 200) + "end",
	strings.Repeat("word ", 900),
	"Ａｐｐｒｏｖｅ", // wide letters
	"Αpprove", // a Greek letter
	strings.Repeat("e\u0301\u0302\u0303", 100),
	"👩\u200d👩\u200d👧 می\u200cخواهم",
	"שלום <b> עולם",
}

const hostileCount = 71

// leaf is one string of a value, found by reflection, so that a field that is
// added later is tried as well.
type leaf struct {
	path string
	v    reflect.Value
}

// leaves are the strings of a value. Pointers are filled in, and lists have two
// elements.
func leaves(path string, v reflect.Value) (out []leaf) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return leaves(path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				out = append(out, leaves(path+"."+v.Type().Field(i).Name, v.Field(i))...)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			out = append(out, leaves(fmt.Sprintf("%s[%d]", path, i), v.Index(i))...)
		}
	case reflect.String:
		return []leaf{{path, v}}
	}
	return out
}

// filled is a question with a text in every one of its strings.
func filled(t *testing.T, text func(path string) string) approval.Approval {
	t.Helper()
	a := payment()
	all := leaves("", reflect.ValueOf(&a).Elem())
	if len(all) < 40 {
		t.Fatalf("%d strings were found, there are more", len(all))
	}
	for _, l := range all {
		l.v.SetString(text(l.path))
	}
	a.Card.Critical, a.Card.Evidence = true, a.Card.Evidence[:1]
	return a
}

var values = regexp.MustCompile(`="[^"]*"`)

// bare is a page without the style sheet and the script, which are ours.
func bare(page []byte) string {
	return strings.Replace(strings.Replace(string(page), style, "", 1), script, "", 1)
}

// skeleton is what a page is made of: its tags with the names of their
// attributes, without the values.
func skeleton(page string) []string {
	var out []string
	for _, tag := range tags.FindAllString(page, -1) {
		out = append(out, values.ReplaceAllString(tag, ""))
	}
	return out
}

// harmless is a text of the same shape without anything that means something in a
// page: as long, the line breaks and blanks in the same places.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == ' ' || r == '\u00a0' || r == '\u3000' {
			return r
		}
		return 'x'
	}, s)
}

func historyForTest(f Frame, text string) ([]byte, error) {
	a, b := payment(), payment()
	b.State, b.AnsweredBy, b.How, b.AnsweredAt, b.SettledAt = approval.Denied, "kim", "web", noon, noon
	if text != "" {
		a.Card.AgentReason, a.Card.App, a.Card.Package, b.AnsweredBy, b.How = text, text, text, text, text
	}
	choices := []Choice{
		{Name: "app", Label: "App", Value: text, Hints: []string{"PayPal", text}},
		{Name: "category", Label: "Consequence", Value: "money", Values: CategoryValues()},
		{Name: "state", Label: "State", Value: text, Values: StateValues()},
	}
	return History(f, []Past{{Approval: a}, {Approval: b, Label: "needless"}}, "/history?app=x", choices, Pages{Newer: "/history?page=1", Older: "/history?page=3", Note: "Older ones are not looked through."})
}

func actionsForTest(f Frame, text string) ([]byte, error) {
	if text == "" {
		text = "Opens, selects or moves on; nothing leaves the screen in Gmail (HIGH)."
	}
	allowed := ledger.Decision{ActionID: "a_1", Outcome: risk.Allow, Reason: text, App: ledger.App{Package: text, Tier: risk.High}, Agent: text, DecidedBy: text}
	asked := ledger.Decision{ActionID: "a_2", Outcome: risk.Confirm, Category: risk.Money, Reason: text, Approval: "a_2"}
	return Actions(f, []Action{{Seq: 7, At: noon, Decision: allowed}, {Seq: 8, At: noon, Decision: asked, Label: "needless"}}, "/actions?app=x", nil, Pages{Older: "/actions?before=7"})
}

func recordForTest(f Frame, text string) ([]byte, error) {
	if text == "" {
		text = "send the notice"
	}
	row := func(seq int64, kind ledger.Kind, body any) ledger.Row {
		doc, err := json.Marshal(body)
		if err != nil {
			return ledger.Row{Seq: seq, Kind: kind, Body: json.RawMessage(text)}
		}
		return ledger.Row{Seq: seq, At: noon, Kind: kind, Subject: "a_1", Body: doc}
	}
	return Record(f, "a_1", "", []ledger.Row{
		row(1, ledger.KindDecision, ledger.Decision{Outcome: risk.Allow, Task: text}), row(2, ledger.KindResult, ledger.Result{OK: true, Note: text}),
		{Seq: 3, At: noon, Kind: "odd", Body: json.RawMessage(text)},
	})
}

// pagesWith are all pages that show what somebody else has said.
func pagesWith(f Frame, a approval.Approval, text string) map[string]func() ([]byte, error) {
	last := payment()
	last.SettledAt = noon.Add(-time.Hour)
	return map[string]func() ([]byte, error){
		"card": func() ([]byte, error) {
			return Card(f, Question{Approval: a, Notice: text, Type: text, Last: &last, Picture: seenForTest})
		},
		"list": func() ([]byte, error) {
			return listed(f, Listing{Open: []approval.Approval{a}, Settled: []approval.Approval{a}, Version: "v"})
		},
		"cut": func() ([]byte, error) {
			b, err := drawBoard(noon, Listing{Open: []approval.Approval{a, a}, Version: "v"}, 1)
			if err != nil {
				return nil, err
			}
			return List(f, b)
		},
		"state":   func() ([]byte, error) { return State(f, a) },
		"history": func() ([]byte, error) { return historyForTest(f, text) },
		"actions": func() ([]byte, error) { return actionsForTest(f, text) },
		"record":  func() ([]byte, error) { return recordForTest(f, text) },
		"problem": func() ([]byte, error) { return Problem(f, text, text) },
		"message": func() ([]byte, error) { return Message(text, text) },
		"sign":    func() ([]byte, error) { return SignIn(Sign{Problem: text, Ticket: text}) },
	}
}

// TestHostilePages: with any text in every string that it shows, a page consists
// of the same tags as with a harmless one of the same shape, has nothing on it
// that cannot be seen, and leads nowhere else.
func TestHostilePages(t *testing.T) {
	cases := 0
	for _, hostile := range hostileStrings {
		for _, state := range []approval.State{approval.Pending, approval.Approved, approval.Expired} {
			a := filled(t, func(string) string { return hostile })
			b := filled(t, func(string) string { return harmless(hostile) })
			a.State, b.State = state, state
			f := frameForTest()
			f.Seen = hostile
			f.Freeze = hold.Freeze{Frozen: true, By: hostile, Note: hostile, At: noon}
			f.Approver, f.Level, f.LevelWhy, f.Version, f.Policy = hostile, hostile, hostile, hostile, hostile
			plain := pagesWith(f, b, harmless(hostile))
			for what, draw := range pagesWith(f, a, hostile) {
				if state != approval.Pending && !slices.Contains([]string{"card", "list", "state"}, what) {
					continue // it shows no question
				}
				page, err := draw()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				same, err := plain[what]()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				got, want := bare(page), bare(same)
				if !slices.Equal(skeleton(got), skeleton(want)) {
					t.Errorf("%s, %s: %.80q changes what the page consists of", what, state, hostile)
				}
				// A digest goes back as it came, in a field that nobody sees.
				wantNoInvisible(t, values.ReplaceAllString(got, ""))
				wantOnlyOurAddresses(t, got)
				cases++
			}
		}
	}
	if want := hostileCount * (10 + 2*3); cases != want || len(hostileStrings) != hostileCount {
		t.Errorf("%d cases of %d strings, want %d", cases, len(hostileStrings), want)
	}
}

// unshown are the strings of a question that its card does not print as such:
// those that are words of ours, or are for the machine.
var unshown = regexp.MustCompile(`^\.(Intent|Similar|Card\.Evidence.*|Card\.Bound.*|Card\.Role|Code|How)$`)

// TestEveryFieldIsShown: each string of a question stands on its card whole, and
// spelled out, whatever it is.
func TestEveryFieldIsShown(t *testing.T) {
	cases := 0
	for n, hostile := range hostileStrings {
		mark := func(path string) string { return fmt.Sprintf("q%dz%x", n, []byte(path)) }
		a := filled(t, func(path string) string { return mark(path) + hostile + mark(path) })
		a.State, a.Card.Category = approval.Approved, risk.Message
		page := drawn(t, a)
		seen := html.UnescapeString(tags.ReplaceAllString(page, ""))
		for _, l := range leaves("", reflect.ValueOf(&a).Elem()) {
			if unshown.MatchString(l.path) {
				continue
			}
			cases++
			whole := mark(l.path) + hostile + mark(l.path)
			inOneLine, asLines := spell(whole), shown(lines(whole))
			if !strings.Contains(seen, inOneLine) && !strings.Contains(seen, asLines) {
				t.Errorf("%s is not on the card as %.120q", l.path, inOneLine)
			}
		}
	}
	if want := hostileCount * 32; cases != want {
		t.Errorf("%d cases, want %d: a field was added or left out", cases, want)
	}
}

var addresses = regexp.MustCompile(`(?:href|action|src|srcset|content)="([^"]*)"`)

func wantOnlyOurAddresses(t *testing.T, page string) {
	t.Helper()
	for _, found := range addresses.FindAllStringSubmatch(page, -1) {
		ours := strings.HasPrefix(found[1], "/") && !strings.HasPrefix(found[1], "//") || found[1] == "#main"
		if !ours && !slices.Contains([]string{"width=device-width, initial-scale=1", "light dark", "noindex", "5"}, found[1]) {
			t.Errorf("the page leads to %q", found[1])
		}
	}
}
