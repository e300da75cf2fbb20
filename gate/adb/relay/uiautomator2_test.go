package relay

import (
	"encoding/json"
	"strings"
	"testing"
)

// selector is what the client sends for d(text="Send").
const selector = `{"mask":1,"childOrSibling":[],"childOrSiblingSelector":[],"text":"Send"}`

// rpcCases are calls and what they mean. What a selector finds is someThing, whose
// middle is (200, 230).
var rpcCases = []struct{ method, params, want string }{
	{"ping", `[]`, "reads"},
	{"deviceInfo", `{}`, "reads"},
	{"dumpAllWindowHierarchy", `[true]`, "reads"},
	{"dumpWindowHierarchy", `[false,50]`, "reads"},
	{"dumpWindowHierarchy", `[true,"window.xml"]`, "unknown"},
	{"dumpWindowHierarchyWithSelector", `[true,` + selector + `]`, "reads"},
	{"takeScreenshot", `[1,80]`, "reads"},
	{"takeScreenshot", `["/sdcard/x.png",1,80]`, "unknown"},
	{"objInfo", `[` + selector + `]`, "reads"},
	{"objInfoOfAllInstances", `[` + selector + `]`, "reads"},
	{"exist", `[` + selector + `]`, "reads"},
	{"count", `[` + selector + `]`, "reads"},
	{"waitForExists", `[` + selector + `,3000]`, "reads"},
	{"waitUntilGone", `[` + selector + `,3000]`, "reads"},
	{"waitForIdle", `[1000]`, "reads"},
	{"waitForWindowUpdate", `["com.x",1000]`, "reads"},
	{"getText", `[` + selector + `]`, "reads"},
	{"getLastToast", `[5000]`, "reads"},
	{"getLastTraversedText", `[]`, "reads"},
	{"isScreenOn", `[]`, "reads"},
	{"hasWatcher", `["w"]`, "reads"},
	{"hasAnyWatchersTriggered", `[]`, "reads"},
	{"hasWatcherTriggered", `["w"]`, "reads"},
	{"getWatchers", `[]`, "reads"},
	{"getConfigurator", `[]`, "reads"},
	{"getUiObject", `[` + selector + `]`, "reads"},
	{"getChild", `["a",` + selector + `]`, "reads"},
	{"getFromParent", `["a",` + selector + `]`, "reads"},
	{"childByInstance", `[` + selector + `,` + selector + `,1]`, "reads"},
	{"childByText", `[` + selector + `,` + selector + `,"x"]`, "reads"},
	{"childByText", `[` + selector + `,` + selector + `,"x",true]`, `{"kind":"scroll"}`},
	{"childByDescription", `[` + selector + `,` + selector + `,"x",false]`, "reads"},

	{"click", `[540,1200]`, `{"kind":"tap","x":540,"y":1200}`},
	{"click", `[540.9,1200.2]`, `{"kind":"tap","x":540,"y":1200}`},
	{"click", `[540,1200,800]`, `{"kind":"long_press","x":540,"y":1200,"duration_ms":800}`},
	{"click", `[540,1200,100]`, `{"kind":"tap","x":540,"y":1200,"duration_ms":100}`},
	{"click", `[` + selector + `]`, `{"kind":"tap","x":200,"y":230}`},
	{"click", `[` + selector + `,"tl"]`, `{"kind":"tap","x":105,"y":205}`},
	{"click", `[` + selector + `,"br"]`, `{"kind":"tap","x":295,"y":255}`},
	{"click", `[]`, "unknown"},
	{"click", `["540","1200"]`, "unknown"},
	{"click", `[540,1200,"long"]`, "unknown"},
	{"longClick", `[` + selector + `]`, `{"kind":"long_press","x":200,"y":230,"duration_ms":500}`},
	{"clickAndWaitForNewWindow", `[` + selector + `,3000]`, `{"kind":"tap","x":200,"y":230}`},
	{"swipe", `[1,2,300,400,10]`, `{"kind":"swipe","x":1,"y":2,"x2":300,"y2":400,"duration_ms":50}`},
	{"swipe", `[10,20,10,20,200]`, `{"kind":"long_press","x":10,"y":20,"duration_ms":1000}`},
	{"swipe", `[` + selector + `,"left",10]`, `{"kind":"swipe","x":299,"y":230,"x2":99,"y2":230}`},
	{"swipe", `[` + selector + `,"sideways",10]`, "unknown"},
	{"drag", `[1,2,300,400,10]`, `{"kind":"swipe","x":1,"y":2,"x2":300,"y2":400,"duration_ms":50}`},
	{"swipePoints", `[[1,2,300,400,500,600],10]`, `{"kind":"shell","shell":"input motionevent DOWN 1 2 && input motionevent MOVE 300 400 && input motionevent MOVE 500 600 && input motionevent UP 500 600"}`},
	{"swipePoints", `[[1,2,300,400],10]`, `{"kind":"swipe","x":1,"y":2,"x2":300,"y2":400,"duration_ms":50}`},
	{"swipePoints", `[[1,2,3],10]`, "unknown"},
	{"dragTo", `[` + selector + `,500,600,40]`, `{"kind":"swipe","x":200,"y":230,"x2":500,"y2":600,"duration_ms":500}`},
	{"dragTo", `[` + selector + `,{"mask":1,"text":"Bin"},40]`, `{"kind":"long_press","x":200,"y":230,"duration_ms":500}`},
	{"gesture", `[` + selector + `,{"x":1,"y":2},{"x":3,"y":4},{"x":101,"y":102},{"x":103,"y":104},10]`,
		`{"kind":"shell","shell":"input swipe 1 2 101 102 0 && input swipe 3 4 103 104 0"}`},
	{"pinchIn", `[` + selector + `,100,50]`, `{"kind":"shell","shell":"input swipe 100 230 200 230 0 && input swipe 299 230 200 230 0"}`},
	{"pinchOut", `[` + selector + `,100,50]`, `{"kind":"shell","shell":"input swipe 200 230 100 230 0 && input swipe 200 230 299 230 0"}`},
	{"injectInputEvent", `[0,5,6,0]`, `{"kind":"motion_event","x":5,"y":6}`},
	{"injectInputEvent", `[1,5,6,0]`, `{"kind":"motion_event","x":5,"y":6}`},
	{"injectInputEvent", `[2,5,6,0]`, `{"kind":"scroll","x":5,"y":6}`},
	{"injectInputEvent", `[3,5,6,0]`, `{"kind":"wait"}`},
	{"injectInputEvent", `[11,5,6,0]`, "unknown"},
	{"pressKey", `["home"]`, `{"kind":"home"}`},
	{"pressKey", `["back"]`, `{"kind":"back"}`},
	{"pressKey", `["enter"]`, `{"kind":"key","key":"ENTER"}`},
	{"pressKey", `["center"]`, `{"kind":"key","key":"DPAD_CENTER"}`},
	{"pressKey", `[5]`, "unknown"},
	{"pressKeyCode", `[66]`, `{"kind":"key","key":"66"}`},
	{"pressKeyCode", `[66,1]`, `{"kind":"key","key":"66"}`},
	{"pressKeyCode", `[66,4096]`, "unknown"}, // CTRL
	{"setText", `[` + selector + `,"hi\n"]`, `{"kind":"type","x":200,"y":230,"text":"hi\n"}`},
	{"setText", `[` + selector + `,5]`, "unknown"},
	{"clearTextField", `[` + selector + `]`, `{"kind":"type","x":200,"y":230}`},
	{"flingForward", `[` + selector + `,true]`, `{"kind":"swipe","x":200,"y":259,"x2":200,"y2":211}`},
	{"flingBackward", `[` + selector + `,true]`, `{"kind":"swipe","x":200,"y":200,"x2":200,"y2":248}`},
	{"flingToBeginning", `[` + selector + `,false,5]`, `{"kind":"swipe","x":100,"y":230,"x2":260,"y2":230}`},
	{"flingToEnd", `[` + selector + `,true,5]`, `{"kind":"swipe","x":200,"y":259,"x2":200,"y2":211}`},
	{"scrollForward", `[` + selector + `,true,10]`, `{"kind":"swipe","x":200,"y":259,"x2":200,"y2":211}`},
	{"scrollBackward", `[` + selector + `,true,10]`, `{"kind":"swipe","x":200,"y":200,"x2":200,"y2":248}`},
	{"scrollToBeginning", `[` + selector + `,true,5,10]`, `{"kind":"swipe","x":200,"y":200,"x2":200,"y2":248}`},
	{"scrollToEnd", `[` + selector + `,true,5,10]`, `{"kind":"swipe","x":200,"y":259,"x2":200,"y2":211}`},
	{"scrollTo", `[` + selector + `,` + selector + `,true]`, `{"kind":"swipe","x":200,"y":259,"x2":200,"y2":211}`},
	{"getClipboard", `[]`, `{"kind":"shell","shell":"cmd clipboard get-text"}`},
	{"pasteClipboard", `[]`, `{"kind":"key","key":"PASTE"}`},
	{"openNotification", `[]`, `{"kind":"shell","shell":"cmd statusbar expand-notifications"}`},
	{"openQuickSettings", `[]`, `{"kind":"shell","shell":"cmd statusbar expand-settings"}`},
	{"wakeUp", `[]`, `{"kind":"key","key":"WAKEUP"}`},
	{"sleep", `[]`, `{"kind":"key","key":"SLEEP"}`},
	{"freezeRotation", `[true]`, `{"kind":"shell","shell":"settings put system accelerometer_rotation 0"}`},
	{"setOrientation", `["left"]`, `{"kind":"shell","shell":"settings put system user_rotation 0"}`},
	{"setClipboard", `[null,"x"]`, `{"kind":"wait"}`},
	{"makeToast", `["x",1]`, `{"kind":"wait"}`},
	{"clearLastToast", `[]`, `{"kind":"wait"}`},
	{"clearLastTraversedText", `[]`, `{"kind":"wait"}`},
	{"setConfigurator", `[{}]`, `{"kind":"wait"}`},
	{"removeWatcher", `["w"]`, `{"kind":"wait"}`},
	{"resetWatcherTriggers", `[]`, `{"kind":"wait"}`},
	{"removeUiObject", `["a"]`, `{"kind":"wait"}`},

	{"registerClickUiObjectWatcher", `["w",[` + selector + `],` + selector + `]`, "unknown"},
	{"runWatchers", `[]`, "unknown"},
	{"executeShellCommand", `["id"]`, "unknown"},
	{"Click", `[540,1200]`, "unknown"},
	{"click", `{"x":540,"y":1200}`, "unknown"},
	{"click", `"540"`, "unknown"},
}

