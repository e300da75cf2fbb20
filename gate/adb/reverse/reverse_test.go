package reverse

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/wire"
)

func TestParse(t *testing.T) {
	cases := 0
	for service, want := range map[string]request{
		"reverse:forward:tcp:1;tcp:2":                             {verb: "forward", remote: "tcp:1", local: "tcp:2"},
		"reverse:forward:norebind:localabstract:scrcpy;tcp:27183": {verb: "forward", norebind: true, remote: "localabstract:scrcpy", local: "tcp:27183"},
		"reverse:list-forward":                                    {verb: "list-forward"},
		"reverse:killforward:tcp:1":                               {verb: "killforward", remote: "tcp:1"},
		"reverse:killforward-all":                                 {verb: "killforward-all"},
		"reverse:":                                                {},
		"reverse:forward":                                         {},
		"reverse:forward:":                                        {},
		"reverse:forward:tcp:1":                                   {},
		"reverse:forward:tcp:1;":                                  {},
		"reverse:forward:;tcp:1":                                  {},
		"reverse:forward:tcp:1;*":                                 {},
		"reverse:forward:tcp:1;tcp:2;tcp:3":                       {},
		"reverse:forward:tcp:1;tcp:2\x00":                         {},
		"reverse:killforward:":                                    {},
		"reverse:killforward-all:x":                               {},
		"reverse:list-forward:x":                                  {},
		"shell:ls":                                                {},
	} {
		cases++
		if got := parse(service); got != want {
			t.Errorf("%q: %+v", service, got)
		}
		if want.verb == "forward" && want.service(want.local) != service {
			t.Errorf("%q is written as %q", service, want.service(want.local))
		}
	}
	if cases != 18 {
		t.Fatalf("%d cases", cases)
	}
}

// From the phone only a port of this computer can be reached.
func TestLoopback(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, local := range []string{"tcp:" + port, "tcp:localhost:" + port, "tcp:127.0.0.1:" + port} {
		c, err := Loopback(t.Context(), local)
		if err != nil {
			t.Errorf("%s: %v", local, err)
			continue
		}
		_ = c.Close()
	}
	cases := 0
	for _, local := range []string{"", "tcp:", "tcp:0", "tcp:65536", "tcp:-1", "tcp:example.com:80", "tcp:[::1]:80", "tcp:10.0.0.1:80",
		"localabstract:x", "localfilesystem:/run/x", "vsock:1:2", port, "tcp:" + port + ":x"} {
		cases++
		if c, err := Loopback(t.Context(), local); err == nil {
			_ = c.Close()
			t.Errorf("%q was connected to", local)
		}
	}
	if cases != 13 {
		t.Fatalf("%d cases", cases)
	}
}

// agent is a client that remembers what it is told.
type agent struct {
	said    strings.Builder
	refused string
	gone    chan struct{}
	closed  bool
}

func newAgent() *agent { return &agent{gone: make(chan struct{})} }

func (a *agent) Read([]byte) (int, error)    { return 0, io.EOF }
func (a *agent) Write(p []byte) (int, error) { return a.said.Write(p) }
func (a *agent) Accept() error               { return nil }
func (a *agent) Refuse(message string) error { a.refused = message; return nil }
func (a *agent) Close() error                { a.closed = true; return nil }
func (a *agent) Gone() <-chan struct{}       { return a.gone }

// phone answers every service with the same and remembers them.
type phone struct {
	answer string
	asked  []string
}

func (p *phone) Serve(_ context.Context, service string, c adb.Client) error {
	p.asked = append(p.asked, service)
	defer func() { _ = c.Close() }()
	if p.answer == "" {
		return errors.Join(adb.ErrRefused, c.Refuse("no"))
	}
	_, err := io.WriteString(c, p.answer)
	return err
}

// Refuse is what a device does where nobody is asked.
func (p *phone) Refuse(_ context.Context, service string, c adb.Client, why string) error {
	p.asked = append(p.asked, "refused "+service)
	return errors.Join(adb.ErrRefused, c.Refuse(why))
}

// What the table has is what the phone has granted, and nothing else.
func TestTable(t *testing.T) {
	table := New(t.Context(), Options{Mode: func(string, string) Mode { return FromPhone }, Connect: Loopback})
	defer table.Close()
	serve := func(service, answer string) (*agent, *phone) {
		a, p := newAgent(), &phone{answer: answer}
		_ = table.Serve(t.Context(), p, service, a)
		if !a.closed {
			t.Errorf("%s: the client is left open", service)
		}
		return a, p
	}
	if a, _ := serve("reverse:forward:tcp:1;tcp:9", ""); a.refused != "no" || len(table.Remotes()) != 0 {
		t.Errorf("refused on the way: %+v, %q", a, table.Remotes())
	}
	if a, _ := serve("reverse:forward:tcp:1;tcp:9", "FAIL0003bad"); a.said.String() != "FAIL0003bad" || len(table.Remotes()) != 0 {
		t.Errorf("refused by the phone: %q, %q", a.said.String(), table.Remotes())
	}
	_, p := serve("reverse:forward:tcp:1;tcp:9", "OKAY")
	if len(p.asked) != 1 || strings.Contains(p.asked[0], "tcp:9") || len(table.Remotes()) != 1 {
		t.Errorf("granted: %q, %q", p.asked, table.Remotes())
	}
	serve("reverse:forward:tcp:0;tcp:9", "OKAY000541234")
	ours := strings.TrimPrefix(p.asked[0], "reverse:forward:tcp:1;")
	if a, _ := serve("reverse:list-forward", "001fhost-1 tcp:1 "+ours+"\nx tcp:7\n"); !strings.Contains(a.said.String(), "host-1 tcp:1 tcp:9\nx tcp:7\n") {
		t.Errorf("the list: %q", a.said.String())
	}
	if a, _ := serve("reverse:list-forward", "junk"); a.said.Len() != 0 {
		t.Errorf("a list that is none: %q", a.said.String())
	}
	if a, _ := serve("reverse:anything", "OKAY"); !strings.Contains(a.refused, "countersign") {
		t.Errorf("an unknown request: %+v", a)
	}
	serve("reverse:killforward:tcp:1", "FAIL0002no")
	if len(table.Remotes()) != 2 {
		t.Errorf("after a removal that was refused: %q", table.Remotes())
	}
	serve("reverse:killforward:tcp:41234", "OKAY")
	if got := table.Remotes(); len(got) != 1 || got[0] != "tcp:1" {
		t.Errorf("after a removal: %q", got)
	}
	if _, p := serve("reverse:forward:tcp:2;tcp:9", "OKAY"); len(p.asked) != 1 {
		t.Error("not asked")
	}
	serve("reverse:killforward-all", "OKAY")
	if got := table.Remotes(); len(got) != 0 {
		t.Errorf("after the removal of all: %q", got)
	}
}

