package relay

import (
	"bytes"
	"strings"
)

// Protocol is what is spoken on a stream, by its first bytes.
type Protocol uint8

// The protocols that are told apart. The zero value is none of the others.
const (
	Other     Protocol = iota // none of these: scrcpy, a protocol of its own
	Undecided                 // too few bytes to tell
	HTTP1                     // a request of HTTP/1.x: use [HTTP]
	WebSocket                 // a request of HTTP/1.x that asks for a WebSocket
	HTTP2                     // the preface of HTTP/2, which gRPC uses
	TLS                       // a TLS client hello
)

// SniffSize is how many bytes [Sniff] looks at, at most.
const SniffSize = maxHead

const http2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// Sniff tells what a stream speaks by the first bytes that its client sent. It
// answers Undecided while more of them could still tell; a stream whose client
// says nothing first stays so.
func Sniff(first []byte) Protocol {
	switch {
	case len(first) == 0:
		return Undecided
	case first[0] == 0x16: // a handshake record of TLS 1.0 to 1.3
		if len(first) < 3 {
			return Undecided
		}
		if first[1] == 3 && first[2] <= 4 {
			return TLS
		}
		return Other
	case bytes.HasPrefix(first, []byte(http2Preface)):
		return HTTP2
	case strings.HasPrefix(http2Preface, string(first)):
		return Undecided
	}
	return sniffHTTP1(first[:min(len(first), SniffSize)])
}

// sniffHTTP1 looks for a method, a path and a version, and then for an upgrade
// up to the end of the head.
func sniffHTTP1(first []byte) Protocol {
	line, rest, whole := bytes.Cut(first, []byte("\n"))
	method, _, spaced := bytes.Cut(line, []byte(" "))
	if len(method) == 0 || len(method) > 16 || len(bytes.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) > 0 {
		return Other
	}
	if !whole {
		if len(line) > maxLine || !spaced && len(line) > 16 {
			return Other
		}
		return Undecided
	}
	if !bytes.Contains(line, []byte(" HTTP/1.")) {
		return Other
	}
	head, _, ended := bytes.Cut(rest, []byte("\r\n\r\n"))
	if !ended && len(first) < SniffSize && !bytes.HasPrefix(rest, []byte("\r\n")) && !bytes.Contains(rest, []byte("\n\n")) {
		return Undecided
	}
	for _, field := range bytes.Split(head, []byte("\n")) {
		name, value, _ := bytes.Cut(field, []byte(":"))
		if strings.EqualFold(string(bytes.TrimSpace(name)), "upgrade") && strings.Contains(strings.ToLower(string(value)), "websocket") {
			return WebSocket
		}
	}
	return HTTP1
}

// Refusal says why a stream of this protocol is refused, for the agent. It is
// empty for HTTP1 and Undecided.
func (p Protocol) Refusal() string {
	switch p {
	case HTTP1, Undecided:
		return ""
	case WebSocket:
		return "Countersign cannot see what a WebSocket carries, so it does not pass. Use the server's HTTP calls instead."
	case HTTP2:
		return "Countersign cannot see what HTTP/2 (gRPC) carries, so it does not pass. Use a driver that speaks HTTP/1.1, or adb shell commands."
	case TLS:
		return "Countersign cannot see into TLS, so it does not pass. Use the server without it."
	}
	return "Countersign does not know this protocol, so it does not pass. Use adb shell commands, or a server that speaks HTTP/1.1."
}

// devtools reports whether a service or a path belongs to the protocol that
// debuggers of web pages speak: it clicks and types inside a page, and is not
// understood here.
func devtools(target, path string) bool {
	return strings.Contains(target, "devtools_remote") || path == "/json" || strings.HasPrefix(path, "/json/") ||
		strings.HasPrefix(path, "/devtools/")
}

const devtoolsRefusal = "Countersign cannot see what a debugger does inside a page (devtools), so it does not pass. Act on the page through the screen: NATIVE_APP context, taps and text."
