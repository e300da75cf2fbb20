package clients

import (
	"strings"
	"testing"
)

// scrcpy's server takes touches in a protocol of its own, which nobody here reads:
// it is not started, and gets no socket in either direction, whatever its owner says.
func TestScrcpy(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		w.answers(yes)
		y := w.drive("ya-webadb")
		still := w.since()
		for _, c := range []struct {
			control, forward bool
			says             string
		}{
			{true, true, "Nobody can see what scrcpy is told to press"},
			{true, false, "Nobody can see what is told to the phone on connections that begin there"},
			{false, false, "Nobody can see what is told to the phone on connections that begin there"},
		} {
			out, err := y.do("scrcpy", job{
				"serial": w.serial, "server": "node_modules/@midscene/android/bin/scrcpy-server", "control": c.control, "forward": c.forward,
			})
			if err == nil || w.front == asServer && !strings.Contains(err.Error(), c.says) { // a phone can give no reason
				t.Errorf("scrcpy with control %t, forward %t says %s, %v", c.control, c.forward, out, err)
			}
		}
		still("nobody can see what it does")
		for _, e := range w.phone.Record() {
			if e.Kind == "launch" {
				t.Errorf("what was refused was started: %s", e.Detail)
			}
		}
		for _, q := range w.questions() {
			if !strings.HasPrefix(q.Card.Argument, "cat >> /data/local/tmp/scrcpy-server.jar") {
				t.Errorf("a question about what nobody may: %s", q.Card.Argument)
			}
		}
	})
}
