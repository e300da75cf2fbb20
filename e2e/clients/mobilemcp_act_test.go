package clients

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// mobile-mcp's other tools: several in one call, of which each is judged by itself and
// the rest left out at a refusal; text that is submitted, and the key that submits it.
func TestMobileMCPActs(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		w.answers(yes) // to what it needs for its start
		m := w.mobileMCP()
		const click, typing, button = "mobile_click_on_screen_at_coordinates", "mobile_type_keys", "mobile_press_button"
		at := func(j job) job {
			j["device"] = w.serial
			return j
		}
		point := func(label string) job {
			x, y := w.at(label)
			return job{"x": x, "y": y}
		}
		text := func(s string) job { return job{"text": s, "submit": false} }
		step := func(tool string, j job) job { return job{"name": tool, "arguments": j} }
		batch := func(steps ...job) string {
			t.Helper()
			return m.must("mobile_batch_commands", at(job{"steps": steps})) // which never fails as a whole
		}
		m.must("mobile_launch_app", at(job{"packageName": "com.fsck.k9"}))
		m.must("mobile_list_elements_on_screen", at(job{}))

		w.answers(no)
		asked, then := len(w.questions()), w.since()
		m.must(click, at(point("Compose")))
		batch(step(click, point("to")), step(typing, text("ines@example.org")), step(click, point("message_content")), step(typing, text("hello")))
		for _, q := range w.questions()[asked:] {
			t.Errorf("a question about what is harmless: %s %s", q.Card.Argument, q.Card.Reason)
		}
		then("what is harmless", "tap", "tap", "text", "tap", "text")

		then = w.since()
		home := step(button, job{"button": "HOME"})
		if text := batch(step(click, point("message_content")), step(click, point("Send")), home); !strings.Contains(text, "failed") || strings.Contains(text, "HOME") {
			t.Errorf("a call whose second part is refused says %s", text)
		}
		if text, failed, err := m.call(click, at(point("Send"))); !failed || err != nil {
			t.Errorf("a refused tap: %v %s", err, text)
		}
		then("a part was refused", "tap")
		if n := w.about("Send"); n != 1 {
			t.Errorf("%d questions about a tap that was tried by itself after it was refused among others", n)
		}

		batch(step(click, point("to")), step(typing, text(".de")))
		w.answers(yes)
		then = w.since()
		if text := batch(step(click, point("Send")), home); strings.Contains(text, "failed") {
			t.Errorf("a call that was approved says %s", text)
		}
		w.happened("one tap was approved", "sent")
		then("one tap was approved", "tap", "key")

		if err := w.phone.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "smsto:110"}); err != nil {
			t.Fatal(err)
		}
		m.must(click, at(point("compose_message_text")))
		w.answers(no)
		then = w.since()
		if text, failed, err := m.call(typing, at(job{"text": "help", "submit": true})); !failed || err != nil || !strings.Contains(text, "countersign") {
			t.Errorf("a text whose submission is refused: %v %s", err, text)
		}
		if text, failed, err := m.call(button, at(job{"button": "ENTER"})); !failed || err != nil || !strings.Contains(text, "countersign") {
			t.Errorf("the key that sends, refused: %v %s", err, text)
		}
		then("a text was typed, and sending it refused", "text")
		m.must(typing, at(text(" me")))
		w.answers(yes)
		then = w.since()
		m.must(button, at(job{"button": "ENTER"}))
		w.happened("one key was approved", "sent", "sent")
		then("one key was approved", "key")
	}, withMobilecli)
}
