package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
)

// keyHeader carries an idempotency key.
const keyHeader = "Idempotency-Key"

// pollAfter is how long an agent is asked to wait before it asks for the state.
const pollAfter = time.Second

// Proposal is the body of POST /v1/actions: a request, and what is shown with the
// question about it.
type Proposal struct {
	decide.Request
	Screenshot Screenshot `json:"screenshot,omitempty"`
}

// propose decides about an action, records it, and holds what is to be asked.
func (g *Gate) propose(c *call) (reply, *Problem) {
	body, shot, p := g.shownBody(c)
	if p != nil {
		return reply{}, p
	}
	req, p := readRequest(c, body)
	if p != nil {
		return reply{}, p
	}
	t, p := g.hold(c, req, shot)
	if p != nil {
		return reply{}, p
	}
	view := viewOf(&t)
	return held(&t, &view), nil
}

// hold hands an action to the desk, with the screenshot that came with it.
func (g *Gate) hold(c *call, req *decide.Request, shot []byte) (hold.Ticket, *Problem) {
	key, p := keyOf(c.r, req.IdempotencyKey)
	if p != nil {
		return hold.Ticket{}, p
	}
	req.Session = redact.Text(req.Session) // it is stored beside the question
	t, err := g.desk.Propose(c.r.Context(), hold.Proposal{Agent: c.agent.ID, AgentName: c.agent.Name, Request: req, Screenshot: shot, Key: storedKey(c.agent.ID, key)})
	if err != nil {
		return t, g.problemOf(err, &t)
	}
	return t, nil
}

// keyOf is the idempotency key of a request, from its body or its header.
func keyOf(r *http.Request, body string) (string, *Problem) {
	values := r.Header[http.CanonicalHeaderKey(keyHeader)]
	switch {
	case len(values) == 0:
		return body, nil
	case len(values) > 1 || values[0] == "":
		return "", problem(http.StatusUnprocessableEntity, "key_conflict", "the %s header must be there once and not be empty", keyHeader)
	case body != "" && body != values[0]:
		return "", problem(http.StatusUnprocessableEntity, "key_conflict", "idempotency_key and the %s header differ; send one of them", keyHeader)
	}
	return values[0], checkName(keyHeader, values[0])
}

