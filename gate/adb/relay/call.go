package relay

import (
	"context"

	"github.com/countersign/countersign/risk"
)

// The servers whose calls are understood, as they stand in [Call.Server].
const (
	UIAutomator2 = "uiautomator2" // openatx: JSON-RPC
	UIA2         = "uia2"         // Appium's server on the phone: W3C WebDriver
	Portal       = "portal"       // Mobilerun's accessibility service
	Mobilecli    = "mobilecli"    // mobilecli's DeviceServer, which mobile-mcp starts
	Unknown      = "unknown"
)

// Call is one request of an agent and what it would do. It either reads, or has
// an action, or is unknown: then Reads is false and Action is nil, and only a
// person can let it pass.
type Call struct {
	// Server is one of the constants above.
	Server string
	// Method and Path are as they stand in the request line, the query with it.
	Method, Path string
	// Body is the request's body without its framing. It must not be changed.
	Body []byte
	// Reads says that the call looks and changes nothing.
	Reads bool
	// Action is what the call does, nil when it reads or is unknown. A chain of
	// several acts is one action of kind shell whose line does the same.
	Action *risk.Action
	// Shell is the line of Action where that is one.
	Shell string
	// Describe says in a few plain words what is called, such as
	// "uiautomator2 click". It contains text of the agent's.
	Describe string
}

// Judge decides about a call. It runs release, at most once, only when the call
// may pass, and returns what release returned. It returns *[Refused] otherwise:
// its message goes to the agent in the form that the server's clients understand.
// Any other error refuses as well.
//
// release looks once more whether the call still means what was judged, forwards
// it, and returns when the whole answer has gone to the agent.
type Judge func(ctx context.Context, c *Call, release func(context.Context) error) error

// Refused says that a call was not forwarded, and why.
type Refused struct {
	// Message is for the agent's model: what was refused, by whom, and that
	// trying again will not help.
	Message string
}

func (r *Refused) Error() string { return r.Message }

// Options say how a stream is relayed. The zero value is safe: it has the bounds
// of this package and takes nothing for granted.
type Options struct {
	// Target is the service that the agent opened, such as "tcp:9008". Only the
	// sockets of debuggers are told by it; else the server is asked what it is.
	Target string
	// Memory is what is remembered of this server's sessions and elements. Give
	// all streams to one target of one phone the same; nil remembers for this
	// stream alone.
	Memory *Memory
	// MaxBody bounds a request's body in bytes; 0 stands for 16 MiB.
	MaxBody int
}
