package relay

import (
	"encoding/json"
	"strings"
	"testing"
)

// portalCases are calls of the Portal by path and body, and what they mean.
var portalCases = []struct{ path, body, want string }{
	{"/tap", `{"x":5,"y":6}`, `{"kind":"tap","x":5,"y":6}`},
	{"/action/tap", `{"x":"5","y":6.7}`, `{"kind":"tap","x":5,"y":6}`},
	{"/tap", `x=5&y=6`, `{"kind":"tap","x":5,"y":6}`},
	{"/tap", `%78=5&y=%36`, `{"kind":"tap","x":5,"y":6}`},
	{"/tap", `{"x":5}`, "unknown"},
	{"/tap", `x=5&y=6&x=7`, "unknown"},
	{"/tap", `{"x":5,"y":6,"x":7}`, "unknown"},
	{"/tap", `{"x":5,"y":[6]}`, "unknown"},
	{"/tap", `{"x":5,"y":6} and more`, "unknown"},
	{"/tap", "x=5&y=\xff", "unknown"},
	{"/tap?x=1", `{"x":5,"y":6}`, "unknown"},
	{"/swipe", `{"startX":1,"startY":2,"endX":300,"endY":400}`, `{"kind":"swipe","x":1,"y":2,"x2":300,"y2":400,"duration_ms":300}`},
	{"/swipe", `{"startX":1,"startY":2,"endX":1,"endY":2,"duration":900}`, `{"kind":"long_press","x":1,"y":2,"duration_ms":900}`},
	{"/swipe", `{"startX":1,"startY":2,"endX":300}`, "unknown"},
	{"/global", `{"action":1}`, `{"kind":"back"}`},
	{"/global", `{"action":2}`, `{"kind":"home"}`},
	{"/global", `action=3`, `{"kind":"key","key":"APP_SWITCH"}`},
	{"/global", `{"action":4}`, `{"kind":"shell","shell":"cmd statusbar expand-notifications"}`},
	{"/global", `{"action":5}`, `{"kind":"shell","shell":"cmd statusbar expand-settings"}`},
	{"/global", `{"action":6}`, `{"kind":"key","duration_ms":500,"key":"POWER"}`},
	{"/global", `{"action":7}`, "unknown"},
	{"/global", `{"action":8}`, `{"kind":"key","key":"SLEEP"}`},
	{"/global", `{"action":9}`, `{"kind":"screenshot"}`},
	{"/global", `{}`, "unknown"},
	{"/app", `{"package":"com.bank"}`, `{"kind":"shell","shell":"monkey -p com.bank -c android.intent.category.LAUNCHER 1"}`},
	{"/app", `{"packageName":"com.bank","activity":".Pay"}`, `{"kind":"shell","shell":"am start -n 'com.bank/.Pay'"}`},
	{"/app", `{"package":"com.bank","stopBeforeLaunch":true}`, `{"kind":"shell","shell":"am force-stop com.bank && monkey -p com.bank -c android.intent.category.LAUNCHER 1"}`},
	{"/app", `{"package":"a;b"}`, "unknown"},
	{"/app/stop", `{"package":"com.bank"}`, `{"kind":"shell","shell":"am force-stop com.bank"}`},
	{"/app/deep-link", `{"deepLink":"tel:112"}`, `{"kind":"shell","shell":"am start -a 'android.intent.action.VIEW' -d 'tel:112'"}`},
	{"/app/deep-link", `{"deepLink":"it's","action":"android.intent.action.CALL","package":"com.x"}`, `{"kind":"shell","shell":"am start -a 'android.intent.action.CALL' -d 'it'\\''s' -p com.x"}`},
	{"/app/deep-link", `{}`, "unknown"},
	{"/keyboard/input", `{"base64_text":"aGVsbG8=","clear":true}`, `{"kind":"type","text":"hello"}`},
	{"/input", `base64_text=aGVsbG8K`, `{"kind":"type","text":"hello\n"}`},
	{"/keyboard/input", `{"base64_text":"%%%"}`, "unknown"},
	{"/keyboard/input", `{"text":"hello"}`, "unknown"},
	{"/keyboard/key", `{"key_code":66}`, `{"kind":"key","key":"66"}`},
	{"/key", `key_code=66`, `{"kind":"key","key":"66"}`},
	{"/keyboard/key", `{}`, "unknown"},
	{"/keyboard/clear", ``, `{"kind":"type"}`},
	{"/clear", `{}`, `{"kind":"type"}`},
	{"/clipboard/get", ``, `{"kind":"shell","shell":"cmd clipboard get-text"}`},
	{"/clipboard/set", `{"text":"x"}`, `{"kind":"wait"}`},
	{"/overlay_offset", `{"offset":5}`, `{"kind":"wait"}`},
	{"/overlay/offset", `{"offset":5}`, `{"kind":"wait"}`},
	{"/overlay/set-visible", `{"visible":false}`, `{"kind":"wait"}`},
	{"/overlay/visible", ``, "reads"},
	{"/overlay/is-visible", ``, "reads"},
	{"/screenshot", `{"hideOverlay":true}`, "reads"},
	{"/packages", ``, "reads"},
	{"/state", `{}`, "reads"},
	{"/version", ``, "reads"},
	{"/time", ``, "reads"},
	{"/socket_port", `{"port":1}`, "unknown"},
	{"/install", `{"urls":["https://x"]}`, "unknown"},
	{"/files/list", `{"path":"/"}`, "unknown"},
	{"/files/download", `{"path":"/x"}`, "unknown"},
	{"/files/upload", `{"path":"/x","data":"eA=="}`, "unknown"},
	{"/triggers/rules/save", `{"rule":{}}`, "unknown"},
	{"/triggers/status", ``, "unknown"},
	{"/action.tap", `{"x":5,"y":6}`, "unknown"},
	{"/", ``, "unknown"},
}

