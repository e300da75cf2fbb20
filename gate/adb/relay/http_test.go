package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// echo answers with the method, the path and the body.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s", r.Method, r.RequestURI, body)
})

func TestARealClientThroughTheRelay(t *testing.T) {
	phone := servePhone(t, echo)
	var calls atomic.Int32
	judge := func(ctx context.Context, _ *Call, release func(context.Context) error) error {
		calls.Add(1)
		return release(ctx)
	}
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return relayed(t, phone.dial, Options{Memory: knows(UIA2)}, judge).Conn, nil
		},
	}}
	defer client.CloseIdleConnections()
	long := strings.Repeat("0123456789", 20000)
	for i, body := range []string{"", "small", long, "again"} {
		var reader io.Reader = strings.NewReader(body)
		if i == 2 {
			reader = struct{ io.Reader }{reader} // of unknown length: chunked
		}
		req, err := http.NewRequest("POST", "http://phone/session/s1/keys", reader)
		if err != nil {
			t.Fatal(err)
		}
		if i == 3 {
			req.Header.Set("Expect", "100-continue")
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if want := "POST /session/s1/keys " + body; err != nil || string(got) != want {
			t.Errorf("request %d: %.60q (%v), want %.60q", i, got, err, want)
		}
	}
	if calls.Load() != 4 {
		t.Errorf("%d calls were judged, 4 were made", calls.Load())
	}
	if n := len(phone.received()); n != 1 {
		t.Errorf("%d connections to the server, one was enough", n)
	}
}

func TestBytesAreForwardedAsTheyCame(t *testing.T) {
	phone := servePhone(t, echo)
	a := relayed(t, phone.dial, Options{Memory: knows(UIA2)}, letAll)
	requests := []string{
		"GET /session/s1/source HTTP/1.1\r\nhOsT: x\r\nX-Odd:   spaces  \r\nx-odd: twice\r\n\r\n",
		"POST /session/s1/back HTTP/1.1\r\nHost:x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0001\r\n}\r\n0\r\n\r\n",
		"POST /session/s1/back HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n{ }",
	}
	a.say(strings.Join(requests, "")) // pipelined
	for _, want := range []string{"GET /session/s1/source ", "POST /session/s1/back {}", "POST /session/s1/back { }"} {
		if status, body := a.hear(t, "POST"); status != 200 || body != want {
			t.Errorf("answered %d %q, want %q", status, body, want)
		}
	}
	if got := strings.Join(phone.received(), ""); got != strings.Join(requests, "") {
		t.Errorf("the server received %q", got)
	}
}

func TestNothingOfARefusedCallReachesThePhone(t *testing.T) {
	cases := []struct {
		server, raw string
		status      int
		contains    string
	}{
		{UIAutomator2, rpc("click", "[1,2]"), 200, `"code":-32040`},
		{UIAutomator2, get("/stop"), 403, "Refused by the owner"},
		{UIA2, w3c("back", "{}"), 500, `"error":"unknown error"`},
		{Portal, post("/tap", `{"x":1,"y":2}`), 403, `"status":"error"`},
		{Unknown, post("/anything", "x"), 403, "Refused by the owner"},
	}
	if len(cases) != 5 {
		t.Fatalf("%d cases, 5 were written", len(cases))
	}
	for _, c := range cases {
		phone := servePhone(t, echo)
		a := relayed(t, phone.dial, Options{Memory: knows(c.server)}, refuseAll)
		for range 2 { // the connection goes on
			a.say(c.raw)
			if status, body := a.hear(t, "POST"); status != c.status || !strings.Contains(body, c.contains) || !strings.Contains(body, "Refused by the owner") {
				t.Errorf("%s: %.40q is answered %d %s", c.server, c.raw, status, body)
			}
		}
		if got := phone.received(); len(got) != 0 {
			t.Errorf("%s: the server received %q", c.server, got)
		}
	}
}

