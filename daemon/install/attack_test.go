//go:build linux

package install

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/countersign/countersign/daemon"
)

// helperVariable makes this test's program a process that attacks or asks. It
// runs as somebody else, so it cannot be a test.
const helperVariable = "COUNTERSIGN_INSTALL_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) == "" {
		os.Exit(m.Run())
	}
	var result any
	var failed error
	switch os.Args[1] {
	case "attack":
		pid, err := strconv.Atoi(os.Args[4])
		service, err2 := strconv.Atoi(os.Args[5])
		if err := errors.Join(err, err2); err != nil {
			panic(err)
		}
		result = tryAll(suites[os.Args[2]](os.Args[3], pid, service), service)
	case "ask":
		result, failed = askAll(os.Args[2], os.Args[3], os.Args[4])
	}
	if err := errors.Join(failed, json.NewEncoder(os.Stdout).Encode(result)); err != nil {
		panic(err)
	}
}

// attempt is one thing that a malicious agent would try.
type attempt struct {
	name string
	do   func() error
	// own is how it ends for the service user itself: the attempts that he may,
	// and must not for root's files. Those without would break the guard.
	own string
}

// suites are the attempts by the name of what they are made on.
var suites = map[string]func(root string, pid, service int) []attempt{"guard": attempts, "adb": adbAttempts}

const (
	may    = "done"
	mayNot = "permission"
)

// attempts are those on the guard: the files below root and the process pid.
func attempts(root string, pid, service int) []attempt {
	home, binary := root+HomePath, root+BinaryPath
	var all []attempt
	for _, name := range []string{"countersign.db", "digest.key", "ledger.key", "ledger.pub", "inbox.name", "approver.token", agentToken} {
		all = append(all, attempt{"read " + name, func() error { return readFile(filepath.Join(home, name)) }, may})
	}
	all = append(all, []attempt{
		{"list the home", func() error { _, err := os.ReadDir(home); return err }, may},
		{"connect to the owner's socket", func() error { return connect(filepath.Join(home, "approver.sock")) }, may},
		{"open the home", func() error { return os.Chmod(home, 0o777) }, ""},
		{"write into the home", func() error { return writeFile(filepath.Join(home, "planted")) }, ""},
		{"link to the database", func() error { return os.Link(filepath.Join(home, "countersign.db"), home+"/linked") }, ""},
		{"move the home away", func() error { return os.Rename(home, home+".old") }, mayNot},

		{"write the program", func() error { return writeFile(binary) }, mayNot},
		{"move the program away", func() error { return os.Rename(binary, binary+".old") }, mayNot},
		{"remove the program", func() error { return os.Remove(binary) }, mayNot},
		{"put a file beside the program", func() error { return os.Symlink("/bin/true", binary+".new") }, mayNot},
		{"open the program's mode", func() error { return os.Chmod(binary, 0o777) }, mayNot},
		{"write the unit", func() error { return writeFile(root + UnitPath) }, mayNot},
		{"plant a drop-in", func() error { return os.Mkdir(root+UnitPath+".d", 0o755) }, mayNot},

		{"read another agent's credential", func() error { return readOthers(filepath.Join(root, TokenDir)) }, mayNot},
		{"plant a credential", func() error { return writeFile(filepath.Join(root, TokenDir, "planted.token")) }, mayNot},
		{"take the agents' socket away", func() error { return os.Rename(root+AgentSocket, root+AgentSocket+".old") }, ""},
		{"become the service user", func() error { return syscall.Setuid(service) }, may},
	}...)
	return append(all, onProcess(pid)...)
}

