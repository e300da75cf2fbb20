package automation

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// driver is a client of the server with a session.
type driver struct {
	t       *testing.T
	h       http.Handler
	session string
}

func newDriver(t *testing.T, p *phone.Phone) *driver {
	t.Helper()
	d := &driver{t: t, h: UIA2(p)}
	_, answer := do(d.h, "POST", "/session", `{"capabilities":{"firstMatch":[{}],"alwaysMatch":{}}}`)
	var made struct{ SessionID string }
	if err := json.Unmarshal([]byte(answer), &made); err != nil || made.SessionID == "" {
		t.Fatalf("a new session is answered %s (%v)", answer, err)
	}
	d.session = made.SessionID
	return d
}

func (d *driver) do(method, route, body string) (int, string) {
	return do(d.h, method, "/session/"+d.session+"/"+route, body)
}

// find is the id of what a search finds.
func (d *driver) find(strategy, selector string) string {
	d.t.Helper()
	status, answer := d.do("POST", "element", compact(d.t, object{"strategy": strategy, "selector": selector, "context": "", "multiple": false}))
	var found struct{ Value map[string]string }
	if err := json.Unmarshal([]byte(answer), &found); err != nil || status != 200 {
		d.t.Fatalf("a search for %s is answered %d %s (%v)", selector, status, answer, err)
	}
	return found.Value["element-6066-11e4-a52e-4f735466cecf"]
}

