package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
)

const token = "csp_test-token-of-nobody"

// request is what reached the door of a test.
type request struct {
	Method, URI, Host, Auth, How, Kind, Body string
}

// doorway serves on a unix socket and keeps what came.
type doorway struct {
	socket string
	mu     sync.Mutex
	came   []request
}

// open serves answers on a socket until the test ends.
func openDoor(t *testing.T, serve http.HandlerFunc) *doorway {
	t.Helper()
	dir, err := os.MkdirTemp("", "door") // the test's own folder can be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	d := &doorway{socket: filepath.Join(dir, "approvers.sock")}
	listener, err := net.Listen("unix", d.socket)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.mu.Lock()
		d.came = append(d.came, request{r.Method, r.RequestURI, r.Host, r.Header.Get("Authorization"), r.Header.Get("Countersign-How"), r.Header.Get("Content-Type"), string(body)})
		d.mu.Unlock()
		serve(w, r)
	}))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	return d
}

func (d *doorway) requests() []request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]request(nil), d.came...)
}

func (d *doorway) client(t *testing.T, o Options) *Client {
	t.Helper()
	o.Socket, o.Token = d.socket, token
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func answerJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func TestWhatEachCallSends(t *testing.T) {
	var reply any
	door := openDoor(t, func(w http.ResponseWriter, r *http.Request) { answerJSON(w, 200, reply) })
	c := door.client(t, Options{})
	ctx := context.Background()
	a := ordinary()
	agent, person := Agent{ID: "agt_1", Name: "errands", Devices: []string{"pixel"}}, Approver{ID: "apr_1", Name: "Anna"}
	list := Questions{Approvals: []approval.Approval{a}, Version: "v2", Frozen: true, Now: noon}
	status := Status{Level: "same user", LevelWhy: "because", Version: "1.0", Frozen: true, Observe: true, Approver: "Anna", Open: 3, Policy: "default"}
	ticket := Ticket{Ticket: "t", ExpiresAt: noon, URL: "http://x/"}
	type m = map[string]any
	said := `{"digest":"hmac","note":"why"}`
	cases := []struct {
		name         string
		call         func() (any, error)
		reply        any
		method, path string
		body         string
		want         any
	}{
		{"list", func() (any, error) { return c.List(ctx, ListSettled, 7) }, list, "GET", "/v1/approvals?limit=7&state=settled", "", list},
		{"first wait", func() (any, error) { return c.Wait(ctx, "", time.Second) }, list, "GET", "/v1/approvals?limit=500&state=open", "", list},
		{"wait", func() (any, error) { return c.Wait(ctx, "v 1", 30*time.Second) }, list, "GET", "/v1/approvals?limit=500&seen=v+1&state=open&wait=30s", "", list},
		{"get", func() (any, error) { return c.Get(ctx, "apv/../7") }, a, "GET", "/v1/approvals/apv%2F..%2F7", "", a},
		{"approve", func() (any, error) { return c.Approve(ctx, "x", "hmac", "why") }, a, "POST", "/v1/approvals/x/approve", said, a},
		{"deny", func() (any, error) { return c.Deny(ctx, "x", "hmac", "why") }, a, "POST", "/v1/approvals/x/deny", said, a},
		{"revoke", func() (any, error) { return c.Revoke(ctx, "x", "hmac", "why") }, a, "POST", "/v1/approvals/x/revoke", said, a},
		{"freeze", func() (any, error) { return nil, c.Freeze(ctx, "why") }, m{"frozen": true}, "POST", "/v1/freeze", `{"note":"why"}`, nil},
		{"unfreeze", func() (any, error) { return nil, c.Unfreeze(ctx, "why") }, m{}, "POST", "/v1/unfreeze", `{"note":"why"}`, nil},
		{"status", func() (any, error) { return c.Status(ctx) }, status, "GET", "/v1/status", "", status},
		{"reload", func() (any, error) { return c.Reload(ctx) }, m{"policy": "mine"}, "POST", "/v1/policy/reload", "{}", "mine"},
		{"agents", func() (any, error) { return c.Agents(ctx) }, m{"agents": []Agent{agent}}, "GET", "/v1/agents", "", []Agent{agent}},
		{"add agent", func() (any, error) {
			a, s, err := c.AddAgent(ctx, "errands", []string{"pixel"})
			return []any{a, s}, err
		},
			m{"agent": agent, "token": "csa_1"}, "POST", "/v1/agents", `{"name":"errands","devices":["pixel"]}`, []any{agent, "csa_1"}},
		{"add gate", func() (any, error) {
			a, s, err := c.AddGate(ctx, "backend", []string{"pixel"})
			return []any{a, s}, err
		},
			m{"agent": agent, "token": "csa_2"}, "POST", "/v1/agents", `{"name":"backend","devices":["pixel"],"gate":true}`, []any{agent, "csa_2"}},
		{"revoke agent", func() (any, error) { return nil, c.RevokeAgent(ctx, "a b") }, m{}, "DELETE", "/v1/agents/a%20b", "", nil},
		{"approvers", func() (any, error) { return c.Approvers(ctx) }, m{"approvers": []Approver{person}}, "GET", "/v1/approvers", "", []Approver{person}},
		{"add approver", func() (any, error) { a, s, err := c.AddApprover(ctx, "Anna"); return []any{a, s}, err },
			m{"approver": person, "token": "csp_1"}, "POST", "/v1/approvers", `{"name":"Anna"}`, []any{person, "csp_1"}},
		{"revoke approver", func() (any, error) { return nil, c.RevokeApprover(ctx, "Anna") }, m{}, "DELETE", "/v1/approvers/Anna", "", nil},
		{"sign in", func() (any, error) { return c.SignIn(ctx, "") }, ticket, "POST", "/v1/sign-in", "{}", ticket},
	}
	for i, test := range cases {
		reply = test.reply
		got, err := test.call()
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s returned %+v, want %+v", test.name, got, test.want)
		}
		want := request{test.method, test.path, "countersign", "Bearer " + token, "terminal", "application/json", test.body}
		if test.method == "GET" {
			want.Kind = ""
		}
		if came := door.requests(); came[len(came)-1] != want || len(came) != i+1 {
			t.Errorf("%s sent %+v, want %+v", test.name, came[len(came)-1], want)
		}
	}
	if n := len(door.requests()); n != 19 {
		t.Fatalf("%d requests came, want 19", n)
	}
}

