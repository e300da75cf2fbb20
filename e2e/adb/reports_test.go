package adb_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/wire"
)

var reportHead = regexp.MustCompile("(?s)\\*\\*(A[0-9]{2})\\*\\* Right:[^\n]*\n```[a-z]+\n(.*?)\n```")

// readReports reads the reports from the field that are about ADB. Where the
// corpus is absent the test is skipped; in CI it must be there.
func readReports(t *testing.T) map[string]string {
	t.Helper()
	file := filepath.Join("..", "..", "..", "shared", "corpus", "reports", "README.md")
	data, err := os.ReadFile(file)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the corpus must be there in CI: %v", err)
		}
		t.Skipf("skipped: the corpus is not beside the checkout (%v)", err)
	}
	all := map[string]string{}
	for _, m := range reportHead.FindAllStringSubmatch(string(data), -1) {
		all[m[1]] = m[2]
	}
	if len(all) != 6 {
		t.Fatalf("%d reports about ADB, there are 6", len(all))
	}
	return all
}

// reported is an input of a report.
type reported struct {
	In struct {
		Cmd string
	}
	Service string
	Expect  struct {
		Verdict  string
		Not      []string
		Category string
		Typed    string
	}
}

func (r *reported) name() string { return r.In.Cmd + r.Service }

// categories are the reports' names for ours.
var categories = map[string]risk.Category{
	"uninstall": risk.Uninstall, "settings": risk.Settings, "clear_data": risk.Delete, "call": risk.Call, "pay": risk.Money,
	"file_write": risk.Other, "file_read": risk.Disclose, "launch": risk.None, "type": risk.None,
}

// disagreements are where the reports and the gate differ, each with what the gate
// does and why; docs/decisions/0012-adb.md has the same table. The verdicts are the
// same everywhere.
var disagreements = map[string]string{
	"A01 audit event kind=server_kill":           "no row: nothing was asked of a phone and nothing happened; the record is of actions",
	"A09 sync: then SEND /sdcard/Download/a.txt": "category other, the design has none for writing a file that was not there",
	"A09 sync: then RECV /sdcard/DCIM/p.jpg":     "category disclose: the design names what is done to its owner, not to the file",
}

// editor is a field that text may be typed into.
var editor = &scene{
	intent:  phone.Intent{Action: "android.intent.action.SEND", Type: "text/plain", Package: "org.example.notes"},
	prepare: func(w *world) { w.phone.Tap(w.at("org.example.notes:id/text")) },
	target:  "save", harm: "saved", safe: "org.example.notes:id/text",
}

// The reports about ADB at this gate, through both front ends.
func TestReports(t *testing.T) {
	reports := readReports(t)
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f, unattended)
		w.must(w.phone.Install("com.android.adbkeyboard", nil))
		if id := "com.android.adbkeyboard/.AdbIME"; !w.phone.EnableIME(id, true) || !w.phone.SetIME(id) {
			t.Fatal("there is no such keyboard")
		}
		ran := 0
		for _, id := range []string{"A03", "A05", "A07", "A09", "A11"} {
			var inputs []reported
			w.must(json.Unmarshal([]byte(reports[id]), &inputs))
			for _, in := range inputs {
				if strings.HasPrefix(in.Service, "host:") && f == asDevice {
					continue // the agent's own server answers
				}
				ran++
				name := id + " " + in.name()
				t.Run(name, func(t *testing.T) { w.in(t).report(&in) })
			}
		}
		want := map[front]int{asServer: 32, asDevice: 31}[f]
		if ran != want || len(disagreements) != 3 {
			t.Errorf("%d inputs ran, want %d; %d disagreements", ran, want, len(disagreements))
		}
	})
}

