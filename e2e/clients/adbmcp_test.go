package clients

import (
	"os/exec"
	"strings"
	"testing"
)

// adbMCP starts adb-mcp.
func (w *world) adbMCP() *mcp {
	w.t.Helper()
	cmd := exec.Command("node", "node_modules/adb-mcp/dist/index.js")
	cmd.Env = append(w.env[:len(w.env):len(w.env)], "TMPDIR="+w.t.TempDir())
	return openMCP(w.t, cmd)
}

// adb-mcp, which hands a model the adb program's commands as they are.
func TestADBMCP(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		m := w.adbMCP()
		at := func(j job) job {
			j["device"] = w.serial
			return j
		}
		line := func(line string) job { return at(job{"command": line}) }
		if text := m.must("adb_devices", job{}); !strings.Contains(text, w.serial+"\tdevice") {
			t.Errorf("the devices are %s", text)
		}
		m.must("adb_activity_manager", at(job{"amCommand": "start", "amArgs": "-n com.fsck.k9/.activity.MessageCompose"}))
		if text := m.must("inspect_ui", at(job{})); !strings.Contains(text, "Compose") {
			t.Errorf("the screen is %s", text)
		}
		m.must("dump_image", at(job{}))
		m.must("adb_shell", line(tapLine(w.at("to"))))
		m.must("adb_shell", line("input text ines@example.org"))
		if asked := w.questions(); len(asked) > 0 {
			t.Errorf("%d questions about what is harmless: %s %s", len(asked), asked[0].Card.Argument, asked[0].Card.Reason)
		}

		if err := w.phone.Files().WriteFile("/sdcard/DCIM/Camera/a.jpg", []byte("a face"), 0o644); err != nil {
			t.Fatal(err)
		}
		w.answers(no)
		still := w.since()
		for _, refused := range []struct {
			tool string
			job  job
			says string // of a file, adb says why where adb-mcp does not look
		}{
			{"adb_shell", line(tapLine(w.at("Send"))), "countersign"},
			{"adb_package_manager", at(job{"pmCommand": "uninstall", "pmArgs": "org.example.shop"}), "countersign"},
			{"adb_activity_manager", at(job{"amCommand": "start", "amArgs": "-a android.intent.action.CALL -d tel:110"}), "countersign"},
			{"adb_pull", at(job{"remotePath": "/sdcard/DCIM/Camera/a.jpg"}), "Error pulling file"},
			{"adb_push", at(job{"remotePath": "/sdcard/a.sh", "fileBase64": "aWQK"}), "Error pushing file"},
		} {
			text, failed, err := m.call(refused.tool, refused.job)
			if !failed || err != nil || !strings.Contains(text, refused.says) {
				t.Errorf("%s %v, refused, says %t %q, %v", refused.tool, refused.job, failed, text, err)
			}
		}
		if n := len(w.questions()); n != 5 {
			t.Errorf("%d questions about five things", n)
		}
		still("everything was refused")
		if _, err := w.phone.Files().ReadFile("/sdcard/a.sh"); err == nil {
			t.Error("a file that was refused is on the phone")
		}

		w.answers(yes)
		m.must("adb_shell", line("input text .de"))
		then := w.since()
		m.must("adb_shell", line(tapLine(w.at("Send"))))
		w.happened("one tap was approved", "sent")
		then("one tap was approved", "tap")

		w.answers(nil)
		m.tell("adb_package_manager", at(job{"pmCommand": "uninstall", "pmArgs": "org.example.reader"}))
		w.dies(m.kill)
	})
}
