package adb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// ErrRefused says that a service was refused; the client has been told.
var ErrRefused = errors.New("the service was refused")

// maxServices is how many services of one phone may be open at a time. Agents
// open a dozen; each costs some buffers and a few goroutines.
const maxServices = 256

// Device is one guarded phone: who waits for whom on it, what is known of its
// screen and its files. It is safe for concurrent use.
type Device struct {
	gate   *Gate
	serial string
	order  order

	mu       sync.Mutex
	phone    Phone
	services int
	moves    uint64 // acts let through that may have changed the screen

	givenUp  map[string]time.Duration // how long clients waited, by service
	glimpses glimpses
	kept     kept
	touch    touch
	tunnels  tunnels
	known    known
}

func newDevice(g *Gate, p Phone) *Device {
	return &Device{gate: g, serial: p.Serial(), phone: p, order: newOrder()}
}

// reach takes over another way to the same phone.
func (d *Device) reach(p Phone) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.phone = p
}

// enter counts a service in; it is false when there are too many.
func (d *Device) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.services >= maxServices {
		return false
	}
	d.services++
	return true
}

func (d *Device) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.services--
}

// dial opens a service on the phone itself, unjudged.
func (d *Device) dial(ctx context.Context, service string) (net.Conn, error) {
	d.mu.Lock()
	p := d.phone
	d.mu.Unlock()
	conn, err := p.Open(ctx, service)
	if err != nil && !isFailure(err) {
		return nil, fmt.Errorf("%w: %w", errUnreached, err)
	}
	return conn, err
}

// errUnreached says that the way to the phone is closed.
var errUnreached = errors.New("the phone cannot be reached")

// changed notes that something is about to happen on the phone: what was seen
// before says nothing about after.
func (d *Device) changed() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moves++
}

// movesSoFar is how much was let through that may have changed the screen.
func (d *Device) movesSoFar() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.moves
}

func (d *Device) now() time.Time { return d.gate.options.Now() }

// Serve carries one service from the request to its end, and closes the client.
// It returns nil when the service ran, ErrRefused when the client was told no, and
// what went wrong otherwise. The service is the client's text, as it came.
func (d *Device) Serve(ctx context.Context, service string, c Client) (err error) {
	defer c.Close()
	s := &serving{Device: d, service: parseService(service), client: c}
	s.asks()
	defer func() {
		if failed := recover(); failed != nil {
			d.gate.options.Log.Error("a service made the gate fail", "kind", s.kind)
			err = errors.Join(fmt.Errorf("adb: a service made the gate fail: %v", failed), s.refuse(explain(nil, errFailed)))
		}
	}()
	if !d.enter() {
		return s.turnAway(ctx, fmt.Sprintf("countersign: not done. %d services of this phone are open; close some first.", maxServices))
	}
	defer d.leave()
	return s.serve(ctx)
}

var errFailed = errors.New("the gate failed")
