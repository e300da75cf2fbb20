package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// problemOf is what an agent is told of an error of the desk. t is the ticket
// that came with it, where there is one. Whatever is not known is an error
// inside, and nothing was released.
func (g *Gate) problemOf(err error, t *hold.Ticket) *Problem {
	var conflict *approval.Conflict
	switch {
	case errors.As(err, &conflict):
		return conflictOf(conflict, t)
	case errors.Is(err, errNoQuestion):
		return problem(http.StatusConflict, "no_question", "%v", err)
	case errors.Is(err, hold.ErrKeyReused):
		return problem(http.StatusConflict, "key_reused", "%v", hold.ErrKeyReused)
	case errors.Is(err, hold.ErrTooMany):
		return problem(http.StatusTooManyRequests, "too_many_open", "%v", err).after(5 * time.Second)
	case errors.Is(err, hold.ErrFrozen):
		p := problem(http.StatusConflict, approval.CodeFrozen, "The owner has stopped all actions. Do nothing until the owner lets them go on.")
		p.Approval = questionOf(t)
		return p
	case errors.Is(err, hold.ErrNotFound):
		return problem(http.StatusNotFound, "not_found", "%v; use the id that POST /v1/actions answered to this credential", hold.ErrNoAction)
	case errors.Is(err, hold.ErrActionNeeded):
		return problem(http.StatusUnprocessableEntity, "action_needed", "%v", hold.ErrActionNeeded)
	case errors.Is(err, hold.ErrNoDigest):
		return problem(http.StatusServiceUnavailable, "no_digest_key", "%v", hold.ErrNoDigest)
	case errors.Is(err, hold.ErrClosed):
		return problem(http.StatusServiceUnavailable, "shutting_down", "%v", hold.ErrClosed).after(5 * time.Second)
	case errors.Is(err, hold.ErrMoved):
		return problem(http.StatusServiceUnavailable, "busy", "the question moved while it was looked at; nothing was released, try again").after(time.Second)
	case errors.Is(err, context.Canceled): // the agent is gone, or the guard stops
		return unavailable()
	case errors.Is(err, hold.ErrUnavailable):
		g.options.Log.Error("the record cannot be written or read", "error", err.Error())
		return unavailable()
	}
	g.options.Log.Error("a request failed inside", "error", err.Error())
	return internal()
}

func unavailable() *Problem {
	return problem(http.StatusServiceUnavailable, "audit_unavailable",
		"The record cannot be written or read, so nothing was released. Do not act; tell the user, and try again later.").after(10 * time.Second)
}

func internal() *Problem {
	return problem(http.StatusInternalServerError, "internal", "The guard failed on this request, so nothing was released. Do not act; tell the user.")
}

// conflictOf says what is in the way of an event that came too late, too early
// or twice.
func conflictOf(c *approval.Conflict, t *hold.Ticket) *Problem {
	if t == nil || t.Approval == nil {
		return problem(http.StatusConflict, "not_released", "The action was not released, so there is no result to report.")
	}
	return inTheWay(t)
}

// inTheWay is the problem of an action whose question stands where it may not
// be carried out. The detail is the ticket's own message.
func inTheWay(t *hold.Ticket) *Problem {
	p := problem(http.StatusConflict, stateCode(t.Approval), "%s", t.Message)
	p.Approval = questionOf(t)
	return p
}

// stateCode is a word for the state of a question that is not to be acted on.
func stateCode(a *approval.Approval) string {
	switch a.State {
	case approval.Pending:
		return "not_approved"
	case approval.Approved:
		return "not_redeemed"
	case approval.Releasing, approval.Released:
		return "already_released"
	case approval.Denied, approval.Expired:
		return a.State.String()
	case approval.Void:
		return approval.CodeScreenChanged
	}
	if a.Code != "" {
		return a.Code
	}
	return a.State.String()
}
