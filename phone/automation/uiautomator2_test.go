package automation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// Selectors as the client sends them.
const (
	field   = `{"mask":2097152,"childOrSibling":[],"childOrSiblingSelector":[],"resourceId":"com.android.messaging:id/compose_message_text"}`
	attach  = `{"mask":64,"childOrSibling":[],"childOrSiblingSelector":[],"description":"Attach a photo"}`
	nowhere = `{"mask":1,"childOrSibling":[],"childOrSiblingSelector":[],"text":"Nowhere"}`
	list    = `{"mask":16384,"childOrSibling":[],"childOrSiblingSelector":[],"scrollable":true}`
)

// rpcCases are calls, a part of the answer, and what reached the phone because of
// them.
var rpcCases = []struct{ method, params, answer, reached string }{
	{"ping", `[]`, `"result":"pong"`, ""},
	{"deviceInfo", `{}`, `"currentPackageName":"com.android.messaging"`, ""},
	{"dumpWindowHierarchy", `[false,50]`, `compose_message_text`, "dump"},
	{"dumpWindowHierarchy", `[true,50]`, `compose_message_text`, "dump"},
	{"takeScreenshot", `[1,80]`, `"result":"iVBORw0KGgo`, "screenshot"},
	{"isScreenOn", `[]`, `"result":true`, ""},
	{"waitForIdle", `[100]`, `"result":null`, ""},
	{"waitForWindowUpdate", `["com.x",100]`, `"result":false`, ""},
	{"getLastToast", `[100]`, `"result":null`, ""},
	{"clearLastToast", `[]`, `"result":null`, ""},
	{"exist", `[` + attach + `]`, `"result":true`, ""},
	{"exist", `[` + nowhere + `]`, `"result":false`, ""},
	{"exist", `[]`, `"code":-32602`, ""},
	{"waitForExists", `[` + attach + `,3000]`, `"result":true`, ""},
	{"waitUntilGone", `[` + nowhere + `,3000]`, `"result":true`, ""},
	{"count", `[` + attach + `]`, `"result":1`, ""},
	{"objInfo", `[` + attach + `]`, `"contentDescription":"Attach a photo"`, ""},
	{"objInfo", `[` + nowhere + `]`, `"code":-32002`, ""},
	{"objInfo", `[` + nowhere + `]`, `androidx.test.uiautomator.UiObjectNotFoundException: UiSelector[TEXT=Nowhere]`, ""},
	{"objInfoOfAllInstances", `[` + attach + `]`, `"result":[{`, ""},
	{"getText", `[{"mask":1,"text":"+49170"}]`, `"result":"+49170"`, ""},
	{"click", `[60,2200]`, `"result":true`, "tap"},
	{"click", `[60,2200,900]`, `"result":true`, "longpress"},
	{"click", `[` + field + `]`, `"result":true`, "tap"},
	{"click", `[` + field + `,"tl"]`, `"result":true`, "tap"},
	{"click", `[` + nowhere + `]`, `"code":-32002`, ""},
	{"click", `["x"]`, `"code":-32602`, ""},
	{"longClick", `[` + field + `]`, `"result":true`, "longpress"},
	{"clickAndWaitForNewWindow", `[` + field + `,100]`, `"result":true`, "tap"},
	{"swipe", `[500,1500,500,500,20]`, `"result":true`, "swipe"},
	{"swipe", `[` + list + `,"up",10]`, `"code":-32002`, ""},
	{"swipe", `[` + field + `,"sideways",10]`, `"result":false`, ""},
	{"drag", `[500,1500,500,500,20]`, `"result":true`, "swipe"},
	{"swipePoints", `[[500,1500,500,900,500,500],10]`, `"result":true`, "motion motion motion motion"},
	{"swipePoints", `[[500],10]`, `"code":-32602`, ""},
	{"dragTo", `[` + field + `,500,500,10]`, `"result":true`, "swipe"},
	{"dragTo", `[` + field + `,` + nowhere + `,10]`, `"code":-32002`, ""},
	{"injectInputEvent", `[0,60,2200,0]`, `"result":true`, "motion"},
	{"injectInputEvent", `[9,60,2200,0]`, `"result":false`, ""},
	{"pressKey", `["back"]`, `"result":true`, "key"},
	{"pressKey", `["nothing"]`, `"result":false`, ""},
	{"pressKeyCode", `[4]`, `"result":true`, "key"},
	{"pressKeyCode", `["4"]`, `"code":-32602`, ""},
	{"setText", `[` + field + `,"hello"]`, `"result":true`, "text"},
	{"setText", `[` + field + `]`, `"code":-32602`, ""},
	{"clearTextField", `[` + field + `]`, `"result":null`, "text"},
	{"scrollForward", `[` + field + `,true,10]`, `"result":true`, "swipe"},
	{"scrollBackward", `[` + nowhere + `,true,10]`, `"code":-32002`, ""},
	{"flingForward", `[` + nowhere + `,true]`, `"code":-32002`, ""},
	{"flingBackward", `[` + nowhere + `,true]`, `"code":-32002`, ""},
	{"scrollTo", `[` + nowhere + `,` + field + `,true]`, `"code":-32002`, ""},
	{"setClipboard", `[null,"copied"]`, `"result":null`, "clipboard"},
	{"getClipboard", `[]`, `"result":""`, ""},
	{"pasteClipboard", `[]`, `"result":true`, "key"},
	{"openNotification", `[]`, `"result":true`, "panel"},
	{"openQuickSettings", `[]`, `"result":true`, "panel"},
	{"wakeUp", `[]`, `"result":null`, "key"},
	{"sleep", `[]`, `"result":null`, "key"},
	{"freezeRotation", `[true]`, `"result":null`, "setting"},
	{"setOrientation", `["left"]`, `"result":null`, "display"},
	{"setOrientation", `["inside out"]`, `"code":-32001`, ""},
	{"noSuchMethod", `[]`, `"code":-32601`, ""},
}

