//go:build unix

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/identity"
)

// lair is a guard in a process of its own, run by one user and attacked by
// programs of a user.
type lair struct {
	t        *testing.T
	p        *process
	id       string // an open question
	digest   string
	attacker int // whose programs attack; -1 for the test's own user
	level    string
}

// The users of these tests: a service's account without a login, and somebody.
const (
	serviceUser = 1
	somebody    = 54321
)

// openLair starts a guard for a user; -1 stands for the test's own.
func openLair(t *testing.T, guardian, attacker int) *lair {
	t.Helper()
	// t.TempDir is closed to other users.
	dir, err := os.MkdirTemp("", "countersign-lair-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home := filepath.Join(dir, "home")
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if guardian >= 0 {
		if err := os.Chown(home, guardian, guardian); err != nil {
			t.Fatal(err)
		}
	}
	l := &lair{t: t, attacker: attacker}
	l.p = up(t, home, nil, func(c *exec.Cmd) { become(c, guardian) })
	token, err := secretOf(home, daemon.AgentTokenFile)
	if err != nil {
		t.Fatal(err)
	}
	v := httpAgent{t: t, url: l.p.url, token: token}.propose(tap("com.whatsapp", "Send to "+victim))
	if v.Status != 202 {
		t.Fatalf("%+v", v)
	}
	l.id, l.digest = v.ID, v.Digest
	status, err := ownerOf(t, home).Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	l.level = status.Level
	return l
}

// become makes a command one of another user's.
func become(c *exec.Cmd, uid int) {
	if uid >= 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	c.Dir = "/"
}

// run runs a program of the attacker's.
func (l *lair) run(name string, args ...string) (string, bool) {
	l.t.Helper()
	c := exec.Command(name, args...)
	become(c, l.attacker)
	out, err := c.CombinedOutput()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		l.t.Fatal(err)
	}
	return string(out), err == nil
}

func (l *lair) file(name string) string { return filepath.Join(l.p.home, name) }

// malice is what a program tries, and which limit of the level same user it is
// an example of.
type malice struct {
	name, limit string
	try         func(l *lair) string
}

// The limits, as SECURITY.md says them.
const (
	readsAll = "read the credentials, the keys, the name of the inbox and the database;"
	answers  = "answer, or sign itself in, as the owner;"
	breaks   = "move, remove, open or plant files in the guard's folder, and with the keys write another record;"
	stops    = "look into the guard, and stop it."
)

func sameUserLimits() []string { return []string{readsAll, answers, breaks, stops} }

func reading(file string) malice {
	return malice{"reads " + file, readsAll, func(l *lair) string {
		if out, ok := l.run("cat", l.file(file)); ok && len(out) > 20 {
			return "it has read " + file
		}
		return ""
	}}
}

// doing tries a command and looks afterwards whether it did what it should.
func doing(name, limit string, command func(l *lair) []string, done func(l *lair) bool) malice {
	return malice{name, limit, func(l *lair) string {
		c := command(l)
		if out, ok := l.run(c[0], c[1:]...); done(l) {
			return fmt.Sprintf("it is done: %v, %.200q", ok, out)
		}
		return ""
	}}
}

// malices are all of it, the harmless first: the later ones break the guard.
var malices = []malice{
	reading(daemon.ApproverTokenFile), reading(daemon.AgentTokenFile), reading("digest.key"), reading("ledger.key"), reading("inbox.name"), reading(daemon.DatabaseFile),
	{"lists the folder", readsAll, func(l *lair) string {
		if out, _ := l.run("ls", l.p.home); strings.Contains(out, daemon.SocketFile) {
			return out
		}
		return ""
	}},
	{"reads the record", readsAll, func(l *lair) string {
		if out, _ := l.run(program(l.t), "log", "--home", l.p.home); strings.Contains(out, victim) {
			return out
		}
		return ""
	}},
	{"makes a sign-in link", answers, signingItselfIn},
	doing("answers", answers, func(l *lair) []string {
		return []string{program(l.t), "approvals", "approve", l.id, "--digest", l.digest, "--home", l.p.home}
	}, func(l *lair) bool { return l.state() == approval.Approved.String() }),
	{"looks into the guard's process", stops, func(l *lair) string {
		out, ok := l.run("cat", "/proc/"+strconv.Itoa(l.p.cmd.Process.Pid)+"/maps")
		if ok && strings.Contains(out, "countersign") {
			return "it has seen the guard's memory map"
		}
		return ""
	}},
	doing("plants a file", breaks, func(l *lair) []string { return []string{"touch", l.file("planted")} }, func(l *lair) bool { return l.there("planted") }),
	doing("opens the folder", breaks, func(l *lair) []string { return []string{"chmod", "777", l.p.home} }, func(l *lair) bool {
		info, err := os.Stat(l.p.home)
		return err == nil && info.Mode().Perm() != 0o700
	}),
	doing("takes the socket away", breaks, func(l *lair) []string { return []string{"rm", "-f", l.file(daemon.SocketFile)} }, func(l *lair) bool { return !l.there(daemon.SocketFile) }),
	doing("moves the database away", breaks, func(l *lair) []string { return []string{"mv", l.file(daemon.DatabaseFile), l.file("old.db")} }, func(l *lair) bool { return !l.there(daemon.DatabaseFile) }),
	doing("replaces the key of the record", breaks, func(l *lair) []string { return []string{"cp", "/dev/null", l.file("ledger.key")} }, func(l *lair) bool {
		info, err := os.Stat(l.file("ledger.key"))
		return err != nil || info.Size() == 0
	}),
	{"kills the guard", stops, func(l *lair) string {
		if _, sent := l.run("kill", "-9", strconv.Itoa(l.p.cmd.Process.Pid)); sent {
			<-l.p.gone
			return "it is gone"
		}
		return ""
	}},
}

