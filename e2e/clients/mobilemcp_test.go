package clients

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
)

const (
	mobileMCPProgram = "node_modules/@mobilenext/mobile-mcp/lib/index.js"
	mobilecliProgram = "node_modules/@mobilenext/mobilecli-linux-amd64/mobilecli-linux-amd64"
	mobilecliDex     = "/data/local/tmp/mobilecli.dex"
)

// mobileMCP starts the MCP server. Its telemetry is off: a test calls nobody. The
// daemon that it leaves behind, which has the environment of its first start, ends
// with the test.
func (w *world) mobileMCP() *mcp {
	w.t.Helper()
	w.t.Cleanup(w.endMobilecli)
	cmd := exec.Command("node", mobileMCPProgram)
	cmd.Env = append(w.env[:len(w.env):len(w.env)], "MOBILEMCP_DISABLE_TELEMETRY=1")
	return openMCP(w.t, cmd)
}

// endMobilecli kills mobilecli's daemon, if there is one.
func (w *world) endMobilecli() {
	data, err := os.ReadFile(filepath.Join(w.home, ".mobilecli", "daemon.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var daemon struct {
		PID int `json:"pid"`
	}
	if err == nil {
		err = json.Unmarshal(data, &daemon)
	}
	if err != nil || daemon.PID <= 1 {
		w.t.Errorf("mobilecli's daemon cannot be ended: %v %s", err, data)
		return
	}
	if err := syscall.Kill(-daemon.PID, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		w.t.Errorf("end mobilecli's daemon: %v", err)
	}
}

// dexOfMobilecli is the program that mobilecli puts onto phones, as it comes to lie
// on one that nobody guards.
var dexOfMobilecli = sync.OnceValues(func() (dex []byte, err error) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	p, err := phone.New(phone.Options{})
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go adbd.Serve(ctx, l, p, adbd.Options{Launches: automation.Launches()})
	home, err := os.MkdirTemp("", "mobilecli")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	env := clientEnv(home, port)
	run := func(program string, args ...string) error {
		ctx, done := context.WithTimeout(ctx, patience)
		defer done()
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = env
		if out, bad := cmd.CombinedOutput(); bad != nil {
			return fmt.Errorf("%s %q: %w %s", program, args, bad, out)
		}
		return nil
	}
	defer run("adb", "kill-server")
	defer run(mobilecliProgram, "daemon", "stop")
	if err := run("adb", "connect", l.Addr().String()); err != nil {
		return nil, err
	}
	if err := run(mobilecliProgram, "dump", "ui", "--device", l.Addr().String()); err != nil {
		return nil, err
	}
	return p.Files().ReadFile(mobilecliDex)
})

// withMobilecli puts mobilecli's program onto a phone.
func withMobilecli(t *testing.T, p *phone.Phone) {
	dex, err := dexOfMobilecli()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Files().WriteFile(mobilecliDex, dex, 0o644); err != nil {
		t.Fatal(err)
	}
}

// mobilecliNeeds is an owner who lets mobilecli put its program onto the phone and end
// an older one, and not start it.
func mobilecliNeeds(q *approval.Approval) bool {
	line := q.Card.Argument
	return strings.Contains(line, mobilecliDex) && !strings.Contains(line, "app_process") ||
		strings.Contains(line, "pkill -f '[D]eviceServer'")
}

// about are the questions asked so far whose action mentions a word.
func (w *world) about(word string) (n int) {
	for _, q := range w.questions() {
		if strings.Contains(q.Card.Argument, word) || q.Card.Label == word {
			n++
		}
	}
	return n
}

