package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/api"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// A fixture is a gate behind a real listener, over a store in memory, with a
// clock of its own.
type fixture struct {
	t        testing.TB
	ctx      context.Context
	clock    *handClock
	store    *failingStore
	desk     *hold.Desk
	registry *identity.Registry
	gate     *api.Gate
	server   *httptest.Server
	agent    identity.Agent
	token    string
	doc      *description
}

// handClock is a clock that is moved by hand.
type handClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *handClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// failingStore can be told to fail.
type failingStore struct {
	*sqlite.Store
	broken atomic.Bool
}

func (s *failingStore) fails() error {
	if s.broken.Load() {
		return errors.Join(hold.ErrUnavailable, errors.New("the disk is full"))
	}
	return nil
}

func (s *failingStore) Commit(ctx context.Context, c hold.Change) ([]ledger.Row, error) {
	if err := s.fails(); err != nil {
		return nil, err
	}
	return s.Store.Commit(ctx, c)
}

func (s *failingStore) Approval(ctx context.Context, id string) (approval.Approval, error) {
	if err := s.fails(); err != nil {
		return approval.Approval{}, err
	}
	return s.Store.Approval(ctx, id)
}

func (s *failingStore) About(ctx context.Context, subject string) ([]ledger.Row, error) {
	if err := s.fails(); err != nil {
		return nil, err
	}
	return s.Store.About(ctx, subject)
}

func (s *failingStore) Freeze(ctx context.Context) (hold.Freeze, error) {
	if err := s.fails(); err != nil {
		return hold.Freeze{}, err
	}
	return s.Store.Freeze(ctx)
}

// settings are what a test changes before the gate is made.
type settings struct {
	desk    hold.Options
	gate    api.Options
	devices []string
}

func newFixture(t testing.TB, change ...func(*settings)) *fixture {
	t.Helper()
	f := &fixture{t: t, ctx: context.Background(), clock: &handClock{at: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)}}
	store, err := sqlite.Open(f.ctx, sqlite.Memory, sqlite.Options{})
	f.must(err)
	f.store = &failingStore{Store: store}
	guard, err := countersign.New(countersign.Options{DigestKey: bytes.Repeat([]byte("k"), 32)})
	f.must(err)
	s := settings{
		desk: hold.Options{Store: f.store, Decider: guard, Now: f.clock.now, Somebody: func(context.Context) bool { return true }},
		gate: api.Options{Version: "1.2.3", Level: string(identity.SameUser), Now: f.clock.now},
	}
	for _, ch := range change {
		ch(&s)
	}
	f.desk, err = hold.New(f.ctx, s.desk)
	f.must(err)
	f.registry, err = identity.New(store, identity.Options{Now: f.clock.now})
	f.must(err)
	f.agent, f.token, err = f.registry.AddAgent(f.ctx, "tester", s.devices, "owner")
	f.must(err)
	f.gate, err = api.New(f.desk, f.registry, s.gate)
	f.must(err)
	f.server = httptest.NewServer(f.gate)
	t.Cleanup(func() {
		f.gate.Close()
		f.server.Close()
		f.desk.Close()
		store.Close()
	})
	f.doc = describedBy(t, f.server.URL)
	return f
}

// as is the same gate seen by another agent, in another test.
func (f *fixture) as(t testing.TB) *fixture {
	t.Helper()
	other := *f
	other.t = t
	all, err := f.registry.Agents(f.ctx)
	other.must(err)
	other.agent, other.token, err = f.registry.AddAgent(f.ctx, fmt.Sprintf("tester%d", len(all)), nil, "owner")
	other.must(err)
	return &other
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// answered is an answer that was held against the OpenAPI document.
type answered struct {
	status int
	header http.Header
	raw    []byte
	// What the bodies of this door have in common, as far as it is there.
	body struct {
		api.View
		Status               json.RawMessage `json:"status"`
		Detail               string          `json:"detail"`
		Action               map[string]any  `json:"action"`
		RequiresConfirmation bool            `json:"requires_confirmation"`
		Source               string          `json:"confirmation_source"`
		Decision             *api.View       `json:"decision"`
		Frozen               bool            `json:"frozen"`
		Done, Masked         bool
	}
}

// request is a request of the fixture's agent, unless it is changed.
func (f *fixture) request(method, path, body string) *http.Request {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.ctx, method, f.server.URL+path, strings.NewReader(body))
	f.must(err)
	req.Header.Set("Authorization", "Bearer "+f.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

// do sends a request and holds the answer against the document.
func (f *fixture) do(req *http.Request) answered {
	f.t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	f.must(err)
	defer res.Body.Close()
	a := answered{status: res.StatusCode, header: res.Header}
	a.raw, err = io.ReadAll(res.Body)
	f.must(err)
	if err := json.Unmarshal(a.raw, &a.body); err != nil {
		f.t.Fatalf("%s %s: %d is not JSON: %v: %s", req.Method, req.URL.Path, a.status, err, a.raw)
	}
	if err := f.doc.check(req, &a); err != nil {
		f.t.Errorf("%s %s: %d: %v: %s", req.Method, req.URL.Path, a.status, err, a.raw)
	}
	if got := a.header.Get("Cache-Control"); got != "no-store" {
		f.t.Errorf("%s %s: Cache-Control %q", req.Method, req.URL.Path, got)
	}
	return a
}

func (f *fixture) call(method, path, body string) answered {
	f.t.Helper()
	return f.do(f.request(method, path, body))
}

// hold proposes an action that is held, and returns its id.
func (f *fixture) hold(body string) string {
	f.t.Helper()
	a := f.call("POST", "/v1/actions", body)
	if a.status != http.StatusAccepted || a.body.Approval == nil || a.body.Approval.State != approval.Pending {
		f.t.Fatalf("not held: %d %s", a.status, a.raw)
	}
	return a.body.ID
}

// answer is what the owner says to a question.
func (f *fixture) answer(id string, yes bool, note string) {
	f.t.Helper()
	a, err := f.desk.View(f.ctx, id)
	f.must(err)
	_, err = f.desk.Answer(f.ctx, hold.Answer{ID: id, Digest: a.Digest, Yes: yes, By: "owner", How: "library", Note: note})
	f.must(err)
}

// rows are the rows of the ledger of a kind.
func (f *fixture) rows(kind ledger.Kind) []ledger.Row {
	f.t.Helper()
	all, err := f.store.Rows(f.ctx, 0, 100_000)
	f.must(err)
	var of []ledger.Row
	for _, r := range all {
		if r.Kind == kind {
			of = append(of, r)
		}
	}
	return of
}

// The bodies that most tests use.
const (
	sendScreen = `"screen":{"package":"com.whatsapp","width":1080,"height":2400,"tree":"<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"com.whatsapp\" bounds=\"[0,0][1080,2400]\"><node class=\"android.widget.ImageButton\" resource-id=\"com.whatsapp:id/send\" content-desc=\"Send\" package=\"com.whatsapp\" clickable=\"true\" enabled=\"true\" bounds=\"[900,2100][1000,2200]\"/></node></hierarchy>"}`
	sendTap    = `{"action":{"kind":"tap","x":950,"y":2150},` + sendScreen + `}`
	backPress  = `{"action":{"kind":"back"},"screen":{"package":"com.whatsapp"}}`
	bypass     = `{"action":{"kind":"shell","shell":"settings put secure enabled_accessibility_services com.evil/.Service"}}`
)
