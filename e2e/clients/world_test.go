package clients

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
)

// patience is how long a test waits for what must come. It is for a machine that
// does many other things.
const patience = 2 * time.Minute

// front is one of the two ways to a guarded phone.
type front string

const (
	asServer front = "the gate as adb server"
	asDevice front = "the gate as a phone"
)

// fronts runs a test through both.
func fronts(t *testing.T, test func(*testing.T, *world)) {
	for _, f := range []front{asServer, asDevice} {
		t.Run(string(f), func(t *testing.T) { test(t, newWorld(t, f)) })
	}
}

// world is a phone, a guard in front of it, an owner, and the environment of a
// client that knows nothing of either.
type world struct {
	t      *testing.T
	ctx    context.Context
	end    context.CancelFunc
	phone  *phone.Phone
	guard  *daemon.Daemon
	port   string // of the adb server that clients use
	serial string // what clients call the phone
	env    []string

	mu     sync.Mutex
	answer func(*approval.Approval) bool // nil is a person who is away
	asked  []approval.Approval
}

func newWorld(t *testing.T, f front) *world {
	ctx, end := context.WithCancel(context.Background())
	w := &world{t: t, ctx: ctx, end: end}
	var err error
	if w.phone, err = phone.New(phone.Options{}); err != nil {
		t.Fatal(err)
	}
	bare := w.servePhone()
	o := daemon.Options{
		Home: filepath.Join(t.TempDir(), "guard"), Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Version: "test", Cooldown: time.Minute,
		ADB: daemon.ADB{Connect: []string{bare}},
	}
	if f == asServer {
		o.ADB.Server = "127.0.0.1:0"
	} else {
		o.ADB.Device = "127.0.0.1:0"
	}
	if w.guard, err = daemon.New(ctx, o); err != nil {
		t.Fatal(err)
	}
	if err := w.guard.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.guard.Stop(context.Background()); err != nil {
			t.Errorf("stop the guard: %v", err)
		}
	})
	go w.person()
	server, device := w.guard.ADBAddrs()
	w.serial = bare
	if f == asServer {
		_, w.port, _ = net.SplitHostPort(server)
		w.environment()
	} else {
		w.port = freePort(t)
		w.environment()
		w.connect(device)
		w.serial = device
	}
	return w
}

// servePhone lets an adb server reach the phone, and returns where.
func (w *world) servePhone() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- adbd.Serve(w.ctx, l, w.phone, adbd.Options{Launches: automation.Launches()})
	}()
	w.t.Cleanup(func() { // after the guard is stopped
		w.end()
		<-done
	})
	return l.Addr().String()
}

// environment is that of a client: a home of its own, and the adb server's port.
func (w *world) environment() {
	home := w.t.TempDir()
	w.env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "ADB_") || strings.HasPrefix(v, "ANDROID_") || strings.HasPrefix(v, "HOME=")
	}), "HOME="+home, "ANDROID_ADB_SERVER_PORT="+w.port, "ADB_MDNS=0")
}

// connect has the client's own adb server connect to the guarded phone, and ends
// that server with the test.
func (w *world) connect(device string) {
	w.t.Cleanup(func() { _, _ = w.adb("kill-server") })
	if out, err := w.adb("connect", device); err != nil || !strings.Contains(out, "connected to") {
		w.t.Fatalf("adb connect %s: %v %s", device, err, out)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// adb runs the stock adb program as the client's user would, and returns all that
// it printed.
func (w *world) adb(args ...string) (string, error) {
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	cmd := exec.CommandContext(ctx, "adb", args...)
	cmd.Env = w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// answers makes a person answer every question from now on.
func (w *world) answers(how func(*approval.Approval) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = how
}

func yes(*approval.Approval) bool { return true }
func no(*approval.Approval) bool  { return false }

// person answers what is asked, each question once.
func (w *world) person() {
	seen := map[string]bool{}
	for w.ctx.Err() == nil {
		changed := w.guard.Desk().Changed()
		waiting, err := w.guard.Desk().Views(w.ctx, hold.Query{States: []approval.State{approval.Pending}})
		w.mu.Lock()
		answer := w.answer
		w.mu.Unlock()
		for i := range waiting {
			q := &waiting[i]
			if answer == nil || seen[q.ID] || err != nil {
				continue
			}
			seen[q.ID] = true
			w.mu.Lock()
			w.asked = append(w.asked, *q)
			w.mu.Unlock()
			_, _ = w.guard.Desk().Answer(w.ctx, hold.Answer{ID: q.ID, Digest: q.Digest, Yes: answer(q), By: "owner", How: "test"})
		}
		select {
		case <-changed:
		case <-time.After(50 * time.Millisecond): // an answer may have been given to nobody
		case <-w.ctx.Done():
		}
	}
}

// questions are those that were asked so far.
func (w *world) questions() []approval.Approval {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// at is the middle of the node with a text, a description or an id.
func (w *world) at(label string) (x, y int) {
	w.t.Helper()
	for _, n := range w.phone.Nodes() {
		if n.Text == label || n.Description == label || strings.HasSuffix(n.ResourceID, "/"+label) {
			return (n.Bounds.Min.X + n.Bounds.Max.X) / 2, (n.Bounds.Min.Y + n.Bounds.Max.Y) / 2
		}
	}
	w.t.Fatalf("nothing on the phone's screen is called %q", label)
	return 0, 0
}

// nothingHappened fails the test if anything did.
func (w *world) nothingHappened(when string) {
	w.t.Helper()
	if effects := w.phone.Effects(); len(effects) > 0 {
		w.t.Errorf("%s: %s", when, said(effects))
	}
}

// happened wants exactly these deeds.
func (w *world) happened(when string, want ...string) {
	w.t.Helper()
	ctx, done := context.WithTimeout(w.ctx, patience)
	defer done()
	effects, _ := w.phone.WaitEffects(ctx, len(want))
	var got []string
	for _, e := range effects {
		got = append(got, e.What)
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: %s, not %q", when, said(effects), want)
	}
}

func said(effects []phone.Effect) string {
	var all []string
	for _, e := range effects {
		all = append(all, fmt.Sprintf("%s %s %s %s %s", e.App, e.What, e.Object, e.Recipient, e.Amount))
	}
	return fmt.Sprintf("%d things happened: %s", len(effects), strings.Join(all, "; "))
}