func (l *lair) there(name string) bool {
	_, err := os.Lstat(l.file(name))
	return err == nil
}

// state is that of the question, as the owner sees it.
func (l *lair) state() string {
	c, err := client.Open(client.Options{Socket: l.file(daemon.SocketFile), TokenFile: l.file(daemon.ApproverTokenFile), How: "api"})
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	a, err := c.Get(context.Background(), l.id)
	if err != nil {
		return err.Error()
	}
	return a.State.String()
}

// signingItselfIn pretends to be a terminal, which the command asks for.
func signingItselfIn(l *lair) string {
	c := exec.Command(program(l.t), "sign-in", "--home", l.p.home)
	become(c, l.attacker)
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Setsid = true
	tty, err := pty.StartWithAttrs(c, &pty.Winsize{Rows: 24, Cols: 200}, c.SysProcAttr)
	if err != nil {
		l.t.Fatal(err)
	}
	defer tty.Close()
	said := make([]byte, 0, 4096)
	for {
		more := make([]byte, 1024)
		n, err := tty.Read(more)
		said = append(said, more[:n]...)
		if err != nil {
			break
		}
	}
	_ = c.Wait() // it fails where it should
	if strings.Contains(string(said), "ticket=cst_") {
		return "it has a sign-in link"
	}
	return ""
}

// maliciousPrograms attacks a guard that runs as a service user with the
// programs of somebody else. Only root can start programs of two users: without
// root the ways look at what keeps the other user out, and daemon/install says
// the rest.
func maliciousPrograms(t *testing.T) []way {
	root := os.Geteuid() == 0
	var l *lair
	if root {
		l = openLair(t, serviceUser, somebody)
		if l.level != string(identity.SeparateUser) {
			t.Errorf("the guard says it runs at level %q:\n%s", l.level, l.p.said())
		}
	} else {
		t.Log("not root: the programs of a second user are not run; modes and owners are looked at")
		l = openLair(t, -1, -1)
	}
	var ways []way
	for _, m := range malices {
		if root {
			ways = append(ways, way{m.name, func() string { return m.try(l) }})
			continue
		}
		ways = append(ways, way{m.name, l.closed})
	}
	return ways
}

// closed is what of the folder is open to others.
func (l *lair) closed() string {
	info, err := os.Stat(l.p.home)
	if err != nil || info.Mode().Perm() != 0o700 {
		return fmt.Sprint("the folder is open: ", info, err)
	}
	return ""
}

// TestSameUserDoesNotStop: what SECURITY.md says the lower level does not stop is
// indeed not stopped, so that nobody relies on it.
func TestSameUserDoesNotStop(t *testing.T) {
	guardian := -1
	if os.Geteuid() == 0 {
		guardian = somebody // root's programs would prove nothing
	}
	l := openLair(t, guardian, guardian)
	if l.level != string(identity.SameUser) {
		t.Errorf("the guard says it runs at level %q", l.level)
	}
	limits := map[string]bool{}
	for _, m := range malices {
		if m.try(l) == "" {
			t.Errorf("%s: it is stopped; if that holds on every machine, SECURITY.md may promise it", m.name)
		}
		limits[m.limit] = true
	}
	for _, limit := range sameUserLimits() {
		if !limits[limit] {
			t.Errorf("nothing was tried of: %s", limit)
		}
	}
	if len(limits) != len(sameUserLimits()) || slices.ContainsFunc(malices, func(m malice) bool { return m.name == "" }) {
		t.Errorf("%d limits", len(limits))
	}
}
