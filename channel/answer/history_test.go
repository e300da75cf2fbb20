package answer_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// askAs puts a question of an agent's.
func (w *world) askAs(agent, pkg, label string) approval.Approval {
	w.t.Helper()
	ticket, err := w.desk.Propose(ctx, hold.Proposal{Agent: "agt_" + agent, AgentName: agent, Request: &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: pkg}, Target: &decide.Target{Text: label},
	}})
	w.must(err)
	return *ticket.Approval
}

// allowed proposes something that needs no question, and returns its id.
func (w *world) allowed(label string) string {
	w.t.Helper()
	ticket, err := w.desk.Propose(ctx, hold.Proposal{Agent: "agt_test", AgentName: "robo", Request: &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.whatsapp"}, Target: &decide.Target{Text: label},
	}})
	w.must(err)
	if ticket.Outcome != risk.Allow {
		w.t.Fatalf("%q is not allowed: %s", label, ticket.Outcome)
	}
	return ticket.ID
}

var links = regexp.MustCompile(`<a class="to" href="/approvals/([^"/]+)(?:/record)?">`)

// listedIn are the ids that a page lists, in order.
func listedIn(page string) []string {
	var ids []string
	for _, found := range links.FindAllStringSubmatch(page, -1) {
		ids = append(ids, found[1])
	}
	return ids
}

func TestHistoryFilters(t *testing.T) {
	w := newWorld(t)
	old := w.askAs("errands", "com.whatsapp", "Send to old")
	w.post("/v1/approvals/"+old.ID+"/deny", answerTo(old)).want(t, "deny", 200, "")
	w.clock.pass(10 * 24 * time.Hour)
	cookie := w.cookie(host, "kim")
	sent := w.askAs("errands", "com.whatsapp", "Send to lee")
	w.post("/v1/approvals/"+sent.ID+"/approve", answerTo(sent)).want(t, "approve", 200, "")
	mail := w.askAs("clerk", "com.google.android.gm", "Send")
	paid := w.askAs("clerk", "com.paypal.android.p2pmobile", "Pay now")
	name := map[string]string{old.ID: "old", sent.ID: "sent", mail.ID: "mail", paid.ID: "paid"}
	tests := []struct{ query, want string }{
		{"", "paid mail sent"},
		{"days=all", "paid mail sent old"},
		{"days=1", "paid mail sent"},
		{"days=30&state=denied", "old"},
		{"state=approved", "sent"},
		{"state=pending", "paid mail"},
		{"category=money", "paid"},
		{"category=message", "mail sent"},
		{"app=whatsapp", "sent"},
		{"app=COM.GOOGLE", "mail"},
		{"app=PayPal", "paid"},
		{"approver=kim&days=all", "sent old"},
		{"approver=nobody", ""},
		{"agent=clerk", "paid mail"},
		{"agent=errands&days=all&state=denied&category=message&app=whatsapp&approver=kim", "old"},
		{"page=2", ""},
	}
	for _, tt := range tests {
		r := w.page("/history?"+tt.query, cookie)
		r.want(t, tt.query, 200, "")
		var got []string
		for _, id := range listedIn(r.body) {
			got = append(got, name[id])
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.query, got, tt.want)
		}
	}
	bad := []string{"state=none", "state=%3Cscript%3E", "category=x", "days=-1", "days=x", "page=0", "page=-1", "page=x", "page=99999999999999999999"}
	for _, query := range bad {
		if r := w.page("/history?"+query, cookie); r.status != 400 || strings.Contains(r.body, "<script>x") {
			t.Errorf("%s: %d", query, r.status)
		}
	}
	if len(tests) != 16 || len(bad) != 9 {
		t.Errorf("%d and %d cases, want 16 and 9", len(tests), len(bad))
	}
	hostile := w.page("/history?"+url.Values{"app": {`"><script>alert(1)</script>`}, "agent": {"a\u202eb"}}.Encode(), cookie)
	if strings.Contains(hostile.body, "<script>alert") || strings.Contains(hostile.body, "\u202e") || !strings.Contains(hostile.body, `value="&#34;&gt;&lt;script&gt;`) {
		t.Error("what is looked for comes back as markup")
	}
}