// routeCases are calls, a part of the answer, and what reached the phone because
// of them. ELEMENT stands for the compose field.
var routeCases = []struct {
	method, route, body string
	status              int
	answer, reached     string
}{
	{"GET", "source", "", 200, `\u003candroid.widget.EditText index=\"1\" text=\"Text message\"`, "dump"},
	{"GET", "screenshot", "", 200, `"value":"iVBORw0KGgo`, "screenshot"},
	{"GET", "orientation", "", 200, `"PORTRAIT"`, ""},
	{"POST", "orientation", `{"orientation":"LANDSCAPE"}`, 200, `"LANDSCAPE"`, "display"},
	{"POST", "orientation", `{"orientation":"UP"}`, 400, `invalid argument`, ""},
	{"GET", "rotation", "", 200, `"z":0`, ""},
	{"POST", "rotation", `{"x":0,"y":0,"z":90}`, 200, `"z":90`, "display"},
	{"POST", "rotation", `{"z":45}`, 400, `invalid argument`, ""},
	{"GET", "timeouts", "", 200, `"implicit":0`, ""},
	{"POST", "timeouts", `{"implicit":100}`, 200, `"value":null`, ""},
	{"GET", "window/rect", "", 200, `"height":2400`, ""},
	{"GET", "window/current/size", "", 200, `"width":1080`, ""},
	{"POST", "element", `{"strategy":"accessibility id","selector":"Attach a photo"}`, 200, `"ELEMENT":"0000`, ""},
	{"POST", "element", `{"using":"id","value":"message_text"}`, 200, `"ELEMENT":"0000`, ""},
	{"POST", "element", `{"strategy":"id","selector":"nothing"}`, 404, `"error":"no such element"`, ""},
	{"POST", "element", `{"strategy":"-image","selector":"x"}`, 400, `"error":"invalid selector"`, ""},
	{"POST", "elements", `{"strategy":"class name","selector":"android.widget.ImageButton"}`, 200, `"value":[{`, ""},
	{"POST", "elements", `{"strategy":"id","selector":"nothing"}`, 200, `"value":[]`, ""},
	{"POST", "elements", `{"strategy":"id","selector":"message_text","context":"ELEMENT"}`, 200, `"value":[]`, ""},
	{"GET", "element/active", "", 404, `"error":"no such element"`, ""},
	{"GET", "element/ELEMENT/text", "", 200, `"value":"Text message"`, ""},
	{"GET", "element/ELEMENT/name", "", 200, `"value":null`, ""},
	{"GET", "element/ELEMENT/rect", "", 200, `"width":828`, ""},
	{"GET", "element/ELEMENT/size", "", 200, `"width":828`, ""},
	{"GET", "element/ELEMENT/location", "", 200, `"x":126`, ""},
	{"GET", "element/ELEMENT/displayed", "", 200, `"value":true`, ""},
	{"GET", "element/ELEMENT/enabled", "", 200, `"value":true`, ""},
	{"GET", "element/ELEMENT/selected", "", 200, `"value":false`, ""},
	{"GET", "element/ELEMENT/attribute/resource-id", "", 200, `compose_message_text`, ""},
	{"GET", "element/ELEMENT/attribute/clickable", "", 200, `"value":"true"`, ""},
	{"GET", "element/ELEMENT/attribute/colour", "", 400, `invalid argument`, ""},
	{"GET", "element/ELEMENT/screenshot", "", 200, `"value":"iVBORw0KGgo`, "screenshot"},
	{"GET", "appium/element/ELEMENT/first_visible", "", 404, `"error":"no such element"`, ""},
	{"POST", "appium/element/ELEMENT/scroll_to/ELEMENT", `{}`, 200, `"value":null`, ""},
	{"POST", "gestures/scroll_to", `{"params":{"strategy":"id","selector":"message_text"}}`, 200, `"value":null`, ""},
	{"POST", "gestures/scroll_to", `{"params":{"strategy":"id","selector":"nothing"}}`, 404, `"error":"no such element"`, ""},
	{"POST", "gestures/scroll_to", `{}`, 400, `invalid argument`, ""},
	{"GET", "appium/device/declared_orientation", "", 200, `"PORTRAIT"`, ""},
	{"POST", "appium/list_windows", `{}`, 200, `"isFocused":true`, ""},
	{"POST", "appium/gestures/pinch_close", `{"origin":{"ELEMENT":"ELEMENT"},"percent":0.5}`, 200, `"value":null`, "pinch"},
	{"POST", "appium/gestures/pinch_open", `{"origin":{"ELEMENT":"ELEMENT"},"percent":0.5}`, 200, `"value":null`, "pinch"},
	{"GET", "element/e99/text", "", 404, `"error":"no such element"`, ""},
	{"POST", "element/ELEMENT/click", `{}`, 200, `"value":null`, "tap"},
	{"POST", "element/ELEMENT/clear", `{}`, 200, `"value":null`, "text"},
	{"POST", "element/ELEMENT/value", `{"text":"hello","replace":false}`, 200, `"value":null`, "text"},
	{"POST", "element/ELEMENT/value", `{"value":["h"]}`, 400, `invalid argument`, ""},
	{"POST", "keys", `{"text":"hello"}`, 404, `"error":"no such element"`, ""},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","parameters":{"pointerType":"touch"},"actions":[{"type":"pointerMove","duration":0,"x":60,"y":2200,"origin":"viewport"},{"type":"pointerDown","button":0},{"type":"pause","duration":100},{"type":"pointerUp","button":0}]}]}`, 200, `"value":null`, "tap"},
	{"POST", "actions", `{"actions":[{"type":"pointer","actions":[{"type":"pointerMove","x":0,"y":0,"origin":{"element-6066-11e4-a52e-4f735466cecf":"ELEMENT"}},{"type":"pointerDown"},{"type":"pause","duration":900},{"type":"pointerUp"}]}]}`, 200, `"value":null`, "longpress"},
	{"POST", "actions", `{"actions":[{"type":"pointer","actions":[{"type":"pointerMove","x":500,"y":1500},{"type":"pointerDown"},{"type":"pointerMove","duration":300,"x":0,"y":-900,"origin":"pointer"},{"type":"pointerUp"}]}]}`, 200, `"value":null`, "swipe"},
	{"POST", "actions", `{"actions":[{"type":"pointer","actions":[{"type":"pointerMove","x":500,"y":1500},{"type":"pointerDown"},{"type":"pointerMove","x":500,"y":900},{"type":"pointerMove","x":500,"y":500},{"type":"pointerUp"}]}]}`, 200, `"value":null`, "motion motion motion motion"},
	{"POST", "actions", `{"actions":[{"type":"key","actions":[{"type":"keyDown","value":"h"},{"type":"keyUp","value":"h"},{"type":"keyDown","value":"\ue007"}]}]}`, 200, `"value":null`, "text key"},
	{"POST", "actions", `{"actions":[{"type":"wheel","actions":[]}]}`, 400, `invalid argument`, ""},
	{"POST", "actions", `{}`, 400, `invalid argument`, ""},
	{"DELETE", "actions", "", 200, `"value":null`, ""},
	{"POST", "back", `{}`, 200, `"value":null`, "key"},
	{"GET", "alert/text", "", 404, `"error":"no such alert"`, ""},
	{"POST", "alert/accept", `{}`, 404, `"error":"no such alert"`, ""},
	{"POST", "alert/dismiss", `{}`, 404, `"error":"no such alert"`, ""},
	{"GET", "appium/settings", "", 200, `"snapshotMaxDepth":70`, ""},
	{"POST", "appium/settings", `{"settings":{"waitForIdleTimeout":0}}`, 200, `"value":null`, ""},
	{"POST", "appium/settings", `{}`, 400, `invalid argument`, ""},
	{"GET", "appium/device/info", "", 200, `"realDisplaySize":"1080x2400"`, ""},
	{"GET", "appium/device/battery_info", "", 200, `"level":0.8`, ""},
	{"GET", "appium/device/display_density", "", 200, `"value":420`, ""},
	{"GET", "appium/device/pixel_ratio", "", 200, `"value":2.625`, ""},
	{"GET", "appium/device/system_bars", "", 200, `"statusBar":63`, ""},
	{"POST", "appium/device/press_keycode", `{"keycode":4}`, 200, `"value":null`, "key"},
	{"POST", "appium/device/press_keycode", `{}`, 400, `invalid argument`, ""},
	{"POST", "appium/device/long_press_keycode", `{"keycode":4}`, 200, `"value":null`, "key"},
	{"POST", "appium/device/open_notifications", `{}`, 200, `"value":null`, "panel"},
	{"POST", "appium/device/get_clipboard", `{"contentType":"PLAINTEXT"}`, 200, `"value":""`, ""},
	{"POST", "appium/device/set_clipboard", `{"content":"eA==","contentType":"PLAINTEXT"}`, 200, `"value":null`, "clipboard"},
	{"POST", "appium/device/set_clipboard", `{"content":"%"}`, 400, `invalid argument`, ""},
	{"POST", "appium/reset_ax_cache", `{}`, 200, `"value":null`, ""},
	{"POST", "appium/list_displays", `{}`, 200, `"isDefault":true`, ""},
	{"POST", "appium/gestures/click", `{"offset":{"x":60,"y":2200}}`, 200, `"value":null`, "tap"},
	{"POST", "appium/gestures/click", `{"origin":{"element-6066-11e4-a52e-4f735466cecf":"ELEMENT"}}`, 200, `"value":null`, "tap"},
	{"POST", "appium/gestures/click", `{"origin":{"ELEMENT":"e99"}}`, 404, `"error":"no such element"`, ""},
	{"POST", "appium/gestures/click", `{}`, 400, `invalid argument`, ""},
	{"POST", "appium/gestures/long_click", `{"origin":{"ELEMENT":"ELEMENT"},"duration":1000}`, 200, `"value":null`, "longpress"},
	{"POST", "appium/gestures/double_click", `{"origin":{"ELEMENT":"ELEMENT"},"offset":{"x":5,"y":5}}`, 200, `"value":null`, "tap tap"},
	{"POST", "appium/gestures/drag", `{"origin":{"ELEMENT":"ELEMENT"},"end":{"x":500,"y":500}}`, 200, `"value":null`, "swipe"},
	{"POST", "appium/gestures/swipe", `{"area":{"left":100,"top":300,"width":800,"height":1500},"direction":"up","percent":0.75}`, 200, `"value":null`, "swipe"},
	{"POST", "appium/gestures/scroll", `{"origin":{"ELEMENT":"ELEMENT"},"direction":"down","percent":1}`, 200, `"value":true`, "swipe"},
	{"POST", "appium/gestures/fling", `{"area":{"left":100,"top":300,"width":800,"height":1500},"direction":"down"}`, 200, `"value":true`, "swipe"},
	{"POST", "appium/gestures/swipe", `{"area":{"left":100},"direction":"up"}`, 400, `invalid argument`, ""},
	{"POST", "appium/gestures/swipe", `{"area":{"left":100,"top":300,"width":800,"height":1500},"direction":"in"}`, 400, `invalid argument`, ""},
	{"POST", "nonsense", `{}`, 404, `"error":"unknown command"`, ""},
}

