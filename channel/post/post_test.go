package post_test

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/channel/post"
)

func address(t *testing.T, text string) post.Address {
	t.Helper()
	a, err := post.ReadAddress(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return a
}

// server is a peer that does one thing.
func server(t *testing.T, serve http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(serve)
	t.Cleanup(s.Close)
	return s
}

// send sends to a server within a time.
func send(t *testing.T, url string, within time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	return post.New(address(t, url), nil).Post(ctx, http.Header{"X-Mine": {"yes"}}, []byte(`{"a":1}`))
}

func TestReadAddress(t *testing.T) {
	tests := []struct{ text, host string }{
		{"https://example.net/hook?x=1", "example.net"},
		{"https://example.net:8443", "example.net:8443"},
		{"https://10.0.0.1/", "10.0.0.1"},
		{"http://127.0.0.1:8080/hook", "127.0.0.1:8080"},
		{"http://127.9.9.9/", "127.9.9.9"},
		{"http://[::1]:80/", "[::1]:80"},
		{"http://localhost:80/", "localhost:80"},
		{"http://example.net/", ""},
		{"http://10.0.0.1/", ""},
		{"http://localhost.example.net/", ""},
		{"http://127.0.0.1.example.net/", ""},
		{"http://0.0.0.0/", ""},
		{"https://user:pass@example.net/", ""},
		{"https://user@example.net/", ""},
		{"https://example.net/#part", ""},
		{"https:///path", ""},
		{"https:example.net", ""},
		{"//example.net/", ""},
		{"example.net", ""},
		{"ftp://example.net/", ""},
		{"file:///etc/passwd", ""},
		{"unix:///run/x.sock", ""},
		{"https://exa mple.net/", ""},
		{"https://example.net/\n", ""},
		{"", ""},
	}
	for _, test := range tests {
		a, err := post.ReadAddress(test.text)
		if test.host == "" {
			if !errors.Is(err, post.ErrAddress) {
				t.Errorf("%q was read as %v, %v", test.text, a, err)
			}
			continue
		}
		if err != nil || a.Host() != test.host {
			t.Errorf("%q: %v, %v", test.text, a.Host(), err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if said := fmt.Sprintf(verb, a); said != test.host {
				t.Errorf("%q prints as %q by %s", test.text, said, verb)
			}
		}
	}
	if len(tests) != 25 {
		t.Errorf("ran %d cases, want 25", len(tests))
	}
}

func TestPost(t *testing.T) {
	var got *http.Request
	var body string
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		doc, _ := io.ReadAll(r.Body)
		got, body = r, string(doc)
		w.WriteHeader(http.StatusNoContent)
	})
	if err := send(t, s.URL+"/hook?key=1", time.Minute); err != nil {
		t.Fatal(err)
	}
	if got.Method != "POST" || got.URL.String() != "/hook?key=1" || body != `{"a":1}` || got.ContentLength != 7 ||
		got.Header.Get("Content-Type") != "application/json" || got.Header.Get("User-Agent") != "countersign" || got.Header.Get("X-Mine") != "yes" {
		t.Errorf("it got %s %s %v %q", got.Method, got.URL, got.Header, body)
	}
}

// What the other side may answer, and what is made of it.
func TestAnswers(t *testing.T) {
	tests := []struct {
		status int
		header string // Retry-After
		body   string
		why    string // empty for success
		final  bool
		after  time.Duration
	}{
		{200, "", "", "", false, 0},
		{202, "", "fine", "", false, 0},
		{299, "", "", "", false, 0},
		{400, "", "", "it answers 400 Bad Request", false, 0},
		{401, "", "no\nreally", "it answers 401 Unauthorized: no", false, 0},
		{403, "", "\n\n forbidden \n", "it answers 403 Forbidden: forbidden", false, 0},
		{404, "", "", "it answers 404 Not Found", false, 0},
		{410, "30", "gone", "it answers 410 Gone: it wants no more messages", true, 0},
		{429, "7", "", "it answers 429 Too Many Requests", false, 7 * time.Second},
		{429, "soon", "", "it answers 429 Too Many Requests", false, 0},
		{429, "-7", "", "it answers 429 Too Many Requests", false, 0},
		{503, "99999999999", "", "it answers 503 Service Unavailable", false, time.Hour},
		{500, "", "", "it answers 500 Internal Server Error", false, 0},
		{799, "", "", "it answers 799 ", false, 0},
	}
	for _, test := range tests {
		s := server(t, func(w http.ResponseWriter, r *http.Request) {
			if test.header != "" {
				w.Header().Set("Retry-After", test.header)
			}
			w.WriteHeader(test.status)
			io.WriteString(w, test.body)
		})
		err := send(t, s.URL, time.Minute)
		var f *notice.Failure
		switch {
		case test.why == "":
			if err != nil {
				t.Errorf("%d: %v", test.status, err)
			}
		case !errors.As(err, &f) || f.Why != test.why || f.Final != test.final || f.After != test.after:
			t.Errorf("%d: %#v", test.status, err)
		}
	}
	if len(tests) != 14 {
		t.Errorf("ran %d cases, want 14", len(tests))
	}
}

