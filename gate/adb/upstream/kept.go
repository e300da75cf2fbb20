package upstream

import (
	"context"
	"net"
	"slices"
	"time"

	"github.com/countersign/countersign/wire"
)

// isMeant reports whether a selector can only mean the phone of this connection: a
// serial does, and the server's number.
func (k *kept) isMeant(sel wire.Selector) bool {
	switch sel.Kind {
	case wire.SelectSerial:
		return sel.Serial == k.serial
	case wire.SelectTransportID:
		return sel.ID == k.id
	}
	return false
}

func (k *kept) end() {
	k.wait.Stop()
	_ = k.conn.Close()
}

// find finds a kept connection that still stands; nil where there is none.
func (ps *Phones) find(is func(*kept) bool) *kept {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return ps.standing(is)
}

// take is find for one at a phone, which is kept no longer.
func (ps *Phones) take(serial string) *kept {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	k := ps.standing(func(k *kept) bool { return k.serial == serial })
	if k != nil {
		k.wait.Stop()
		ps.kept = slices.DeleteFunc(ps.kept, func(other *kept) bool { return other == k })
	}
	return k
}

// standing is find with the lock held. What was hung up on is let go.
func (ps *Phones) standing(is func(*kept) bool) (found *kept) {
	ps.kept = slices.DeleteFunc(ps.kept, func(k *kept) bool {
		switch {
		case found != nil || !is(k):
			return false
		case stands(k.conn):
			found = k
			return false
		}
		k.end()
		return true
	})
	return found
}

// keep keeps a connection, or closes it where there are enough.
func (ps *Phones) keep(c net.Conn, serial string, id uint64) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	local, ok := c.(*net.UnixConn)
	if !ok || !ps.hasRoom(serial) {
		_ = c.Close()
		return
	}
	k := &kept{conn: local, serial: serial, id: id}
	k.wait = time.AfterFunc(keptFor, func() { ps.drop(k) })
	ps.kept = append(ps.kept, k)
}

// drop ends a connection that nobody has used.
func (ps *Phones) drop(k *kept) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if at := slices.Index(ps.kept, k); at >= 0 {
		ps.kept = slices.Delete(ps.kept, at, at+1)
		k.end()
	}
}

// hasRoom reports whether another connection at a phone is kept; the lock is held.
func (ps *Phones) hasRoom(serial string) bool {
	if ps.closed || ps.server.Network != "unix" || len(ps.kept) >= keptAll {
		return false
	}
	n := 0
	for _, k := range ps.kept {
		if k.serial == serial {
			n++
		}
	}
	return n < keptEach
}

// make makes the connections that are kept at a phone, beside whoever uses one.
func (ps *Phones) make(serial string) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.making[serial] || !ps.hasRoom(serial) {
		return
	}
	ps.making[serial] = true
	ps.work.Go(func() {
		for ps.makeOne(serial) {
		}
	})
}

// makeOne makes one connection. It is false when there are enough, and when the
// phone cannot be selected: that is told to whoever asks for it next.
func (ps *Phones) makeOne(serial string) bool {
	ctx, cancel := context.WithTimeout(ps.life, keptWithin)
	defer cancel()
	c, id, err := ps.server.Select(ctx, wire.Selector{Kind: wire.SelectSerial, Serial: serial})
	if err == nil {
		ps.keep(c, serial, id)
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if err == nil && ps.hasRoom(serial) {
		return true
	}
	delete(ps.making, serial)
	return false
}
