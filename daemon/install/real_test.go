//go:build linux

package install

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/countersign/countersign/identity"
)

// nobody is the user id of a process that has no rights.
const nobody = 65534

// TestReal installs the guard on this machine, except that its files are below a
// temporary folder: the users are real ones, the guard runs as its user, and
// other users' processes attack it. It needs root; without, TestStaged is what
// there is.
func TestReal(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not root: no users are made, the installation is staged")
		TestStaged(t)
		return
	}
	root := passable(t)
	service, robot := fmt.Sprintf("countersign-t%d", os.Getpid()), fmt.Sprintf("countersign-a%d", os.Getpid())
	m := noSystemd{ThisMachine()}
	o := Options{Root: root, Machine: m, User: service, Binary: build(t)}
	t.Cleanup(func() {
		// After the guard has stopped; the last step takes the user.
		got, err := runAll(context.Background(), mustNew(t, o), mustNew(t, o).Uninstall(true))
		if err != nil || got.count(Done) != 5 {
			t.Errorf("purge: %v, %v", got, err)
		}
		if a, err := m.Account(context.Background(), service); !errors.Is(err, ErrNoAccount) {
			t.Errorf("the service user is left: %+v, %v", a, err)
		}
		if _, err := m.Run(context.Background(), []string{"getent", "group", service}); err == nil {
			t.Error("the service user's group is left")
		}
	})
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Done) != 4 || got.count(Left) != 2 {
		t.Fatalf("first run: %v, %v", got, err)
	}
	before := tree(t, root)
	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Done) != 0 || !maps.Equal(before, tree(t, root)) {
		t.Errorf("the second run did something: %v, %v", got, err)
	}
	account, err := m.Account(t.Context(), service)
	if err != nil || account.UID >= firstPerson || account.Home != HomePath || account.Shell != m.NoLogin() {
		t.Fatalf("the service user is %+v, %v", account, err)
	}
	wantOwner(t, root+HomePath, account.UID, account.GID)
	wantOwner(t, root+BinaryPath, 0, 0)
	wantOwner(t, root+UnitPath, 0, 0)

	g := startGuard(t, root, account)
	if g.level != string(identity.SeparateUser) {
		t.Errorf("the guard says it is at level %q:\n%s", g.level, g.greeting)
	}

	makeUser(t, m, robot)
	o.AgentFor = robot
	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Done) != 1 {
		t.Fatalf("agent's credential: %v, %v", got, err)
	}
	robotAccount, err := m.Account(t.Context(), robot)
	if err != nil {
		t.Fatal(err)
	}
	others := want{0o400, 0, 0}
	if err := others.write(filepath.Join(root, TokenDir, "another.token"), strings.NewReader("secret")); err != nil {
		t.Fatal(err)
	}
	attack(t, "guard", 30, root, g.pid, account, robotAccount)
	asksAsAgent(t, root, g, robotAccount)
}

// passable is a temporary folder that is root's and that other users can pass.
func passable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "countersign-install-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// noSystemd is this machine, with the service left to the test.
type noSystemd struct{ Machine }

func (noSystemd) Systemd() bool { return false }

// runAll takes steps outside of a test's own time.
func runAll(ctx context.Context, i *Installation, steps []Step) (outcome, error) {
	var got outcome
	err := i.Run(ctx, steps, func(s Step, r Result, _ string) { got = append(got, string(r)+": "+s.Name) })
	return got, err
}

// build builds the program that is installed.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "countersign")
	if out, err := exec.Command("go", "build", "-o", path, "github.com/countersign/countersign/cmd/countersign").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return path
}

// makeUser makes a user for an agent, and removes it in the end.
func makeUser(t *testing.T, m Machine, name string) {
	t.Helper()
	if _, err := m.Run(t.Context(), []string{"useradd", "--no-create-home", "--user-group", name}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := m.Run(context.Background(), []string{"userdel", name}); err != nil {
			t.Error(err)
		}
	})
}

func wantOwner(t *testing.T, path string, uid, gid int) {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if u, g := ownerOf(info); u != uid || g != gid {
		t.Errorf("%s belongs to %d:%d, want %d:%d", path, u, g, uid, gid)
	}
}

// guard is the running one.
type guard struct {
	pid             int
	url             string
	greeting, level string
	// end sends it a signal and waits for its end; the second time it does nothing.
	end func(syscall.Signal) error
}

// startGuard starts the guard with the unit's own command line, as systemd
// would: as the service user, without capabilities, with the folders it makes.
// Only the ports are free ones, and the paths are below the root.
func startGuard(t *testing.T, root string, a Account) *guard {
	t.Helper()
	run := filepath.Join(root, filepath.Dir(AgentSocket))
	if err := makeFolders(run); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(run, a.UID, a.GID); err != nil {
		t.Fatal(err)
	}
	line := strings.Fields(parseUnit(t, read(t, root+UnitPath))["Service"]["ExecStart"][0])
	for i, word := range line {
		if strings.HasPrefix(word, "/") {
			line[i] = root + word
		}
	}
	cmd := exec.Command(line[0], append(line[1:], "--agents", "127.0.0.1:0", "--inbox", "127.0.0.1:0")...)
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = as(a.UID, a.GID)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	before := syscall.Umask(0o077) // the unit's UMask
	err = cmd.Start()
	syscall.Umask(before)
	if err != nil {
		t.Fatal(err)
	}
	g := &guard{pid: cmd.Process.Pid}
	var once sync.Once
	g.end = func(s syscall.Signal) (err error) {
		once.Do(func() { err = errors.Join(cmd.Process.Signal(s), cmd.Wait()) })
		return err
	}
	t.Cleanup(func() {
		if err := g.end(syscall.SIGTERM); err != nil {
			t.Errorf("the guard did not stop in order: %v", err)
		}
	})
	for lines := bufio.NewScanner(said); lines.Scan(); {
		g.greeting += lines.Text() + "\n"
		if name, rest, ok := strings.Cut(strings.TrimSpace(lines.Text()), " "); ok && name == "agents" {
			g.url, _, _ = strings.Cut(strings.TrimSpace(rest), ",")
		} else if name == "record" { // its last line
			break
		}
	}
	go io.Copy(io.Discard, said)
	if g.url == "" {
		t.Fatalf("the guard did not start:\n%s", g.greeting)
	}
	var health struct{ Status, Level string }
	response, err := http.Get(g.url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&health); err != nil || health.Status != "ok" {
		t.Errorf("health is %+v, %v", health, err)
	}
	g.level = health.Level
	return g
}

