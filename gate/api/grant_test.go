package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// An agent is told that a grant let its action pass, and neither which one nor
// how often that may still happen.
func TestWhatAnAgentLearnsOfAGrant(t *testing.T) {
	f := newFixture(t)
	const drop = `{"action":{"kind":"tap"},"screen":{"package":"com.example.notes"},"target":{"text":"Delete","dialog_message":"Delete “Trip”?"}}`
	id := f.hold(drop)
	a, err := f.desk.View(f.ctx, id)
	f.must(err)
	terms := approval.GrantTerms{Count: 17, For: time.Hour}
	a, err = f.desk.Answer(f.ctx, hold.Answer{ID: id, Digest: a.Digest, Yes: true, By: "owner", Grant: &terms})
	f.must(err)
	if got := f.call("GET", "/v1/actions/"+id, ""); got.body.DecidedBy != "" || strings.Contains(string(got.raw), a.Grant) {
		t.Errorf("the question it came with: %s", got.raw)
	}
	f.call("POST", "/v1/actions/"+id+"/redeem", `{"screen":{"package":"com.example.notes"},"target":{"text":"Delete","dialog_message":"Delete “Trip”?"}}`)

	next := f.call("POST", "/v1/actions", drop)
	again := f.call("GET", "/v1/actions/"+next.body.ID, "")
	for name, got := range map[string]answered{"proposed": next, "asked for": again} {
		if got.status != http.StatusOK || got.body.Outcome != risk.Allow || got.body.DecidedBy != hold.ByGrant || got.body.Approval != nil {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
		for _, secret := range []string{a.Grant, "owner\"", `"count"`, `"left"`, `"expires_at"`} {
			if strings.Contains(string(got.raw), secret) {
				t.Errorf("%s: the agent learns %s: %s", name, secret, got.raw)
			}
		}
	}
	if got := f.call("POST", "/v1/actions", backPress); got.body.DecidedBy != "" {
		t.Errorf("what needs no grant is decided by %q", got.body.DecidedBy)
	}
	// A pure decision records nothing and uses nothing.
	if got := f.call("POST", "/v1/decide", drop); got.body.Outcome != risk.Confirm {
		t.Errorf("a pure decision: %s", got.raw)
	}
	if g, err := f.desk.Grant(f.ctx, a.Grant); err != nil || g.Used != 1 {
		t.Errorf("used %d times, %v", g.Used, err)
	}
}