func TestEveryCallOfUIAutomator2(t *testing.T) {
	if len(rpcCases) != 104 {
		t.Fatalf("%d cases, 104 were written", len(rpcCases))
	}
	unseen := map[string]bool{}
	for name := range rpcMethods {
		unseen[name] = true
	}
	for _, c := range rpcCases {
		delete(unseen, c.method)
		if got := means(t, uiautomator2, new(Memory), rpc(c.method, c.params)); got != c.want {
			t.Errorf("%s%s means %s, want %s", c.method, c.params, got, c.want)
		}
	}
	for name := range unseen {
		t.Errorf("%s has no case", name)
	}
}

func TestOtherPathsOfUIAutomator2(t *testing.T) {
	call := `{"jsonrpc":"2.0","id":1,"method":"deviceInfo"}`
	cases := []struct{ raw, want string }{
		{get("/ping"), "reads"}, {get("/version"), "reads"}, {get("/info"), "reads"}, {get("/screenshot"), "reads"},
		{get("/screenshot/0"), "reads"}, {get("/screenshot/0?scale=0.5"), "reads"}, {get("/0/screenshot"), "reads"},
		{get("/dump/hierarchy"), "reads"}, {get("/stop"), "unknown"}, {get("/"), "unknown"},
		{get("/%73top"), "unknown"}, {get("/jsonrpc/0"), "unknown"}, {post("/ping", ""), "unknown"},
		{post(rpcPath, call), "reads"}, {post(rpcPath, call, "Content-Type: application/json; charset=utf-8"), "reads"},
		{post(rpcPath+"?m=deviceInfo", call), "unknown"}, {post("/jsonrpc/1", call), "unknown"},
		{post(rpcPath, call, "Content-Type: application/x-www-form-urlencoded"), "unknown"},
		{post(rpcPath, call, "Content-Type: multipart/form-data; boundary=x"), "unknown"},
		{post(rpcPath, call, "Content-Type: application/json; charset=utf-16"), "unknown"},
		{post(rpcPath, call, "Content-Type: application/json; charset=x; charset=utf-8"), "unknown"},
		{post(rpcPath, call, "Content-Encoding: gzip"), "unknown"}, {post(rpcPath, call+"{}"), "unknown"},
		{post(rpcPath, call[:20]), "unknown"}, {post(rpcPath, ""), "unknown"}, {post(rpcPath, "null"), "unknown"},
		{post(rpcPath, `{"method":"deviceInfo","method":"click","params":[1,2]}`), "unknown"},
		{post(rpcPath, `{"method":"deviceInfo","Method":"click","params":[1,2]}`), "unknown"}, // no client has it
		{post(rpcPath, `{"method":"click","params":[1,2],"params":[3,4]}`), "unknown"},
		{post(rpcPath, "{\"method\":\"deviceInfo\xff\"}"), "unknown"},
		{post(rpcPath, "\xef\xbb\xbf"+call), "unknown"},
		{post(rpcPath, strings.Repeat("[", 100)+strings.Repeat("]", 100)), "unknown"},
		{post(rpcPath, `{"method":"deviceInfo","params":["`+strings.Repeat("x", maxJSON)+`"]}`), "unknown"},
	}
	if len(cases) != 33 {
		t.Fatalf("%d cases, 33 were written", len(cases))
	}
	for _, c := range cases {
		if got := means(t, uiautomator2, new(Memory), c.raw); got != c.want {
			t.Errorf("%.200q means %s, want %s", c.raw, got, c.want)
		}
	}
}

