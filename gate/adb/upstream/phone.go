package upstream

import (
	"context"
	"fmt"
	"net"

	"github.com/countersign/countersign/wire"
)

// Phone is a phone behind an adb server, known by its serial: the number of a
// connection changes when the phone is plugged in again, and two selectors may
// mean the same phone. It is safe for concurrent use.
type Phone struct {
	server wire.Server
	serial string
}

// NewPhone is the phone of a serial. Whether it is there shows when something is
// opened on it.
func NewPhone(s wire.Server, serial string) Phone { return Phone{server: s, serial: serial} }

// Serial is the phone's own serial, as the adb server names it.
func (p Phone) Serial() string { return p.serial }

// Open opens a service on the phone. A *wire.Failure is the server's or the
// phone's refusal.
func (p Phone) Open(ctx context.Context, service string) (net.Conn, error) {
	if err := stillThere(ctx, service); err != nil {
		return nil, err
	}
	return p.server.Open(ctx, wire.Selector{Kind: wire.SelectSerial, Serial: p.serial}, service)
}

// Resolve asks the server which phone a selector means, and for the number of
// the connection to it. Both answers come over one connection, so that they are
// about the same phone.
func Resolve(ctx context.Context, s wire.Server, sel wire.Selector) (p Phone, id uint64, err error) {
	c, id, err := s.Select(ctx, sel)
	if err != nil {
		return Phone{}, 0, err
	}
	defer func() { _ = c.Close() }()
	serial, err := wire.Ask(ctx, c, "host:get-serialno")
	if err != nil {
		return Phone{}, 0, err
	}
	if serial == "" || serial == "unknown" { // adb's word for a phone without one
		return Phone{}, 0, fmt.Errorf("the phone that was selected has no serial, by which it could be guarded")
	}
	return Phone{server: s, serial: serial}, id, nil
}
