package adb

import (
	"io"
	"net"
	"sync"
)

// readAhead is how many bytes of a client are read before somebody wants them, so
// that its hanging up is noticed.
const readAhead = 256 << 10

// Buffered makes a Client of a connection. It reads ahead, up to a bound, so that
// Gone is closed while nobody reads; beyond the bound the connection is left alone
// until somebody does. Accept and refuse say yes and no in the front end's way.
func Buffered(c net.Conn, accept func() error, refuse func(string) error) Client {
	b := &buffered{conn: c, accept: accept, refuse: refuse, gone: make(chan struct{})}
	b.wake.L = &b.mu
	go b.fill()
	return b
}

// buffered is a ring between a connection and whoever reads from it.
type buffered struct {
	conn   net.Conn
	accept func() error
	refuse func(string) error
	gone   chan struct{}

	mu     sync.Mutex
	wake   sync.Cond // something was read, taken out or ended
	ring   []byte    // grows to readAhead
	start  int       // of what waits, in ring
	waits  int       // bytes
	err    error     // why nothing more comes
	closed bool
}

// fill reads until the connection ends, or the client is closed.
func (b *buffered) fill() {
	defer close(b.gone)
	chunk := make([]byte, 32<<10)
	for {
		room, ok := b.room(len(chunk))
		if !ok {
			return
		}
		n, err := b.conn.Read(chunk[:room])
		b.mu.Lock()
		b.put(chunk[:n])
		if err != nil {
			b.err = err
		}
		b.wake.Broadcast()
		b.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// room waits until some bytes fit and returns how many, at most want. It is false
// when the client is closed.
func (b *buffered) room(want int) (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.waits >= readAhead && !b.closed {
		b.wake.Wait()
	}
	return min(want, readAhead-b.waits), !b.closed
}

// put adds what was read; b.mu is held and there is room within the bound.
func (b *buffered) put(p []byte) {
	if need := b.waits + len(p); need > len(b.ring) {
		grown := make([]byte, min(readAhead, max(2*len(b.ring), need, 4<<10)))
		b.copyOut(grown[:b.waits])
		b.ring, b.start = grown, 0
	}
	for len(p) > 0 {
		end := (b.start + b.waits) % len(b.ring)
		n := copy(b.ring[end:min(len(b.ring), end+len(b.ring)-b.waits)], p)
		p, b.waits = p[n:], b.waits+n
	}
}

// copyOut copies the first bytes that wait; b.mu is held and there are enough.
func (b *buffered) copyOut(p []byte) {
	if len(p) == 0 {
		return
	}
	n := copy(p, b.ring[b.start:])
	copy(p[n:], b.ring)
}

func (b *buffered) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.waits == 0 && b.err == nil && !b.closed {
		b.wake.Wait()
	}
	switch {
	case b.waits > 0 && !b.closed:
		n := min(len(p), b.waits)
		b.copyOut(p[:n])
		b.start, b.waits = (b.start+n)%len(b.ring), b.waits-n
		b.wake.Broadcast()
		return n, nil
	case b.err != nil:
		return 0, b.err
	}
	return 0, io.ErrClosedPipe
}

func (b *buffered) Write(p []byte) (int, error) { return b.conn.Write(p) }
func (b *buffered) Accept() error               { return b.accept() }
func (b *buffered) Refuse(message string) error { return b.refuse(message) }
func (b *buffered) Gone() <-chan struct{}       { return b.gone }

func (b *buffered) Close() error {
	b.mu.Lock()
	b.closed = true
	b.wake.Broadcast()
	b.mu.Unlock()
	return b.conn.Close()
}
