package answer

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// grantView is a grant as an approver sees it.
type grantView struct {
	approval.Grant
	// Scope is what it covers, in words.
	Scope string `json:"scope"`
	Left  int    `json:"left"`
	// Open says that it may be used now.
	Open bool `json:"open"`
}

func viewOf(g approval.Grant, at time.Time) grantView {
	return grantView{Grant: g, Scope: g.Scope(), Left: g.Left(), Open: g.Open(at)}
}

// offer is the grant that may be given with a yes: what it would cover, and the
// terms that are proposed.
type offer struct {
	approval.Grant
	Scope   string `json:"scope"`
	Seconds int64  `json:"seconds"`
}

// offerFor is the offer that goes with a question, nil where there is none.
func (h *handler) offerFor(a approval.Approval) *offer {
	g, ok := h.desk.Offer(a)
	if !ok {
		return nil
	}
	return &offer{Grant: g, Scope: g.Scope(), Seconds: int64(g.ExpiresAt.Sub(g.CreatedAt) / time.Second)}
}

// grantTerms are the terms of a grant in the body of a yes.
type grantTerms struct {
	Count   int   `json:"count"`
	Seconds int64 `json:"seconds"`
}

// terms are those of the desk, nil for none. What is out of bounds stays so
// instead of running over.
func (t *grantTerms) terms() *approval.GrantTerms {
	if t == nil {
		return nil
	}
	const tooLong = int64(approval.MaxGrantFor/time.Second) + 1
	return &approval.GrantTerms{Count: t.Count, For: time.Duration(max(-1, min(t.Seconds, tooLong))) * time.Second}
}

func (h *handler) grants(c *call) error {
	state := c.r.URL.Query().Get("state")
	switch state {
	case "", "open", "all":
	default:
		return problem(http.StatusBadRequest, "bad_query", "state is open or all")
	}
	list, err := h.desk.Grants(c.r.Context(), state != "all")
	if err != nil {
		return err
	}
	at := h.desk.Now()
	views := make([]grantView, len(list))
	for i := range list {
		views[i] = viewOf(list[i], at)
	}
	return writeJSON(c.w, http.StatusOK, map[string]any{"grants": views, "now": at})
}

func (h *handler) revokeGrant(c *call) error {
	g, err := h.endGrant(c.r.Context(), c.caller, c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return writeJSON(c.w, http.StatusOK, map[string]any{"grant": viewOf(g, h.desk.Now())})
}

// endGrant revokes a grant for a program or a page.
func (h *handler) endGrant(ctx context.Context, who caller, id string) (approval.Grant, error) {
	g, err := h.desk.RevokeGrant(ctx, id, who.Name, who.how)
	if errors.Is(err, hold.ErrNotFound) {
		return g, problem(http.StatusNotFound, "not_found", "there is no grant of this id")
	}
	return g, err
}

// grantProblem is what an error about a grant means; nil for every other one.
func grantProblem(err error) *Problem {
	switch {
	case errors.Is(err, hold.ErrNoGrant):
		return problem(http.StatusConflict, "no_grant", "%v", hold.ErrNoGrant)
	case errors.Is(err, hold.ErrGrantNo):
		return problem(http.StatusBadRequest, "grant_with_no", "%v", hold.ErrGrantNo)
	case errors.Is(err, approval.ErrGrantTerms):
		return problem(http.StatusBadRequest, "bad_grant", "%v", err)
	case errors.Is(err, hold.ErrGrantOver):
		return problem(http.StatusConflict, "grant_over", "%v", err)
	case errors.Is(err, hold.ErrFrozen):
		return problem(http.StatusConflict, "frozen", "%v", hold.ErrFrozen)
	}
	return nil
}
