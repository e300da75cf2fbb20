package relay

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

// refusedRequests are requests that two readers could understand differently.
var refusedRequests = []struct {
	name, raw string
	status    int
}{
	{"two lengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
	{"the same length twice", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", 400},
	{"a list of lengths", "POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\na", 400},
	{"a signed length", "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\na", 400},
	{"a negative length", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
	{"a length in hexadecimal", "POST / HTTP/1.1\r\nContent-Length: 0x1\r\n\r\na", 400},
	{"an empty length", "POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400},
	{"a length that overflows", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
	{"a length with an underscore", "POST / HTTP/1.1\r\nContent-Length: 1_0\r\n\r\n", 400},
	{"too long a body", "POST / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n", 413},
	{"length and chunks", "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
	{"chunks and length", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n", 400},
	{"chunks twice", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
	{"chunks as a list", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 501},
	{"another encoding", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
	{"identity", "POST / HTTP/1.1\r\nTransfer-Encoding: identity\r\n\r\n", 501},
	{"an empty encoding", "POST / HTTP/1.1\r\nTransfer-Encoding:\r\n\r\n", 501},
	{"an encoding in quotes", "POST / HTTP/1.1\r\nTransfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n", 501},
	{"chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
	{"a vertical tab in an encoding", "POST / HTTP/1.1\r\nTransfer-Encoding:\vchunked\r\n\r\n0\r\n\r\n", 400},
	{"a space before the colon", "POST / HTTP/1.1\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},
	{"a tab before the colon", "GET / HTTP/1.1\r\nHost\t: x\r\n\r\n", 400},
	{"a folded field", "GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n", 400},
	{"a folded first field", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400},
	{"a field without a name", "GET / HTTP/1.1\r\n: x\r\n\r\n", 400},
	{"a field without a colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400},
	{"a name with a space", "GET / HTTP/1.1\r\nContent Length: 1\r\n\r\n", 400},
	{"a name in brackets", "GET / HTTP/1.1\r\n(Host): 1\r\n\r\n", 400},
	{"bare LF", "GET / HTTP/1.1\nHost: x\n\n", 400},
	{"bare LF within", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400},
	{"bare LF at the end", "GET / HTTP/1.1\r\nHost: x\r\n\n", 400},
	{"bare CR", "GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n", 400},
	{"CR CR LF", "GET / HTTP/1.1\r\nHost: x\r\r\n\r\n", 400},
	{"NUL", "GET / HTTP/1.1\r\nHost: x\x00\r\n\r\n", 400},
	{"NUL in the path", "GET /\x00 HTTP/1.1\r\n\r\n", 400},
	{"a letter that is not ASCII", "GET / HTTP/1.1\r\nHost: \xc3\xa9\r\n\r\n", 400},
	{"a next-line character", "GET / HTTP/1.1\r\nHost: a\xc2\x85b\r\n\r\n", 400},
	{"DEL", "GET / HTTP/1.1\r\nHost: \x7f\r\n\r\n", 400},
	{"absolute form", "GET http://localhost/ HTTP/1.1\r\n\r\n", 400},
	{"authority form", "CONNECT localhost:80 HTTP/1.1\r\n\r\n", 400},
	{"asterisk form", "OPTIONS * HTTP/1.1\r\n\r\n", 400},
	{"two slashes", "GET //host/path HTTP/1.1\r\n\r\n", 400},
	{"a backslash", "GET /a\\b HTTP/1.1\r\n\r\n", 400},
	{"a fragment", "GET /a#b HTTP/1.1\r\n\r\n", 400},
	{"a broken escape", "GET /a%2 HTTP/1.1\r\n\r\n", 400},
	{"a wrong escape", "GET /a%zz HTTP/1.1\r\n\r\n", 400},
	{"two spaces", "GET  / HTTP/1.1\r\n\r\n", 400},
	{"a space at the end", "GET / HTTP/1.1 \r\n\r\n", 400},
	{"a tab between", "GET\t/ HTTP/1.1\r\n\r\n", 400},
	{"no version", "GET /\r\n\r\n", 400},
	{"HTTP/0.9", "GET / HTTP/0.9\r\n\r\n", 505},
	{"HTTP/2.0", "GET / HTTP/2.0\r\n\r\n", 505},
	{"http in small letters", "GET / http/1.1\r\n\r\n", 505},
	{"HTTP/1.10", "GET / HTTP/1.10\r\n\r\n", 505},
	{"a method in small letters", "get / HTTP/1.1\r\n\r\n", 400},
	{"no method", " / HTTP/1.1\r\n\r\n", 400},
	{"an empty line first", "\r\nGET / HTTP/1.1\r\n\r\n", 400},
	{"only an empty line", "\n", 400},
	{"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
	{"two content types", "POST / HTTP/1.1\r\nContent-Type: a/b\r\ncontent-type: c/d\r\n\r\n", 400},
	{"a GET with a body", "GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\na", 400},
	{"a GET with chunks", "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
	{"a DELETE with a body", "DELETE / HTTP/1.1\r\nContent-Length: 1\r\n\r\na", 400},
	{"another expectation", "POST / HTTP/1.1\r\nExpect: 200-ok\r\n\r\n", 417},
	{"an expectation in HTTP/1.0", "POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n", 417},
	{"a chunk without a size", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400},
	{"a chunk with an extension", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\n\r\n", 400},
	{"a chunk with a space", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\nx\r\n0\r\n\r\n", 400},
	{"a chunk with 0x", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n", 400},
	{"a chunk with a sign", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n", 400},
	{"a chunk of nine digits", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n000000001\r\nx\r\n0\r\n\r\n", 400},
	{"a chunk that is too large", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", 413},
	{"a chunk that is longer than it says", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n0\r\n\r\n", 400},
	{"a chunk with LF", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n", 400},
	{"a chunk whose size ends with CR", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\rxx\r\n0\r\n\r\n", 400},
	{"trailers", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n", 400},
	{"a long head", "GET / HTTP/1.1\r\nA: " + strings.Repeat("a", maxHead) + "\r\n\r\n", 431},
	{"many fields", "GET / HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", 2000) + "\r\n", 431},
	{"a long path", "GET /" + strings.Repeat("a", maxLine) + " HTTP/1.1\r\n\r\n", 414},
}

func TestWhatCanBeReadInTwoWaysIsRefused(t *testing.T) {
	if len(refusedRequests) != 79 {
		t.Fatalf("%d cases, 79 were written", len(refusedRequests))
	}
	for _, c := range refusedRequests {
		_, err := readRequest(bufio.NewReader(strings.NewReader(c.raw)), usualMaxBody, func() error { return nil })
		var bad *Malformed
		switch {
		case !errors.As(err, &bad):
			t.Errorf("%s: %v, want *Malformed", c.name, err)
		case bad.Status != c.status:
			t.Errorf("%s is refused with %d (%s), want %d", c.name, bad.Status, bad.Reason, c.status)
		case strings.ContainsAny(bad.Reason, "\r\n\x00"):
			t.Errorf("%s: the reason has a line break: %q", c.name, bad.Reason)
		}
	}
}

func TestWhatIsCutOffIsNotForwarded(t *testing.T) {
	cases := []struct {
		raw  string
		want error
	}{
		{"", io.EOF},
		{"GET", io.ErrUnexpectedEOF},
		{"GET / HTTP/1.1\r\n", io.ErrUnexpectedEOF},
		{"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc", io.ErrUnexpectedEOF},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", io.ErrUnexpectedEOF},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1", io.ErrUnexpectedEOF},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r", io.ErrUnexpectedEOF},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n", io.ErrUnexpectedEOF},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", io.ErrUnexpectedEOF},
	}
	if len(cases) != 9 {
		t.Fatalf("%d cases, 9 were written", len(cases))
	}
	for _, c := range cases {
		if _, err := readRequest(bufio.NewReader(strings.NewReader(c.raw)), usualMaxBody, nil); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.raw, err, c.want)
		}
	}
}

func TestRequestsAreReadWhole(t *testing.T) {
	cases := []struct {
		raw, body string
		close     bool
		continues bool
	}{
		{"GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "", false, false},
		{"GET / HTTP/1.0\r\n\r\n", "", true, false},
		{"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "", true, false}, // servers differ
		{"GET / HTTP/1.1\r\nConnection: Close\r\n\r\n", "", true, false},
		{"GET / HTTP/1.1\r\nConnection: keep-alive, close\r\n\r\n", "", true, false},
		{"GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "", false, false},
		{"POST / HTTP/1.1\r\ncontent-LENGTH:\t3 \r\n\r\nabc", "abc", false, false},
		{"POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\nabc", "abc", false, true},
		{"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n", "", false, false},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0A\r\n0123456789\r\n0\r\n\r\n", "abc0123456789", false, false},
	}
	if len(cases) != 10 {
		t.Fatalf("%d cases, 10 were written", len(cases))
	}
	for _, c := range cases {
		br := bufio.NewReader(strings.NewReader(c.raw + "GET /next HTTP/1.1\r\n\r\n"))
		waited := false
		r, err := readRequest(br, usualMaxBody, func() error { waited = true; return nil })
		if err != nil {
			t.Errorf("%q: %v", c.raw, err)
			continue
		}
		if string(r.raw) != c.raw || string(r.body) != c.body || r.close != c.close || r.continues != c.continues || waited != c.continues {
			t.Errorf("%q is read as %q with the body %q, close %v, continues %v, waited %v", c.raw, r.raw, r.body, r.close, r.continues, waited)
		}
		if next, err := readRequest(br, usualMaxBody, nil); err != nil || next.target != "/next" {
			t.Errorf("%q: what follows is %v (%v)", c.raw, next, err)
		}
	}
}
