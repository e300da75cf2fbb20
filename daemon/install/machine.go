package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Machine is what an installation uses besides files.
type Machine interface {
	// Account reads the user database; ErrNoAccount where the user is not in it.
	Account(ctx context.Context, name string) (Account, error)
	// Groups are the names of all groups of a user.
	Groups(ctx context.Context, name string) ([]string, error)
	// NoLogin is the shell that lets nobody in.
	NoLogin() string
	// Run runs a program, without a shell, and returns its standard output.
	Run(ctx context.Context, argv []string) (string, error)
	// Systemd reports whether systemd runs the services.
	Systemd() bool
	// Runs reports whether a process runs the file at path.
	Runs(pid, path string) bool
	// Answers reports whether somebody listens at an address of this machine.
	Answers(ctx context.Context, addr string) bool
	// Level asks the running guard for its level.
	Level(ctx context.Context) (string, error)
	// Pause waits, or returns the context's error.
	Pause(ctx context.Context, d time.Duration) error
}

// ThisMachine is the one that the program runs on.
func ThisMachine() Machine { return thisMachine{} }

type thisMachine struct{}

// toolDirs is where programs are looked for: what PATH says does not count for
// what root runs.
var toolDirs = []string{"/usr/sbin", "/usr/bin", "/sbin", "/bin"}

// tool is the path of a program.
func tool(name string) (string, error) {
	for _, dir := range toolDirs {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is in none of %s; install it", name, strings.Join(toolDirs, ", "))
}

func (thisMachine) Run(ctx context.Context, argv []string) (string, error) {
	path, err := tool(argv[0])
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, path, argv[1:]...)
	cmd.Env = []string{"PATH=" + strings.Join(toolDirs, ":"), "LC_ALL=C"}
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", commandLine(argv), err, strings.TrimSpace(complaint.String()))
	}
	return out.String(), nil
}

// notFound is getent's exit code for a name that is in no database.
const notFound = 2

func (m thisMachine) Account(ctx context.Context, name string) (Account, error) {
	line, err := m.Run(ctx, []string{"getent", "passwd", name})
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == notFound {
		return Account{}, ErrNoAccount
	}
	if err != nil {
		return Account{}, err
	}
	return parseAccount(line)
}

// parseAccount reads a line of passwd(5).
func parseAccount(line string) (Account, error) {
	fields := strings.Split(strings.TrimRight(line, "\n"), ":")
	if len(fields) != 7 {
		return Account{}, fmt.Errorf("the user database has a line with %d fields and not 7", len(fields))
	}
	uid, err := strconv.Atoi(fields[2])
	if err != nil {
		return Account{}, fmt.Errorf("user %q: %w", fields[0], err)
	}
	gid, err := strconv.Atoi(fields[3])
	if err != nil {
		return Account{}, fmt.Errorf("user %q: %w", fields[0], err)
	}
	return Account{Name: fields[0], UID: uid, GID: gid, Home: fields[5], Shell: fields[6]}, nil
}

func (m thisMachine) Groups(ctx context.Context, name string) ([]string, error) {
	out, err := m.Run(ctx, []string{"id", "-nG", name})
	return strings.Fields(out), err
}

func (thisMachine) NoLogin() string {
	path, err := tool("nologin")
	if err != nil {
		return "/bin/false"
	}
	return path
}

func (thisMachine) Systemd() bool {
	info, err := os.Stat("/run/systemd/system")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true // it is there and cannot be looked at: systemctl will say why
	}
	return err == nil && info.IsDir()
}

func (thisMachine) Runs(pid, path string) bool { return sameProgram(pid, path) }

func (thisMachine) Answers(ctx context.Context, addr string) bool {
	d := net.Dialer{Timeout: 2 * time.Second}
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// maxHealth is the longest answer, in bytes, that is read.
const maxHealth = 16 << 10

func (thisMachine) Level(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:8787/healthz", nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the address, which is always the same
	}
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var health struct{ Level string }
	if err := json.NewDecoder(io.LimitReader(response.Body, maxHealth)).Decode(&health); err != nil {
		return "", fmt.Errorf("%s is answered with %s and no level", request.URL, response.Status)
	}
	return health.Level, nil
}

func (thisMachine) Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run runs a program for what it does.
func run(ctx context.Context, m Machine, argv []string) error {
	_, err := m.Run(ctx, argv)
	return err
}

// commandLine is a command as it is typed. Arguments of ours have nothing in
// them but spaces that a shell would take for something else.
func commandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		if words[i] = w; strings.ContainsRune(w, ' ') {
			words[i] = "'" + w + "'"
		}
	}
	return strings.Join(words, " ")
}
