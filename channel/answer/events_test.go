package answer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/identity"
)

// listener is a browser that follows the list.
type listener struct {
	t     *testing.T
	lines *bufio.Scanner
	close func()
}

// event is what it hears.
type event struct {
	ID      string
	Waiting int   `json:"waiting"`
	Newest  int64 `json:"newest"`
}

// patience is after how long a test that waits for something gives up.
const patience = 2 * time.Minute

// listen opens a stream of events. seen may be empty.
func (w *world) listen(cookie, seen string) *listener {
	w.t.Helper()
	r, res := w.stream(cookie, "/events", seen)
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		w.t.Fatalf("the stream: %d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	return r
}

func (w *world) stream(cookie, path, seen string) (*listener, *http.Response) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	w.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.web.URL+path, http.NoBody)
	w.must(err)
	req.Host = host
	req.Header.Set("Cookie", identity.CookieName(false)+"="+cookie)
	if seen != "" {
		req.Header.Set("Last-Event-ID", seen)
	}
	res, err := w.client.Do(req)
	w.must(err)
	return &listener{w.t, bufio.NewScanner(res.Body), func() { cancel(); res.Body.Close() }}, res
}

// line is the next line, ok is false at the end of the stream.
func (l *listener) line() (line string, ok bool) {
	if l.lines.Scan() {
		return l.lines.Text(), true
	}
	return "", false
}

// event is the next event; comments and the time to come again are passed over.
func (l *listener) event() event {
	l.t.Helper()
	var e event
	named := false
	for {
		line, ok := l.line()
		if !ok {
			l.t.Fatalf("the stream ended: %v", l.lines.Err())
		}
		switch name, value, _ := strings.Cut(line, ": "); name {
		case "event":
			if value != "list" {
				l.t.Fatalf("an event of the type %q", value)
			}
			named = true
		case "id":
			e.ID = value
		case "data":
			if err := json.Unmarshal([]byte(value), &e); err != nil {
				l.t.Fatalf("the data is %q: %v", value, err)
			}
		case "":
			if named {
				return e
			}
		}
	}
}

// ended reads to the end of the stream and reports whether it came in time.
func (l *listener) ended() bool {
	for {
		if _, ok := l.line(); !ok {
			return l.lines.Err() == nil
		}
	}
}

// TestEvents: whoever follows the list is told of each change, with the version
// that the list has then; whoever comes with that version is not told it again.
func TestEvents(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	l := w.listen(cookie, "")
	first := l.event()
	if first.ID == "" || first.Waiting != 0 || first.Newest != 0 {
		t.Fatalf("at the beginning: %+v", first)
	}
	a := w.send("lee")
	asked := l.event()
	if asked.ID == first.ID || asked.Waiting != 1 || asked.Newest != a.CreatedAt.UnixMilli() {
		t.Errorf("after a question: %+v", asked)
	}
	page := w.page("/", cookie)
	if !strings.Contains(page.body, `data-seen="`+asked.ID+`"`) || !strings.Contains(page.body, `data-version="`+asked.ID+`"`) || !strings.Contains(page.body, "<title>(1) Questions") {
		t.Errorf("the page is of another version than %s", asked.ID)
	}
	// An answer in the terminal is a change too.
	w.post("/v1/approvals/"+a.ID+"/deny", answerTo(a)).want(t, "deny", 200, "")
	denied := l.event()
	if denied.ID == asked.ID || denied.Waiting != 0 {
		t.Errorf("after an answer: %+v", denied)
	}
	// The data says nothing of any question.
	w.must(w.desk.Freeze(ctx, "kim", "a secret note"))
	frozen := l.event()
	w.must(w.desk.Unfreeze(ctx, "kim", ""))
	if open := l.event(); frozen.ID == denied.ID || open.ID != denied.ID {
		t.Errorf("denied %s, frozen %s, unfrozen %s", denied.ID, frozen.ID, open.ID)
	}

	// One that has seen the present list waits; one that has seen another is told.
	current, stale := w.listen(cookie, denied.ID), w.listen(cookie, first.ID)
	if got := stale.event(); got.ID != denied.ID {
		t.Errorf("with an old version: %+v", got)
	}
	asQuery, _ := w.stream(cookie, "/events?seen="+url.QueryEscape(asked.ID), "")
	if got := asQuery.event(); got.ID != denied.ID {
		t.Errorf("with an old version in the address: %+v", got)
	}
	w.send("kit")
	if got := current.event(); got.ID == denied.ID || got.Waiting != 1 {
		t.Errorf("with the present version the first event is %+v", got)
	}
}

