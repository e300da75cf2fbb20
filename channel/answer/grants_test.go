package answer_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// dropRequest asks to delete a list that is named in the dialog.
func dropRequest(list string) *decide.Request {
	return &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.example.notes"},
		Target: &decide.Target{Text: "Delete", DialogMessage: "Delete “" + list + "”?"},
	}
}

// grantOf is a grant as the door shows it.
type grantOf struct {
	approval.Grant
	Scope   string
	Left    int
	Open    bool
	Seconds int64
}

// withGrant is the body of a yes with a grant.
func withGrant(a approval.Approval, count, seconds any) map[string]any {
	return map[string]any{"digest": a.Digest, "grant": map[string]any{"count": count, "seconds": seconds}}
}

func (w *world) grants(query string) []grantOf {
	w.t.Helper()
	r := w.get("/v1/grants" + query)
	r.want(w.t, "grants "+query, 200, "")
	return into[struct{ Grants []grantOf }](w.t, r).Grants
}

func TestAGrantFromTheOfferToItsEnd(t *testing.T) {
	w := newWorld(t)
	a := w.propose(dropRequest("Trip"))
	r := w.get("/v1/approvals/" + a.ID)
	r.want(t, "get", 200, "")
	shown := into[struct {
		approval.Approval
		Offer *grantOf
	}](t, r)
	if o := shown.Offer; shown.ID != a.ID || o == nil || o.Count != 3 || o.Seconds != 600 || o.ID != "" || o.Scope != "deleting “Trip” in com.example.notes" {
		t.Fatalf("%s is offered with %s", r.body, shown.ID)
	}
	r = w.post("/v1/approvals/"+a.ID+"/approve", withGrant(a, 2, 3600))
	r.want(t, "approve", 200, "")
	id := into[approval.Approval](t, r).Grant
	open := w.grants("")
	if len(open) != 1 || open[0].ID != id || open[0].Left != 2 || !open[0].Open || open[0].By != "kim" || open[0].How != "api" || open[0].From != a.ID {
		t.Fatalf("open are %+v", open)
	}
	if got := open[0].ExpiresAt.Sub(open[0].CreatedAt); got != time.Hour {
		t.Errorf("it lasts %v", got)
	}
	_, err := w.desk.Begin(ctx, "agt_test", a.ID, dropRequest("Trip"))
	w.must(err)
	if left := w.use("Trip"); left != 1 {
		t.Errorf("%d are left", left)
	}
	end := request{method: "DELETE", path: "/v1/grants/" + id, host: host, token: w.kim}
	r = w.do(end)
	r.want(t, "revoke", 200, "")
	if g := into[struct{ Grant grantOf }](t, r).Grant; g.Open || g.Code != approval.CodeRevoked || g.EndedBy != "kim" {
		t.Errorf("revoked: %+v", g)
	}
	w.do(end).want(t, "revoke again", 409, "grant_over")
	if list, all := w.grants("?state=open"), w.grants("?state=all"); len(list) != 0 || len(all) != 1 || all[0].Left != 1 {
		t.Errorf("open are %+v, all %+v", list, all)
	}
	w.propose(dropRequest("Trip")) // it is asked about again
}

// use proposes what a grant covers, and returns how often it may still be used.
func (w *world) use(list string) int {
	w.t.Helper()
	ticket, err := w.desk.Propose(ctx, hold.Proposal{Agent: "agt_test", AgentName: "robo", Request: dropRequest(list)})
	w.must(err)
	if ticket.Grant == "" || ticket.Outcome != risk.Allow {
		w.t.Fatalf("%s: %v", list, ticket.Outcome)
	}
	g, err := w.desk.Grant(ctx, ticket.Grant)
	w.must(err)
	return g.Left()
}

