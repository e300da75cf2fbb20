//go:build unix

package upstream

import (
	"errors"
	"net"
	"syscall"
)

// stands reports whether a connection on which nothing is expected was not hung up
// on. It looks at what has come without waiting, and without taking it.
func stands(c net.Conn) bool {
	has, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := has.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	err = raw.Control(func(fd uintptr) {
		var b [1]byte
		for {
			_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			if errors.Is(err, syscall.EINTR) {
				continue
			}
			quiet = errors.Is(err, syscall.EAGAIN)
			return
		}
	})
	return err == nil && quiet
}
