package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Stream is one stream of a session. It is a net.Conn: reads and writes may be
// made by different goroutines, and deadlines end them. ADB has no half
// closing: when either side closes, only what has already arrived can still be
// read.
type Stream struct {
	s        *Session
	service  string
	local    uint32 // our id
	incoming bool   // the other side opened it

	done   chan struct{} // closed with gone
	opened chan struct{} // closed when an OPEN of ours is answered

	writing sync.Mutex // one Write at a time

	mu       sync.Mutex
	changed  sync.Cond
	remote   uint32 // their id, 0 until it is known
	state    streamState
	gone     bool  // the other side has closed, or the session has ended
	why      error // of the session's end
	chunks   [][]byte
	unread   int    // bytes in chunks
	owed     int    // bytes read and not acknowledged; without delayed acks, packets
	credit   int64  // bytes that may be sent; without delayed acks, packets
	acks     uint64 // OKAYs that came
	granted  int64  // bytes that the other side may send (delayed acks only)
	reads    deadline
	writes   deadline
	answered bool // opened is closed
}

var errNotAccepted = errors.New("a stream is written to after it was accepted")

type streamState uint8

const (
	streamOpening streamState = iota
	streamOpen
	streamAbandoned // our OPEN is not answered, and nobody waits for it any more
	streamClosed    // by this side
)

var _ net.Conn = (*Stream)(nil)

func newStream(s *Session, service string) *Stream {
	st := &Stream{s: s, service: service, done: make(chan struct{}), opened: make(chan struct{}), granted: int64(s.o.Window)}
	st.changed.L = &st.mu
	return st
}

// Accept takes a stream that the other side has opened. Only then it may be
// written to. An error says that it is gone.
func (st *Stream) Accept() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := st.unusable(); err != nil {
		return err
	}
	if st.state != streamOpening || !st.incoming {
		return errors.New("a stream is accepted once, by the side that did not open it")
	}
	st.state = streamOpen
	st.s.control(st.okay(st.s.o.Window))
	return nil
}

// Refuse refuses a stream that the other side has opened. The protocol has no
// words for why.
func (st *Stream) Refuse() error { return st.Close() }

// Service is what the stream was opened for.
func (st *Stream) Service() string { return st.service }

// Done is closed when the other side has closed the stream or the session has
// ended. What arrived before can still be read.
func (st *Stream) Done() <-chan struct{} { return st.done }

// Read reads what the other side has sent. After its end it returns io.EOF; an
// error with ErrSessionEnded says that the session ended before the stream.
func (st *Stream) Read(p []byte) (int, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := st.awaitData(); err != nil || len(p) == 0 {
		return 0, err
	}
	n := 0
	for n < len(p) && len(st.chunks) > 0 {
		c := copy(p[n:], st.chunks[0])
		n += c
		if st.chunks[0] = st.chunks[0][c:]; len(st.chunks[0]) == 0 {
			st.chunks[0] = nil
			st.chunks = st.chunks[1:]
		}
	}
	st.consumed(n)
	return n, nil
}

// WriteTo writes to w what the other side sends, until its end.
func (st *Stream) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for {
		st.mu.Lock()
		err := st.awaitData()
		if err != nil {
			st.mu.Unlock()
			if err == io.EOF {
				err = nil
			}
			return total, err
		}
		chunk := st.chunks[0]
		st.chunks[0] = nil
		st.chunks = st.chunks[1:]
		st.mu.Unlock()

		n, err := w.Write(chunk)
		total += int64(n)
		st.mu.Lock()
		st.consumed(len(chunk))
		st.mu.Unlock()
		if err != nil {
			return total, err
		}
	}
}

// awaitData waits until there is something to read. The lock is held.
func (st *Stream) awaitData() error {
	for len(st.chunks) == 0 {
		switch {
		case st.state == streamClosed:
			return ErrStreamClosed
		case st.why != nil:
			return st.why
		case st.gone:
			return io.EOF
		case st.reads.passed:
			return os.ErrDeadlineExceeded
		}
		st.changed.Wait()
	}
	return nil
}

// Write sends p, and waits while the other side does not read. A deadline ends
// waiting for the other side's reader, not for the session's connection.
func (st *Stream) Write(p []byte) (int, error) {
	st.writing.Lock()
	defer st.writing.Unlock()
	sent := 0
	for sent < len(p) {
		n, err := st.reserve(len(p) - sent)
		if err != nil {
			return sent, err
		}
		packet := Packet{Command: WRTE, Arg0: st.local, Arg1: st.remote, Payload: p[sent : sent+n]}
		if err := st.s.out.data(&packet, st.usable); err != nil {
			st.s.end(err)
			return sent, sessionEnded(err)
		}
		sent += n
	}
	return sent, nil
}

