package clients

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// agentDevice starts agent-device's MCP server. The daemon that does its work ends
// with the test.
func (w *world) agentDevice() *mcp {
	w.t.Helper()
	w.t.Cleanup(w.endAgentDevice)
	cmd := exec.Command("node", "node_modules/agent-device/bin/agent-device.mjs", "mcp")
	cmd.Env = append(w.env[:len(w.env):len(w.env)], "AGENT_DEVICE_STATE_DIR="+w.agentDeviceState(), "AGENT_DEVICE_CLAIMS_DIR="+w.agentDeviceState(),
		"AGENT_DEVICE_NO_UPDATE_NOTIFIER=1", "TMPDIR="+w.t.TempDir())
	return openMCP(w.t, cmd)
}

func (w *world) agentDeviceState() string { return filepath.Join(w.home, "agent-device") }

// endAgentDevice kills agent-device's daemon, if there is one, and what it runs.
func (w *world) endAgentDevice() {
	data, err := os.ReadFile(filepath.Join(w.agentDeviceState(), "daemon.json"))
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
		w.t.Errorf("agent-device's daemon cannot be ended: %v %s", err, data)
		return
	}
	if err := syscall.Kill(-daemon.PID, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		w.t.Errorf("end agent-device's daemon: %v", err)
	}
}

// agentDeviceTries are what agent-device does beside what it is told: it goes on
// where it may not.
var agentDeviceTries = []string{"cmd clipboard get text", "settings put global sysui_demo_allowed 1"}

// agent-device, which takes pictures and presses at places. Its own program that
// reads the screen is installed with the first use that needs it, which is refused.
func TestAgentDevice(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		w.answers(no)
		m := w.agentDevice()
		at := func(j job) job {
			j["serial"], j["platform"] = w.serial, "android"
			return j
		}
		press := func(label string) job {
			x, y := w.at(label)
			return at(job{"target": job{"kind": "point", "x": x, "y": y}})
		}
		m.must("open", at(job{"app": "com.fsck.k9"}))
		shot := filepath.Join(t.TempDir(), "screen.png")
		m.must("screenshot", at(job{"path": shot}))
		if data, err := os.ReadFile(shot); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
			t.Errorf("the screenshot begins with %.20q: %v", data, err)
		}
		m.must("press", press("Compose"))
		m.must("press", press("to"))
		m.must("type", at(job{"text": "ines@example.org"}))
		w.at("ines@example.org")
		for _, q := range w.questions() {
			if !slices.Contains(agentDeviceTries, q.Card.Argument) {
				t.Errorf("a question about what is harmless: %s %s", q.Card.Argument, q.Card.Reason)
			}
		}

		still := w.since()
		for range 2 { // the second time the no is remembered
			if text, failed, err := m.call("press", press("Send")); !failed || err != nil || !strings.Contains(text, "countersign") {
				t.Errorf("a refused tap: %v %s", err, text)
			}
		}
		if text, failed, err := m.call("snapshot", at(job{})); !failed || err != nil || w.front == asServer && !strings.Contains(text, "countersign") { // a phone can give no reason
			t.Errorf("a refused installation of its program: %v %s", err, text)
		}
		still("everything was refused")
		if n := w.about("Send"); n != 1 {
			t.Errorf("%d questions about a tap that was tried twice", n)
		}

		m.must("type", at(job{"text": ".de"}))
		w.answers(yes)
		then := w.since()
		m.must("press", press("Send"))
		w.happened("one tap was approved", "sent")
		then("one tap was approved", "tap")
	})
}
