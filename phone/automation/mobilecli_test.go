package automation

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// mobilecliCases are calls, a part of the answer, and what reached the phone.
var mobilecliCases = []struct{ method, params, answer, reached string }{
	{"device.version", `{}`, `"dexSha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"`, ""},
	{"device.dump.ui", `{"waitUntilIdle":500,"full":true}`, `"content-desc":"Attach a photo"`, "dump"},
	{"device.screenshot", `{}`, `"data":"iVBORw0KGgo`, "screenshot"},
	{"device.apps.list", `{}`, `"packageName":"com.android.messaging"`, ""},
	{"device.io.tap", `{"x":60,"y":2200}`, `"ok":true`, "tap"},
	{"device.io.tap", `{"x":60}`, `"code":-32602`, ""},
	{"device.io.longpress", `{"x":60,"y":2200}`, `"ok":true`, "longpress"},
	{"device.io.swipe", `{"x1":500,"y1":1500,"x2":500,"y2":500,"duration":300}`, `"ok":true`, "swipe"},
	{"device.io.text", `{"text":"hello"}`, `"ok":true`, "text"},
	{"device.io.text", `{}`, `"code":-32602`, ""},
	{"device.io.keyboard.hide", `{}`, `"dismissed":false`, ""},
	{"device.clipboard.get", `{}`, `"text":""`, ""},
	{"device.clipboard.set", `{"text":"x"}`, `"ok":true`, "clipboard"},
	{"device.clipboard.set", `{}`, `"code":-32602`, ""},
	{"device.clipboard.clear", `null`, `"ok":true`, "clipboard"},
	{"device.location.set", `{}`, `"code":-32601`, ""},
}

func TestEveryCallOfMobilecli(t *testing.T) {
	if len(mobilecliCases) != 16 {
		t.Fatalf("%d cases, 16 were written", len(mobilecliCases))
	}
	unseen := map[string]bool{}
	for name := range mobilecliMethods {
		unseen[name] = true
	}
	for _, c := range mobilecliCases {
		delete(unseen, c.method)
		p := chat(t)
		if err := p.Files().WriteFile(mobilecliDex, []byte("abc"), 0o644); err != nil {
			t.Fatal(err)
		}
		before := kinds(p)
		status, answer := do(Mobilecli(p), "POST", "/rpc", `{"jsonrpc":"2.0","id":7,"method":"`+c.method+`","params":`+c.params+`}`)
		if status != 200 || !strings.Contains(answer, c.answer) || !strings.Contains(answer, `"id":7`) {
			t.Errorf("%s %s is answered %d %.300s, want %s", c.method, c.params, status, answer, c.answer)
		}
		if got := strings.TrimSpace(strings.TrimPrefix(kinds(p), before)); got != c.reached {
			t.Errorf("%s %s reaches the phone as %q, want %q", c.method, c.params, got, c.reached)
		}
		if !recorded(p, "http", "POST /rpc "+c.method) {
			t.Errorf("%s is not in the record", c.method)
		}
	}
	for name := range unseen {
		t.Errorf("%s has no case", name)
	}
}

func TestWhatMobilecliCannotRead(t *testing.T) {
	for _, method := range []string{"GET", "POST"} {
		if status, answer := do(Mobilecli(chat(t)), method, "/ping", ""); status != 200 || !strings.Contains(answer, "-32700") {
			t.Errorf("an empty %s is answered %d %s", method, status, answer)
		}
	}
	if _, answer := do(Mobilecli(chat(t)), "POST", "/", "{}"); !strings.Contains(answer, "-32600") {
		t.Errorf("a call without a method is answered %s", answer)
	}
	p := chat(t)
	p.Misbehave(phone.Misbehaviour{NeverIdle: true})
	if _, answer := do(Mobilecli(p), "POST", "/", `{"jsonrpc":"2.0","id":1,"method":"device.dump.ui"}`); !strings.Contains(answer, `"hierarchy":[]`) {
		t.Errorf("a dump that fails is answered %s", answer)
	}
}
