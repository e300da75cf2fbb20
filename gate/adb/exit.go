package adb

import (
	"encoding/binary"

	"github.com/countersign/countersign/wire"
)

// exitSeen watches what a shell of version 2 sends for the exit of its command:
// the adb program hangs up as soon as it has that, before the stream ends.
type exitSeen struct {
	none bool // there are no packets
	seen bool

	head [5]byte
	have int   // of head
	left int64 // of the packet's data
}

func (e *exitSeen) Write(p []byte) (int, error) {
	n := len(p)
	for !e.none && !e.seen && len(p) > 0 {
		if e.left > 0 {
			skip := min(e.left, int64(len(p)))
			e.left, p = e.left-skip, p[skip:]
			continue
		}
		got := copy(e.head[e.have:], p)
		e.have, p = e.have+got, p[got:]
		if e.have == len(e.head) {
			e.seen = wire.ShellID(e.head[0]) == wire.ShellExit
			e.have, e.left = 0, int64(binary.LittleEndian.Uint32(e.head[1:]))
		}
	}
	return n, nil
}
