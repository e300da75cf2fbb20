package wire

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Server is an adb server, and where it listens: Network and Address as in
// net.Dial ("tcp", "127.0.0.1:5037" or "unix", "/path/adb.sock"). It keeps no
// connection; each call makes its own. Safe for concurrent use.
type Server struct {
	Network, Address string
}

// ServerDial connects to an adb server. The connection is closed when ctx ends
// before it stands; afterwards it is the caller's.
func ServerDial(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("no adb server at %s: %w", addr, err)
	}
	return c, nil
}

// Open selects a phone and opens a service on it. The connection is the
// service's stream. A *Failure is the server's or the phone's refusal.
func (s Server) Open(ctx context.Context, sel Selector, service string) (net.Conn, error) {
	return s.begin(ctx, sel.Transport(), service)
}

// Query sends a host request whose answer is a text ("host:version",
// "host:devices-l", "host-serial:S:features").
func (s Server) Query(ctx context.Context, request string) (string, error) {
	c, err := ServerDial(ctx, s.Network, s.Address)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	return Ask(ctx, c, request)
}

// Command sends a host request that is only granted or refused
// ("host:killforward-all").
func (s Server) Command(ctx context.Context, request string) error {
	c, err := s.begin(ctx, request)
	if err != nil {
		return err
	}
	return c.Close()
}

// Transport resolves a selector to the server's number for the connection to
// the phone. The number stays the same until the phone goes away.
func (s Server) Transport(ctx context.Context, sel Selector) (uint64, error) {
	c, id, err := s.Select(ctx, sel)
	if err != nil {
		return 0, err
	}
	return id, c.Close()
}

// Select selects a phone for the rest of a connection, and returns the server's
// number for it. Host requests on the connection are about that phone then,
// whatever their prefix says; the first that is no host request is the service.
func (s Server) Select(ctx context.Context, sel Selector) (c net.Conn, id uint64, err error) {
	if sel.Kind == SelectTransportID {
		c, err := s.begin(ctx, sel.Transport())
		return c, sel.ID, err
	}
	if c, err = s.begin(ctx, sel.tport()); err != nil {
		return nil, 0, err
	}
	defer stopWith(ctx, c)()
	var b [8]byte
	if _, err := io.ReadFull(c, b[:]); err != nil {
		_ = c.Close()
		return nil, 0, because(ctx, cutOff("the number of a transport", err))
	}
	return c, binary.LittleEndian.Uint64(b[:]), nil
}

// Ask sends a host request whose answer is a text on a connection, such as one
// on which a phone was selected.
func Ask(ctx context.Context, c net.Conn, request string) (string, error) {
	defer stopWith(ctx, c)()
	err := WriteRequest(c, request)
	if err == nil {
		err = ReadStatus(c)
	}
	var text string
	if err == nil {
		text, err = ReadText(c)
	}
	if err != nil {
		return "", because(ctx, fmt.Errorf("%.60q: %w", request, err))
	}
	return text, nil
}

// begin dials, and sends requests one after the other, each of which has to be
// granted.
func (s Server) begin(ctx context.Context, requests ...string) (net.Conn, error) {
	c, err := ServerDial(ctx, s.Network, s.Address)
	if err != nil {
		return nil, err
	}
	for _, request := range requests {
		if _, err := Request(ctx, c, request); err != nil {
			_ = c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Request sends a request that is only granted or refused, such as a service where
// a phone was selected, and waits for the grant. sent is false when the server has
// not been given the whole of the request, and so does nothing about it. The
// connection is of no use after an error.
func Request(ctx context.Context, c net.Conn, request string) (sent bool, err error) {
	stop := stopWith(ctx, c)
	if err = WriteRequest(c, request); err == nil {
		sent, err = true, ReadStatus(c)
	}
	stop()
	if err != nil {
		return sent, because(ctx, fmt.Errorf("%.60q: %w", request, err))
	}
	return sent, ctx.Err()
}

// tport is the request that selects this phone and asks for its number.
func (s Selector) tport() string {
	switch s.Kind {
	case SelectUSB:
		return "host:tport:usb"
	case SelectLocal:
		return "host:tport:local"
	case SelectSerial:
		return "host:tport:serial:" + s.Serial
	}
	return "host:tport:any"
}

// stopWith ends reads and writes of c when ctx does, until it is called. A
// deadline set by it is taken back only while ctx goes on.
func stopWith(ctx context.Context, c net.Conn) (stop func()) {
	end := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	return func() { end() }
}

// because is ctx's error when that is why err came about.
func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return err
}