func TestWhatIsRefusedWithoutAJudge(t *testing.T) {
	never := func(context.Context, *Call, func(context.Context) error) error {
		t.Error("the judge was asked")
		return nil
	}
	cases := []struct {
		name, server, target, raw string
		status                    int
	}{
		{"two lengths", UIA2, "", refusedRequests[0].raw, 400},
		{"a WebSocket", Portal, "", "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n", 403},
		{"a WebSocket in parts", Portal, "", "GET /ws HTTP/1.1\r\nSec-WebSocket-Key: x\r\n\r\n", 403},
		{"an upgrade to HTTP/2", UIA2, "", "GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", 403},
		{"devtools by socket", Unknown, "localabstract:webview_devtools_remote_12", get("/anything"), 403},
		{"devtools by path", UIAutomator2, "tcp:9222", get("/json/version"), 403},
		{"devtools by page", Unknown, "", get("/devtools/page/1"), 403},
		{"chunks for NanoHTTPD", UIAutomator2, "", "POST /jsonrpc/0 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
		{"chunks for the Portal", Portal, "", "POST /tap HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
		{"chunks for nobody known", Unknown, "", "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
		{"a body where NanoHTTPD reads none", UIAutomator2, "", post("/ping", rpc("click", "[1,2]")), 400},
		{"a session's body for NanoHTTPD", UIAutomator2, "", post("/session", rpc("click", "[1,2]")), 400},
	}
	if len(cases) != 12 {
		t.Fatalf("%d cases, 12 were written", len(cases))
	}
	for _, c := range cases {
		phone := servePhone(t, echo)
		a := relayed(t, phone.dial, Options{Memory: knows(c.server), Target: c.target}, never)
		a.say(c.raw)
		if status, body := a.hear(t, "POST"); status != c.status || !strings.Contains(body, "Countersign") {
			t.Errorf("%s is answered %d %s, want %d", c.name, status, body, c.status)
		}
		<-a.ended
		if got := phone.received(); len(got) != 0 {
			t.Errorf("%s: the server received %q", c.name, got)
		}
	}
}

func TestTheServerIsAskedWhatItIs(t *testing.T) {
	answers := func(answers map[string]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, known := answers[r.URL.Path]
			if !known {
				http.NotFound(w, r)
				return
			}
			_, _ = io.WriteString(w, body)
		})
	}
	cases := []struct {
		name, path string
		handler    http.Handler
		want       string
	}{
		{"uiautomator2", "/ping", answers(map[string]string{"/ping": "pong"}), UIAutomator2},
		{"uiautomator2 asked for a session", "/session/s1/source", answers(map[string]string{"/ping": "pong"}), UIAutomator2},
		{"the Portal", "/state", answers(map[string]string{"/ping": `{"status":"success","result":"pong"}`}), Portal},
		{"uia2", "/status", answers(map[string]string{"/status": `{"value":{"ready":true,"message":"x"}}`}), UIA2},
		{"somebody else", "/status", answers(map[string]string{"/status": `{"ready":true}`}), ""},
		{"somebody else without anything", "/session", answers(nil), ""},
		{"a path of nobody", "/index.html", answers(map[string]string{"/ping": "pong"}), ""},
	}
	if len(cases) != 7 {
		t.Fatalf("%d cases, 7 were written", len(cases))
	}
	for _, c := range cases {
		phone := servePhone(t, c.handler)
		m := new(Memory)
		a := relayed(t, phone.dial, Options{Memory: m}, letAll)
		a.say(get(c.path))
		a.hear(t, "GET")
		if m.Server() != c.want {
			t.Errorf("%s is taken for %q, want %q", c.name, m.Server(), c.want)
		}
	}
}

func TestAServerThatIsNotThere(t *testing.T) {
	gone := func(context.Context) (net.Conn, error) { return nil, errors.New("closed") }
	for _, m := range []*Memory{new(Memory), knows(UIAutomator2)} {
		a := relayed(t, gone, Options{Memory: m}, letAll)
		a.say(get("/ping"))
		if status, body := a.hear(t, "GET"); status != 502 || !strings.Contains(body, "is it running") {
			t.Errorf("answered %d %s", status, body)
		}
	}
}

func TestAJudgeThatDoesNotDecideRefuses(t *testing.T) {
	phone := servePhone(t, echo)
	judges := []Judge{
		func(context.Context, *Call, func(context.Context) error) error { return nil },
		func(context.Context, *Call, func(context.Context) error) error {
			return errors.New("the store is closed")
		},
	}
	for i, judge := range judges {
		a := relayed(t, phone.dial, Options{Memory: knows(UIA2)}, judge)
		a.say(w3c("back", "{}"))
		if status, body := a.hear(t, "POST"); status != 500 || strings.Contains(body, "store") {
			t.Errorf("judge %d: answered %d %s", i, status, body)
		}
	}
	if got := phone.received(); len(got) != 0 {
		t.Errorf("the server received %q", got)
	}
}

func TestACallIsReleasedOnce(t *testing.T) {
	phone := servePhone(t, echo)
	twice := make(chan error, 1)
	a := relayed(t, phone.dial, Options{Memory: knows(UIA2)}, func(ctx context.Context, _ *Call, release func(context.Context) error) error {
		err := release(ctx)
		twice <- release(ctx)
		return err
	})
	a.say(w3c("back", "{}"))
	if status, _ := a.hear(t, "POST"); status != 200 {
		t.Errorf("answered %d", status)
	}
	if err := <-twice; !errors.Is(err, ErrReleasedTwice) {
		t.Errorf("a second release: %v", err)
	}
	if got := strings.Count(strings.Join(phone.received(), ""), "POST"); got != 1 {
		t.Errorf("the server received the call %d times", got)
	}
}

func TestAnAgentThatGoesAwayWhileHeld(t *testing.T) {
	phone := servePhone(t, echo)
	ours, theirs := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	held, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- HTTP(ctx, theirs, phone.dial, Options{Memory: knows(UIA2)}, func(ctx context.Context, _ *Call, _ func(context.Context) error) error {
			close(held)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	go func() { _, _ = io.WriteString(ours, w3c("back", "{}")) }()
	<-held
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the relay ended with %v", err)
	}
	if got := phone.received(); len(got) != 0 {
		t.Errorf("the server received %q", got)
	}
}

// raw answers each connection to the phone with fixed bytes and closes it.
func raw(answer string) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			if _, err := readRequest(bufio.NewReader(theirs), usualMaxBody, func() error { return nil }); err == nil {
				_, _ = io.WriteString(theirs, answer)
			}
		}()
		return ours, nil
	}
}

