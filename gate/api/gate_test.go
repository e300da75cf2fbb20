package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/api"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
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

// A screen that changed voids the approval, and no later look brings it back.
func TestChangedScreenVoids(t *testing.T) {
	f := newFixture(t)
	id := f.hold(sendTap)
	f.answer(id, true, "")
	if a := f.call("POST", "/v1/actions/"+id+"/redeem", `{}`); a.status != http.StatusUnprocessableEntity {
		t.Fatalf("no look: %d %s", a.status, a.raw)
	}
	for _, look := range []string{otherNow, screenNow} {
		a := f.call("POST", "/v1/actions/"+id+"/redeem", look)
		if a.status != http.StatusConflict || a.body.Code != "screen_changed" || a.body.Approval == nil || a.body.Approval.State != approval.Void {
			t.Errorf("%d %s", a.status, a.raw)
		}
	}
}

// A poll that waits is answered by the answer itself, and by Close; a question
// outlives both.
func TestLongPoll(t *testing.T) {
	f := newFixture(t)
	answered, closed := f.hold(sendTap), f.hold(`{"action":{"kind":"tap"},"screen":{"package":"com.whatsapp"},"target":{"text":"Delete chat"}}`)
	states := make(chan approval.State, 2)
	poll := func(id string) {
		v, err := rawView(f, f.request("GET", "/v1/actions/"+id+"?wait=60s", ""))
		if err != nil {
			t.Error(err)
			states <- approval.None
			return
		}
		states <- v.Approval.State
	}
	go poll(answered)
	f.answer(answered, false, "")
	if s := <-states; s != approval.Denied {
		t.Errorf("after the answer the state is %v", s)
	}
	go poll(closed)
	f.gate.Close()
	if s := <-states; s != approval.Pending {
		t.Errorf("after Close the state is %v", s)
	}
	if a, err := f.desk.View(f.ctx, closed); err != nil || a.State != approval.Pending {
		t.Errorf("the question is %v, %v", a.State, err)
	}
}

// rawView sends a request, from any goroutine, and reads a view.
func rawView(f *fixture, req *http.Request) (v api.View, err error) {
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return v, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return v, err
	}
	if res.StatusCode >= 300 {
		return v, fmt.Errorf("%d %s", res.StatusCode, raw)
	}
	return v, json.Unmarshal(raw, &v)
}

// Eight that propose the same thing with one key at the same time get one id.
func TestOneKeyIsOneAction(t *testing.T) {
	f := newFixture(t)
	for name, body := range map[string]string{"held": sendTap, "allowed": backPress} {
		ids := map[string]bool{}
		var mu sync.Mutex
		var askers sync.WaitGroup
		for range 8 {
			askers.Go(func() {
				v, err := rawView(f, with(ask("POST", "/v1/actions", body), "Idempotency-Key", name)(f))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				ids[v.ID] = true
			})
		}
		askers.Wait()
		v, err := rawView(f, f.request("POST", "/v1/actions", strings.Replace(body, "{", `{"idempotency_key":"`+name+`",`, 1)))
		f.must(err)
		ids[v.ID] = true
		if len(ids) != 1 {
			t.Errorf("%s: %d ids: %v", name, len(ids), ids)
		}
	}
}

// What another agent asked is not there.
func TestAnotherAgentsActionIsNotFound(t *testing.T) {
	f := newFixture(t)
	id := f.hold(sendTap)
	f.answer(id, true, "")
	passed := f.call("POST", "/v1/actions", backPress).body.ID
	other := f.as(t)
	tried := 0
	for _, of := range []string{id, passed} {
		for _, r := range []struct{ method, rest, body string }{
			{"GET", "", ""}, {"GET", "?wait=1ms", ""}, {"DELETE", "", ""}, {"POST", "/redeem", screenNow}, {"POST", "/redeem", "{}"}, {"POST", "/result", `{"ok":true}`},
		} {
			a := other.call(r.method, "/v1/actions/"+of+r.rest, r.body)
			nobody := other.call(r.method, "/v1/actions/a_nothing"+r.rest, r.body)
			if a.status != http.StatusNotFound || string(a.raw) != string(nobody.raw) {
				t.Errorf("%s %s: %d %s, and of nobody's: %s", r.method, r.rest, a.status, a.raw, nobody.raw)
			}
			tried++
		}
	}
	if tried != 12 {
		t.Errorf("%d were tried", tried)
	}
	if a, err := f.desk.View(f.ctx, id); err != nil || a.State != approval.Approved {
		t.Errorf("the question is %v, %v", a.State, err)
	}
}

