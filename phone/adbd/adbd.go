package adbd

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/shell"
)

// Options are how a phone is served. The zero value serves a phone on which no
// server is running and none can be started.
type Options struct {
	// Servers is what listens on the phone; nil is none to begin with.
	Servers *Servers
	// Launches are the servers that a line can start.
	Launches shell.Launches
	// Without are features that the banner is not to have, such as "shell_v2":
	// an older phone.
	Without []string
	// Log gets what is of interest to who runs the phone; nil is nothing.
	Log *slog.Logger
}

// Serve accepts ADB transports on l until the context ends, and serves p to
// each of them. It closes l.
func Serve(ctx context.Context, l net.Listener, p *phone.Phone, o Options) error {
	return errors.New("not yet")
}

// Servers is what listens on the phone, by address: "tcp:9008" or
// "localabstract:name". It is safe for concurrent use.
type Servers struct{}

// ErrAddressInUse is that something listens there already.
var ErrAddressInUse = errors.New("address already in use")

// ErrNobodyListens is that nothing on the phone listens at an address.
var ErrNobodyListens = errors.New("connection refused: nothing listens there on the phone")

// Listen makes serve answer connections to an address until stop is called.
// Each connection gets a goroutine of its own and is closed when serve returns.
func (s *Servers) Listen(address string, serve func(net.Conn)) (stop func(), err error) {
	return func() {}, nil
}

// ListenHTTP is Listen for a handler.
func (s *Servers) ListenHTTP(address string, h http.Handler) (stop func(), err error) {
	return func() {}, nil
}

// Dial connects to what listens at an address.
func (s *Servers) Dial(address string) (net.Conn, error) { return nil, ErrNobodyListens }

// Addresses are the addresses where something listens, in order.
func (s *Servers) Addresses() []string { return nil }
