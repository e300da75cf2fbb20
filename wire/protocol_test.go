package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// script is the other end of a session: what it says, and then the end of the
// connection. What it is told is thrown away.
type script struct {
	say  *bytes.Reader
	mu   sync.Mutex
	told bytes.Buffer
	more *sync.Cond // it was told something
	gone chan struct{}
	once sync.Once
	hang bool // nothing more is said, and the connection stays
}

func newScript(b []byte) *script {
	s := &script{say: bytes.NewReader(b), gone: make(chan struct{})}
	s.more = sync.NewCond(&s.mu)
	return s
}

func (s *script) Read(p []byte) (int, error) {
	n, err := s.say.Read(p)
	if err == io.EOF && s.hang {
		<-s.gone
	}
	return n, err
}

func (s *script) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.more.Broadcast()
	return s.told.Write(p)
}

// await returns once it was told that many bytes: a session that is closed says
// nothing more, also not what it had ready.
func (s *script) await(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.told.Len() < bytes {
		s.more.Wait()
	}
}

func (s *script) Close() error {
	s.once.Do(func() { close(s.gone) })
	return nil
}

// heard are the packets that it was told.
func (s *script) heard(t testing.TB) []Packet {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var packets []Packet
	for r := bytes.NewReader(s.told.Bytes()); ; {
		p, err := ReadPacket(r, MaxPayload)
		if err == io.EOF {
			return packets
		} else if err != nil {
			t.Fatalf("we wrote what we cannot read: %v", err)
		}
		packets = append(packets, p)
	}
}

func (s *script) LocalAddr() net.Addr              { return streamAddr("script") }
func (s *script) RemoteAddr() net.Addr             { return streamAddr("script") }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

// greeting is a server's CNXN.
func greeting(features string) Packet {
	return Packet{Command: CNXN, Arg0: VersionNoSum, Arg1: MaxPayload, Payload: []byte("host::features=" + features)}
}

func all(t testing.TB, packets ...Packet) []byte {
	var b []byte
	for _, p := range packets {
		b = append(b, encoded(t, p)...)
	}
	return b
}

