package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Client talks to the approvers' door. It is safe for concurrent use. Every
// method returns ErrNotRunning where no guard listens, a *Problem where it
// refuses, and the context's error when that ends first.
type Client struct {
	http               *http.Client
	token, how, socket string
	timeout            time.Duration
}

// The bounds of an answer, in bytes.
const (
	maxAnswer  = 32 << 20
	maxProblem = 64 << 10
)

// String names the socket and nothing of the credential.
func (c *Client) String() string { return "approvers' door at " + c.socket }

// Format prints String for every verb, so that no verb shows the credential.
func (c *Client) Format(f fmt.State, _ rune) { io.WriteString(f, c.String()) }

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// call sends in, where there is one, and reads the answer into out, where there
// is one. wait is how long the door was asked to think.
func (c *Client) call(ctx context.Context, method, path string, in, out any, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout+wait)
	defer cancel()
	req, err := c.request(ctx, method, path, in)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return dialError(err)
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		body, _ := io.ReadAll(io.LimitReader(res.Body, maxProblem)) // what is there is enough to say that it was refused
		return problemOf(res.StatusCode, body)
	}
	return readAnswer(res.Body, out)
}

func (c *Client) request(ctx context.Context, method, path string, in any) (*http.Request, error) {
	var body io.Reader
	if in != nil {
		doc, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("write the request to the guard: %w", err)
		}
		body = bytes.NewReader(doc)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://countersign"+path, body)
	if err != nil {
		return nil, fmt.Errorf("write the request to the guard: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Accept", "application/json, application/problem+json")
	req.Header.Set("Countersign-How", c.how)
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// readAnswer reads a whole answer within its bound.
func readAnswer(from io.Reader, out any) error {
	body, err := io.ReadAll(io.LimitReader(from, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("read the guard's answer: %w", err)
	}
	if len(body) > maxAnswer {
		return ErrTooMuch
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("understand the guard's answer; are both of one version? %w", err)
	}
	return nil
}
