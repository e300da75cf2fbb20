package adb

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/countersign/countersign/hold"
)

// Options say who is guarded and how. Desk and Agent are required; the zero value
// of everything else is a safe default.
type Options struct {
	Desk *hold.Desk
	// Agent is the id of the credential that everything at this gate is done with,
	// AgentName what its owner calls it.
	Agent, AgentName string
	// Observe lets everything pass and records what would have been held. The desk
	// must be in observe mode as well.
	Observe bool
	// Patience is how long the client of a service waits before it gives up; 0 for
	// ever. Nil stands for [UsualPatience].
	Patience func(service string) time.Duration
	// Log is told what went wrong inside, never what a client sent. Nil drops it.
	Log *slog.Logger
	// Now is the clock of what is remembered for a while; the desk's if nil.
	Now func() time.Time
	// Helpers are the automation servers that set-up allowed, each with its hash.
	Helpers []Helper
}

// A Helper is a program that automates the phone and that its owner let onto it.
// Of Package and Class at least one is given.
type Helper struct {
	// Name is what a person calls it: "uiautomator2".
	Name string `json:"name"`
	// Package is an installed app, Class the main class that app_process starts.
	Package string `json:"package,omitempty"`
	Class   string `json:"class,omitempty"`
	// Path is where its file lies on the phone; empty for an installed app.
	Path string `json:"path,omitempty"`
	// SHA256 is the hash of that file in lower-case hex; empty where there is none.
	SHA256 string `json:"sha256,omitempty"`
	// May is what passes besides starting it, while the file is that one.
	May Acts `json:"may,omitempty"`
}

// Phone is the real device, as the gate alone can reach it.
type Phone interface {
	// Serial is the device's own, by which questions, grants and the record name it.
	Serial() string
	// Open opens a service. A refusal by the phone is an error whose text may be
	// shown to the client.
	Open(ctx context.Context, service string) (net.Conn, error)
}

// Client is the other end of one service: whoever asked for it. Read and Write
// may be used at the same time; Accept or Refuse is called once, before any Write.
type Client interface {
	io.Reader
	io.Writer
	// Accept says that the service is open, Refuse that it is not and why, as well
	// as the front end's protocol can.
	Accept() error
	Refuse(message string) error
	// Close ends the connection. It may be called at any time and more than once.
	Close() error
	// Gone is closed when the client has hung up, also while nobody reads.
	Gone() <-chan struct{}
}

// Gate is the guard in front of all phones of one agent. It is safe for
// concurrent use.
type Gate struct {
	options Options

	mu      sync.Mutex
	devices map[string]*Device

	refusals refusals // that have no rows of their own yet
}

// New builds a gate.
func New(o Options) (*Gate, error) {
	switch {
	case o.Desk == nil:
		return nil, errors.New("adb: Options.Desk is missing; make one with hold.New")
	case o.Agent == "":
		return nil, errors.New("adb: Options.Agent is missing; give the id of the agent's credential")
	}
	if o.Patience == nil {
		o.Patience = UsualPatience
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = o.Desk.Now
	}
	return &Gate{options: o, devices: map[string]*Device{}}, nil
}

// Device is the guarded phone of a serial: the same one for the same serial,
// reached by the Phone that was given last.
func (g *Gate) Device(p Phone) *Device {
	g.mu.Lock()
	defer g.mu.Unlock()
	d := g.devices[p.Serial()]
	if d == nil {
		d = newDevice(g, p)
		g.devices[p.Serial()] = d
	}
	d.reach(p)
	return d
}
