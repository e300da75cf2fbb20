package adb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
	"github.com/countersign/countersign/wire"
)

// A fixture is a gate in front of a small phone, over a store in memory, with a
// clock of its own.
type fixture struct {
	t      testing.TB
	ctx    context.Context
	clock  *handClock
	store  *sqlite.Store
	desk   *hold.Desk
	gate   *adb.Gate
	phone  *device
	device *adb.Device
}

// handClock is a clock that is moved by hand.
type handClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *handClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// settings are what a test changes before the gate is made.
type settings struct {
	desk hold.Options
	gate adb.Options
}

func newFixture(t testing.TB, change ...func(*settings)) *fixture {
	t.Helper()
	f := &fixture{t: t, ctx: context.Background(), clock: &handClock{at: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)}, phone: newPhone()}
	var err error
	f.store, err = sqlite.Open(f.ctx, sqlite.Memory, sqlite.Options{})
	f.must(err)
	guard, err := countersign.New(countersign.Options{DigestKey: bytes.Repeat([]byte("k"), 32)})
	f.must(err)
	s := settings{
		desk: hold.Options{Store: f.store, Decider: guard, Now: f.clock.now, Somebody: func(context.Context) bool { return true }},
		gate: adb.Options{Agent: "agent", AgentName: "tester", Now: f.clock.now, Patience: func(string) time.Duration { return 0 }},
	}
	for _, ch := range change {
		ch(&s)
	}
	f.desk, err = hold.New(f.ctx, s.desk)
	f.must(err)
	s.gate.Desk = f.desk
	f.gate, err = adb.New(s.gate)
	f.must(err)
	f.device = f.gate.Device(f.phone)
	t.Cleanup(func() {
		f.desk.Close()
		f.store.Close()
	})
	return f
}

// observing makes desk and gate watch only.
func observing(s *settings) { s.desk.Observe, s.gate.Observe = true, true }

// hurried makes clients that never wait for an answer.
func hurried(s *settings) { s.gate.Patience = func(string) time.Duration { return time.Nanosecond } }

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// result is what a client was told.
type result struct {
	refused string // the text of a refusal, empty for none
	out     string // what came back, without packets
	errOut  string // standard error, of a shell of version 2
	exit    int    // of a shell of version 2, -1 for none
	err     error
}

func (r *result) said() string { return r.refused + r.errOut }

// passed reports that the client was let through.
func (r *result) passed() bool { return r.err == nil && r.refused == "" && r.exit < 126 }

// serve takes a service through the gate, with all that its client sends.
func (f *fixture) serve(service, input string) result {
	f.t.Helper()
	return f.begin(service, input).wait()
}

// session is a client that is being served.
type session struct {
	service string
	near    net.Conn
	refused chan string
	done    chan error
	out     chan []byte
	gone    <-chan struct{} // the gate has noticed that it hung up
}

// begin begins to serve a client, which sends input and then waits.
func (f *fixture) begin(service, input string) *session {
	f.t.Helper()
	near, far := net.Pipe()
	c := &session{service: service, near: near, refused: make(chan string, 1), done: make(chan error, 1), out: make(chan []byte, 1)}
	client := adb.Buffered(far, func() error { return nil }, func(message string) error {
		c.refused <- message
		return nil
	})
	c.gone = client.Gone()
	go func() { c.done <- f.device.Serve(f.ctx, service, client) }()
	go func() {
		out, _ := io.ReadAll(near)
		c.out <- out
	}()
	go io.WriteString(near, input)
	return c
}

// hangUp is the client going away, until the gate has noticed.
func (c *session) hangUp() {
	c.near.Close()
	<-c.gone
}

func (c *session) wait() result {
	r := result{exit: -1, err: <-c.done}
	c.near.Close()
	out := <-c.out
	select {
	case r.refused = <-c.refused:
	default:
	}
	if !strings.HasPrefix(c.service, "shell,v2") {
		r.out = string(out)
		return r
	}
	for in := bytes.NewReader(out); ; {
		id, data, err := wire.ReadShellPacket(in, 1<<20)
		if err != nil {
			return r
		}
		switch id {
		case wire.ShellStdout:
			r.out += string(data)
		case wire.ShellStderr:
			r.errOut += string(data)
		case wire.ShellExit:
			r.exit = int(data[0])
		}
	}
}

// question waits for the next question that is open.
func (f *fixture) question() approval.Approval {
	f.t.Helper()
	ctx, stop := context.WithTimeout(f.ctx, time.Minute)
	defer stop()
	for {
		changed := f.desk.Changed()
		open, err := f.desk.Views(f.ctx, hold.Query{States: []approval.State{approval.Pending}, Limit: 10})
		f.must(err)
		if len(open) > 0 {
			return open[0]
		}
		select {
		case <-changed:
		case <-ctx.Done():
			f.t.Fatal("nobody was asked")
		}
	}
}