// mobile-mcp, with the helper that its mobilecli starts let in by set-up: nobody is
// asked while it starts and does what is harmless, and nothing is refused.
func TestMobileMCP(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		w.answers(no)
		m := w.mobileMCP()
		if text := m.must("mobile_list_available_devices", job{}); !strings.Contains(text, `"`+w.serial+`"`) {
			t.Errorf("the devices are %s", text)
		}
		m.must("mobile_launch_app", job{"device": w.serial, "packageName": "org.example.notes"})
		if text := m.must("mobile_list_elements_on_screen", job{"device": w.serial}); !strings.Contains(text, "Shopping") {
			t.Errorf("the elements are %s", text)
		}
		w.launched("app_process", "com.mobilenext.mobilecli.DeviceServer")
		shot := filepath.Join(t.TempDir(), "screen.png")
		m.must("mobile_save_screenshot", job{"device": w.serial, "saveTo": shot})
		if data, err := os.ReadFile(shot); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
			t.Errorf("the screenshot begins with %.20q: %v", data, err)
		}
		x, y := w.at("Shopping")
		m.must("mobile_click_on_screen_at_coordinates", job{"device": w.serial, "x": x, "y": y})
		w.at("Delete")
		w.unasked("input tap " + strconv.Itoa(x) + " " + strconv.Itoa(y))
		w.renewed()
		still := w.since()
		x, y = w.at("Delete")
		for range 2 { // the second time the no is remembered
			if text, failed, err := m.call("mobile_click_on_screen_at_coordinates", job{"device": w.serial, "x": x, "y": y}); !failed || err != nil {
				t.Errorf("a refused tap: %v %s", err, text) // mobilecli keeps what adb said to itself
			}
		}
		if text, failed, err := m.call("mobile_uninstall_app", job{"device": w.serial, "bundle_id": "org.example.shop"}); !failed || err != nil || !strings.Contains(text, "countersign") {
			t.Errorf("a refused uninstall: %v %s", err, text)
		}
		still("everything was refused")
		if n := w.about("Delete"); n != 1 {
			t.Errorf("%d questions about a tap that was tried twice", n)
		}
		w.answers(yes)
		then := w.since()
		m.must("mobile_uninstall_app", job{"device": w.serial, "bundle_id": "org.example.reader"})
		w.happened("one thing was approved", "uninstalled")
		then("one thing was approved", "uninstall")
		w.answers(nil)
		m.tell("mobile_uninstall_app", job{"device": w.serial, "bundle_id": "org.example.mail"})
		w.dies(func() { m.kill(); w.endMobilecli() })
	}, withMobilecli)
}

// Without set-up the owner is asked before mobilecli's program is started, once; at
// a no the client looks at the screen by other means.
func TestMobileMCPWithoutSetUp(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		w.answers(mobilecliNeeds)
		m := w.mobileMCP()
		for range 2 {
			if text := m.must("mobile_list_elements_on_screen", job{"device": w.serial}); !strings.Contains(text, "Notes") {
				t.Errorf("the elements are %s", text)
			}
		}
		if n := w.about("app_process"); n == 0 {
			t.Error("nobody was asked about the launch")
		} else if n > 1 {
			t.Errorf("%d questions about one launch", n)
		}
		for _, e := range w.phone.Record() {
			if e.Kind == "launch" {
				t.Errorf("what was refused was started: %s", e.Detail)
			}
		}
	})
}

// renewed wants mobilecli's program to have come onto the phone anew, as it was.
func (w *world) renewed() {
	w.t.Helper()
	want, err := dexOfMobilecli()
	if err != nil {
		w.t.Fatal(err)
	}
	if got, err := w.phone.Files().ReadFile(mobilecliDex); err != nil || !slices.Equal(got, want) {
		w.t.Errorf("mobilecli's program has %d bytes on the phone, not %d: %v", len(got), len(want), err)
	}
	for _, reached := range []string{"SEND " + mobilecliDex + ".tmp", "mv -f " + mobilecliDex + ".tmp " + mobilecliDex, "com.android.shell android:mock_location default"} {
		if !slices.ContainsFunc(w.phone.Record(), func(e phone.Event) bool { return e.Detail == reached }) {
			w.t.Errorf("%q did not reach the phone", reached)
		}
	}
}

// launched wants a class to have been started on the phone by a program, unasked.
func (w *world) launched(program, class string) {
	w.t.Helper()
	if !slices.ContainsFunc(w.phone.Record(), func(e phone.Event) bool { return e.Kind == "launch" && strings.HasPrefix(e.Detail, class) }) {
		w.t.Errorf("%s was not started", class)
	}
	if n := w.about(program); n > 0 {
		w.t.Errorf("%d questions about the start of %s", n, class)
	}
}
