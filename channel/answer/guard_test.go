package answer_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

type standing struct {
	Level    string
	LevelWhy string `json:"level_why"`
	Version  string
	Frozen   bool
	Freeze   *struct {
		By, Note string
		At       time.Time
	}
	Observe  bool
	Approver string
	Open     int
	Policy   string
	CSRF     string
}

func TestFreezeAndStatus(t *testing.T) {
	w := newWorld(t)
	a, b := w.send("a"), w.send("b")
	w.post("/v1/approvals/"+b.ID+"/approve", answerTo(b)).want(t, "approve", 200, "")
	s := into[standing](t, w.get("/v1/status"))
	if s.Level != "same user" || s.LevelWhy == "" || s.Version != "0.4.0" || s.Frozen || s.Freeze != nil || s.Observe || s.Approver != "kim" || s.Open != 1 || s.Policy != "default@sha256:01" || s.CSRF != "" {
		t.Errorf("status %+v", s)
	}
	w.post("/v1/freeze", map[string]string{"note": strings.Repeat("x", 501)}).want(t, "a long note", 400, "note_too_long")
	w.post("/v1/freeze", map[string]string{"why": "x"}).want(t, "an unknown field", 400, "bad_body")
	for _, path := range []string{"/v1/freeze", "/v1/unfreeze", "/v1/policy/reload", "/v1/sign-in"} {
		w.get(path).want(t, "GET "+path, 405, "method")
	}
	if s = into[standing](t, w.get("/v1/status")); s.Frozen {
		t.Fatal("what was refused froze everything")
	}
	w.post("/v1/freeze", map[string]string{"note": "lunch"}).want(t, "freeze", 200, "")
	s = into[standing](t, w.get("/v1/status"))
	if !s.Frozen || s.Freeze == nil || s.Freeze.By != "kim" || s.Freeze.Note != "lunch" || s.Open != 0 {
		t.Errorf("frozen: %+v", s)
	}
	if w.state(a.ID) != approval.Revoked || w.state(b.ID) != approval.Revoked || !w.list("").Frozen {
		t.Errorf("frozen, and the questions are %s and %s", w.state(a.ID), w.state(b.ID))
	}
	w.post("/v1/unfreeze", map[string]string{"note": "back"}).want(t, "unfreeze", 200, "")
	if s = into[standing](t, w.get("/v1/status")); s.Frozen {
		t.Error("unfrozen, and frozen")
	}
	if rows := w.rows(ledger.KindFreeze); len(rows) != 1 || rows[0].By != "kim" || rows[0].Detail != "lunch" {
		t.Errorf("the record of the freeze: %+v", rows)
	}
}

// TestCSRFOfTheAPI: a session may change things through the JSON API with the
// token that its status tells, and only with that.
func TestCSRFOfTheAPI(t *testing.T) {
	w := newWorld(t)
	cookie, other := w.cookie(host, "kim"), w.cookie(host, "kim")
	token := func(of string) string {
		return into[standing](t, w.page("/v1/status", of)).CSRF
	}
	mine, others := token(cookie), token(other)
	if mine == "" || mine == others {
		t.Fatalf("the tokens are %q and %q", mine, others)
	}
	a := w.send("lee")
	try := func(csrf string) response {
		r := request{method: "POST", path: "/v1/approvals/" + a.ID + "/approve", host: host, origin: origin, contentType: "application/json", cookie: cookie, body: asJSON(t, answerTo(a))}
		r.header = http.Header{"Countersign-Csrf": {csrf}, "Countersign-How": {"terminal"}}
		return w.do(r)
	}
	for _, bad := range []string{"", others, mine + "x", cookie, w.registry.CSRF(cookie, "answer/"+a.ID)} {
		try(bad).want(t, "a wrong token", 403, "csrf")
	}
	try(mine).want(t, "the right token", 200, "")
	got, err := w.store.Approval(ctx, a.ID)
	w.must(err)
	if got.How != "web" {
		t.Errorf("a cookie's answer came by %q, whatever the header says it is web", got.How)
	}
}

func TestReload(t *testing.T) {
	w := newWorld(t)
	w.post("/v1/policy/reload", struct{}{}).want(t, "reload", 200, "")
	if s := into[standing](t, w.get("/v1/status")); s.Policy != "strict@sha256:02" {
		t.Errorf("reloaded, and the policy is %s", s.Policy)
	}
	w.rejected = errPolicy
	r := w.post("/v1/policy/reload", struct{}{})
	r.want(t, "reload a bad one", 422, "policy_rejected")
	if !strings.Contains(r.body, "the old policy stays") || !strings.Contains(r.body, "line 3") {
		t.Errorf("the error says %s", r.body)
	}
	rows := w.rows(ledger.KindPolicy)
	if len(rows) != 2 || rows[0].By != "kim" || !strings.Contains(rows[0].Detail, "strict@sha256:02") || !strings.Contains(rows[1].Detail, "the old policy stays") {
		t.Errorf("the record of the policy: %+v", rows)
	}
	w.do(request{method: "POST", path: "/v1/policy/reload", host: host, token: w.robo, contentType: "application/json", body: "{}"}).want(t, "an agent", 403, "agents_cannot_answer")
	if len(w.rows(ledger.KindPolicy)) != 2 {
		t.Error("an agent's attempt was recorded as a reload")
	}
}