// settled waits until a question is in a state.
func (f *fixture) settled(id string, want approval.State) {
	f.t.Helper()
	ctx, stop := context.WithTimeout(f.ctx, time.Minute)
	defer stop()
	for {
		changed := f.desk.Changed()
		a, err := f.store.Approval(f.ctx, id)
		f.must(err)
		if a.State == want {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			f.t.Fatalf("question %s is %v, not %v", id, a.State, want)
		}
	}
}

// answer is what the owner says to a question.
func (f *fixture) answer(a approval.Approval, yes bool) {
	f.t.Helper()
	f.must(f.tryAnswer(a, yes))
}

func (f *fixture) tryAnswer(a approval.Approval, yes bool) error {
	_, err := f.desk.Answer(f.ctx, hold.Answer{ID: a.ID, Digest: a.Digest, Yes: yes, By: "owner", How: "library"})
	return err
}

// decisions are the rows about actions, oldest first.
func (f *fixture) rows(kind ledger.Kind) []ledger.Row {
	f.t.Helper()
	all, err := f.store.Rows(f.ctx, 0, 100_000)
	f.must(err)
	return slices.DeleteFunc(all, func(r ledger.Row) bool { return r.Kind != kind })
}

// phone is a device with one screen and some files. It answers what the gate asks
// by itself, and records what a client reaches.
type device struct {
	mu      sync.Mutex
	tree    string
	window  string
	dead    bool // the dump fails without saying so
	missing bool // nothing can be opened
	files   map[string]string
	stamps  map[string]int
	hidden  []string // services of the gate's own
	reached []string // services and input of clients
	serving map[string]func(net.Conn)
	closed  []string             // services that the phone refuses
	work    sync.WaitGroup       // what serves clients
	before  func(service string) // told of every service that is about to be opened
}

const serial = "0123456789ABCDEF"

func newPhone() *device {
	return &device{
		tree: page(button("Send", 900, 2100)), window: "Window{1a2b3c u0 com.whatsapp/com.whatsapp.Conversation}",
		files: map[string]string{}, stamps: map[string]int{}, serving: map[string]func(net.Conn){},
	}
}

func (p *device) Serial() string { return serial }

// own are the beginnings of what only the gate asks in these words.
var own = []string{"exec:dumpsys window", "exec:rm -f /data/local/tmp/countersign-", "exec:screencap -p", "exec:stat -c",
	"exec:sha256sum", "exec:pm path", "exec:settings get secure default_input_method", "exec:wm size"}

