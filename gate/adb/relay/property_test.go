package relay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// canned is the answer to everything: it can be read by all that look for
// something in an answer.
const canned = `{"status":"success","value":{"x":1,"y":2,"width":30,"height":40},"result":{"bounds":{"left":1,"top":2,"right":31,"bottom":42}}}`

// answering is a connection to a server that answers each request, as soon as it
// was written, with the same.
type answering struct {
	mu        sync.Mutex
	wake      sync.Cond
	written   [][]byte
	answers   []byte
	interrupt bool
	closed    bool
}

func newAnswering() *answering {
	a := new(answering)
	a.wake.L = &a.mu
	return a
}

func (a *answering) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.written = append(a.written, bytes.Clone(p))
	a.answers = append(a.answers, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(canned), canned)...)
	a.wake.Broadcast()
	return len(p), nil
}

func (a *answering) Read(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.answers) == 0 && !a.closed && !a.interrupt {
		a.wake.Wait()
	}
	switch {
	case a.closed:
		return 0, net.ErrClosed
	case a.interrupt:
		return 0, os.ErrDeadlineExceeded
	}
	n := copy(p, a.answers)
	a.answers = a.answers[n:]
	return n, nil
}

func (a *answering) SetReadDeadline(t time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.interrupt = !t.IsZero()
	a.wake.Broadcast()
	return nil
}

func (a *answering) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	a.wake.Broadcast()
	return nil
}

func (a *answering) LocalAddr() net.Addr              { return &net.UnixAddr{} }
func (a *answering) RemoteAddr() net.Addr             { return &net.UnixAddr{} }
func (a *answering) SetDeadline(t time.Time) error    { return a.SetReadDeadline(t) }
func (a *answering) SetWriteDeadline(time.Time) error { return nil }

// run relays a whole input to a server and returns what was judged, and what the
// server received from the agent, request by request.
func run(server string, input []byte) (calls []Call, forwarded [][]byte, err error) {
	var conns []*answering
	device := func(context.Context) (net.Conn, error) {
		conns = append(conns, newAnswering())
		return conns[len(conns)-1], nil
	}
	judge := func(ctx context.Context, c *Call, release func(context.Context) error) error {
		if err := release(ctx); err != nil {
			return err
		}
		calls = append(calls, *c)
		return nil
	}
	stream := struct {
		io.Reader
		io.Writer
	}{bytes.NewReader(input), io.Discard}
	err = HTTP(context.Background(), stream, device, Options{Memory: knows(server), MaxBody: 1 << 16}, judge)
	for _, c := range conns {
		for _, request := range c.written {
			if !bytes.Contains(request, []byte("User-Agent: countersign\r\n")) { // a question of our own
				forwarded = append(forwarded, request)
			}
		}
	}
	return calls, forwarded, err
}

// aRequest draws a request that is proper, in one of many spellings.
func aRequest(t *rapid.T, chunked bool) (raw, body string) {
	path := rapid.SampledFrom([]string{
		"/session/s1/source", "/session/s1/element/e1/click", "/session/s1/actions", rpcPath, "/ping", "/tap",
		"/some/%20thing?with=a&query", "/session",
	}).Draw(t, "path")
	method := rapid.SampledFrom([]string{"GET", "POST", "PUT", "DELETE", "OPTIONS"}).Draw(t, "method")
	var head strings.Builder
	head.WriteString(method + " " + path + " HTTP/1.1\r\n")
	for range rapid.IntRange(0, 5).Draw(t, "fields") {
		name := rapid.StringMatching(`X-[A-Za-z0-9!#$%&'*+.^_|~-]{1,12}`).Draw(t, "name")
		value := rapid.StringMatching(`[ -~\t]{0,30}`).Draw(t, "value")
		head.WriteString(name + ":" + value + "\r\n")
	}
	if method == "GET" || method == "DELETE" {
		return head.String() + "\r\n", ""
	}
	body = rapid.OneOf(
		rapid.SampledFrom([]string{"", "{}", `{"x":1,"y":2}`, `{"jsonrpc":"2.0","id":1,"method":"click","params":[1,2]}`}),
		rapid.StringN(0, 200, 400),
	).Draw(t, "body")
	if !chunked || rapid.Bool().Draw(t, "whole") {
		space := rapid.SampledFrom([]string{"", " ", "\t", "  "}).Draw(t, "space")
		length := rapid.SampledFrom([]string{"Content-Length", "content-length", "CONTENT-LENGTH"}).Draw(t, "length")
		return fmt.Sprintf("%s%s:%s%d%s\r\n\r\n%s", head.String(), length, space, len(body), space, body), body
	}
	head.WriteString("Transfer-Encoding: chunked\r\n\r\n")
	for rest := body; rest != ""; {
		n := rapid.IntRange(1, len(rest)).Draw(t, "chunk")
		format := rapid.SampledFrom([]string{"%x\r\n%s\r\n", "%X\r\n%s\r\n", "%08x\r\n%s\r\n"}).Draw(t, "size")
		fmt.Fprintf(&head, format, n, rest[:n])
		rest = rest[n:]
	}
	return head.String() + "0\r\n\r\n", body
}

func TestAnAllowedRequestReachesTheServerUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		server := rapid.SampledFrom([]string{UIA2, UIAutomator2, Portal, Mobilecli, Unknown}).Draw(t, "server")
		var input, bodies []string
		for range rapid.IntRange(1, 4).Draw(t, "requests") {
			raw, body := aRequest(t, server == UIA2)
			if server == UIAutomator2 && body != "" && !strings.Contains(raw, " "+rpcPath+" ") {
				continue // refused: it reads no body there
			}
			input, bodies = append(input, raw), append(bodies, body)
		}
		calls, forwarded, err := run(server, []byte(strings.Join(input, "")))
		if err != nil {
			t.Fatalf("%q: %v", input, err)
		}
		if len(calls) != len(input) || len(forwarded) != len(input) {
			t.Fatalf("%d calls were judged and %d forwarded, %d were made", len(calls), len(forwarded), len(input))
		}
		for i, c := range calls {
			if string(forwarded[i]) != input[i] || string(c.Body) != bodies[i] {
				t.Fatalf("%q was judged with the body %q and reaches the server as %q", input[i], c.Body, forwarded[i])
			}
		}
	})
}