// TestHistoryPages: page after page, every question stands on one of them once.
func TestHistoryPages(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	want := map[string]bool{}
	for i := range 120 {
		a := w.askAs(fmt.Sprintf("agent%d", i/20), "com.whatsapp", fmt.Sprintf("Send to %d", i))
		w.clock.pass(time.Millisecond)
		want[a.ID] = true
	}
	path, pages := "/history?agent=agent", 0
	for path != "" && pages < 10 {
		pages++
		r := w.page(path, cookie)
		for _, id := range listedIn(r.body) {
			if !want[id] {
				t.Errorf("%s lists %s, which another page has", path, id)
			}
			delete(want, id)
		}
		path = ""
		if found := regexp.MustCompile(`<a href="([^"]+)" rel="next">`).FindStringSubmatch(r.body); found != nil {
			path = strings.ReplaceAll(found[1], "&amp;", "&")
			if !strings.Contains(path, "agent=agent") {
				t.Errorf("the next page is %s, without what was looked for", path)
			}
		}
	}
	if pages != 3 || len(want) != 0 {
		t.Errorf("%d pages, and %d questions on none", pages, len(want))
	}
}

// TestRecordOnThePage: the rows about a question, in order, as text.
func TestRecordOnThePage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.propose(&decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.whatsapp"}, Target: &decide.Target{Text: "Send"}, Task: "<b>\u202e\u001b[2J",
	})
	w.answerForm(a, cookie, url.Values{"answer": {"deny"}, "note": {"not now"}}).want(t, "deny", 303, "")
	card := w.page("/approvals/"+a.ID, cookie)
	if !strings.Contains(card.body, `href="/approvals/`+a.ID+`/record"`) || !strings.Contains(card.body, "It took") {
		t.Error("the card has no link to its rows, or does not say how long the answer took")
	}
	r := w.page("/approvals/"+a.ID+"/record", cookie)
	rows, err := w.store.About(ctx, a.ID)
	w.must(err)
	at := 0
	for _, row := range rows {
		head := fmt.Sprintf("Row %d, %s,", row.Seq, row.Kind)
		i := strings.Index(r.body[at:], head)
		if i < 0 {
			t.Fatalf("%q is not there, or not in its place", head)
		}
		at += i
	}
	if len(rows) != 3 || strings.Count(r.body, "<pre ") != 3 {
		t.Errorf("%d rows, %d shown, want 3", len(rows), strings.Count(r.body, "<pre "))
	}
	for _, want := range []string{"&#34;note&#34;: &#34;not now&#34;", "&lt;b&gt;", `\u202e`} {
		if !strings.Contains(r.body, want) {
			t.Errorf("the rows lack %s", want)
		}
	}
	if strings.ContainsAny(r.body, "\u202e\u001b") {
		t.Error("something on the page cannot be seen")
	}
	w.page("/approvals/a_nothing/record", cookie).want(t, "no such action", 404, "")
}