// reserve waits until a packet of at most want bytes may be sent, and says how
// many.
func (st *Stream) reserve(want int) (int, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for {
		if err := st.unusable(); err != nil {
			return 0, err
		}
		switch {
		case st.state != streamOpen:
			return 0, errNotAccepted
		case st.writes.passed:
			return 0, os.ErrDeadlineExceeded
		case st.credit > 0 && st.s.delayed:
			n := min(want, st.s.maxPayload, int(st.credit))
			st.credit -= int64(n)
			return n, nil
		case st.credit > 0:
			st.credit = 0
			return min(want, st.s.maxPayload), nil
		}
		st.changed.Wait()
	}
}

// Ping sends an empty packet and waits until the other side says that it has
// read it, which for an adb server means that it has given it to its client. It
// returns nil then, ctx's error when no answer comes, and an error with
// ErrStreamClosed when the stream is closed instead. With delayed acks some do
// not answer.
func (st *Stream) Ping(ctx context.Context) error {
	st.writing.Lock()
	defer st.writing.Unlock()
	defer context.AfterFunc(ctx, func() {
		st.mu.Lock()
		defer st.mu.Unlock()
		st.changed.Broadcast()
	})()
	st.mu.Lock()
	for st.credit <= 0 && st.unusable() == nil && ctx.Err() == nil {
		st.changed.Wait()
	}
	before := st.acks
	if st.state == streamOpen && !st.s.delayed {
		st.credit = 0
	}
	err := st.pinged(ctx)
	st.mu.Unlock()
	if err != nil {
		return err
	}
	if err := st.s.out.data(&Packet{Command: WRTE, Arg0: st.local, Arg1: st.remote}, st.usable); err != nil {
		st.s.end(err)
		return sessionEnded(err)
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	for st.acks == before {
		if err := st.pinged(ctx); err != nil {
			return err
		}
		st.changed.Wait()
	}
	return nil
}

// pinged says why a ping is at its end. The lock is held.
func (st *Stream) pinged(ctx context.Context) error {
	if err := st.unusable(); err != nil {
		return err
	}
	if st.state != streamOpen {
		return errNotAccepted
	}
	return ctx.Err()
}

// ReadFrom sends what r gives, until its end.
func (st *Stream) ReadFrom(r io.Reader) (int64, error) {
	var total int64
	for b := make([]byte, min(st.s.maxPayload, 256<<10)); ; {
		n, err := r.Read(b)
		if n > 0 {
			sent, err := st.Write(b[:n])
			total += int64(sent)
			if err != nil {
				return total, err
			}
		}
		if err == io.EOF {
			return total, nil
		} else if err != nil {
			return total, err
		}
	}
}

// Close closes the stream. What was not read is thrown away.
func (st *Stream) Close() error {
	st.mu.Lock()
	if st.state == streamClosed {
		st.mu.Unlock()
		return nil
	}
	refused := st.incoming && st.state == streamOpening
	st.state = streamClosed
	st.discard()
	st.reads.stop()
	st.writes.stop()
	if !st.gone {
		p := &Packet{Command: CLSE, Arg0: st.local, Arg1: st.remote}
		if refused {
			p.Arg0 = 0
		}
		st.s.control(p)
	}
	st.changed.Broadcast()
	st.mu.Unlock()
	st.s.remove(st.local)
	return nil
}

// unusable says why nothing can be sent any more. The lock is held.
func (st *Stream) unusable() error {
	switch {
	case st.why != nil:
		return st.why
	case st.state == streamClosed:
		return ErrStreamClosed
	case st.gone:
		return fmt.Errorf("%w by the other side", ErrStreamClosed)
	}
	return nil
}

// usable says whether something can still be sent.
func (st *Stream) usable() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.unusable() == nil
}

// LocalAddr is the service's name.
func (st *Stream) LocalAddr() net.Addr { return streamAddr(st.service) }

// RemoteAddr is the service's name.
func (st *Stream) RemoteAddr() net.Addr { return streamAddr(st.service) }

// SetDeadline is both SetReadDeadline and SetWriteDeadline.
func (st *Stream) SetDeadline(t time.Time) error {
	return errors.Join(st.SetReadDeadline(t), st.SetWriteDeadline(t))
}

// SetReadDeadline ends reads at t with os.ErrDeadlineExceeded. The zero time
// is never.
func (st *Stream) SetReadDeadline(t time.Time) error { return st.setDeadline(&st.reads, t) }

// SetWriteDeadline ends writes at t with os.ErrDeadlineExceeded. The zero time
// is never.
func (st *Stream) SetWriteDeadline(t time.Time) error { return st.setDeadline(&st.writes, t) }

// streamAddr is the address of a stream: the service it was opened for.
type streamAddr string

func (a streamAddr) Network() string { return "adb" }
func (a streamAddr) String() string  { return string(a) }
