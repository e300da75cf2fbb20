package adb_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/wire"
)

// files is a client of the sync service.
type files struct {
	f *fixture
	c net.Conn
	s chan error
}

func (f *fixture) files() *files {
	f.t.Helper()
	near, far := net.Pipe()
	x := &files{f: f, c: near, s: make(chan error, 1)}
	client := adb.Buffered(far, func() error { return nil }, func(string) error {
		f.t.Error("the service itself was refused")
		return nil
	})
	go func() { x.s <- f.device.Serve(f.ctx, "sync:", client) }()
	return x
}

func (x *files) ask(q wire.SyncRequest) {
	x.f.t.Helper()
	x.f.must(wire.WriteSyncRequest(x.c, q))
}

func (x *files) push(path, text string) error {
	x.f.t.Helper()
	x.ask(wire.SyncRequest{ID: wire.SyncSEND, Path: path, Mode: 0o100644})
	w := wire.NewSyncWriter(x.c)
	_, err := io.WriteString(w, text)
	x.f.must(err)
	x.f.must(w.Done(1))
	return wire.ReadSyncStatus(x.c)
}

func (x *files) pull(path string) (string, error) {
	x.f.t.Helper()
	x.ask(wire.SyncRequest{ID: wire.SyncRECV, Path: path})
	data, err := io.ReadAll(wire.NewSyncReader(x.c))
	return string(data), err
}

func (x *files) quit() {
	x.f.t.Helper()
	x.ask(wire.SyncRequest{ID: wire.SyncQUIT})
	x.f.must(<-x.s)
	x.c.Close()
}

// told is the message of a failure that the gate sent; empty for none.
func told(err error) string {
	var f *wire.Failure
	if errors.As(err, &f) {
		return f.Message
	}
	return ""
}

// Names and sizes are looks, and so is a file that gives nothing away.
func TestSyncReads(t *testing.T) {
	f := newFixture(t, hurried)
	f.phone.write("/system/build.prop", strings.Repeat("x", 300_000))
	x := f.files()
	x.ask(wire.SyncRequest{ID: wire.SyncSTAT, Path: "/sdcard/a"})
	if _, s, err := wire.ReadSyncStat(x.c); err != nil || s.Size != 3 {
		t.Errorf("stat: %+v, %v", s, err)
	}
	x.ask(wire.SyncRequest{ID: wire.SyncLIST, Path: "/sdcard"})
	var names []string
	for {
		name, _, err := wire.ReadSyncDent(x.c, wire.SyncDENT)
		if err != nil {
			break
		}
		names = append(names, name)
	}
	if !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("list: %q", names)
	}
	if text, err := x.pull("/system/build.prop"); err != nil || len(text) != 300_000 {
		t.Errorf("pull: %d bytes, %v", len(text), err)
	}
	if _, err := x.pull("/system/none"); told(err) != "no such file" {
		t.Errorf("pull of nothing: %v", err)
	}
	x.quit()
}

// Somebody's data is asked about, and the service goes on behind a refusal.
func TestSyncRefuses(t *testing.T) {
	f := newFixture(t, hurried)
	for path, want := range map[string]string{
		"/sdcard/DCIM/a.jpg": "not answered yet", "/data/local/tmp/x": "not answered yet", "/data/misc/adb/adb_keys": "Refused",
		"/system/app/x.apk": "Refused", "/sdcard/../data/misc/adb/adb_keys": "Refused", "/dev/input/event1": "not answered yet",
		"/sdcard/a'; reboot; '": "not answered yet",
	} {
		x := f.files()
		if err := x.push(path, strings.Repeat("y", 200_000)); !strings.Contains(told(err), want) {
			t.Errorf("push to %s: %v", path, err)
		}
		x.ask(wire.SyncRequest{ID: wire.SyncSTAT, Path: "/sdcard"})
		if _, _, err := wire.ReadSyncStat(x.c); err != nil {
			t.Errorf("behind a refused push: %v", err)
		}
		x.quit()
	}
	x := f.files()
	if _, err := x.pull("/sdcard/DCIM/a.jpg"); !strings.Contains(told(err), "not answered yet") {
		t.Errorf("pull: %v", err)
	}
	x.quit()
	for _, what := range f.phone.record() {
		if what != "sync:" && what != "sync STAT /sdcard" {
			t.Errorf("the phone got %q", what)
		}
	}
}

