package automation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// portalCases are calls, a part of the answer, and what reached the phone because
// of them.
var portalCases = []struct{ method, path, body, answer, reached string }{
	{"GET", "/ping", "", `"result":"pong"`, ""},
	{"GET", "/version", "", `"result":"`, ""},
	{"GET", "/packages", "", `com.starlingbank.android`, ""},
	{"GET", "/phone_state", "", `"packageName":"com.android.messaging"`, ""},
	{"GET", "/a11y_tree", "", `"contentDescription":"Attach a photo"`, ""},
	{"GET", "/a11y_tree_full?filter=false", "", `"contentDescription":"Attach a photo"`, ""},
	{"GET", "/state", "", `"a11y_tree":{`, ""},
	{"GET", "/state_full?filter=false", "", `"screen_bounds":{"height":2400,"width":1080}`, ""},
	{"GET", "/screenshot", "", "PNG", "screenshot"},
	{"GET", "/tap", "", `"status":"error"`, ""},
	{"PUT", "/tap", "", `"status":"error"`, ""},
	{"POST", "/tap", `{"x":60,"y":2200}`, `"status":"success"`, "tap"},
	{"POST", "/action/tap", `x=60&y=2200`, `"status":"success"`, "tap"},
	{"POST", "/swipe", `{"startX":500,"startY":1500,"endX":500,"endY":500}`, `"status":"success"`, "swipe"},
	{"POST", "/swipe", `startX=500&startY=1500&endX=500&endY=500&duration=100`, `"status":"success"`, "swipe"},
	{"POST", "/global", `{"action":1}`, `"status":"success"`, "key"},
	{"POST", "/global", `{"action":99}`, `"status":"error"`, ""},
	{"POST", "/keyboard/input", `{"base64_text":"aGVsbG8="}`, `No focused element`, ""},
	{"POST", "/keyboard/input", `{"base64_text":"%"}`, `Invalid base64`, ""},
	{"POST", "/keyboard/clear", ``, `"status":"success"`, ""},
	{"POST", "/keyboard/key", `{"key_code":4}`, `"status":"success"`, "key"},
	{"POST", "/key", `key_code=4`, `"status":"success"`, "key"},
	{"POST", "/app", `{"package":"org.example.notes"}`, `"status":"success"`, ""},
	{"POST", "/app", `{"package":"org.example.nothing"}`, `"status":"error"`, ""},
	{"POST", "/app/stop", `{"package":"org.example.notes"}`, `"status":"success"`, "stop"},
	{"POST", "/app/deep-link", `{"deepLink":"bank:"}`, `"status":"success"`, ""},
	{"POST", "/app/deep-link", `{"deepLink":"nobody:x"}`, `"status":"error"`, ""},
	{"POST", "/clipboard/set", `{"text":"x"}`, `"status":"success"`, "clipboard"},
	{"POST", "/clipboard/get", ``, `"result":""`, ""},
	{"POST", "/overlay_offset", `{"offset":1}`, `"status":"success"`, ""},
	{"POST", "/state", ``, `"a11y_tree":{`, ""},
	{"POST", "/files/list", `{}`, `Unknown method`, ""},
}

const bearer = "Authorization: Bearer " + PortalToken

func TestEveryCallOfThePortal(t *testing.T) {
	if len(portalCases) != 32 {
		t.Fatalf("%d cases, 32 were written", len(portalCases))
	}
	for _, c := range portalCases {
		p := chat(t)
		before := kinds(p)
		status, answer := do(Portal(p), c.method, c.path, c.body, bearer)
		if status != 200 || !strings.Contains(answer, c.answer) {
			t.Errorf("%s %s %s is answered %d %.300s, want %s", c.method, c.path, c.body, status, answer, c.answer)
		}
		if got := strings.TrimSpace(strings.TrimPrefix(kinds(p), before)); got != c.reached {
			t.Errorf("%s %s %s reaches the phone as %q, want %q", c.method, c.path, c.body, got, c.reached)
		}
		if !recorded(p, "http", c.method+" "+c.path) {
			t.Errorf("%s %s is not in the record", c.method, c.path)
		}
	}
}