// An approver's credential is told so, and a revoked one opens nothing any more.
func TestOtherCredentials(t *testing.T) {
	f := newFixture(t)
	_, token, err := f.registry.AddApprover(f.ctx, "owner")
	f.must(err)
	a := f.do(with(ask("POST", "/v1/decide", backPress), "Authorization", "Bearer "+token)(f))
	if a.status != http.StatusForbidden || a.body.Code != "wrong_door" || strings.Contains(string(a.raw), token) {
		t.Errorf("an approver's: %d %s", a.status, a.raw)
	}
	req := f.request("POST", "/v1/decide", backPress)
	req.Header.Add("Authorization", "Bearer "+f.token)
	if a := f.do(req); a.status != http.StatusUnauthorized {
		t.Errorf("two headers: %d %s", a.status, a.raw)
	}
	if _, err := f.registry.RevokeAgent(f.ctx, f.agent.ID); err != nil {
		t.Fatal(err)
	}
	if a := f.call("POST", "/v1/decide", backPress); a.status != http.StatusUnauthorized || a.body.Code != "credential_revoked" {
		t.Errorf("revoked: %d %s", a.status, a.raw)
	}
}

// The names that the door answers to.
func TestHosts(t *testing.T) {
	f := newFixture(t, func(s *settings) { s.gate.Hosts = []string{"guard.example", "fixed.example:8443", "[fd00::7]"} })
	cases := map[string]int{
		"localhost": 200, "localhost:1": 200, "LOCALHOST": 200, "127.0.0.1:7117": 200, "[::1]:7117": 200, "[::1]": 200,
		"guard.example": 200, "guard.example:9": 200, "Guard.Example": 200, "fixed.example:8443": 200,
		"[fd00::7]:7117": 200, "[fd00::7]": 200, "[fd00::8]": 403, "fixed.example": 403, "fixed.example:8444": 403, "evil.example": 403, "localhost.evil.example": 403, "guard.example.evil": 403,
		"localhost.": 403, "x.localhost": 403, "127.0.0.2": 403, "0.0.0.0": 403, "2130706433": 403, "guard.example@evil": 403,
	}
	for host, want := range cases {
		req := f.request("GET", "/healthz", "")
		req.Host = host
		if a := f.do(req); a.status != want || want == 403 && a.body.Code != "host_foreign" {
			t.Errorf("Host %s: %d %s, want %d", host, a.status, a.raw, want)
		}
	}
	if len(cases) != 24 {
		t.Errorf("%d cases", len(cases))
	}
	if n := len(f.rows(ledger.KindRefused)); n != 12 {
		t.Errorf("%d rows of refused requests, want 12", n)
	}
}

// In observe mode nothing is held and everything says so; frozen is frozen at
// once, also for decisions that hold nothing.
func TestObserveAndFreeze(t *testing.T) {
	f := newFixture(t, func(s *settings) { s.desk.Observe, s.gate.Observe = true, true })
	for _, path := range []string{"/v1/decide", "/v1/actions"} {
		a := f.call("POST", path, sendTap)
		if a.status != http.StatusOK || a.body.Outcome != risk.Allow || !a.body.Observe || a.body.Would == nil || *a.body.Would != risk.Confirm {
			t.Errorf("%s: %d %s", path, a.status, a.raw)
		}
	}
	for _, frozen := range []bool{true, false} {
		if frozen {
			f.must(f.desk.Freeze(f.ctx, "owner", ""))
		} else {
			f.must(f.desk.Unfreeze(f.ctx, "owner", ""))
		}
		want := map[bool]risk.Outcome{true: risk.Deny, false: risk.Allow}[frozen]
		for _, path := range []string{"/v1/decide", "/v1/actions"} {
			if a := f.call("POST", path, backPress); a.body.Outcome != want || frozen != (a.body.Code == approval.CodeFrozen) {
				t.Errorf("frozen %v, %s: %s", frozen, path, a.raw)
			}
		}
		if a := f.call("GET", "/healthz", ""); a.body.Frozen != frozen || !a.body.Observe {
			t.Errorf("frozen %v: %s", frozen, a.raw)
		}
	}
}

// The freeze of another process on the same store is seen within a second.
func TestFreezeByAnother(t *testing.T) {
	f := newFixture(t)
	f.call("POST", "/v1/decide", backPress)
	_, err := f.store.Commit(f.ctx, hold.Change{At: f.clock.now(), Freeze: &hold.Freeze{Frozen: true, At: f.clock.now(), By: "owner"}})
	f.must(err)
	f.clock.move(time.Second)
	if a := f.call("POST", "/v1/decide", backPress); a.body.Outcome != risk.Deny {
		t.Errorf("%s", a.raw)
	}
}

// The device is the credential's.
func TestDevices(t *testing.T) {
	one := newFixture(t, func(s *settings) { s.devices = []string{"phone"} })
	for body, want := range map[string]int{
		`{"action":{"kind":"back"}}`: 200, `{"action":{"kind":"back"},"device":"phone"}`: 200, `{"action":{"kind":"back"},"device":"Phone"}`: 403,
	} {
		if a := one.call("POST", "/v1/actions", body); a.status != want {
			t.Errorf("%s: %d %s, want %d", body, a.status, a.raw, want)
		}
	}
	var row ledger.Decision
	f := one.rows(ledger.KindDecision)
	one.must(json.Unmarshal(f[0].Body, &row))
	if row.Device != "phone" || len(f) != 2 {
		t.Errorf("%d rows, device %q", len(f), row.Device)
	}
}
