package answer_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// answerForm fills in a form of a question's card, as a person would: with what
// stands in its hidden fields.
func (w *world) answerForm(a approval.Approval, cookie string, change url.Values) response {
	w.t.Helper()
	page := w.page("/approvals/"+a.ID, cookie)
	path := "/approvals/" + a.ID + "/answer"
	fields := url.Values{"csrf": {field(w.t, page.body, path, "csrf")}, "digest": {a.Digest}}
	for name, values := range change {
		fields[name] = values
	}
	return w.do(form(host, path, cookie, fields))
}

func TestAnswerOnThePage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.send("lee")
	list := w.page("/", cookie)
	list.want(t, "the list", 200, "")
	if !strings.Contains(list.body, `href="/approvals/`+a.ID+`"`) || !strings.Contains(list.body, "Level: same user") {
		t.Errorf("the list: %s", list.body)
	}
	card := w.page("/approvals/"+a.ID, cookie)
	card.want(t, "the card", 200, "")
	if got := field(t, card.body, "/approvals/"+a.ID+"/answer", "digest"); got != a.Digest {
		t.Errorf("the card's form has the digest %s", got)
	}
	r := w.answerForm(a, cookie, url.Values{"answer": {"approve"}})
	if r.status != 303 || r.header.Get("Location") != "/approvals/"+a.ID {
		t.Fatalf("approve: %d to %q", r.status, r.header.Get("Location"))
	}
	got, err := w.store.Approval(ctx, a.ID)
	w.must(err)
	if got.State != approval.Approved || got.AnsweredBy != "kim" || got.How != "web" {
		t.Errorf("it is %s by %q, %q", got.State, got.AnsweredBy, got.How)
	}
	w.answerForm(a, cookie, url.Values{"answer": {"revoke"}, "note": {" no, wait "}}).want(t, "revoke", 303, "")
	if got, _ = w.store.Approval(ctx, a.ID); got.State != approval.Revoked || got.Note != "no, wait" {
		t.Errorf("taken back, and it is %s, %q", got.State, got.Note)
	}
	b := w.send("kit")
	w.answerForm(b, cookie, url.Values{"answer": {"deny"}, "note": {"not to kit"}}).want(t, "deny", 303, "")
	if got, _ = w.store.Approval(ctx, b.ID); got.State != approval.Denied || got.Note != "not to kit" {
		t.Errorf("denied, and it is %s, %q", got.State, got.Note)
	}
	if after := w.page("/", cookie); !strings.Contains(after.body, "No question is open") || !strings.Contains(after.body, "refused") {
		t.Errorf("the list afterwards: %s", after.body)
	}
}

