package wire

import (
	"encoding/binary"
	"io"
	"strings"
)

// read takes packets until the connection ends or breaks the protocol.
func (s *Session) read() error {
	var scratch [headerSize]byte
	for {
		h, err := readHeader(s.in, &scratch, s.o.MaxPayload)
		if err != nil {
			return err
		}
		payload := make([]byte, h.length)
		if _, err := io.ReadFull(s.in, payload); err != nil {
			return cutOff("the payload of "+h.command.String(), err)
		}
		if err := h.check(payload); err != nil {
			return err
		}
		if err := s.take(h, payload); err != nil {
			return err
		}
	}
}

// take does what a packet says. Packets for streams that are gone are passed
// over, for the two ends' closings cross each other. As in adb, nobody waits
// here: not for a stream's reader, not for the connection's.
func (s *Session) take(h header, payload []byte) error {
	switch h.command {
	case OPEN:
		return s.takeOpen(h.arg0, h.arg1, payload)
	case OKAY:
		return s.takeOkay(h.arg0, h.arg1, payload)
	case CLSE:
		if st := s.find(h.arg1, h.arg0); st != nil {
			st.closedByPeer()
		} else if st := s.pending(h.arg0); h.arg1 == 0 && st != nil {
			st.closedByPeer()
		}
		return nil
	case WRTE:
		if h.arg0 == 0 {
			return broken("WRTE with the id 0")
		}
		if st := s.find(h.arg1, h.arg0); st != nil {
			return st.deliver(payload)
		}
		return nil
	}
	return broken("%v after the handshake", h.command)
}

// takeOpen starts a service, in a goroutine of its own.
func (s *Session) takeOpen(remote, window uint32, payload []byte) error {
	service := strings.TrimRight(string(payload), "\x00")
	st := newStream(s, service)
	st.remote, st.incoming = remote, true
	if st.credit = 1; s.delayed {
		st.credit = int64(window)
	}
	switch {
	case remote == 0:
		return broken("OPEN with the id 0")
	case service == "" || len(service) > MaxRequest:
		s.o.Log.Warn("a stream with an impossible name was refused", "bytes", len(service))
	case s.delayed && window == 0:
		s.o.Log.Warn("a stream without a window was refused, delayed_ack was agreed")
	case s.o.Open == nil:
	case s.start(st):
		return nil
	default:
		s.o.Log.Warn("a stream too many was refused", "streams", s.o.MaxStreams)
	}
	s.control(&Packet{Command: CLSE, Arg1: remote})
	return nil
}

// takeOkay is the answer to an OPEN, or says that data was read.
func (s *Session) takeOkay(remote, local uint32, payload []byte) error {
	acked := int64(1)
	switch {
	case s.delayed && len(payload) == 4:
		acked = int64(int32(binary.LittleEndian.Uint32(payload)))
	case s.delayed:
		return broken("OKAY with %d bytes, delayed_ack wants 4", len(payload))
	case len(payload) != 0:
		return broken("OKAY with %d bytes, without delayed_ack there are none", len(payload))
	}
	if remote == 0 {
		return broken("OKAY with the id 0")
	}
	if st := s.find(local, remote); st != nil {
		st.acked(remote, acked)
	}
	return nil
}

// start calls the owner of services for a stream, unless there are too many.
func (s *Session) start(st *Stream) bool {
	s.mu.Lock()
	free := s.handlers < s.o.MaxStreams
	if free {
		s.handlers++
	}
	s.mu.Unlock()
	if !free {
		return false
	}
	if s.add(st) != nil {
		s.returned()
		return false
	}
	s.work.Go(func() {
		defer s.returned()
		defer func() { _ = st.Close() }()
		s.o.Open(s.ctx, st, st.service)
	})
	return true
}

func (s *Session) returned() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers--
}
