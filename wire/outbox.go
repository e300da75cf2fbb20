package wire

import (
	"encoding/binary"
	"fmt"
	"net"
	"sync"
)

// outbox is what a session sends. Data waits for the connection; what the
// reading side has to say (OKAY, CLSE) never does, or two ends that both
// answer each other would wait for ever.
type outbox struct {
	conn  net.Conn
	sum   bool
	limit int // bytes of control packets that may wait

	mu      sync.Mutex
	waiting []byte        // control packets, encoded
	kick    chan struct{} // there is something in waiting

	sending sync.Mutex // held while something is written to conn
	spare   []byte     // a buffer for waiting, used in turns
	head    [headerSize]byte
	buffers [3][]byte
}

func newOutbox(c net.Conn, sum bool, limit int) *outbox {
	return &outbox{conn: c, sum: sum, limit: limit, kick: make(chan struct{}, 1)}
}

// control queues a packet that has at most a few bytes of payload. Its order
// among the control packets and after data that was sent before is kept.
func (o *outbox) control(p *Packet) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) > o.limit {
		return fmt.Errorf("%d bytes of answers wait: the other side of the adb session does not read", len(o.waiting))
	}
	o.waiting = append(appendHeader(o.waiting, p, o.sum), p.Payload...)
	select {
	case o.kick <- struct{}{}:
	default:
	}
	return nil
}

// data sends a packet, after the control packets that wait, unless still says
// that it is not wanted any more: one of these may be the end of its stream. It
// is called with no lock that a caller of control holds.
func (o *outbox) data(p *Packet, still func() bool) error {
	o.sending.Lock()
	defer o.sending.Unlock()
	return o.send(p, still)
}

// run sends control packets until done is closed or the connection fails.
func (o *outbox) run(done <-chan struct{}) error {
	for {
		select {
		case <-done:
			return nil
		case <-o.kick:
		}
		o.sending.Lock()
		err := o.send(nil, nil)
		o.sending.Unlock()
		if err != nil {
			return err
		}
	}
}

// send writes what waits, and p if it still should. The lock on sending is held.
func (o *outbox) send(p *Packet, still func() bool) error {
	o.mu.Lock()
	waiting := o.waiting
	o.waiting = o.spare[:0]
	o.mu.Unlock()
	o.spare = waiting

	buffers := net.Buffers(o.buffers[:0])
	if len(waiting) > 0 {
		buffers = append(buffers, waiting)
	}
	if p != nil && (still == nil || still()) {
		buffers = append(buffers, appendHeader(o.head[:0], p, o.sum))
		if len(p.Payload) > 0 {
			buffers = append(buffers, p.Payload)
		}
	}
	if len(buffers) == 0 {
		return nil
	}
	_, err := buffers.WriteTo(o.conn)
	clear(o.buffers[:])
	return err
}

// ack is the payload of an OKAY where acknowledgements are delayed.
func ack(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
