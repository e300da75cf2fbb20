package adb_test

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/store/sqlite"
	"github.com/countersign/countersign/wire"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// built is the program under test, made once.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// program builds the program as users have it.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "countersign-e2e-"); built.err != nil {
			return
		}
		built.path = filepath.Join(built.dir, "countersign")
		if out, err := exec.Command("go", "build", "-o", built.path, "../../cmd/countersign").CombinedOutput(); err != nil {
			built.err = err
			t.Logf("%s", out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// process is "countersign adb" as its user runs it.
type process struct {
	cmd   *exec.Cmd
	where string        // the front end's address
	gone  chan struct{} // closed when it has ended
}

// announced finds the address of either front end in what the guard says at its
// start.
var announced = regexp.MustCompile(`(?:an adb server at|the guarded phone is at) (127\.0\.0\.1:\d+)`)

// startProcess runs the guard over a home folder in front of a phone.
func startProcess(t *testing.T, home string, f front, serial string) *process {
	t.Helper()
	args := []string{"adb", "--home", home, "--agents", "127.0.0.1:0", "--inbox", "127.0.0.1:0", "--connect", serial}
	if f == asServer {
		args = append(args, "--port", "127.0.0.1:0")
	} else {
		args = append(args, "--device", "127.0.0.1:0")
	}
	p := &process{cmd: exec.Command(program(t), args...), gone: make(chan struct{})}
	from, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan struct{})
	var said strings.Builder // read once gone is closed
	go func() {
		for lines := bufio.NewScanner(from); lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
			switch at := announced.FindStringSubmatch(lines.Text()); {
			case at != nil && p.where == "":
				p.where = at[1]
			case strings.HasPrefix(strings.TrimSpace(lines.Text()), "record") && p.where != "":
				close(ready)
			}
		}
		_ = p.cmd.Wait() // it was killed
		close(p.gone)
	}()
	t.Cleanup(p.kill)
	select {
	case <-ready:
	case <-p.gone:
		t.Fatalf("the guard did not start:\n%s", said.String())
	}
	return p
}

// kill ends the guard as a power cut does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be gone already
	<-p.gone
}

// The guard is killed while a question is open: nothing reaches the phone, the
// agent has no phone any more, and after a restart the question is cancelled, a
// yes is a conflict and the record is whole.
func TestKilledWhileHeld(t *testing.T) {
	fronts(t, func(t *testing.T, f front) {
		w := &world{t: t, ctx: context.Background(), front: f}
		w.servePhone()
		w.home = shortFolder(t)
		home := filepath.Join(w.home, "guard")
		p := startProcess(t, home, f, w.serial)
		w.reachBy(p)
		w.show(composer)
		tap := w.fill(composer, "shell,v2,raw,TERM=xterm:input tap {xy}")
		end := w.begin(tap, "")
		owner, err := client.Open(client.Options{Socket: filepath.Join(home, daemon.SocketFile), TokenFile: filepath.Join(home, daemon.ApproverTokenFile), How: "api"})
		w.must(err)
		defer owner.Close()
		q := w.heldIn(home)
		p.kill()
		end()
		if got := w.reached(); len(got) > 0 {
			t.Errorf("the phone got %q", got)
		}
		if c, err := net.Dial("tcp", p.where); err == nil {
			c.Close()
			t.Error("without the guard somebody answers in its place")
		}

		again := startProcess(t, home, f, w.serial)
		a, err := owner.Get(w.ctx, q.ID)
		w.must(err)
		if a.State != approval.Cancelled {
			t.Errorf("after the restart the question is %v", a.State)
		}
		if a, err := owner.Approve(w.ctx, q.ID, q.Digest, ""); err == nil {
			t.Errorf("after the restart a yes was taken: %v", a.State)
		}
		w.nothingHappened("the guard was killed")
		if got := w.reached(); len(got) > 0 {
			t.Errorf("after the restart the phone got %q", got)
		}
		w.reachBy(again) // and the new guard is a guard
		if r := w.serve("shell,v2,raw:getprop ro.product.model", ""); !r.passed() {
			t.Errorf("after the restart a read was told %+v", r)
		}
		again.kill()
		if out, err := exec.Command(program(t), "log", "verify", "--home", home).CombinedOutput(); err != nil {
			t.Errorf("log verify: %v\n%s", err, out)
		}
	})
}

// reachBy makes a guard in another process the one that the agent comes through.
func (w *world) reachBy(p *process) {
	w.t.Helper()
	if w.front == asServer {
		w.server = wire.Server{Network: "tcp", Address: p.where}
		return
	}
	w.session = hostOf(w.t, p.where)
	w.t.Cleanup(func() { w.session.Close() })
}

// heldIn waits for the question that is open in the store of a running guard.
func (w *world) heldIn(home string) approval.Approval {
	w.t.Helper()
	s, err := sqlite.OpenReadOnly(w.ctx, filepath.Join(home, daemon.DatabaseFile))
	w.must(err)
	defer s.Close()
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	for ctx.Err() == nil {
		open, err := s.Approvals(ctx, hold.Query{States: []approval.State{approval.Pending}, Limit: 1})
		w.must(err)
		if len(open) > 0 {
			return open[0]
		}
	}
	w.t.Fatal("nobody was asked")
	return approval.Approval{}
}
