package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/adb/fronttest"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/wire"
)

// guardIn is set for a process that is to be a guard with its server in a
// folder, until it is killed.
const guardIn = "COUNTERSIGN_TEST_GUARD_IN"

func TestMain(m *testing.M) {
	dir := os.Getenv(guardIn)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := upstream.Start(context.Background(), upstream.HiddenOptions{Dir: dir, Env: fronttest.Quiet}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	select {}
}

// messages is a log whose messages come over a channel.
type messages chan string

func (m messages) Enabled(context.Context, slog.Level) bool { return true }
func (m messages) WithAttrs([]slog.Attr) slog.Handler       { return m }
func (m messages) WithGroup(string) slog.Handler            { return m }
func (m messages) Handle(_ context.Context, r slog.Record) error {
	m <- r.Message
	return nil
}

// await waits for a message that says something.
func (m messages) await(t *testing.T, what string) {
	t.Helper()
	patience := time.After(3 * time.Minute)
	for {
		select {
		case said := <-m:
			if strings.Contains(said, what) {
				return
			}
		case <-patience:
			t.Fatalf("nobody said %q", what)
		}
	}
}

func start(t *testing.T, o upstream.HiddenOptions) *upstream.Hidden {
	t.Helper()
	fronttest.Program(t)
	o.Env = fronttest.Quiet
	h, err := upstream.Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Stop() })
	return h
}

// The server answers, nobody else can reach it, its key is its own, and when it
// is stopped nothing is left of it.
func TestHidden(t *testing.T) {
	dir := filepath.Join(fronttest.Folder(t), "adb")
	h := start(t, upstream.HiddenOptions{Dir: dir})
	if version, err := h.Server().Query(t.Context(), "host:version"); err != nil || len(version) != 4 {
		t.Errorf("version %q, %v", version, err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info.Mode(), err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".android", "adbkey")); err != nil {
		t.Errorf("the server's key: %v", err)
	}
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	<-h.Done()
	if _, err := h.Server().Query(t.Context(), "host:version"); err == nil {
		t.Error("a server that was stopped answers")
	}
	if _, err := os.Lstat(h.Server().Address); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its socket: %v", err)
	}
}

// mortal is an adb program whose process can be killed. Asked to end ("host:kill")
// a server with a phone now and then stays for good in its exit.
func mortal(t *testing.T) (program string, kill func()) {
	t.Helper()
	dir := fronttest.Folder(t)
	program, number := filepath.Join(dir, "adb"), filepath.Join(dir, "pid")
	script := fmt.Sprintf("#!/bin/sh\necho $$ >%s\nexec %s \"$@\"\n", number, fronttest.Program(t))
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return program, func() {
		t.Helper()
		text, err := os.ReadFile(number)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A server that dies is started again, without forwards, and phones over TCP are
// found again.
func TestHiddenDies(t *testing.T) {
	phone := fronttest.NewPhone(t)
	said := make(messages, 100)
	program, kill := mortal(t)
	h := start(t, upstream.HiddenOptions{Dir: fronttest.Folder(t), ADB: program, Log: slog.New(said)})
	if err := h.Connect(t.Context(), phone.Addr); err != nil {
		t.Fatal(err)
	}
	if err := h.Connect(t.Context(), "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "could not connect") {
		t.Errorf("connecting to nobody: %v", err)
	}
	phones := upstream.NewPhones(h.Server())
	defer phones.Close()
	for range 2 {
		kill()
		said.await(t, "is started again")
		said.await(t, "was found again")
		p, _, err := phones.Resolve(t.Context(), wire.Selector{})
		if err != nil || p.Serial() != phone.Addr {
			t.Errorf("the phone is %q, %v", p.Serial(), err)
		}
	}
}

// A server that a killed guard has left behind is ended by the next, and a socket
// without a server is no hindrance. A guard that lives is left alone.
func TestHiddenTakesOver(t *testing.T) {
	dir := fronttest.Folder(t)
	server := wire.Server{Network: "unix", Address: filepath.Join(dir, "adb.sock")}
	left := exec.Command(fronttest.Program(t), "-L", "localfilesystem:"+server.Address, "start-server")
	left.Env = append([]string{"HOME=" + dir, "TMPDIR=" + dir}, fronttest.Quiet...)
	if out, err := left.CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	old := watch(t, server)
	h := start(t, upstream.HiddenOptions{Dir: dir})
	old.awaitEnd(t)
	if _, err := upstream.Start(t.Context(), upstream.HiddenOptions{Dir: dir}); err == nil || !strings.Contains(err.Error(), "another guard") {
		t.Errorf("a second guard in the same folder: %v", err)
	}
	if _, err := h.Server().Query(t.Context(), "host:version"); err != nil {
		t.Errorf("the first guard's server after that: %v", err)
	}
	_ = h.Stop()

	stale, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: server.Address})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	_ = stale.Close()
	h = start(t, upstream.HiddenOptions{Dir: dir})
	if _, err := h.Server().Query(t.Context(), "host:version"); err != nil {
		t.Errorf("after a stale socket: %v", err)
	}
}

// watched is a connection to a server that shows when it ends.
type watched struct{ net.Conn }

