package smart

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/fronttest"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
	"github.com/countersign/countersign/wire"
)

// denies is a guard that lets nothing through.
type denies struct{ *countersign.Guard }

func (d denies) Decide(r *decide.Request) decide.Decision {
	decision := d.Guard.Decide(r)
	decision.Outcome = risk.Deny
	return decision
}

// bareServer is an adb server with one phone, reduced to what a front end needs,
// and with a memory for what it was asked.
type bareServer struct {
	l net.Listener

	mu       sync.Mutex
	services []string
	hosts    []string
}

func (s *bareServer) run() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		go s.serve(c)
	}
}

func (s *bareServer) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	for {
		request, err := wire.ReadRequest(c)
		if err != nil {
			return
		}
		h, host := wire.ParseHostRequest(request)
		if !host {
			s.service(c, request)
			return
		}
		s.mu.Lock()
		s.hosts = append(s.hosts, h.Verb)
		s.mu.Unlock()
		switch {
		case h.Verb == "transport" && h.Tport:
			_, _ = io.WriteString(c, "OKAY\x01\x00\x00\x00\x00\x00\x00\x00")
			continue
		case h.Verb == "transport":
			_ = wire.WriteOkay(c)
			continue
		case h.Verb == "get-serialno":
			_, _ = io.WriteString(c, "OKAY0002p1")
		default:
			_, _ = io.WriteString(c, "OKAY0000")
		}
		return
	}
}

// service remembers a service on the phone, and how what is sent on it begins.
func (s *bareServer) service(c net.Conn, service string) {
	_, _ = io.WriteString(c, "OKAY0000")
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	line, _ := bufio.NewReader(c).ReadString('\n')
	s.mu.Lock()
	defer s.mu.Unlock()
	s.services = append(s.services, strings.TrimSpace(service+" "+line))
}

// forget returns what was asked since the last time.
func (s *bareServer) forget() (services, hosts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	services, hosts, s.services, s.hosts = s.services, s.hosts, nil, nil
	return services, hosts
}

// isOwn reports whether the gate asks the phone for something by itself: to look at
// the screen, and which server it is that a client is connected to.
func isOwn(service string) bool {
	if slices.ContainsFunc(fronttest.Own, func(own string) bool { return strings.HasPrefix(service, own) }) {
		return true
	}
	target, line, _ := strings.Cut(service, " ")
	name, _, _ := strings.Cut(target, ":")
	return (name == "tcp" || strings.HasPrefix(name, "local")) && (line == "" || line == "GET /ping HTTP/1.1" || line == "GET /status HTTP/1.1")
}

// passing are the host requests that may reach the hidden server.
var passing = []string{"transport", "version", "devices", "devices-l", "track-devices", "track-devices-l", "track-devices-proto-text",
	"track-devices-proto-binary", "features", "host-features", "get-state", "get-serialno", "get-devpath", "mdns", "server-status"}

// FuzzSmartFront is a hostile client in front of a guard that lets nothing
// through. Whatever it sends, the phone is asked only what the gate asks for
// itself, the hidden server only what changes nothing, and the answer begins as
// one of the protocol does.
func FuzzSmartFront(f *testing.F) {
	request := func(requests ...string) []byte {
		var b []byte
		for _, r := range requests {
			b = fmt.Appendf(b, "%04x%s", len(r), r)
		}
		return b
	}
	for _, seed := range [][]byte{
		request("host:version"), request("host:kill"), request("host:connect:1.2.3.4:5"), request("host:track-devices"),
		request("host:transport:p1", "shell:input tap 1 1"), request("host:tport:any", "shell,v2,raw:reboot"),
		request("host:tport:any", "host:forward:tcp:x;tcp:1"), request("host-serial:[::1]:5555:killforward-all"),
		append(request("host:transport-any", "sync:"), "STAT\x01\x00\x00\x00/"...),
		append(request("host:transport-any", "shell:"), "input tap 1 1\n"...),
		append(request("host:transport-any", "tcp:9008"), "POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"...),
		append(request("host:transport-any", "host:version"), request("shell:reboot")...),
		request("host:transport-any", "reverse:forward:tcp:1;tcp:2"), request("host:transport-any", "abb_exec:package\x00uninstall\x00x"),
		[]byte("GET / HTTP/1.1\r\n\r\n"),
	} {
		f.Add(seed)
	}
	server, front := bareFront(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.Contains(b, []byte("forward:")) && bytes.Contains(b, []byte("tcp:")) {
			return // would take ports of this machine
		}
		c := newHostile(b)
		(&client{front: front, conn: newLingering(c)}).serve(front.life)
		answer := c.told()
		if len(answer) > 0 && !bytes.HasPrefix(answer, []byte("OKAY")) && !bytes.HasPrefix(answer, []byte("FAIL")) {
			t.Fatalf("%q is answered with %q", b, answer)
		}
		services, hosts := server.forget()
		for _, s := range services {
			if !isOwn(s) {
				t.Fatalf("%q reached the phone as %q", b, s)
			}
		}
		for _, h := range hosts {
			if !slices.Contains(passing, h) && !strings.HasPrefix(h, "wait-for-") {
				t.Fatalf("%q reached the hidden server as %q", b, h)
			}
		}
	})
}

