package api_test

import (
	"net/http"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

// The whole life of an action that is approved: proposed, held, answered,
// redeemed on a fresh look, reported.
func TestApprovedActionIsReleasedOnce(t *testing.T) {
	f := newFixture(t)
	id := f.hold(sendTap)
	f.answer(id, true, "go on")
	a := f.call("GET", "/v1/actions/"+id+"?wait=30s", "")
	if a.status != http.StatusOK || a.body.Approval.State != approval.Approved || a.body.Approval.Note != "go on" {
		t.Fatalf("after the answer: %d %s", a.status, a.raw)
	}
	a = f.call("POST", "/v1/actions/"+id+"/redeem", `{`+sendScreen+`}`)
	if a.status != http.StatusOK || a.body.Approval.State != approval.Releasing || a.body.Outcome != risk.Confirm {
		t.Fatalf("redeemed: %d %s", a.status, a.raw)
	}
	a = f.call("POST", "/v1/actions/"+id+"/redeem", `{`+sendScreen+`}`)
	if a.status != http.StatusConflict || a.body.Code != "already_released" || a.body.Approval == nil {
		t.Errorf("redeemed twice: %d %s", a.status, a.raw)
	}
	a = f.call("POST", "/v1/actions/"+id+"/result", `{"ok":true,"note":"sent"}`)
	if a.status != http.StatusOK || a.body.Approval.State != approval.Released {
		t.Errorf("result: %d %s", a.status, a.raw)
	}
}
