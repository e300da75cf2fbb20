package relay

// Protocol is what is spoken on a stream, by its first bytes.
type Protocol uint8

// The protocols that are told apart. The zero value is none of the others.
const (
	Other     Protocol = iota // neither of these: scrcpy, a protocol of its own
	Undecided                 // too few bytes to tell
	HTTP1                     // a request of HTTP/1.x: use [HTTP]
	WebSocket                 // a request of HTTP/1.x that asks for a WebSocket
	HTTP2                     // the preface of HTTP/2, which gRPC uses
	TLS                       // a TLS client hello
)

// SniffSize is how many bytes [Sniff] wants at most.
const SniffSize = 4096

// Sniff tells what a stream speaks by the first bytes that its client sent.
func Sniff(first []byte) Protocol { return Other }

// Refusal says why a stream of this protocol is refused, for the agent. It is
// empty for HTTP1 and Undecided.
func (p Protocol) Refusal() string { return "" }
