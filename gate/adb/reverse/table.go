package reverse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/wire"
)

// A Mode is what may flow on the connections of a reverse.
type Mode uint8

// What may flow. The zero Mode is nothing.
const (
	// Refused is no reverse at all.
	Refused Mode = iota
	// FromPhone is what the phone says, and the end of the connection when the
	// agent says anything: video, for one.
	FromPhone
	// BothWays is everything, unread. It is for servers that an app under test
	// asks, such as a bundler's.
	BothWays
)

// maxReverses is how many there may be of one phone, maxConnections how many
// connections on all of them.
const (
	maxReverses    = 64
	maxConnections = 128
)

// maxAnswer is the longest answer of a phone that is read, in bytes.
const maxAnswer = 4 + 4 + wire.MaxRequest

// Options say what is allowed and where the agent's end is.
type Options struct {
	// Mode says what may flow on a reverse from remote, where the phone listens,
	// to local, where the agent does. Nil refuses all.
	Mode func(remote, local string) Mode
	// Connect connects to the agent's end.
	Connect func(ctx context.Context, local string) (net.Conn, error)
	// Log is told why a connection did not come about. Nil drops it.
	Log *slog.Logger
}

// Server is what carries a service after it was judged: a *adb.Device.
type Server interface {
	Serve(ctx context.Context, service string, c adb.Client) error
	// Refuse refuses one that was not judged, on record.
	Refuse(ctx context.Context, service string, c adb.Client, why string) error
}

// Table are the reverses of one phone. It is safe for concurrent use.
type Table struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	places chan struct{}

	mu      sync.Mutex
	entries map[string]*entry // by where the phone listens
}

// entry is one reverse.
type entry struct {
	local    string
	ours     string // what the phone was told instead
	listener net.Listener
	paused   atomic.Bool // connections are closed
}

// New makes a table without entries. It lives until Close or ctx's end.
func New(ctx context.Context, o Options) *Table {
	if o.Mode == nil {
		o.Mode = func(string, string) Mode { return Refused }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	t := &Table{o: o, entries: map[string]*entry{}, places: make(chan struct{}, maxConnections)}
	t.ctx, t.cancel = context.WithCancel(ctx)
	return t
}

// Is says whether a service is one for a table.
func Is(service string) bool { return strings.HasPrefix(service, "reverse:") }

// Serve carries a "reverse:" service, and closes the client.
func (t *Table) Serve(ctx context.Context, device Server, service string, c adb.Client) error {
	defer func() { _ = c.Close() }()
	r := parse(service)
	switch r.verb {
	case "forward":
		return t.forward(ctx, device, service, r, c)
	case "list-forward":
		return t.list(ctx, device, service, c)
	case "killforward", "killforward-all":
		// An adb server takes a connection to a place that it has just let its client
		// forget for an attack, and ends itself (check in adb.cpp's handle_packet).
		// So nothing is passed on from before the phone knows.
		t.pause(r.remote, true)
		answer := newAnswered(c, false)
		err := device.Serve(ctx, service, answer)
		if answer.granted() {
			t.drop(r.remote)
		} else {
			t.pause(r.remote, false)
		}
		return err
	}
	return device.Refuse(ctx, service, c, "countersign: refused. The phone does not know this request.")
}

// forward makes a reverse that ends at a listener of ours.
func (t *Table) forward(ctx context.Context, device Server, service string, r request, c adb.Client) error {
	mode := t.o.Mode(r.remote, r.local)
	if mode == Refused {
		return device.Refuse(ctx, service, c, "countersign: refused. Nobody can see what is told to the phone on connections that begin there. "+
			"Trying again will not help; use a forward, or do without.")
	}
	t.mu.Lock()
	full := len(t.entries) >= maxReverses && t.entries[r.remote] == nil
	t.mu.Unlock()
	if full {
		return device.Refuse(ctx, service, c, fmt.Sprintf("countersign: not done. The phone has %d reverses; take some back first.", maxReverses))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, c.Refuse("countersign: not done. This computer has no port left for it."))
	}
	ours := "tcp:" + strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	e := &entry{local: r.local, ours: ours, listener: l}
	t.work.Go(func() { t.accept(e, mode) })
	answer := newAnswered(c, false)
	err = device.Serve(ctx, r.service(ours), answer)
	if !answer.granted() {
		_ = l.Close()
		return err
	}
	remote := r.remote
	if port := answer.port(); remote == "tcp:0" && port != "" {
		remote = "tcp:" + port
	}
	t.put(remote, e)
	return err
}