func (p *device) Open(ctx context.Context, service string) (net.Conn, error) {
	p.mu.Lock()
	before := p.before
	p.mu.Unlock()
	if before != nil {
		before(service)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.missing {
		return nil, errors.New("no device")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if slices.Contains(p.closed, service) {
		return nil, &wire.Failure{Message: "closed"}
	}
	near, far := net.Pipe()
	if slices.ContainsFunc(own, func(begin string) bool { return strings.HasPrefix(service, begin) }) {
		p.hidden = append(p.hidden, service)
		go say(far, p.asked(service))
		return near, nil
	}
	p.reached = append(p.reached, service)
	serve := p.serving[service]
	switch {
	case serve != nil:
	case service == "sync:":
		serve = p.sync
	case strings.HasPrefix(service, "shell") && strings.HasSuffix(service, ":"), service == "exec:":
		serve = p.typed(service)
	case strings.HasPrefix(service, "shell,v2"):
		serve = func(c net.Conn) {
			wire.WriteShellPacket(c, wire.ShellStdout, []byte("done\n"))
			wire.WriteShellPacket(c, wire.ShellExit, []byte{0})
			c.Close()
		}
	default:
		serve = func(c net.Conn) { say(c, "done\n") }
	}
	p.work.Go(func() { serve(far) })
	return near, nil
}

func say(c net.Conn, text string) {
	io.WriteString(c, text)
	c.Close()
}

// asked is the answer to a question of the gate's own; p.mu is held.
func (p *device) asked(service string) string {
	line := strings.TrimPrefix(service, "exec:")
	switch words := strings.Fields(line); words[0] {
	case "dumpsys":
		return "WINDOW MANAGER\n  init=1080x2400 420dpi cur=1080x2400 app=1080x2300\n  mCurrentRotation=ROTATION_0\n  mCurrentFocus=" + p.window + "\n"
	case "rm":
		if p.dead {
			return "cat: no such file\n"
		}
		return p.tree
	case "stat":
		file := words[3][:len(words[3])-1]
		if n, ok := p.stamps[file]; ok {
			return fmt.Sprintf("%d:%d\n", n, len(p.files[file]))
		}
		return "no such file\n"
	case "sha256sum":
		return p.files["sha256 "+words[1]] + "  " + words[1] + "\n"
	case "pm":
		return p.files["path "+words[2]] + "\n"
	case "settings":
		return p.files["keyboard"] + "\n"
	}
	return ""
}

// write puts a file there, as a program on the phone would.
func (p *device) write(file, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[file], p.stamps[file] = text, p.stamps[file]+1
}

func (p *device) show(tree, window string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tree, p.window = tree, window
}

// tell has a function told of every service that is about to be opened.
func (p *device) tell(before func(service string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = before
}

// idle waits until nothing is being served.
func (p *device) idle() { p.work.Wait() }

// record is what clients reached so far.
func (p *device) record() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.reached)
}

func (p *device) note(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reached = append(p.reached, what)
}

// looks counts the gate's own services that begin in a way.
func (p *device) looks(begin string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, s := range p.hidden {
		if strings.HasPrefix(s, begin) {
			n++
		}
	}
	return n
}

// typed is a shell that records its input until it ends.
func (p *device) typed(service string) func(net.Conn) {
	return func(c net.Conn) {
		defer c.Close()
		if !strings.HasPrefix(service, "shell,v2") {
			chunk := make([]byte, 64<<10)
			for {
				n, err := c.Read(chunk)
				if n > 0 {
					p.note("typed " + string(chunk[:n]))
				}
				if err != nil || strings.Contains(string(chunk[:n]), "exit\n") {
					return
				}
			}
		}
		for {
			id, data, err := wire.ReadShellPacket(c, 1<<20)
			if err != nil || id == wire.ShellCloseStdin {
				wire.WriteShellPacket(c, wire.ShellExit, []byte{0})
				return
			}
			p.note("typed " + string(data))
		}
	}
}

// sync is the phone's file service.
func (p *device) sync(c net.Conn) {
	defer c.Close()
	for {
		q, err := wire.ReadSyncRequest(c)
		if err != nil || q.ID == wire.SyncQUIT {
			return
		}
		p.note(fmt.Sprintf("sync %v %s", q.ID, q.Path))
		switch q.ID {
		case wire.SyncSEND, wire.SyncSND2:
			data, err := io.ReadAll(wire.NewSyncReader(c))
			if err != nil {
				return
			}
			p.write(q.Path, string(data))
			p.note(fmt.Sprintf("sync data %d", len(data)))
			wire.WriteSyncOkay(c)
		case wire.SyncRECV, wire.SyncRCV2:
			p.mu.Lock()
			text, ok := p.files[q.Path]
			p.mu.Unlock()
			if !ok {
				wire.WriteSyncFail(c, "no such file")
				continue
			}
			w := wire.NewSyncWriter(c)
			io.WriteString(w, text)
			w.Done(0)
		case wire.SyncLIST:
			wire.WriteSyncDent(c, wire.SyncDENT, "a", wire.FileStat{Size: 1})
			wire.WriteSyncDent(c, wire.SyncDENT, "b", wire.FileStat{Size: 2})
			wire.WriteSyncListDone(c, wire.SyncDENT)
		default:
			wire.WriteSyncStat(c, q.ID, wire.FileStat{Mode: 0o100644, Size: 3})
		}
	}
}

// page is a screen of one app with some controls.
func page(controls ...string) string { return pageOf("com.whatsapp", controls...) }

func pageOf(app string, controls ...string) string {
	return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" class="android.widget.FrameLayout" package="` + app +
		`" enabled="true" bounds="[0,0][1080,2400]">` + strings.ReplaceAll(strings.Join(controls, ""), "APP", app) + `</node></hierarchy>`
}

// button is a control of 100 pixels with its corner there.
func button(label string, x, y int) string {
	return fmt.Sprintf(`<node index="0" class="android.widget.Button" text="%s" package="APP" clickable="true" enabled="true" bounds="[%d,%d][%d,%d]"/>`,
		label, x, y, x+100, y+100)
}

// field is a text field over the whole width.
func field(text string, y int) string {
	return fmt.Sprintf(`<node index="0" class="android.widget.EditText" text="%s" package="APP" clickable="true" focusable="true" focused="true" enabled="true" bounds="[0,%d][800,%d]"/>`,
		text, y, y+100)
}

// speaker prints a text and ends, in packets for a shell of version 2.
func speaker(service, text string) func(net.Conn) {
	return func(c net.Conn) {
		if strings.HasPrefix(service, "shell,v2") {
			for len(text) > 0 {
				n := min(len(text), 100)
				wire.WriteShellPacket(c, wire.ShellStdout, []byte(text[:n]))
				text = text[n:]
			}
			wire.WriteShellPacket(c, wire.ShellExit, []byte{0})
			c.Close()
			return
		}
		say(c, text)
	}
}