func TestEveryRouteOfUIA2(t *testing.T) {
	if len(routeCases) != 89 {
		t.Fatalf("%d cases, 89 were written", len(routeCases))
	}
	unseen := map[string]bool{}
	for _, r := range webRoutes {
		unseen[r.method+" "+r.pattern] = true
	}
	for _, c := range routeCases {
		for _, r := range webRoutes {
			if _, ok := fitsRoute(c.method, strings.Split(c.route, "/"), r); ok {
				delete(unseen, r.method+" "+r.pattern)
				break
			}
		}
		p := chat(t)
		d := newDriver(t, p)
		id := d.find("id", "compose_message_text")
		before := kinds(p)
		put := strings.NewReplacer(`"ELEMENT":"ELEMENT"`, `"ELEMENT":"`+id+`"`, `/ELEMENT`, "/"+id, `:"ELEMENT"`, `:"`+id+`"`)
		status, answer := d.do(c.method, put.Replace(c.route), put.Replace(c.body))
		if status != c.status || !strings.Contains(answer, c.answer) {
			t.Errorf("%s %s %s is answered %d %.400s, want %d %s", c.method, c.route, c.body, status, answer, c.status, c.answer)
		}
		if got := strings.TrimSpace(strings.TrimPrefix(kinds(p), before)); got != c.reached {
			t.Errorf("%s %s reaches the phone as %q, want %q", c.method, c.route, got, c.reached)
		}
		if !recorded(p, "http", c.method+" /session/"+d.session+"/"+put.Replace(c.route)) {
			t.Errorf("%s %s is not in the record", c.method, c.route)
		}
	}
	for name := range unseen {
		t.Errorf("%s has no case", name)
	}
}

