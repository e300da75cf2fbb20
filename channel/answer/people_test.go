package answer_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

type added struct {
	Agent, Approver struct{ ID, Name string }
	Token           string
}

func (w *world) remove(path string) response {
	w.t.Helper()
	return w.do(request{method: "DELETE", path: path, host: host, token: w.kim})
}

func TestAgents(t *testing.T) {
	w := newWorld(t)
	r := w.post("/v1/agents", map[string]any{"name": "pilot", "devices": []string{"emulator-5554"}})
	r.want(t, "add", 201, "")
	a := into[added](t, r)
	if got, err := w.registry.Agent(ctx, a.Token); err != nil || got.ID != a.Agent.ID || got.Name != "pilot" || !got.MayUse("emulator-5554") || got.CreatedBy != "kim" {
		t.Errorf("the token is that of %v, %v", got, err)
	}
	list := w.get("/v1/agents")
	if !strings.Contains(list.body, `"pilot"`) || !strings.Contains(list.body, `"robo"`) || strings.Contains(list.body, a.Token) || strings.Contains(list.body, "ash") {
		t.Errorf("the list is %s", list.body)
	}
	for name, tt := range map[string]struct {
		body   any
		status int
		code   string
	}{
		"no name":     {struct{}{}, 400, "bad_name"},
		"a bad name":  {map[string]string{"name": "a b"}, 400, "bad_name"},
		"taken":       {map[string]string{"name": "PILOT"}, 409, "name_taken"},
		"an approver": {map[string]string{"name": "kim"}, 409, "name_taken"},
		"a device":    {map[string]any{"name": "x", "devices": []string{"a b"}}, 400, "bad_device"},
		"a field":     {map[string]any{"name": "x", "admin": true}, 400, "bad_body"},
	} {
		w.post("/v1/agents", tt.body).want(t, name, tt.status, tt.code)
	}
	w.remove("/v1/agents/pilot").want(t, "revoke", 200, "")
	w.remove("/v1/agents/pilot").want(t, "revoke again", 404, "not_found")
	if _, err := w.registry.Agent(ctx, a.Token); err == nil {
		t.Error("the revoked token opens the agents' door")
	}
	rows := w.rows(ledger.KindCredential)
	if len(rows) != 2 || rows[0].By != "kim" || rows[0].What != "agent pilot" || !strings.HasPrefix(rows[0].Detail, "added") || !strings.HasPrefix(rows[1].Detail, "revoked") {
		t.Errorf("the record: %+v", rows)
	}
}

// A gate's credential is made at this door, on record as one, and shown as one.
func TestGates(t *testing.T) {
	w := newWorld(t)
	r := w.post("/v1/agents", map[string]any{"name": "backend", "devices": []string{"emulator-5554"}, "gate": true})
	r.want(t, "add", 201, "")
	a := into[added](t, r)
	if got, err := w.registry.Agent(ctx, a.Token); err != nil || !got.Gate || got.CreatedBy != "kim" || !w.registry.IsGate(ctx, a.Agent.ID) {
		t.Errorf("the token is that of %v, a gate %v, %v", got, got.Gate, err)
	}
	w.post("/v1/agents", map[string]any{"name": "pilot", "gate": false}).want(t, "add no gate", 201, "")
	list := w.get("/v1/agents")
	if n := strings.Count(list.body, `"gate":true`); n != 1 || strings.Contains(list.body, `"gate":false`) {
		t.Errorf("the list has %d gates: %s", n, list.body)
	}
	rows := w.rows(ledger.KindCredential)
	if len(rows) != 2 || !strings.HasPrefix(rows[0].Detail, "added as a gate "+a.Agent.ID) || strings.Contains(rows[1].Detail, "gate") {
		t.Errorf("the record: %+v", rows)
	}
	w.local("POST", "/v1/agents", w.robo, `{"name":"mine","gate":true}`).want(t, "an agent", 403, "agents_cannot_answer")
	w.post("/v1/agents", map[string]any{"name": "x", "gate": "yes"}).want(t, "no truth value", 400, "bad_body")
}

func TestApprovers(t *testing.T) {
	w := newWorld(t)
	w.remove("/v1/approvers/kim").want(t, "the last one", 409, "last_approver")
	r := w.post("/v1/approvers", map[string]string{"name": "lee"})
	r.want(t, "add", 201, "")
	lee := into[added](t, r)
	if got, err := w.registry.Approver(ctx, lee.Token); err != nil || got.ID != lee.Approver.ID {
		t.Errorf("the token is that of %v, %v", got, err)
	}
	if list := w.get("/v1/approvers"); strings.Contains(list.body, lee.Token) || !strings.Contains(list.body, `"lee"`) {
		t.Errorf("the list is %s", list.body)
	}
	a := w.send("x")
	w.remove("/v1/approvers/"+lee.Approver.ID).want(t, "revoke", 200, "")
	w.do(request{method: "POST", path: "/v1/approvals/" + a.ID + "/approve", host: host, token: lee.Token, contentType: "application/json", body: asJSON(t, answerTo(a))}).
		want(t, "a revoked approver's answer", 401, "credential_revoked")
	w.remove("/v1/approvers/kim").want(t, "the last one again", 409, "last_approver")
	w.remove("/v1/approvers/nobody").want(t, "nobody", 404, "not_found")
	if rows := w.rows(ledger.KindCredential); len(rows) != 2 || rows[0].What != "approver lee" {
		t.Errorf("the record: %+v", rows)
	}
	if w.state(a.ID) != approval.Pending {
		t.Error("the question moved")
	}
}