func TestEveryMethodOfUIAutomator2(t *testing.T) {
	if len(rpcCases) != 62 {
		t.Fatalf("%d cases, 62 were written", len(rpcCases))
	}
	unseen := map[string]bool{}
	for name := range u2Methods {
		unseen[name] = true
	}
	for _, c := range rpcCases {
		delete(unseen, c.method)
		p := chat(t)
		before := kinds(p)
		status, answer := do(UIAutomator2(p), "POST", "/jsonrpc/0", `{"jsonrpc":"2.0","id":7,"method":"`+c.method+`","params":`+c.params+`}`)
		if status != 200 || !strings.Contains(answer, c.answer) || !strings.Contains(answer, `"id":7`) {
			t.Errorf("%s%s is answered %d %.300s, want %s", c.method, c.params, status, answer, c.answer)
		}
		if got := strings.TrimSpace(strings.TrimPrefix(kinds(p), before)); got != c.reached {
			t.Errorf("%s%s reaches the phone as %q, want %q", c.method, c.params, got, c.reached)
		}
		if !recorded(p, "http", "POST /jsonrpc/0 "+c.method) && c.method != "noSuchMethod" {
			t.Errorf("%s is not in the record", c.method)
		}
	}
	for name := range unseen {
		t.Errorf("%s has no case", name)
	}
}

func TestOtherPathsOfUIAutomator2(t *testing.T) {
	cases := []struct {
		method, path, body string
		status             int
		answer             string
	}{
		{"GET", "/ping", "", 200, "pong"},
		{"GET", "/version", "", 200, "0.2.1"},
		{"GET", "/screenshot/0", "", 200, "PNG"},
		{"GET", "/elsewhere", "", 404, "Not Found"},
		{"POST", "/jsonrpc/1", "{}", 404, "Not Found"},
		{"POST", "/jsonrpc/0", "{", 200, `"code":-32700`},
		{"POST", "/jsonrpc/0", `[{"id":1,"method":"ping"},{"id":2,"method":"click","params":[60,2200]}]`, 200, `"id":2`},
	}
	if len(cases) != 7 {
		t.Fatalf("%d cases, 7 were written", len(cases))
	}
	for _, c := range cases {
		p := chat(t)
		status, answer := do(UIAutomator2(p), c.method, c.path, c.body)
		if status != c.status || !strings.Contains(answer, c.answer) {
			t.Errorf("%s %s is answered %d %.200q, want %d %s", c.method, c.path, status, answer, c.status, c.answer)
		}
		if !recorded(p, "http", c.method+" "+c.path) {
			t.Errorf("%s %s is not in the record", c.method, c.path)
		}
	}
}

