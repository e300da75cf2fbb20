package wire

import "time"

// What the session's reading side does to a stream: nothing here waits.

// A stream's small packets are put together, so that a peer that sends single
// bytes costs no more memory than one that sends many.
const (
	smallChunk = 2 << 10
	chunkSize  = 4 << 10
)

// maxCredit bounds what a peer can say that it has read.
const maxCredit = 1 << 40

// deliver takes the data of a WRTE.
func (st *Stream) deliver(payload []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.state != streamOpen || st.gone {
		return nil
	}
	switch {
	case st.s.delayed && st.granted <= 0:
		return broken("WRTE of %d bytes beyond the stream's window", len(payload))
	case !st.s.delayed && st.owed > 0:
		return broken("WRTE before the last one was acknowledged")
	}
	if total := st.s.unread.Add(int64(len(payload))); total > maxUnread {
		return broken("%d bytes of the session are unread, at most %d are kept", total, maxUnread)
	}
	st.granted -= int64(len(payload))
	st.keep(payload)
	st.unread += len(payload)
	if !st.s.delayed {
		st.owed = 1
		st.acknowledge(st.s.o.Window)
	} else if len(payload) == 0 {
		st.s.control(st.okay(0)) // a ping
	}
	st.changed.Broadcast()
	return nil
}

// keep puts a payload behind what is already there. The lock is held.
func (st *Stream) keep(payload []byte) {
	if len(payload) == 0 {
		return
	}
	if len(payload) >= smallChunk {
		st.chunks = append(st.chunks, payload)
		return
	}
	if last := len(st.chunks) - 1; last >= 0 {
		if c := st.chunks[last]; cap(c)-len(c) >= len(payload) {
			st.chunks[last] = append(c, payload...)
			return
		}
	}
	if len(st.chunks) > 0 { // nobody reads at the moment: more will come
		payload = append(make([]byte, 0, chunkSize), payload...)
	}
	st.chunks = append(st.chunks, payload)
}

// consumed says that n bytes were read. The lock is held.
func (st *Stream) consumed(n int) {
	if st.state == streamClosed {
		return // Close has thrown them away
	}
	st.unread -= n
	st.s.unread.Add(-int64(n))
	if st.s.delayed {
		st.owed += n
	}
	st.acknowledge(st.s.o.Window / 2)
}

// acknowledge lets the other side send more, if no more than limit bytes are
// unread. While the session as a whole has much unread, a stream has to be
// read to its end first. The lock is held.
func (st *Stream) acknowledge(limit int) {
	if st.owed == 0 || st.gone || st.state != streamOpen {
		return
	}
	if !st.s.delayed {
		if st.unread == 0 || st.unread <= limit && st.s.unread.Load() <= maxUnread/2 {
			st.owed = 0
			st.s.control(st.okay(0))
		}
		return
	}
	if st.unread == 0 || st.owed >= st.s.o.Window/4 {
		st.granted += int64(st.owed)
		st.s.control(st.okay(st.owed))
		st.owed = 0
	}
}

// okay is the packet that says n bytes may be sent.
func (st *Stream) okay(n int) *Packet {
	p := &Packet{Command: OKAY, Arg0: st.local, Arg1: st.remote}
	if st.s.delayed {
		p.Payload = ack(n)
	}
	return p
}

// discard throws away what was not read. The lock is held.
func (st *Stream) discard() {
	st.s.unread.Add(-int64(st.unread))
	st.chunks, st.unread, st.owed = nil, 0, 0
}

// acked is an OKAY: the answer to our OPEN, or room for more data.
func (st *Stream) acked(remote uint32, n int64) {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch st.state {
	case streamAbandoned:
		st.remote = remote
		st.state = streamClosed
		st.s.control(&Packet{Command: CLSE, Arg0: st.local, Arg1: remote})
		st.s.remove(st.local)
		return
	case streamOpening:
		if st.incoming {
			return
		}
		st.remote, st.state = remote, streamOpen
		st.answer()
	case streamClosed:
		return
	}
	st.acks++
	if st.s.delayed {
		st.credit = min(st.credit+n, maxCredit)
	} else {
		st.credit = 1
	}
	st.changed.Broadcast()
}

// closedByPeer is a CLSE. As in adb, it is answered with one.
func (st *Stream) closedByPeer() {
	st.mu.Lock()
	if st.gone || st.state == streamClosed {
		st.mu.Unlock()
		return
	}
	st.gone = true
	if st.state == streamOpen {
		st.s.control(&Packet{Command: CLSE, Arg0: st.local, Arg1: st.remote})
	}
	st.leave()
	st.mu.Unlock()
	st.s.remove(st.local)
}

// cutOff is the end of the session. It is called once, and no other packet
// comes after it.
func (st *Stream) cutOff(why error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.gone {
		return
	}
	st.gone, st.why = true, sessionEnded(why)
	st.leave()
}

// leave tells everybody who waits for the other side. The lock is held.
func (st *Stream) leave() {
	close(st.done)
	st.answer()
	st.changed.Broadcast()
}

// answer says that our OPEN was answered. The lock is held.
func (st *Stream) answer() {
	if !st.answered {
		st.answered = true
		close(st.opened)
	}
}

// abandon is for an OPEN of ours for whose answer nobody waits any more. The
// other side's id is not known before it answers, so it is told then.
func (st *Stream) abandon() {
	st.mu.Lock()
	if st.state == streamOpening {
		st.state = streamAbandoned
		st.mu.Unlock()
		return
	}
	st.mu.Unlock()
	_ = st.Close()
}

// refusal is why an OPEN of ours was not granted, nil if it was.
func (st *Stream) refusal() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case st.state == streamOpen:
		return nil
	case st.why != nil:
		return st.why
	}
	return &Failure{Message: "closed"}
}

// belongs says whether a packet with that id of the other side is for this
// stream. Before its id is known any is, and 0 is a refusal.
func (st *Stream) belongs(remote uint32) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.remote == remote || remote == 0 || st.remote == 0
}

// waits says whether this is an OPEN of the other side, with its id, that was
// neither accepted nor refused.
func (st *Stream) waits(remote uint32) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.incoming && st.state == streamOpening && st.remote == remote
}

// deadline is a time at which calls end.
type deadline struct {
	timer  *time.Timer
	set    int // how often it was set: an old timer counts for nothing
	passed bool
}

func (d *deadline) stop() {
	d.set++
	d.passed = false
	if d.timer != nil {
		d.timer.Stop()
	}
}

func (st *Stream) setDeadline(d *deadline, t time.Time) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.state == streamClosed {
		return ErrStreamClosed
	}
	d.stop()
	switch left := time.Until(t); {
	case t.IsZero():
	case left <= 0:
		d.passed = true
	default:
		set := d.set
		d.timer = time.AfterFunc(left, func() {
			st.mu.Lock()
			defer st.mu.Unlock()
			if d.set == set {
				d.passed = true
				st.changed.Broadcast()
			}
		})
	}
	st.changed.Broadcast()
	return nil
}
