package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/api"
	"github.com/countersign/countersign/risk"
)

// agent is one hand of an agent that does as docs/approvals.md says: it
// proposes with an idempotency key, waits, redeems, acts exactly when the
// redeeming was answered with "releasing", and reports. When a connection breaks
// it does not act; it asks again at the next guard.
type agent struct {
	name, token string
	door        *doorway
	journal     *journal
	random      *rand.Rand
	http        *http.Client
	short       bool // deadlines are short enough to be waited for

	life, made int
}

// answered is what the door answered.
type answered struct {
	api.View
	Detail string `json:"detail"`

	status    int
	sent, got time.Time
}

// once sends a request to the guard that is there. ok is false when the
// connection broke, so that nobody knows what became of it.
func (a *agent) once(op operation, url, method, path string, body any) (ans answered, ok bool) {
	var doc []byte
	if body != nil {
		var err error
		if doc, err = json.Marshal(body); err != nil {
			a.journal.fault("%s: %v", op, err)
			return ans, false
		}
	}
	req, err := http.NewRequest(method, url+path, bytes.NewReader(doc))
	if err != nil {
		a.journal.fault("%s: %v", op, err)
		return ans, false
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	ans.sent = now()
	a.door.sending(op)
	res, err := a.http.Do(req)
	if err != nil {
		return ans, false
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	ans.got, ans.status = now(), res.StatusCode
	a.door.answered()
	if err != nil {
		return ans, false
	}
	if err := json.Unmarshal(text, &ans); err != nil {
		a.journal.fault("%s: %d with a body that is not understood: %v: %s", op, ans.status, err, text)
		return ans, false
	}
	return ans, true
}

// call sends a request to the present guard and notes what it says.
func (a *agent) call(op operation, method, path string, body any) (ans answered, ok bool) {
	url, life, leave, ok := a.enter()
	if !ok {
		return ans, false
	}
	ans, ok = a.once(op, url, method, path, body)
	leave()
	if !ok {
		a.life = life // the next call waits for the next guard
		a.journal.count("cut off in " + string(op))
		return ans, false
	}
	a.life = life - 1
	a.see(op, &ans)
	return ans, true
}

// enter begins a request to the next guard that did not break a connection.
func (a *agent) enter() (url string, life int, leave func(), ok bool) {
	for {
		if url, life, ok = a.door.after(a.life); !ok {
			return "", life, nil, false
		}
		if leave, ok = a.door.enter(life); ok {
			return url, life, leave, true
		}
	}
}

// see notes a question's state.
func (a *agent) see(op operation, ans *answered) {
	switch ans.status {
	case http.StatusOK, http.StatusAccepted, http.StatusTooManyRequests:
	case http.StatusConflict:
		op = "refused " + op // what is told is where it stands, not that this did it
	default:
		a.journal.fault("%s: %d %s: %s", op, ans.status, ans.Code, ans.Detail)
	}
	if q := ans.Approval; q != nil {
		a.journal.saw(q.ID, q.ExpiresAt, q.UseBy, sight{q.State, op, ans.sent, ans.got})
	}
}

// look is what the agent wants to press, different each time.
func (a *agent) look(n int) map[string]any {
	return map[string]any{
		"screen": map[string]any{"package": "com.whatsapp"},
		"target": map[string]any{"text": "Delete chat", "resource_id": "com.whatsapp:id/delete", "dialog_title": fmt.Sprintf("Delete chat with %s %s?", a.name, letters(n))},
	}
}

// letters spells a number without digits, which a redaction could take for a code.
func letters(n int) string {
	var b strings.Builder
	for _, digit := range fmt.Sprint(n) {
		b.WriteString([]string{"ada", "bob", "cem", "dan", "eva", "fay", "gil", "hal", "ivo", "jan"}[digit-'0'])
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

// work lives through one action after the other until no other guard comes.
func (a *agent) work(done *sync.WaitGroup) {
	defer done.Done()
	defer a.http.CloseIdleConnections()
	for {
		if _, _, ok := a.door.after(0); !ok {
			return
		}
		a.made++
		a.action(a.made)
	}
}

// action is the life of one action.
func (a *agent) action(n int) {
	id, ok := a.propose(n)
	if !ok {
		return
	}
	switch a.random.IntN(16) {
	case 0:
		return // walks away, and the question stays
	case 1, 2:
		a.withdraw(id)
		return
	}
	ans, ok := a.wait(id)
	if !ok || ans.Approval.State != approval.Approved {
		return
	}
	switch a.random.IntN(12) {
	case 0:
		a.withdraw(id)
	case 1:
		a.call(opRedeem, http.MethodPost, "/v1/actions/"+id+"/redeem", a.look(n+1_000_000)) // the screen has changed
	case 2:
		a.redeemTwice(id, n)
	case 3:
		if a.short {
			time.Sleep(time.Until(ans.Approval.UseBy)) // too late by purpose
		}
		a.redeem(id, n)
	default:
		a.redeem(id, n)
	}
}

// propose sends the same proposal until it is answered.
func (a *agent) propose(n int) (id string, ok bool) {
	body := a.look(n)
	key := fmt.Sprintf("%s-%d", a.name, n)
	body["action"], body["idempotency_key"] = map[string]any{"kind": "tap"}, key
	for {
		ans, ok := a.call(opDecide, http.MethodPost, "/v1/actions", body)
		switch {
		case !ok:
			if _, _, more := a.door.after(0); !more {
				return "", false
			}
			a.journal.count("proposed again with its key")
			continue
		case ans.status == http.StatusTooManyRequests, ans.status == http.StatusConflict && ans.Code == "frozen":
			return "", false
		case ans.Outcome == risk.Deny && ans.Code == "frozen":
			return "", false
		case ans.Approval == nil:
			a.journal.fault("decide: %s was answered %d, %v of %v (%s) and no question: %s", key, ans.status, ans.Outcome, ans.Category, ans.Code, ans.Reason)
			return "", false
		}
		a.journal.proposed(a.name, key, ans.ID)
		return ans.ID, true
	}
}

// wait asks for the state until the question is answered, for some time.
func (a *agent) wait(id string) (ans answered, ok bool) {
	for range 20 {
		if ans, ok = a.call(opWait, http.MethodGet, "/v1/actions/"+id+"?wait=200ms", nil); ok && !a.mine(id, &ans) {
			return ans, false
		}
		if ok && ans.Approval.State != approval.Pending {
			return ans, true
		}
	}
	a.withdraw(id)
	return ans, false
}

// mine notes when a question is lost that was there.
func (a *agent) mine(id string, ans *answered) bool {
	if ans.status == http.StatusOK && ans.Approval != nil && ans.ID == id {
		return true
	}
	a.journal.fault("%s is lost: %d %s: %s", id, ans.status, ans.Code, ans.Detail)
	return false
}

// withdraw takes the question back, and asks what became of it when cut off.
func (a *agent) withdraw(id string) {
	if _, ok := a.call(opWithdraw, http.MethodDelete, "/v1/actions/"+id, nil); !ok {
		a.call(opWait, http.MethodGet, "/v1/actions/"+id, nil)
	}
}

// redeem uses a yes. It acts when, and only when, the answer says releasing.
func (a *agent) redeem(id string, n int) {
	for range 3 {
		ans, ok := a.call(opRedeem, http.MethodPost, "/v1/actions/"+id+"/redeem", a.look(n))
		if ok {
			if ans.status == http.StatusOK && ans.Approval != nil && ans.Approval.State == approval.Releasing {
				a.carryOut(id)
			}
			return
		}
		// Whether it was used is not known. The agent looks, and does not act on
		// what it sees: it may use a yes that is still there.
		ans, ok = a.call(opWait, http.MethodGet, "/v1/actions/"+id, nil)
		if !ok || ans.Approval == nil || ans.Approval.State != approval.Approved {
			return
		}
	}
}

// redeemTwice uses a yes on two connections at the same time.
func (a *agent) redeemTwice(id string, n int) {
	url, life, leave, ok := a.enter()
	if !ok {
		return
	}
	var both sync.WaitGroup
	var cut [2]bool
	for i := range cut {
		both.Go(func() {
			ans, ok := a.once(opRedeem, url, http.MethodPost, "/v1/actions/"+id+"/redeem", a.look(n))
			if cut[i] = !ok; cut[i] {
				return
			}
			a.see(opRedeem, &ans)
			if ans.status == http.StatusOK && ans.Approval != nil && ans.Approval.State == approval.Releasing {
				a.journal.carriedOut(id)
			}
		})
	}
	both.Wait()
	leave()
	a.journal.count("redeemed twice at once")
	if cut[0] || cut[1] {
		a.life = life
		return
	}
	a.report(id)
}

func (a *agent) carryOut(id string) {
	a.journal.carriedOut(id)
	if a.random.IntN(10) > 0 { // else it falls silent
		a.report(id)
	}
}

// report says how it went, and once more when it was cut off.
func (a *agent) report(id string) {
	body := map[string]any{"ok": a.random.IntN(4) > 0, "note": "as the device says"}
	for range 2 {
		if _, ok := a.call(opResult, http.MethodPost, "/v1/actions/"+id+"/result", body); ok {
			return
		}
	}
}
