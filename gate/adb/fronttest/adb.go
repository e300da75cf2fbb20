package fronttest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/adb/upstream"
)

// Program is the adb of this machine. Without one the test fails: install the
// package adb (Debian) or the SDK's platform-tools.
func Program(t testing.TB) string {
	t.Helper()
	program, err := exec.LookPath("adb")
	if err != nil {
		t.Fatalf("this test needs the real adb: install it (apt-get install adb): %v", err)
	}
	return program
}

// Quiet is an environment that keeps an adb server from finding what else is on this machine.
var Quiet = []string{"ADB_EMU=0", "ADB_USB=0", "ADB_MDNS=0"}

// Folder is a folder for the test whose path is short enough for a socket.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Server starts a real adb server and connects it to phones.
func Server(t testing.TB, addresses ...string) *upstream.Hidden {
	t.Helper()
	h, err := upstream.Start(context.Background(), upstream.HiddenOptions{Dir: Folder(t), ADB: Program(t), Env: Quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Stop() })
	for _, a := range addresses {
		if err := h.Connect(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// Client is adb as an agent calls it.
type Client struct {
	t    testing.TB
	home string
	at   []string // arguments that say where the server is
}

// ClientOfPort is a client of an adb server at a port of this computer.
func ClientOfPort(t testing.TB, port string) *Client {
	return &Client{t: t, home: Folder(t), at: []string{"-H", "127.0.0.1", "-P", port}}
}

// ClientInPlace is a client that takes the port for its own server's, as clients
// do by themselves with 5037.
func ClientInPlace(t testing.TB, port string) *Client {
	return &Client{t: t, home: Folder(t), at: []string{"-P", port}}
}

// ClientOf is a client of a server at a socket.
func ClientOf(t testing.TB, h *upstream.Hidden) *Client {
	return &Client{t: t, home: Folder(t), at: []string{"-L", "localfilesystem:" + h.Server().Address}}
}

// Result is what a command said.
type Result struct {
	Out, Err string
	Code     int
}

// patience is how long a command may take before the test fails.
const patience = time.Minute

// Run runs adb with arguments.
func (c *Client) Run(args ...string) Result {
	c.t.Helper()
	cmd, end := c.Start(args...)
	_ = cmd
	return end()
}

// Start starts adb with arguments, and returns what waits for its end.
func (c *Client) Start(args ...string) (cmd *exec.Cmd, end func() Result) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	cmd = exec.CommandContext(ctx, Program(c.t), append(c.at, args...)...)
	cmd.Env = append([]string{"HOME=" + c.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + c.home}, Quiet...)
	cmd.Dir = c.home
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	return cmd, func() Result {
		c.t.Helper()
		defer cancel()
		err := cmd.Wait()
		if ctx.Err() != nil {
			c.t.Fatalf("adb %s took longer than %v; it said %q %q", strings.Join(args, " "), patience, out.String(), errOut.String())
		}
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			c.t.Fatal(err)
		}
		return Result{Out: out.String(), Err: errOut.String(), Code: cmd.ProcessState.ExitCode()}
	}
}

// Home is the folder in which the client runs.
func (c *Client) Home() string { return c.home }