func TestSessionsOfUIA2(t *testing.T) {
	p := chat(t)
	d := newDriver(t, p)
	steps := []struct {
		method, path string
		status       int
		answer       string
	}{
		{"GET", "/status", 200, `"ready":true`},
		{"GET", "/sessions", 200, d.session},
		{"GET", "/session/" + d.session, 200, `"deviceScreenSize":"1080x2400"`},
		{"GET", "/session/other/source", 404, `"error":"invalid session id"`},
		{"GET", "/session/" + d.session + "/source/", 200, `EditText`},
		{"DELETE", "/session/" + d.session + "/", 200, `"value":null`},
		{"GET", "/session/" + d.session + "/source", 404, `"error":"invalid session id"`},
		{"GET", "/sessions", 200, `"value":[]`},
		{"GET", "/elsewhere", 404, `"error":"unknown command"`},
	}
	if len(steps) != 9 {
		t.Fatalf("%d steps, 9 were written", len(steps))
	}
	for _, c := range steps {
		if status, answer := do(d.h, c.method, c.path, ""); status != c.status || !strings.Contains(answer, c.answer) {
			t.Errorf("%s %s is answered %d %.300s, want %d %s", c.method, c.path, status, answer, c.status, c.answer)
		}
	}
	if status, answer := do(d.h, "POST", "/session", "nonsense"); status != 400 {
		t.Errorf("nonsense is answered %d %s", status, answer)
	}
}

func TestAMessageIsSentThroughUIA2(t *testing.T) {
	p := chat(t)
	d := newDriver(t, p)
	field := d.find("id", "com.android.messaging:id/compose_message_text")
	if status, answer := d.do("POST", "element/"+field+"/value", `{"text":"On my way"}`); status != 200 {
		t.Fatalf("typing is answered %d %s", status, answer)
	}
	send := d.find("xpath", `//android.widget.ImageButton[@resource-id="com.android.messaging:id/send_message_button"]`)
	if status, answer := d.do("POST", "element/"+send+"/click", `{}`); status != 200 {
		t.Fatalf("a click is answered %d %s", status, answer)
	}
	if got := sent(t, p); got != "On my way" {
		t.Errorf("%q was sent", got)
	}
	d.do("POST", "back", "")
	d.do("POST", "back", "")
	if status, answer := d.do("GET", "element/"+send+"/text", ""); status != 404 || !strings.Contains(answer, "stale element reference") {
		t.Errorf("an element of another screen is answered %d %s", status, answer)
	}
}

func TestADialogIsAnsweredThroughUIA2(t *testing.T) {
	cases := []struct {
		route, body string
		status      int
		pressed     string
	}{
		{"alert/accept", `{"buttonLabel":"Later"}`, 200, "Later"},
		{"alert/accept", `{"buttonLabel":"Never"}`, 404, ""},
	}
	if len(cases) != 2 {
		t.Fatalf("%d cases, 2 were written", len(cases))
	}
	for _, c := range cases {
		p := chat(t)
		d := newDriver(t, p)
		p.Misbehave(phone.Misbehaviour{DialogBetween: phone.Dialog{Title: "Update?", Buttons: []string{"Later", "Now"}}})
		_ = p.Nodes() // the look after which it comes up
		if status, answer := d.do("POST", c.route, c.body); status != c.status {
			t.Errorf("%s %s is answered %d %s", c.route, c.body, status, answer)
		}
		pressed := ""
		for _, e := range p.Effects() {
			pressed += e.Object
		}
		if pressed != c.pressed {
			t.Errorf("%s %s presses %q, want %q", c.route, c.body, pressed, c.pressed)
		}
	}
}

