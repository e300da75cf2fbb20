package answer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// The names under which the pages are served in the tests.
const (
	host   = "127.0.0.1:8787"
	origin = "http://" + host
	inbox  = "k3v9.localhost:8787"
	secure = "inbox.example"
)

var ctx = context.Background()

// world is a desk on a real store, and its approvers' doors on real sockets.
type world struct {
	t        *testing.T
	clock    *handClock
	store    *sqlite.Store
	faults   *faults
	desk     *hold.Desk
	registry *identity.Registry

	web, socket *httptest.Server
	client      *http.Client // for the web
	terminal    *http.Client // for the socket

	kim, robo string // an approver's token, an agent's

	mu       sync.Mutex
	policy   string
	rejected error
}

func newWorld(t *testing.T, change ...func(*answer.Options)) *world {
	t.Helper()
	w := &world{t: t, clock: &handClock{at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}, policy: "default@sha256:01"}
	var err error
	w.store, err = sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
	w.must(err)
	t.Cleanup(func() { w.store.Close() })
	w.faults = &faults{Store: w.store}
	preset, err := policy.Preset("default")
	w.must(err)
	w.desk, err = hold.New(ctx, hold.Options{
		Store: w.faults, Now: w.clock.now, Somebody: func(context.Context) bool { return true },
		Decider: &decide.Decider{Policy: preset, Catalog: catalog.Default(), Key: []byte("0123456789abcdef0123456789abcdef")},
	})
	w.must(err)
	t.Cleanup(w.desk.Close)
	w.registry, err = identity.New(w.store, identity.Options{Now: w.clock.now})
	w.must(err)
	_, w.kim, err = w.registry.AddApprover(ctx, "kim")
	w.must(err)
	_, w.robo, err = w.registry.AddAgent(ctx, "robo", nil, "kim")
	w.must(err)
	w.serve(change...)
	return w
}

// serve opens both doors.
func (w *world) serve(change ...func(*answer.Options)) {
	w.t.Helper()
	o := answer.Options{
		Door: identity.Door{
			Hosts:   []string{host, inbox, secure},
			Origins: []string{origin, "http://" + inbox, "https://" + secure},
		},
		Level: "same user", LevelWhy: "The guard runs as a person's account.", Version: "0.4.0", Policy: w.policyName, Reload: w.reload,
		Record: w.store,
	}
	for _, ch := range change {
		ch(&o)
	}
	h, err := answer.New(w.desk, w.registry, o)
	w.must(err)
	w.web = httptest.NewServer(h)
	w.t.Cleanup(w.web.Close)
	w.client = w.web.Client()
	w.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

	o.Socket, o.InboxURL, o.Door = true, "http://"+inbox, identity.Door{}
	h, err = answer.New(w.desk, w.registry, o)
	w.must(err)
	path := filepath.Join(w.t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	w.must(err)
	w.socket = httptest.NewUnstartedServer(h)
	w.socket.Listener.Close()
	w.socket.Listener = l
	w.socket.Start()
	w.t.Cleanup(w.socket.Close)
	w.terminal = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	w.t.Cleanup(w.terminal.CloseIdleConnections)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) policyName() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.policy
}

func (w *world) reload(context.Context) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rejected != nil {
		return "", w.rejected
	}
	w.policy = "strict@sha256:02"
	return w.policy, nil
}

// ask puts a question about a tap. Each session is a question of its own.
func (w *world) ask(pkg, label string) approval.Approval {
	w.t.Helper()
	return w.propose(&decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: pkg}, Target: &decide.Target{Text: label},
	})
}

func (w *world) propose(req *decide.Request) approval.Approval {
	w.t.Helper()
	ticket, err := w.desk.Propose(ctx, hold.Proposal{Agent: "agt_test", AgentName: "robo", Request: req})
	w.must(err)
	if ticket.Approval == nil || ticket.Approval.State != approval.Pending {
		w.t.Fatalf("no question was put: %+v", ticket)
	}
	return *ticket.Approval
}

// send is a question that is not critical, pay one that is.
func (w *world) send(to string) approval.Approval { return w.ask("com.whatsapp", "Send to "+to) }

func (w *world) pay() approval.Approval {
	return w.ask("com.paypal.android.p2pmobile", "Pay now")
}

func (w *world) state(id string) approval.State {
	w.t.Helper()
	a, err := w.store.Approval(ctx, id)
	w.must(err)
	return a.State
}

// request is one request to the web; what is empty stays away.
type request struct {
	method, path, host, origin, contentType, token, cookie, body string
	header                                                       http.Header
}

// response is what came back, read to its end.
type response struct {
	status int
	header http.Header
	body   string
}

func (w *world) do(r request) response {
	w.t.Helper()
	return w.through(w.client, w.web.URL, r)
}