// No redirect is followed, neither elsewhere nor to the same host.
func TestRedirects(t *testing.T) {
	var reached atomic.Int32
	elsewhere := server(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	tried := 0
	for _, status := range []int{300, 301, 302, 303, 307, 308} {
		for _, to := range []string{elsewhere.URL + "/", "/other", "https://example.invalid/"} {
			s := server(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/hook" {
					reached.Add(1)
				}
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})
			err := send(t, s.URL+"/hook", time.Minute)
			var f *notice.Failure
			if !errors.As(err, &f) || !f.Final || !strings.Contains(f.Why, "is not followed") || strings.Contains(f.Why, "example") {
				t.Errorf("%d to %s: %v", status, to, err)
			}
			tried++
		}
	}
	if n := reached.Load(); n != 0 || tried != 18 {
		t.Errorf("%d of %d were followed", n, tried)
	}
}

// Peers that never come to an end do not keep the sender.
func TestPeersWithoutEnd(t *testing.T) {
	endless := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(strings.Repeat("endless ", 1000))); err != nil {
					return
				}
			}
		}
	}
	silent := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only then does the server notice that the other side has gone
		<-r.Context().Done()
	}
	stops := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusInternalServerError)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	// The first three end by themselves, long before the time they are given.
	if err := send(t, server(t, endless(200)).URL, time.Minute); err != nil {
		t.Errorf("a success without end: %v", err)
	}
	err := send(t, server(t, endless(500)).URL, time.Minute)
	if f := (*notice.Failure)(nil); !errors.As(err, &f) || len(f.Why) > 600 || !strings.HasPrefix(f.Why, "it answers 500 Internal Server Error: endless endless") {
		t.Errorf("a failure without end: %v", err)
	}
	if err := send(t, "http://"+endlessHeader(t), time.Minute); err == nil || !strings.Contains(err.Error(), "header") {
		t.Errorf("a header without end: %v", err)
	}
	// These hang, and are given up when the time is over.
	if err := send(t, server(t, silent).URL, 50*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that is silent: %v", err)
	}
	err = send(t, server(t, stops).URL, 5*time.Second) // enough for its status to come, however busy the machine is
	if f := (*notice.Failure)(nil); !errors.As(err, &f) || f.Why != "it answers 500 Internal Server Error" {
		t.Errorf("one that stops in the middle: %v", err)
	}
}

// endlessHeader is the address of a peer whose header has no end.
func endlessHeader(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		// An answer before the question is another fault, which the client may see first.
		if _, err = http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		_, err = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		for i := 0; err == nil; i++ {
			_, err = fmt.Fprintf(c, "X-%d: %s\r\n", i, strings.Repeat("x", 1000))
		}
	}()
	return l.Addr().String()
}

// Over TLS the other side has to show a certificate that is checked.
func TestTLS(t *testing.T) {
	var reached atomic.Int32
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(s.Close)
	to := address(t, s.URL)
	if err := post.New(to, nil).Post(t.Context(), nil, []byte("{}")); err == nil || reached.Load() != 0 {
		t.Errorf("a certificate that nobody vouches for was taken: %v", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	if err := post.New(to, roots).Post(t.Context(), nil, []byte("{}")); err != nil || reached.Load() != 1 {
		t.Errorf("with its own root: %v, reached %d times", err, reached.Load())
	}
}

func TestNobodyListens(t *testing.T) {
	s := server(t, func(http.ResponseWriter, *http.Request) {})
	url := s.URL
	s.Close()
	if err := send(t, url+"/secret-path", time.Minute); err == nil {
		t.Error("it was sent to nobody")
	}
}