// put adds an entry in place of an older one.
func (t *Table) put(remote string, e *entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if old := t.entries[remote]; old != nil {
		_ = old.listener.Close()
	}
	t.entries[remote] = e
	if t.ctx.Err() != nil {
		_ = e.listener.Close()
	}
}

// pause has the connections of an entry closed, or those of all with "".
func (t *Table) pause(remote string, paused bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, e := range t.entries {
		if remote == "" || remote == key {
			e.paused.Store(paused)
		}
	}
}

// drop takes an entry away, or all with "".
func (t *Table) drop(remote string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, e := range t.entries {
		if remote == "" || remote == key {
			_ = e.listener.Close()
			delete(t.entries, key)
		}
	}
}

// list shows the agent what it asked for in place of what the phone was told.
// The phone's answer is the list alone, without an OKAY before it.
func (t *Table) list(ctx context.Context, device Server, service string, c adb.Client) error {
	answer := newAnswered(c, true)
	err := device.Serve(ctx, service, answer)
	if answer.said.Len() == 0 {
		return err // it was refused, and the client knows
	}
	text, readErr := wire.ReadText(&answer.said)
	if readErr != nil {
		return errors.Join(err, fmt.Errorf("the phone's list of reverses: %w", readErr))
	}
	t.mu.Lock()
	back := map[string]string{}
	for _, e := range t.entries {
		back[e.ours] = e.local
	}
	t.mu.Unlock()
	var shown strings.Builder
	for line := range strings.Lines(text) {
		words := strings.Split(strings.TrimRight(line, "\n"), " ")
		if local, known := back[words[len(words)-1]]; known {
			words[len(words)-1] = local
		}
		shown.WriteString(strings.Join(words, " ") + "\n")
	}
	return errors.Join(err, wire.WriteText(c, shown.String()))
}

// Remotes is where the phone listens for this table.
func (t *Table) Remotes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var remotes []string
	for remote := range t.entries {
		remotes = append(remotes, remote)
	}
	return remotes
}

// Close ends all connections and waits for their end. The phone goes on
// listening until it is told otherwise; nobody answers there any more.
func (t *Table) Close() {
	t.cancel()
	t.drop("")
	t.work.Wait()
}

// answered is a client whose answer by the phone is read along. What the client
// sends after its request is nothing to the phone. It is closed by the table, not
// by who serves it.
type answered struct {
	adb.Client
	keep   bool // the client does not get it
	once   sync.Once
	closed chan struct{}

	mu   sync.Mutex
	said bytes.Buffer
}

func newAnswered(c adb.Client, keep bool) *answered {
	return &answered{Client: c, keep: keep, closed: make(chan struct{})}
}

func (a *answered) Close() error {
	a.once.Do(func() { close(a.closed) })
	return nil
}

func (a *answered) Read([]byte) (int, error) {
	select {
	case <-a.closed:
	case <-a.Gone():
	}
	return 0, io.EOF
}

func (a *answered) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.said.Len()+len(p) > maxAnswer {
		return 0, fmt.Errorf("the phone's answer is longer than %d bytes", maxAnswer)
	}
	a.said.Write(p)
	if a.keep {
		return len(p), nil
	}
	return a.Client.Write(p)
}

// granted says whether the phone said yes.
func (a *answered) granted() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return wire.ReadStatus(bytes.NewReader(a.said.Bytes())) == nil
}

// port is the port that the phone has chosen, which it says after the yes.
func (a *answered) port() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := bytes.NewReader(a.said.Bytes())
	if wire.ReadStatus(r) != nil {
		return ""
	}
	text, _ := wire.ReadText(r)
	if n, err := strconv.ParseUint(text, 10, 16); err != nil || n == 0 {
		return ""
	}
	return text
}