// TestRefusedForms: what a page's form lacks leaves the question as it was.
func TestRefusedForms(t *testing.T) {
	w := newWorld(t)
	cookie, other := w.cookie(host, "kim"), w.cookie(host, "kim")
	a, critical := w.send("lee"), w.pay()
	token := w.registry.CSRF(cookie, "answer/"+a.ID)
	tests := []struct {
		name   string
		of     approval.Approval
		change url.Values
		want   int
	}{
		{"no CSRF token", a, url.Values{"csrf": nil}, 403},
		{"an empty one", a, url.Values{"csrf": {""}}, 403},
		{"another session's", a, url.Values{"csrf": {w.registry.CSRF(other, "answer/"+a.ID)}}, 403},
		{"another question's", a, url.Values{"csrf": {w.registry.CSRF(cookie, "answer/"+critical.ID)}}, 403},
		{"the API's", a, url.Values{"csrf": {w.registry.CSRF(cookie, "api")}}, 403},
		{"two", a, url.Values{"csrf": {token, token}}, 403},
		{"another question's digest", a, url.Values{"digest": {critical.Digest}}, 409},
		{"no digest", a, url.Values{"digest": nil}, 409},
		{"no answer", a, url.Values{"answer": nil}, 400},
		{"another answer", a, url.Values{"answer": {"release"}}, 400},
		{"a long note", a, url.Values{"note": {strings.Repeat("x", 501)}}, 400},
		{"critical, without the word", critical, nil, 400},
		{"critical, another word", critical, url.Values{"sure": {"no"}}, 400},
		{"critical, half a word", critical, url.Values{"sure": {"ye"}}, 400},
		{"not there", approval.Approval{ID: "a_nothing", Digest: a.Digest}, url.Values{"csrf": {w.registry.CSRF(cookie, "answer/a_nothing")}}, 404},
	}
	for _, tt := range tests {
		fields := url.Values{"csrf": {w.registry.CSRF(cookie, "answer/"+tt.of.ID)}, "digest": {tt.of.Digest}, "answer": {"approve"}}
		for name, values := range tt.change {
			fields[name] = values
		}
		r := w.do(form(host, "/approvals/"+tt.of.ID+"/answer", cookie, fields))
		r.want(t, tt.name, tt.want, "")
		if !strings.Contains(r.body, `role="alert"`) {
			t.Errorf("%s: the page does not say what was wrong", tt.name)
		}
	}
	if len(tests) != 15 {
		t.Errorf("%d cases, want 15", len(tests))
	}
	// In the address instead of the form nothing counts.
	inAddress := form(host, "/approvals/"+a.ID+"/answer?csrf="+url.QueryEscape(token)+"&answer=approve&digest="+url.QueryEscape(a.Digest), cookie, url.Values{})
	w.do(inAddress).want(t, "in the address", 403, "")
	w.do(request{method: "GET", path: inAddress.path, host: host, cookie: cookie}).want(t, "a link", 405, "")
	// Another port of the same name has the same cookie.
	port := form(host, "/approvals/"+a.ID+"/answer", cookie, url.Values{"csrf": {token}, "digest": {a.Digest}, "answer": {"approve"}})
	port.origin, port.header = "http://127.0.0.1:3000", nil
	w.do(port).want(t, "another port", 403, "")
	null := port
	null.origin = "null"
	w.do(null).want(t, "a null origin", 403, "")
	json := port
	json.origin, json.contentType, json.body = origin, "application/json", asJSON(t, answerTo(a))
	w.do(json).want(t, "JSON to the page", 415, "")
	if w.state(a.ID) != approval.Pending || w.state(critical.ID) != approval.Pending {
		t.Error("a refused form moved a question")
	}
	w.answerForm(critical, cookie, url.Values{"answer": {"approve"}, "sure": {" Yes "}}).want(t, "critical, with the word", 303, "")
	if w.state(critical.ID) != approval.Approved {
		t.Error("the word was typed, and the question was not approved")
	}
}

// TestLateOnThePage: a second and a late answer are told on the card.
func TestLateOnThePage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a, late := w.send("a"), w.send("b")
	path := "/approvals/" + a.ID + "/answer"
	fields := url.Values{"csrf": {w.registry.CSRF(cookie, "answer/"+a.ID)}, "digest": {a.Digest}, "answer": {"deny"}}
	w.do(form(host, path, cookie, fields)).want(t, "first", 303, "")
	fields.Set("answer", "approve")
	r := w.do(form(host, path, cookie, fields))
	r.want(t, "second", 409, "")
	if !strings.Contains(r.body, "Your answer was not taken") || strings.Contains(r.body, `value="approve"`) || w.state(a.ID) != approval.Denied {
		t.Errorf("the second answer: %s", r.body)
	}
	w.clock.pass(16 * time.Minute)
	fields = url.Values{"csrf": {w.registry.CSRF(cookie, "answer/"+late.ID)}, "digest": {late.Digest}, "answer": {"approve"}}
	r = w.do(form(host, "/approvals/"+late.ID+"/answer", cookie, fields))
	r.want(t, "late", 409, "")
	if !strings.Contains(r.body, "nobody refused it") || w.state(late.ID) != approval.Expired {
		t.Errorf("the late answer: %s", r.body)
	}
}

