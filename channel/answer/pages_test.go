package answer_test

import (
	"net/http"
	"net/url"
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

// payTree is a payment of 1,249.00 EUR.
func payTree() *decide.Request {
	x, y := 500, 2200
	return &decide.Request{
		Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y},
		Screen: &decide.Screen{Package: "com.paypal.android.p2pmobile", Width: 1080, Height: 2400, Tree: `<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="com.paypal.android.p2pmobile" bounds="[0,0][1080,2400]">` +
			`<node text="€1,249.00" class="android.widget.TextView" package="com.paypal.android.p2pmobile" bounds="[0,300][1080,400]"/>` +
			`<node text="Pay now" class="android.widget.Button" package="com.paypal.android.p2pmobile" clickable="true" enabled="true" bounds="[0,2100][1080,2300]"/></node></hierarchy>`},
	}
}

// TestTypeAbove: above the limit a yes on the page takes the amount or the app,
// whatever the page or its script sends instead, by the form and by the API.
func TestTypeAbove(t *testing.T) {
	w := newWorld(t, func(o *answer.Options) { o.TypeAbove = map[string]string{"*": "1000"} })
	cookie := w.cookie(host, "kim")
	a := w.propose(payTree())
	card := w.page("/approvals/"+a.ID, cookie)
	if !strings.Contains(card.body, `To approve, type <bdi>“1249.00” or “PayPal”</bdi>`) || !strings.Contains(card.body, `name="typed" required`) || strings.Contains(card.body, `name="sure"`) {
		t.Error("the card does not ask for the amount")
	}
	for _, typed := range []url.Values{
		{}, {"sure": {"yes"}}, {"typed": {""}}, {"typed": {"yes"}}, {"typed": {"1249.01"}}, {"typed": {"WhatsApp"}}, {"typed": {"", "1249.00"}},
	} {
		typed.Set("answer", "approve")
		r := w.answerForm(a, cookie, typed)
		if r.status != 400 || !strings.Contains(r.body, "to approve this one, type “1249.00” or “PayPal”") {
			t.Errorf("%v: %d", typed, r.status)
		}
	}
	csrf := into[standing](t, w.page("/v1/status", cookie)).CSRF
	api := func(body map[string]string) response {
		return w.do(request{method: "POST", path: "/v1/approvals/" + a.ID + "/approve", host: host, origin: origin, contentType: "application/json", cookie: cookie,
			body: asJSON(t, body), header: http.Header{"Countersign-Csrf": {csrf}}})
	}
	api(answerTo(a)).want(t, "the API with a cookie", 400, "not_typed")
	if w.state(a.ID) != approval.Pending {
		t.Fatal("a yes without the amount counted")
	}
	// A program of the approver's has its own way of asking.
	w.answerForm(a, cookie, url.Values{"answer": {"approve"}, "typed": {" eur 1249 "}}).want(t, "typed", 303, "")
	if w.state(a.ID) != approval.Approved {
		t.Error("the amount was typed, and the question was not approved")
	}
	small := payTree()
	small.Screen.Tree = strings.Replace(small.Screen.Tree, "1,249.00", "12.00", 1)
	c := w.propose(small)
	w.answerForm(c, cookie, url.Values{"answer": {"approve"}, "sure": {"yes"}}).want(t, "below the limit", 303, "")
}

// TestTypedByTheAPI: with a cookie the API takes the same word as the page.
func TestTypedByTheAPI(t *testing.T) {
	w := newWorld(t, func(o *answer.Options) { o.TypeAbove = map[string]string{"EUR": "1000"} })
	cookie := w.cookie(host, "kim")
	a := w.propose(payTree())
	csrf := into[standing](t, w.page("/v1/status", cookie)).CSRF
	w.do(request{method: "POST", path: "/v1/approvals/" + a.ID + "/approve", host: host, origin: origin, contentType: "application/json", cookie: cookie,
		body: asJSON(t, map[string]string{"digest": a.Digest, "typed": "paypal"}), header: http.Header{"Countersign-Csrf": {csrf}}}).want(t, "typed", 200, "")
	if w.state(a.ID) != approval.Approved {
		t.Error("the app was typed, and the question was not approved")
	}
}