func TestAnswersAreForwardedAsTheyCome(t *testing.T) {
	cases := []struct{ name, answer, want string }{
		{"with a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", ""},
		{"in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x=y\r\na\r\n1\r\nb\r\n0\r\nTrailer: x\r\n\r\n", ""},
		{"until the end", "HTTP/1.1 200 OK\r\n\r\nall of it", ""},
		{"of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", ""},
		{"with bare LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", ""},
		{"without a body", "HTTP/1.1 204 No Content\r\n\r\n", ""},
		{"with a word before it", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", ""},
		{"that goes on", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", ""},
		{"that is no HTTP", "hello\r\n\r\n", "HTTP/1.1 502"},
		{"that changes the protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\nwhatever", "HTTP/1.1 502"},
		{"that is cut off", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok", ""},
		{"that never comes", "", "-"},
	}
	if len(cases) != 12 {
		t.Fatalf("%d cases, 12 were written", len(cases))
	}
	for _, c := range cases {
		a := relayed(t, raw(c.answer), Options{Memory: knows(UIA2)}, letAll)
		a.say("GET /session/s1/source HTTP/1.1\r\nConnection: close\r\n\r\n")
		got, err := io.ReadAll(a.br)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.want == "-" && len(got) > 0, c.want == "" && string(got) != c.answer, !strings.HasPrefix(string(got), strings.TrimSuffix(c.want, "-")):
			t.Errorf("an answer %s reaches the agent as %q", c.name, got)
		}
	}
}

func TestTheAgentIsToldToGoOnOnce(t *testing.T) {
	a := relayed(t, raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), Options{Memory: knows(UIA2)}, letAll)
	go func() {
		_, _ = io.WriteString(a, "POST /session/s1/back HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
	}()
	const goOn = "HTTP/1.1 100 Continue\r\n\r\n"
	first := make([]byte, len(goOn))
	if _, err := io.ReadFull(a.br, first); err != nil || string(first) != goOn {
		t.Fatalf("before the body the agent hears %q (%v)", first, err)
	}
	a.say("{}")
	if status, _ := a.hear(t, "POST"); status != 200 {
		t.Errorf("then it hears %d", status)
	}
}

// movable is a server of Appium's with one element that can be moved.
type movable struct {
	x     atomic.Int32
	label atomic.Value
	gone  atomic.Bool
}

func (m *movable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	value := func(v any) { _ = json.NewEncoder(w).Encode(object{"value": v}) }
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/element") && r.Method == "POST":
		value(object{"ELEMENT": "e1"})
	case m.gone.Load() && strings.Contains(path, "/element/e1/"):
		w.WriteHeader(404)
		value(object{"error": "stale element reference", "message": "gone", "stacktrace": ""})
	case strings.HasSuffix(path, "/rect"):
		value(object{"x": m.x.Load(), "y": 200, "width": 100, "height": 50})
	case strings.HasSuffix(path, "/text"):
		value(m.label.Load())
	default:
		value(nil)
	}
}

func TestAnElementThatChangesWhileHeldIsNotPressed(t *testing.T) {
	changes := []struct {
		name   string
		change func(m *movable)
		status int
		error  string
	}{
		{"nothing", func(*movable) {}, 200, ""},
		{"its place", func(m *movable) { m.x.Store(500) }, 404, "stale element reference"},
		{"its label", func(m *movable) { m.label.Store("Pay") }, 404, "stale element reference"},
		{"that it is there", func(m *movable) { m.gone.Store(true) }, 404, "stale element reference"},
	}
	if len(changes) != 4 {
		t.Fatalf("%d cases, 4 were written", len(changes))
	}
	for _, c := range changes {
		server := new(movable)
		server.x.Store(100)
		server.label.Store("Next")
		phone := servePhone(t, server)
		var seen risky
		a := relayed(t, phone.dial, Options{Memory: knows(UIA2)}, func(ctx context.Context, call *Call, release func(context.Context) error) error {
			if !call.Reads {
				seen.note(call)
				c.change(server)
			}
			return release(ctx)
		})
		a.say(w3c("element", `{"using":"id","value":"next"}`))
		a.hear(t, "POST")
		a.say(w3c("element/e1/click", "{}"))
		status, body := a.hear(t, "POST")
		if status != c.status || !strings.Contains(body, c.error) {
			t.Errorf("%s changes: answered %d %s", c.name, status, body)
		}
		if got := seen.x; got != 150 {
			t.Errorf("the press was judged at x %d, want 150", got)
		}
		if pressed := strings.Contains(strings.Join(phone.received(), ""), "/click"); pressed != (c.status == 200) {
			t.Errorf("%s changes: the call reached the server: %v", c.name, pressed)
		}
	}
}

// risky notes where a call presses.
type risky struct{ x int }

func (r *risky) note(c *Call) {
	if c.Action != nil && c.Action.X != nil {
		r.x = *c.Action.X
	}
}

func TestAnElementThatIsGoneIsTheServersWord(t *testing.T) {
	server := new(movable)
	server.gone.Store(true)
	phone := servePhone(t, server)
	a := relayed(t, phone.dial, Options{Memory: knows(UIA2)}, func(context.Context, *Call, func(context.Context) error) error {
		t.Error("the judge was asked about a press of nothing")
		return nil
	})
	a.say(w3c("element/e1/click", "{}"))
	if status, body := a.hear(t, "POST"); status != 404 || !strings.Contains(body, "gone") {
		t.Errorf("answered %d %s", status, body)
	}
}

func TestASelectorIsAskedForAsTheServerWouldFindIt(t *testing.T) {
	text := atomic.Value{}
	text.Store("Next")
	phone := servePhone(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Method string
			Params []any
		}
		_ = json.NewDecoder(r.Body).Decode(&call)
		if call.Method == "objInfo" && text.Load() == "" {
			_, _ = io.WriteString(w, `{"id":1,"error":{"code":-32002,"message":"androidx.test.uiautomator.UiObjectNotFoundException"}}`)
			return
		}
		fmt.Fprintf(w, `{"id":1,"result":{"text":%q,"visibleBounds":{"left":0,"top":0,"right":100,"bottom":50}}}`, text.Load())
	}))
	cases := []struct {
		before, after string
		contains      string
		pressed       bool
	}{
		{"Next", "Next", `"result"`, true},
		{"Next", "Pay", "has moved or changed", false},
		{"", "", "UiObjectNotFoundException", false},
	}
	if len(cases) != 3 {
		t.Fatalf("%d cases, 3 were written", len(cases))
	}
	for _, c := range cases {
		text.Store(c.before)
		before := strings.Count(strings.Join(phone.received(), ""), `"click"`)
		a := relayed(t, phone.dial, Options{Memory: knows(UIAutomator2)}, func(ctx context.Context, _ *Call, release func(context.Context) error) error {
			text.Store(c.after)
			return release(ctx)
		})
		a.say(rpc("click", "["+selector+"]"))
		status, body := a.hear(t, "POST")
		if status != 200 || !strings.Contains(body, c.contains) || !strings.Contains(body, `"id":`) {
			t.Errorf("%q then %q: answered %d %s", c.before, c.after, status, body)
		}
		if pressed := strings.Count(strings.Join(phone.received(), ""), `"click"`) > before; pressed != c.pressed {
			t.Errorf("%q then %q: the call reached the server: %v", c.before, c.after, pressed)
		}
	}
}

func TestAServerThatClosesBetweenCallsIsDialledAgain(t *testing.T) {
	var dials atomic.Int32
	closed := make(chan struct{})
	device := func(context.Context) (net.Conn, error) {
		dials.Add(1)
		ours, theirs := net.Pipe()
		go func() { // answers once, says that it goes on, and does not
			if _, err := readRequest(bufio.NewReader(theirs), usualMaxBody, nil); err == nil {
				_, _ = io.WriteString(theirs, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
			_ = theirs.Close()
			closed <- struct{}{}
		}()
		return ours, nil
	}
	a := relayed(t, device, Options{Memory: knows(UIA2)}, letAll)
	for i := range 3 {
		a.say(get("/session/s1/source"))
		if status, body := a.hear(t, "GET"); status != 200 || body != "ok" {
			t.Fatalf("call %d is answered %d %q", i, status, body)
		}
		<-closed
	}
	if dials.Load() != 3 {
		t.Errorf("the server was dialled %d times", dials.Load())
	}
}