func TestAMessageIsSentThroughUIAutomator2(t *testing.T) {
	p := chat(t)
	h := UIAutomator2(p)
	call := func(method, params string) string {
		t.Helper()
		status, answer := do(h, "POST", "/jsonrpc/0", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
		if status != 200 || strings.Contains(answer, `"error"`) {
			t.Fatalf("%s%s: %d %s", method, params, status, answer)
		}
		return answer
	}
	call("setText", `[`+field+`,"On my way"]`)
	var info struct {
		Result struct {
			VisibleBounds struct{ Left, Top, Right, Bottom int }
		}
	}
	answer := call("objInfo", `[{"mask":2097152,"resourceId":"com.android.messaging:id/send_message_button"}]`)
	if err := json.Unmarshal([]byte(answer), &info); err != nil {
		t.Fatal(err)
	}
	b := info.Result.VisibleBounds
	call("click", compact(t, []int{(b.Left + b.Right) / 2, (b.Top + b.Bottom) / 2}))
	if got := sent(t, p); got != "On my way" {
		t.Errorf("%q was sent", got)
	}
}

func TestSelectorsOfUIAutomator2(t *testing.T) {
	p := chat(t)
	cases := []struct {
		selector string
		want     int
	}{
		{`{"mask":1,"text":"+49170"}`, 1},
		{`{"mask":0,"text":"+49170"}`, len(p.Nodes())}, // a field without its bit does not count
		{`{"mask":2,"textContains":"491"}`, 1},
		{`{"mask":4,"textMatches":"\\+\\d+"}`, 1},
		{`{"mask":4,"textMatches":"\\d+"}`, 0}, // the whole has to fit
		{`{"mask":8,"textStartsWith":"see you"}`, 1},
		{`{"mask":16,"className":"android.widget.EditText"}`, 1},
		{`{"mask":32,"classNameMatches":".*EditText"}`, 1},
		{`{"mask":64,"description":"Attach a photo"}`, 1},
		{`{"mask":128,"descriptionContains":"PHOTO"}`, 1},
		{`{"mask":2097152,"resourceId":"com.android.messaging:id/message_text"}`, 1},
		{`{"mask":4194304,"resourceIdMatches":".*:id/message_text"}`, 1},
		{`{"mask":4112,"className":"android.widget.ImageButton","clickable":true}`, 3},
		{`{"mask":16777232,"className":"android.widget.ImageButton","instance":1}`, 1},
		{`{"mask":16777232,"className":"android.widget.ImageButton","instance":9}`, 0},
		{`{"mask":524288,"packageName":"com.android.messaging"}`, len(p.Nodes())},
		{`{"mask":1,"text":"+49170","childOrSibling":["sibling"],"childOrSiblingSelector":[{"mask":64,"description":"Navigate up"}]}`, 1},
		{`{"mask":2097152,"resourceId":"android:id/list","childOrSibling":["child"],"childOrSiblingSelector":[{"mask":1,"text":"See you at eight?"}]}`, 1},
		{`{"mask":2097152,"resourceId":"android:id/list","childOrSibling":["child"],"childOrSiblingSelector":[]}`, 0},
	}
	if len(cases) != 19 {
		t.Fatalf("%d cases, 19 were written", len(cases))
	}
	for _, c := range cases {
		var selector object
		if err := json.Unmarshal([]byte(c.selector), &selector); err != nil {
			t.Fatal(err)
		}
		if got := selectAll(p.Nodes(), selector); len(got) != c.want {
			t.Errorf("%s finds %d nodes, want %d", c.selector, len(got), c.want)
		}
	}
}

func TestADumpThatFailsIsAnErrorOfUIAutomator2(t *testing.T) {
	cases := []struct {
		wrong phone.Misbehaviour
		want  string
	}{
		{phone.Misbehaviour{DumpFails: true}, "NullPointerException"},
		{phone.Misbehaviour{NeverIdle: true}, "TimeoutException"},
	}
	if len(cases) != 2 {
		t.Fatalf("%d cases, 2 were written", len(cases))
	}
	for _, c := range cases {
		p := chat(t)
		p.Misbehave(c.wrong)
		if _, answer := do(UIAutomator2(p), "POST", "/jsonrpc/0", `{"id":1,"method":"dumpWindowHierarchy","params":[false,50]}`); !strings.Contains(answer, c.want) {
			t.Errorf("answered %s, want %s", answer, c.want)
		}
	}
}
