package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// FeatureDelayedAck is the feature of a banner with which a stream may have a
// whole window on the way, not only one packet.
const FeatureDelayedAck = "delayed_ack"

const (
	defaultWindow     = 1 << 20
	defaultMaxStreams = 1024
	// maxUnread is how many bytes a session holds that nobody has read.
	maxUnread = 64 << 20
)

// SessionOptions say how one end of a transport behaves. The zero value has
// every limit at its usual size and refuses every stream of the other side.
type SessionOptions struct {
	// Banner introduces this end; its state is "device" or "host" if empty. With FeatureDelayedAck on both sides, a
	// stream may have a whole window on the way.
	Banner Banner
	// MaxPayload is the largest payload taken, in bytes, 4 KiB to MaxPayload,
	// which is also the value for 0.
	MaxPayload int
	// Window is how many bytes a stream may have unread before the other side
	// has to wait; one packet more may come. 0 is 1 MiB. Some clients stall
	// where it is smaller than MaxPayload.
	Window int
	// MaxStreams is how many streams may be open at once, of both sides
	// together; more are refused. 0 is 1024.
	MaxStreams int
	// Open is called in its own goroutine for each stream that the other side
	// opens. It must call s.Accept or s.Refuse. When it returns the stream is
	// closed (refused, if it was neither). ctx ends with the session. Nil
	// refuses all.
	Open func(ctx context.Context, s *Stream, service string)
	// Log gets what the other side did wrong without ending the session. Nil
	// is silence.
	Log *slog.Logger
}

// withDefaults is o with everything set, for an end of that kind.
func (o SessionOptions) withDefaults(state string) SessionOptions {
	if o.Banner.State == "" {
		o.Banner.State = state
	}
	if o.MaxPayload <= 0 || o.MaxPayload > MaxPayload {
		o.MaxPayload = MaxPayload
	}
	o.MaxPayload = max(o.MaxPayload, minPayload)
	if o.Window <= 0 {
		o.Window = defaultWindow
	}
	if o.MaxStreams <= 0 {
		o.MaxStreams = defaultMaxStreams
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Session is one end of a transport: a connection between an adb server and a
// phone, with many streams on it. Safe for concurrent use.
type Session struct {
	o    SessionOptions
	conn net.Conn
	in   *bufio.Reader
	out  *outbox
	agreed

	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	work   sync.WaitGroup
	unread atomic.Int64 // bytes that have arrived and were not read

	mu       sync.Mutex
	err      error // why it ended
	ended    bool
	streams  map[uint32]*Stream
	last     uint32 // the last id given
	handlers int    // calls of o.Open that have not returned
}

// agreed is what both ends can do.
type agreed struct {
	peer       Banner
	maxPayload int
	sum        bool
	delayed    bool
}

// ServeDevice is the phone's end: it waits for the server's CNXN and answers
// it, without authentication and without TLS. It closes c when that fails or
// ctx ends first. The session goes on until either side hangs up, ctx ends or
// the other side breaks the protocol; c is the session's, and closed with it.
func ServeDevice(ctx context.Context, c net.Conn, o SessionOptions) (*Session, error) {
	return begin(ctx, c, o.withDefaults("device"), func(in io.Reader, o SessionOptions) (agreed, error) {
		first, err := ReadPacket(in, maxBanner)
		if err != nil {
			return agreed{}, cutOff("the server's CNXN", err)
		}
		a, err := agree(first, o)
		if err != nil {
			return agreed{}, err
		}
		return a, WritePacket(c, connect(o))
	})
}

// DialHost is the server's end: it sends CNXN first. A phone that asks for
// authentication or TLS is an error. Otherwise it is like ServeDevice.
func DialHost(ctx context.Context, c net.Conn, o SessionOptions) (*Session, error) {
	return begin(ctx, c, o.withDefaults("host"), func(in io.Reader, o SessionOptions) (agreed, error) {
		if err := WritePacket(c, connect(o)); err != nil {
			return agreed{}, err
		}
		first, err := ReadPacket(in, maxBanner)
		if err != nil {
			return agreed{}, cutOff("the phone's CNXN", err)
		}
		return agree(first, o)
	})
}

// begin shakes hands and starts the session's goroutines.
func begin(ctx context.Context, c net.Conn, o SessionOptions, shake func(io.Reader, SessionOptions) (agreed, error)) (*Session, error) {
	in := bufio.NewReaderSize(c, 64<<10)
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	a, err := shake(in, o)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = c.Close()
		return nil, because(ctx, fmt.Errorf("shaking hands over adb: %w", err))
	}
	s := &Session{o: o, conn: c, in: in, agreed: a, done: make(chan struct{}), streams: map[uint32]*Stream{}}
	s.out = newOutbox(c, a.sum, 64*o.MaxStreams*headerSize)
	s.ctx, s.cancel = context.WithCancel(ctx)
	stop = context.AfterFunc(ctx, func() { s.end(ctx.Err()) })
	s.work.Go(func() {
		s.end(s.read())
		stop()
	})
	s.work.Go(func() { s.end(s.out.run(s.done)) })
	return s, nil
}

// connect is this end's CNXN.
func connect(o SessionOptions) *Packet {
	return &Packet{Command: CNXN, Arg0: VersionNoSum, Arg1: uint32(o.MaxPayload), Payload: []byte(o.Banner.String())}
}

// agree reads the other side's CNXN.
func agree(p Packet, o SessionOptions) (agreed, error) {
	switch {
	case p.Command == AUTH:
		return agreed{}, broken("the other side asks for authentication, which is the adb server's work: connect through one")
	case p.Command == STLS:
		return agreed{}, broken("the other side asks for TLS, which is the adb server's work: connect through one")
	case p.Command != CNXN:
		return agreed{}, broken("%v before CNXN", p.Command)
	case p.Arg0 < VersionMin:
		return agreed{}, broken("version %#08x, the oldest is %#08x", p.Arg0, VersionMin)
	case p.Arg1 < minPayload:
		return agreed{}, broken("the other side takes payloads of %d bytes, it has to take %d", p.Arg1, minPayload)
	}
	peer, err := ParseBanner(string(p.Payload))
	if err != nil {
		return agreed{}, err
	}
	return agreed{
		peer:       peer,
		maxPayload: int(min(p.Arg1, uint32(o.MaxPayload))),
		sum:        p.Arg0 < VersionNoSum,
		delayed:    peer.Has(FeatureDelayedAck) && o.Banner.Has(FeatureDelayedAck),
	}, nil
}

// Open opens a stream to a service of the other side. The error has a
// *Failure when it was refused. When ctx ends first, so does the stream.
func (s *Session) Open(ctx context.Context, service string) (*Stream, error) {
	if service == "" || len(service) > MaxRequest {
		return nil, fmt.Errorf("a service's name of %d bytes: 1 to %d are possible", len(service), MaxRequest)
	}
	st := newStream(s, service)
	if err := s.add(st); err != nil {
		return nil, err
	}
	p := Packet{Command: OPEN, Arg0: st.local, Payload: append([]byte(service), 0)}
	if s.delayed {
		p.Arg1 = uint32(s.o.Window)
	}
	if err := s.out.data(&p, nil); err != nil {
		s.end(err)
	}
	select {
	case <-st.opened:
	case <-ctx.Done():
		st.abandon()
		return nil, fmt.Errorf("opening %.60q: %w", service, ctx.Err())
	}
	if err := st.refusal(); err != nil {
		return nil, fmt.Errorf("opening %.60q: %w", service, err)
	}
	return st, nil
}

// Peer is the other side's banner.
func (s *Session) Peer() Banner { return s.peer }

// Done is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.done }

// Close ends the session, and with it every stream. It does not wait.
func (s *Session) Close() error {
	s.end(nil)
	return nil
}

// Wait waits for the end, also of every call of SessionOptions.Open (so it
// must not be called in one), and says why: nil when this side closed the
// session or the other side hung up between two packets.
func (s *Session) Wait() error {
	<-s.done
	s.work.Wait()
	return s.why()
}

// why is the reason of the end, once it has ended.
func (s *Session) why() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// end ends the session. The first reason is the one that counts.
func (s *Session) end(err error) {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return
	}
	if errors.Is(err, io.EOF) {
		err = nil // they hung up
	}
	s.ended, s.err = true, err
	streams := s.streams
	s.streams = nil
	s.mu.Unlock()

	s.cancel()
	close(s.done)
	_ = s.conn.Close()
	for _, st := range streams {
		st.cutOff(err)
	}
}

