package adbd

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/shell"
)

// apk is an app with nothing but a manifest.
func apk(t *testing.T, pkg string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("AndroidManifest.xml")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(w, `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="%s"/>`, pkg)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), pkg+".apk")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRealAdbInstallsAndUninstalls(t *testing.T) {
	for _, without := range [][]string{nil, {"abb_exec"}, {"abb_exec", "cmd"}} {
		b := newBench(t, Options{Without: without})
		file := apk(t, "org.example.fresh")
		if out, errs, code := b.run(nil, "install", "-r", file); code != 0 || !strings.Contains(string(out), "Success") {
			t.Errorf("without %q: adb install ended with %d: %s%s", without, code, out, errs)
		}
		if _, ok := b.phone.Package("org.example.fresh"); !ok {
			t.Errorf("without %q: the app is not there", without)
		}
		if out := b.must("uninstall", "org.example.fresh"); !strings.Contains(out, "Success") {
			t.Errorf("adb uninstall: %q", out)
		}
		if _, ok := b.phone.Package("org.example.fresh"); ok {
			t.Error("the app is still there")
		}
		var effects []string
		for _, e := range b.phone.Effects() {
			effects = append(effects, e.What+" "+e.Object)
		}
		if want := []string{"installed org.example.fresh", "uninstalled org.example.fresh"}; !slices.Equal(effects, want) {
			t.Errorf("without %q the effects are %q, not %q", without, effects, want)
		}
		if out, errs, code := b.run(nil, "uninstall", "no.such.app"); code == 0 && !strings.Contains(string(out)+string(errs), "Failure") {
			t.Errorf("uninstalling nothing ended with %d: %s%s", code, out, errs)
		}
	}
}

func TestRealAdbTaps(t *testing.T) {
	b := newBench(t, Options{})
	before := b.must("exec-out", "screencap", "-p")
	b.must("shell", "am", "start", "-n", "org.example.notes/.NotesActivity")
	if after := b.must("exec-out", "screencap", "-p"); before == after {
		t.Error("the screen looks as before")
	}
	x, y := 0, 0
	for _, n := range b.phone.Nodes() {
		if n.Text == "New note" || n.Description == "New note" {
			x, y = (n.Bounds.Min.X+n.Bounds.Max.X)/2, (n.Bounds.Min.Y+n.Bounds.Max.Y)/2
		}
	}
	_, was := b.phone.Focus()
	b.must("shell", "input", "tap", fmt.Sprint(x), fmt.Sprint(y))
	if _, is := b.phone.Focus(); is == was {
		t.Errorf("after the tap on %d,%d the focus is still on %s", x, y, is)
	}
	if out := b.must("shell", "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'"); strings.Count(out, "org.example.notes/") != 2 {
		t.Errorf("dumpsys window: %q", out)
	}
}

func TestRealAdbForwardsToAServerOnThePhone(t *testing.T) {
	var servers Servers
	launched := 0
	b := newBench(t, Options{Servers: &servers, Launches: shell.Launches{
		"com.wetest.uia2.Main": func(p *phone.Phone, _ []string) (string, http.Handler) {
			launched++
			return "tcp:9008", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "pong from %s", p.Model()) })
		},
	}})
	port := freePort(t)
	b.must("forward", "tcp:"+port, "tcp:9008")
	if out := b.must("forward", "--list"); !strings.Contains(out, "tcp:9008") {
		t.Errorf("adb forward --list: %q", out)
	}
	get := func() (string, error) {
		client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Get("http://127.0.0.1:" + port + "/ping")
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		return string(body), err
	}
	if body, err := get(); err == nil {
		t.Errorf("before anything listens it answers %q", body)
	}
	b.must("shell", "CLASSPATH=/data/local/tmp/u2.jar nohup app_process / com.wetest.uia2.Main >/dev/null 2>&1 &")
	for len(servers.Addresses()) == 0 {
		b.must("shell", "true")
	}
	for range 3 {
		if body, err := get(); err != nil || body != "pong from Sim 1" {
			t.Errorf("it answers %q, %v", body, err)
		}
	}
	if out := b.must("shell", "ps -A | grep -c com.wetest.uia2.Main"); out != "1\n" || launched != 1 {
		t.Errorf("it runs %q times and was launched %d times", out, launched)
	}
	b.must("shell", "pkill -f uia2")
	if body, err := get(); err == nil {
		t.Errorf("after its end it answers %q", body)
	}
	b.must("forward", "--remove", "tcp:"+port)
}

