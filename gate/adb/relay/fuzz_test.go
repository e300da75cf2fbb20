package relay

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"
)

// FuzzHTTP relays any bytes at all. What reaches the server has to be, for
// another reader of HTTP (net/http), exactly the requests that were judged: as
// many, with the same methods, paths and bodies, and part by part bytes of the
// agent's.
func FuzzHTTP(f *testing.F) {
	kinds := []string{UIA2, UIAutomator2, Portal, Mobilecli, Unknown}
	for i, c := range refusedRequests {
		if len(c.raw) < 1000 {
			f.Add(byte(i), []byte(c.raw))
			f.Add(byte(i), []byte(get("/ping")+c.raw))
		}
	}
	for i, raw := range []string{
		rpc("click", "[1,2]") + rpc("click", "["+selector+"]"), w3c("element/e1/click", "{}") + get("/session/s1/source"),
		post("/tap", "x=1&y=2"), "POST /session/s1/back HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + get("/status"),
		post("/ping", rpc("click", "[1,2]")), "POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
	} {
		for k := range kinds {
			f.Add(byte(k), []byte(raw))
		}
		f.Add(byte(i), []byte(raw+raw))
	}
	f.Fuzz(func(t *testing.T, kind byte, input []byte) {
		if len(input) > 1<<16 {
			return // all bounds are lower
		}
		calls, forwarded, _ := run(kinds[int(kind)%len(kinds)], input) // an error is what a refusal is
		if len(calls) != len(forwarded) {
			t.Fatalf("%d calls were judged, %d reach the server", len(calls), len(forwarded))
		}
		rest := input
		for i, raw := range forwarded {
			at := bytes.Index(rest, raw)
			if at < 0 {
				t.Fatalf("%q is not what the agent sent", raw)
			}
			rest = rest[at+len(raw):]
			sameRequest(t, &calls[i], raw)
		}
	})
}

// sameRequest reads a request by net/http and compares it with what was judged.
func sameRequest(t *testing.T, c *Call, raw []byte) {
	br := bufio.NewReader(bytes.NewReader(raw))
	req, err := http.ReadRequest(br)
	if err != nil {
		t.Fatalf("%q cannot be read: %v", raw, err)
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		t.Fatalf("the body of %q cannot be read: %v", raw, err)
	}
	if req.Method != c.Method || req.RequestURI != c.Path || !bytes.Equal(body, c.Body) {
		t.Fatalf("%s %s %q was judged, %s %s %q reaches the server", c.Method, c.Path, c.Body, req.Method, req.RequestURI, body)
	}
	if _, err := br.ReadByte(); !errors.Is(err, io.EOF) {
		t.Fatalf("%q is more than one request", raw)
	}
	if c.Reads && c.Action != nil {
		t.Fatalf("%s %s both reads and acts", c.Method, c.Path)
	}
}

// FuzzAnswer passes any answer on. What reaches the agent has to be what the
// server sent, from its beginning.
func FuzzAnswer(f *testing.F) {
	for _, raw := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\nall", "HTTP/1.1 200 OK\nContent-Length: -1\n\n",
	} {
		f.Add([]byte(raw), true)
		f.Add([]byte(raw), false)
	}
	f.Fuzz(func(t *testing.T, raw []byte, keep bool) {
		var out bytes.Buffer
		var keeper func(*answer)
		kept := 0
		if keep {
			keeper = func(*answer) { kept++ }
		}
		a, began, err := passAnswer(&out, bufio.NewReader(bytes.NewReader(raw)), "GET", false, keeper)
		if !bytes.HasPrefix(raw, out.Bytes()) {
			t.Fatalf("%q reaches the agent as %q", raw, out.Bytes())
		}
		if out.Len() > 0 && !began {
			t.Fatalf("%q reached the agent and did not begin", out.Bytes())
		}
		if err == nil && keep && (kept != 1 || !a.kept) {
			t.Fatalf("an answer was kept %d times", kept)
		}
	})
}
