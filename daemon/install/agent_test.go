//go:build linux

package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
)

// agent drives a phone with the machine's adb, as a user of its own.
type agent struct {
	t                            *testing.T
	user                         Account
	program, server, home, phone string
}

// said is how a program ended, and all it said.
type said struct {
	code int
	text string
}

// adb runs adb on the guarded phone.
func (a *agent) adb(args ...string) said {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.program, append([]string{"-s", a.phone}, args...)...)
	cmd.Dir, cmd.SysProcAttr = a.home, as(a.user.UID, a.user.GID)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + a.home, "TMPDIR=" + a.home, "ADB_SERVER_SOCKET=tcp:" + a.server}
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited || ctx.Err() != nil {
		a.t.Fatalf("adb %v: %v: %s", args, err, text.String())
	}
	return said{cmd.ProcessState.ExitCode(), text.String()}
}

// homeFor is an empty folder of a user's own.
func homeFor(t *testing.T, a Account) string {
	t.Helper()
	dir := filepath.Join(passable(t), a.Name)
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, a.UID, a.GID)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runPhone runs a simulated phone until the test ends.
func runPhone(t *testing.T) (p *phone.Phone, addr string) {
	t.Helper()
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- adbd.Serve(ctx, l, p, adbd.Options{}) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("the phone: %v", err)
		}
	})
	return p, l.Addr().String()
}

// centreOf is the middle of what stands on the phone's screen with an id.
func centreOf(t *testing.T, p *phone.Phone, id string) string {
	t.Helper()
	for _, n := range p.Nodes() {
		if strings.HasSuffix(n.ResourceID, ":id/"+id) {
			at := n.Bounds.Min.Add(n.Bounds.Max).Div(2)
			return fmt.Sprint(at.X, " ", at.Y)
		}
	}
	t.Fatalf("nothing on the screen is called %s", id)
	return ""
}

// addressOfOurOwn is a free port of a loopback address that no other process uses:
// once the guard is gone, nobody else takes its port.
func addressOfOurOwn(t *testing.T) string {
	t.Helper()
	pid := os.Getpid()
	l, err := net.Listen("tcp", fmt.Sprintf("127.%d.%d.%d:0", 1+pid>>16&0x7f, pid>>8&0xff, pid&0xff))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// machinesADB is the adb of this machine; the tests need it.
func machinesADB(t *testing.T) string {
	t.Helper()
	program, err := FindADB()
	if err != nil {
		t.Fatalf("%v: apt-get install adb", err)
	}
	return program
}

// quietADB writes a program that is the real adb, except that its server does not
// look for phones of this machine by itself.
func quietADB(t *testing.T, path, real string) {
	t.Helper()
	script := "#!/bin/sh\nADB_EMU=0 ADB_USB=0 ADB_MDNS=0 exec " + real + " \"$@\"\n"
	if err := (want{0o755, 0, 0}).write(path, strings.NewReader(script)); err != nil {
		t.Fatal(err)
	}
}

// writeHelpers writes the file of helpers that were let in, which has none.
func writeHelpers(t *testing.T, root string, service Account) {
	t.Helper()
	path := filepath.Join(root+HomePath, daemon.HelpersFile)
	if err := (want{0o600, service.UID, service.GID}).write(path, strings.NewReader(`{"helpers":[]}`)); err != nil {
		t.Fatal(err)
	}
}

// keyIsItsOwn wants the guard's adb key to be where the service user alone reads
// it.
func keyIsItsOwn(t *testing.T, root string, service Account) {
	t.Helper()
	folder := filepath.Join(root+HomePath, daemon.ADBFolder)
	for path, mode := range map[string]fs.FileMode{
		"": fs.ModeDir | 0o700, ".android": fs.ModeDir | 0o700, ".android/adbkey": 0o600, "adb.sock": fs.ModeSocket | 0o700,
	} {
		path = filepath.Join(folder, path)
		if info, err := os.Lstat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v, want %v", path, info, err, mode)
		}
		wantOwner(t, path, service.UID, service.GID)
	}
}

// adoptOrphans makes this process the parent of those whose parent is killed, so
// that it learns of their end.
func adoptOrphans(t *testing.T) {
	t.Helper()
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER in prctl(2)
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
		t.Fatal(errno)
	}
}

// onlyChild is the one child of a process.
func onlyChild(t *testing.T, parent int) int {
	t.Helper()
	children := processes(t, func(stat []string, _ int) bool { return stat[1] == strconv.Itoa(parent) })
	if len(children) != 1 {
		t.Fatalf("process %d has the children %v, want one", parent, children)
	}
	return children[0]
}

// wantNobody wants no process to be a user's.
func wantNobody(t *testing.T, a Account) {
	t.Helper()
	if left := processes(t, func(_ []string, uid int) bool { return uid == a.UID }); len(left) != 0 {
		t.Errorf("processes of %s are left: %v", a.Name, left)
	}
}

// processes are those that are wanted, by what stands after the name in proc(5)'s
// stat (state, parent, ...) and their user.
func processes(t *testing.T, wanted func(stat []string, uid int) bool) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		data, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		info, err2 := os.Stat("/proc/" + e.Name())
		if errors.Join(err, err2) != nil {
			continue // it has ended meanwhile
		}
		uid, _ := ownerOf(info)
		if at := bytes.LastIndexByte(data, ')'); at >= 0 && wanted(strings.Fields(string(data[at+1:])), uid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// awaitEnd waits until a process has ended, whoever its parent is by now.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	for late := time.Now().Add(patience); ; {
		if _, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); err != nil && !errors.Is(err, syscall.ECHILD) && !errors.Is(err, syscall.EINTR) {
			t.Fatal(err)
		}
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
