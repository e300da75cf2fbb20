package adb_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/countersign/countersign/gate/adb"
)

// automationHelpers are the servers that set-up would have let in.
func automationHelpers(s *settings) {
	s.gate.Helpers = []adb.Helper{
		{Name: "uiautomator2", Class: "com.wetest.uia2.Main", Path: "/data/local/tmp/u2.jar", SHA256: sha("u2")},
		{Name: "Appium", Package: "io.appium.uiautomator2.server", SHA256: sha("appium")},
		{Name: "mobilecli", Class: "com.mobilenext.mobilecli.DeviceServer", Path: "/data/local/tmp/mobilecli.dex", SHA256: sha("mobilecli")},
	}
}

// listen has a server answer at a place of the phone.
func (p *device) listen(target string, h http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serving[target] = func(c net.Conn) { http.Serve(&oneConn{conn: c}, h) }
}

// tell answers with JSON.
func tell(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// appium is Appium's server on the phone, as far as it is asked here.
func (f *fixture) appium(target string) {
	f.phone.listen(target, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/ping":
			http.NotFound(w, r)
		case r.URL.Path == "/status":
			tell(w, map[string]any{"value": map[string]any{"ready": true}})
		case r.URL.Path == "/session":
			tell(w, map[string]any{"sessionId": "s1", "value": map[string]any{"sessionId": "s1"}})
		case strings.HasSuffix(r.URL.Path, "/source"):
			f.phone.mu.Lock()
			defer f.phone.mu.Unlock()
			tell(w, map[string]any{"value": f.phone.tree})
		default:
			tell(w, map[string]any{"value": nil})
		}
	})
}

// mobilecli is mobilecli's server on the phone.
func (f *fixture) mobilecli(target string) {
	f.phone.listen(target, func(w http.ResponseWriter, r *http.Request) {
		said, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(said), "device.dump.ui") {
			tell(w, map[string]any{"jsonrpc": "2.0", "error": map[string]any{"code": -32700}})
			return
		}
		f.phone.mu.Lock()
		defer f.phone.mu.Unlock()
		_, app, _ := strings.Cut(strings.TrimSuffix(f.phone.window, "/.Main}"), "u0 ")
		tell(w, map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"hierarchy": []any{
			map[string]any{"class": "android.widget.FrameLayout", "package": app, "enabled": true,
				"rect": map[string]int{"width": 1080, "height": 2400}, "children": []any{
					map[string]any{"class": "android.widget.Button", "package": app, "text": "Open", "clickable": true, "enabled": true,
						"rect": map[string]int{"x": 100, "y": 300, "width": 100, "height": 100}}}}}}})
	})
}

// call is one call of HTTP.
func call(method, path, body string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		method, path, len(body), body)
}

