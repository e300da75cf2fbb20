package upstream

import (
	"context"
	"errors"
	"net"

	"github.com/countersign/countersign/wire"
)

// Phone is a phone behind an adb server, known by its serial: the number of a
// connection changes when the phone is plugged in again, and two selectors may
// mean the same phone. It is safe for concurrent use.
type Phone struct {
	server wire.Server
	serial string
	phones *Phones // that keep connections to it; nil for none
}

// NewPhone is the phone of a serial, without kept connections. Whether it is there
// shows when something is opened on it.
func NewPhone(s wire.Server, serial string) Phone { return Phone{server: s, serial: serial} }

// Serial is the phone's own serial, as the adb server names it.
func (p Phone) Serial() string { return p.serial }

// Open opens a service on the phone. A *wire.Failure is the server's or the
// phone's refusal.
func (p Phone) Open(ctx context.Context, service string) (net.Conn, error) {
	if err := stillThere(ctx, service); err != nil {
		return nil, err
	}
	if p.phones != nil {
		return p.phones.open(ctx, p.serial, service)
	}
	return p.server.Open(ctx, wire.Selector{Kind: wire.SelectSerial, Serial: p.serial}, service)
}

// serialOf asks for the serial of the phone that is selected on a connection,
// which is of no use afterwards.
func serialOf(ctx context.Context, c net.Conn) (string, error) {
	serial, err := wire.Ask(ctx, c, "host:get-serialno")
	if err == nil && (serial == "" || serial == "unknown") { // adb's word for a phone without one
		err = errors.New("the phone that was selected has no serial, by which it could be guarded")
	}
	return serial, err
}
