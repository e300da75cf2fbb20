package upstream

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/countersign/countersign/wire"
)

// Bounds of the connections that are kept: how many for a phone and for all of
// them, how long one waits to be used, and how long making one may take.
const (
	keptEach   = 2
	keptAll    = 64
	keptFor    = 30 * time.Second
	keptWithin = 5 * time.Second
)

// Phones are the phones behind an adb server. For one that is in use some
// connections are kept on which it is selected already, so that the next service
// is one request away. It is safe for concurrent use.
//
// A kept connection does not outlive what it stands for: an adb server hangs up on
// all that have selected a phone when the phone goes (close_all_sockets in
// sockets.cpp), and on everybody when it ends. One that was hung up on is given to
// nobody.
type Phones struct {
	server wire.Server
	life   context.Context // of the connections that are being made
	end    context.CancelFunc
	work   sync.WaitGroup

	mu     sync.Mutex
	kept   []*kept
	making map[string]bool // by serial
	closed bool
}

// kept is a connection on which a phone is selected and nothing else was said.
type kept struct {
	conn   *net.UnixConn
	serial string
	id     uint64      // the server's number for its connection to the phone
	wait   *time.Timer // ends it
}

// NewPhones are the phones behind a server. Close lets go of what is kept.
func NewPhones(s wire.Server) *Phones {
	ps := &Phones{server: s, making: map[string]bool{}}
	ps.life, ps.end = context.WithCancel(context.Background())
	return ps
}

// Close hangs up on what is kept, and keeps nothing from now on. Phones can be
// used as before.
func (ps *Phones) Close() {
	ps.mu.Lock()
	ps.closed = true
	for _, k := range ps.kept {
		k.end()
	}
	ps.kept = nil
	ps.mu.Unlock()
	ps.end()
	ps.work.Wait()
}

// Phone is the phone of a serial. Whether it is there shows when something is
// opened on it.
func (ps *Phones) Phone(serial string) Phone { return Phone{ps.server, serial, ps} }

// Resolve finds which phone a selector means, and the server's number for the
// connection to it.
func (ps *Phones) Resolve(ctx context.Context, sel wire.Selector) (p Phone, id uint64, err error) {
	if k := ps.find(func(k *kept) bool { return k.isMeant(sel) }); k != nil {
		return ps.Phone(k.serial), k.id, nil
	}
	c, id, err := ps.server.Select(ctx, sel)
	if err != nil {
		return Phone{}, 0, err
	}
	// A server gives a number to one phone only, and while both stand they are of
	// the same server.
	if k := ps.find(func(k *kept) bool { return k.id == id }); k != nil && stands(c) {
		ps.keep(c, k.serial, id)
		return ps.Phone(k.serial), id, nil
	}
	defer func() { _ = c.Close() }()
	serial, err := serialOf(ctx, c)
	if err != nil {
		return Phone{}, 0, err
	}
	ps.make(serial)
	return ps.Phone(serial), id, nil
}

// open opens a service on a phone.
func (ps *Phones) open(ctx context.Context, serial, service string) (net.Conn, error) {
	if c, used, err := ps.openKept(ctx, serial, service); used {
		return c, err
	}
	c, err := ps.server.Open(ctx, wire.Selector{Kind: wire.SelectSerial, Serial: serial}, service)
	if err == nil {
		ps.make(serial)
	}
	return c, err
}

// openKept opens a service on a kept connection. used is false where there was
// none, and nothing has reached the server then.
func (ps *Phones) openKept(ctx context.Context, serial, service string) (c net.Conn, used bool, err error) {
	for k := ps.take(serial); k != nil; k = ps.take(serial) {
		sent, err := wire.Request(ctx, k.conn, service)
		if err == nil {
			return &serviced{k.conn, func() { ps.make(serial) }}, true, nil
		}
		_ = k.conn.Close()
		if sent {
			return nil, true, err // whatever became of it, it is not asked twice
		}
	}
	return nil, false, nil
}

// serviced is a connection that was kept and has its service. The next one is made
// when it is closed: before, that would be in the way of the service itself.
type serviced struct {
	*net.UnixConn
	closed func()
}

// Close closes the connection.
func (s *serviced) Close() error {
	defer s.closed()
	return s.UnixConn.Close()
}