// While an automation server runs on the phone nobody else looks, for that would
// end it: its tree is taken, or none. Where the agent keeps the guard from looking
// even a harmless app asks.
func TestNobodyTakesTheServersPlace(t *testing.T) {
	const blur = `{"settings":{"snapshotMaxDepth":1}}`
	blurred := func(f *fixture, target string) {
		f.appium("tcp:6790")
		f.appium(target) // the same port, and so the same server
		f.serve(target, call("POST", "/session", "{}"))
		f.serve(target, call("POST", "/session/s1/appium/settings", blur))
		f.serve("tcp:6790", call("GET", "/session/s1/source", ""))
	}
	cases := []struct {
		name  string
		begin func(f *fixture)
		let   func(*settings)
		seen  bool // through the server
		dumps int
	}{
		{"uiautomator2's shows it", func(f *fixture) {
			f.startU2()
			f.serve("tcp:9008", rpc("deviceInfo", "[]"))
		}, automationHelpers, true, 0},
		{"Appium's shows it", func(f *fixture) {
			f.appium("tcp:6790")
			f.serve("tcp:6790", call("POST", "/session", "{}"))
		}, automationHelpers, true, 0},
		{"mobilecli's shows it", func(f *fixture) {
			f.mobilecli("localabstract:mobilecli-server")
			f.serve("localabstract:mobilecli-server", call("POST", "/", `{"jsonrpc":"2.0","id":1,"method":"device.version","params":{}}`))
		}, automationHelpers, true, 0},
		{"Appium's has no session", func(f *fixture) {
			f.appium("tcp:6790")
			f.serve("tcp:6790", call("GET", "/status", ""))
		}, automationHelpers, false, 0},
		{"the agent has changed what Appium's shows", func(f *fixture) { blurred(f, "tcp:6790") }, automationHelpers, false, 0},
		{"and has written its port otherwise", func(f *fixture) { blurred(f, "tcp:06790") }, automationHelpers, false, 0},
		{"and has opened many streams since", func(f *fixture) {
			blurred(f, "tcp:6790")
			for i := range 70 {
				other := fmt.Sprintf("tcp:%d", 7000+i)
				f.phone.listen(other, http.NotFound)
				f.serve(other, call("GET", "/ping", ""))
			}
		}, automationHelpers, false, 0},
		{"and has put it back", func(f *fixture) {
			blurred(f, "tcp:6790")
			f.serve("tcp:6790", call("POST", "/session/s1/appium/settings", strings.ReplaceAll(blur, "1", "70")))
		}, automationHelpers, true, 0},
		{"uiautomator2's fails", func(f *fixture) {
			f.phone.listen("tcp:9008", func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/ping" {
					io.WriteString(w, "pong")
					return
				}
				tell(w, map[string]any{"jsonrpc": "2.0", "id": 1, "error": map[string]any{"code": -32001}})
			})
			f.serve("tcp:9008", rpc("deviceInfo", "[]"))
		}, automationHelpers, false, 0},
		{"uiautomator2's was not let in", func(f *fixture) {
			f.startU2()
			f.serve("tcp:9008", rpc("deviceInfo", "[]"))
		}, func(*settings) {}, false, 0},
		{"uiautomator2's has ended", func(f *fixture) {
			f.startU2()
			f.serve("tcp:9008", rpc("deviceInfo", "[]"))
			f.phone.refuse("tcp:9008")
		}, automationHelpers, true, 1},
		{"one that was not let in has ended", func(f *fixture) {
			f.startU2()
			f.serve("tcp:9008", rpc("deviceInfo", "[]"))
			f.phone.refuse("tcp:9008")
		}, func(*settings) {}, true, 1},
		{"Appium's has ended with what it was set to", func(f *fixture) {
			blurred(f, "tcp:6790")
			f.phone.refuse("tcp:6790")
			f.serve(tapOpen, "")
			f.phone.mu.Lock()
			f.phone.closed = nil
			f.phone.mu.Unlock()
			f.appium("tcp:6790")
			f.serve("tcp:6790", call("POST", "/session", "{}"))
		}, automationHelpers, true, 1},
	}
	if len(cases) != 13 {
		t.Fatalf("%d cases, 13 were written", len(cases))
	}
	for _, c := range cases {
		for _, app := range []string{"com.whatsapp", "com.spotify.music"} {
			f := newFixture(t, hurried, c.let)
			f.phone.show(pageOf(app, button("Open", 100, 300)), "Window{1a2b3c u0 "+app+"/.Main}")
			c.begin(f)
			r := f.serve(tapOpen, "")
			if r.passed() != c.seen || !c.seen && !strings.Contains(r.refused, "not answered yet") {
				t.Errorf("%s, in %s: %+v", c.name, app, r)
			}
			if r := f.serve("shell:input swipe 100 2000 900 2000", ""); r.passed() != c.seen {
				t.Errorf("%s, in %s, a swipe: %+v", c.name, app, r)
			}
			if n := f.phone.looks("exec:rm"); n != c.dumps && n != 2*c.dumps {
				t.Errorf("%s, in %s: %d dumps, want %d", c.name, app, n, c.dumps)
			}
		}
	}
}
