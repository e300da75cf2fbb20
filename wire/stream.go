package wire

import (
	"net"
	"time"
)

// Stream is one stream of a session. It is a net.Conn: reads and writes may be
// made by different goroutines, and deadlines end them. ADB has no half
// closing: when either side closes, only what has already arrived can still be
// read.
type Stream struct{}

var _ net.Conn = (*Stream)(nil)

// Accept takes a stream that the other side has opened. Only then it may be
// written to.
func (s *Stream) Accept() error { return ErrStreamClosed }

// Refuse refuses a stream that the other side has opened. The protocol has no
// words for why.
func (s *Stream) Refuse() error { return ErrStreamClosed }

// Service is what the stream was opened for.
func (s *Stream) Service() string { return "" }

// Done is closed when the other side has closed the stream or the session has
// ended. What arrived before can still be read.
func (s *Stream) Done() <-chan struct{} { return nil }

// Read reads what the other side has sent. After its end it returns io.EOF.
func (s *Stream) Read(p []byte) (int, error) { return 0, ErrStreamClosed }

// Write sends p, and waits while the other side does not read.
func (s *Stream) Write(p []byte) (int, error) { return 0, ErrStreamClosed }

// Close closes the stream. What was not read is thrown away.
func (s *Stream) Close() error { return nil }

// LocalAddr is the service's name.
func (s *Stream) LocalAddr() net.Addr { return streamAddr("") }

// RemoteAddr is the service's name.
func (s *Stream) RemoteAddr() net.Addr { return streamAddr("") }

// SetDeadline is both SetReadDeadline and SetWriteDeadline.
func (s *Stream) SetDeadline(t time.Time) error { return nil }

// SetReadDeadline ends reads at t with os.ErrDeadlineExceeded.
func (s *Stream) SetReadDeadline(t time.Time) error { return nil }

// SetWriteDeadline ends writes at t with os.ErrDeadlineExceeded.
func (s *Stream) SetWriteDeadline(t time.Time) error { return nil }

// streamAddr is the address of a stream: the service it was opened for.
type streamAddr string

func (a streamAddr) Network() string { return "adb" }
func (a streamAddr) String() string  { return string(a) }
