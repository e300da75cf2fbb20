package clients

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// gesture is one of Appium's own extensions.
func gesture(script string, args job) job { return job{"script": "mobile: " + script, "args": args} }

// byID is an element with an id.
func byID(id string) string { return `//*[@resource-id="` + id + `"]` }

// Appium's other ways to act: values set, chains of pointer actions, gestures at
// places, keys. Each is judged by where it lands, and is carried out once when it was
// approved.
func TestAppiumActs(t *testing.T) {
	fronts(t, func(t *testing.T, w *world) {
		w.answers(yes) // to what it needs for its start
		a := w.appium()
		wd := w.drive("webdriverio", "APPIUM="+a.port, "ADB_PORT="+w.port)
		wd.must("open", job{"serial": w.serial}) // and nothing that is refused is tried again
		w.answers(no)
		point := func(label string) job {
			x, y := w.at(label)
			return job{"x": x, "y": y}
		}
		to := func(text string) job { return job{"find": byID("com.fsck.k9:id/to"), "text": text} }
		refused := func(what string, j job) {
			t.Helper()
			if out, err := wd.do(what, j); err == nil || !strings.Contains(err.Error(), "countersign") {
				t.Errorf("%s %v, refused, says %s, %v", what, j, out, err)
			}
		}

		asked, then := len(w.questions()), w.since()
		wd.must("gesture", gesture("activateApp", job{"appId": "com.fsck.k9"}))
		wd.must("click", job{"find": "~Compose"})
		wd.must("type", to("ines@example.org"))
		wd.must("gesture", gesture("clickGesture", point("subject")))
		wd.must("tap", point("message_content"))
		wd.must("type", job{"find": byID("com.fsck.k9:id/message_content"), "text": "Grüße"})
		wd.must("gesture", gesture("swipeGesture", job{"left": 100, "top": 900, "width": 500, "height": 500, "direction": "up", "percent": 0.75}))
		for _, q := range w.questions()[asked:] {
			t.Errorf("a question about what is harmless: %s %s", q.Card.Argument, q.Card.Reason)
		}
		then("what is harmless", "intent", "tap", "text", "text", "tap", "tap", "text", "text", "swipe") // a value is emptied first

		then = w.since()
		refused("gesture", gesture("clickGesture", point("Send")))
		refused("tap", point("Send"))
		then("everything was refused")
		if n := w.about("Send"); n != 1 {
			t.Errorf("%d questions about a click and a tap at one place", n)
		}

		wd.must("type", to("ruth@example.org"))
		w.answers(yes)
		then = w.since()
		wd.must("tap", point("Send"))
		w.happened("one tap was approved", "sent")
		then("one tap was approved", "tap")
		wd.must("click", job{"find": "~Compose"})
		wd.must("type", to("ruth@example.org"))
		then = w.since()
		wd.must("gesture", gesture("clickGesture", point("Send")))
		w.happened("one more was approved", "sent", "sent")
		then("one more was approved", "tap")

		w.answers(no)
		from, end := w.owes("50")
		then = w.since()
		refused("gesture", gesture("swipeGesture", job{"left": from[0], "top": from[1] - 40, "width": end[0] - from[0], "height": 80, "direction": "right", "percent": 1}))
		refused("gesture", gesture("dragGesture", job{"startX": from[0], "startY": from[1], "endX": end[0], "endY": end[1]}))
		then("a payment was refused")
		from, end = w.owes("7")
		w.answers(yes)
		then = w.since()
		wd.must("gesture", gesture("dragGesture", job{"startX": from[0], "startY": from[1], "endX": end[0], "endY": end[1]}))
		w.happened("a payment was approved", "sent", "sent", "paid")
		then("a payment was approved", "swipe")

		if err := w.phone.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "smsto:110", Extras: map[string]string{"sms_body": "help"}}); err != nil {
			t.Fatal(err)
		}
		wd.must("click", job{"find": byID("com.android.messaging:id/compose_message_text")})
		w.answers(no)
		then = w.since()
		refused("key", job{"code": 66})
		then("the key that sends was refused")
	}, withAppium)
}
