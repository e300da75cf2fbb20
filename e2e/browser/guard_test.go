package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
)

// guard is a daemon in this process, with its first agent.
type guard struct {
	t     *testing.T
	d     *daemon.Daemon
	o     daemon.Options
	token string
}

func startGuard(t *testing.T, change ...func(*daemon.Options)) *guard {
	t.Helper()
	g := &guard{t: t, o: daemon.Options{Home: filepath.Join(t.TempDir(), "guard"), Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Version: "test"}}
	for _, c := range change {
		c(&g.o)
	}
	g.start()
	t.Cleanup(func() {
		if g.d != nil {
			g.stop()
		}
	})
	return g
}

func (g *guard) start() {
	g.t.Helper()
	var err error
	if g.d, err = daemon.New(context.Background(), g.o); err != nil {
		g.t.Fatal(err)
	}
	if err := g.d.Start(); err != nil {
		g.t.Fatal(err)
	}
	token, err := os.ReadFile(filepath.Join(g.o.Home, daemon.AgentTokenFile))
	if err != nil {
		g.t.Fatal(err)
	}
	g.token = strings.TrimSpace(string(token))
}

// remember keeps the addresses of the doors for the next start.
func (g *guard) remember() {
	g.t.Helper()
	g.o.Agents = strings.TrimPrefix(g.d.AgentsURL(), "http://")
	inbox, err := url.Parse(g.d.InboxURL())
	if err != nil {
		g.t.Fatal(err)
	}
	g.o.Inbox = net.JoinHostPort("127.0.0.1", inbox.Port())
}

func (g *guard) stop() {
	g.t.Helper()
	if err := g.d.Stop(context.Background()); err != nil {
		g.t.Errorf("stop the guard: %v", err)
	}
	g.d = nil
}

// link is a sign-in link of an approver, who is made if there is none of the name.
func (g *guard) link(approver string) string {
	g.t.Helper()
	ctx := context.Background()
	all, err := g.d.Registry().Approvers(ctx)
	if err != nil {
		g.t.Fatal(err)
	}
	known := false
	for _, a := range all {
		known = known || a.Name == approver
	}
	if !known {
		if _, _, err := g.d.Registry().AddApprover(ctx, approver); err != nil {
			g.t.Fatal(err)
		}
	}
	ticket, _, err := g.d.Registry().SignInTicket(ctx, approver)
	if err != nil {
		g.t.Fatal(err)
	}
	return g.d.InboxURL() + "/sign-in?ticket=" + ticket
}

// held is what an agent is told of a question.
type held struct {
	ID       string `json:"id"`
	Outcome  string `json:"outcome"`
	Category string `json:"category"`
	Approval struct {
		State string `json:"state"`
	} `json:"approval"`
}

// call is one request of the agent's.
func (g *guard) call(token, method, path string, body any) held {
	g.t.Helper()
	doc, err := json.Marshal(body)
	if err != nil {
		g.t.Fatal(err)
	}
	request, err := http.NewRequest(method, g.d.AgentsURL()+path, bytes.NewReader(doc))
	if err != nil {
		g.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		g.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	var h held
	if err := json.Unmarshal(text, &h); err != nil || answer.StatusCode >= 400 {
		g.t.Fatalf("%s %s: %s %s", method, path, answer.Status, text)
	}
	return h
}

// ask proposes an action that has to be held, and returns the question's id.
func (g *guard) ask(request map[string]any) string {
	g.t.Helper()
	h := g.call(g.token, http.MethodPost, "/v1/actions", request)
	if h.Outcome != "confirm" || h.Approval.State != "pending" {
		g.t.Fatalf("no question was put: %+v", h)
	}
	return h.ID
}

// decide asks what would happen.
func (g *guard) decide(request map[string]any) held {
	g.t.Helper()
	return g.call(g.token, http.MethodPost, "/v1/decide", request)
}

// redeem carries an approved action out, with a fresh look, and reports it done.
func (g *guard) redeem(id string, request map[string]any) {
	g.t.Helper()
	look := map[string]any{}
	for name, value := range request {
		if name == "screen" || name == "target" {
			look[name] = value
		}
	}
	g.call(g.token, http.MethodPost, "/v1/actions/"+id+"/redeem", look)
	g.call(g.token, http.MethodPost, "/v1/actions/"+id+"/result", map[string]bool{"ok": true})
}

// answer answers a question in another way than on a page.
func (g *guard) answer(id string, a hold.Answer) {
	g.t.Helper()
	a.ID, a.Digest, a.By, a.How = id, g.question(id).Digest, daemon.FirstApprover, "terminal"
	if _, err := g.d.Desk().Answer(context.Background(), a); err != nil {
		g.t.Fatal(err)
	}
}

func (g *guard) deny(id string) {
	g.t.Helper()
	g.answer(id, hold.Answer{})
}

func (g *guard) question(id string) approval.Approval {
	g.t.Helper()
	a, err := g.d.Desk().View(context.Background(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	return a
}

// wantState holds what is in the record, not what a page says.
func (g *guard) wantState(id string, want approval.State) approval.Approval {
	g.t.Helper()
	a := g.question(id)
	if a.State != want {
		g.t.Errorf("question %s is %s, want %s", id, a.State, want)
	}
	return a
}

// freeze is whether everything is frozen.
func (g *guard) freeze() hold.Freeze {
	g.t.Helper()
	f, err := g.d.Desk().Frozen(context.Background())
	if err != nil {
		g.t.Fatal(err)
	}
	return f
}
