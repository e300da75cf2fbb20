package planner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// The ways in which a model gives no action. They are wrapped with what happened;
// no text of the model and no credential is in them.
var (
	// ErrUnreachable says that the endpoint could not be reached or was cut off.
	ErrUnreachable = errors.New("the planner cannot be reached; check that its address is right and that it runs")
	// ErrTimeout says that the answer took too long.
	ErrTimeout = errors.New("the planner took too long; use a faster model or a longer timeout")
	// ErrCredential says that the endpoint wants another API key.
	ErrCredential = errors.New("the planner refuses the API key; check the environment variable that holds it")
	// ErrStatus says that the endpoint answered with another error.
	ErrStatus = errors.New("the planner answered with an error; check its log and the name of the model")
	// ErrTooLarge says that the answer is larger than Options.MaxAnswer.
	ErrTooLarge = errors.New("the planner's answer is too large")
	// ErrRefused says that the model declined.
	ErrRefused = errors.New("the planner's model declined to propose an action")
	// ErrNotJSON says that there is no JSON object of the asked form in the answer.
	ErrNotJSON = errors.New("the planner's answer holds no action in JSON; use a model that can follow a schema")
	// ErrUnknownAction says that the proposed action is none that is known.
	ErrUnknownAction = errors.New("the planner proposed an action that is not known or not complete")
)

// DefaultKeyEnv is the environment variable that holds the API key.
const DefaultKeyEnv = "COUNTERSIGN_PLANNER_KEY"

// Options say which model is asked. URL and Model are required.
type Options struct {
	// URL is the base of the endpoint, to which /chat/completions is added, such
	// as http://127.0.0.1:11434/v1. Plain http with an API key is accepted on the
	// loopback only.
	URL   string
	Model string
	// KeyEnv names the environment variable with the API key: DefaultKeyEnv if
	// empty. A variable that is not set means no key.
	KeyEnv string
	// Getenv reads it; os.Getenv if nil.
	Getenv func(string) string
	// Timeout bounds one plan: 1 second to 10 minutes, 60 seconds if zero.
	Timeout time.Duration
	// MaxAnswer bounds an answer in bytes: at most 16 MiB, 1 MiB if zero.
	MaxAnswer int64
	// Transport carries the requests; a copy of http.DefaultTransport if nil.
	Transport http.RoundTripper
}

// Client asks one endpoint. It is safe for concurrent use.
type Client struct {
	url, model, key string
	maxAnswer       int64
	http            http.Client
}

// New checks the options and makes a client. It does not ask the endpoint.
func New(o Options) (*Client, error) {
	base, err := checkURL(o.URL)
	if err != nil {
		return nil, err
	}
	if o.Model == "" {
		return nil, errors.New("planner: the name of the model is missing (--planner-model NAME)")
	}
	if o.KeyEnv == "" {
		o.KeyEnv = DefaultKeyEnv
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.MaxAnswer == 0 {
		o.MaxAnswer = 1 << 20
	}
	switch {
	case o.Timeout < time.Second || o.Timeout > 10*time.Minute:
		return nil, fmt.Errorf("planner: a timeout of %v; 1 second to 10 minutes are accepted", o.Timeout)
	case o.MaxAnswer < 0 || o.MaxAnswer > 16<<20:
		return nil, fmt.Errorf("planner: answers of %d bytes; at most 16 MiB are accepted", o.MaxAnswer)
	}
	key := strings.TrimSpace(o.Getenv(o.KeyEnv))
	if key != "" && base.Scheme == "http" && !isLoopback(base.Hostname()) {
		return nil, fmt.Errorf("planner: the key in %s would be sent in the clear to %s; use https", o.KeyEnv, base.Host)
	}
	if strings.ContainsAny(key, "\r\n\x00") {
		return nil, fmt.Errorf("planner: the key in %s has a line break in it", o.KeyEnv)
	}
	c := &Client{url: base.JoinPath("chat", "completions").String(), model: o.Model, key: key, maxAnswer: o.MaxAnswer}
	c.http = http.Client{Timeout: o.Timeout, Transport: o.Transport, CheckRedirect: sameHost}
	if o.Transport == nil {
		c.http.Transport = http.DefaultTransport.(*http.Transport).Clone()
	}
	return c, nil
}

func checkURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("planner: the address must be an http or https URL such as http://127.0.0.1:11434/v1 (--planner URL)")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("planner: the address must have no user name, query or fragment; the API key comes from the environment")
	}
	return u, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// errElsewhere says that the endpoint sent the client to another host.
var errElsewhere = errors.New("it redirects to another host, which is not followed")

func sameHost(next *http.Request, via []*http.Request) error {
	if len(via) > 3 || next.URL.Host != via[0].URL.Host || next.URL.Scheme != via[0].URL.Scheme {
		return errElsewhere
	}
	return nil
}

// Plan asks for the next action of a step.
func (c *Client) Plan(ctx context.Context, step Step) (Plan, error) {
	content, status, err := c.ask(ctx, promptOf(c.model, step, true))
	if status == http.StatusBadRequest || status == http.StatusUnprocessableEntity {
		// An endpoint that knows no schemas is asked again without one.
		content, _, err = c.ask(ctx, promptOf(c.model, step, false))
	}
	if err != nil {
		return Plan{}, err
	}
	return readAnswer(content)
}

// ask makes one request and returns what the model says. status is that of an
// error answer.
func (c *Client) ask(ctx context.Context, p prompt) (content string, status int, err error) {
	body, err := json.Marshal(p)
	if err != nil {
		return "", 0, fmt.Errorf("planner: write the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return "", 0, fmt.Errorf("planner: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return "", 0, network(err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		return "", res.StatusCode, fmt.Errorf("status %d: %w", res.StatusCode, ErrCredential)
	case res.StatusCode != http.StatusOK:
		return "", res.StatusCode, fmt.Errorf("status %d: %w", res.StatusCode, ErrStatus)
	}
	doc, err := io.ReadAll(io.LimitReader(res.Body, c.maxAnswer+1))
	switch {
	case err != nil:
		return "", 0, network(err)
	case int64(len(doc)) > c.maxAnswer:
		return "", 0, fmt.Errorf("more than %d bytes: %w", c.maxAnswer, ErrTooLarge)
	}
	content, err = contentOf(doc)
	return content, 0, err
}

// network tells what took too long from what could not be reached. The error's
// own text names the address, and goes to the owner's log only.
func network(err error) error {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}