// as has a process be another user, with no group beside its own.
func as(uid, gid int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{}}}
}

// attack has processes of other users try what a malicious agent would. Each
// attempt has to fail for want of permission, and for no other reason. The
// service user itself, who may do the same, shows that the attempts are real.
func attack(t *testing.T, suite string, count int, root string, pid int, service, robot Account) {
	t.Helper()
	all := suites[suite](root, pid, service.UID)
	if len(all) != count {
		t.Errorf("%d attempts, want %d", len(all), count)
	}
	before, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []Account{{Name: "nobody", UID: nobody, GID: nobody}, robot} {
		ended := tryAs(t, suite, root, pid, service, who)
		for _, a := range all {
			if ended[a.name] != mayNot {
				t.Errorf("%s: %s ended with %q and not for want of permission", who.Name, a.name, ended[a.name])
			}
		}
	}
	own := tryAs(t, suite, root, pid, service, service)
	for _, a := range all {
		if own[a.name] != a.own {
			t.Errorf("the service user itself: %s ended with %q, want %q, so that the attempt proves nothing", a.name, own[a.name], a.own)
		}
	}
	if data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); err != nil || string(data) != string(before) {
		t.Errorf("it does not run any more: %q, %v", data, err)
	}
}

// tryAs has a process of a user try everything.
func tryAs(t *testing.T, suite, root string, pid int, service, who Account) map[string]string {
	t.Helper()
	out, err := helper(t, who, "attack", suite, root, strconv.Itoa(pid), strconv.Itoa(service.UID)).Output()
	if err != nil {
		t.Fatalf("as %s: %v: %s", who.Name, err, stderrOf(err))
	}
	ended := map[string]string{}
	if err := json.Unmarshal(out, &ended); err != nil {
		t.Fatalf("as %s: %v: %s", who.Name, err, out)
	}
	return ended
}

func stderrOf(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(exit.Stderr)
	}
	return ""
}

// asksAsAgent has the agent's user do what its credential is for, through the
// port and through the socket, and then what it is not for.
func asksAsAgent(t *testing.T, root string, g *guard, robot Account) {
	t.Helper()
	out, err := helper(t, robot, "ask", g.url, root+AgentSocket, filepath.Join(root, TokenDir, robot.Name+".token")).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderrOf(err))
	}
	var codes map[string]int
	if err := json.Unmarshal(out, &codes); err != nil {
		t.Fatal(err)
	}
	if codes["decide by port"] != http.StatusOK || codes["decide by socket"] != http.StatusOK {
		t.Errorf("the agent cannot ask: %v", codes)
	}
	if codes["approvals by port"] < 400 || codes["approvals by socket"] < 400 || len(codes) != 4 {
		t.Errorf("the agent can read what is for approvers: %v", codes)
	}
}

// helper is this test's own program as another user's process.
func helper(t *testing.T, who Account, args ...string) *exec.Cmd {
	t.Helper()
	path := filepath.Join(passable(t), "helper")
	f, err := os.Open(executable(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := (want{0o755, 0, 0}).write(path, f); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = "/", []string{helperVariable + "=1"}
	cmd.SysProcAttr = as(who.UID, who.GID)
	return cmd
}

// asOther runs tests of this package again, as nobody.
func asOther(t *testing.T, tests string) {
	t.Helper()
	dir := filepath.Join(passable(t), "tmp")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd := helper(t, Account{Name: "nobody", UID: nobody, GID: nobody}, "-test.run=^("+tests+")$", "-test.v")
	cmd.Env = []string{"TMPDIR=" + dir}
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if passed := strings.Count(string(out), "\n--- PASS: ") + strings.Count(string(out), "\r--- PASS: "); err != nil || passed != strings.Count(tests, "|")+1 {
		t.Errorf("as nobody: %v, %d passed\n%s", err, passed, out)
	}
}

// TestAsOther runs what needs no root without it, when root runs the tests.
func TestAsOther(t *testing.T) {
	if os.Geteuid() != 0 {
		TestStaged(t)
		return
	}
	asOther(t, "TestStaged|TestModesAreMended|TestEditedUnit|TestLinks|TestServiceInstalled|TestServiceRestarted|TestWithoutSystemd|"+
		"TestAccountsOfOthers|TestServiceUninstalled|TestToken|TestTokenOfAnother|TestTokenNotMadeYet|TestAgentsUser|TestOthersOnTheWay|TestThisMachine|TestStagedADB|TestOthersAtThePort|TestKeysOfOthers|TestRootsProgram")
}