func TestRefusedGrants(t *testing.T) {
	w := newWorld(t)
	open, nothing, pay := w.propose(dropRequest("Trip")), w.send("ann"), w.pay()
	tests := []struct {
		name, path string
		body       any
		status     int
		code       string
	}{
		{"no object", nothing.ID + "/approve", withGrant(nothing, 3, 600), 409, "no_grant"},
		{"critical", pay.ID + "/approve", withGrant(pay, 3, 600), 409, "no_grant"},
		{"no times", open.ID + "/approve", withGrant(open, 0, 600), 400, "bad_grant"},
		{"too many times", open.ID + "/approve", withGrant(open, 21, 600), 400, "bad_grant"},
		{"too short", open.ID + "/approve", withGrant(open, 3, 59), 400, "bad_grant"},
		{"too long", open.ID + "/approve", withGrant(open, 3, 86401), 400, "bad_grant"},
		{"so long that it runs over", open.ID + "/approve", withGrant(open, 3, int64(1)<<62), 400, "bad_grant"},
		{"an age ago", open.ID + "/approve", withGrant(open, 3, -(int64(1) << 62)), 400, "bad_grant"},
		{"empty terms", open.ID + "/approve", map[string]any{"digest": open.Digest, "grant": struct{}{}}, 400, "bad_grant"},
		{"a part of a time", open.ID + "/approve", withGrant(open, 1.5, 600), 400, "bad_body"},
		{"an unknown field", open.ID + "/approve", map[string]any{"digest": open.Digest, "grant": map[string]any{"count": 1, "seconds": 60, "for": "all"}}, 400, "bad_body"},
		{"another question's digest", open.ID + "/approve", withGrant(pay, 3, 600), 409, "digest_mismatch"},
		{"with a no", open.ID + "/deny", withGrant(open, 3, 600), 400, "grant_with_no"},
		{"with a revoke", open.ID + "/revoke", withGrant(open, 3, 600), 400, "grant_with_no"},
	}
	if len(tests) != 14 {
		t.Errorf("%d cases, 14 were written", len(tests))
	}
	for _, tt := range tests {
		w.post("/v1/approvals/"+tt.path, tt.body).want(t, tt.name, tt.status, tt.code)
	}
	for _, a := range []approval.Approval{open, nothing, pay} {
		if got := w.state(a.ID); got != approval.Pending {
			t.Errorf("%s is %s after refused answers", a.Card.Label, got)
		}
	}
	if all := w.grants("?state=all"); len(all) != 0 {
		t.Errorf("there are grants: %+v", all)
	}
	if strings.Contains(w.get("/v1/approvals/"+pay.ID).body, `"offer"`) {
		t.Error("a grant is offered for a payment")
	}
	w.get("/v1/grants?state=ended").want(t, "an unknown state", 400, "bad_query")
	w.do(request{method: "DELETE", path: "/v1/grants/g_nothing", host: host, token: w.kim}).want(t, "an unknown grant", 404, "not_found")
	w.do(request{method: "DELETE", path: "/v1/grants/" + open.ID, host: host, token: w.kim}).want(t, "a question's id", 404, "not_found")
}

// TestGrantsAreForApprovers: an agent can neither see, give nor end one, and
// reading has no effect.
func TestGrantsAreForApprovers(t *testing.T) {
	w := newWorld(t)
	a := w.propose(dropRequest("Trip"))
	body := asJSON(t, withGrant(a, 3, 600))
	byAgent := func(method, path, body string) request {
		return request{method: method, path: path, host: host, token: w.robo, contentType: "application/json", body: body}
	}
	w.do(byAgent("POST", "/v1/approvals/"+a.ID+"/approve", body)).want(t, "an agent gives one", 403, "agents_cannot_answer")
	w.post("/v1/approvals/"+a.ID+"/approve", withGrant(a, 3, 600)).want(t, "approve", 200, "")
	id := w.grants("")[0].ID
	w.do(byAgent("GET", "/v1/grants", "")).want(t, "an agent looks", 403, "agents_cannot_answer")
	w.do(byAgent("DELETE", "/v1/grants/"+id, "")).want(t, "an agent ends one", 403, "agents_cannot_answer")
	w.get("/v1/grants/"+id).want(t, "a GET of one", 405, "method")
	w.do(request{method: "DELETE", path: "/v1/grants/" + id, host: host, cookie: w.cookie(host, "kim"), origin: origin}).
		want(t, "a session without its token", http.StatusForbidden, "csrf")
	if open := w.grants(""); len(open) != 1 {
		t.Errorf("%d are open", len(open))
	}
}

// TestAFreezeAndGrants: while frozen nothing is offered, and what was given is
// over for good.
func TestAFreezeAndGrants(t *testing.T) {
	w := newWorld(t)
	a := w.propose(dropRequest("Trip"))
	w.post("/v1/approvals/"+a.ID+"/approve", withGrant(a, 3, 600)).want(t, "approve", 200, "")
	w.post("/v1/freeze", struct{}{}).want(t, "freeze", 200, "")
	w.post("/v1/unfreeze", struct{}{}).want(t, "unfreeze", 200, "")
	all := w.grants("?state=all")
	if len(all) != 1 || all[0].Open || all[0].Code != approval.CodeFrozen {
		t.Errorf("after the freeze: %s", fmt.Sprint(all))
	}
	w.propose(dropRequest("Trip")) // it is asked about again
}
