package smart_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/adb/fronttest"
)

// What only asks and reads looks to adb as if no guard was there. SERIAL stands
// for the phone's.
func TestStockClient(t *testing.T) {
	f := newFixture(t)
	cases := 0
	for _, c := range []struct {
		args    string
		out     string
		err     string
		code    int
		reached string
	}{
		{"devices", "List of devices attached\nSERIAL\tdevice\n\n", "", 0, ""},
		{"devices -l", "SERIAL device product:test model:Test_1 device:bench transport_id:1", "", 0, ""},
		{"get-state", "device\n", "", 0, ""},
		{"get-serialno", "SERIAL\n", "", 0, ""},
		{"get-devpath", "unknown\n", "", 0, ""},
		{"features", "shell_v2", "", 0, ""},
		{"host-features", "shell_v2", "", 0, ""},
		{"wait-for-device", "", "", 0, ""},
		{"wait-for-any-device", "", "", 0, ""},
		{"shell echo hi", "ran echo hi\n", "", 0, "shell,v2,raw:echo hi"},
		{"-s SERIAL shell echo hi", "ran echo hi\n", "", 0, "shell,v2,raw:echo hi"},
		{"-t 1 shell echo hi", "ran echo hi\n", "", 0, "shell,v2,raw:echo hi"},
		{"-e shell echo hi", "ran echo hi\n", "", 0, "shell,v2,raw:echo hi"},
		{"-d shell echo hi", "", "no devices found", 1, ""},
		{"-s other shell echo hi", "", "device 'other' not found", 1, ""},
		{"-t 7 shell echo hi", "", "no device with transport id '7'", 1, ""},
		{"exec-out echo hi", "ran echo 'hi'\n", "", 0, "exec:echo 'hi'"},
		{"shell -x echo hi", "ran echo hi\n", "", 0, "shell:echo hi"},
		{"forward --list", "", "", 0, ""},
		{"start-server", "", "", 0, ""},
		{"kill-server", "", "", 0, ""},
		{"devices", "SERIAL\tdevice", "", 0, ""},

		{"connect 10.0.0.1", "", "countersign: refused", 1, ""},
		{"disconnect", "", "countersign: refused", 1, ""},
		{"reconnect offline", "", "countersign: refused", 1, ""},
		{"forward localabstract:x tcp:1", "", "countersign forwards from tcp:PORT only", 1, ""},
		{"forward localfilesystem:x tcp:1", "", "countersign forwards from tcp:PORT only", 1, ""},
		{"reverse tcp:1 tcp:2", "", "countersign: refused", 1, ""},
		{"root", "", "countersign: ", 1, ""},
		{"tcpip 5555", "", "countersign: ", 1, ""},
		{"shell true", "ran true\n", "", 0, "shell,v2,raw:true"},
	} {
		cases++
		f.phone.Forget()
		serial := func(s string) string { return strings.ReplaceAll(s, "SERIAL", f.phone.Addr) }
		r := f.client.Run(strings.Fields(serial(c.args))...)
		spaced := strings.Join(strings.Fields(r.Out), " ")
		if r.Code != c.code || !strings.Contains(r.Out, serial(c.out)) && !strings.Contains(spaced, serial(c.out)) || !strings.Contains(r.Err, c.err) {
			t.Errorf("adb %s: %d, out %q, err %q", c.args, r.Code, r.Out, r.Err)
		}
		if got := strings.Join(f.phone.Reached(), "|"); got != c.reached {
			t.Errorf("adb %s: the phone got %q, want %q", c.args, got, c.reached)
		}
	}
	if cases != 31 {
		t.Fatalf("%d cases", cases)
	}
}

// A client that takes the port for its own server's finds nothing wrong with it,
// and starts none.
func TestStockClientInPlace(t *testing.T) {
	f := newFixture(t)
	_, port, err := net.SplitHostPort(f.front.Address)
	f.must(err)
	client := fronttest.ClientInPlace(t, port)
	for args, want := range map[string]string{
		"devices":       f.phone.Addr + "\tdevice",
		"start-server":  "",
		"kill-server":   "",
		"shell echo hi": "ran echo hi\n",
	} {
		r := client.Run(strings.Fields(args)...)
		if r.Code != 0 || !strings.Contains(r.Out, want) || strings.Contains(r.Out+r.Err, "daemon") {
			t.Errorf("adb %s: %+v", args, r)
		}
	}
}