func TestEveryCallOfThePortal(t *testing.T) {
	if len(portalCases) != 62 {
		t.Fatalf("%d cases, 62 were written", len(portalCases))
	}
	unseen := map[string]bool{}
	for name := range portalCalls {
		unseen["/"+name] = true
	}
	for _, c := range portalCases {
		delete(unseen, c.path)
		if got := means(t, portal, new(Memory), post(c.path, c.body)); got != c.want {
			t.Errorf("POST %s %s means %s, want %s", c.path, c.body, got, c.want)
		}
	}
	for name := range unseen {
		t.Errorf("%s has no case", name)
	}
}

func TestWhatThePortalShows(t *testing.T) {
	cases := []struct{ raw, want string }{
		{get("/ping"), "reads"}, {get("/a11y_tree"), "reads"}, {get("/a11y_tree_full?filter=false"), "reads"},
		{get("/state"), "reads"}, {get("/state_full?filter=false"), "reads"}, {get("/phone_state"), "reads"},
		{get("/version"), "reads"}, {get("/packages"), "reads"}, {get("/screenshot?hideOverlay=false"), "reads"},
		{get("/tap?x=1&y=2"), "unknown"}, {get("/statement"), "unknown"}, {get("/state?a=%31"), "unknown"},
		{strings.Replace(get("/ping"), "GET", "PUT", 1), "unknown"},
	}
	if len(cases) != 13 {
		t.Fatalf("%d cases, 13 were written", len(cases))
	}
	for _, c := range cases {
		if got := means(t, portal, new(Memory), c.raw); got != c.want {
			t.Errorf("%q means %s, want %s", c.raw, got, c.want)
		}
	}
}

func TestADenialOfThePortalIsAFailure(t *testing.T) {
	p := denyPortal(nil, "No.")
	var got struct{ Status, Error string }
	if err := json.Unmarshal(p.body, &got); err != nil || p.status != 403 || got.Status != "error" || got.Error != "No." {
		t.Errorf("a denial is %d %s (%v)", p.status, p.body, err)
	}
}
