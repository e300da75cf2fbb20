package adb_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone/automation"
)

// call is a way through a server that an agent runs on the phone: what is sent
// on a stream to it.
type call struct {
	name   string
	scene  *scene
	target string
	sent   string
}

const (
	u2     = automation.UIAutomator2Address
	uia2   = automation.UIA2Address
	portal = automation.PortalAddress
	mobile = automation.MobilecliAddress
)

// rpc is a call of uiautomator2's.
func rpc(method, params string) string {
	return request("POST", "/jsonrpc/0", `{"jsonrpc":"2.0","id":"1","method":"`+method+`","params":[`+params+`]}`)
}

// selector is uiautomator2's way to name the control with an id.
func selector(id string) string {
	return `{"mask":2097152,"childOrSibling":[],"childOrSiblingSelector":[],"resourceId":"` + id + `"}`
}

// withToken is a request that the Portal takes.
func withToken(method, path, body string) string {
	return strings.Replace(request(method, path, body), "\r\n", "\r\nAuthorization: Bearer "+automation.PortalToken+"\r\n", 1)
}

// form is a request whose body is a form.
func form(path, body string) string {
	return strings.Replace(withToken("POST", path, body), "application/json", "application/x-www-form-urlencoded", 1)
}

// cli is a call of mobilecli's server.
func cli(method, params string) string {
	return request("POST", "/", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`}}`)
}

const k9Send = "com.fsck.k9:id/send"

