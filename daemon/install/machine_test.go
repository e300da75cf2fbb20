//go:build linux

package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// pretend is a machine whose users and services are written down here. Files are
// real, below the installation's root.
type pretend struct {
	accounts map[string]Account
	groups   map[string][]string
	systemd  bool
	// What systemd knows.
	unread, enabled bool
	state           string
	answers         map[string]bool // addresses at which somebody listens
	running         string          // content of the program that runs
	root            string
	broken          bool // starting fails
	// levels are what the guard answers, one each time; the last one stays.
	levels []string
	ran    []string
	pauses int
}

func newPretend(root string) *pretend {
	return &pretend{root: root, accounts: map[string]Account{}, groups: map[string][]string{}, systemd: true, state: "inactive", levels: []string{separate}}
}

func (p *pretend) Account(_ context.Context, name string) (Account, error) {
	a, ok := p.accounts[name]
	if !ok {
		return a, ErrNoAccount
	}
	return a, nil
}

func (p *pretend) Groups(_ context.Context, name string) ([]string, error) {
	return p.groups[name], nil
}
func (p *pretend) Answers(_ context.Context, addr string) bool { return p.answers[addr] }
func (p *pretend) NoLogin() string                             { return "/usr/sbin/nologin" }
func (p *pretend) Systemd() bool                               { return p.systemd }
func (p *pretend) Pause(context.Context, time.Duration) error  { p.pauses++; return nil }

func (p *pretend) Level(context.Context) (string, error) {
	if p.state != "active" || len(p.levels) == 0 {
		return "", errors.New("connection refused")
	}
	level := p.levels[0]
	if len(p.levels) > 1 {
		p.levels = p.levels[1:]
	}
	return level, nil
}

func (p *pretend) Runs(pid, path string) bool {
	data, err := os.ReadFile(path)
	return pid == "4711" && err == nil && string(data) == p.running
}

func (p *pretend) start() {
	data, err := os.ReadFile(filepath.Join(p.root, BinaryPath))
	p.state, p.running = "active", string(data)
	if err != nil || p.broken {
		p.state, p.running = "failed", ""
	}
}

func (p *pretend) Run(_ context.Context, argv []string) (string, error) {
	line := commandLine(argv)
	if line == commandLine(show) {
		state := map[bool]string{true: "enabled", false: "disabled"}[p.enabled]
		return fmt.Sprintf("ActiveState=%s\nUnitFileState=%s\nNeedDaemonReload=%s\nMainPID=4711\n", p.state, state, map[bool]string{true: "yes", false: "no"}[p.unread]), nil
	}
	if argv[0] == "getent" {
		if _, ok := p.groups[argv[2]]; !ok {
			return "", errors.New("exit status 2")
		}
		return "", nil
	}
	p.ran = append(p.ran, line)
	switch {
	case argv[0] == "useradd":
		name := argv[len(argv)-1]
		p.accounts[name] = Account{Name: name, UID: 997, GID: 997,
			Home: argv[slices.Index(argv, "--home-dir")+1], Shell: argv[slices.Index(argv, "--shell")+1]}
	case argv[0] == "userdel":
		delete(p.accounts, argv[1])
	case line == commandLine(daemonReload):
		p.unread = false
	case line == commandLine(enable):
		if p.enabled = true; p.state != "active" {
			p.start()
		}
	case line == commandLine(restart):
		p.start()
	case line == commandLine(disable):
		p.enabled, p.state = false, "inactive"
	default:
		return "", fmt.Errorf("%s is no command of an installation", line)
	}
	return "", nil
}

// outcome is what became of each step, by the first words of its name.
type outcome []string

// takeAll takes the steps as Run does, also where the test is not root: the
// machine is a pretended one. Only the owner of the temporary folder is then not
// looked at.
func takeAll(t *testing.T, i *Installation, steps []Step) (outcome, error) {
	t.Helper()
	if os.Geteuid() != 0 {
		steps = slices.DeleteFunc(steps, func(s Step) bool { return strings.HasPrefix(s.Name, "way to ") })
	}
	var got outcome
	report := func(s Step, r Result, note string) { got = append(got, fmt.Sprintf("%s: %s", r, s.Name)) }
	if os.Geteuid() == 0 || i.o.Machine == nil {
		err := i.Run(t.Context(), steps, report)
		return got, err
	}
	for _, s := range steps {
		if _, err := s.look(t.Context()); err != nil {
			return nil, err
		}
	}
	for _, s := range steps {
		r, note, err := s.take(t.Context())
		if err != nil {
			return got, err
		}
		report(s, r, note)
	}
	return got, nil
}

// count is how many steps ended with a result.
func (o outcome) count(r Result) int {
	n := 0
	for _, line := range o {
		if strings.HasPrefix(line, string(r)+": ") {
			n++
		}
	}
	return n
}

// program writes a file that stands for the program and returns its path.
func program(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "countersign")
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustNew(t *testing.T, o Options) *Installation {
	t.Helper()
	i, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestParseAccount(t *testing.T) {
	got, err := parseAccount("countersign:x:997:996:Countersign guard:/var/lib/countersign:/usr/sbin/nologin\n")
	want := Account{Name: "countersign", UID: 997, GID: 996, Home: "/var/lib/countersign", Shell: "/usr/sbin/nologin"}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "a:b", "a:x:one:1::/:/bin/sh", "a:x:1:one::/:/bin/sh", "a:x:1:1::/:/bin/sh:more"} {
		if got, err := parseAccount(bad); err == nil {
			t.Errorf("%q was read as %+v", bad, got)
		}
	}
}

// TestThisMachine asks the real user database and runs a real program.
func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	a, err := m.Account(t.Context(), "root")
	if err != nil || a.UID != 0 || a.Name != "root" {
		t.Errorf("root is %+v, %v", a, err)
	}
	if _, err := m.Account(t.Context(), "countersign-nobody-has-this-name"); !errors.Is(err, ErrNoAccount) {
		t.Errorf("a user that is not there: %v, want ErrNoAccount", err)
	}
	groups, err := m.Groups(t.Context(), "root")
	if err != nil || !slices.Contains(groups, "root") {
		t.Errorf("root's groups are %v, %v", groups, err)
	}
	if _, err := m.Run(t.Context(), []string{"no-such-program-of-ours"}); err == nil || !strings.Contains(err.Error(), "install it") {
		t.Errorf("a program that is not there: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if out, err := m.Run(t.Context(), []string{"id", "-u"}); err != nil || strings.TrimSpace(out) != strconv.Itoa(os.Getuid()) {
		t.Errorf("id -u says %q, %v; PATH must not matter", out, err)
	}
	if !m.Runs(strconv.Itoa(os.Getpid()), executable(t)) || m.Runs(strconv.Itoa(os.Getpid()), program(t, "another")) {
		t.Error("the program of a process is not recognised")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Pause(stopped, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a pause after the end: %v", err)
	}
}

func executable(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
