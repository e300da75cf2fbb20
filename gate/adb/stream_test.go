package adb_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/ledger"
)

// u2 is the server of uiautomator2 on the phone, and what it was asked to do.
type u2 struct {
	mu    sync.Mutex
	phone *device
	calls []string
}

func (f *fixture) startU2() *u2 {
	u := &u2{phone: f.phone}
	f.phone.mu.Lock()
	defer f.phone.mu.Unlock()
	f.phone.serving["tcp:9008"] = func(c net.Conn) {
		http.Serve(&oneConn{conn: c}, u)
	}
	return u
}

func (u *u2) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ping" {
		io.WriteString(w, "pong")
		return
	}
	var call struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	u.mu.Lock()
	u.calls = append(u.calls, call.Method+string(call.Params))
	u.mu.Unlock()
	var result any = true
	if call.Method == "dumpWindowHierarchy" {
		u.phone.mu.Lock()
		result = u.phone.tree
		u.phone.mu.Unlock()
	}
	json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
}

func (u *u2) record() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.calls)
}

// oneConn is a listener with one connection.
type oneConn struct {
	conn net.Conn
	once sync.Once
}

func (l *oneConn) Accept() (c net.Conn, err error) {
	err = net.ErrClosed
	l.once.Do(func() { c, err = l.conn, nil })
	return c, err
}
func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return &net.UnixAddr{Name: "phone", Net: "unix"} }

// rpc is one call as the client of uiautomator2 sends it.
func rpc(method, params string) string {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	return fmt.Sprintf("POST /jsonrpc/0 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
}

// Calls of HTTP are judged one by one: by a stream of the client's own and by one
// that a front end dialled.
func TestCalls(t *testing.T) {
	f := newFixture(t, hurried, withHelpers)
	f.twoButtons()
	u := f.startU2()
	ask := map[string]func(call string) string{
		"stream": func(call string) string { return f.serve("tcp:9008", call).out },
		"forward": func(call string) string {
			c, err := f.device.Dial(f.ctx, "tcp:9008")
			f.must(err)
			defer c.Close()
			go io.WriteString(c, call)
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			f.must(err)
			body, err := io.ReadAll(res.Body)
			f.must(err)
			return res.Status + string(body)
		},
	}
	for name, ask := range ask {
		was := len(u.record())
		for _, c := range []struct{ method, params, want string }{
			{"dumpWindowHierarchy", "[false,50]", "hierarchy"},
			{"click", "[150,350]", `"result":true`},
			{"click", "[950,2150]", "not answered yet"},
			{"setClipboard", `["a","b"]`, "200 OK"},
			{"unknownMethod", "[]", "not answered yet"},
		} {
			if got := ask(rpc(c.method, c.params)); !strings.Contains(got, c.want) || !strings.Contains(got, "200 OK") {
				t.Errorf("%s: %s%s: %s", name, c.method, c.params, got)
			}
		}
		for _, call := range u.record()[was:] {
			if call == "click[950,2150]" || strings.HasPrefix(call, "unknown") {
				t.Errorf("%s: the server got %s", name, call)
			}
		}
		if !slices.Contains(u.record()[was:], "click[150,350]") {
			t.Errorf("%s: the server got only %q", name, u.record()[was:])
		}
	}
}

// What nobody can read on a stream is refused, and the phone's server never hears
// of it.
func TestProtocols(t *testing.T) {
	for name, first := range map[string]string{
		"TLS":              "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"HTTP/2":           "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04",
		"a WebSocket":      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\n\r\n",
		"something binary": "\x00\x01\x02\x03\x04\x05\x06\x07",
		"ADB":              "CNXN\x01\x00\x00\x01\x00\x00\x10\x00",
	} {
		f := newFixture(t)
		f.startU2()
		if r := f.serve("tcp:9008", first); !errors.Is(r.err, adb.ErrRefused) {
			t.Errorf("%s: %+v", name, r)
		}
		if got := f.phone.record(); len(got) > 0 {
			t.Errorf("%s: the phone got %q", name, got)
		}
		if n := len(f.rows(ledger.KindRefused)); n != 1 {
			t.Errorf("%s: %d rows", name, n)
		}
	}
}

// In observe mode calls are judged and pass, and what is spoken otherwise passes
// too, whoever speaks first.
func TestStreamsObserved(t *testing.T) {
	f := newFixture(t, observing)
	f.twoButtons()
	u := f.startU2()
	if r := f.serve("tcp:9008", rpc("click", "[950,2150]")); !strings.Contains(r.out, `"result":true`) {
		t.Errorf("a click: %+v", r)
	}
	if got := u.record(); !slices.Equal(got, []string{"click[950,2150]"}) {
		t.Errorf("the server got %q", got)
	}
	f.phone.mu.Lock()
	f.phone.serving["tcp:7001"] = func(c net.Conn) {
		io.WriteString(c, "hello ")
		b := make([]byte, 4)
		io.ReadFull(c, b)
		c.Write(b)
		c.Close()
	}
	f.phone.serving["tcp:7002"] = func(c net.Conn) {
		b := make([]byte, 4)
		io.ReadFull(c, b)
		c.Write(b)
		c.Close()
	}
	f.phone.mu.Unlock()
	if r := f.serve("tcp:7001", "\x00abc"); r.out != "hello \x00abc" {
		t.Errorf("a server that speaks first: %+v", r)
	}
	if r := f.serve("tcp:7002", "\x00abc"); r.out != "\x00abc" {
		t.Errorf("a client that speaks first: %+v", r)
	}
	if n := len(f.rows(ledger.KindDecision)); n != 3 {
		t.Errorf("%d rows", n)
	}
}

// A target that nothing may be connected to is refused at once.
func TestDialRefused(t *testing.T) {
	f := newFixture(t)
	for _, target := range []string{"tcp:5555", "localabstract:scrcpy", "shell:ls", "tcp:80:example.com", ""} {
		c, err := f.device.Dial(f.ctx, target)
		if !errors.Is(err, adb.ErrRefused) || c != nil || !strings.Contains(err.Error(), "countersign: ") {
			t.Errorf("%q: %v, %v", target, c, err)
		}
	}
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// refuse has the phone open a service no more.
func (p *device) refuse(service string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serving[service] = nil
	p.closed = append(p.closed, service)
}

// A touch that uiautomator2 sends in parts is one decision as well.
func TestTouchOfU2(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	u := f.startU2()
	down := f.begin("tcp:9008", rpc("injectInputEvent", "[0,950,2150,0]"))
	f.answer(f.question(), true)
	if r := down.wait(); !strings.Contains(r.out, `"result":true`) {
		t.Fatalf("down: %+v", r)
	}
	for _, params := range []string{"[2,951,2151,0]", "[1,951,2151,0]"} {
		if r := f.serve("tcp:9008", rpc("injectInputEvent", params)); !strings.Contains(r.out, `"result":true`) {
			t.Errorf("%s: %+v", params, r)
		}
	}
	if n := len(u.record()); n != 3 {
		t.Errorf("the server got %q", u.record())
	}
	// The touch is over: what comes up alone is a press of its own.
	c := f.begin("tcp:9008", rpc("injectInputEvent", "[1,950,2150,0]"))
	f.question()
	c.hangUp()
	c.wait()
}