// calls are tried as they stand; SESSION and ELEMENT are UIA2's for the target.
var calls = []call{
	// uiautomator2.
	{"a click", composer, u2, rpc("click", "{x},{y}")},
	{"a click on what a selector finds", composer, u2, rpc("click", selector(k9Send))},
	{"a click with a corner", composer, u2, rpc("click", selector(k9Send)+`,"br"`)},
	{"a click that waits for a window", composer, u2, rpc("clickAndWaitForNewWindow", selector(k9Send)+",3000")},
	{"a long click", composer, u2, rpc("longClick", selector(k9Send))},
	{"a swipe that stays", composer, u2, rpc("swipe", "{x},{y},{x},{y},5")},
	{"a swipe through points that stays", composer, u2, rpc("swipePoints", "[{x},{y},{x},{y}],5")},
	{"a drag that stays", composer, u2, rpc("drag", "{x},{y},{x},{y},5")},
	{"sliding to pay", payment, u2, rpc("swipe", "{sliding},20")},
	{"sliding to pay through points", payment, u2, rpc("swipePoints", "[{sliding}],20")},
	{"dragging to pay", payment, u2, rpc("drag", "{sliding},20")},
	{"a batch", composer, u2, request("POST", "/jsonrpc/0", `[{"jsonrpc":"2.0","id":"1","method":"deviceInfo","params":[]},{"jsonrpc":"2.0","id":"2","method":"click","params":[{x},{y}]}]`)},
	{"enter by code", chat, u2, rpc("pressKeyCode", "66")},
	{"enter by name", chat, u2, rpc("pressKey", `"enter"`)},
	{"enter with a modifier", chat, u2, rpc("pressKeyCode", "66,0")},
	{"text that ends with a line break", chat, u2, rpc("setText", selector("com.android.messaging:id/compose_message_text")+`,"ok\n"`)},
	{"a method that nobody knows", composer, u2, rpc("clickEverything", "{x},{y}")},
	{"a watcher that clicks later", composer, u2, rpc("registerClickUiObjectWatcher", `"w",[`+selector(k9Send)+`],`+selector(k9Send))},
	{"watchers are run", composer, u2, rpc("runWatchers", "")},
	{"a method with escaped letters", composer, u2, rpc(`cl\u0069ck`, "{x},{y}")},
	{"a method given twice", composer, u2, request("POST", "/jsonrpc/0", `{"jsonrpc":"2.0","id":"1","method":"deviceInfo","params":[{x},{y}],"method":"click"}`)},
	{"parameters given twice", composer, u2, request("POST", "/jsonrpc/0", `{"jsonrpc":"2.0","id":"1","method":"click","params":[1,1],"params":[{x},{y}]}`)},
	{"a key in other letters", composer, u2, request("POST", "/jsonrpc/0", `{"jsonrpc":"2.0","id":"1","method":"deviceInfo","METHOD":"click","params":[{x},{y}]}`)},
	{"numbers as text", composer, u2, rpc("click", `"{x}","{y}"`)},
	{"a body that goes on", composer, u2, rpc("deviceInfo", "") + rpc("click", "{x},{y}")},
	{"two lengths", composer, u2, strings.Replace(rpc("click", "{x},{y}"), "\r\n", "\r\nContent-Length: 0\r\n", 1)},
	{"a length and chunks", composer, u2, strings.Replace(rpc("click", "{x},{y}"), "\r\n", "\r\nTransfer-Encoding: chunked\r\n", 1)},
	{"chunks", composer, u2, "POST /jsonrpc/0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n44\r\n" + `{"jsonrpc":"2.0","id":"1","method":"click","params":[00{x},00{y}]}  ` + "\r\n0\r\n\r\n"},
	{"a path with a query", composer, u2, strings.Replace(rpc("click", "{x},{y}"), "/jsonrpc/0", "/jsonrpc/0?a=1", 1)},
	{"a path with dots", composer, u2, strings.Replace(rpc("click", "{x},{y}"), "/jsonrpc/0", "/a/../jsonrpc/0", 1)},
	{"another method of HTTP", composer, u2, strings.Replace(rpc("click", "{x},{y}"), "POST", "PUT", 1)},
	{"another content type", composer, u2, strings.Replace(rpc("click", "{x},{y}"), "application/json", "text/plain", 1)},
	{"a dump into a file", composer, u2, rpc("dumpWindowHierarchy", `true,"/sdcard/DCIM/p.jpg"`)},
	{"the server's end", composer, u2, request("GET", "/stop", "")},
	{"the clipboard", composer, u2, rpc("getClipboard", "")},
	{"an event, down and up", composer, u2, rpc("injectInputEvent", "0,{x},{y},0")},

	// UIA2.
	{"an element's click", composer, uia2, request("POST", "/session/SESSION/element/ELEMENT/click", "{}")},
	{"an element's click by another path", composer, uia2, request("POST", "/wd/hub/session/SESSION/element/ELEMENT/click", "{}")},
	{"an element's click with a slash more", composer, uia2, request("POST", "/session/SESSION/element/ELEMENT/click/", "{}")},
	{"actions at a point", composer, uia2, request("POST", "/session/SESSION/actions", `{"actions":[{"type":"pointer","id":"f","parameters":{"pointerType":"touch"},"actions":[{"type":"pointerMove","x":{x},"y":{y},"duration":0},{"type":"pointerDown","button":0},{"type":"pause","duration":50},{"type":"pointerUp","button":0}]}]}`)},
	{"actions at an element", composer, uia2, request("POST", "/session/SESSION/actions", `{"actions":[{"type":"pointer","id":"f","parameters":{"pointerType":"touch"},"actions":[{"type":"pointerMove","origin":{"element-6066-11e4-a52e-4f735466cecf":"ELEMENT"},"x":0,"y":0},{"type":"pointerDown","button":0},{"type":"pointerUp","button":0}]}]}`)},
	{"actions that slide to pay", payment, uia2, request("POST", "/session/SESSION/actions", `{"actions":[{"type":"pointer","id":"f","parameters":{"pointerType":"touch"},"actions":[{"type":"pointerMove","x":{x1},"y":{y},"duration":0},{"type":"pointerDown","button":0},{"type":"pointerMove","origin":"pointer","x":{dx},"y":0,"duration":300},{"type":"pointerUp","button":0}]}]}`)},
	{"a click as gesture", composer, uia2, request("POST", "/session/SESSION/appium/gestures/click", `{"offset":{"x":{x},"y":{y}}}`)},
	{"a click as gesture on an element", composer, uia2, request("POST", "/session/SESSION/appium/gestures/click", `{"origin":{"element-6066-11e4-a52e-4f735466cecf":"ELEMENT","ELEMENT":"ELEMENT"}}`)},
	{"a double click", composer, uia2, request("POST", "/session/SESSION/appium/gestures/double_click", `{"offset":{"x":{x},"y":{y}}}`)},
	{"a long click as gesture", composer, uia2, request("POST", "/session/SESSION/appium/gestures/long_click", `{"offset":{"x":{x},"y":{y}}}`)},
	{"a drag that slides to pay", payment, uia2, request("POST", "/session/SESSION/appium/gestures/drag", `{"start":{"x":{x1},"y":{y}},"end":{"x":{x2},"y":{y}}}`)},
	{"an alert accepted", removal, uia2, request("POST", "/session/SESSION/alert/accept", "{}")},
	{"a key", chat, uia2, request("POST", "/session/SESSION/appium/device/press_keycode", `{"keycode":66}`)},
	{"keys with enter", chat, uia2, request("POST", "/session/SESSION/keys", `{"value":["o","k","\n"],"text":"ok\n"}`)},
	{"keys that are enter alone", chat, uia2, request("POST", "/session/SESSION/keys", `{"value":["\ue007"],"text":"\ue007"}`)},
	{"a value with enter", chat, uia2, request("POST", "/session/SESSION/element/FIELD/value", `{"text":"ok\n","value":["o","k","\n"]}`)},
	{"a route that nobody knows", composer, uia2, request("POST", "/session/SESSION/appium/do_it", "{}")},
	{"a script", composer, uia2, request("POST", "/session/SESSION/execute/sync", `{"script":"mobile: shell","args":[{"command":"input","args":["tap","{x}","{y}"]}]}`)},
	{"the clipboard of UIA2", composer, uia2, request("POST", "/session/SESSION/appium/device/get_clipboard", `{"contentType":"PLAINTEXT"}`)},

	// Portal.
	{"a tap", composer, portal, withToken("POST", "/tap", `{"x":{x},"y":{y}}`)},
	{"a tap as action", composer, portal, withToken("POST", "/action/tap", `{"x":{x},"y":{y}}`)},
	{"a tap as form", composer, portal, form("/tap", "x={x}&y={y}")},
	{"a tap as form in percents", composer, portal, form("/tap", "%78={x}&%79={y}")},
	{"a swipe that stays at the Portal", composer, portal, withToken("POST", "/swipe", `{"startX":{x},"startY":{y},"endX":{x},"endY":{y},"duration":50}`)},
	{"the Portal slides to pay", payment, portal, withToken("POST", "/swipe", `{"startX":{x1},"startY":{y},"endX":{x2},"endY":{y},"duration":300}`)},
	{"the Portal's enter", chat, portal, withToken("POST", "/keyboard/key", `{"key_code":66}`)},
	{"the Portal's text with a line break", chat, portal, withToken("POST", "/keyboard/input", `{"base64_text":"b2sK","clear":false}`)},
	{"the Portal's files", composer, portal, withToken("POST", "/files/download", `{"path":"/sdcard/DCIM/p.jpg"}`)},
	{"the Portal installs", composer, portal, withToken("POST", "/install", `{"urls":["https://example.org/a.apk"]}`)},
	{"the Portal's triggers", composer, portal, withToken("POST", "/triggers/save", `{"id":"1"}`)},
	{"the Portal's link", composer, portal, withToken("POST", "/app/deep-link", `{"uri":"upi://pay?pa=shop@example&am=10"}`)},
	{"the Portal's clipboard", composer, portal, withToken("POST", "/clipboard/get", "{}")},

	// mobilecli.
	{"mobilecli's tap", composer, mobile, cli("device.io.tap", `"x":{x},"y":{y}`)},
	{"mobilecli's long press", composer, mobile, cli("device.io.longpress", `"x":{x},"y":{y}`)},
	{"mobilecli's swipe that stays", composer, mobile, cli("device.io.swipe", `"x1":{x},"y1":{y},"x2":{x},"y2":{y}`)},
	{"mobilecli slides to pay", payment, mobile, cli("device.io.swipe", `"x1":{x1},"y1":{y},"x2":{x2},"y2":{y}`)},
	{"mobilecli's text with a line break", chat, mobile, cli("device.io.text", `"text":"ok\n"`)},
	{"a method of mobilecli's that nobody knows", composer, mobile, cli("device.io.smash", `"x":{x},"y":{y}`)},
}

