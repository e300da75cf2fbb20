package answer_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// TestFullDisk: what cannot be recorded does not happen, or, where it takes
// something away, is said. No answer tells more than that.
func TestFullDisk(t *testing.T) {
	w := newWorld(t)
	w.post("/v1/approvers", map[string]string{"name": "lee"}).want(t, "add lee", 201, "")
	cookie := w.cookie(host, "kim")
	a := w.send("x")
	ticket, _, err := w.registry.SignInTicket(ctx, "kim")
	w.must(err)
	w.faults.full.Store(true)

	tests := []struct {
		name   string
		r      response
		status int
		code   string
	}{
		{"approve", w.post("/v1/approvals/"+a.ID+"/approve", answerTo(a)), 503, "unavailable"},
		{"deny", w.post("/v1/approvals/"+a.ID+"/deny", answerTo(a)), 503, "unavailable"},
		{"revoke", w.post("/v1/approvals/"+a.ID+"/revoke", answerTo(a)), 503, "unavailable"},
		{"freeze", w.post("/v1/freeze", map[string]string{}), 503, "unavailable"},
		{"add an agent", w.post("/v1/agents", map[string]string{"name": "pilot"}), 503, "unavailable"},
		{"add an approver", w.post("/v1/approvers", map[string]string{"name": "max"}), 503, "unavailable"},
		{"revoke an agent", w.remove("/v1/agents/robo"), 503, "not_recorded"},
		{"revoke an approver", w.remove("/v1/approvers/lee"), 503, "not_recorded"},
		{"reload", w.post("/v1/policy/reload", struct{}{}), 503, "not_recorded"},
		{"a sign-in link", w.local("POST", "/v1/sign-in", w.kim, "{}"), 503, "unavailable"},
		{"a page's form", w.answerForm(a, cookie, url.Values{"answer": {"approve"}}), 503, ""},
		{"signing in", w.do(form(host, "/sign-in", "", url.Values{"ticket": {ticket}})), 503, ""},
	}
	for _, tt := range tests {
		tt.r.want(t, tt.name, tt.status, tt.code)
		if strings.Contains(tt.r.body, "/secret") || strings.Contains(tt.r.body, "_token") || strings.Contains(tt.r.body, `"token"`) || tt.r.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: the answer tells more than it should: %s", tt.name, tt.r.body)
		}
	}
	if len(tests) != 12 {
		t.Errorf("%d cases, want 12", len(tests))
	}
	w.faults.full.Store(false)

	if w.state(a.ID) != approval.Pending {
		t.Error("the question moved without a record")
	}
	if f, err := w.desk.Frozen(ctx); err != nil || f.Frozen {
		t.Errorf("frozen without a record: %v", err)
	}
	// Who was added without a record is gone again, who was revoked stays it.
	agents, err := w.registry.Agents(ctx)
	w.must(err)
	for _, one := range agents {
		if !one.Revoked() {
			t.Errorf("%v is in use", one)
		}
	}
	approvers, err := w.registry.Approvers(ctx)
	w.must(err)
	for _, one := range approvers {
		if one.Revoked() != (one.Name != "kim") {
			t.Errorf("%v: revoked is %v", one, one.Revoked())
		}
	}
	if rows := w.rows(ledger.KindCredential); len(rows) != 2 {
		t.Errorf("%d rows about credentials, want those of lee and of kim's session", len(rows))
	}
}
