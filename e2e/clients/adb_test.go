package clients

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// notesLaunch opens the notes as an icon does, where the tests begin.
const notesLaunch = "monkey -p org.example.notes -c android.intent.category.LAUNCHER 1"

func tapLine(x, y int) string { return "input tap " + strconv.Itoa(x) + " " + strconv.Itoa(y) }

// The stock adb program: what is harmless passes untouched, what is not waits for
// its answer, and a no leaves nothing on the phone.
func TestADB(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		must := func(args ...string) string {
			t.Helper()
			out, err := w.adb(append([]string{"-s", w.serial}, args...)...)
			if err != nil {
				t.Fatalf("adb %q: %v\n%s", args, err, out)
			}
			return out
		}
		if out := must("shell", "getprop", "ro.product.model"); strings.TrimSpace(out) != "Sim 1" {
			t.Errorf("the model is %q", out)
		}
		must("shell", notesLaunch)
		if out := must("exec-out", "screencap", "-p"); !strings.HasPrefix(out, "\x89PNG") {
			t.Errorf("the screenshot begins with %.20q", out)
		}
		if out := must("exec-out", "uiautomator", "dump", "/dev/tty"); !strings.Contains(out, "Shopping") {
			t.Errorf("the dump has no note: %.200q", out)
		}
		must("shell", tapLine(w.at("Shopping")))
		w.at("Delete")
		if asked := w.questions(); len(asked) > 0 {
			t.Errorf("%d questions about what is harmless: %s", len(asked), asked[0].Card.Reason)
		}
		w.answers(no)
		still := w.since()
		out, err := w.adb("-s", w.serial, "shell", tapLine(w.at("Delete")))
		if err == nil || !strings.Contains(out, "countersign") {
			t.Errorf("a refused tap ends with %v and says %q", err, out)
		}
		if out, err := w.adb("-s", w.serial, "uninstall", "org.example.shop"); err == nil {
			t.Errorf("a refused uninstall says %q", out)
		}
		for _, forbidden := range [][]string{{"root"}, {"remount"}, {"tcpip", "5555"}, {"reboot", "bootloader"}} {
			if out, err := w.adb(append([]string{"-s", w.serial}, forbidden...)...); err == nil && !strings.Contains(out, "countersign") {
				t.Errorf("adb %s says %q", forbidden, out)
			}
		}
		still("everything was refused")
		w.answers(nil)
		w.dies(w.background("uninstall", "org.example.mail"))
		w.answers(yes)
		then := w.since()
		if out, err := w.adb("-s", w.serial, "uninstall", "org.example.reader"); err != nil || !strings.Contains(out, "Success") {
			t.Errorf("an approved uninstall: %v %q", err, out)
		}
		w.happened("one thing was approved", "uninstalled")
		then("one thing was approved", "uninstall")
	})
}

// background starts the stock adb program, and returns what kills it.
func (w *world) background(args ...string) (kill func()) {
	w.t.Helper()
	cmd := exec.Command("adb", append([]string{"-s", w.serial}, args...)...)
	cmd.Env = w.env
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// The server of others is not the client's to stop.
func TestADBKillServer(t *testing.T) {
	w := newWorld(t, asServer)
	for range 3 {
		if out, err := w.adb("kill-server"); err != nil {
			t.Fatalf("kill-server: %v %s", err, out)
		}
		if out, err := w.adb("devices"); err != nil || !strings.Contains(out, w.serial+"\tdevice") {
			t.Fatalf("devices: %v %s", err, out)
		}
	}
}

// adbkit, which quotes every word by itself and speaks the first shell protocol.
func TestADBKit(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		k := w.drive("adbkit")
		if out := string(k.must("devices", nil)); !strings.Contains(out, w.serial) {
			t.Errorf("the devices are %s", out)
		}
		k.must("shell", job{"serial": w.serial, "command": notesLaunch})
		if out := string(k.must("screenshot", job{"serial": w.serial})); out != `"89504e470d0a1a0a"` {
			t.Errorf("the screenshot begins with %s", out)
		}
		x, y := w.at("Shopping")
		k.must("shell", job{"serial": w.serial, "command": []string{"input", "tap", fmt.Sprint(x), fmt.Sprint(y)}})
		w.at("Delete")
		w.answers(no)
		still := w.since()
		x, y = w.at("Delete")
		press := job{"serial": w.serial, "command": []string{"input", "tap", fmt.Sprint(x), fmt.Sprint(y)}}
		out, err := k.do("shell", press)
		if err == nil || w.front == asServer && !strings.Contains(err.Error(), "countersign") { // a phone can give no reason
			t.Errorf("a refused tap says %s, %v", out, err)
		}
		for _, forbidden := range []string{"root", "tcpip", "reboot"} {
			if out, err := k.do(forbidden, job{"serial": w.serial}); err == nil {
				t.Errorf("%s says %s", forbidden, out)
			}
		}
		still("everything was refused")
		w.answers(yes)
		then := w.since()
		k.must("shell", job{"serial": w.serial, "command": "pm uninstall org.example.reader"})
		w.happened("one thing was approved", "uninstalled")
		then("one thing was approved", "uninstall")
		w.answers(nil)
		k.tell("shell", job{"serial": w.serial, "command": "pm uninstall org.example.shop"})
		w.dies(k.kill)
	})
}

// ya-webadb, with the second shell protocol and its own sync.
func TestYaWebADB(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		y := w.drive("ya-webadb")
		at := func(more job) job {
			more["serial"] = w.serial
			return more
		}
		if out := string(y.must("devices", nil)); !strings.Contains(out, w.serial) {
			t.Errorf("the devices are %s", out)
		}
		y.must("shell", at(job{"command": notesLaunch}))
		if out := string(y.must("exec", at(job{"command": "screencap -p", "most": 8, "encoding": "hex"}))); out != `"89504e470d0a1a0a"` {
			t.Errorf("the screenshot begins with %s", out)
		}
		y.must("shell", at(job{"command": "uiautomator dump /sdcard/view.xml"}))
		if out := string(y.must("pull", at(job{"path": "/sdcard/view.xml"}))); !strings.Contains(out, "Shopping") {
			t.Errorf("the dump has no note: %.200s", out)
		}
		y.must("shell", at(job{"command": tapLine(w.at("Shopping"))}))
		w.answers(no)
		still := w.since()
		out := string(y.must("shell", at(job{"command": tapLine(w.at("Delete"))})))
		if !strings.Contains(out, `"code":126`) || !strings.Contains(out, "countersign") {
			t.Errorf("a refused tap ends with %s", out)
		}
		if out, err := y.do("reverse", at(job{"remote": "localabstract:scrcpy_1", "local": "tcp:27183"})); err == nil {
			t.Errorf("a reverse says %s", out)
		}
		still("everything was refused")
		w.answers(yes)
		then := w.since()
		y.must("shell", at(job{"command": "pm uninstall org.example.reader"}))
		w.happened("one thing was approved", "uninstalled")
		then("one thing was approved", "uninstall")
		w.answers(nil)
		y.tell("shell", at(job{"command": "pm uninstall org.example.shop"}))
		w.dies(y.kill)
	})
}
