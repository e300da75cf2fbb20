package adbd

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/countersign/countersign/phone"
)

// bench is a phone, served, with a real adb server of its own connected to it.
type bench struct {
	t       *testing.T
	phone   *phone.Phone
	servers *Servers
	env     []string
	adb     string
	serial  string
}

// newBench serves a phone and connects an adb server to it that nobody else
// uses: its port and its home are this test's alone.
func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	adb, err := exec.LookPath("adb")
	if err != nil {
		t.Fatalf("this test needs adb: %v; install it with apt-get install adb", err)
	}
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if o.Servers == nil {
		o.Servers = &Servers{}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, p, o) }()
	b := &bench{
		t: t, phone: p, servers: o.Servers, adb: adb, serial: l.Addr().String(),
		env: []string{
			// Neither another adb's home and port, nor what listens where emulators do.
			"ANDROID_SERIAL=" + l.Addr().String(), "ADB_LOCAL_TRANSPORT_MAX_PORT=5553", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "ANDROID_ADB_SERVER_PORT=" + freePort(t), "TMPDIR=" + t.TempDir(), "ADB_MDNS=0",
		},
	}
	t.Cleanup(func() {
		b.run(nil, "kill-server")
		cancel()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	if out := b.must("connect", b.serial); !strings.Contains(out, "connected to "+b.serial) {
		t.Fatalf("adb connect: %s", out)
	}
	b.must("wait-for-device")
	return b
}

// freePort is a port that nobody uses.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		// Linux gives away ports from 32768 up: a client that knocks at one of those,
		// where no server is yet, may find itself.
		port := strconv.Itoa(15000 + rand.IntN(15000))
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
}

// run runs adb.
func (b *bench) run(stdin []byte, args ...string) (stdout, stderr []byte, code int) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.adb, args...)
	cmd.Env = b.env
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.t.Fatalf("adb %q: %v", args, err)
	}
	if ctx.Err() != nil {
		b.t.Fatalf("adb %q did not end; so far %q %q", args, out.String(), errs.String())
	}
	return out.Bytes(), errs.Bytes(), cmd.ProcessState.ExitCode()
}

// must runs adb, which has to succeed, and returns what it wrote.
func (b *bench) must(args ...string) string {
	b.t.Helper()
	out, errs, code := b.run(nil, args...)
	if code != 0 {
		b.t.Fatalf("adb %q ended with %d: %s%s", args, code, out, errs)
	}
	return string(out)
}

// awaitFile returns once a file on the phone holds something.
func (b *bench) awaitFile(name, want string) {
	b.t.Helper()
	for over := time.Now().Add(3 * time.Minute); time.Now().Before(over); time.Sleep(time.Millisecond) {
		if data, err := b.phone.Files().ReadFile(name); err == nil && string(data) == want {
			return
		}
	}
	b.t.Fatalf("%s never holds %q", name, want)
}

// services are the services that reached the phone.
func (b *bench) services() []string {
	var all []string
	for _, e := range b.phone.Record() {
		if e.Kind == "service" {
			all = append(all, e.Detail)
		}
	}
	return all
}

// commandContext is adb as a process that can be killed.
func commandContext(ctx context.Context, b *bench, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.adb, args...)
	cmd.Env = b.env
	return cmd
}
