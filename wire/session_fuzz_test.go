package wire

import (
	"errors"
	"io"
	"runtime"
	"testing"
)

// fuzzCommands are what a fuzzed peer says, by the first byte of four.
var fuzzCommands = []Command{OPEN, OKAY, CLSE, WRTE, OPEN, WRTE, OKAY, CNXN}

// packetsOf makes packets of bytes: of each four a command, two ids that are
// likely to meet, and a length.
func packetsOf(b []byte) []Packet {
	var packets []Packet
	for ; len(b) >= 4; b = b[4:] {
		p := Packet{Command: fuzzCommands[int(b[0])%len(fuzzCommands)], Arg0: uint32(b[1] % 8), Arg1: uint32(b[2] % 8)}
		switch {
		case p.Command == OPEN && b[3]%4 == 0:
			p.Payload = []byte("no\x00")
		case p.Command == OPEN:
			p.Payload = []byte("echo\x00")
		case p.Command == OKAY && b[3]%2 == 1:
			p.Payload = []byte{b[3], 0, 0, 0}
		case p.Command == WRTE:
			p.Payload = make([]byte, int(b[3])*4)
		}
		packets = append(packets, p)
	}
	return packets
}

// slowly is a peer that says one packet at a time and lets others run before it.
type slowly struct {
	*script
	packets [][]byte
}

func (s *slowly) Read(p []byte) (int, error) {
	for range 2 {
		runtime.Gosched()
	}
	for len(s.packets) > 0 && len(s.packets[0]) == 0 {
		s.packets = s.packets[1:]
	}
	if len(s.packets) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.packets[0])
	s.packets[0] = s.packets[0][n:]
	return n, nil
}

// FuzzSession is a peer that speaks in packets, in an order of its own. The
// session ends by itself, with a rule that was broken or without an error; what
// we have said by then are packets, data only for streams that we have accepted
// and not closed.
func FuzzSession(f *testing.F) {
	f.Add(false, []byte{0, 1, 0, 1, 3, 1, 1, 9, 1, 1, 1, 0, 2, 1, 1, 0})
	f.Add(true, []byte{0, 1, 7, 1, 3, 1, 1, 9, 1, 1, 1, 3, 2, 1, 1, 0})
	f.Add(false, []byte{0, 1, 0, 1, 0, 2, 0, 1, 0, 3, 0, 0, 3, 2, 2, 200, 3, 1, 1, 200, 2, 0, 1, 0})
	f.Fuzz(func(t *testing.T, delayed bool, b []byte) {
		if len(b) > 128 {
			return
		}
		hello := greeting("")
		if delayed {
			hello = greeting(FeatureDelayedAck)
		}
		conn := &slowly{script: newScript(nil)}
		for _, p := range append([]Packet{hello}, packetsOf(b)...) {
			conn.packets = append(conn.packets, encoded(t, p))
		}
		s, err := ServeDevice(t.Context(), conn, SessionOptions{
			Banner: Banner{Features: []string{FeatureDelayedAck}},
			Open:   echo, MaxPayload: 4096, Window: 1024, MaxStreams: 4,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Wait(); err != nil && !errors.Is(err, ErrProtocol) {
			t.Fatalf("the session ended with %v", err)
		}
		if unread := s.unread.Load(); unread != 0 {
			t.Fatalf("%d bytes are counted as unread after the end", unread)
		}
		open := map[uint32]bool{} // by our id
		for i, p := range conn.heard(t) {
			switch p.Command {
			case CNXN:
				if i != 0 {
					t.Fatalf("packet %d of ours is a greeting", i)
				}
			case OKAY:
				open[p.Arg0] = true
			case WRTE:
				if !open[p.Arg0] || p.Arg1 == 0 || len(p.Payload) > 4096 {
					t.Fatalf("packet %d of ours is data for a stream that is not open: %v %d %d", i, p.Command, p.Arg0, p.Arg1)
				}
			case CLSE:
				if p.Arg1 == 0 || p.Arg0 != 0 && !open[p.Arg0] {
					t.Fatalf("packet %d of ours closes what is not open: %d %d", i, p.Arg0, p.Arg1)
				}
				delete(open, p.Arg0)
			default:
				t.Fatalf("packet %d of ours is %v", i, p.Command)
			}
		}
	})
}
