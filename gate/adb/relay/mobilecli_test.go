package relay

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/countersign/countersign/screen"
)

// mobilecliCases are calls and what they mean.
var mobilecliCases = []struct{ method, params, want string }{
	{"device.version", `{}`, "reads"},
	{"device.version", `null`, "reads"},
	{"device.apps.list", `{}`, "reads"},
	{"device.dump.ui", `{"waitUntilIdle":500}`, "reads"},
	{"device.screenshot", `{"format":"png"}`, "reads"},
	{"device.io.tap", `{"x":5,"y":6}`, `{"kind":"tap","x":5,"y":6}`},
	{"device.io.tap", `{"x":5}`, "unknown"},
	{"device.io.tap", `{"x":"5","y":6}`, "unknown"},
	{"device.io.tap", `[5,6]`, "unknown"},
	{"device.io.longpress", `{"x":5,"y":6}`, `{"kind":"long_press","x":5,"y":6,"duration_ms":500}`},
	{"device.io.longpress", `{"x":5,"y":6,"duration":100}`, `{"kind":"tap","x":5,"y":6,"duration_ms":100}`},
	{"device.io.longpress", `{"x":5,"y":6,"duration":"long"}`, "unknown"},
	{"device.io.swipe", `{"x1":5,"y1":6,"x2":500,"y2":600}`, `{"kind":"swipe","x":5,"y":6,"x2":500,"y2":600,"duration_ms":1000}`},
	{"device.io.swipe", `{"x1":5,"y1":6,"x2":5,"y2":6,"duration":50}`, `{"kind":"tap","x":5,"y":6,"duration_ms":50}`},
	{"device.io.swipe", `{"x1":5,"y1":6}`, "unknown"},
	{"device.io.gesture", `{"actions":[{"type":"press","x":5,"y":6,"duration":0.1},{"type":"release","duration":0}]}`, `{"kind":"tap","x":5,"y":6,"duration_ms":100}`},
	{"device.io.gesture", `{"actions":[{"type":"press","x":5,"y":6},{"type":"move","x":500,"y":6,"duration":0.3},{"type":"release"}]}`, `{"kind":"swipe","x":5,"y":6,"x2":500,"y2":6,"duration_ms":300}`},
	{"device.io.gesture", `{"actions":[{"type":"press","x":5,"y":6,"button":0},{"type":"press","x":500,"y":600,"button":1},{"type":"release","button":0},{"type":"release","button":1}]}`, `{"kind":"shell","shell":"input tap 5 6 && input tap 500 600"}`},
	{"device.io.gesture", `{"actions":[{"type":"press","x":5,"y":6},{"type":"move","x":50,"y":60},{"type":"move","x":500,"y":600},{"type":"release"}]}`, `{"kind":"shell","shell":"input motionevent DOWN 5 6 && input motionevent MOVE 50 60 && input motionevent MOVE 500 600 && input motionevent UP 500 600"}`},
	{"device.io.gesture", `{"actions":[{"type":"move","x":5,"y":6}]}`, "unknown"},
	{"device.io.gesture", `{"actions":[{"type":"press","x":5,"y":6},{"type":"press","x":5,"y":6}]}`, "unknown"},
	{"device.io.gesture", `{"actions":[]}`, "unknown"},
	{"device.io.button", `{"button":"KEYCODE_BACK"}`, `{"kind":"key","key":"KEYCODE_BACK"}`},
	{"device.io.button", `{"button":5}`, "unknown"},
	{"device.io.keys", `{"keys":[{"keycode":"KEYCODE_ENTER"}]}`, `{"kind":"key","key":"KEYCODE_ENTER"}`},
	{"device.io.keys", `{"keys":[{"keycode":"KEYCODE_A","modifiers":["KEYCODE_CTRL_LEFT"]},{"keycode":"KEYCODE_DEL","modifiers":[]}]}`, `{"kind":"shell","shell":"input keycombination 'KEYCODE_CTRL_LEFT' 'KEYCODE_A' && input keyevent 'KEYCODE_DEL'"}`},
	{"device.io.keys", `{"keys":[{"keycode":"KEYCODE_A","modifiers":[5]}]}`, "unknown"},
	{"device.io.keys", `{"keys":[]}`, "unknown"},
	{"device.io.text", `{"text":"hello"}`, `{"kind":"type","text":"hello"}`},
	{"device.io.text", `{}`, "unknown"},
	{"device.io.keyboard.hide", `{}`, `{"kind":"back"}`},
	{"device.clipboard.get", `{}`, `{"kind":"shell","shell":"cmd clipboard get-text"}`},
	{"device.clipboard.set", `{"text":"x"}`, `{"kind":"wait"}`},
	{"device.clipboard.clear", `{}`, `{"kind":"wait"}`},
	{"device.location.set", `{"lat":1,"lon":2}`, "unknown"},
	{"device.shell", `{}`, "unknown"},
}