func watch(t *testing.T, s wire.Server) watched {
	t.Helper()
	c, err := wire.ServerDial(t.Context(), s.Network, s.Address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := errors.Join(c.SetDeadline(time.Now().Add(time.Minute)), wire.WriteRequest(c, "host:track-devices"), wire.ReadStatus(c)); err != nil {
		t.Fatal(err)
	}
	return watched{c}
}

func (w watched) awaitEnd(t *testing.T) {
	t.Helper()
	if _, err := io.Copy(io.Discard, w); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal("the server does not end")
	}
}

// With a guard that is killed its server ends as well.
func TestHiddenDiesWithTheGuard(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("only Linux has a way to do this; elsewhere the next start ends what was left")
		return
	}
	dir := fronttest.Folder(t)
	guard := exec.Command(os.Args[0])
	guard.Env = append(os.Environ(), guardIn+"="+dir)
	out, err := guard.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := guard.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, 5)
	if _, err := io.ReadFull(out, ready); err != nil || string(ready) != "ready" {
		t.Fatalf("the guard said %q, %v", ready, err)
	}
	server := watch(t, wire.Server{Network: "unix", Address: filepath.Join(dir, "adb.sock")})
	if err := guard.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = guard.Wait()
	server.awaitEnd(t)
}

func TestHiddenErrors(t *testing.T) {
	fronttest.Program(t)
	dir := fronttest.Folder(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, c := range []struct {
		o    upstream.HiddenOptions
		says string
	}{
		{upstream.HiddenOptions{}, "folder of its own"},
		{upstream.HiddenOptions{Dir: file}, "file"},
		{upstream.HiddenOptions{Dir: link}, "is no folder"},
		{upstream.HiddenOptions{Dir: filepath.Join(dir, strings.Repeat("x", 100))}, "too long for a socket"},
		{upstream.HiddenOptions{Dir: dir, ADB: "/nowhere/adb"}, "install it"},
		{upstream.HiddenOptions{Dir: dir, ADB: "false"}, "exit status 1"},
	} {
		cases++
		if _, err := upstream.Start(t.Context(), c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	if cases != 6 {
		t.Fatalf("%d cases", cases)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := upstream.Start(ctx, upstream.HiddenOptions{Dir: dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("with its context at an end: %v", err)
	}
}

// A phone is what the server calls it, whichever way it was selected, and opens
// services there.
func TestPhone(t *testing.T) {
	phone := fronttest.NewPhone(t)
	server := fronttest.Server(t, phone.Addr).Server()
	phones := upstream.NewPhones(server)
	defer phones.Close()
	cases := 0
	for _, sel := range []wire.Selector{{}, {Kind: wire.SelectLocal}, {Kind: wire.SelectSerial, Serial: phone.Addr}, {Kind: wire.SelectTransportID, ID: 1}, {Kind: wire.SelectSerial, Serial: "model:Test_1"}} {
		cases++
		p, id, err := phones.Resolve(t.Context(), sel)
		if err != nil || p.Serial() != phone.Addr || id != 1 {
			t.Errorf("%+v: %q %d %v", sel, p.Serial(), id, err)
		}
	}
	if cases != 5 {
		t.Fatalf("%d cases", cases)
	}
	var failure *wire.Failure
	if _, _, err := phones.Resolve(t.Context(), wire.Selector{Kind: wire.SelectUSB}); !errors.As(err, &failure) {
		t.Errorf("a phone on USB: %v", err)
	}
	p := upstream.NewPhone(server, phone.Addr)
	c, err := p.Open(t.Context(), "exec:true")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if said, err := io.ReadAll(c); string(said) != "ran true\n" || err != nil {
		t.Errorf("a service: %q, %v", said, err)
	}
	if _, err := p.Open(t.Context(), "tcp:1"); !errors.As(err, &failure) || failure.Message != "closed" {
		t.Errorf("a service that the phone refuses: %v", err)
	}
}

// phoneStub opens nothing and counts.
type phoneStub struct{ opened int }

func (p *phoneStub) Serial() string { return "x" }
func (p *phoneStub) Open(context.Context, string) (net.Conn, error) {
	p.opened++
	return nil, io.EOF
}

// What a client asked for is not opened when it is gone; what the gate asks for
// itself is not its business.
func TestChecked(t *testing.T) {
	gone := errors.New("gone")
	stub := &phoneStub{}
	p := upstream.Checked(stub)
	checks := 0
	ctx := upstream.WithClient(t.Context(), "exec:x", func(context.Context) error { checks++; return gone })
	for range 2 {
		if _, err := p.Open(ctx, "exec:x"); !errors.Is(err, gone) {
			t.Errorf("for a client that is gone: %v", err)
		}
	}
	if _, err := upstream.NewPhone(wire.Server{Network: "unix", Address: "/nowhere"}, "x").Open(ctx, "exec:x"); !errors.Is(err, gone) {
		t.Errorf("a phone behind a server, for a client that is gone: %v", err)
	}
	if checks != 1 || stub.opened != 0 {
		t.Errorf("%d checks, %d opened", checks, stub.opened)
	}
	if _, err := p.Open(ctx, "exec:y"); !errors.Is(err, io.EOF) || stub.opened != 1 {
		t.Errorf("another service: %v", err)
	}
	if _, err := p.Open(t.Context(), "exec:x"); !errors.Is(err, io.EOF) || stub.opened != 2 {
		t.Errorf("without a client: %v", err)
	}
}
