package wire

import (
	"context"
	"log/slog"
	"net"
)

// SessionOptions say how one end of a transport behaves. The zero value has
// every limit at its usual size and refuses every stream of the other side.
type SessionOptions struct {
	// Banner introduces this end. With the feature delayed_ack on both sides,
	// a stream may have a whole window on the way.
	Banner Banner
	// MaxPayload is the largest payload taken, in bytes: at most MaxPayload,
	// which is also the value for 0.
	MaxPayload int
	// Window is how many bytes a stream may have unread before the other side
	// has to wait. 0 is 1 MiB.
	Window int
	// MaxStreams is how many streams may be open at once, of both sides
	// together; more are refused. 0 is 1024.
	MaxStreams int
	// Open is called in its own goroutine for each stream that the other side
	// opens. It must call s.Accept or s.Refuse; a stream that is neither when
	// it returns is refused. ctx ends with the session. Nil refuses all.
	Open func(ctx context.Context, s *Stream, service string)
	// Log gets what the other side did wrong without ending the session. Nil
	// is silence.
	Log *slog.Logger
}

// Session is one end of a transport: a connection between an adb server and a
// phone, with many streams on it. Safe for concurrent use.
type Session struct{}

// ServeDevice is the phone's end: it waits for the server's CNXN and answers
// it, without authentication and without TLS. When it returns a session, that
// goes on until either side closes c, ctx ends or the other side breaks the
// protocol; c is the session's then and closed with it.
func ServeDevice(ctx context.Context, c net.Conn, o SessionOptions) (*Session, error) {
	return nil, ErrSessionEnded
}

// DialHost is the server's end: it sends CNXN first. A phone that asks for
// authentication or TLS is an error.
func DialHost(ctx context.Context, c net.Conn, o SessionOptions) (*Session, error) {
	return nil, ErrSessionEnded
}

// Open opens a stream to a service of the other side. The error has a
// *Failure when it was refused. When ctx ends first, the stream is closed.
func (s *Session) Open(ctx context.Context, service string) (*Stream, error) {
	return nil, ErrSessionEnded
}

// Peer is the other side's banner.
func (s *Session) Peer() Banner { return Banner{} }

// Done is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return nil }

// Close ends the session and waits until nothing of it is left but the calls
// of Open that have not returned.
func (s *Session) Close() error { return nil }

// Wait waits for the end and says why: nil when this side closed it or the
// other side hung up between two packets.
func (s *Session) Wait() error { return nil }