// TestActions: what was allowed without a question is listed, the newest first,
// page after page.
func TestActions(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	var ids []string
	for i := range 70 {
		ids = append(ids, w.allowed(fmt.Sprintf("Photo %d", i)))
	}
	asked := w.send("lee")
	first := w.page("/actions", cookie)
	got := listedIn(first.body)
	next := regexp.MustCompile(`<a href="(/actions\?[^"]+)" rel="next">`).FindStringSubmatch(first.body)
	if len(got) != 50 || got[0] != ids[69] || next == nil {
		t.Fatalf("%d actions from %v, next %v", len(got), got[:min(1, len(got))], next)
	}
	second := w.page(strings.ReplaceAll(next[1], "&amp;", "&"), cookie)
	got = append(got, listedIn(second.body)...)
	for i, id := range got {
		if id != ids[len(ids)-1-i] {
			t.Fatalf("action %d is %s, want %s", i, id, ids[len(ids)-1-i])
		}
	}
	if len(got) != 70 || strings.Contains(second.body, `rel="next"`) || !strings.Contains(second.body, `rel="prev"`) {
		t.Errorf("%d actions on two pages", len(got))
	}
	if all := listedIn(w.page("/actions?outcome=all", cookie).body); all[0] != asked.ID {
		t.Errorf("of all actions the newest is %s, want %s", all[0], asked.ID)
	}
	if confirm := listedIn(w.page("/actions?outcome=confirm&category=message&app=whatsapp", cookie).body); len(confirm) != 1 || confirm[0] != asked.ID {
		t.Errorf("asked: %v", confirm)
	}
	for _, query := range []string{"outcome=x", "category=x", "before=0", "before=x"} {
		w.page("/actions?"+query, cookie).want(t, query, 400, "")
	}
}

// labels are the rows of labels about an action.
func (w *world) labels(id string) (out []ledger.Label) {
	w.t.Helper()
	rows, err := w.store.About(ctx, id)
	w.must(err)
	for _, row := range rows {
		if l, err := row.Label(); err == nil {
			out = append(out, l)
		}
	}
	return out
}

// label presses a button that says of a decision that it was wrong.
func (w *world) label(id, cookie, say, back string) response {
	w.t.Helper()
	return w.do(form(host, "/approvals/"+id+"/label", cookie, url.Values{"csrf": {w.registry.CSRF(cookie, "label/"+id)}, "label": {say}, "back": {back}}))
}

// TestLabels: one press records what a person says of a decision, and leads back.
func TestLabels(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	passed, asked := w.allowed("Photo"), w.send("lee")

	page := w.page("/actions", cookie)
	if got := field(t, page.body, "/approvals/"+passed+"/label", "csrf"); got != w.registry.CSRF(cookie, "label/"+passed) {
		t.Errorf("the form's token is %q", got)
	}
	r := w.label(passed, cookie, "missed", "/actions?app=whatsapp")
	r.want(t, "missed", 303, "")
	if to := r.header.Get("Location"); to != "/actions?app=whatsapp#"+passed {
		t.Errorf("back to %s", to)
	}
	if got := w.labels(passed); len(got) != 1 || got[0] != (ledger.Label{By: "kim", Should: "confirm", Category: "other"}) {
		t.Errorf("recorded: %+v", got)
	}
	w.label(passed, cookie, "missed", "").want(t, "again", 303, "")
	if got := w.labels(passed); len(got) != 1 {
		t.Errorf("said twice, recorded %d times", len(got))
	}
	if page = w.page("/actions", cookie); !strings.Contains(page.body, "Marked: should have asked.") {
		t.Error("the page does not say what was said")
	}
	w.label(passed, cookie, "right", "record").want(t, "taken back", 303, "")
	if page = w.page("/approvals/"+passed+"/record", cookie); strings.Contains(page.body, "Marked") || len(w.labels(passed)) != 2 || w.labels(passed)[1].Should != "allow" {
		t.Errorf("taken back: %+v", w.labels(passed))
	}

	r = w.label(asked.ID, cookie, "needless", "")
	if got := w.labels(asked.ID); r.status != 303 || r.header.Get("Location") != "/approvals/"+asked.ID || len(got) != 1 || got[0].Should != "allow" || got[0].Category != "none" {
		t.Errorf("needless: %d to %q, recorded %+v", r.status, r.header.Get("Location"), got)
	}
	if card := w.page("/approvals/"+asked.ID, cookie); !strings.Contains(card.body, "Marked: needless.") {
		t.Error("the card does not say what was said")
	}
	if w.state(asked.ID) != approval.Pending {
		t.Error("a label moved the question")
	}
	list := w.page("/history?category=message", cookie)
	if !strings.Contains(list.body, "Marked: needless.") || field(t, list.body, "/approvals/"+asked.ID+"/label", "back") != "/history?category=message" {
		t.Error("the history does not say what was said, or where its buttons lead back")
	}
	if to := w.label(asked.ID, cookie, "right", "/history?category=message&x=").header.Get("Location"); to != "/history?category=message#"+asked.ID {
		t.Errorf("from the history back to %s", to)
	}
}