func TestFreezeOnThePage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.send("lee")
	list := w.page("/", cookie)
	w.do(form(host, "/freeze", cookie, url.Values{"note": {"x"}})).want(t, "no token", 403, "")
	w.do(form(host, "/freeze", cookie, url.Values{"csrf": {w.registry.CSRF(cookie, "unfreeze")}})).want(t, "the other form's token", 403, "")
	w.page("/freeze", cookie).want(t, "GET", 405, "")
	if w.state(a.ID) != approval.Pending {
		t.Fatal("a refused freeze took a question back")
	}
	w.do(form(host, "/freeze", cookie, url.Values{"csrf": {field(t, list.body, "/freeze", "csrf")}, "note": {"lunch"}})).want(t, "freeze", 303, "")
	list = w.page("/", cookie)
	if w.state(a.ID) != approval.Revoked || !strings.Contains(list.body, "FROZEN") || !strings.Contains(list.body, "lunch") {
		t.Errorf("frozen, and the list is %s", list.body)
	}
	w.do(form(host, "/unfreeze", cookie, url.Values{"csrf": {field(t, list.body, "/unfreeze", "csrf")}})).want(t, "unfreeze", 303, "")
	if list = w.page("/", cookie); strings.Contains(list.body, "FROZEN") || len(w.rows(ledger.KindUnfreeze)) != 1 {
		t.Errorf("unfrozen, and the list is %s", list.body)
	}
}

// TestOutside: whoever is not signed in learns how to, and nothing else.
func TestOutside(t *testing.T) {
	w := newWorld(t)
	a := w.send("lee")
	for _, path := range []string{"/", "/approvals/" + a.ID, "/approvals/a_nothing"} {
		r := w.page(path, "")
		r.want(t, path, 401, "")
		if !strings.Contains(r.body, "countersign sign-in") || strings.Contains(r.body, "lee") || !strings.Contains(r.body, `href="`+path+`"`) {
			t.Errorf("%s: %s", path, r.body)
		}
		token := w.do(request{method: "GET", path: path, host: host, token: w.kim})
		token.want(t, path+" with a token", 401, "")
		agent := w.do(request{method: "GET", path: path, host: host, token: w.robo})
		agent.want(t, path+" with an agent's token", 403, "")
		if !strings.Contains(agent.body, "agents cannot answer") {
			t.Errorf("%s: an agent is told %s", path, agent.body)
		}
	}
	cookie := w.cookie(host, "kim")
	w.page("/approvals/a_nothing", cookie).want(t, "not there", 404, "")
	w.page("/approvals", cookie).want(t, "no page", 404, "")
	odd := w.do(request{method: "GET", path: "/approvals/%22%3E%3Cscript%3E", host: host})
	if strings.Contains(odd.body, "<script") || strings.Contains(odd.body, `"><`+"script") {
		t.Errorf("the path comes back as it is: %s", odd.body)
	}
}

// TestHostileQuestion is report X07 through the real desk: what an agent says
// does nothing on the page, and the question waits.
func TestHostileQuestion(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	labels := []string{
		`Send <img src=x onerror="fetch('/approvals/a1/approve',{method:'POST'})">`,
		"Send [Approve](javascript:alert(1)) **safe**",
		"Send\u202e\u001b[2K\rCancel",
		"Send" + strings.Repeat("\u00a0", 300) + "and delete all photos",
	}
	for _, label := range labels {
		a := w.propose(&decide.Request{
			Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.whatsapp"}, Target: &decide.Target{Text: label},
			Task: label, LLM: decide.LLM{RequiresConfirmation: true, Reason: label},
		})
		for _, path := range []string{"/", "/approvals/" + a.ID} {
			r := w.page(path, cookie)
			r.want(t, path, 200, "")
			if strings.Contains(r.body, "<img") || strings.ContainsAny(r.body, "\u202e\u001b\r\u00a0") || strings.Contains(r.body, `href="javascript`) {
				t.Errorf("%q comes to life on %s", label, path)
			}
		}
		if w.state(a.ID) != approval.Pending {
			t.Errorf("%q: the question moved", label)
		}
		// In JSON it is data, without a character that a page would mind.
		if r := w.get("/v1/approvals/" + a.ID); strings.ContainsAny(r.body, "<>\u001b") || into[approval.Approval](t, r).Card.Label != label {
			t.Errorf("%q in JSON: %s", label, r.body)
		}
	}
	if len(labels) != 4 {
		t.Errorf("%d labels, want 4", len(labels))
	}
}
