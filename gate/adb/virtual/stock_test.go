package virtual_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/adb/fronttest"
	"github.com/countersign/countersign/gate/adb/virtual"
	"github.com/countersign/countersign/wire"
)

// What only asks and reads looks to the agent's own server as if the phone was
// the real one. SERIAL stands for the guarded phone's.
func TestStockServer(t *testing.T) {
	f := newFixture(t)
	cases := 0
	for _, c := range []struct {
		args    string
		out     string
		err     string
		code    int
		reached string
	}{
		{"devices", "SERIAL device", "", 0, ""},
		{"devices -l", "SERIAL device product:test model:Test_1 device:bench transport_id:1", "", 0, ""},
		{"get-state", "device", "", 0, ""},
		{"features", "shell_v2", "", 0, ""},
		{"shell echo hi", "ran echo hi", "", 0, "shell,v2,raw:echo hi"},
		{"exec-out echo hi", "ran echo 'hi'", "", 0, "exec:echo 'hi'"},
		{"shell -x echo hi", "ran echo hi", "", 0, "shell:echo hi"},
		{"forward localabstract:x tcp:6790", "", "", 0, ""}, // the agent's server listens where it likes
		{"forward --list", "SERIAL localabstract:x tcp:6790", "", 0, ""},
		{"forward --remove-all", "", "", 0, ""},
		{"reverse tcp:1 tcp:2", "", "error", 1, ""},
		{"root", "", "closed", 1, ""},
		{"tcpip 5555", "", "error", 1, ""},
		{"shell true", "ran true", "", 0, "shell,v2,raw:true"},
	} {
		cases++
		f.phone.Forget()
		serial := func(s string) string { return strings.ReplaceAll(s, "SERIAL", f.addr) }
		r := f.client.Run(strings.Fields(c.args)...)
		spaced := strings.Join(strings.Fields(r.Out), " ")
		if r.Code != c.code || !strings.Contains(spaced, serial(c.out)) || !strings.Contains(r.Err, c.err) {
			t.Errorf("adb %s: %d, out %q, err %q", c.args, r.Code, r.Out, r.Err)
		}
		if got := strings.Join(f.phone.Reached(), "|"); got != c.reached {
			t.Errorf("adb %s: the phone got %q, want %q", c.args, got, c.reached)
		}
	}
	if cases != 14 {
		t.Fatalf("%d cases", cases)
	}
	if r := f.client.Run("features"); strings.Contains(r.Out, "remount_shell") || !strings.Contains(r.Out, "abb_exec") {
		t.Errorf("the features are %q", r.Out)
	}
}

func TestStockServerFiles(t *testing.T) {
	f := newFixture(t)
	content := bytes.Repeat([]byte("0123456789abcdef"), 100_000)
	f.phone.Put("/data/local/tmp/big.txt", content)
	if r := f.client.Run("pull", "/data/local/tmp/big.txt", "big.txt"); r.Code != 0 {
		t.Fatalf("pull: %+v", r)
	}
	got, err := os.ReadFile(filepath.Join(f.client.Home(), "big.txt"))
	if err != nil || !bytes.Equal(got, content) {
		t.Fatalf("%d bytes were pulled, %v", len(got), err)
	}
	defer f.sayYes()()
	if r := f.client.Run("push", "big.txt", "/data/local/tmp/copy.txt"); r.Code != 0 {
		t.Fatalf("push: %+v", r)
	}
	if got, ok := f.phone.Get("/data/local/tmp/copy.txt"); !ok || !bytes.Equal(got, content) {
		t.Fatalf("%d bytes were pushed", len(got))
	}
}