func TestRefusedLabels(t *testing.T) {
	w := newWorld(t)
	cookie, other := w.cookie(host, "kim"), w.cookie(host, "kim")
	passed, asked := w.allowed("Photo"), w.send("lee")
	csrf := w.registry.CSRF(cookie, "label/"+passed)
	tests := []struct {
		name   string
		id     string
		fields url.Values
		want   int
	}{
		{"no token", passed, url.Values{"label": {"missed"}}, 403},
		{"another session's", passed, url.Values{"label": {"missed"}, "csrf": {w.registry.CSRF(other, "label/"+passed)}}, 403},
		{"another action's", passed, url.Values{"label": {"missed"}, "csrf": {w.registry.CSRF(cookie, "label/"+asked.ID)}}, 403},
		{"the answer's", passed, url.Values{"label": {"missed"}, "csrf": {w.registry.CSRF(cookie, "answer/"+passed)}}, 403},
		{"no label", passed, url.Values{"csrf": {csrf}}, 400},
		{"another word", passed, url.Values{"csrf": {csrf}, "label": {"allow"}}, 400},
		{"needless, of what was allowed", passed, url.Values{"csrf": {csrf}, "label": {"needless"}}, 409},
		{"missed, of what was asked", asked.ID, url.Values{"csrf": {w.registry.CSRF(cookie, "label/"+asked.ID)}, "label": {"missed"}}, 409},
		{"no such action", "a_nothing", url.Values{"csrf": {w.registry.CSRF(cookie, "label/a_nothing")}, "label": {"missed"}}, 404},
	}
	for _, tt := range tests {
		w.do(form(host, "/approvals/"+tt.id+"/label", cookie, tt.fields)).want(t, tt.name, tt.want, "")
	}
	if len(tests) != 9 {
		t.Errorf("%d cases, want 9", len(tests))
	}
	w.page("/approvals/"+passed+"/label", cookie).want(t, "GET", 405, "")
	if len(w.labels(passed))+len(w.labels(asked.ID)) != 0 {
		t.Error("a refused label was recorded")
	}
	// Where the form says to go back to leads nowhere else.
	for _, back := range []string{"https://attacker.example/", "//attacker.example", "/actions//attacker.example", "/history@attacker.example", "/history?x", "/actionsx", "/actions#x", "/approvals/x", "/actions?a=%0d%0aSet-Cookie:x", "\\\\attacker.example"} {
		to := w.label(passed, cookie, "right", back).header.Get("Location")
		at, err := url.Parse(to)
		if err != nil || at.Host != "" || at.Path != "/actions" && at.Path != "/history" && at.Path != "/approvals/"+passed+"/record" {
			t.Errorf("%q leads to %q", back, to)
		}
	}
}

// TestWithoutARecord: where there is none to show, the pages say so and the
// others work.
func TestWithoutARecord(t *testing.T) {
	w := newWorld(t, func(o *answer.Options) { o.Record = nil })
	cookie := w.cookie(host, "kim")
	a := w.send("lee")
	for path, want := range map[string]int{
		"/": 200, "/approvals/" + a.ID: 200, "/history": 200, "/actions": 501, "/approvals/" + a.ID + "/record": 501,
	} {
		w.page(path, cookie).want(t, path, want, "")
	}
}