// adbAttempts are those on the adb server that the guard hides, process pid, and
// on what it knows phones by.
func adbAttempts(root string, pid, _ int) []attempt {
	home := root + HomePath
	hidden := filepath.Join(home, daemon.ADBFolder)
	key := filepath.Join(hidden, ".android", "adbkey")
	return append([]attempt{
		{"connect to the hidden adb server", func() error { return connect(filepath.Join(hidden, "adb.sock")) }, may},
		{"read the key", func() error { return readFile(key) }, may},
		{"read the key's public part", func() error { return readFile(key + ".pub") }, may},
		{"put another key there", func() error { return writeFile(key) }, may},
		{"list the hidden server's folder", func() error { _, err := os.ReadDir(hidden); return err }, may},
		{"open the hidden server's folder", func() error { return os.Chmod(hidden, 0o777) }, ""},
		{"take the hidden server's socket away", func() error { return os.Remove(filepath.Join(hidden, "adb.sock")) }, ""},
		{"read which helpers were let in", func() error { return readFile(filepath.Join(home, daemon.HelpersFile)) }, may},
		{"let a helper in", func() error { return writeFile(filepath.Join(home, daemon.HelpersFile)) }, may},
		{"read the store", func() error { return readFile(filepath.Join(home, "countersign.db")) }, may},
	}, onProcess(pid)...)
}

// onProcess are the attempts on a process.
func onProcess(pid int) []attempt {
	proc := "/proc/" + strconv.Itoa(pid) + "/"
	return []attempt{
		{"signal", func() error { return syscall.Kill(pid, 0) }, may},
		{"kill", func() error { return syscall.Kill(pid, syscall.SIGKILL) }, ""},
		{"trace", func() error { return trace(pid) }, ""},
		{"open the memory", func() error { return openMemory(proc + "mem") }, ""}, // may depend on the kernel's set-up
		{"read the environment", func() error { return readFile(proc + "environ") }, may},
		{"list the open files", func() error { _, err := os.ReadDir(proc + "fd"); return err }, may},
	}
}

// tryAll tries what a user may be let try and says of each how it ended: done,
// permission, or in the system's own words.
func tryAll(all []attempt, service int) map[string]string {
	ended := map[string]string{}
	for _, a := range all {
		if os.Getuid() == service && a.own == "" {
			continue
		}
		switch err := a.do(); {
		case err == nil:
			ended[a.name] = may
		case errors.Is(err, fs.ErrPermission):
			ended[a.name] = mayNot
		default:
			ended[a.name] = err.Error()
		}
	}
	return ended
}

func readFile(path string) error {
	_, err := os.ReadFile(path)
	return err
}

// readOthers reads the first credential that is not the process's own.
func readOthers(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		if uid, _ := ownerOf(info); uid != os.Getuid() {
			return readFile(filepath.Join(dir, e.Name()))
		}
	}
	return errors.New("there is no other agent's credential")
}

func writeFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func openMemory(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func connect(path string) error {
	c, err := net.Dial("unix", path)
	if err != nil {
		return err
	}
	return c.Close()
}

func trace(pid int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.PtraceAttach(pid); err != nil {
		return err
	}
	return syscall.PtraceDetach(pid)
}

// askAll asks the guard with a credential, by its port and by its socket, and
// returns the status codes. Listing questions is for approvers only.
func askAll(url, socket, token string) (map[string]int, error) {
	secret, err := os.ReadFile(token)
	if err != nil {
		return nil, err
	}
	bySocket := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	codes := map[string]int{}
	for way, client := range map[string]*http.Client{"port": http.DefaultClient, "socket": bySocket} {
		base := url
		if way == "socket" {
			base = "http://localhost"
		}
		for what, r := range map[string]struct{ method, path, body string }{
			"decide":    {http.MethodPost, "/v1/decide", `{"action":{"kind":"back"}}`},
			"approvals": {http.MethodGet, "/v1/approvals", ""},
		} {
			request, err := http.NewRequest(r.method, base+r.path, strings.NewReader(r.body))
			if err != nil {
				return nil, err
			}
			request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(secret)))
			request.Header.Set("Content-Type", "application/json")
			response, err := client.Do(request)
			if err != nil {
				return nil, err
			}
			response.Body.Close()
			codes[what+" by "+way] = response.StatusCode
		}
	}
	return codes, nil
}
