package smart

import (
	"io"
	"net"
	"sync"
	"time"
)

// lingering is how long a client may take to hang up after the last word.
const lingering = 2 * time.Second

// lingeringConn is a connection whose end does not take away what was said last:
// a socket that is closed while it has unread bytes resets the connection, and
// the client loses the refusal that it was about to read. adb servers do the same
// (deferred_close in sockets.cpp).
type lingeringConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func newLingering(c net.Conn) *lingeringConn {
	return &lingeringConn{Conn: c, closed: make(chan struct{})}
}

// Close says that nothing more is written, and closes the connection when the
// other side does or does not in time.
func (c *lingeringConn) Close() error {
	c.once.Do(func() {
		half, ok := c.Conn.(interface{ CloseWrite() error })
		if !ok || half.CloseWrite() != nil {
			_ = c.Conn.Close()
			close(c.closed)
			return
		}
		_ = c.Conn.SetReadDeadline(time.Now().Add(lingering))
		go func() {
			defer close(c.closed)
			_, _ = io.Copy(io.Discard, c.Conn)
			_ = c.Conn.Close()
		}()
	})
	return nil
}

// end closes the connection and waits until it is closed.
func (c *lingeringConn) end() {
	_ = c.Close()
	<-c.closed
}