// storedKey is an idempotency key as it may be stored: of one that looks like a
// secret only a hash is kept, since it has to be found again.
func storedKey(agent, key string) string {
	if redact.Text(key) == key {
		return key
	}
	sum := sha256.Sum256([]byte(agent + "\x00" + key))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// held is the answer to a proposal: 202 while a question about it is open.
func held(t *hold.Ticket, body any) reply {
	rep := ok(body)
	if t.Approval != nil && t.Approval.State.Open() {
		rep.status, rep.location, rep.retryAfter = http.StatusAccepted, "/v1/actions/"+t.ID, pollAfter
	}
	return rep
}

// state answers where an action stands, as soon as its question is no longer
// pending or the time to wait is over.
func (g *Gate) state(c *call) (reply, *Problem) {
	wait, p := g.waitOf(c.r)
	if p != nil {
		return reply{}, p
	}
	id := c.r.PathValue("id")
	t, err := g.desk.Ticket(c.r.Context(), c.agent.ID, id)
	if err == nil && wait > 0 && t.Approval != nil && t.Approval.State == approval.Pending {
		t, p = g.await(c, id, wait)
		if p != nil {
			return reply{}, p
		}
	} else if err == nil {
		t, err = g.renew(c, t)
	}
	if err != nil {
		return reply{}, g.problemOf(err, &t)
	}
	view := viewOf(&t)
	return ok(&view), nil
}

// renew keeps the lease of a requester that asks without waiting.
func (g *Gate) renew(c *call, t hold.Ticket) (hold.Ticket, error) {
	if t.Approval == nil || t.Approval.State != approval.Pending {
		return t, nil
	}
	over, cancel := context.WithCancel(c.r.Context())
	cancel()
	return g.desk.Wait(over, c.agent.ID, t.ID)
}

// await waits for the answer to a question.
func (g *Gate) await(c *call, id string, wait time.Duration) (hold.Ticket, *Problem) {
	done, ok := c.caller.wait()
	if !ok {
		return hold.Ticket{}, problem(http.StatusTooManyRequests, "too_many_waits", "%d requests of this credential wait already", maxWaits).after(pollAfter)
	}
	defer done()
	ctx, cancel := context.WithTimeout(c.r.Context(), wait)
	defer cancel()
	defer context.AfterFunc(g.closing, cancel)()
	t, err := g.desk.Wait(ctx, c.agent.ID, id)
	if err != nil {
		return t, g.problemOf(err, &t)
	}
	return t, nil
}

// waitOf reads how long to wait.
func (g *Gate) waitOf(r *http.Request) (time.Duration, *Problem) {
	if r.URL.RawQuery == "" {
		return 0, nil
	}
	query := r.URL.Query()
	values := query["wait"]
	for name := range query {
		if name != "wait" {
			return 0, problem(http.StatusBadRequest, "bad_request", "unknown parameter %q; wait is known", redact.Text(name))
		}
	}
	most := g.options.Limits.Wait
	if len(values) == 1 {
		if wait, err := time.ParseDuration(values[0]); err == nil && wait >= 0 && wait <= most {
			return wait, nil
		}
	}
	return 0, problem(http.StatusBadRequest, "bad_wait", "wait is accepted once, as a duration from 0s to %v, such as wait=30s", most)
}

// Look is the screen as it is now, for a release.
type Look struct {
	// Action is the action with its place on the fresh screen; without it the one
	// that was proposed counts.
	Action *risk.Action   `json:"action,omitempty"`
	Screen *decide.Screen `json:"screen,omitempty"`
	Target *decide.Target `json:"target,omitempty"`
}

// redeem uses an approval on a fresh look.
func (g *Gate) redeem(c *call) (reply, *Problem) {
	body, p := g.body(c)
	if p != nil {
		return reply{}, p
	}
	var look Look
	if err := readStrict(body, "fresh look", &look); err != nil {
		return reply{}, badBody(err)
	}
	id := c.r.PathValue("id")
	if p := g.checkLook(c, id, &look); p != nil {
		return reply{}, p
	}
	fresh := decide.Request{Screen: look.Screen, Target: look.Target}
	if look.Action != nil {
		fresh.Action = *look.Action
	}
	t, err := g.desk.Begin(c.r.Context(), c.agent.ID, id, &fresh)
	switch {
	case err != nil:
		return reply{}, g.problemOf(g.withoutQuestion(c, id, err), &t)
	case t.Approval == nil || t.Approval.State != approval.Releasing:
		return reply{}, inTheWay(&t)
	}
	view := viewOf(&t)
	return ok(&view), nil
}

// offScreen are the kinds of action that no screen is needed for.
var offScreen = map[string]bool{
	string(risk.ShellLine): true, string(risk.OpenIntent): true, string(risk.OpenLink): true,
	string(risk.ToolCall): true, string(risk.Launch): true,
}

// checkLook refuses a look that shows nothing, before it voids the approval.
func (g *Gate) checkLook(c *call, id string, look *Look) *Problem {
	if look.Action != nil && look.Action.Kind == "" {
		return problem(http.StatusBadRequest, "bad_request", "fresh look: action.kind is missing; leave action out for the one that was proposed")
	}
	if p := checkScreen(look.Screen); p != nil || look.Screen != nil || look.Target != nil {
		return p
	}
	t, err := g.desk.Ticket(c.r.Context(), c.agent.ID, id)
	if err != nil || t.Approval == nil || t.Approval.State != approval.Approved || offScreen[t.Approval.Card.Action] {
		return nil // the desk says what is in the way
	}
	return problem(http.StatusUnprocessableEntity, "no_look", "look at the screen again and send it in screen, or the control as it is now in target")
}

// withoutQuestion tells an action that needed no answer from one that is not
// there: the desk knows only questions where it answers err.
func (g *Gate) withoutQuestion(c *call, id string, err error) error {
	if !errors.Is(err, hold.ErrNotFound) {
		return err
	}
	if _, terr := g.desk.Ticket(c.r.Context(), c.agent.ID, id); terr != nil {
		return terr
	}
	return errNoQuestion
}

// errNoQuestion says that an action was never asked about.
var errNoQuestion = errors.New("the action needed no answer, so there is no question to redeem or withdraw; see its outcome")

// Outcome is what became of an action, as its agent reports it.
type Outcome struct {
	OK   *bool  `json:"ok"`
	Note string `json:"note,omitempty" jsonschema:"says more, at most 500 characters; it is recorded"`
}

// result records what became of an action.
func (g *Gate) result(c *call) (reply, *Problem) {
	body, p := g.body(c)
	if p != nil {
		return reply{}, p
	}
	var out Outcome
	if err := readStrict(body, "result", &out); err != nil {
		return reply{}, badBody(err)
	}
	switch {
	case out.OK == nil:
		return reply{}, problem(http.StatusBadRequest, "bad_request", "result: ok is missing; it must be true or false")
	case utf8.RuneCountInString(out.Note) > hold.MaxNote:
		return reply{}, problem(http.StatusUnprocessableEntity, "too_long", "note has more than %d characters", hold.MaxNote)
	}
	t, err := g.desk.Finish(c.r.Context(), c.agent.ID, c.r.PathValue("id"), hold.Result{OK: *out.OK, Note: out.Note})
	if err != nil {
		return reply{}, g.problemOf(err, &t)
	}
	view := viewOf(&t)
	return ok(&view), nil
}

// withdraw ends a question that its agent no longer wants.
func (g *Gate) withdraw(c *call) (reply, *Problem) {
	id := c.r.PathValue("id")
	t, err := g.desk.Withdraw(c.r.Context(), c.agent.ID, id, approval.CodeWithdrawn)
	if err != nil {
		return reply{}, g.problemOf(g.withoutQuestion(c, id, err), &t)
	}
	view := viewOf(&t)
	return ok(&view), nil
}
