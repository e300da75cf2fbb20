package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/countersign/countersign/hold"
)

// Where the doors are unless Options say otherwise.
const (
	DefaultAgents = "127.0.0.1:8787"
	DefaultInbox  = "127.0.0.1:8788"
)

// Options say how the daemon runs. Home is required; the zero value of
// everything else is a safe default.
type Options struct {
	// Home is the folder with the store, the keys and the sockets. It is made
	// when it is not there, and only its owner may enter it.
	Home string
	// Memory keeps the store in memory: nothing survives the daemon.
	Memory bool
	// Agents and Inbox are the loopback addresses of the agents' door and of the
	// web page; port 0 is any free one. AgentSocket is a unix socket for agents
	// beside the port, which other users may use.
	Agents, Inbox, AgentSocket string
	// Remote is the web page for other devices, over TLS; the zero value is none.
	Remote Remote
	// ADB is the gate for agents that drive a phone over ADB; the zero value is none.
	ADB ADB

	// Channels is the file of channels; that of the home folder if it is empty.
	Channels string
	// Policy and Apps are as in countersign.Options.
	Policy, Apps string
	// Observe decides and records everything and holds nothing. Unattended says
	// that nobody is there to ask.
	Observe, Unattended bool

	// Planner is the base address of an OpenAI-compatible chat endpoint, for step
	// requests that propose no action; PlannerModel is its model. The key is read
	// from the environment, by the name in PlannerKey.
	Planner, PlannerModel, PlannerKey string

	// AnswerWithin, UseWithin and Cooldown are as in hold.Options.
	AnswerWithin, UseWithin, Cooldown time.Duration
	// TypeAbove is as in answer.Options.
	TypeAbove map[string]string
	// PasskeyCritical says that critical questions are approved with a passkey, on
	// the web page, and in no other way.
	PasskeyCritical bool
	// PureRate is how many pure decisions a second one agent may ask for; 0 is
	// the default, negative is no limit.
	PureRate float64

	// Notifiers are told of every question that waits.
	Notifiers []hold.Notifier

	Version string
	Log     *slog.Logger
	Now     func() time.Time
}

func (o *Options) validate() error {
	if o.Home == "" {
		return errors.New("daemon: Options.Home is missing: the folder for the store and the keys")
	}
	home, err := filepath.Abs(o.Home)
	if err != nil {
		return fmt.Errorf("daemon: home %q: %w", o.Home, err)
	}
	o.Home = home
	if o.Agents == "" {
		o.Agents = DefaultAgents
	}
	if o.Inbox == "" {
		o.Inbox = DefaultInbox
	}
	for _, a := range []struct{ what, addr string }{{"the agents' door", o.Agents}, {"the inbox", o.Inbox}} {
		if err := checkLoopback(a.addr); err != nil {
			return fmt.Errorf("%s: %w", a.what, err)
		}
	}
	if err := o.Remote.validate(); err != nil {
		return err
	}
	if err := o.ADB.validate(); err != nil {
		return err
	}
	if o.PlannerModel != "" && o.Planner == "" {
		return errors.New("a planner's model is given without its address; give both, or neither")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return nil
}

// checkLoopback refuses an address that other machines could reach: these doors
// do not speak TLS.
func checkLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is no address; accepted is 127.0.0.1:PORT or [::1]:PORT", addr)
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return fmt.Errorf("%q is not on this machine's loopback; accepted is 127.0.0.1:PORT or [::1]:PORT, since nothing here may be reached over a network without TLS (the inbox for other devices: --remote)", addr)
	}
	return nil
}
