package upstream_test

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/adb/fronttest"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/wire"
)

// keeping are phones that keep connections, closed with the test.
func keeping(t *testing.T, s wire.Server) *upstream.Phones {
	ps := upstream.NewPhones(s)
	t.Cleanup(ps.Close)
	return ps
}

// runs opens a service and reads what the phone says to it.
func runs(t *testing.T, p upstream.Phone, line string) {
	t.Helper()
	c, err := p.Open(t.Context(), "exec:"+line)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	said, err := io.ReadAll(c)
	if err != nil || string(said) != "ran "+line+"\n" {
		t.Errorf("%q: %q, %v", line, said, err)
	}
	_ = c.Close()
}

// keeps waits until connections to a phone are kept, and returns them.
func keeps(t *testing.T, ps *upstream.Phones) []net.Conn {
	t.Helper()
	ps.Settled()
	all := ps.Kept()
	if len(all) != 2 {
		t.Fatalf("%d connections are kept", len(all))
	}
	return all
}

// awaitHungUp waits until the server has hung up on connections that stood.
func awaitHungUp(t *testing.T, all []net.Conn) {
	t.Helper()
	for _, c := range all {
		if err := c.SetReadDeadline(time.Now().Add(3 * time.Minute)); err != nil {
			t.Fatal(err)
		}
		if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
			t.Fatalf("a kept connection: %d bytes, %v", n, err)
		}
	}
}

// awaitPhone waits until a server can use a phone again.
func awaitPhone(t *testing.T, s wire.Server, serial string) {
	t.Helper()
	_, _ = s.Query(t.Context(), "host:connect:"+serial) // for one that does not look for it by itself
	c, err := wire.ServerDial(t.Context(), s.Network, s.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	wait := wire.Selector{Kind: wire.SelectSerial, Serial: serial}.Prefix() + "wait-for-any-device"
	err = errors.Join(c.SetDeadline(time.Now().Add(3*time.Minute)), wire.WriteRequest(c, wait), wire.ReadStatus(c), wire.ReadStatus(c))
	if err != nil {
		t.Fatalf("the phone does not come back: %v", err)
	}
}

// reached holds what a phone was asked against what it was to be asked.
func reached(t *testing.T, p *fronttest.Phone, want ...string) {
	t.Helper()
	if got := p.Reached(); !slices.Equal(got, want) {
		t.Errorf("the phone got %q, want %q", got, want)
	}
}

// A phone that goes and comes back is reached anew, and what was asked of it before
// is not asked again.
func TestKeptPhoneComesBack(t *testing.T) {
	phone := fronttest.NewPhone(t)
	server := fronttest.Server(t, phone.Addr).Server()
	ps := keeping(t, server)
	p := ps.Phone(phone.Addr)
	runs(t, p, "one")
	old := keeps(t, ps)
	runs(t, p, "two") // by one of these
	old = append(old[1:], keeps(t, ps)...)
	phone.HangUp()
	awaitHungUp(t, slices.Compact(old))
	awaitPhone(t, server, phone.Addr)
	for _, sel := range []wire.Selector{{Kind: wire.SelectSerial, Serial: phone.Addr}, {}} {
		again, _, err := ps.Resolve(t.Context(), sel)
		if err != nil || again.Serial() != phone.Addr {
			t.Errorf("%+v: %q, %v", sel, again.Serial(), err)
		}
	}
	runs(t, p, "three")
	reached(t, phone, "exec:one", "exec:two", "exec:three")
}

// switchboard is an address behind which now one phone is and now another.
type switchboard struct {
	l net.Listener

	mu    sync.Mutex
	to    string
	conns []net.Conn
}

func newSwitchboard(t *testing.T, to string) *switchboard {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &switchboard{l: l, to: to}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() { s.connect(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		s.putThrough("")
		work.Wait()
	})
	return s
}

func (s *switchboard) connect(c net.Conn) {
	defer func() { _ = c.Close() }()
	s.mu.Lock()
	far, err := net.Dial("tcp", s.to)
	if err == nil {
		s.conns = append(s.conns, c, far)
	}
	s.mu.Unlock()
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(far, c)
		_ = far.Close()
	}()
	_, _ = io.Copy(c, far)
}

// putThrough cuts all connections, and lets new ones go elsewhere.
func (s *switchboard) putThrough(to string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
	for _, c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
}

// Another phone under the same serial gets what is asked from then on, and the one
// before it nothing.
func TestKeptOtherPhone(t *testing.T) {
	first, second := fronttest.NewPhone(t), fronttest.NewPhone(t)
	board := newSwitchboard(t, first.Addr)
	serial := board.l.Addr().String()
	server := fronttest.Server(t, serial).Server()
	ps := keeping(t, server)
	p := ps.Phone(serial)
	runs(t, p, "one")
	old := keeps(t, ps)
	board.putThrough(second.Addr)
	awaitHungUp(t, old)
	awaitPhone(t, server, serial)
	runs(t, p, "two")
	keeps(t, ps)
	runs(t, p, "three")
	reached(t, first, "exec:one")
	reached(t, second, "exec:two", "exec:three")
}