func TestABatchIsOneAction(t *testing.T) {
	one := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	}
	read, click, unknown := one("deviceInfo", "[]"), one("click", "[1,2]"), one("runWatchers", "[]")
	cases := []struct {
		batch []string
		want  string
	}{
		{[]string{read}, "reads"},
		{[]string{read, read}, "reads"},
		{[]string{read, click}, `{"kind":"tap","x":1,"y":2}`},
		{[]string{click, one("click", "[500,600]")}, `{"kind":"shell","shell":"input tap 1 2 && input tap 500 600"}`},
		{[]string{click, click}, `{"kind":"double_tap","x":1,"y":2}`},
		{[]string{click, click, click}, `{"kind":"shell","shell":"input tap 1 2 && input tap 1 2 && input tap 1 2"}`},
		{[]string{one("click", "["+selector+"]"), one("pressKey", `["enter"]`)},
			`{"kind":"shell","shell":"input tap 200 230 && input keyevent 'ENTER'"}`},
		{[]string{one("setText", "["+selector+`,"it's 5%s"]`), click},
			`{"kind":"shell","shell":"input tap 200 230 && input text 'it'\\''s 5%' && input text 's' && input tap 1 2"}`},
		{[]string{read, unknown}, "unknown"},
		{[]string{click, unknown}, "unknown"},
		{[]string{click, one("pressKey", `["home"]`)}, "unknown"}, // not spelled as a command
		{[]string{`5`}, "unknown"},
		{nil, "unknown"},
		{strings.Split(strings.Repeat(read+"\x00", maxBatch+1), "\x00")[:maxBatch+1], "unknown"},
	}
	if len(cases) != 14 {
		t.Fatalf("%d cases, 14 were written", len(cases))
	}
	for _, c := range cases {
		body := "[" + strings.Join(c.batch, ",") + "]"
		if got := means(t, uiautomator2, new(Memory), post(rpcPath, body)); got != c.want {
			t.Errorf("%.200s means %s, want %s", body, got, c.want)
		}
	}
}

