package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// The first day in docs/running.md, command by command as it stands there: the
// guard in one terminal, the agent's curl in another, the owner's keys in a third.
func TestTheFirstDay(t *testing.T) {
	blocks := shellBlocks(t, "../docs/running.md")
	if len(blocks) != 7 {
		t.Fatalf("docs/running.md has %d blocks of commands, the walk-through has 7", len(blocks))
	}
	home := t.TempDir()
	bin := program(t)
	agents, inbox := freeAddress(t), freeAddress(t)
	env := append(os.Environ(), "HOME="+home, "XDG_DATA_HOME=", "COUNTERSIGN_HOME=", "NO_COLOR=1",
		"PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"), "TERM=xterm")

	// A person would have the usual ports free; a test cannot know that.
	up := strings.Replace(blocks[0], "countersign up", "countersign up --agents "+agents+" --inbox "+inbox, 1)
	guard := openTerminal(t, env, up)
	guard.waitFor("web page +http://[a-z2-7]+\\.localhost:[0-9]+/sign-in\\?ticket=")

	agent := openShell(t, env)
	asked := agent.run(strings.ReplaceAll(blocks[1], "127.0.0.1:8787", agents))
	wantAll(t, "asking", asked, `"outcome":"confirm"`, `"state":"pending"`)

	owner := openTerminal(t, env, blocks[2])
	owner.waitFor("Sends a message")
	owner.settle() // a card that has just come takes no answer yet
	owner.press("a")
	owner.waitFor(`\by\b`)
	owner.press("y")

	wantAll(t, "waiting", agent.run(blocks[3]), `"state":"approved"`)
	wantAll(t, "redeeming", agent.run(blocks[4]), `"state":"releasing"`)
	wantAll(t, "reporting", agent.run(blocks[5]), `"state":"released"`)
	wantAll(t, "the record", agent.run(blocks[6]), "pending → approved, by owner", "releasing → released", "the record is as it was written")
	owner.press("q")
	if err := owner.end(); err != nil {
		t.Errorf("approvals watch ends: %v", err)
	}
}

var fence = regexp.MustCompile("(?s)```sh\n(.*?)```")

// shellBlocks are the fenced commands of a page, in order.
func shellBlocks(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func wantAll(t *testing.T, what, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("%s: there is no %q in\n%s", what, p, got)
		}
	}
}

// shell is a bash that runs one block after the other.
type shell struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func openShell(t *testing.T, env []string) *shell {
	t.Helper()
	cmd := exec.Command("bash", "--norc")
	cmd.Env, cmd.Dir = env, t.TempDir()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &shell{t: t, in: in, out: bufio.NewReader(out)}
}

// run runs a block and returns what it printed.
func (s *shell) run(block string) string {
	s.t.Helper()
	const end = "end-of-block"
	if _, err := io.WriteString(s.in, block+"\necho "+end+"\n"); err != nil {
		s.t.Fatal(err)
	}
	var printed strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("the shell ended: %v after\n%s", err, printed.String())
		}
		if strings.TrimSpace(line) == end {
			return printed.String()
		}
		printed.WriteString(line)
	}
}

// terminal is a program on a terminal of its own.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	seen bytes.Buffer
	more chan struct{}
}

func openTerminal(t *testing.T, env []string, command string) *terminal {
	t.Helper()
	cmd := exec.Command("bash", "--norc", "-c", "exec "+strings.TrimSpace(command))
	cmd.Env = env
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	p := &terminal{t: t, cmd: cmd, tty: tty, more: make(chan struct{}, 1)}
	go p.read()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = p.end()
		_ = tty.Close()
	})
	return p
}

func (p *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := p.tty.Read(buf)
		p.mu.Lock()
		p.seen.Write(buf[:n])
		p.mu.Unlock()
		select {
		case p.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

var steering = regexp.MustCompile("\x1b\\[[0-9;?<>=]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]")

// text is what the terminal was given so far, without what steers it.
func (p *terminal) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return steering.ReplaceAllString(p.seen.String(), "")
}

// patience is how long a person would wait before calling it broken.
const patience = 3 * time.Minute

func (p *terminal) waitFor(pattern string) {
	p.t.Helper()
	want := regexp.MustCompile(pattern)
	over := time.After(patience)
	for !want.MatchString(p.text()) {
		select {
		case <-p.more:
		case <-over:
			p.t.Fatalf("the terminal never shows %q; it shows\n%s", pattern, p.text())
		}
	}
}

// settle lets a card stand on the screen for as long as it must before an answer
// to it counts.
func (p *terminal) settle() { time.Sleep(time.Second) }

func (p *terminal) press(keys string) {
	p.t.Helper()
	if _, err := p.tty.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// end waits for the program.
func (p *terminal) end() error {
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return errors.Join(errors.New("it does not end"), p.cmd.Process.Kill())
	}
}