// When the server ends, nothing of it is used with the next, whose numbers are the
// same.
func TestKeptServerStartsAgain(t *testing.T) {
	phone := fronttest.NewPhone(t)
	said := make(messages, 100)
	program, kill := mortal(t)
	h := start(t, upstream.HiddenOptions{Dir: fronttest.Folder(t), ADB: program, Log: slog.New(said)})
	if err := h.Connect(t.Context(), phone.Addr); err != nil {
		t.Fatal(err)
	}
	ps := keeping(t, h.Server())
	runs(t, ps.Phone(phone.Addr), "one")
	old := keeps(t, ps)
	kill()
	awaitHungUp(t, old)
	if _, _, err := ps.Resolve(t.Context(), wire.Selector{Kind: wire.SelectTransportID, ID: 7}); err == nil {
		t.Error("a phone that was never there is found")
	}
	said.await(t, "was found again")
	awaitPhone(t, h.Server(), phone.Addr)
	p, id, err := ps.Resolve(t.Context(), wire.Selector{})
	if err != nil || p.Serial() != phone.Addr || id != 1 {
		t.Fatalf("the phone is %q with the number %d, %v", p.Serial(), id, err)
	}
	runs(t, p, "two")
	reached(t, phone, "exec:one", "exec:two")
}

// What nobody uses is let go, and with Close everything; phones are reached as
// before.
func TestKeptIsLetGo(t *testing.T) {
	phone := fronttest.NewPhone(t)
	ps := keeping(t, fronttest.Server(t, phone.Addr).Server())
	p := ps.Phone(phone.Addr)
	for _, letGo := range []func(){ps.Unused, ps.Close} {
		runs(t, p, "before")
		old := keeps(t, ps)
		letGo()
		if left := ps.Kept(); len(left) != 0 {
			t.Errorf("%d are kept still", len(left))
		}
		for _, c := range old {
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
				t.Errorf("a connection that was let go: %v", err)
			}
		}
		runs(t, p, "after")
		ps.Settled()
	}
	if left := ps.Kept(); len(left) != 0 {
		t.Errorf("after Close %d are kept", len(left))
	}
	reached(t, phone, "exec:before", "exec:after", "exec:before", "exec:after")
}

// answering is a server that selects a phone for everybody, and does with a service
// what it is told.
type answering struct {
	l net.Listener

	mu    sync.Mutex
	asked []string
}

func newAnswering(t *testing.T, answer func(c net.Conn)) (*answering, wire.Server) {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(fronttest.Folder(t), "adb.sock"))
	if err != nil {
		t.Fatal(err)
	}
	a := &answering{l: l}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer func() { _ = c.Close() }()
				a.serve(c, answer)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		work.Wait()
	})
	return a, wire.Server{Network: "unix", Address: l.Addr().String()}
}

func (a *answering) serve(c net.Conn, answer func(c net.Conn)) {
	for {
		request, err := wire.ReadRequest(c)
		if err != nil {
			return
		}
		h, host := wire.ParseHostRequest(request)
		switch {
		case host && h.Tport:
			_, _ = io.WriteString(c, "OKAY\x01\x00\x00\x00\x00\x00\x00\x00")
		case host:
			_ = wire.WriteOkay(c)
		default:
			a.mu.Lock()
			a.asked = append(a.asked, request)
			a.mu.Unlock()
			answer(c)
			return
		}
	}
}

func (a *answering) services() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.asked)
}

// A service that was asked for on a kept connection is not asked for again, whatever
// the answer is: it may have been done.
func TestKeptAsksOnce(t *testing.T) {
	cases := 0
	for _, c := range []struct {
		name   string
		answer func(net.Conn)
		is     error
	}{
		{"hung up", func(net.Conn) {}, io.ErrUnexpectedEOF},
		{"hung up in the answer", func(c net.Conn) { _, _ = io.WriteString(c, "OK") }, io.ErrUnexpectedEOF},
		{"no answer of the protocol", func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK") }, wire.ErrProtocol},
		{"refused", func(c net.Conn) { _ = wire.WriteFail(c, "closed") }, new(wire.Failure)},
	} {
		cases++
		t.Run(c.name, func(t *testing.T) {
			first := true
			var mu sync.Mutex
			a, server := newAnswering(t, func(conn net.Conn) {
				mu.Lock()
				good := first
				first = false
				mu.Unlock()
				if good {
					_ = wire.WriteOkay(conn)
					return
				}
				c.answer(conn)
			})
			ps := keeping(t, server)
			p := ps.Phone("p1")
			conn, err := p.Open(t.Context(), "exec:one")
			if err != nil {
				t.Fatal(err)
			}
			_ = conn.Close()
			keeps(t, ps)
			_, err = p.Open(t.Context(), "exec:two")
			var failure *wire.Failure
			if _, refusal := c.is.(*wire.Failure); refusal && !errors.As(err, &failure) || !refusal && !errors.Is(err, c.is) {
				t.Errorf("the error is %v", err)
			}
			if got := a.services(); !slices.Equal(got, []string{"exec:one", "exec:two"}) {
				t.Errorf("the server was asked for %q", got)
			}
		})
	}
	if cases != 4 {
		t.Fatalf("%d cases", cases)
	}
}