// Files go in and out as they are.
func TestStockClientFiles(t *testing.T) {
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

// uninstall is an action that somebody is asked about, in adb's usual form.
const uninstall = "shell,v2:cmd package 'uninstall' 'com.whatsapp'"

// Held, and told no: adb ends at once with the reason, where a bare refusal
// would have it try again without end.
func TestStockClientIsToldNo(t *testing.T) {
	f := newFixture(t)
	_, end := f.client.Start("uninstall", "com.whatsapp")
	q := f.question()
	if got := f.phone.Reached(); len(got) > 0 {
		t.Fatalf("while it is held the phone got %q", got)
	}
	if q.Device != f.phone.Addr {
		t.Errorf("the question is about the phone %q", q.Device)
	}
	f.must(f.answer(q, false))
	if r := end(); r.Code == 0 || !strings.Contains(r.Out+r.Err, "countersign") {
		t.Errorf("adb said %+v", r)
	}
	if got := f.phone.Reached(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// Held, and told yes: exactly what was asked reaches the phone, once.
func TestStockClientIsToldYes(t *testing.T) {
	f := newFixture(t)
	_, end := f.client.Start("uninstall", "com.whatsapp")
	f.must(f.answer(f.question(), true))
	if r := end(); r.Code != 0 {
		t.Errorf("adb said %+v", r)
	}
	if got := f.phone.Reached(); !slices.Equal(got, []string{uninstall}) {
		t.Errorf("the phone got %q", got)
	}
}

// Killed while it is held: the question ends, and a yes after that does nothing.
func TestStockClientIsKilled(t *testing.T) {
	f := newFixture(t)
	cases := 0
	for _, args := range [][]string{
		{"uninstall", "com.whatsapp"},
		{"shell", "pm clear com.whatsapp"},
		{"exec-out", "pm clear com.telegram"},
		{"shell", "-x", "pm clear org.telegram.messenger"},
	} {
		cases++
		cmd, end := f.client.Start(args...)
		q := f.question()
		f.must(cmd.Process.Kill())
		end()
		f.settled(q.ID, approval.Cancelled)
		if err := f.answer(q, true); err == nil {
			t.Errorf("%q: a yes to a client that is gone was taken", args)
		}
	}
	if cases != 4 {
		t.Fatalf("%d cases", cases)
	}
	if r := f.client.Run("shell", "true"); r.Code != 0 {
		t.Errorf("afterwards: %+v", r)
	}
	if got := f.phone.Reached(); !slices.Equal(got, []string{"shell,v2,raw:true"}) {
		t.Errorf("the phone got %q", got)
	}
}

// Without the front end there is no phone, and adb does not help itself.
func TestGuardGone(t *testing.T) {
	f := newFixture(t)
	f.stop()
	for _, args := range []string{"devices", "shell echo hi"} {
		if r := f.client.Run(strings.Fields(args)...); r.Code == 0 || strings.Contains(r.Out, f.phone.Addr) {
			t.Errorf("adb %s without the guard: %+v", args, r)
		}
	}
	if got := f.phone.Reached(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// Without the hidden server there is no phone either; when it is back, so is the
// phone.
func TestHiddenServerGone(t *testing.T) {
	f := newFixture(t)
	f.must(f.hidden.Stop())
	r := f.client.Run("shell", "echo hi")
	if r.Code == 0 || !strings.Contains(r.Out+r.Err, "countersign: the guard's adb server cannot be reached") {
		t.Errorf("adb without the hidden server: %+v", r)
	}
}

// Everything that is refused elsewhere passes where the owner only wants to see.
func TestObserving(t *testing.T) {
	f := newFixture(t, observing)
	var said []fronttest.Result
	for _, args := range []string{"uninstall com.whatsapp", "root", "reverse tcp:1 tcp:2", "disconnect nobody:1"} {
		r := f.client.Run(strings.Fields(args)...)
		said = append(said, r)
		if strings.Contains(r.Out+r.Err, "countersign") {
			t.Errorf("adb %s: %+v", args, r)
		}
	}
	if got := fmt.Sprint(f.phone.Reached()); !strings.Contains(got, "uninstall") || !strings.Contains(got, "root:") || !strings.Contains(got, "reverse:forward:tcp:1;tcp:") {
		t.Errorf("the phone got %s, adb said %+v", got, said)
	}
}