// add gives a stream an id and a place.
func (s *Session) add(st *Stream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return sessionEnded(s.err)
	}
	if len(s.streams) >= s.o.MaxStreams {
		return fmt.Errorf("%d streams are open on this adb session, more are not possible", len(s.streams))
	}
	for taken := true; taken; {
		s.last = max(s.last+1, 1) // never 0, also when it wraps
		_, taken = s.streams[s.last]
	}
	st.local = s.last
	s.streams[st.local] = st
	return nil
}

// remove takes a stream's place away.
func (s *Session) remove(id uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.streams, id)
}

// find is the stream with our id and, if it is known, theirs.
func (s *Session) find(local, remote uint32) *Stream {
	s.mu.Lock()
	st := s.streams[local]
	s.mu.Unlock()
	if st == nil || !st.belongs(remote) {
		return nil
	}
	return st
}

// pending is a stream of the other side that was neither accepted nor refused.
func (s *Session) pending(remote uint32) *Stream {
	s.mu.Lock()
	streams := make([]*Stream, 0, len(s.streams))
	for _, st := range s.streams {
		streams = append(streams, st)
	}
	s.mu.Unlock()
	if i := slices.IndexFunc(streams, func(st *Stream) bool { return st.waits(remote) }); i >= 0 {
		return streams[i]
	}
	return nil
}

// control sends a packet without data, later if need be: it never waits. A
// stream's lock may be held, which ending the session needs.
func (s *Session) control(p *Packet) {
	if err := s.out.control(p); err != nil {
		go s.end(err)
	}
}

func sessionEnded(why error) error {
	if why == nil {
		return ErrSessionEnded
	}
	return fmt.Errorf("%w: %w", ErrSessionEnded, why)
}