func (w *world) through(client *http.Client, base string, r request) response {
	w.t.Helper()
	req, err := http.NewRequest(r.method, base+r.path, strings.NewReader(r.body))
	w.must(err)
	if r.body == "" {
		req.Body, req.ContentLength = http.NoBody, 0
	}
	req.Host = r.host
	set := func(name, value string) {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	set("Origin", r.origin)
	set("Content-Type", r.contentType)
	if r.token != "" {
		set("Authorization", "Bearer "+r.token)
	}
	if r.cookie != "" {
		set("Cookie", identity.CookieName(r.host == secure)+"="+r.cookie)
	}
	res, err := client.Do(req)
	w.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	w.must(err)
	return response{res.StatusCode, res.Header, string(body)}
}

// get and post are requests with a token, as a program of kim's makes them.
func (w *world) get(path string) response {
	w.t.Helper()
	return w.do(request{method: "GET", path: path, host: host, token: w.kim})
}

func (w *world) post(path string, body any) response {
	w.t.Helper()
	return w.do(request{method: "POST", path: path, host: host, token: w.kim, contentType: "application/json", body: asJSON(w.t, body)})
}

// local is a request through the unix socket.
func (w *world) local(method, path, token, body string) response {
	w.t.Helper()
	return w.through(w.terminal, "http://countersign", request{
		method: method, path: path, host: "countersign", token: token, contentType: "application/json", body: body,
		header: http.Header{"Countersign-How": {"terminal"}},
	})
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	doc, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// answerTo is the body of an answer to a question.
func answerTo(a approval.Approval) map[string]string { return map[string]string{"digest": a.Digest} }

// into reads an answer.
func into[T any](t *testing.T, r response) (v T) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader([]byte(r.body)))
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
	return v
}

// want checks the status of a response and, for a problem, its code.
func (r response) want(t *testing.T, what string, status int, code string) {
	t.Helper()
	got := struct{ Code, Type, Detail, Title string }{}
	if code != "" {
		got = into[struct{ Code, Type, Detail, Title string }](t, r)
		if r.header.Get("Content-Type") != "application/problem+json" || got.Detail == "" || got.Title == "" || got.Type == "" {
			t.Errorf("%s: no problem details: %s", what, r.body)
		}
	}
	if r.status != status || got.Code != code {
		t.Errorf("%s: %d %s, want %d %s\n%.300s", what, r.status, got.Code, status, code, r.body)
	}
}

// cookie signs kim in at the given host, by the page's own form.
func (w *world) cookie(at, approver string) string {
	w.t.Helper()
	ticket, _, err := w.registry.SignInTicket(ctx, approver)
	w.must(err)
	r := w.do(form(at, "/sign-in", "", url.Values{"ticket": {ticket}}))
	if r.status != http.StatusSeeOther {
		w.t.Fatalf("signing in: %d %s", r.status, r.body)
	}
	return cookieOf(w.t, r)
}

var cookieValue = regexp.MustCompile(`^(__Host-)?countersign=(css_[a-z2-7]{52});`)

func cookieOf(t *testing.T, r response) string {
	t.Helper()
	set := r.header.Values("Set-Cookie")
	if len(set) != 1 {
		t.Fatalf("%d cookies were set", len(set))
	}
	found := cookieValue.FindStringSubmatch(set[0])
	if found == nil {
		t.Fatal("the cookie has another form")
	}
	return found[2]
}

// form is what a browser sends for a form of a page.
func form(at, path, cookie string, fields url.Values) request {
	from := "http://" + at
	if at == secure {
		from = "https://" + at
	}
	return request{
		method: "POST", path: path, host: at, origin: from, contentType: "application/x-www-form-urlencoded",
		cookie: cookie, body: fields.Encode(), header: http.Header{"Sec-Fetch-Site": {"same-origin"}},
	}
}

// page reads a page of a session.
func (w *world) page(path, cookie string) response {
	w.t.Helper()
	return w.do(request{method: "GET", path: path, host: host, cookie: cookie})
}

// field finds a hidden field in the form whose page this is.
func field(t *testing.T, page, action, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `action="`+action+`"`)
	if !ok {
		t.Fatalf("the page has no form for %s", action)
	}
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(rest)
	if found == nil {
		t.Fatalf("the form for %s has no %s", action, name)
	}
	return found[1]
}

// rows are the rows of a kind, newest last.
func (w *world) rows(kind ledger.Kind) []ledger.Change {
	w.t.Helper()
	all, err := w.store.Rows(ctx, 0, 10000)
	w.must(err)
	var out []ledger.Change
	for _, row := range all {
		if row.Kind == kind {
			var c ledger.Change
			w.must(json.Unmarshal(row.Body, &c))
			out = append(out, c)
		}
	}
	return out
}

var errPolicy = errors.New("line 3: no such outcome \"perhaps\"")

// raw sends bytes to the web as they are.
func (w *world) raw(text string) string {
	w.t.Helper()
	c, err := net.Dial("tcp", w.web.Listener.Addr().String())
	w.must(err)
	defer c.Close()
	_, err = io.WriteString(c, text)
	w.must(err)
	got, err := io.ReadAll(c)
	w.must(err)
	return string(got)
}