// Told no: a shell in its own words, everything else by closing the stream.
func TestStockServerIsToldNo(t *testing.T) {
	f := newFixture(t)
	cases := 0
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"uninstall", "com.whatsapp"}, 126, "countersign"},
		{[]string{"shell", "pm clear com.whatsapp"}, 126, "countersign"},
		{[]string{"shell", "-x", "pm clear com.telegram"}, 1, "error"},
		{[]string{"exec-out", "pm clear org.telegram.messenger"}, 255, "error"},
	} {
		cases++
		_, end := f.client.Start(c.args...)
		q := f.question()
		if got := f.phone.Reached(); len(got) > 0 {
			t.Fatalf("while it is held the phone got %q", got)
		}
		if q.Device != f.phone.Addr {
			t.Errorf("the question is about the phone %q", q.Device)
		}
		f.must(f.answer(q, false))
		if r := end(); r.Code != c.code || !strings.Contains(r.Out+r.Err, c.says) {
			t.Errorf("adb %q said %+v", c.args, r)
		}
	}
	if cases != 4 {
		t.Fatalf("%d cases", cases)
	}
	if got := f.phone.Reached(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

func TestStockServerIsToldYes(t *testing.T) {
	f := newFixture(t)
	_, end := f.client.Start("exec-out", "pm clear com.whatsapp")
	f.must(f.answer(f.question(), true))
	if r := end(); r.Code != 0 || r.Out != "ran pm clear com.whatsapp\n" {
		t.Errorf("adb said %+v", r)
	}
	if got := f.phone.Reached(); !slices.Equal(got, []string{"exec:pm clear com.whatsapp"}) {
		t.Errorf("the phone got %q", got)
	}
}

// A shell's client that is killed is noticed at once, for its stream is open.
func TestStockServersShellIsKilled(t *testing.T) {
	f := newFixture(t)
	cmd, end := f.client.Start("shell", "pm clear com.whatsapp")
	q := f.question()
	f.must(cmd.Process.Kill())
	end()
	f.settled(q.ID, approval.Cancelled)
	if err := f.answer(q, true); err == nil {
		t.Error("a yes to a client that is gone was taken")
	}
	if got := f.phone.Reached(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// Of other clients an adb server does not say that they are gone, so it is found
// out before anything is done.
func TestStockServersOtherClientIsKilled(t *testing.T) {
	cases := 0
	for _, args := range [][]string{
		{"exec-out", "pm clear com.whatsapp"},
		{"shell", "-x", "pm clear com.telegram"},
	} {
		cases++
		f := newFixture(t, late)
		cmd, end := f.client.Start(args...)
		q := f.question()
		f.must(cmd.Process.Kill())
		end()
		_ = f.answer(q, true)
		f.settled(q.ID, approval.Failed, approval.Cancelled)
		if got := f.phone.Reached(); len(got) > 0 {
			t.Errorf("the phone got %q", got)
		}
	}
	if cases != 2 {
		t.Fatalf("%d cases", cases)
	}
}

// late is a clock on which everything takes an hour.
func late(s *settings) {
	var clock atomic.Int64
	s.front.Now = func() time.Time { return time.Unix(clock.Add(3600), 0) }
}

// A client that is still there is served, however long it has waited.
func TestStockServersClientWaits(t *testing.T) {
	f := newFixture(t, late)
	_, end := f.client.Start("exec-out", "pm clear org.telegram.messenger")
	f.must(f.answer(f.question(), true))
	if r := end(); r.Code != 0 || !strings.Contains(r.Out, "ran") {
		t.Errorf("a client that waited: %+v", r)
	}
}

// Without the guard the agent's server has no phone.
func TestGuardGone(t *testing.T) {
	f := newFixture(t)
	f.stop()
	r := f.client.Run("shell", "echo hi")
	if r.Code == 0 || strings.Contains(r.Out, "ran") {
		t.Errorf("adb without the guard: %+v", r)
	}
	if got := f.phone.Reached(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// When the real phone goes, so does the guarded one; when it is back, it can be
// connected to again.
func TestPhoneGone(t *testing.T) {
	f := newFixture(t)
	if r := f.client.Run("get-state"); r.Code != 0 {
		t.Fatalf("before: %+v", r)
	}
	gone := make(chan error, 1)
	go func() {
		gone <- f.own.Server().Command(t.Context(), "host-serial:"+f.addr+":wait-for-any-disconnect")
	}()
	f.must(<-gone) // the request is granted at once, the end comes later
	f.must(f.hidden.Server().Command(t.Context(), "host:disconnect:"+f.phone.Addr))
	c, err := wire.ServerDial(t.Context(), f.own.Server().Network, f.own.Server().Address)
	f.must(err)
	defer func() { _ = c.Close() }()
	f.must(c.SetDeadline(time.Now().Add(time.Minute)))
	f.must(wire.WriteRequest(c, "host:track-devices"))
	f.must(wire.ReadStatus(c))
	for {
		list, err := wire.ReadText(c)
		f.must(err)
		if !strings.Contains(list, f.addr+"\tdevice") {
			break
		}
	}
	f.must(f.hidden.Connect(t.Context(), f.phone.Addr))
	_ = f.client.Run("disconnect", f.addr)
	f.must(f.own.Connect(t.Context(), f.addr))
	if r := f.client.Run("shell", "echo hi"); r.Code != 0 || r.Out != "ran echo hi\n" {
		t.Errorf("when it is back: %+v", r)
	}
}

// A reverse in observe mode goes to the agent's own server, which connects
// to where the agent wants it; what the phone was told of is taken back at the
// end.
func TestReverse(t *testing.T) {
	agent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = agent.Close() }()
	local := "tcp:" + strings.TrimPrefix(agent.Addr().String(), "127.0.0.1:")
	f := newFixture(t, observing)
	if r := f.client.Run("reverse", "tcp:7001", local); r.Code != 0 {
		t.Fatalf("reverse: %+v", r)
	}
	if r := f.client.Run("reverse", "--list"); !strings.Contains(r.Out, " tcp:7001 "+local+"\n") {
		t.Errorf("the list: %+v", r)
	}
	app, err := f.phone.Dial(t.Context(), "tcp:7001")
	f.must(err)
	f.must(app.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(app, "frame")
	f.must(err)
	end, err := agent.Accept()
	f.must(err)
	b := make([]byte, 5)
	_, err = io.ReadFull(end, b)
	f.must(err)
	_, err = io.WriteString(end, "press")
	f.must(err)
	_, err = io.ReadFull(app, b)
	f.must(err)
	if string(b) != "press" {
		t.Errorf("the phone got %q", b)
	}
	_ = app.Close()
	_ = end.Close()
	f.stop()
	if got := f.phone.Reached(); got[len(got)-1] != "reverse:killforward:tcp:7001" {
		t.Errorf("the phone got %q", got)
	}
}

// A reverse that the front end refuses by itself leaves a row, as every refusal does.
func TestRefusedReverseIsOnRecord(t *testing.T) {
	f := newFixture(t)
	if r := f.client.Run("reverse", "tcp:7000", "tcp:7001"); r.Code == 0 {
		t.Errorf("a reverse: %+v", r)
	}
	if got := fronttest.Refused(f.t, f.store); len(got) != 1 || !strings.Contains(got[0], "reverse:forward:tcp:7000;tcp:7001") {
		t.Errorf("on record is %q", got)
	}
}

// Where the owner only wants to see, everything passes.
func TestObserving(t *testing.T) {
	f := newFixture(t, observing)
	for _, args := range []string{"uninstall com.whatsapp", "root", "reverse tcp:1 tcp:2"} {
		if r := f.client.Run(strings.Fields(args)...); r.Code != 0 || strings.Contains(r.Out+r.Err, "countersign") {
			t.Errorf("adb %s: %+v", args, r)
		}
	}
	if got := strings.Join(f.phone.Reached(), " "); !strings.Contains(got, "uninstall") || !strings.Contains(got, "root:") || !strings.Contains(got, "reverse:forward:tcp:1;tcp:") {
		t.Errorf("the phone got %s", got)
	}
}

// What is required, and what happens to those that are too many.
func TestOptions(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := virtual.Serve(t.Context(), l, nil, nil, virtual.Options{}); err == nil || !strings.Contains(err.Error(), "required") {
		t.Errorf("without a gate: %v", err)
	}
	f := newFixture(t, func(s *settings) { s.front.MaxSessions = 1 })
	c, err := net.Dial("tcp", f.addr)
	f.must(err)
	defer func() { _ = c.Close() }()
	f.must(c.SetDeadline(time.Now().Add(time.Minute)))
	if b, err := io.ReadAll(c); len(b) > 0 || err != nil {
		t.Errorf("a second server: %q, %v", b, err)
	}
	if r := f.client.Run("shell", "echo hi"); r.Code != 0 {
		t.Errorf("the first: %+v", r)
	}
}
