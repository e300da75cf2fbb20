package adb_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
	"github.com/countersign/countersign/wire"
)

// patience is how long a test waits for what must come. It is for a machine that
// does many other things.
const patience = time.Minute

// front is one of the two ways to a guarded phone.
type front string

const (
	asServer front = "the gate as adb server"
	asDevice front = "the gate as a phone"
)

// fronts runs a test through both, side by side: most of its time is the record's,
// which is on the disk before anything is released.
func fronts(t *testing.T, test func(*testing.T, front)) {
	for _, f := range []front{asServer, asDevice} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			test(t, f)
		})
	}
}

// world is a phone, a guard in front of it, and an agent that speaks ADB itself.
type world struct {
	t       *testing.T
	ctx     context.Context
	front   front
	phone   *phone.Phone
	servers *adbd.Servers
	serial  string // the phone's, as the hidden server calls it
	guard   *daemon.Daemon
	home    string
	server  wire.Server   // asServer: the gate
	session *wire.Session // asDevice: the agent's own connection to the gate
}

// unattended says that nobody is there to ask: what would be asked is refused at
// once.
func unattended(o *daemon.Options) { o.Unattended = true }

func newWorld(t *testing.T, f front, change ...func(*daemon.Options)) *world {
	t.Helper()
	w := &world{t: t, ctx: context.Background(), front: f}
	w.servePhone()
	w.home = shortFolder(t)
	o := daemon.Options{
		Home: filepath.Join(w.home, "guard"), Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Version: "test",
		ADB: daemon.ADB{Connect: []string{w.serial}},
	}
	if f == asServer {
		o.ADB.Server = "127.0.0.1:0"
	} else {
		o.ADB.Device = "127.0.0.1:0"
	}
	for _, ch := range change {
		ch(&o)
	}
	var err error
	w.guard, err = daemon.New(w.ctx, o)
	w.must(err)
	w.must(w.guard.WriteHelpers(w.ctx, "owner", automationServers()))
	w.must(w.guard.Start())
	t.Cleanup(func() {
		if w.session != nil {
			w.session.Close()
		}
		if err := w.guard.Stop(context.Background()); err != nil {
			t.Errorf("stop the guard: %v", err)
		}
	})
	server, device := w.guard.ADBAddrs()
	if f == asServer {
		w.server = wire.Server{Network: "tcp", Address: server}
		return w
	}
	w.session = hostOf(t, device)
	return w
}

// automationServers are what the owner has let in: the servers that the agent may
// ask for the screen, and the guard through them. Nothing else may look while one
// runs. By their hash they are nothing that the agent could start.
func automationServers() []adb.Helper {
	unknown := strings.Repeat("0", 64)
	return []adb.Helper{
		{Name: "uiautomator2", Class: "com.wetest.uia2.Main", Path: "/data/local/tmp/u2.jar", SHA256: unknown},
		{Name: "Appium", Package: "io.appium.uiautomator2.server", SHA256: unknown},
		{Name: "Portal", Package: "com.mobilerun.portal", SHA256: unknown},
		{Name: "mobilecli", Class: "com.mobilenext.mobilecli.DeviceServer", Path: "/data/local/tmp/mobilecli.dex", SHA256: unknown},
	}
}

// servePhone starts the phone where an adb server can reach it.
func (w *world) servePhone() {
	w.t.Helper()
	var err error
	w.phone, err = phone.New(phone.Options{})
	w.must(err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	w.must(err)
	w.serial, w.servers = l.Addr().String(), &adbd.Servers{}
	ctx, end := context.WithCancel(w.ctx)
	done := make(chan error, 1)
	go func() {
		done <- adbd.Serve(ctx, l, w.phone, adbd.Options{Servers: w.servers, Launches: automation.Launches()})
	}()
	w.t.Cleanup(func() { // after the guard is stopped
		end()
		<-done
	})
}

// hostOf connects to a guarded phone as an adb server does.
func hostOf(t *testing.T, device string) *wire.Session {
	t.Helper()
	c, err := net.Dial("tcp", device)
	if err != nil {
		t.Fatal(err)
	}
	s, err := wire.DialHost(context.Background(), c, wire.SessionOptions{
		Banner: wire.Banner{State: "host", Features: []string{"shell_v2", "cmd", "stat_v2", "abb", "abb_exec"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shortFolder is a folder whose path leaves room for a socket's name.
func shortFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// for whom a test is that has subtests.
func (w *world) in(t *testing.T) *world {
	other := *w
	other.t = t
	return &other
}

// question waits for the next question that is open.
func (w *world) question() approval.Approval {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	for {
		changed := w.guard.Desk().Changed()
		if open := w.open(); len(open) > 0 {
			return open[0]
		}
		select {
		case <-changed:
		case <-ctx.Done():
			w.t.Fatal("nobody was asked")
		}
	}
}

// open are the questions that are open.
func (w *world) open() []approval.Approval {
	w.t.Helper()
	open, err := w.guard.Desk().Views(w.ctx, hold.Query{States: []approval.State{approval.Pending}, Limit: 50})
	w.must(err)
	return open
}

// settled waits until a question is in a state.
func (w *world) settled(id string, want approval.State) {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	for {
		changed := w.guard.Desk().Changed()
		a, err := w.guard.Desk().View(w.ctx, id)
		w.must(err)
		if a.State == want {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			w.t.Fatalf("question %s is %v, not %v", id, a.State, want)
		}
	}
}

// answer is what the owner says to a question.
func (w *world) answer(a approval.Approval, yes bool) error {
	_, err := w.guard.Desk().Answer(w.ctx, hold.Answer{ID: a.ID, Digest: a.Digest, Yes: yes, By: "owner", How: "test"})
	return err
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

// own are the beginnings of what only the gate asks the phone for, in these words.
var own = []string{"exec:dumpsys window", "exec:rm -f /data/local/tmp/countersign-", "exec:screencap -p", "exec:stat -c",
	"exec:sha256sum", "exec:pm path", "exec:settings get secure default_input_method", "exec:wm size"}

// reached are the services of clients that the phone was asked for.
func (w *world) reached() []string {
	var all []string
	for _, e := range w.phone.Record() {
		if e.Kind == "service" && !slices.ContainsFunc(own, func(begin string) bool { return strings.HasPrefix(e.Detail, begin) }) {
			all = append(all, e.Detail)
		}
	}
	return all
}

// came are the events of a kind.
func (w *world) came(kind string) []string {
	var all []string
	for _, e := range w.phone.Record() {
		if e.Kind == kind {
			all = append(all, e.Detail)
		}
	}
	return all
}

// hiddenOf is the adb server behind the gate, which only its owner can ask.
func hiddenOf(w *world) wire.Server { return daemon.HiddenServer(filepath.Join(w.home, "guard")) }