// TestSignInLink: it is made on the socket only, by an approver, and recorded.
func TestSignInLink(t *testing.T) {
	w := newWorld(t)
	w.post("/v1/sign-in", struct{}{}).want(t, "on the web", 403, "socket_only")
	w.local("POST", "/v1/sign-in", w.robo, "{}").want(t, "an agent", 403, "agents_cannot_answer")
	w.local("POST", "/v1/sign-in", "", "{}").want(t, "nobody", 401, "no_credential")
	w.local("POST", "/v1/sign-in", w.kim, `{"approver":"nobody"}`).want(t, "for nobody", 404, "not_found")
	if len(w.rows(ledger.KindCredential)) != 0 {
		t.Error("what was refused is recorded as a change")
	}
	r := w.local("POST", "/v1/sign-in", w.kim, "{}")
	r.want(t, "on the socket", 200, "")
	got := into[struct {
		Ticket, URL string
		ExpiresAt   time.Time `json:"expires_at"`
	}](t, r)
	if url.QueryEscape(got.Ticket) != got.Ticket || got.URL != "http://"+inbox+"/sign-in?ticket="+got.Ticket || !got.ExpiresAt.After(w.clock.now()) {
		t.Errorf("the link is %+v", got)
	}
	rows := w.rows(ledger.KindCredential)
	if len(rows) != 1 || rows[0].By != "kim" || strings.Contains(asJSON(t, rows), got.Ticket) {
		t.Errorf("the record: %+v", rows)
	}
	w.do(form(inbox, "/sign-in", "", url.Values{"ticket": {got.Ticket}})).want(t, "the link", 303, "")
}

// TestTicketOnce: reading the page of a link uses nothing up, pressing its
// button does, and of many who press one gets in.
func TestTicketOnce(t *testing.T) {
	w := newWorld(t)
	ticket, _, err := w.registry.SignInTicket(ctx, "kim")
	w.must(err)
	for range 3 {
		r := w.page("/sign-in?ticket="+ticket, "")
		r.want(t, "a preview", 200, "")
		if r.header.Get("Set-Cookie") != "" || field(t, r.body, "/sign-in", "ticket") != ticket {
			t.Fatal("reading the link's page signed in, or its form has not the ticket")
		}
	}
	bare := form(host, "/sign-in", "", url.Values{"ticket": {ticket}})
	bare.origin = ""
	w.do(bare).want(t, "no origin", 403, "")
	foreign := form(host, "/sign-in", "", url.Values{"ticket": {ticket}})
	foreign.origin, foreign.header = "https://attacker.example", nil
	w.do(foreign).want(t, "another site's form", 403, "")
	in := 0
	for range 5 {
		r := w.do(form(host, "/sign-in", "", url.Values{"ticket": {ticket}}))
		if r.status == 303 {
			in++
			continue
		}
		r.want(t, "the link again", 401, "")
		if !strings.Contains(r.body, "countersign sign-in") || r.header.Get("Set-Cookie") != "" {
			t.Error("the page does not say how to sign in, or it signs in")
		}
	}
	if in != 1 {
		t.Errorf("%d got in with one link", in)
	}
	late, _, err := w.registry.SignInTicket(ctx, "kim")
	w.must(err)
	w.clock.pass(time.Hour)
	w.do(form(host, "/sign-in", "", url.Values{"ticket": {late}})).want(t, "an old link", 401, "")
}

// TestSessionEnds: signing out, the end of its time and the revocation of its
// approver each end a session at once.
func TestSessionEnds(t *testing.T) {
	w := newWorld(t)
	w.post("/v1/approvers", map[string]string{"name": "lee"}).want(t, "add", 201, "")
	a := w.send("x")
	answers := func(what, cookie string) {
		t.Helper()
		csrf := w.registry.CSRF(cookie, "answer/"+a.ID)
		w.do(form(host, "/approvals/"+a.ID+"/answer", cookie, url.Values{"csrf": {csrf}, "digest": {a.Digest}, "answer": {"approve"}})).want(t, what, 401, "")
		r := w.page("/", cookie)
		r.want(t, what, 401, "")
		if !strings.Contains(r.body, "countersign sign-in") {
			t.Errorf("%s: the page does not say how to sign in", what)
		}
	}
	cookie := w.cookie(host, "kim")
	list := w.page("/", cookie)
	list.want(t, "signed in", 200, "")
	w.do(form(host, "/sign-out", cookie, url.Values{})).want(t, "signing out without a token", 403, "")
	w.page("/", cookie).want(t, "still signed in", 200, "")
	out := w.do(form(host, "/sign-out", cookie, url.Values{"csrf": {field(t, list.body, "/sign-out", "csrf")}}))
	out.want(t, "signing out", 303, "")
	if set := out.header.Get("Set-Cookie"); !regexp.MustCompile(`^countersign=; .*Max-Age=0`).MatchString(set) {
		t.Errorf("the cookie is taken away with %q", set)
	}
	answers("signed out", cookie)

	lees := w.cookie(host, "lee")
	w.remove("/v1/approvers/lee").want(t, "revoke", 200, "")
	answers("revoked", lees)

	old := w.cookie(host, "kim")
	w.clock.pass(8 * 24 * time.Hour)
	answers("after its time", old)
	answers("nobody", "")
	answers("a cookie that somebody chose", "css_"+strings.Repeat("a", 52))
	if w.state(a.ID) != approval.Pending {
		t.Error("the question moved")
	}
}
