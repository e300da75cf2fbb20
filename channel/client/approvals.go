package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/countersign/countersign/approval"
)

// Which says which questions are meant.
type Which string

// The questions that a list can have.
const (
	ListOpen    Which = "open"    // those that can still move
	ListSettled Which = "settled" // those that cannot
	ListAll     Which = "all"
)

// Questions are questions as they stand at one moment: open ones with the nearest
// deadline first, others with the newest first.
type Questions struct {
	Approvals []approval.Approval `json:"approvals"`
	// Frozen says that everything is stopped.
	Frozen bool `json:"frozen"`
	// Version names the two above; Wait waits for another one.
	Version string `json:"version"`
	// Now is the guard's time, which deadlines are counted from.
	Now time.Time `json:"now"`
}

// mostOpen is how many open questions the page asks for; the guard gives no more.
const mostOpen = 500

// List returns at most limit questions, from 1 to 500; 0 leaves it to the guard.
func (c *Client) List(ctx context.Context, which Which, limit int) (Questions, error) {
	query := url.Values{"state": {string(which)}}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	var list Questions
	err := c.call(ctx, http.MethodGet, "/v1/approvals?"+query.Encode(), nil, &list, 0)
	return list, err
}

// Wait returns the open questions as soon as they differ from the version that
// was seen, or when the time is over, with the same version then. Where none was
// seen it returns at once.
func (c *Client) Wait(ctx context.Context, seen string, wait time.Duration) (Questions, error) {
	if seen == "" {
		return c.List(ctx, ListOpen, mostOpen)
	}
	query := url.Values{"state": {string(ListOpen)}, "seen": {seen}, "wait": {wait.String()}, "limit": {strconv.Itoa(mostOpen)}}
	var list Questions
	err := c.call(ctx, http.MethodGet, "/v1/approvals?"+query.Encode(), nil, &list, wait)
	return list, err
}

// Get returns one question.
func (c *Client) Get(ctx context.Context, id string) (approval.Approval, error) {
	var a approval.Approval
	err := c.call(ctx, http.MethodGet, "/v1/approvals/"+url.PathEscape(id), nil, &a, 0)
	return a, err
}

// answer is the body of an answer.
type answer struct {
	Digest string      `json:"digest"`
	Note   string      `json:"note"`
	Grant  *grantTerms `json:"grant,omitempty"`
}

// Approve says yes to a question whose card had this digest. A conflict is a
// *Problem.
func (c *Client) Approve(ctx context.Context, id, digest, note string) (approval.Approval, error) {
	return c.answer(ctx, id, "approve", answer{Digest: digest, Note: note})
}

// Deny says no. The note is told to the agent.
func (c *Client) Deny(ctx context.Context, id, digest, note string) (approval.Approval, error) {
	return c.answer(ctx, id, "deny", answer{Digest: digest, Note: note})
}

// Revoke takes a question or an answer back that has not been released. The
// digest may be empty: nothing goes ahead on a revocation.
func (c *Client) Revoke(ctx context.Context, id, digest, note string) (approval.Approval, error) {
	return c.answer(ctx, id, "revoke", answer{Digest: digest, Note: note})
}

func (c *Client) answer(ctx context.Context, id, verb string, in answer) (approval.Approval, error) {
	var a approval.Approval
	err := c.call(ctx, http.MethodPost, "/v1/approvals/"+url.PathEscape(id)+"/"+verb, in, &a, 0)
	return a, err
}
