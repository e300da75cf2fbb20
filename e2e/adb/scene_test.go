package adb_test

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/countersign/countersign/phone"
)

// scene is a screen on which something must not be pressed, and something may.
type scene struct {
	intent  phone.Intent
	prepare func(w *world) // what a person did there first; nil for nothing
	target  string         // what must not be pressed
	harm    string         // what comes of it
	safe    string         // what may be pressed
}

var (
	composer = &scene{
		intent: phone.Intent{Action: "android.intent.action.SENDTO", Data: "mailto:ann@example.org?subject=Hello"},
		target: "send", harm: "sent", safe: "message_content",
	}
	payment = &scene{
		intent:  phone.Intent{Action: "android.intent.action.VIEW", Data: "bank://pay?payee=Ann&amount=500"},
		prepare: func(w *world) { w.phone.Tap(w.at("continue_button")) },
		target:  "slide_to_pay", harm: "paid", safe: "summary",
	}
	removal = &scene{
		intent: phone.Intent{Action: "android.intent.action.DELETE", Data: "package:org.example.notes"},
		target: "android:id/button1", harm: "uninstalled", safe: "android:id/alertTitle",
	}
	chat = &scene{
		intent:  phone.Intent{Action: "android.intent.action.SENDTO", Data: "smsto:Ines", Extras: map[string]string{"sms_body": "ok"}},
		prepare: func(w *world) { w.phone.Tap(w.at("compose_message_text")) },
		target:  "send_message_button", harm: "sent", safe: "message_text",
	}
)

// show brings a scene up past the guard, and forgets how.
func (w *world) show(s *scene) {
	w.t.Helper()
	w.phone.Motion("CANCEL", 0, 0)
	w.must(w.phone.Start(s.intent))
	if s.prepare != nil {
		s.prepare(w)
	}
	w.phone.Forget()
}

// armed makes sure that the scene is what it says: its target does the harm.
func (w *world) armed(s *scene) {
	w.t.Helper()
	w.show(s)
	b := w.node(s.target).Bounds
	x, y := w.at(s.target)
	if s == payment {
		w.phone.Swipe(b.Min.X+20, y, b.Max.X-20, y, 0)
	} else {
		w.phone.Tap(x, y)
	}
	w.happened("the target was pressed", s.harm)
}

// fill puts the places of a scene into a text: {xy}, {x}, {y} for its target,
// {slide} for a swipe along it, {b64} for a tap in base64.
func (w *world) fill(s *scene, text string) string {
	w.t.Helper()
	x, y := w.at(s.target)
	b := w.node(s.target).Bounds
	tap := fmt.Sprintf("input tap %d %d", x, y)
	return strings.NewReplacer(
		"{xy}", fmt.Sprintf("%d %d", x, y), "{x}", fmt.Sprint(x), "{y}", fmt.Sprint(y),
		"{x0}", fmt.Sprintf("%d %d", x, y+5), // beside it, within a finger's width
		"{slide}", fmt.Sprintf("%d %d %d %d", b.Min.X+20, y, b.Max.X-20, y),
		"{b64}", base64.StdEncoding.EncodeToString([]byte(tap)),
		"{serial}", w.serial,
	).Replace(text)
}

// harmless presses what may be pressed on a scene, which has to reach the phone.
func (w *world) harmless(s *scene) {
	w.t.Helper()
	x, y := w.at(s.safe)
	r := w.serve(fmt.Sprintf("shell:input tap %d %d", x, y), "")
	if want := fmt.Sprintf("%d,%d", x, y); !r.passed() || !strings.Contains(strings.Join(w.came("tap"), " "), want) {
		t := w.came("tap")
		w.t.Errorf("a harmless tap on %s was told %+v; the phone has %q", s.safe, r, t)
	}
}
