package clients

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/survey"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
	"github.com/countersign/countersign/phone/shell"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
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

// helper is something that a client needs on the phone: it is put there and let
// in by the phone's owner before the guard stands in front of it.
type helper func(*testing.T, *phone.Phone)

// fronts runs a test through both.
func fronts(t *testing.T, test func(*testing.T, *world), helpers ...helper) {
	for _, f := range []front{asServer, asDevice} {
		t.Run(string(f), func(t *testing.T) { test(t, newWorld(t, f, helpers...)) })
	}
}

// world is a phone, a guard in front of it, an owner, and the environment of a
// client that knows nothing of either.
type world struct {
	t      *testing.T
	front  front
	ctx    context.Context
	end    context.CancelFunc
	phone  *phone.Phone
	guard  *daemon.Daemon
	port   string   // of the adb server that clients use
	serial string   // what clients call the phone
	home   string   // of the client
	record string   // the guard's, a file
	env    []string // of the client
	before int      // deeds of the preparation

	mu     sync.Mutex
	answer func(*approval.Approval) bool // nil is a person who is away
	asked  []approval.Approval
}

func newWorld(t *testing.T, f front, helpers ...helper) *world {
	ctx, end := context.WithCancel(context.Background())
	w := &world{t: t, front: f, ctx: ctx, end: end}
	var err error
	if w.phone, err = phone.New(phone.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, put := range helpers {
		put(t, w.phone)
	}
	w.before = len(w.phone.Effects())
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
	w.record = filepath.Join(o.Home, daemon.DatabaseFile)
	if w.guard, err = daemon.New(ctx, o); err != nil {
		t.Fatal(err)
	}
	if len(helpers) > 0 {
		w.setUp()
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
	w.serial, w.home = bare, t.TempDir()
	if f == asServer {
		_, w.port, _ = net.SplitHostPort(server)
		w.env = clientEnv(w.home, w.port)
	} else {
		if w.port, err = freePort(); err != nil {
			t.Fatal(err)
		}
		w.env = clientEnv(w.home, w.port)
		w.connect(device)
		w.serial = device
	}
	return w
}

// setUp is countersign setup --allow all --logs.
func (w *world) setUp() {
	found, err := survey.Look(w.ctx, func(ctx context.Context, line string) (string, error) {
		var out strings.Builder
		shell.Run(ctx, w.phone, line, nil, &out, io.Discard)
		return out.String(), nil
	})
	if err != nil || len(found) == 0 {
		w.t.Fatalf("set-up found %d helpers: %v", len(found), err)
	}
	var all []adb.Helper
	for _, f := range found {
		f.May |= f.OnRequest()
		all = append(all, f.Helper)
	}
	if err := w.guard.WriteHelpers(w.ctx, daemon.FirstApprover, all); err != nil {
		w.t.Fatal(err)
	}
}

// rows are what the guard has on record: decisions, and what came to none.
func (w *world) rows() (decisions []ledger.Decision, refused []string) {
	w.t.Helper()
	s, err := sqlite.OpenReadOnly(w.ctx, w.record)
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	rows, err := s.Rows(w.ctx, 0, 100_000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range rows {
		switch r.Kind {
		case ledger.KindRefused:
			refused = append(refused, string(r.Body))
		case ledger.KindDecision:
			d, err := r.Decision()
			if err != nil {
				w.t.Fatal(err)
			}
			decisions = append(decisions, d)
		}
	}
	return decisions, refused
}

// unasked wants nobody to have been asked, and nothing to have been refused, up to a
// last thing that is on record: everything before it is, too.
func (w *world) unasked(last string) {
	w.t.Helper()
	var decisions []ledger.Decision
	var refused []string
	w.until("the record has "+last, func() bool {
		decisions, refused = w.rows()
		return slices.ContainsFunc(decisions, func(d ledger.Decision) bool { return strings.Contains(string(d.Features), last) })
	})
	for _, d := range decisions {
		if d.Outcome != risk.Allow || d.Approval != "" {
			w.t.Errorf("%v before %s: %s %s", d.Outcome, last, d.Reason, d.Features)
		}
	}
	for _, what := range refused {
		w.t.Errorf("refused before %s: %s", last, what)
	}
	for _, q := range w.questions() {
		w.t.Errorf("asked before %s: %s", last, q.Card.Reason)
	}
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

// clientEnv is the environment of a client: a home of its own, and the adb
// server's port.
func clientEnv(home, port string) []string {
	return append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "ADB_") || strings.HasPrefix(v, "ANDROID_") || strings.HasPrefix(v, "HOME=")
	}), "HOME="+home, "ANDROID_ADB_SERVER_PORT="+port, "ADB_MDNS=0")
}

// connect has the client's own adb server connect to the guarded phone, and ends
// that server with the test.
func (w *world) connect(device string) {
	w.t.Cleanup(func() { _, _ = w.adb("kill-server") })
	if out, err := w.adb("connect", device); err != nil || !strings.Contains(out, "connected to") {
		w.t.Fatalf("adb connect %s: %v %s", device, err, out)
	}
}

// freePort is a port that nobody listens on, for a server that is started later. It
// is none of those that the system gives to clients: one of them may be given to the
// very client that looks whether its server is there, which then talks to itself.
func freePort() (string, error) {
	for {
		port := strconv.Itoa(15000 + rand.IntN(15000)) // Linux gives away 32768 and up
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return "", err
		}
		return port, l.Close()
	}
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