func TestEventsAreForSessions(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	tests := []struct {
		name string
		r    request
		want int
	}{
		{"nobody", request{method: "GET", path: "/events", host: host}, 401},
		{"a token", request{method: "GET", path: "/events", host: host, token: w.kim}, 401},
		{"an agent", request{method: "GET", path: "/events", host: host, token: w.robo}, 403},
		{"a cookie that somebody chose", request{method: "GET", path: "/events", host: host, cookie: "css_" + strings.Repeat("a", 52)}, 401},
		{"another site", request{method: "GET", path: "/events", host: host, cookie: cookie, origin: "https://attacker.example"}, 403},
		{"a picture on another site", request{method: "GET", path: "/events", host: host, cookie: cookie, header: http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}}}, 403},
		{"another host", request{method: "GET", path: "/events", host: "attacker.example", cookie: cookie}, 403},
		{"HEAD", request{method: "HEAD", path: "/events", host: host, cookie: cookie}, 200},
		{"POST", form(host, "/events", cookie, url.Values{}), 405},
	}
	for _, tt := range tests {
		w.do(tt.r).want(t, tt.name, tt.want, "")
	}
	if len(tests) != 9 {
		t.Errorf("%d cases, want 9", len(tests))
	}
	if r := w.local("GET", "/events", w.kim, ""); r.status != 404 {
		t.Errorf("on the socket: %d", r.status)
	}
}

// TestEventsEnd: a stream ends with its session, however that ends, and with the
// guard; and the sessions of others go on.
func TestEventsEnd(t *testing.T) {
	w := newWorld(t, func(o *answer.Options) { o.Heartbeat = 5 * time.Millisecond })
	w.post("/v1/approvers", map[string]string{"name": "lee"}).want(t, "add", 201, "")
	kims, other, lees := w.cookie(host, "kim"), w.cookie(host, "kim"), w.cookie(host, "lee")
	one, two, others, lee := w.listen(kims, ""), w.listen(kims, ""), w.listen(other, ""), w.listen(lees, "")
	for _, l := range []*listener{one, two, others, lee} {
		l.event()
	}
	page := w.page("/", kims)
	w.do(form(host, "/sign-out", kims, url.Values{"csrf": {field(t, page.body, "/sign-out", "csrf")}})).want(t, "sign out", 303, "")
	if !one.ended() || !two.ended() {
		t.Error("signed out, and a stream goes on")
	}
	w.remove("/v1/approvers/lee").want(t, "revoke", 200, "")
	if !lee.ended() {
		t.Error("the approver is revoked, and the stream goes on")
	}
	w.send("x")
	if got := others.event(); got.Waiting != 1 {
		t.Errorf("another session hears %+v", got)
	}
	w.clock.pass(8 * 24 * time.Hour)
	if !others.ended() {
		t.Error("the session's time is over, and the stream goes on")
	}
	last := w.listen(w.cookie(host, "kim"), "")
	w.desk.Close()
	if !last.ended() {
		t.Error("the guard has stopped, and the stream goes on")
	}
}

// TestEventsLimit: one session has eight streams and no more; the ninth is told
// why, another session has its own, and one that ends makes room.
func TestEventsLimit(t *testing.T) {
	w := newWorld(t, func(o *answer.Options) { o.Heartbeat = 5 * time.Millisecond })
	cookie, other := w.cookie(host, "kim"), w.cookie(host, "kim")
	var open []*listener
	for range 8 {
		open = append(open, w.listen(cookie, ""))
	}
	ninth := w.do(request{method: "GET", path: "/events", host: host, cookie: cookie})
	ninth.want(t, "the ninth", 429, "")
	if !strings.Contains(ninth.body, "in 8 places already; close some of its pages") {
		t.Errorf("the ninth is told %.300s", ninth.body)
	}
	w.listen(other, "").event()
	w.page("/", cookie).want(t, "a page meanwhile", 200, "")
	open[3].close()
	for ctx, cancel := context.WithTimeout(ctx, patience); ; {
		l, res := w.stream(cookie, "/events", "")
		if res.StatusCode == http.StatusOK {
			l.event()
			cancel()
			break
		}
		l.close()
		if ctx.Err() != nil {
			t.Fatal("a stream was closed, and there is still no room")
		}
	}
}