func TestNoGuardIsNamedAsSuch(t *testing.T) {
	dir := t.TempDir()
	stale := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", stale)
	if err != nil {
		t.Fatal(err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	listener.Close()
	for _, socket := range []string{filepath.Join(dir, "none"), stale} {
		c, err := Open(Options{Socket: socket, Token: token})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Status(context.Background()); !errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), "countersign up") {
			t.Errorf("%s: %v", socket, err)
		}
	}
}

func TestRefusalsAreProblems(t *testing.T) {
	var status int
	var body string
	door := openDoor(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/v1/status")
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
	c := door.client(t, Options{})
	cases := []struct {
		status int
		body   string
		want   Problem
		text   string
	}{
		{409, `{"title":"Conflict","status":200,"detail":"it was answered already","code":"already_decided","state":"denied"}`,
			Problem{409, "Conflict", "it was answered already", "already_decided", "denied"}, "it was answered already"},
		{401, `{"title":"Unauthorized","detail":"gone\u001b[2J"}`, Problem{Status: 401, Title: "Unauthorized", Detail: "gone\x1b[2J"}, `gone\u001b[2J`},
		{502, "<html>", Problem{Status: 502, Title: "the guard answered 502 Bad Gateway"}, "the guard answered 502 Bad Gateway"},
		{302, "", Problem{Status: 302, Title: "the guard answered 302 Found"}, "the guard answered 302 Found"},
	}
	for _, test := range cases {
		status, body = test.status, test.body
		_, err := c.Approve(context.Background(), "x", "hmac", "")
		var p *Problem
		if !errors.As(err, &p) || *p != test.want || p.Error() != test.text || p.Conflict() != (test.status == 409) {
			t.Errorf("%d %s: %#v (%v)", test.status, test.body, p, err)
		}
	}
	if n := len(door.requests()); n != len(cases) {
		t.Errorf("%d requests came, want %d: a redirect must not be followed", n, len(cases))
	}
}

func TestAnswersAreBounded(t *testing.T) {
	door := openDoor(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "status") {
			io.WriteString(w, "{")
			return
		}
		blank := strings.Repeat(" ", 1<<20)
		for range maxAnswer>>20 + 1 {
			if _, err := io.WriteString(w, blank); err != nil {
				return
			}
		}
	})
	c := door.client(t, Options{})
	if _, err := c.List(context.Background(), ListAll, 0); !errors.Is(err, ErrTooMuch) {
		t.Errorf("a list without end: %v", err)
	}
	if _, err := c.Status(context.Background()); err == nil || !strings.Contains(err.Error(), "one version") {
		t.Errorf("half a document: %v", err)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	door := openDoor(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := door.client(t, Options{}).Wait(ctx, "1", time.Minute); !errors.Is(err, context.Canceled) {
		t.Fatalf("the call ended with %v", err)
	}
}

func TestOptionsThatOpenNothing(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cases := []struct {
		name string
		o    Options
		want error
	}{
		{"no socket", Options{Token: token}, ErrNoSocket},
		{"no credential", Options{Socket: "s"}, ErrNoToken},
		{"two credentials", Options{Socket: "s", Token: token, TokenFile: "f"}, ErrTwoToken},
		{"an agent's credential", Options{Socket: "s", Token: "csa_agent"}, ErrToken},
		{"two lines", Options{Socket: "s", Token: token + "\r\nX: y"}, ErrToken},
		{"no file", Options{Socket: "s", TokenFile: filepath.Join(dir, "none")}, ErrNoToken},
		{"a file for all", Options{Socket: "s", TokenFile: write("all", token, 0o644)}, ErrReadable},
		{"an empty file", Options{Socket: "s", TokenFile: write("empty", "\n", 0o600)}, ErrToken},
	}
	for _, test := range cases {
		if runtime.GOOS == "windows" && test.want == ErrReadable {
			continue
		}
		if _, err := Open(test.o); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	c, err := Open(Options{Socket: "s", TokenFile: write("good", token+"\n", 0o600)})
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(verb, c); strings.Contains(text, "csp_") {
			t.Errorf("%s shows the credential: %s", verb, text)
		}
	}
}