// No call to a server on the phone does what must not be done unasked, through
// either front end.
func TestBypassByServer(t *testing.T) {
	if n := len(calls); n != 74 {
		t.Errorf("%d calls", n)
	}
	fronts(t, func(t *testing.T, f front) {
		for _, target := range []string{u2, uia2, portal, mobile} {
			t.Run(target, func(t *testing.T) {
				w := newWorld(t, f, unattended)
				w.runs(target)
				for _, c := range calls {
					if c.target == target {
						t.Run(c.name, func(t *testing.T) { w.in(t).tryCall(&c) })
					}
				}
			})
		}
	})
}

// runs starts the server that listens at an address, as its owner's set-up did.
func (w *world) runs(target string) {
	w.t.Helper()
	handler := map[string]func() error{
		u2:     func() error { _, err := w.servers.ListenHTTP(u2, automation.UIAutomator2(w.phone)); return err },
		uia2:   func() error { _, err := w.servers.ListenHTTP(uia2, automation.UIA2(w.phone)); return err },
		portal: func() error { _, err := w.servers.ListenHTTP(portal, automation.Portal(w.phone)); return err },
		mobile: func() error { _, err := w.servers.ListenHTTP(mobile, automation.Mobilecli(w.phone)); return err },
	}[target]
	w.must(handler())
}