func TestThePortalWantsItsToken(t *testing.T) {
	cases := []struct {
		path, field string
		status      int
	}{
		{"/ping", "", 200}, {"/state", "", 401}, {"/state", "Authorization: Bearer wrong", 401},
		{"/state", bearer, 200}, {"/state", "Authorization: " + PortalToken, 200},
	}
	if len(cases) != 5 {
		t.Fatalf("%d cases, 5 were written", len(cases))
	}
	for _, c := range cases {
		if status, answer := do(Portal(chat(t)), "GET", c.path, "", c.field); status != c.status {
			t.Errorf("%s with %q is answered %d %.100s, want %d", c.path, c.field, status, answer, c.status)
		}
	}
}

func TestAMessageIsSentThroughThePortal(t *testing.T) {
	p := chat(t)
	h := Portal(p)
	tap := func(id string) {
		t.Helper()
		for _, n := range p.Nodes() {
			if shortID(n.ResourceID) == id {
				x, y := middle(n.Bounds)
				do(h, "POST", "/tap", compact(t, object{"x": x, "y": y}), bearer)
				return
			}
		}
		t.Fatalf("%s is not on the screen", id)
	}
	tap("compose_message_text")
	for _, body := range []string{`{"base64_text":"T24gbXk="}`, `{"base64_text":"IHdheQ==","clear":false}`} {
		if _, answer := do(h, "POST", "/keyboard/input", body, bearer); !strings.Contains(answer, "success") {
			t.Fatalf("typing is answered %s", answer)
		}
	}
	tap("send_message_button")
	if got := sent(t, p); got != "On my way" {
		t.Errorf("%q was sent", got)
	}
}

func TestThePortalsTreeHasEveryNode(t *testing.T) {
	p := chat(t)
	_, answer := do(Portal(p), "GET", "/state_full", "", bearer)
	var state struct {
		Result struct {
			Tree json.RawMessage `json:"a11y_tree"`
		}
	}
	if err := json.Unmarshal([]byte(answer), &state); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(state.Result.Tree), `"boundsInScreen"`), len(p.Nodes()); got != want {
		t.Errorf("%d nodes in the tree, %d on the screen", got, want)
	}
}

func TestHowServersAreStarted(t *testing.T) {
	cases := []struct {
		name    string
		args    []string
		address string
		path    string
		status  int
	}{
		{"com.wetest.uia2.Main", nil, "tcp:9008", "/ping", 200},
		{"com.wetest.uia2.Main", []string{"-p", "9011"}, "tcp:9011", "/ping", 200},
		{"com.github.uiautomator.test/androidx.test.runner.AndroidJUnitRunner", nil, "tcp:9008", "/ping", 200},
		{"com.github.uiautomator.test/android.support.test.runner.AndroidJUnitRunner", nil, "tcp:9008", "/ping", 200},
		{"io.appium.uiautomator2.server.test/androidx.test.runner.AndroidJUnitRunner", nil, "tcp:6790", "/status", 200},
		{"com.mobilenext.mobilecli.DeviceServer", nil, "localabstract:mobilecli-server", "/", 200},
	}
	if len(cases) != 6 {
		t.Fatalf("%d cases, 6 were written", len(cases))
	}
	launches := Launches()
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		launch := launches[c.name]
		if launch == nil {
			t.Errorf("%s starts nothing", c.name)
			continue
		}
		address, h := launch(p, c.args)
		if status, _ := do(h, "GET", c.path, ""); address != c.address || status != c.status {
			t.Errorf("%s %q listens on %s and answers %d, want %s and %d", c.name, c.args, address, status, c.address, c.status)
		}
	}
}
