package relay

import (
	"encoding/json"
	"strings"
	"testing"
)

// w3c is a call on session s1.
func w3c(route, body string) string { return post("/session/s1/"+route, body) }

const w3cElement = `{"element-6066-11e4-a52e-4f735466cecf":"e1","ELEMENT":"e1"}`

// uia2Cases are calls by method and route, and what they mean. An element stands
// for someThing, whose corner is (100, 200) and whose middle is (200, 230).
var uia2Cases = []struct{ method, route, body, want string }{
	{"GET", "screenshot", "", "reads"},
	{"GET", "screenshot/e1", "", "reads"},
	{"GET", "source", "", "reads"},
	{"GET", "orientation", "", "reads"},
	{"GET", "rotation", "", "reads"},
	{"GET", "timeouts", "", "reads"},
	{"GET", "alert/text", "", "reads"},
	{"GET", "element/active", "", "reads"},
	{"GET", "element/e1/text", "", "reads"},
	{"GET", "element/e1/attribute/content-desc", "", "reads"},
	{"GET", "element/e1/rect", "", "reads"},
	{"GET", "element/e1/size", "", "reads"},
	{"GET", "element/e1/location", "", "reads"},
	{"GET", "element/e1/name", "", "reads"},
	{"GET", "element/e1/displayed", "", "reads"},
	{"GET", "element/e1/enabled", "", "reads"},
	{"GET", "element/e1/selected", "", "reads"},
	{"GET", "element/e1/screenshot", "", "reads"},
	{"GET", "window/current/size", "", "reads"},
	{"GET", "window/rect", "", "reads"},
	{"GET", "appium/settings", "", "reads"},
	{"GET", "appium/element/e1/first_visible", "", "reads"},
	{"GET", "appium/device/apps", "", "reads"},
	{"GET", "appium/device/battery_info", "", "reads"},
	{"GET", "appium/device/declared_orientation", "", "reads"},
	{"GET", "appium/device/display_density", "", "reads"},
	{"GET", "appium/device/info", "", "reads"},
	{"GET", "appium/device/pixel_ratio", "", "reads"},
	{"GET", "appium/device/system_bars", "", "reads"},
	{"POST", "appium/action_history", "{}", "reads"},
	{"POST", "appium/list_displays", "{}", "reads"},
	{"POST", "appium/list_windows", "{}", "reads"},
	{"POST", "appium/reset_ax_cache", "{}", "reads"},
	{"POST", "element", `{"strategy":"id","selector":"send","context":"","multiple":false}`, "reads"},
	{"POST", "elements", `{"using":"xpath","value":"//*"}`, "reads"},
	{"POST", "element/e1/element", `{"using":"accessibility id","value":"Send"}`, "reads"},
	{"POST", "element/e1/elements", `{"using":"class name","value":"x"}`, "reads"},
	{"POST", "element", `{"strategy":"-image","selector":"x"}`, "unknown"},
	{"POST", "element", `{"strategy":"id","selector":"a","using":"xpath","value":"b"}`, "unknown"},
	{"POST", "element", `{"using":"id"}`, "unknown"},
	{"POST", "element", `{"strategy":"-android uiautomator","selector":"new UiSelector().text(\"Pay\")"}`, "reads"},
	{"POST", "element", `{"strategy":"-android uiautomator","selector":"new UiScrollable(new UiSelector()).scrollTextIntoView(\"Pay\")"}`, `{"kind":"scroll"}`},
	{"POST", "element", `{"strategy":"-android uiautomator","selector":"new UiScrollable(new UiSelector().text(\"Pay\")).click()"}`, "unknown"},

	{"POST", "element/e1/click", `{"element":"e1"}`, `{"kind":"tap","x":200,"y":230}`},
	{"POST", "element/e1/click", `{"element":"e2"}`, "unknown"},
	{"POST", "element/e1/value", `{"elementId":"e2","text":"x"}`, "unknown"},
	{"POST", "element/e1/click", `{"ELEMENT":{"a":1}}`, "unknown"},
	{"POST", "keys", `{"elementId":"e2","text":"x"}`, "unknown"},
	{"POST", "element/e1/clear", `{}`, `{"kind":"type","x":200,"y":230}`},
	{"POST", "element/e1/value", `{"elementId":"e1","text":"hello","replace":false}`, `{"kind":"type","x":200,"y":230,"text":"hello"}`},
	{"POST", "element/e1/value", `{"text":"hello\\n"}`, `{"kind":"type","x":200,"y":230,"text":"hello\n"}`},
	{"POST", "element/e1/value", `{"text":"hello\ue007"}`, `{"kind":"type","x":200,"y":230,"text":"hello\n"}`},
	{"POST", "element/e1/value", `{"value":["h"]}`, "unknown"},
	{"POST", "keys", `{"text":"hello"}`, `{"kind":"type","text":"hello"}`},
	{"DELETE", "actions", "", `{"kind":"wait"}`},
	{"POST", "back", "", `{"kind":"back"}`},
	{"POST", "url", `{"url":"https://example.org/"}`, `{"kind":"deep_link","intent":"https://example.org/"}`},
	{"POST", "url", `{}`, "unknown"},
	{"POST", "orientation", `{"orientation":"LANDSCAPE"}`, `{"kind":"shell","shell":"settings put system user_rotation 0"}`},
	{"POST", "rotation", `{"z":90}`, `{"kind":"shell","shell":"settings put system user_rotation 0"}`},
	{"POST", "timeouts", `{"implicit":0}`, `{"kind":"wait"}`},
	{"POST", "alert/accept", `{}`, `{"kind":"tap","selector":{"resource_id":"android:id/button1"}}`},
	{"POST", "alert/dismiss", `{}`, `{"kind":"tap","selector":{"resource_id":"android:id/button2"}}`},
	{"POST", "alert/accept", `{"buttonLabel":"Delete"}`, `{"kind":"tap","selector":{"text":"Delete"}}`},
	{"POST", "alert/accept", `{"buttonLabel":5}`, "unknown"},
	{"POST", "appium/settings", `{"settings":{"waitForIdleTimeout":0,"ignoreUnimportantViews":true}}`, `{"kind":"wait"}`},
	{"POST", "appium/settings", `{"settings":{"snapshotMaxDepth":2}}`, `{"kind":"wait"}`},
	{"POST", "appium/settings", `{"settings":{"serverPort":2}}`, "unknown"},
	{"POST", "appium/settings", `{}`, "unknown"},
	{"POST", "appium/unschedule_action", `{"name":"x"}`, `{"kind":"wait"}`},
	{"POST", "appium/schedule_action", `{"name":"x"}`, "unknown"},
	{"POST", "appium/device/press_keycode", `{"keycode":66}`, `{"kind":"key","key":"66"}`},
	{"POST", "appium/device/press_keycode", `{"keycode":66,"metastate":1,"flags":32}`, `{"kind":"key","key":"66"}`},
	{"POST", "appium/device/press_keycode", `{"keycode":66,"metastate":4096}`, "unknown"},
	{"POST", "appium/device/press_keycode", `{"keycode":"66"}`, "unknown"},
	{"POST", "appium/device/long_press_keycode", `{"keycode":26}`, `{"kind":"key","duration_ms":500,"key":"26"}`},
	{"POST", "appium/device/open_notifications", `{}`, `{"kind":"shell","shell":"cmd statusbar expand-notifications"}`},
	{"POST", "appium/device/get_clipboard", `{"contentType":"PLAINTEXT"}`, `{"kind":"shell","shell":"cmd clipboard get-text"}`},
	{"POST", "appium/device/set_clipboard", `{"content":"eA=="}`, `{"kind":"wait"}`},
	{"POST", "appium/device/shake", `{}`, "unknown"},
	{"POST", "appium/element/e1/scroll_to/e2", `{}`, `{"kind":"scroll"}`},
	{"POST", "gestures/scroll_to", `{"params":{"strategy":"accessibility id","selector":"Send"}}`, `{"kind":"scroll"}`},
	{"POST", "gestures/scroll_to", `{"selector":"new UiObject().click()"}`, "unknown"},
	{"POST", "network_connection", `{"type":1}`, "unknown"},

	{"POST", "appium/gestures/click", `{"offset":{"x":5,"y":6}}`, `{"kind":"tap","x":5,"y":6}`},
	{"POST", "appium/gestures/click", `{"origin":{"ELEMENT":"e1"}}`, `{"kind":"tap","x":200,"y":230}`},
	{"POST", "appium/gestures/click", `{"origin":` + w3cElement + `,"offset":{"x":5,"y":6}}`, `{"kind":"tap","x":105,"y":206}`},
	{"POST", "appium/gestures/click", `{"origin":{"ELEMENT":"e1","element-6066-11e4-a52e-4f735466cecf":"e2"}}`, "unknown"},
	{"POST", "appium/gestures/click", `{}`, "unknown"},
	{"POST", "appium/gestures/click", `{"offset":{"x":5}}`, "unknown"},
	{"POST", "appium/gestures/long_click", `{"offset":{"x":5,"y":6}}`, `{"kind":"long_press","x":5,"y":6,"duration_ms":500}`},
	{"POST", "appium/gestures/long_click", `{"offset":{"x":5,"y":6},"duration":3000}`, `{"kind":"long_press","x":5,"y":6,"duration_ms":3000}`},
	{"POST", "appium/gestures/long_click", `{"offset":{"x":5,"y":6},"duration":"long"}`, "unknown"},
	{"POST", "appium/gestures/double_click", `{"offset":{"x":5,"y":6}}`, `{"kind":"double_tap","x":5,"y":6}`},
	{"POST", "appium/gestures/drag", `{"start":{"x":5,"y":6},"end":{"x":500,"y":600}}`, `{"kind":"swipe","x":5,"y":6,"x2":500,"y2":600,"duration_ms":500}`},
	{"POST", "appium/gestures/drag", `{"origin":{"ELEMENT":"e1"},"end":{"x":500,"y":600}}`, `{"kind":"swipe","x":200,"y":230,"x2":500,"y2":600,"duration_ms":500}`},
	{"POST", "appium/gestures/drag", `{"start":{"x":5,"y":6}}`, "unknown"},
	{"POST", "appium/gestures/fling", `{"area":{"left":0,"top":0,"width":100,"height":1000},"direction":"down","speed":50}`, `{"kind":"swipe","x":50,"y":999,"x2":50,"y2":-1}`},
	{"POST", "appium/gestures/scroll", `{"origin":{"ELEMENT":"e1"},"direction":"right","percent":1}`, `{"kind":"swipe","x":299,"y":230,"x2":99,"y2":230}`},
	{"POST", "appium/gestures/swipe", `{"area":{"left":0,"top":0,"width":100,"height":1000},"direction":"up","percent":0.5}`, `{"kind":"swipe","x":50,"y":999,"x2":50,"y2":499}`},
	{"POST", "appium/gestures/swipe", `{"area":{"left":0,"top":0,"width":100,"height":1000}}`, "unknown"},
	{"POST", "appium/gestures/swipe", `{"direction":"up"}`, "unknown"},
	{"POST", "appium/gestures/pinch_close", `{"area":{"left":0,"top":0,"width":100,"height":100},"percent":0.5}`, `{"kind":"shell","shell":"input swipe 0 50 50 50 0 && input swipe 99 50 50 50 0"}`},
	{"POST", "appium/gestures/pinch_open", `{"area":{"left":0,"top":0,"width":100,"height":100},"percent":0.5}`, `{"kind":"shell","shell":"input swipe 50 50 0 50 0 && input swipe 50 50 99 50 0"}`},

	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"},{"type":"pause","duration":50},{"type":"pointerUp"}]}]}`,
		`{"kind":"tap","x":5,"y":6,"duration_ms":50}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","origin":` + w3cElement + `,"x":1,"y":-1},{"type":"pointerDown"},{"type":"pointerUp"}]}]}`,
		`{"kind":"tap","x":201,"y":229}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"},{"type":"pause","duration":900},{"type":"pointerUp"}]}]}`,
		`{"kind":"long_press","x":5,"y":6,"duration_ms":900}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"},{"type":"pointerMove","duration":300,"origin":"pointer","x":200,"y":0},{"type":"pointerUp"}]}]}`,
		`{"kind":"swipe","x":5,"y":6,"x2":205,"y2":6,"duration_ms":300}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"},{"type":"pointerUp"},{"type":"pointerDown"},{"type":"pointerUp"}]}]}`,
		`{"kind":"double_tap","x":5,"y":6}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"},{"type":"pointerMove","x":300,"y":6},{"type":"pointerMove","x":5,"y":6},{"type":"pointerUp"}]}]}`,
		`{"kind":"shell","shell":"input motionevent DOWN 5 6 && input motionevent MOVE 300 6 && input motionevent MOVE 5 6 && input motionevent UP 5 6"}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"}]}]}`,
		`{"kind":"tap","x":5,"y":6}`},
	{"POST", "actions", `{"actions":[{"type":"key","id":"k","actions":[{"type":"keyDown","value":"h"},{"type":"keyUp","value":"h"},{"type":"keyDown","value":"i"},{"type":"keyDown","value":"\ue007"}]}]}`,
		`{"kind":"shell","shell":"input text 'hi' && input keyevent 'ENTER'"}`},
	{"POST", "actions", `{"actions":[{"type":"key","id":"k","actions":[{"type":"keyDown","value":"\ue009"},{"type":"keyDown","value":"\ue007"}]}]}`, "unknown"},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"},{"type":"pointerUp"}]},{"type":"key","id":"k","actions":[{"type":"keyDown","value":"h"}]}]}`,
		`{"kind":"shell","shell":"input tap 5 6 && input text 'h'"}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6}]}]}`, `{"kind":"wait"}`},
	{"POST", "actions", `{"actions":[{"type":"none","id":"n","actions":[{"type":"pause","duration":10}]}]}`, `{"kind":"wait"}`},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerDown"}]}]}`, "unknown"},
	{"POST", "actions", `{"actions":[{"type":"wheel","id":"w","actions":[{"type":"scroll","x":1,"y":1}]}]}`, "unknown"},
	{"POST", "actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":1,"y":2,"origin":"elsewhere"}]}]}`, "unknown"},
	{"POST", "actions", `{"actions":5}`, "unknown"},

	{"POST", "execute/sync", `{"script":"mobile: shell","args":[{"command":"input","args":["tap","1","2"]}]}`, `{"kind":"shell","shell":"input tap 1 2"}`},
	{"POST", "execute", `{"script":"mobile: deepLink","args":[{"url":"app://x"}]}`, `{"kind":"deep_link","intent":"app://x"}`},
	{"POST", "execute/sync", `{"script":"mobile: type","args":[{"text":"x"}]}`, `{"kind":"type","text":"x"}`},
	{"POST", "execute/sync", `{"script":"mobile: pressKey","args":[{"keycode":4}]}`, `{"kind":"key","key":"4"}`},
	{"POST", "execute/sync", `{"script":"mobile: clickGesture","args":[{"x":5,"y":6}]}`, `{"kind":"tap","x":5,"y":6}`},
	{"POST", "execute/sync", `{"script":"mobile: longClickGesture","args":[{"elementId":"e1"}]}`, `{"kind":"long_press","x":200,"y":230,"duration_ms":500}`},
	{"POST", "execute/sync", `{"script":"mobile: doubleClickGesture","args":[{"x":5,"y":6}]}`, `{"kind":"double_tap","x":5,"y":6}`},
	{"POST", "execute/sync", `{"script":"mobile: dragGesture","args":[{"startX":5,"startY":6,"endX":500,"endY":600}]}`, `{"kind":"swipe","x":5,"y":6,"x2":500,"y2":600,"duration_ms":500}`},
	{"POST", "execute/sync", `{"script":"mobile: swipeGesture","args":[{"left":0,"top":0,"width":100,"height":1000,"direction":"up","percent":0.5}]}`, `{"kind":"swipe","x":50,"y":999,"x2":50,"y2":499}`},
	{"POST", "execute/sync", `{"script":"mobile: scrollGesture","args":[{"elementId":"e1","direction":"down","percent":1}]}`, `{"kind":"swipe","x":200,"y":259,"x2":200,"y2":199}`},
	{"POST", "execute/sync", `{"script":"mobile: flingGesture","args":[{"elementId":"e1","direction":"down"}]}`, `{"kind":"swipe","x":200,"y":259,"x2":200,"y2":199}`},
	{"POST", "execute/sync", `{"script":"mobile: pinchCloseGesture","args":[{"elementId":"e1","percent":1}]}`, `{"kind":"shell","shell":"input swipe 100 230 200 230 0 && input swipe 299 230 200 230 0"}`},
	{"POST", "execute/sync", `{"script":"mobile: pinchOpenGesture","args":[{"elementId":"e1","percent":1}]}`, `{"kind":"shell","shell":"input swipe 200 230 100 230 0 && input swipe 200 230 299 230 0"}`},
	{"POST", "execute/sync", `{"script":"mobile: installApp","args":[{"appPath":"/x.apk"}]}`, "unknown"},
	{"POST", "execute/sync", `{"script":"mobile: shell","args":["input tap 1 2"]}`, "unknown"},
	{"POST", "context", `{"name":"WEBVIEW_x"}`, "unknown"},
}

func TestEveryRouteOfUIA2(t *testing.T) {
	if len(uia2Cases) != 136 {
		t.Fatalf("%d cases, 136 were written", len(uia2Cases))
	}
	unseen := map[string]bool{}
	for _, r := range append(append([]w3cRoute{}, uia2Reads...), uia2Acts...) {
		unseen[r.method+" "+r.pattern] = true
	}
	for name := range mobile {
		unseen[name] = true
	}
	for _, c := range uia2Cases {
		for _, r := range uia2Routes[shapeOf(c.method, strings.Split(c.route, "/"))] {
			if _, ok := matches(r.pattern, strings.Split(c.route, "/")); ok {
				delete(unseen, r.method+" "+r.pattern)
			}
		}
		for name := range mobile {
			if strings.Contains(c.body, `"`+name+`"`) {
				delete(unseen, name)
			}
		}
		raw := w3c(c.route, c.body)
		if c.method != "POST" {
			raw = strings.Replace(get("/session/s1/"+c.route), "GET", c.method, 1)
		}
		if got := means(t, uia2, new(Memory), raw); got != c.want {
			t.Errorf("%s %s %s means %s, want %s", c.method, c.route, c.body, got, c.want)
		}
	}
	for name := range unseen {
		t.Errorf("%s has no case", name)
	}
}

func TestOtherPathsOfUIA2(t *testing.T) {
	cases := []struct{ raw, want string }{
		{get("/status"), "reads"}, {get("/sessions"), "reads"}, {get("/appium/device/apps"), "reads"},
		{get("/session/s1"), "reads"}, {post("/session", `{"capabilities":{}}`), `{"kind":"wait"}`},
		{strings.Replace(get("/session/s1"), "GET", "DELETE", 1), `{"kind":"wait"}`},
		{post("/session/s1", "{}"), "unknown"}, {get("/session/s1/source?x=1"), "unknown"},
		{get("/session/s1//source"), "unknown"}, {get("/session/s1/source//"), "unknown"},
		{get("/session/s1/source/"), "reads"}, {strings.Replace(get("/session/s1/"), "GET", "DELETE", 1), `{"kind":"wait"}`},
		{get("/session/../session/s1/source"), "unknown"}, {get("/session/s1/%73ource"), "unknown"},
		{get("/wd/hub/session/s1/source"), "unknown"}, {get("/"), "unknown"},
		{strings.Replace(get("/session/s1/source"), "GET", "HEAD", 1), "unknown"},
		{w3c("back", "{'a':1}"), "unknown"}, {w3c("back", `{"a":1}{"b":2}`), "unknown"},
		{w3c("back", `[]`), "unknown"},
		{post("/session/s1/element/e%31/click", "{}"), "unknown"},
		{post("/session/s1/back", "{}", "Content-Type: application/json; charset=utf-7"), "unknown"},
	}
	if len(cases) != 22 {
		t.Fatalf("%d cases, 22 were written", len(cases))
	}
	for _, c := range cases {
		if got := means(t, uia2, new(Memory), c.raw); got != c.want {
			t.Errorf("%q means %s, want %s", c.raw, got, c.want)
		}
	}
}

func TestSettingsThatHideTheScreenBlurIt(t *testing.T) {
	ok := &answer{status: 200}
	cases := []struct {
		settings string
		answer   *answer
		blurred  bool
	}{
		{`{"waitForIdleTimeout":0}`, ok, false},
		{`{"snapshotMaxDepth":2}`, ok, true},
		{`{"snapshotMaxDepth":2}`, &answer{status: 500}, true},
		{`{"snapshotMaxDepth":100}`, ok, false},
		{`{"snapshotMaxDepth":2}`, nil, true}, // the agent has hung up before there was one
		{`{"snapshotMaxDepth":"2"}`, ok, true},
		{`{"currentDisplayId":1}`, ok, true},
		{`{"currentDisplayId":0}`, ok, false},
		{`{"enableTopmostWindowFromActivePackage":true}`, ok, true},
		{`{"alwaysTraversableViewClasses":"android.view.View"}`, ok, true},
	}
	if len(cases) != 10 {
		t.Fatalf("%d cases, 10 were written", len(cases))
	}
	for _, c := range cases {
		m := new(Memory)
		mean := readUIA2(m, read(t, w3c("appium/settings", `{"settings":`+c.settings+`}`)))
		mean.begins(m)
		if c.answer != nil {
			mean.keep(m, c.answer)
		}
		if m.isBlurred() != c.blurred {
			t.Errorf("after %s, answered by %+v, the screen is blurred: %v", c.settings, c.answer, m.isBlurred())
		}
	}
	m := new(Memory)
	for _, depth := range []string{"2", "70"} {
		mean := readUIA2(m, read(t, w3c("appium/settings", `{"settings":{"snapshotMaxDepth":`+depth+`}}`)))
		mean.begins(m)
		mean.keep(m, ok)
	}
	if m.isBlurred() {
		t.Error("a depth that was put back still blurs the screen")
	}
}

func TestADenialOfUIA2IsAWebDriverError(t *testing.T) {
	cases := []struct {
		p      reply
		status int
		code   string
	}{
		{denyUIA2(nil, "No."), 500, "unknown error"},
		{staleUIA2(nil, "No."), 404, "stale element reference"},
	}
	if len(cases) != 2 {
		t.Fatalf("%d cases, 2 were written", len(cases))
	}
	for _, c := range cases {
		var got struct {
			Value struct{ Error, Message string }
		}
		if err := json.Unmarshal(c.p.body, &got); err != nil {
			t.Fatal(err)
		}
		if c.p.status != c.status || got.Value.Error != c.code || got.Value.Message != "No." {
			t.Errorf("a denial is %d %s", c.p.status, c.p.body)
		}
	}
}
