package client

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/countersign/countersign/approval"
)

// Grants are grants as they stand at one moment, the newest first.
type Grants struct {
	Grants []approval.Grant `json:"grants"`
	// Now is the guard's time, which their ends are counted from.
	Now time.Time `json:"now"`
}

// Grants returns the grants that may be used, or all of them.
func (c *Client) Grants(ctx context.Context, all bool) (Grants, error) {
	state := "open"
	if all {
		state = "all"
	}
	var list Grants
	err := c.call(ctx, http.MethodGet, "/v1/grants?state="+state, nil, &list, 0)
	return list, err
}

// RevokeGrant ends a grant at once. One that is over is a *Problem.
func (c *Client) RevokeGrant(ctx context.Context, id string) (approval.Grant, error) {
	var out struct {
		Grant approval.Grant `json:"grant"`
	}
	err := c.call(ctx, http.MethodDelete, "/v1/grants/"+url.PathEscape(id), nil, &out, 0)
	return out.Grant, err
}

// Offer returns the grant that may be given with the yes to a question, on the
// terms that the guard proposes; ok is false where none may be given.
func (c *Client) Offer(ctx context.Context, id string) (g approval.Grant, ok bool, err error) {
	var out struct {
		Offer *approval.Grant `json:"offer"`
	}
	if err := c.call(ctx, http.MethodGet, "/v1/approvals/"+url.PathEscape(id), nil, &out, 0); err != nil || out.Offer == nil {
		return g, false, err
	}
	return *out.Offer, true, nil
}

// ApproveWithGrant says yes and lets the agent do the same again on these terms.
// The id of the grant is in the answer. Where none may be given it is a *Problem,
// and nothing was answered.
func (c *Client) ApproveWithGrant(ctx context.Context, id, digest, note string, terms approval.GrantTerms) (approval.Approval, error) {
	return c.answer(ctx, id, "approve", answer{Digest: digest, Note: note, Grant: &grantTerms{terms.Count, int64(terms.For / time.Second)}})
}

// grantTerms are the terms of a grant in the body of a yes.
type grantTerms struct {
	Count   int   `json:"count"`
	Seconds int64 `json:"seconds"`
}

// GrantLine says on one line what a grant covers, for whom, how often and until
// when, with times of a zone. Text from outside is spelled out.
func GrantLine(g approval.Grant, zone *time.Location) string {
	line := spell(g.Sentence(zone)) + ", by " + quote(cmp.Or(g.AgentName, g.Agent))
	if g.Device != "" {
		line += " on device " + quote(g.Device)
	}
	return line
}

// Offered is the grant of an offer on other terms, as it would be given now.
func Offered(offer approval.Grant, terms approval.GrantTerms, now time.Time) approval.Grant {
	return offer.Given("", terms, now, "", "")
}
