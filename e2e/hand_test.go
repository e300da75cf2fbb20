package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/risk"
)

// pair is the first agent and the owner of one guard, for tests that take one
// step after the other.
type pair struct {
	t     *testing.T
	home  string
	url   string
	hand  *agent
	owner *client.Client
	made  int
}

func newPair(t *testing.T, home, url string) *pair {
	t.Helper()
	token, err := secretOf(home, daemon.AgentTokenFile)
	if err != nil {
		t.Fatal(err)
	}
	w := &pair{t: t, home: home, url: url, owner: ownerOf(t, home)}
	w.hand = &agent{name: "hand", token: token, door: newDoorway(), journal: newJournal(), http: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(w.hand.http.CloseIdleConnections)
	return w
}

// ask sends a request that must be answered.
func (w *pair) ask(method, path string, body any) answered {
	w.t.Helper()
	ans, ok := w.hand.once(opWait, w.url, method, path, body)
	if !ok {
		w.t.Fatalf("%s %s was not answered: %v", method, path, w.hand.journal.faults)
	}
	return ans
}

// question is one that a test holds on to, and what it is about.
type question struct {
	id, digest string
	number     int
}

// propose proposes the next action, whatever the answer.
func (w *pair) propose() (question, answered) {
	w.t.Helper()
	w.made++
	body := w.hand.look(w.made)
	body["action"], body["idempotency_key"] = map[string]any{"kind": "tap"}, fmt.Sprintf("hand-%d", w.made)
	ans := w.ask(http.MethodPost, "/v1/actions", body)
	return question{ans.ID, ans.Digest, w.made}, ans
}

// held proposes an action that must be held.
func (w *pair) held() question {
	w.t.Helper()
	q, ans := w.propose()
	if ans.status != http.StatusAccepted || ans.Outcome != risk.Confirm {
		w.t.Fatalf("proposed: %d %v %s %s", ans.status, ans.Outcome, ans.Code, ans.Detail)
	}
	return q
}

// approved proposes an action and has the owner say yes.
func (w *pair) approved() question {
	w.t.Helper()
	q := w.held()
	if err := w.approve(q); err != nil {
		w.t.Fatalf("approve: %v", err)
	}
	return q
}

func (w *pair) approve(q question) error {
	_, err := w.owner.Approve(context.Background(), q.id, q.digest, "")
	return err
}

func (w *pair) redeem(q question) answered {
	w.t.Helper()
	return w.ask(http.MethodPost, "/v1/actions/"+q.id+"/redeem", w.hand.look(q.number))
}

func (w *pair) report(q question) answered {
	w.t.Helper()
	return w.ask(http.MethodPost, "/v1/actions/"+q.id+"/result", map[string]any{"ok": true})
}

// state is where a question stands.
func (w *pair) state(q question) approval.State {
	w.t.Helper()
	ans := w.ask(http.MethodGet, "/v1/actions/"+q.id, nil)
	if ans.status != http.StatusOK || ans.Approval == nil {
		w.t.Fatalf("%s: %d %s %s", q.id, ans.status, ans.Code, ans.Detail)
	}
	return ans.Approval.State
}

// allowed proposes what needs no answer.
func (w *pair) allowed() answered {
	w.t.Helper()
	return w.ask(http.MethodPost, "/v1/actions", map[string]any{"action": map[string]any{"kind": "back"}, "screen": map[string]any{"package": "com.whatsapp"}})
}

// releases wants a yes to be good: it is redeemed, and the result reported.
func (w *pair) releases(q question) {
	w.t.Helper()
	if ans := w.redeem(q); ans.status != http.StatusOK || ans.Approval.State != approval.Releasing {
		w.t.Fatalf("redeem: %d %s %s", ans.status, ans.Code, ans.Detail)
	}
	if ans := w.report(q); ans.status != http.StatusOK || ans.Approval.State != approval.Released {
		w.t.Fatalf("report: %d %s %s", ans.status, ans.Code, ans.Detail)
	}
}

// record reads the record, verified, and wants the named questions never to have
// been released.
func (w *pair) record(never ...question) *record {
	w.t.Helper()
	r, err := readRecord(w.home, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.checkWays()
	for _, f := range r.faults {
		w.t.Error(f)
	}
	for _, q := range never {
		if place(r.steps[q.id], approval.Releasing) >= 0 {
			w.t.Errorf("%s was released: %v", q.id, r.steps[q.id])
		}
	}
	return r
}

// decodeBody reads a JSON body.
func decodeBody(res *http.Response, into any) error { return json.NewDecoder(res.Body).Decode(into) }