// There is an end to what one phone may have.
func TestTableBounds(t *testing.T) {
	table := New(t.Context(), Options{Mode: func(string, string) Mode { return BothWays }, Connect: Loopback})
	defer table.Close()
	p := &phone{answer: "OKAY"}
	for i := range maxReverses + 1 {
		a := newAgent()
		_ = table.Serve(t.Context(), p, "reverse:forward:tcp:"+strings.Repeat("1", 1+i)+";tcp:9", a)
		if full := i == maxReverses; (a.refused != "") != full {
			t.Fatalf("reverse %d: %q", i, a.refused)
		}
	}
	// One that exists may go elsewhere all the same.
	a := newAgent()
	if err := table.Serve(t.Context(), p, "reverse:forward:tcp:1;tcp:8", a); err != nil || a.refused != "" {
		t.Errorf("changing one: %v %q", err, a.refused)
	}
	long := newAnswered(newAgent(), false)
	if _, err := long.Write(make([]byte, maxAnswer+1)); err == nil {
		t.Error("an answer without end was read")
	}
	if refuses := New(t.Context(), Options{}); refuses.o.Mode("tcp:1", "tcp:2") != Refused {
		t.Error("without settings a reverse is allowed")
	}
}

// While the phone is asked to take one back nothing is passed on, for the agent's
// server has forgotten it already; when it stays it goes on.
func TestKillPauses(t *testing.T) {
	var connected atomic.Int32
	table := New(t.Context(), Options{
		Mode: func(string, string) Mode { return BothWays },
		Connect: func(context.Context, string) (net.Conn, error) {
			connected.Add(1)
			return nil, errors.New("nobody")
		},
	})
	defer table.Close()
	p := &phone{answer: "OKAY"}
	_ = table.Serve(t.Context(), p, "reverse:forward:tcp:1;tcp:9", newAgent())
	ours := strings.TrimPrefix(p.asked[0], "reverse:forward:tcp:1;")
	try := func() {
		t.Helper()
		c, err := Loopback(t.Context(), ours)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, c)
		_ = c.Close()
	}
	_ = table.Serve(t.Context(), serverFunc(func(_ context.Context, _ string, c adb.Client) error {
		try()
		return c.Refuse("no")
	}), "reverse:killforward:tcp:1", newAgent())
	if connected.Load() != 0 {
		t.Error("a connection was passed on while the reverse was taken back")
	}
	try()
	if connected.Load() != 1 {
		t.Errorf("%d connections were passed on by a reverse that stayed", connected.Load())
	}
}

// serverFunc is a function as a Server.
type serverFunc func(context.Context, string, adb.Client) error

func (f serverFunc) Serve(ctx context.Context, service string, c adb.Client) error {
	return f(ctx, service, c)
}

func (f serverFunc) Refuse(_ context.Context, _ string, c adb.Client, why string) error {
	return c.Refuse(why)
}

// A connection for which nobody is there is closed, and Close ends those that
// stand.
func TestPump(t *testing.T) {
	agents := make(chan net.Conn, 1)
	table := New(t.Context(), Options{
		Mode: func(string, string) Mode { return BothWays },
		Connect: func(_ context.Context, local string) (net.Conn, error) {
			if local != "tcp:9" {
				return nil, errors.New("nobody")
			}
			near, far := net.Pipe()
			agents <- far
			return near, nil
		},
	})
	p := &phone{answer: "OKAY"}
	dial := func(remote, local string) net.Conn {
		_ = table.Serve(t.Context(), p, "reverse:forward:"+remote+";"+local, newAgent())
		c, err := Loopback(t.Context(), strings.TrimPrefix(p.asked[len(p.asked)-1], "reverse:forward:"+remote+";"))
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		return c
	}
	c := dial("tcp:1", "tcp:8")
	if b, err := io.ReadAll(c); len(b) > 0 || err != nil {
		t.Errorf("where nobody is: %q, %v", b, err)
	}
	c = dial("tcp:2", "tcp:9")
	a := <-agents
	if err := wire.WriteOkay(a); err != nil {
		t.Fatal(err)
	}
	if err := wire.ReadStatus(c); err != nil {
		t.Error(err)
	}
	table.Close()
	if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("after the end: %v", err)
	}
	_ = c.Close()
	_ = a.Close()
}
