package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
)

// phones are the scripts' simulated phones by their address, and gates what stops
// the scripts' gates.
var phones, gates sync.Map

// scriptPatience is how long a script waits for what has to come.
const scriptPatience = 3 * time.Minute

// phoneScript runs a simulated phone until the script ends.
func phoneScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: phone NAME")
	}
	p, err := phone.New(phone.Options{})
	ts.Check(err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- adbd.Serve(ctx, l, p, adbd.Options{Launches: automation.Launches()}) }()
	addr := l.Addr().String()
	phones.Store(addr, p)
	ts.Setenv(args[0], addr)
	ts.Defer(func() {
		phones.Delete(addr)
		stop()
		if err := <-done; err != nil {
			ts.Logf("the phone: %v", err)
		}
	})
}

// phoneOf is the phone with an address.
func phoneOf(ts *testscript.TestScript, addr string) *phone.Phone {
	p, ok := phones.Load(addr)
	if !ok {
		ts.Fatalf("no phone is at %s", addr)
	}
	return p.(*phone.Phone)
}

// setScript writes a setting of a phone, as its owner does at hand.
func setScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: set ADDR NAMESPACE KEY VALUE")
	}
	phoneOf(ts, args[0]).SetSetting(args[1], args[2], args[3])
}

// deedsScript wants that a phone has done this and nothing else.
func deedsScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: deeds ADDR 'WHAT OBJECT, ...'")
	}
	var deeds []string
	for _, e := range phoneOf(ts, args[0]).Effects() {
		deeds = append(deeds, e.What+" "+e.Object)
	}
	if got := strings.Join(deeds, ", "); got != args[1] {
		ts.Fatalf("the phone has done %q, want %q", got, args[1])
	}
}

// quiet is the machine's adb, as a program that looks for no phones by itself.
func quiet(ts *testscript.TestScript) string {
	adb, err := exec.LookPath("adb")
	if err != nil {
		ts.Fatalf("these scripts need the real adb: install it (apt-get install adb): %v", err)
	}
	path := ts.MkAbs("quiet-adb")
	ts.Check(os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\n%s exec %s \"$@\"\n", strings.Join(quietADB, " "), adb), 0o700))
	return path
}

// gateScript runs "countersign adb" on free ports until the script ends, or until
// "gone NAME". What it prints is in NAME.txt, and $NAME is the address of its gate.
func gateScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: gate NAME HOME [FLAGS]")
	}
	name := args[0]
	flags := []string{"adb", "--home", ts.MkAbs(args[1]), "--agents", "127.0.0.1:0", "--inbox", "127.0.0.1:0", "--adb", quiet(ts)}
	cmd := exec.Command(filepath.Join(ts.Getenv("BIN"), "countersign"), append(flags, args[2:]...)...)
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.MkAbs("."), "COLUMNS=100"}
	says, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	greeting := make(chan string, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		var said strings.Builder
		lines := bufio.NewScanner(says)
		for lines.Scan() {
			said.WriteString(lines.Text() + "\n")
			if strings.HasPrefix(lines.Text(), "  record ") {
				break
			}
		}
		greeting <- said.String()
		_, _ = io.Copy(io.Discard, says)
	}()
	stop := sync.OnceFunc(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-read
		if err := cmd.Wait(); err != nil {
			ts.Logf("the gate: %v", err)
		}
	})
	gates.Store(ts.MkAbs(name), stop)
	ts.Defer(stop)
	select {
	case said := <-greeting:
		ts.Check(os.WriteFile(ts.MkAbs(name+".txt"), []byte(said), 0o600))
		at := regexp.MustCompile(`(?:adb server|guarded phone is) at (127\.0\.0\.1:[0-9]+)`).FindStringSubmatch(said)
		if at == nil {
			ts.Fatalf("the gate is nowhere:\n%s", said)
		}
		ts.Setenv(name, at[1])
	case <-time.After(scriptPatience):
		ts.Fatalf("the gate did not start")
	}
}

// goneScript ends a gate.
func goneScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone NAME")
	}
	stop, ok := gates.Load(ts.MkAbs(args[0]))
	if !ok {
		ts.Fatalf("there is no gate %s", args[0])
	}
	stop.(func())()
}

// questionScript waits for a question and sets $NAME to its id and $NAME_DIGEST to
// its digest.
func questionScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: question NAME HOME")
	}
	home := ts.MkAbs(args[1])
	owner, err := client.Open(client.Options{
		Socket: filepath.Join(home, daemon.SocketFile), TokenFile: filepath.Join(home, daemon.ApproverTokenFile), How: "terminal",
	})
	ts.Check(err)
	defer owner.Close()
	ctx, cancel := context.WithTimeout(context.Background(), scriptPatience)
	defer cancel()
	for seen := ""; ; {
		list, err := owner.Wait(ctx, seen, scriptPatience)
		ts.Check(err)
		for i := range list.Approvals {
			if a := &list.Approvals[i]; a.State == approval.Pending { // not the one before, still at work
				ts.Setenv(args[0], a.ID)
				ts.Setenv(args[0]+"_DIGEST", a.Digest)
				return
			}
		}
		seen = list.Version
	}
}

// ownersADBScript runs an adb server as the owner of the phones has one, and has
// the script's adb use it.
func ownersADBScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: owners-adb [ADDR...]")
	}
	dir, err := os.MkdirTemp("", "cs") // a socket's path has to be short
	ts.Check(err)
	h, err := upstream.Start(context.Background(), upstream.HiddenOptions{Dir: dir, Env: []string{"ADB_USB=0", "ADB_EMU=0", "ADB_MDNS=0"}})
	ts.Check(err)
	ts.Defer(func() {
		if err := errors.Join(h.Stop(), os.RemoveAll(dir)); err != nil {
			ts.Logf("the owner's adb: %v", err)
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), scriptPatience)
	defer cancel()
	for _, addr := range args {
		ts.Check(h.Connect(ctx, addr))
	}
	ts.Setenv("ADB_SERVER_SOCKET", "localfilesystem:"+h.Server().Address)
}
