package e2e

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// built is the program under test, made once for all tests of a run.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// program builds the program as users have it: without the race detector, which
// would make it several times slower and the moments of a kill others.
func program(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "countersign-e2e-"); built.err != nil {
			return
		}
		// Readable for the user that some tests run the program as.
		if built.err = os.Chmod(built.dir, 0o755); built.err != nil {
			return
		}
		// Looked at, so that go test does not take a result from its cache when
		// only the command has changed, which no test imports.
		sources, err := filepath.Glob("../cmd/countersign/*.go")
		for _, file := range sources {
			_, looked := os.Stat(file)
			err = errors.Join(err, looked)
		}
		if built.err = err; err != nil {
			return
		}
		built.path = filepath.Join(built.dir, "countersign")
		build := exec.Command("go", "build", "-o", built.path, "../cmd/countersign")
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build the program: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// amount reads a count from the environment: tests that are worth repeating a
// thousand times do so in CI, in a step of their own.
func amount(t testing.TB, variable string, preset int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return preset
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q; a number from 1 is accepted", variable, text)
	}
	return n
}

// process is a running guard.
type process struct {
	cmd  *exec.Cmd
	home string

	ready chan struct{} // closed when the doors are open
	gone  chan struct{} // closed when it has ended; err is set then
	url   string        // the agents' door, once it is ready
	err   error

	mu     sync.Mutex
	stderr strings.Builder
}

// anyPort are flags of every guard here: tests run beside each other.
var anyPort = []string{"--agents", "127.0.0.1:0", "--inbox", "127.0.0.1:0"}

// launch starts a guard and does not wait for it. change may alter the command.
func launch(t testing.TB, home string, flags []string, change ...func(*exec.Cmd)) *process {
	t.Helper()
	args := append([]string{"up", "--home", home}, anyPort...)
	p := &process{
		cmd: exec.Command(program(t), append(args, flags...)...), home: home,
		ready: make(chan struct{}), gone: make(chan struct{}),
	}
	for _, ch := range change {
		ch(p.cmd)
	}
	from, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.read(bufio.NewScanner(from))
		p.err = p.cmd.Wait()
		close(p.gone)
	}()
	return p
}

// read takes down what the guard says, and finds the address in it.
func (p *process) read(lines *bufio.Scanner) {
	for lines.Scan() {
		line := lines.Text()
		p.mu.Lock()
		p.stderr.WriteString(line + "\n")
		p.mu.Unlock()
		switch fields := strings.Fields(line); {
		case len(fields) > 1 && fields[0] == "agents" && strings.HasPrefix(fields[1], "http://"):
			p.url = strings.TrimSuffix(fields[1], ",")
		case len(fields) > 0 && fields[0] == "record" && p.url != "":
			close(p.ready)
		}
	}
}

// said is what the guard wrote to its standard error so far.
func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

// up starts a guard, waits until it is ready, and ends it with the test.
func up(t testing.TB, home string, flags []string, change ...func(*exec.Cmd)) *process {
	t.Helper()
	p := launch(t, home, flags, change...)
	t.Cleanup(p.kill)
	select {
	case <-p.ready:
	case <-p.gone:
		t.Fatalf("the guard did not start: %v\n%s", p.err, p.said())
	}
	return p
}

// refused starts a guard that must not start, and returns how it ended.
func refused(t testing.TB, home string, change ...func(*exec.Cmd)) (exit int, said string) {
	t.Helper()
	p := launch(t, home, nil, change...)
	defer p.kill()
	select {
	case <-p.ready:
		t.Fatalf("the guard started:\n%s", p.said())
	case <-p.gone:
	}
	return p.exit(t), p.said()
}

// kill ends a guard as a power cut ends it, as far as the process goes.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be gone already
	<-p.gone
}

// exit is the exit code of a guard that has ended by itself.
func (p *process) exit(t testing.TB) int {
	t.Helper()
	<-p.gone
	var failed *exec.ExitError
	if p.err != nil && !errors.As(p.err, &failed) {
		t.Fatalf("wait for the guard: %v", p.err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// newHome is the folder for a guard, which is not made yet.
func newHome(t testing.TB) string { return filepath.Join(t.TempDir(), "home") }

// secretOf reads a credential that the first start has written.
func secretOf(home, file string) (string, error) {
	data, err := os.ReadFile(filepath.Join(home, file))
	return strings.TrimSpace(string(data)), err
}

// ownerOf is the owner's client for a guard, running or not.
func ownerOf(t testing.TB, home string) *client.Client {
	t.Helper()
	c, err := client.Open(client.Options{
		Socket: filepath.Join(home, daemon.SocketFile), TokenFile: filepath.Join(home, daemon.ApproverTokenFile), How: "api",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// verifyByCommand runs "countersign log verify" as its user does.
func verifyByCommand(ctx context.Context, t testing.TB, home string) {
	t.Helper()
	out, err := exec.CommandContext(ctx, program(t), "log", "verify", "--home", home).CombinedOutput()
	if err != nil {
		t.Errorf("log verify: %v\n%s", err, out)
	}
}