func TestADenialOfUIAutomator2KeepsItsServerRunning(t *testing.T) {
	cases := []struct{ body, want string }{
		{`{"jsonrpc":"2.0","id":7,"method":"click","params":[1,2]}`, `7`},
		{`{"jsonrpc":"2.0","id":"a\"b","method":"click"}`, `"a\"b"`},
		{`{"method":"click"}`, `null`},
		{`nonsense`, `null`},
	}
	if len(cases) != 4 {
		t.Fatalf("%d cases, 4 were written", len(cases))
	}
	for _, c := range cases {
		p := denyUIAutomator2(read(t, post(rpcPath, c.body)), "No.")
		var got struct {
			ID    json.RawMessage
			Error struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal(p.body, &got); err != nil || p.status != 200 {
			t.Fatalf("%s: status %d, %v", c.body, p.status, err)
		}
		if string(got.ID) != c.want || got.Error.Code != refusedCode || got.Error.Message != "No." {
			t.Errorf("%s is answered by %s", c.body, p.body)
		}
	}
	var batch []any
	p := denyUIAutomator2(read(t, post(rpcPath, `[{"id":1},{"id":2}]`)), "No.")
	if err := json.Unmarshal(p.body, &batch); err != nil || len(batch) != 2 || p.status != 200 {
		t.Errorf("a batch is answered by %s (%v)", p.body, err)
	}
}
