package relay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// letAll lets every call pass.
func letAll(ctx context.Context, _ *Call, release func(context.Context) error) error {
	return release(ctx)
}

// refuseAll refuses every call that does not read.
func refuseAll(ctx context.Context, c *Call, release func(context.Context) error) error {
	if c.Reads {
		return release(ctx)
	}
	return &Refused{Message: "Refused by the owner. Trying again will not help."}
}

// knows is a memory of a server of a kind.
func knows(server string) *Memory {
	m := new(Memory)
	m.Know(server)
	return m
}

// phoneServer is a server on a phone that is reached over pipes, and the raw
// bytes of each connection to it.
type phoneServer struct {
	conns chan net.Conn
	close sync.Once
	done  chan struct{}

	mu  sync.Mutex
	raw []*bytes.Buffer
}

func servePhone(t *testing.T, h http.Handler) *phoneServer {
	t.Helper()
	p := &phoneServer{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: h}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(p) // ends when p is closed
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-served
	})
	return p
}

func (p *phoneServer) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *phoneServer) Close() error {
	p.close.Do(func() { close(p.done) })
	return nil
}

func (p *phoneServer) Addr() net.Addr { return &net.UnixAddr{Name: "phone", Net: "unix"} }

// dial opens a connection to it.
func (p *phoneServer) dial(context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	raw := new(bytes.Buffer)
	p.mu.Lock()
	p.raw = append(p.raw, raw)
	p.mu.Unlock()
	select {
	case p.conns <- theirs:
		return &tapped{Conn: ours, phone: p, raw: raw}, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// received is everything that was sent to it, connection by connection.
func (p *phoneServer) received() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]string, len(p.raw))
	for i, b := range p.raw {
		all[i] = b.String()
	}
	return all
}

// tapped writes down what is sent.
type tapped struct {
	net.Conn
	phone *phoneServer
	raw   *bytes.Buffer
}

func (c *tapped) Write(b []byte) (int, error) {
	c.phone.mu.Lock()
	c.raw.Write(b)
	c.phone.mu.Unlock()
	return c.Conn.Write(b)
}

// agent is an agent's end of a relayed stream.
type agent struct {
	net.Conn
	br    *bufio.Reader
	ended chan error
}

// relayed opens a stream through HTTP.
func relayed(t *testing.T, device func(context.Context) (net.Conn, error), o Options, judge Judge) *agent {
	t.Helper()
	ours, theirs := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	a := &agent{Conn: ours, br: bufio.NewReader(ours), ended: make(chan error, 1)}
	go func() {
		err := HTTP(ctx, theirs, device, o, judge)
		_ = theirs.Close()
		a.ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		_ = ours.Close()
		_ = theirs.Close()
	})
	return a
}

// say sends bytes, in the background: the relay may answer before it has them all.
func (a *agent) say(text string) {
	go func() { _, _ = io.WriteString(a, text) }()
}

// hear reads an answer to a request of a method.
func (a *agent) hear(t *testing.T, method string) (int, string) {
	t.Helper()
	resp, err := http.ReadResponse(a.br, &http.Request{Method: method})
	if err != nil {
		t.Fatalf("reading an answer: %v", err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("reading an answer's body: %v", err)
	}
	return resp.StatusCode, string(body)
}

// post is the bytes of a request with a body.
func post(path, body string, fields ...string) string {
	head := "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n"
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n" }

// rpc is a call of uiautomator2.
func rpc(method, params string) string {
	return post(rpcPath, `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":`+params+`}`, "Content-Type: application/json")
}

// read reads a request from its bytes.
func read(t *testing.T, raw string) *request {
	t.Helper()
	r, err := readRequest(bufio.NewReader(strings.NewReader(raw)), usualMaxBody, func() error { return nil })
	if err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return r
}

// someThing is what all handles stand for in the tables.
var someThing = thing{left: 100, top: 200, right: 300, bottom: 260, text: "Send"}

// means says what a server takes a request for: "reads", "unknown", or the
// action as JSON.
func means(t *testing.T, s *server, m *Memory, raw string) string {
	t.Helper()
	req := read(t, raw)
	mean := s.read(m, req)
	if len(mean.handles) > 0 {
		things := map[string]thing{}
		for _, h := range mean.handles {
			things[h] = someThing
		}
		mean.acts = mean.build(things)
	}
	call := (&passage{server: s, req: req, mean: &mean}).call()
	switch {
	case call.Reads && call.Action != nil:
		t.Errorf("%s: both reads and acts", raw)
	case call.Reads:
		return "reads"
	case call.Action == nil:
		return "unknown"
	}
	text, err := json.Marshal(call.Action)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(`\u0026`), []byte("&"))
	return string(text)
}

// targetless is a dial that knows one target only.
func targetless(dial func(context.Context) (net.Conn, error)) func(context.Context, string) (net.Conn, error) {
	return func(ctx context.Context, _ string) (net.Conn, error) { return dial(ctx) }
}
