package e2e

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
)

// house is a guard of the real program, and its owner with a browser.
type house struct {
	t       *testing.T
	p       *process
	agent   httpAgent
	owner   *client.Client
	inbox   *http.Client
	address string
	host    string
	cookie  string
}

func openHouse(t *testing.T, flags ...string) *house {
	t.Helper()
	h := &house{t: t, p: up(t, newHome(t), flags)}
	h.enter()
	return h
}

// enter takes up with a guard that has just started.
func (h *house) enter() {
	t, p := h.t, h.p
	t.Helper()
	token, err := secretOf(p.home, daemon.AgentTokenFile)
	if err != nil {
		t.Fatal(err)
	}
	h.agent, h.owner, h.cookie = httpAgent{t: t, url: p.url, token: token}, ownerOf(t, p.home), ""
	ticket, err := h.owner.SignIn(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(ticket.URL)
	if err != nil {
		t.Fatal(err)
	}
	h.host, h.address = at.Host, "http://127.0.0.1:"+at.Port()
	h.inbox = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp := h.do("POST", "/sign-in", "ticket="+ticket.Ticket)
	for _, c := range resp.Cookies() {
		h.cookie = c.Value
	}
	if h.cookie == "" {
		t.Fatalf("signing in: %s", resp.Status)
	}
}

// again stops the guard in order and starts it on the same folder.
func (h *house) again(flags ...string) {
	h.t.Helper()
	h.leave()
	h.p = up(h.t, h.p.home, flags)
	h.enter()
}

// leave stops the guard in order.
func (h *house) leave() {
	h.t.Helper()
	if err := h.p.cmd.Process.Signal(os.Interrupt); err != nil {
		h.t.Fatal(err)
	}
	if code := h.p.exit(h.t); code != 0 {
		h.t.Errorf("the guard ended with %d:\n%s", code, h.p.said())
	}
}

func (h *house) newAgent(name string) httpAgent {
	h.t.Helper()
	_, token, err := h.owner.AddAgent(context.Background(), name, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return httpAgent{t: h.t, url: h.p.url, token: token}
}

// open are the questions that nobody has answered.
func (h *house) open() []approval.Approval {
	h.t.Helper()
	list, err := h.owner.List(context.Background(), client.ListOpen, 500)
	if err != nil {
		h.t.Fatal(err)
	}
	return list.Approvals
}

// held puts a question.
func (h *house) held(a httpAgent, body any) view {
	h.t.Helper()
	v := a.propose(body)
	if v.Status != http.StatusAccepted {
		h.t.Fatalf("not held: %+v", v)
	}
	return v
}

func (h *house) deny(v view, note string) {
	h.t.Helper()
	if _, err := h.owner.Deny(context.Background(), v.ID, v.Digest, note); err != nil {
		h.t.Error(err)
	}
}

func (h *house) do(method, path, body string) *http.Response {
	h.t.Helper()
	req, err := http.NewRequest(method, h.address+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Host = h.host
	req.Header.Set("Origin", "http://"+h.host)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if h.cookie != "" {
		req.Header.Set("Cookie", "countersign="+h.cookie)
	}
	resp, err := h.inbox.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// page is a page of the inbox.
func (h *house) page(path string) string {
	h.t.Helper()
	resp := h.do("GET", path, "")
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		h.t.Fatalf("%s: %s, %v", path, resp.Status, err)
	}
	if m := ownMarkup.Find(body); m != nil {
		return "a tag of the agent's: " + string(m) + "\x00"
	}
	return string(body)
}

// command is what a command prints, both streams.
func (h *house) command(args ...string) string {
	h.t.Helper()
	out, err := exec.Command(program(h.t), append(args, "--home", h.p.home)...).CombinedOutput()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		h.t.Fatal(err)
	}
	return string(out)
}
