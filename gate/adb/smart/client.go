package smart

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/reverse"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/wire"
)

// client is one connection of an agent.
type client struct {
	*front
	conn     net.Conn
	selected *selected // nil until a phone is selected
}

// selected is the phone that a connection is about.
type selected struct {
	phone upstream.Phone
	id    uint64 // of the hidden server's connection to it
}

// serve answers requests: any number of selections, and then one thing, as adb
// servers do. A host request may follow a selection.
func (c *client) serve(ctx context.Context) {
	for {
		request, err := wire.ReadRequest(c.conn)
		if err != nil {
			if errors.Is(err, wire.ErrProtocol) {
				c.fail("countersign: " + err.Error())
			}
			return
		}
		if !wire.IsHostRequest(request) {
			c.service(ctx, request)
			return
		}
		h, ok := wire.ParseHostRequest(request)
		switch {
		case !ok:
			c.refuse(ctx, request, "unknown host service")
			return
		case h.Verb != "transport":
			c.host(ctx, request, h)
			return
		case !c.selection(ctx, h):
			return
		}
	}
}

// selection selects a phone for the rest of the connection. It is false when
// there is none, and the client has been told.
func (c *client) selection(ctx context.Context, h wire.HostRequest) bool {
	phone, id, err := c.phones.Resolve(ctx, h.Selector)
	if err != nil {
		c.failWith(err)
		return false
	}
	c.selected = &selected{phone, id}
	answer := []byte("OKAY")
	if h.Tport {
		answer = binary.LittleEndian.AppendUint64(answer, id)
	}
	_, err = c.conn.Write(answer)
	return err == nil
}

// service hands a service on the selected phone to the gate.
func (c *client) service(ctx context.Context, service string) {
	if c.selected == nil {
		c.fail("device offline (no transport)")
		return
	}
	device := c.o.Gate.Device(c.selected.phone)
	asking := adb.Buffered(c.conn,
		func() error { return wire.WriteOkay(c.conn) },
		func(message string) error { return wire.WriteFail(c.conn, message) })
	var err error
	if reverse.Is(service) {
		err = c.reversesOf(c.selected.phone.Serial()).Serve(ctx, device, service, asking)
	} else {
		err = device.Serve(ctx, service, asking)
	}
	c.note(ctx, err)
}

// note logs what was neither a service that ran nor one that was refused.
func (f *front) note(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil && !errors.Is(err, adb.ErrRefused) {
		f.o.Log.Info("a service ended with an error", "error", err.Error())
	}
}

// fail refuses a request in the client's own protocol.
func (c *client) fail(message string) { _ = wire.WriteFail(c.conn, message) }

// failWith refuses a request with the hidden server's own words, or says that it
// cannot be reached.
func (c *client) failWith(err error) {
	var f *wire.Failure
	if errors.As(err, &f) {
		c.fail(f.Message)
		return
	}
	c.o.Log.Warn("the hidden adb server did not answer", "error", err.Error())
	c.fail("countersign: the guard's adb server cannot be reached, so there is no phone. The guard's owner has to look into it.")
}

// relay sends a host request to the hidden server and what it answers to the
// client, until either hangs up. Nothing that the client says after its request
// reaches the server.
func (c *client) relay(ctx context.Context, request string) {
	server, err := c.begin(ctx)
	if err != nil {
		c.failWith(err)
		return
	}
	defer func() { _ = server.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := wire.WriteRequest(server, request); err != nil {
		c.failWith(err)
		return
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		var b [1]byte
		_, _ = c.conn.Read(b[:])
		_ = server.Close()
	}()
	_, _ = io.Copy(c.conn, server)
	_ = c.conn.Close()
	<-gone
}

// begin connects to the hidden server, with the same phone selected as the client
// has.
func (c *client) begin(ctx context.Context) (net.Conn, error) {
	if c.selected == nil {
		return wire.ServerDial(ctx, c.o.Server.Network, c.o.Server.Address)
	}
	server, _, err := c.o.Server.Select(ctx, wire.Selector{Kind: wire.SelectTransportID, ID: c.selected.id})
	return server, err
}