// report tries one input.
func (w *world) report(in *reported) {
	w.t.Helper()
	w.show(editor)
	before := w.mark()
	passed := w.input(in)
	verdict := "allow"
	if !passed {
		verdict = "block"
		if d := w.decisions(before); len(d) > 0 && d[len(d)-1].Outcome == risk.Confirm {
			verdict = "confirm"
		}
	}
	if in.Expect.Verdict != "" && verdict != in.Expect.Verdict || slices.Contains(in.Expect.Not, verdict) {
		w.t.Errorf("it was decided to %s, want %s %v", verdict, in.Expect.Verdict, in.Expect.Not)
	}
	if passed {
		w.typedText(in)
		return
	}
	w.nothingHappened(in.name())
	if got := w.reached(); len(got) > 0 && in.Service != "sync: then RECV /sdcard/DCIM/p.jpg" {
		w.t.Errorf("the phone got %q", got)
	}
	d := w.decisions(before)
	if verdict == "block" && w.refusals(before) == 0 && len(d) == 0 {
		w.t.Error("it left no row")
	}
	if c, ok := categories[in.Expect.Category]; ok && in.Expect.Category != "type" && (len(d) == 0 || d[len(d)-1].Category != c) {
		w.t.Errorf("the decisions are %+v, want category %v", d, c)
	}
}

// typedText wants the text of a report to be what the phone was told to type.
func (w *world) typedText(in *reported) {
	w.t.Helper()
	if in.Expect.Typed == "" {
		return
	}
	if got := w.node("org.example.notes:id/text").Text; got != in.Expect.Typed {
		w.t.Errorf("the field says %q, want %q", got, in.Expect.Typed)
	}
}

// input sends what a report has, and says whether it passed.
func (w *world) input(in *reported) bool {
	w.t.Helper()
	var r result
	kind, path, _ := strings.Cut(in.Service, " then ")
	switch {
	case in.In.Cmd != "":
		r = w.serve("shell:"+in.In.Cmd, "")
	case in.Service == "host:devices":
		_, err := w.server.Query(w.ctx, in.Service)
		return err == nil
	case kind == "sync:" && strings.HasPrefix(path, "SEND "):
		return w.push(strings.TrimPrefix(path, "SEND "), "text") == nil
	case kind == "sync:":
		return w.pull(strings.TrimPrefix(path, "RECV "))
	case strings.HasPrefix(in.Service, "shell: (interactive)"):
		return strings.Contains(w.serve("shell:", "pm clear com.example.notes\nexit\n").out, "Success") || len(w.came("clear")) > 0
	default:
		r = w.serve(in.Service, "")
	}
	return r.passed()
}

// pull fetches a file through sync, and says whether the gate let it be asked for.
func (w *world) pull(path string) bool {
	w.t.Helper()
	c, err := w.dial(w.ctx, "sync:")
	w.must(err)
	defer c.Close()
	w.must(wire.WriteSyncRequest(c, wire.SyncRequest{ID: wire.SyncRECV, Path: path}))
	_, err = io.ReadAll(wire.NewSyncReader(c))
	return err == nil || !strings.Contains(err.Error(), "countersign")
}

// A01: the version is the server's, byte for byte, and a client's kill is answered
// and harmless. No row is left of it: nothing was asked of a phone.
func TestReportOfTwoVersions(t *testing.T) {
	readReports(t)
	w := newWorld(t, asServer, unattended)
	answer := func(at wire.Server) string {
		c, err := wire.ServerDial(w.ctx, at.Network, at.Address)
		w.must(err)
		defer c.Close()
		w.must(wire.WriteRequest(c, "host:version"))
		said, err := io.ReadAll(c)
		w.must(err)
		return string(said)
	}
	if ours, real := answer(w.server), answer(hiddenOf(w)); ours != real || !strings.HasPrefix(ours, "OKAY0004") {
		t.Errorf("the version is %q, the server's %q", ours, real)
	}
	c, err := w.converse("host:kill")
	w.must(err) // OKAY
	c.Close()
	if got := answer(hiddenOf(w)); !strings.HasPrefix(got, "OKAY0004") {
		t.Errorf("after a kill the server says %q", got)
	}
	if r := w.serve("shell:getprop ro.product.model", ""); !r.passed() || strings.TrimSpace(r.out) != "Sim 1" {
		t.Errorf("after a kill the phone says %+v", r)
	}
}
