package client

import (
	"cmp"
	"context"
	"fmt"
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

// GrantLine says on one line what a grant covers, how often and until when, and
// for whom; of one that is over, how often it was used and why it ended. now is
// the guard's time in the zone of the reader. Text from outside is spelled out.
func GrantLine(g approval.Grant, now time.Time) string {
	who := ", by " + quote(cmp.Or(g.AgentName, g.Agent))
	if g.Device != "" {
		who += " on device " + quote(g.Device)
	}
	why := g.Ending(now)
	if why == "" {
		return spell(g.Sentence(now.Location())) + who
	}
	line := fmt.Sprintf("%s, used %d of %s%s; %s", spell(g.Scope()), g.Used, approval.Times(g.Count), who, endings[why])
	if (why == approval.CodeRevoked || why == approval.CodeFrozen || why == approval.CodeDeniedSince) && g.EndedBy != "" {
		line += " by " + quote(g.EndedBy)
	}
	return line
}

// endings say why a grant is over.
var endings = map[string]string{
	approval.CodeUsedUp: "used up", approval.CodeGrantExpired: "its time is over", approval.CodeRevoked: "ended",
	approval.CodeFrozen: "ended with a freeze", approval.CodeDeniedSince: "ended with a refusal of something like it",
}

// Offered is the grant of an offer on other terms, as it would be given now.
func Offered(offer approval.Grant, terms approval.GrantTerms, now time.Time) approval.Grant {
	return offer.Given("", terms, now, "", "")
}
