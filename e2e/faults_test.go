package e2e

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
)

// unavailable wants a guard whose record cannot be written to say so at every
// door, and to let nothing go ahead: yes is approved, open is not answered.
func (w *pair) unavailable(yes, open question) {
	w.t.Helper()
	for _, try := range []struct {
		name string
		ask  func() answered
	}{
		{"redeem", func() answered { return w.redeem(yes) }},
		{"propose", func() answered { _, ans := w.propose(); return ans }},
		{"propose what needs no answer", w.allowed},
		{"withdraw", func() answered { return w.ask(http.MethodDelete, "/v1/actions/"+open.id, nil) }},
	} {
		ans := try.ask()
		if ans.status != http.StatusServiceUnavailable || ans.Code != "audit_unavailable" || !strings.Contains(ans.Detail, "nothing was released") {
			w.t.Errorf("%s: %d %s %q, want 503 audit_unavailable", try.name, ans.status, ans.Code, ans.Detail)
		}
	}
	var problem *client.Problem
	if err := w.approve(open); !errors.As(err, &problem) || problem.Status != http.StatusServiceUnavailable || problem.Code != "unavailable" {
		w.t.Errorf("approve: %v, want 503 unavailable", err)
	}
	if status, health := w.health(); status != http.StatusServiceUnavailable || health != "degraded" {
		w.t.Errorf("healthz: %d %s, want 503 degraded", status, health)
	}
}

// health is what /healthz says.
func (w *pair) health() (status int, word string) {
	w.t.Helper()
	var h struct {
		answered
		Status string `json:"status"`
	}
	res, err := w.hand.http.Get(w.url + "/healthz")
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := decodeBody(res, &h); err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, h.Status
}

// recovers wants everything to go on when a fault is gone, without a restart,
// and nothing to have happened meanwhile.
func (w *pair) recovers(yes, open question) {
	w.t.Helper()
	if got := w.state(yes); got != approval.Approved {
		w.t.Errorf("after the fault, what was approved is %v", got)
	}
	if got := w.state(open); got != approval.Pending {
		w.t.Errorf("after the fault, what was pending is %v", got)
	}
	w.record(yes, open)
	w.releases(yes)
	if err := w.approve(open); err != nil {
		w.t.Fatalf("approve: %v", err)
	}
	w.releases(open)
	if status, health := w.health(); status != http.StatusOK || health != "ok" {
		w.t.Errorf("healthz: %d %s after the fault", status, health)
	}
	w.record()
}

// TestFileTakenAway moves the database of a running guard away and back.
func TestFileTakenAway(t *testing.T) {
	home := newHome(t)
	p := up(t, home, nil)
	w := newPair(t, home, p.url)
	yes, open := w.approved(), w.held()
	file := filepath.Join(home, daemon.DatabaseFile)
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	w.unavailable(yes, open)
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	w.recovers(yes, open)
}