// hostile is the connection of a client that says some bytes. It hangs up when it
// has said them and each of its requests is answered, for nothing is done for a
// client that has gone.
type hostile struct {
	say      *bytes.Reader
	requests int

	mu       sync.Mutex
	answered bytes.Buffer
	answers  int
	over     chan struct{} // closed when it hangs up
	hangUp   sync.Once
}

func newHostile(b []byte) *hostile {
	c := &hostile{say: bytes.NewReader(b), over: make(chan struct{})}
	for r := bytes.NewReader(b); ; c.requests++ {
		if _, err := wire.ReadRequest(r); err != nil {
			break
		}
	}
	if c.requests == 0 {
		c.hangUp.Do(func() { close(c.over) })
	}
	return c
}

func (c *hostile) Read(p []byte) (int, error) {
	if c.say.Len() > 0 {
		return c.say.Read(p)
	}
	select {
	case <-c.over:
	case <-time.After(50 * time.Millisecond): // it waits for an answer that does not come
	}
	return 0, io.EOF
}

func (c *hostile) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers++; c.answers >= c.requests {
		c.hangUp.Do(func() { close(c.over) })
	}
	return c.answered.Write(p)
}

func (c *hostile) Close() error {
	c.hangUp.Do(func() { close(c.over) })
	return nil
}

// told is what it was answered.
func (c *hostile) told() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered.Bytes()
}

func (c *hostile) LocalAddr() net.Addr              { return &net.UnixAddr{} }
func (c *hostile) RemoteAddr() net.Addr             { return &net.UnixAddr{} }
func (c *hostile) SetDeadline(time.Time) error      { return nil }
func (c *hostile) SetReadDeadline(time.Time) error  { return nil }
func (c *hostile) SetWriteDeadline(time.Time) error { return nil }

// bareFront is a front end with a guard that lets nothing through, before a
// server on a socket.
func bareFront(t testing.TB) (*bareServer, *front) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	hidden, err := net.Listen("unix", filepath.Join(fronttest.Folder(t), "hidden"))
	must(err)
	server := &bareServer{l: hidden}
	go server.run()
	store, err := sqlite.Open(context.Background(), sqlite.Memory, sqlite.Options{})
	must(err)
	guard, err := countersign.New(countersign.Options{DigestKey: bytes.Repeat([]byte("k"), 32)})
	must(err)
	desk, err := hold.New(context.Background(), hold.Options{Store: store, Decider: denies{guard}, Now: time.Now})
	must(err)
	gate, err := adb.New(adb.Options{Desk: desk, Agent: "agent"})
	must(err)
	front, err := newFront(Options{Gate: gate, Server: wire.Server{Network: "unix", Address: hidden.Addr().String()}})
	must(err)
	var cancel context.CancelFunc
	front.life, cancel = context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		front.work.Wait()
		front.phones.Close()
		_ = hidden.Close()
		desk.Close()
		_ = store.Close()
	})
	return server, front
}