func TestEveryCallOfMobilecli(t *testing.T) {
	if len(mobilecliCases) != 36 {
		t.Fatalf("%d cases, 36 were written", len(mobilecliCases))
	}
	unseen := map[string]bool{}
	for name := range mobilecliCalls {
		unseen[name] = true
	}
	for _, c := range mobilecliCases {
		delete(unseen, c.method)
		body := `{"jsonrpc":"2.0","id":1,"method":"` + c.method + `","params":` + c.params + `}`
		// Neither method nor path mean anything to it.
		for _, raw := range []string{post("/", body), post("/ping", body), strings.Replace(post("/rpc?x=1", body), "POST", "PUT", 1)} {
			if got := means(t, mobilecli, new(Memory), raw); got != c.want {
				t.Errorf("%s %s means %s, want %s", c.method, c.params, got, c.want)
			}
		}
	}
	for name := range unseen {
		t.Errorf("%s has no case", name)
	}
}

func TestOtherRequestsToMobilecli(t *testing.T) {
	cases := []struct{ raw, want string }{
		{get("/ping"), "reads"}, {post("/", ""), "reads"}, {post("/", "{}"), "reads"}, {post("/", `{"method":null}`), "unknown"}, {post("/", "nonsense"), "unknown"}, {post("/", "[]"), "unknown"},
		{post("/", `{"method":"device.version","method":"device.io.tap","params":{"x":1,"y":2}}`), "unknown"},
		{post("/", `{"method":"device.version"}{"method":"device.io.tap"}`), "unknown"},
	}
	if len(cases) != 8 {
		t.Fatalf("%d cases, 8 were written", len(cases))
	}
	for _, c := range cases {
		if got := means(t, mobilecli, new(Memory), c.raw); got != c.want {
			t.Errorf("%q means %s, want %s", c.raw, got, c.want)
		}
	}
}

// mobilecliServer answers as mobilecli's server does, whatever the path.
func mobilecliServer(result string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Connection", "close")
		if len(body) == 0 {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+result+`}`)
	})
}

func TestMobilecliIsKnownByItsSocketAndItsAnswer(t *testing.T) {
	cases := []struct {
		target  string
		handler http.Handler
		want    string
	}{
		{"localabstract:mobilecli-server", mobilecliServer("{}"), Mobilecli},
		{"localabstract:devicekit", mobilecliServer("{}"), Mobilecli},
		{"localabstract:other", mobilecliServer("{}"), ""},
		{"localabstract:mobilecli-server", echo, ""},
	}
	if len(cases) != 4 {
		t.Fatalf("%d cases, 4 were written", len(cases))
	}
	for _, c := range cases {
		phone := servePhone(t, c.handler)
		m := new(Memory)
		a := relayed(t, phone.dial, Options{Memory: m, Target: c.target}, refuseAll)
		a.say(post("/rpc", `{"jsonrpc":"2.0","id":4,"method":"device.io.tap","params":{"x":1,"y":2}}`))
		status, body := a.hear(t, "POST")
		if m.Server() != c.want {
			t.Errorf("%s is taken for %q, want %q", c.target, m.Server(), c.want)
		}
		var answer struct {
			ID    int
			Error struct{ Message string }
		}
		if c.want == Mobilecli && (json.Unmarshal([]byte(body), &answer) != nil || status != 200 || answer.ID != 4 || !strings.Contains(answer.Error.Message, "Refused")) {
			t.Errorf("a refusal is %d %s", status, body)
		}
	}
}

const mobilecliDumped = `{"hierarchy":[{"index":0,"class":"android.widget.FrameLayout","package":"com.x","rect":{"x":0,"y":0,"width":1080,"height":2400},"enabled":true,"visible":true,"children":[
{"index":0,"class":"android.widget.Button","package":"com.x","text":"Send","content-desc":"now","resource-id":"com.x:id/send","clickable":true,"enabled":true,"visible":true,"rect":{"x":10,"y":20,"width":100,"height":50}},
{"index":1,"class":"android.widget.Button","package":"com.x","text":"Hidden","visible":false,"rect":{"x":10,"y":20,"width":100,"height":50}}]}]}`

func TestMobilecliIsAskedForItsTree(t *testing.T) {
	phone := servePhone(t, mobilecliServer(mobilecliDumped))
	tree, err := Source{Server: Mobilecli}.Tree(t.Context(), targetless(phone.dial))
	if err != nil {
		t.Fatal(err)
	}
	s, err := screen.Read(string(tree), screen.Limits{})
	if err != nil || len(s.Nodes) != 2 || s.Nodes[1].Text != "Send" || s.Nodes[1].Bounds != (screen.Rect{Left: 10, Top: 20, Right: 110, Bottom: 70}) {
		t.Errorf("the tree is %s (%v)", tree, err)
	}
	if got := strings.Join(phone.received(), ""); !strings.Contains(got, `"full":true`) {
		t.Errorf("it was asked %q", got)
	}
}
