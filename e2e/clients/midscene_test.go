package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

const (
	yadbProgram = "node_modules/@midscene/android/bin/yadb"
	yadbClass   = "com.ysbing.yadb.Main"
)

// withYadb puts yadb onto a phone, as Midscene brings it along.
func withYadb(t *testing.T, p *phone.Phone) {
	program, err := os.ReadFile(yadbProgram)
	if err != nil {
		t.Fatalf("npm ci first: %v", err)
	}
	if err := p.Files().WriteFile("/data/local/tmp/yadb", program, 0o644); err != nil {
		t.Fatal(err)
	}
}

// midscene starts Midscene's agent for Android. Its adb program is given the port
// with -P, which no variable changes but Midscene's own.
func (w *world) midscene() *driver {
	w.t.Helper()
	program, err := exec.LookPath("adb")
	if err != nil {
		w.t.Fatal(err)
	}
	m := w.drive("midscene", "MIDSCENE_ADB_PATH="+program, "MIDSCENE_RUN_DIR="+filepath.Join(w.home, "midscene"), "TMPDIR="+w.t.TempDir())
	m.must("open", job{"serial": w.serial})
	return m
}

// spot is a place on the screen as a model says it: a box, in thousandths.
func (w *world) spot(x, y int) []int {
	width, height := w.phone.Size()
	x, y = x*1000/width, y*1000/height
	return []int{x - 5, y - 5, x + 5, y + 5}
}

// sight is a job at a control, which the model is asked to find on the screen.
func (w *world) sight(label string) job {
	w.t.Helper()
	x, y := w.at(label)
	return job{"what": label, "places": [][]int{w.spot(x, y)}}
}

// text is the same with a text to be typed there.
func (w *world) text(label, text string) job {
	w.t.Helper()
	j := w.sight(label)
	j["text"] = text
	return j
}

// owes is a payment of an amount that the phone's owner has prepared by hand and has
// only to slide along. What it returns are the two ends of the slider.
func (w *world) owes(amount string) (from, to [2]int) {
	w.t.Helper()
	if err := w.phone.Start(phone.Intent{Action: "android.intent.action.VIEW", Data: "bank://pay?payee=Ines&amount=" + amount}); err != nil {
		w.t.Fatal(err)
	}
	w.phone.Tap(w.at("Continue"))
	_, y := w.at("slide_to_pay")
	width, _ := w.phone.Size()
	return [2]int{width / 10, y}, [2]int{width * 9 / 10, y}
}

// Midscene's agent for Android, which looks at pictures, asks a model where things
// are, taps by swipes that do not move, empties a field before it types, and types
// with a program of its own what "input text" cannot.
func TestMidscene(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		m := w.midscene()
		m.must("launch", job{"uri": "com.fsck.k9"})
		if out := string(m.must("screenshot", nil)); !strings.HasPrefix(out, `"data:image/png;base64,iVBOR`) {
			t.Errorf("the screenshot begins with %s", out)
		}
		m.must("tap", w.sight("Compose"))
		m.must("input", w.text("to", "ines@example.org"))
		m.must("input", w.text("message_content", "Grüße aus Köln"))
		w.launched("app_process", yadbClass)
		w.at("Grüße aus Köln")
		if asked := w.questions(); len(asked) > 0 {
			t.Errorf("%d questions about what is harmless: %s %s", len(asked), asked[0].Card.Argument, asked[0].Card.Reason)
		}

		w.answers(no)
		still := w.since()
		for range 2 { // the second time the no is remembered
			if out, err := m.do("tap", w.sight("Send")); err == nil || !strings.Contains(err.Error(), "countersign") {
				t.Errorf("a refused tap says %s, %v", out, err)
			}
		}
		if out, err := m.do("shell", job{"command": "pm uninstall org.example.shop"}); err == nil || !strings.Contains(err.Error(), "countersign") {
			t.Errorf("a refused uninstall says %s, %v", out, err)
		}
		still("everything was refused")
		if n := w.about("Send"); n != 1 {
			t.Errorf("%d questions about a tap that was tried twice", n)
		}

		m.must("input", w.text("to", "ruth@example.org"))
		w.answers(yes)
		then := w.since()
		m.must("tap", w.sight("Send"))
		w.happened("one tap was approved", "sent")
		then("one tap was approved", "swipe")

		from, to := w.owes("50")
		w.answers(no)
		still = w.since()
		if out, err := m.do("drag", job{"what": "Slide to pay", "places": [][]int{w.spot(from[0], from[1]), w.spot(to[0], to[1])}}); err == nil || !strings.Contains(err.Error(), "countersign") {
			t.Errorf("a refused payment says %s, %v", out, err)
		}
		still("a payment was refused")

		w.answers(nil)
		m.tell("shell", job{"command": "pm uninstall org.example.reader"})
		w.dies(m.kill)
	}, withYadb)
}
