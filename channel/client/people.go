package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Agent is a program that may ask. With Gate, what it is let do after a yes leaves
// a ticket for the gate below it.
type Agent struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Devices   []string  `json:"devices"`
	Gate      bool      `json:"gate,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	CreatedBy string    `json:"created_by,omitempty"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// Approver is a person who may answer.
type Approver struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// Agents lists the agents.
func (c *Client) Agents(ctx context.Context) ([]Agent, error) {
	var out struct {
		Agents []Agent `json:"agents"`
	}
	err := c.call(ctx, http.MethodGet, "/v1/agents", nil, &out, 0)
	return out.Agents, err
}

// AddAgent adds an agent that may name these devices, and returns its token,
// which cannot be had a second time.
func (c *Client) AddAgent(ctx context.Context, name string, devices []string) (a Agent, token string, err error) {
	return c.addAgent(ctx, name, devices, false)
}

// AddGate is AddAgent for the credential of a gate.
func (c *Client) AddGate(ctx context.Context, name string, devices []string) (a Agent, token string, err error) {
	return c.addAgent(ctx, name, devices, true)
}

func (c *Client) addAgent(ctx context.Context, name string, devices []string, gate bool) (a Agent, token string, err error) {
	in := struct {
		Name    string   `json:"name"`
		Devices []string `json:"devices"`
		Gate    bool     `json:"gate,omitempty"`
	}{name, devices, gate}
	var out struct {
		Agent Agent  `json:"agent"`
		Token string `json:"token"`
	}
	err = c.call(ctx, http.MethodPost, "/v1/agents", in, &out, 0)
	return out.Agent, out.Token, err
}

// RevokeAgent withdraws an agent's credential.
func (c *Client) RevokeAgent(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, "/v1/agents/"+url.PathEscape(name), nil, nil, 0)
}

// Approvers lists the approvers.
func (c *Client) Approvers(ctx context.Context) ([]Approver, error) {
	var out struct {
		Approvers []Approver `json:"approvers"`
	}
	err := c.call(ctx, http.MethodGet, "/v1/approvers", nil, &out, 0)
	return out.Approvers, err
}

// AddApprover adds a person and returns the token, which cannot be had a second
// time.
func (c *Client) AddApprover(ctx context.Context, name string) (a Approver, token string, err error) {
	in := struct {
		Name string `json:"name"`
	}{name}
	var out struct {
		Approver Approver `json:"approver"`
		Token    string   `json:"token"`
	}
	err = c.call(ctx, http.MethodPost, "/v1/approvers", in, &out, 0)
	return out.Approver, out.Token, err
}

// RevokeApprover withdraws a person's credential.
func (c *Client) RevokeApprover(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, "/v1/approvers/"+url.PathEscape(name), nil, nil, 0)
}

// Ticket signs a browser in, once and for a short while.
type Ticket struct {
	Ticket    string    `json:"ticket"`
	ExpiresAt time.Time `json:"expires_at"`
	URL       string    `json:"url"`
	// RemoteURL is for a browser on another device, empty where the guard has no
	// inbox for those; RemoteFingerprint is the SHA-256 of its certificate, where
	// the guard made that itself.
	RemoteURL         string `json:"remote_url"`
	RemoteFingerprint string `json:"remote_fingerprint"`
}

// SignIn returns a ticket for an approver's own browser: that of the approver
// with a name or id, or of the caller for "".
func (c *Client) SignIn(ctx context.Context, approver string) (Ticket, error) {
	var t Ticket
	in := struct {
		Approver string `json:"approver,omitempty"`
	}{approver}
	err := c.call(ctx, http.MethodPost, "/v1/sign-in", in, &t, 0)
	return t, err
}