// TestHeartbeat: a stream says that it is alive by comments, which are no events,
// and goes on for longer than the server lets an answer take.
func TestHeartbeat(t *testing.T) {
	w := newWorld(t, func(o *answer.Options) { o.Heartbeat = 10 * time.Millisecond })
	slow := httptest.NewUnstartedServer(w.web.Config.Handler)
	slow.Config.WriteTimeout = 2 * time.Second // enough for its first line, however busy the machine is
	slow.Start()
	defer slow.Close()
	w.web.Close()
	w.web, w.client = slow, slow.Client()
	w.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	l := w.listen(w.cookie(host, "kim"), "")
	defer l.close() // before the server, which waits for it
	l.event()
	for beats := 0; beats < 250; {
		line, ok := l.line()
		if !ok {
			t.Fatalf("after %d heartbeats the stream ended: %v", beats, l.lines.Err())
		}
		switch line {
		case ":":
			beats++
		case "":
		default:
			t.Fatalf("a heartbeat is %q", line)
		}
	}
}

// TestOneReadingForAll: with 1,000 open questions, 20 streams and 20 pages a
// change is read from the store once.
func TestOneReadingForAll(t *testing.T) {
	w := newWorld(t)
	last := w.send("lee")
	for i := range 999 {
		one := last
		one.ID = fmt.Sprintf("a_crowd%d", i)
		w.faults.crowd = append(w.faults.crowd, one)
	}
	var cookies []string
	var listeners []*listener
	for range 20 {
		if len(listeners)%5 == 0 {
			cookies = append(cookies, w.cookie(host, "kim"))
		}
		l := w.listen(cookies[len(cookies)-1], "")
		if got := l.event(); got.Waiting != 1000 {
			t.Fatalf("%d are waiting", got.Waiting)
		}
		listeners = append(listeners, l)
	}
	before := w.faults.read.Load()
	w.post("/v1/approvals/"+last.ID+"/deny", answerTo(last)).want(t, "deny", 200, "")
	versions := map[string]int{}
	for _, l := range listeners {
		e := l.event()
		versions[e.ID]++
		if e.Waiting != 999 {
			t.Errorf("%d are waiting, want 999", e.Waiting)
		}
	}
	var group sync.WaitGroup
	pages := make([]response, 40)
	for i := range pages {
		path := "/"
		if i%2 == 0 {
			path = "/?part=list"
		}
		group.Go(func() { pages[i] = w.page(path, cookies[i%len(cookies)]) })
	}
	group.Wait()
	shown := regexp.MustCompile(`data-version="([^"]+)" data-waiting="999"`)
	for i := range pages {
		if found := shown.FindStringSubmatch(pages[i].body); pages[i].status != 200 || found == nil || versions[found[1]] != 20 {
			t.Fatalf("page %d: %d of version %v", i, pages[i].status, found)
		}
		if !strings.Contains(pages[i].body, "and 899 more: show them") {
			t.Errorf("page %d does not say how many it does not show", i)
		}
	}
	// Two lists: what is open and what was settled last.
	if read := w.faults.read.Load() - before; read != 2 || len(versions) != 1 {
		t.Errorf("%d lists were read and %d versions told, want 2 and 1", read, len(versions))
	}
	// Of what is left of a deadline a page does not say what was left a while ago.
	w.clock.pass(time.Minute)
	later := w.page("/", cookies[0])
	if read := w.faults.read.Load() - before; read != 2 || !strings.Contains(later.body, ">14 min 00 s left<") {
		t.Errorf("a minute later %d lists were read, and the page says %q", read, regexp.MustCompile(`\d+ min \d+ s left`).FindString(later.body))
	}
}

// TestAFailedReadingIsNotKept: a store that could not be read is read again.
func TestAFailedReadingIsNotKept(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	w.faults.blind.Store(true)
	r := w.page("/", cookie)
	r.want(t, "while it cannot be read", 503, "")
	if strings.Contains(r.body, "/secret") || strings.Contains(r.body, "No question is open") {
		t.Errorf("the page says %s", r.body)
	}
	if _, res := w.stream(cookie, "/events", ""); res.StatusCode != http.StatusOK {
		t.Errorf("the stream begins with %d", res.StatusCode)
	} else if body, err := io.ReadAll(res.Body); err != nil || strings.Contains(string(body), "event:") {
		t.Errorf("the stream tells %q (%v) of a list that nobody could read", body, err)
	}
	w.faults.blind.Store(false)
	w.page("/", cookie).want(t, "and again", 200, "")
}