// What breaks the protocol ends the session, and the error says what it was.
func TestSessionBrokenByThePeer(t *testing.T) {
	open := Packet{Command: OPEN, Arg0: 9, Payload: []byte("x\x00")}
	window := Packet{Command: OPEN, Arg0: 9, Arg1: 64, Payload: []byte("x")}
	data := func(n int) Packet { return Packet{Command: WRTE, Arg0: 9, Arg1: 1, Payload: make([]byte, n)} }
	cases := 0
	for _, c := range []struct {
		name     string
		features string
		packets  []Packet
		says     string
	}{
		{"a second greeting", "", []Packet{greeting("")}, "CNXN after the handshake"},
		{"authentication", "", []Packet{{Command: AUTH, Arg0: 1}}, "AUTH after"},
		{"tls", "", []Packet{{Command: STLS}}, "STLS after"},
		{"an unknown command", "", []Packet{{Command: 7}}, "command 0x00000007 after"},
		{"a stream with the id 0", "", []Packet{{Command: OPEN, Payload: []byte("x")}}, "OPEN with the id 0"},
		{"ready with the id 0", "", []Packet{{Command: OKAY, Arg1: 1}}, "OKAY with the id 0"},
		{"data with the id 0", "", []Packet{{Command: WRTE, Arg1: 1}}, "WRTE with the id 0"},
		{"an acknowledgement of bytes", "", []Packet{{Command: OKAY, Arg0: 9, Arg1: 1, Payload: make([]byte, 4)}}, "without delayed_ack"},
		{"an acknowledgement without bytes", FeatureDelayedAck, []Packet{{Command: OKAY, Arg0: 9, Arg1: 1}}, "wants 4"},
		{"two packets at once", "", []Packet{open, data(100), data(1)}, "before the last one was acknowledged"},
		{"beyond the window", FeatureDelayedAck, []Packet{window, data(64), data(1)}, "beyond the stream's window"},
	} {
		cases++
		t.Run(c.name, func(t *testing.T) {
			conn := newScript(encoded(t, greeting(c.features)))
			accepted := make(chan struct{})
			conn.hang = true
			// What comes after an OPEN is said once it was accepted.
			rest := c.packets
			opens := len(rest) > 0 && rest[0].Command == OPEN && rest[0].Arg0 != 0
			first, second := rest, []Packet(nil)
			if opens {
				first, second = rest[:1], rest[1:]
			}
			two := &stages{script: conn, next: accepted, then: all(t, second...)}
			conn.say = bytes.NewReader(all(t, append([]Packet{greeting(c.features)}, first...)...))
			s, err := ServeDevice(t.Context(), two, SessionOptions{
				Window: 64,
				Banner: Banner{State: "device", Features: []string{FeatureDelayedAck}},
				Open: func(ctx context.Context, s *Stream, _ string) {
					_ = s.Accept()
					close(accepted)
					<-ctx.Done()
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Wait(); !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("the session ended with %v", err)
			}
		})
	}
	if cases != 11 {
		t.Fatalf("%d cases", cases)
	}
}

// stages says its second part when next is closed.
type stages struct {
	*script
	next chan struct{}
	then []byte
	rest *bytes.Reader
}

func (s *stages) Read(p []byte) (int, error) {
	if s.say.Len() > 0 {
		return s.say.Read(p)
	}
	if s.rest == nil && len(s.then) > 0 {
		<-s.next
		s.rest = bytes.NewReader(s.then)
	}
	if s.rest != nil && s.rest.Len() > 0 {
		return s.rest.Read(p)
	}
	return s.script.Read(p)
}

func TestHandshakeErrors(t *testing.T) {
	with := func(change func(*Packet)) []byte {
		p := greeting("")
		change(&p)
		return encoded(t, p)
	}
	cases := 0
	for _, c := range []struct {
		name  string
		bytes []byte
		want  error
		says  string
	}{
		{"nothing", nil, io.ErrUnexpectedEOF, "CNXN"},
		{"no adb", []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), ErrProtocol, "magic"},
		{"authentication", with(func(p *Packet) { p.Command = AUTH }), ErrProtocol, "connect through one"},
		{"tls", with(func(p *Packet) { p.Command = STLS }), ErrProtocol, "connect through one"},
		{"a stream", with(func(p *Packet) { p.Command = OPEN }), ErrProtocol, "OPEN before CNXN"},
		{"an old version", with(func(p *Packet) { p.Arg0 = 7 }), ErrProtocol, "version"},
		{"small payloads", with(func(p *Packet) { p.Arg1 = 0 }), ErrProtocol, "payloads of 0 bytes"},
		{"no banner", with(func(p *Packet) { p.Payload = nil }), ErrProtocol, "state"},
		{"a huge banner", with(func(p *Packet) { p.Payload = make([]byte, maxBanner+1) }), ErrProtocol, "at most 16384"},
	} {
		cases++
		for end, begin := range map[string]func(context.Context, net.Conn, SessionOptions) (*Session, error){"device": ServeDevice, "host": DialHost} {
			conn := newScript(c.bytes)
			_, err := begin(t.Context(), conn, SessionOptions{})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %s: %v", end, c.name, err)
			}
			select {
			case <-conn.gone:
			default:
				t.Errorf("%s: %s: the connection is left open", end, c.name)
			}
		}
	}
	if cases != 9 {
		t.Fatalf("%d cases", cases)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, _ := net.Pipe()
	if _, err := ServeDevice(ctx, a, SessionOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with its context at an end: %v", err)
	}
}

// What a peer may do though it is odd: packets for streams that are gone, and
// the end of an OPEN that was not answered yet.
func TestSessionOddPackets(t *testing.T) {
	gone := make(chan struct{})
	conn := newScript(all(t,
		greeting(""),
		Packet{Command: WRTE, Arg0: 5, Arg1: 77, Payload: []byte("x")},
		Packet{Command: OKAY, Arg0: 5, Arg1: 77},
		Packet{Command: CLSE, Arg0: 5, Arg1: 77},
		Packet{Command: CLSE},
		Packet{Command: OPEN, Arg0: 5},
		Packet{Command: OPEN, Arg0: 6, Payload: []byte("waits\x00")},
		Packet{Command: CLSE, Arg0: 6},
	))
	conn.hang = true
	s, err := ServeDevice(t.Context(), conn, SessionOptions{Open: func(_ context.Context, st *Stream, _ string) {
		<-st.Done()
		if err := st.Accept(); !errors.Is(err, ErrStreamClosed) {
			t.Errorf("accepting what they gave up: %v", err)
		}
		close(gone)
	}})
	if err != nil {
		t.Fatal(err)
	}
	<-gone
	refused := Packet{Command: CLSE, Arg1: 5}
	conn.await(len(all(t, *connect(SessionOptions{}.withDefaults("device")), refused)))
	_ = s.Close()
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	heard := conn.heard(t)
	if len(heard) != 2 || heard[0].Command != CNXN || !same(heard[1], refused) {
		t.Errorf("the peer was told %v", heard)
	}
}

// A peer that asks and does not listen must not fill the memory.
func TestSessionPeerThatDoesNotListen(t *testing.T) {
	a, b := net.Pipe()
	var s *Session
	ready := make(chan error, 1)
	go func() {
		var err error
		s, err = ServeDevice(t.Context(), a, SessionOptions{MaxStreams: 4})
		ready <- err
	}()
	hello := greeting("")
	if err := WritePacket(b, &hello); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPacket(b, maxBanner); err != nil {
		t.Fatal(err)
	}
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
	open := Packet{Command: OPEN, Arg0: 1, Payload: []byte("x")}
	sent := 0
	for ; WritePacket(b, &open) == nil; sent++ {
		if sent > 10_000 {
			t.Fatal("10000 questions without listening to one answer")
		}
	}
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "does not read") {
		t.Errorf("after %d questions: %v", sent, err)
	}
}