func TestRealAdbReverses(t *testing.T) {
	b := newBench(t, Options{})
	host, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	go func() {
		for {
			c, err := host.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				text := make([]byte, 4)
				io.ReadFull(c, text)
				fmt.Fprintf(c, "%s too", text)
			}()
		}
	}()
	port := fmt.Sprint(host.Addr().(*net.TCPAddr).Port)
	b.must("reverse", "localabstract:scrcpy_1", "tcp:"+port)
	b.must("reverse", "tcp:5000", "tcp:"+port)
	if out := b.must("reverse", "--list"); !strings.Contains(out, "localabstract:scrcpy_1 tcp:"+port) || !strings.Contains(out, "tcp:5000 tcp:"+port) {
		t.Errorf("adb reverse --list: %q", out)
	}
	for _, address := range []string{"localabstract:scrcpy_1", "tcp:5000"} {
		c, err := b.servers.Dial(address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, "this")
		answer, err := io.ReadAll(c)
		if string(answer) != "this too" {
			t.Errorf("through %s came %q, %v", address, answer, err)
		}
		c.Close()
	}
	if out, errs, code := b.run(nil, "reverse", "--no-rebind", "tcp:5000", "tcp:1"); code == 0 {
		t.Errorf("--no-rebind was taken: %s%s", out, errs)
	}
	if out := strings.TrimSpace(b.must("reverse", "tcp:0", "tcp:"+port)); out == "" || !slices.Contains(b.servers.Addresses(), "tcp:"+out) {
		t.Errorf("tcp:0 became %q; there are %q", out, b.servers.Addresses())
	}
	b.must("reverse", "--remove", "tcp:5000")
	if out, errs, code := b.run(nil, "reverse", "--remove", "tcp:5000"); code == 0 {
		t.Errorf("it was removed twice: %s%s", out, errs)
	}
	b.must("reverse", "--remove-all")
	if left := b.servers.Addresses(); len(left) != 0 {
		t.Errorf("%q still listen", left)
	}
}

func TestRealAdbGetsWhatAUserBuildSays(t *testing.T) {
	b := newBench(t, Options{})
	for _, c := range []struct {
		args    []string
		says    string
		service string
	}{
		{[]string{"root"}, "adbd cannot run as root in production builds", "root:"},
		{[]string{"unroot"}, "adbd not running as root", "unroot:"},
		{[]string{"remount"}, "Not running as root", "shell,v2,raw:remount"},
		{[]string{"disable-verity"}, "verity cannot be disabled/enabled - USER build", "disable-verity:"},
		{[]string{"tcpip", "5556"}, "restarting in TCP mode port: 5556", "tcpip:5556"},
		{[]string{"usb"}, "restarting in USB mode", "usb:"},
		{[]string{"reboot", "bootloader"}, "", "reboot:bootloader"},
		{[]string{"get-state"}, "device", ""},
		{[]string{"jdwp"}, "", "jdwp"},
		{[]string{"shell", "remount"}, "Not running as root", ""},
	} {
		out, errs, _ := b.run(nil, c.args...)
		if said := string(out) + string(errs); !strings.Contains(said, c.says) {
			t.Errorf("adb %q says %q, not %q", c.args, said, c.says)
		}
		if c.service != "" && !slices.Contains(b.services(), c.service) {
			t.Errorf("adb %q: no %q among the services %q", c.args, c.service, b.services())
		}
	}
	for _, refused := range []string{"backup", "sideload"} {
		out, errs, code := b.run(nil, append([]string{refused}, apk(t, "org.example.x"))...)
		if code == 0 && strings.Contains(string(out), "Success") {
			t.Errorf("adb %s: %s%s", refused, out, errs)
		}
	}
}

// TestAnAgentThatGoesEndsItsLine kills a client that waits.
func TestAnAgentThatGoesEndsItsLine(t *testing.T) {
	b := newBench(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		cmd := commandContext(ctx, b, "shell", "sleep 600; input tap 5 5")
		cmd.Run()
	}()
	for !slices.ContainsFunc(b.phone.Record(), func(e phone.Event) bool { return e.Kind == "exec" && e.Detail == "sleep 600" }) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done
	b.must("shell", "echo still here")
	if slices.ContainsFunc(b.phone.Record(), func(e phone.Event) bool { return e.Kind == "tap" }) {
		t.Error("the rest of the line ran all the same")
	}
}

// TestOlderPhonesAreServedToo takes features away, so that adb falls back.
func TestOlderPhonesAreServedToo(t *testing.T) {
	b := newBench(t, Options{Without: []string{"shell_v2", "cmd", "stat_v2", "ls_v2", "abb", "abb_exec", "sendrecv_v2", "delayed_ack", "remount_shell"}})
	if out := b.must("shell", "echo plain; echo err >&2"); out != "plain\nerr\n" {
		t.Errorf("shell wrote %q", out)
	}
	if !slices.Contains(b.services(), "shell:echo plain; echo err >&2") {
		t.Errorf("the services are %q", b.services())
	}
	file := apk(t, "org.example.old")
	b.must("push", file, "/sdcard/old.apk")
	b.must("pull", "/sdcard/old.apk", filepath.Join(t.TempDir(), "back"))
	if out := b.must("ls", "/sdcard"); !strings.Contains(out, "old.apk") {
		t.Errorf("adb ls: %q", out)
	}
	if out, errs, _ := b.run(nil, "remount"); !strings.Contains(string(out)+string(errs), "Not running as root") || !slices.Contains(b.services(), "remount:") {
		t.Errorf("adb remount: %s%s", out, errs)
	}
	b.must("install", file)
	if _, ok := b.phone.Package("org.example.old"); !ok {
		t.Error("the app is not there")
	}
}