// TestLastOfItsKind: the card of a question says what differs from the last one of
// its kind that was settled.
func TestLastOfItsKind(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.propose(payTree())
	if first := w.page("/approvals/"+a.ID, cookie); !strings.Contains(first.body, "There is none: no question of this kind") {
		t.Error("the first of its kind does not say so")
	}
	w.answerForm(a, cookie, url.Values{"answer": {"deny"}}).want(t, "deny", 303, "")
	w.clock.pass(20 * time.Minute)
	same := w.propose(payTree())
	if card := w.page("/approvals/"+same.ID, cookie); !strings.Contains(card.body, "Nothing: app, amount, recipient, object, text and control are the same.") || !strings.Contains(card.body, `href="/approvals/`+a.ID+`">last one`) {
		t.Error("the same once more does not say so")
	}
	w.answerForm(same, cookie, url.Values{"answer": {"approve"}, "sure": {"yes"}}).want(t, "approve", 303, "")
	more := payTree()
	more.Screen.Tree = strings.Replace(more.Screen.Tree, "1,249.00", "12,490.00", 1)
	b := w.propose(more)
	card := w.page("/approvals/"+b.ID, cookie)
	if !strings.Contains(card.body, "<bdi>1249.00 EUR</bdi>") || !strings.Contains(card.body, "<bdi>12490.00 EUR</bdi></strong>") || !strings.Contains(card.body, `href="/approvals/`+a.ID+`">last one`) {
		t.Error("ten times the amount is not told: the last one that was settled is the one that was refused")
	}
	if after := w.page("/approvals/"+a.ID, cookie); strings.Contains(after.body, "What changed") {
		t.Error("a settled question is compared")
	}
}

// TestGrantOnThePage: the card offers a grant with all that it covers, a yes with
// it lets the next one go on, which names it, and the page takes it back.
func TestGrantOnThePage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.propose(dropRequest("Trip"))
	card := w.page("/approvals/"+a.ID, cookie)
	offered, ok := w.desk.Offer(a)
	if !ok {
		t.Fatal("the desk offers no grant for this question; the test needs another one")
	}
	for _, want := range []string{"Approve, and let the next 3 such go on for 10 minutes", "What would go on without a question", offered.Scope(), `name="count" value="3"`, `name="seconds" value="600"`} {
		if !strings.Contains(card.body, want) {
			t.Errorf("the card lacks %q", want)
		}
	}
	if pay := w.page("/approvals/"+w.pay().ID, cookie); strings.Contains(pay.body, `value="grant"`) {
		t.Error("a grant is offered with a critical question")
	}
	for name, change := range map[string]url.Values{
		"no terms": {"answer": {"grant"}}, "too often": {"answer": {"grant"}, "count": {"1000"}, "seconds": {"600"}}, "too long": {"answer": {"grant"}, "count": {"3"}, "seconds": {"99999999999"}},
	} {
		if r := w.answerForm(a, cookie, change); r.status != 400 || w.state(a.ID) != approval.Pending {
			t.Errorf("%s: %d, and the question is %s", name, r.status, w.state(a.ID))
		}
	}
	w.answerForm(a, cookie, url.Values{"answer": {"grant"}, "count": {"3"}, "seconds": {"600"}}).want(t, "with a grant", 303, "")
	list, err := w.desk.Grants(ctx, true)
	w.must(err)
	if len(list) != 1 || list[0].Count != 3 || list[0].By != "kim" || w.state(a.ID) != approval.Approved {
		t.Fatalf("the grants are %+v, the question is %s", list, w.state(a.ID))
	}
	g := list[0]
	if card = w.page("/approvals/"+a.ID, cookie); !strings.Contains(card.body, `href="/grants#`+g.ID+`"`) {
		t.Error("the card does not name the grant")
	}
	// The yes itself is used by the question that it was given to.
	_, err = w.desk.Begin(ctx, "agt_test", a.ID, dropRequest("Trip"))
	w.must(err)
	_, err = w.desk.Finish(ctx, "agt_test", a.ID, hold.Result{OK: true})
	w.must(err)
	ticket, err := w.desk.Propose(ctx, hold.Proposal{Agent: "agt_test", AgentName: "robo", Request: dropRequest("Trip")})
	w.must(err)
	if ticket.Outcome != risk.Allow || ticket.Grant != g.ID {
		t.Fatalf("the next one: %s by the grant %q", ticket.Outcome, ticket.Grant)
	}
	if actions := w.page("/actions", cookie); !strings.Contains(actions.body, `<a href="/grants#`+g.ID+`">by a grant</a>`) {
		t.Error("what a grant let pass does not name it")
	}
	page := w.page("/grants", cookie)
	if !strings.Contains(page.body, "2 of 3 left") {
		t.Error("the page does not say how much is left")
	}
	path := "/grants/" + g.ID + "/revoke"
	w.do(form(host, path, cookie, url.Values{"csrf": {w.registry.CSRF(cookie, "freeze")}})).want(t, "another form's token", 403, "")
	w.do(form(host, path, cookie, url.Values{"csrf": {field(t, page.body, path, "csrf")}})).want(t, "revoke", 303, "")
	if list, err = w.desk.Grants(ctx, true); err != nil || len(list) != 0 {
		t.Errorf("revoked, and there is %+v (%v)", list, err)
	}
	again := w.do(form(host, path, cookie, url.Values{"csrf": {w.registry.CSRF(cookie, "grant/"+g.ID)}}))
	if again.status != 409 || !strings.Contains(again.body, "It was not revoked") || !strings.Contains(again.body, "revoked</strong>") {
		t.Errorf("revoked twice: %d", again.status)
	}
}
