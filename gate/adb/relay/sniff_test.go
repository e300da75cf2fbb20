package relay

import (
	"strings"
	"testing"
)

func TestSniff(t *testing.T) {
	cases := []struct {
		name, first string
		want        Protocol
	}{
		{"nothing", "", Undecided},
		{"the start of a method", "PO", Undecided},
		{"half a request line", "POST /jsonrpc", Undecided},
		{"half a head", "POST /jsonrpc/0 HTTP/1.1\r\nHost: x\r\n", Undecided},
		{"a request", "POST /jsonrpc/0 HTTP/1.1\r\nHost: x\r\n\r\n{}", HTTP1},
		{"a request without fields", "GET / HTTP/1.0\r\n\r\n", HTTP1},
		{"a request with bare LF", "GET / HTTP/1.1\nHost: x\n\n", HTTP1}, // HTTP refuses it, with a reason
		{"a long head", "GET / HTTP/1.1\r\nA: " + strings.Repeat("a", SniffSize), HTTP1},
		{"another method", "PATCH / HTTP/1.1\r\n\r\n", HTTP1},
		{"a WebSocket", "GET / HTTP/1.1\r\nUpgrade: WebSocket\r\n\r\n", WebSocket},
		{"a WebSocket in small letters", "GET / HTTP/1.1\r\nHost: x\r\nupgrade:h2c, websocket\r\n\r\n", WebSocket},
		{"a WebSocket with bare LF", "GET / HTTP/1.1\nupgrade: websocket\n\n", WebSocket},
		{"the start of HTTP/2", "PRI * HTTP/2.0\r\n", Undecided},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x12", HTTP2},
		{"the preface of HTTP/2 alone", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HTTP2},
		{"something like HTTP/2", "PRI * HTTP/3.0\r\n\r\n", Other},
		{"the start of TLS", "\x16\x03", Undecided},
		{"TLS", "\x16\x03\x01\x02\x00\x01", TLS},
		{"something like TLS", "\x16\x02\x01", Other},
		{"scrcpy", "\x00\x00\x00\x01", Other},
		{"small letters", "get / HTTP/1.1\r\n\r\n", Other},
		{"a line that is none", "HELLO\r\n", Other},
		{"a very long word", strings.Repeat("A", 40), Other},
		{"a very long line", "GET /" + strings.Repeat("a", maxLine+1), Other},
		{"HTTP/0.9", "GET /\r\n", Other},
	}
	if len(cases) != 25 {
		t.Fatalf("%d cases, 25 were written", len(cases))
	}
	for _, c := range cases {
		if got := Sniff([]byte(c.first)); got != c.want {
			t.Errorf("%s is %d, want %d", c.name, got, c.want)
		}
	}
}

func TestWhatIsRefusedSaysWhy(t *testing.T) {
	for p := Other; p <= TLS; p++ {
		passes := p == HTTP1 || p == Undecided
		if why := p.Refusal(); (why == "") != passes || !passes && !strings.HasPrefix(why, "Countersign ") {
			t.Errorf("protocol %d is refused with %q", p, why)
		}
	}
}
