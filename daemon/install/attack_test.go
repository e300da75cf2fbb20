//go:build linux

package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
)

// helperVariable makes this test's program a process that attacks or asks. It
// runs as somebody else, so it cannot be a test.
const helperVariable = "COUNTERSIGN_INSTALL_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) == "" {
		os.Exit(m.Run())
	}
	var result any
	switch os.Args[1] {
	case "attack":
		pid, err := strconv.Atoi(os.Args[3])
		service, err2 := strconv.Atoi(os.Args[4])
		if err := errors.Join(err, err2); err != nil {
			panic(err)
		}
		result = tryAll(os.Args[2], pid, service)
	case "ask":
		result = askAll(os.Args[2], os.Args[3], os.Args[4])
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		panic(err)
	}
}

// attemptCount is how many attempts tryAll makes.
const attemptCount = 26

// tryAll tries everything and says of each how it ended: "" is success,
// "permission" is a refusal, anything else is in the system's words.
func tryAll(root string, pid, service int) map[string]string {
	home, binary := root+HomePath, root+BinaryPath
	proc := "/proc/" + strconv.Itoa(pid)
	ended := map[string]string{}
	try := func(name string, err error) {
		switch {
		case err == nil:
			ended[name] = ""
		case errors.Is(err, fs.ErrPermission):
			ended[name] = "permission"
		default:
			ended[name] = err.Error()
		}
	}
	for _, secret := range []string{"countersign.db", "digest.key", "ledger.key", "approver.token", agentToken} {
		_, err := os.ReadFile(filepath.Join(home, secret))
		try("read "+secret, err)
	}
	_, err := os.ReadDir(home)
	try("list the home", err)
	try("open the home", os.Chmod(home, 0o777)) // last that the owner may: see below
	try("write into the home", writeFile(filepath.Join(home, "planted")))
	try("connect to approver.sock", connect(filepath.Join(home, "approver.sock")))
	try("replace the home", os.Rename(home, home+".old"))
	try("link to the database", os.Link(filepath.Join(home, "countersign.db"), root+"/linked"))

	try("write the program", writeFile(binary))
	try("replace the program", os.Rename(os.Args[0], binary))
	try("remove the program", os.Remove(binary))
	try("mend the program's mode", os.Chmod(binary, 0o777))
	try("write the unit", writeFile(root+UnitPath))
	try("plant a drop-in", os.Mkdir(root+UnitPath+".d", 0o755))
	try("plant a credential", writeFile(filepath.Join(root, TokenDir, "planted.token")))
	try("read the agent's credential", readOthers(filepath.Join(root, TokenDir)))
	try("take the agents' socket away", os.Rename(root+AgentSocket, root+AgentSocket+".old"))

	try("signal", syscall.Kill(pid, 0))
	try("become the service user", become(service))
	try("trace", trace(pid))
	_, err = os.ReadFile(proc + "/environ")
	try("read the environment", err)
	memory, err := os.OpenFile(proc+"/mem", os.O_RDWR, 0)
	try("read the memory", errors.Join(err, memory.Close()))
	_, err = os.Readlink(proc + "/exe")
	try("see the program behind the process", err)
	return ended
}

func writeFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
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