func TestPageSourceIsCutAtItsDepth(t *testing.T) {
	p := chat(t)
	d := newDriver(t, p)
	_, whole := d.do("GET", "source", "")
	d.do("POST", "appium/settings", `{"settings":{"snapshotMaxDepth":2}}`)
	_, cut := d.do("GET", "source", "")
	upper := 0
	for _, n := range p.Nodes() {
		if n.Depth < 2 {
			upper++
		}
	}
	if got := strings.Count(cut, "bounds="); got != upper {
		t.Errorf("%d nodes are shown, %d are in the two upper layers", got, upper)
	}
	if got := strings.Count(whole, "bounds="); got != len(p.Nodes()) || got <= upper {
		t.Errorf("without a bound %d nodes are shown, %d are there", got, len(p.Nodes()))
	}
	p.Misbehave(phone.Misbehaviour{NeverIdle: true})
	if status, answer := d.do("GET", "source", ""); status != 500 || !strings.Contains(answer, "idle") {
		t.Errorf("a screen that never rests is answered %d %s", status, answer)
	}
}

func TestSearches(t *testing.T) {
	p := chat(t)
	all := len(p.Nodes())
	cases := []struct {
		strategy, selector string
		want               int // -1: an invalid selector
	}{
		{"id", "com.android.messaging:id/message_text", 1},
		{"id", "message_text", 1},
		{"accessibility id", "Attach a photo", 1},
		{"class name", "android.widget.ImageButton", 3},
		{"xpath", "//*", all},
		{"xpath", "//android.widget.ImageButton", 3},
		{"xpath", "//android.widget.ImageButton[2]", 1},
		{"xpath", "(//android.widget.ImageButton)[3]", 1},
		{"xpath", "(//android.widget.ImageButton)[4]", 0},
		{"xpath", "/hierarchy/*", 1},
		{"xpath", "//*[@text='See you at eight?']", 1},
		{"xpath", `//*[@text="+49170" and @clickable="false"]`, 1},
		{"xpath", "//*[contains(@content-desc,'photo')]", 1},
		{"xpath", "//*[starts-with(@resource-id,'com.android.messaging:id/compose')]", 2},
		{"xpath", "//*[@resource-id='android:id/list']/android.widget.TextView", 1},
		{"xpath", "//*[@resource-id='android:id/list']//*", 1},
		{"xpath", "//*[@colour='red']", -1},
		{"xpath", "//*[last()]", -1},
		{"xpath", "nonsense", -1},
		{"-android uiautomator", `new UiSelector().text("See you at eight?")`, 1},
		{"-android uiautomator", `new UiSelector().className("android.widget.ImageButton").instance(1)`, 1},
		{"-android uiautomator", `new UiSelector().clickable(true).description("Attach a photo")`, 1},
		{"-android uiautomator", `new UiScrollable(new UiSelector().scrollable(true)).scrollIntoView(new UiSelector().text("See you at eight?"))`, 1},
		{"-android uiautomator", `new UiScrollable(new UiSelector().scrollable(true)).scrollTextIntoView("Nowhere")`, 0},
		{"-android uiautomator", `new UiSelector().colour("red")`, -1},
		{"-android uiautomator", `nonsense`, -1},
	}
	if len(cases) != 26 {
		t.Fatalf("%d cases, 26 were written", len(cases))
	}
	d := newDriver(t, p)
	for _, c := range cases {
		status, answer := d.do("POST", "elements", compact(t, object{"strategy": c.strategy, "selector": c.selector}))
		if c.want < 0 {
			if status != 400 || !strings.Contains(answer, "invalid selector") {
				t.Errorf("%s is answered %d %s, want an invalid selector", c.selector, status, answer)
			}
			continue
		}
		if got := strings.Count(answer, `"ELEMENT"`); status != 200 || got != c.want {
			t.Errorf("%s finds %d elements (%d), want %d", c.selector, got, status, c.want)
		}
	}
}