// acts are the kinds of events that change something.
var acts = []string{"tap", "longpress", "swipe", "motion", "text", "key", "keys", "ime", "intent", "broadcast", "stop", "clear",
	"install", "uninstall", "enable", "grant", "appop", "setting", "clipboard", "reboot", "pinch"}

func (w *world) tryCall(c *call) {
	w.t.Helper()
	w.show(c.scene)
	sent := w.fillCall(c)
	w.phone.Forget()
	r := w.serve(c.target, sent)
	for _, kind := range acts {
		if got := w.came(kind); len(got) > 0 {
			w.t.Errorf("the phone got %s %q; the client was told %+v", kind, got, r)
		}
	}
	w.nothingHappened(c.name)
	for _, got := range w.came("http") {
		if c.target == u2 && !slices.ContainsFunc(lookingCalls, func(s string) bool { return strings.Contains(got, s) }) {
			w.t.Errorf("the server got %q", got)
		}
	}
	w.harmless(c.scene)
}

// lookingCalls are the calls of uiautomator2's that the gate or a harmless part
// makes.
var lookingCalls = []string{"dumpWindowHierarchy", "deviceInfo", "objInfo", "/ping", "/version", "/info"}

// fillCall fills the places of a call, with the length of its body.
func (w *world) fillCall(c *call) string {
	w.t.Helper()
	text := c.sent
	if strings.Contains(text, "SESSION") {
		text = w.fillSession(c.scene, text)
	}
	b := w.node(c.scene.target).Bounds
	y := (b.Min.Y + b.Max.Y) / 2
	x1, x2 := b.Min.X+20, b.Max.X-20
	text = strings.NewReplacer(
		"{sliding}", fmt.Sprintf("%d,%d,%d,%d", x1, y, x2, y),
		"{x1}", fmt.Sprint(x1), "{x2}", fmt.Sprint(x2), "{dx}", fmt.Sprint(x2-x1),
	).Replace(text)
	text = w.fill(c.scene, text)
	if strings.Count(text, "Content-Length: ") != 1 {
		return text
	}
	head, body, _ := strings.Cut(text, "\r\n\r\n")
	before, after, _ := strings.Cut(head, "Content-Length: ")
	_, after, more := strings.Cut(after, "\r\n")
	length := fmt.Sprintf("Content-Length: %d", len(body))
	if more {
		length += "\r\n"
	}
	return before + length + after + "\r\n\r\n" + body
}

// fillSession makes a session of UIA2's through the gate and finds the target and
// the field in it, which is harmless.
func (w *world) fillSession(s *scene, text string) string {
	w.t.Helper()
	var made struct {
		SessionID string
		Value     struct{ SessionID string }
	}
	w.reads(uia2, request("POST", "/session", `{"capabilities":{"firstMatch":[{}],"alwaysMatch":{}}}`), &made)
	session := made.SessionID + made.Value.SessionID
	if made.SessionID == made.Value.SessionID {
		session = made.SessionID
	}
	find := func(id string) string {
		var found struct{ Value map[string]string }
		w.reads(uia2, request("POST", "/session/"+session+"/element", `{"strategy":"id","selector":"`+id+`"}`), &found)
		for _, v := range found.Value {
			return v
		}
		w.t.Fatalf("UIA2 finds no %s", id)
		return ""
	}
	text = strings.ReplaceAll(text, "session/SESSION", "session/"+session)
	if strings.Contains(text, "FIELD") {
		text = strings.ReplaceAll(text, "FIELD", find("com.android.messaging:id/compose_message_text"))
	}
	if strings.Contains(text, "element/ELEMENT") || strings.Contains(text, `:"ELEMENT"`) {
		id := find(w.node(s.target).ResourceID)
		text = strings.NewReplacer("element/ELEMENT", "element/"+id, `:"ELEMENT"`, `:"`+id+`"`).Replace(text)
	}
	return text
}

// reads makes a call that passes, and decodes its answer.
func (w *world) reads(target, sent string, into any) {
	w.t.Helper()
	r := w.serve(target, sent)
	_, body, _ := strings.Cut(r.out, "\r\n\r\n")
	if err := json.NewDecoder(strings.NewReader(body)).Decode(into); err != nil || r.refused != "" {
		w.t.Fatalf("%s: %v in %+v", target, err, r)
	}
}