// What is pushed after a yes arrives whole, and a command that runs it is bound to
// its content.
func TestStaging(t *testing.T) {
	f := newFixture(t)
	push := func(text string) {
		t.Helper()
		x := f.files()
		done := make(chan error, 1)
		go func() { done <- x.push("/data/local/tmp/x.sh", text) }()
		f.answer(f.question(), true)
		f.must(<-done)
		x.quit()
	}
	ask := func() string {
		t.Helper()
		c := f.begin("shell:sh /data/local/tmp/x.sh", "")
		q := f.question()
		c.hangUp()
		c.wait()
		return q.Digest
	}
	before := ask()
	push(strings.Repeat("echo 1\n", 40_000))
	if f.phone.files["/data/local/tmp/x.sh"] != strings.Repeat("echo 1\n", 40_000) {
		t.Error("the file did not arrive as it was sent")
	}
	first, again := ask(), ask()
	push("echo 2\n")
	second := ask()
	if first != again || first == second || first == before || second == before {
		t.Errorf("digests of running a file: not pushed %s, %s and %s, then another %s", before, first, again, second)
	}
}

// The screenshot that the agent has just made passes; what lay there before, and
// what it did not make, does not.
func TestOwnCapture(t *testing.T) {
	f := newFixture(t, hurried)
	capture := func(line, file string) {
		f.phone.serving["shell:"+line] = func(c net.Conn) {
			f.phone.write(file, "PNG")
			c.Close()
		}
		if r := f.serve("shell:"+line, ""); !r.passed() {
			t.Fatalf("%q: %+v", line, r)
		}
	}
	pulled := func(file string) bool {
		x := f.files()
		defer x.quit()
		_, err := x.pull(file)
		return told(err) == ""
	}
	f.phone.write("/sdcard/mine.png", "private")
	if pulled("/sdcard/mine.png") {
		t.Error("a file of the owner's passed")
	}
	if r := f.serve("shell:screencap -p /sdcard/mine.png", ""); !r.passed() {
		t.Errorf("a screenshot: %+v", r)
	}
	if pulled("/sdcard/mine.png") { // the phone did not write it
		t.Error("a screenshot that failed let the owner's file pass")
	}
	capture("screencap -p /sdcard/shot.png", "/sdcard/shot.png")
	if !pulled("/sdcard/shot.png") {
		t.Error("the agent's own screenshot did not pass")
	}
	capture("screencap -p /sdcard/mine.png", "/sdcard/mine.png")
	if !pulled("/sdcard/mine.png") {
		t.Error("the screenshot in place of a file did not pass")
	}
	for _, line := range []string{"shell:cat /sdcard/shot.png", "shell:rm /sdcard/shot.png", "exec:base64 /sdcard/shot.png"} {
		if r := f.serve(line, ""); !r.passed() {
			t.Errorf("%q: %+v", line, r)
		}
	}
	for _, line := range []string{"shell:rm /sdcard/shot.png /sdcard/other.png", "shell:cat /sdcard/other.png", "shell:cat /sdcard/shot.png; reboot"} {
		if r := f.serve(line, ""); r.passed() {
			t.Errorf("%q passed", line)
		}
	}
}

// What cannot be read is answered, and ends the service.
func TestSyncUnread(t *testing.T) {
	f := newFixture(t)
	x := f.files()
	f.must(wire.WriteSyncHeader(x.c, wire.SyncRCV2, 1))
	_, err := io.WriteString(x.c, "/RCV2\x01\x00\x00\x00") // with compression
	f.must(err)
	if _, err := io.ReadAll(wire.NewSyncReader(x.c)); !strings.Contains(told(err), "cannot be read here") {
		t.Errorf("told %v", err)
	}
	if err := <-x.s; !errors.Is(err, wire.ErrProtocol) {
		t.Errorf("ended with %v", err)
	}
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// A link leads wherever it says: it is asked about.
func TestSyncLink(t *testing.T) {
	f := newFixture(t, hurried)
	x := f.files()
	x.ask(wire.SyncRequest{ID: wire.SyncSEND, Path: "/data/local/tmp/l", Mode: 0o120777})
	w := wire.NewSyncWriter(x.c)
	_, err := io.WriteString(w, "/sdcard/DCIM")
	f.must(err)
	f.must(w.Done(1))
	if err := wire.ReadSyncStatus(x.c); !strings.Contains(told(err), "a link on the phone") {
		t.Errorf("told %v", err)
	}
	x.quit()
}

// A client that hangs up in the middle of a file leaves nothing behind that waits.
func TestSyncGone(t *testing.T) {
	f := newFixture(t, observing)
	x := f.files()
	x.ask(wire.SyncRequest{ID: wire.SyncSEND, Path: "/data/local/tmp/x", Mode: 0o100644})
	f.must(wire.WriteSyncHeader(x.c, wire.SyncDATA, 1000))
	_, err := x.c.Write(bytes.Repeat([]byte("z"), 500))
	f.must(err)
	x.c.Close()
	if err := <-x.s; err == nil {
		t.Error("half a file ended well")
	}
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
