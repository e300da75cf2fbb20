package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/store/sqlite"
)

// guard is a daemon in this process, its first agent and its owner.
type guard struct {
	t     *testing.T
	d     *daemon.Daemon
	o     daemon.Options
	agent httpAgent
	owner *client.Client
	clock *shiftedClock
}

// shiftedClock is the machine's clock, moved by hand.
type shiftedClock struct {
	mu  sync.Mutex
	off time.Duration
}

func (c *shiftedClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.off)
}

func (c *shiftedClock) shift(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += d
}

func startGuard(t *testing.T, change ...func(*daemon.Options)) *guard {
	t.Helper()
	g := &guard{t: t, clock: &shiftedClock{}}
	g.o = daemon.Options{Home: filepath.Join(t.TempDir(), "guard"), Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Now: g.clock.now, Version: "test"}
	for _, ch := range change {
		ch(&g.o)
	}
	g.start()
	t.Cleanup(g.stop)
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
	g.agent = httpAgent{t: g.t, url: g.d.AgentsURL(), token: g.file(daemon.AgentTokenFile)}
	g.owner, err = client.Open(client.Options{Socket: g.d.Socket(), TokenFile: filepath.Join(g.o.Home, daemon.ApproverTokenFile)})
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *guard) stop() {
	g.owner.Close()
	if err := g.d.Stop(context.Background()); err != nil {
		g.t.Errorf("stop the guard: %v", err)
	}
}

func (g *guard) file(name string) string {
	g.t.Helper()
	data, err := os.ReadFile(filepath.Join(g.o.Home, name))
	if err != nil {
		g.t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

// approve and deny are the owner's answers; the state that the question has then.
func (g *guard) approve(id string) approval.State { return g.answer(id, g.owner.Approve) }
func (g *guard) deny(id string) approval.State    { return g.answer(id, g.owner.Deny) }

func (g *guard) answer(id string, say func(ctx context.Context, id, digest, note string) (approval.Approval, error)) approval.State {
	g.t.Helper()
	a, err := g.owner.Get(context.Background(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	if a, err = say(context.Background(), id, a.Digest, ""); err != nil {
		g.t.Fatal(err)
	}
	return a.State
}

// verify checks the record and returns how many rows it has.
func (g *guard) verify() int64 {
	g.t.Helper()
	rows, err := g.d.Verify(context.Background())
	if err != nil {
		g.t.Error(err)
	}
	return rows
}

// record opens the store beside the running guard.
func (g *guard) record() *sqlite.Store {
	g.t.Helper()
	s, err := sqlite.OpenReadOnly(context.Background(), filepath.Join(g.o.Home, daemon.DatabaseFile))
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { s.Close() })
	return s
}

// httpAgent speaks HTTP to the agents' door, and keeps all that it was told.
type httpAgent struct {
	t          *testing.T
	url, token string
	heard      *bytes.Buffer
}

// view is what an agent is told, problems included.
type view struct {
	Status   int    `json:"-"`
	ID       string `json:"id"`
	Outcome  string `json:"outcome"`
	Category string `json:"category"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Digest   string `json:"digest"`
	Detail   string `json:"detail"`
	Approval struct {
		State     string    `json:"state"`
		ExpiresAt time.Time `json:"expires_at"`
	} `json:"approval"`
}

func (a httpAgent) call(method, path string, body any) view {
	a.t.Helper()
	data := []byte(nil)
	switch b := body.(type) {
	case nil:
	case string:
		data = []byte(b)
	default:
		var err error
		if data, err = json.Marshal(b); err != nil {
			a.t.Fatal(err)
		}
	}
	req, err := http.NewRequest(method, a.url+path, bytes.NewReader(data))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	if a.heard != nil {
		a.heard.Write(answer)
	}
	var v view
	if err := json.Unmarshal(answer, &v); err != nil {
		a.t.Fatalf("%s %s: %v in %s", method, path, err, answer)
	}
	v.Status = resp.StatusCode
	return v
}

func (a httpAgent) propose(body any) view { a.t.Helper(); return a.call("POST", "/v1/actions", body) }
func (a httpAgent) state(id string) view  { a.t.Helper(); return a.call("GET", "/v1/actions/"+id, nil) }
func (a httpAgent) redeem(id string, body any) view {
	a.t.Helper()
	return a.call("POST", "/v1/actions/"+id+"/redeem", body)
}
func (a httpAgent) report(id string) view {
	a.t.Helper()
	return a.call("POST", "/v1/actions/"+id+"/result", `{"ok": true}`)
}

// tap is a tap on a control as an agent describes it.
func tap(pkg, text string) map[string]any {
	return map[string]any{
		"action": map[string]any{"kind": "tap"}, "screen": map[string]any{"package": pkg}, "target": map[string]any{"text": text},
	}
}

// fresh is the same control on a fresh look.
func fresh(pkg, text string) map[string]any {
	m := tap(pkg, text)
	delete(m, "action")
	return m
}