// A peer whose streams nobody reads may fill so much memory and no more.
func TestSessionBoundsWhatIsUnread(t *testing.T) {
	block := func(ctx context.Context, s *Stream, _ string) {
		_ = s.Accept()
		<-ctx.Done()
	}
	o := withDelayedAck(SessionOptions{Open: block})
	d, h := pair(t, o, withDelayedAck(SessionOptions{}))
	buffer := make([]byte, MaxPayload)
	for {
		st, err := h.Open(t.Context(), "x")
		if err != nil {
			break
		}
		if _, err := st.Write(buffer); err != nil {
			break
		}
	}
	if err := d.Wait(); !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), "unread") {
		t.Errorf("the session ended with %v", err)
	}
	if unread := d.unread.Load(); unread > maxUnread+MaxPayload {
		t.Errorf("%d bytes are kept", unread)
	}
}

// Small packets cost no more memory than large ones.
func TestStreamPutsSmallPacketsTogether(t *testing.T) {
	st := newStream(&Session{o: SessionOptions{}.withDefaults("device")}, "x")
	for range 100_000 {
		st.keep([]byte{1})
	}
	kept := 0
	for _, c := range st.chunks {
		kept += cap(c)
	}
	if len(st.chunks) > 30 || kept > 120_000 {
		t.Errorf("100000 bytes are kept in %d parts of %d bytes", len(st.chunks), kept)
	}
}

// FuzzPacket takes the bytes of a peer: first as packets, which are read again
// as they were written, then as a whole session, which has to end by itself
// and may write nothing that is no packet.
func FuzzPacket(f *testing.F) {
	f.Add(all(f, greeting("")))
	f.Add(all(f, greeting(FeatureDelayedAck), Packet{Command: OPEN, Arg0: 1, Arg1: 9, Payload: []byte("echo\x00")}, Packet{Command: WRTE, Arg0: 1, Arg1: 1, Payload: []byte("hi")}))
	f.Add(all(f, greeting(""), Packet{Command: OPEN, Arg0: 1, Payload: []byte("no")}, Packet{Command: CLSE, Arg0: 1}))
	f.Add(all(f, greeting(""), Packet{Command: OPEN, Arg0: 1, Payload: []byte("echo")}, Packet{Command: WRTE, Arg0: 1, Arg1: 1, Payload: []byte("x")}, Packet{Command: OKAY, Arg0: 1, Arg1: 1}, Packet{Command: CLSE, Arg0: 1, Arg1: 1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		for r := bytes.NewReader(b); ; {
			p, err := ReadPacket(r, 4096)
			if err != nil {
				break
			}
			if back, err := ReadPacket(bytes.NewReader(encoded(t, p)), 4096); err != nil || !same(back, p) {
				t.Fatalf("%v is read again as %v, %v", p, back, err)
			}
		}
		conn := newScript(b)
		s, err := ServeDevice(t.Context(), conn, SessionOptions{
			Banner: Banner{State: "device", Features: []string{FeatureDelayedAck}},
			Open:   echo, MaxPayload: 4096, MaxStreams: 4,
		})
		if err == nil {
			_ = s.Wait()
			if unread := s.unread.Load(); unread != 0 {
				t.Fatalf("%d bytes are counted as unread after the end", unread)
			}
		}
		for i, p := range conn.heard(t) {
			if (p.Command == CNXN) != (i == 0) {
				t.Fatalf("packet %d of ours is %v", i, p.Command)
			}
		}
	})
}
