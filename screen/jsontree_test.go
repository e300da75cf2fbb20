package screen

import (
	"errors"
	"strings"
	"testing"
)

func TestJSONWindows(t *testing.T) {
	s := readWhole(t, readFile(t, "windows.json"))
	checkWindowOrder(t, s, []windowWant{
		{"com.example.mail", "Inbox", AppWindow, 3, 7, true},
		{"com.example.keys", "", KeyboardWindow, 1, 3, false},
		{systemUI, "", SystemWindow, 0, 1, false},
		{"", "", OverlayWindow, 7, 7, false},
	})
	if s.Package != "com.example.mail" || s.Activity != ".InboxActivity" || s.Width != 1080 || s.Height != 2400 {
		t.Errorf("screen %+v", s)
	}
	want := map[int]Node{
		2: {Description: "Send", Bounds: Rect{900, 2200, 1080, 2400}, Flags: Clickable, Parent: 1, End: 3, Depth: 1, Window: 1},
		5: {Text: "Reply 😀", Flags: Clickable, Parent: 4, End: 6, Depth: 2},
		6: {Text: "see you\nsoon", ResourceID: "com.example.mail:id/reply", Class: "android.widget.EditText", Hint: "Reply",
			Bounds: Rect{0, 1300, 1080, 1500}, Flags: Editable | MultiLine | IMESend | Focused | Disabled, Parent: 3, End: 7, Depth: 1},
	}
	for i, n := range want {
		if s.Nodes[i] != n {
			t.Errorf("node %d\n got %+v\nwant %+v", i, s.Nodes[i], n)
		}
	}
}

func TestJSONElements(t *testing.T) {
	src := readFile(t, "elements.json")
	bare := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(src), `{"elements":`), "}")
	for name, src := range map[string]string{"in an object": src, "alone": bare} {
		s := readWhole(t, src)
		if len(s.Nodes) != 4 || len(s.Windows) != 1 {
			t.Fatalf("%s: %+v", name, s)
		}
		buy := Node{Text: "Buy now", Class: "Button", ResourceID: "buy", Bounds: Rect{0, 1700, 1080, 1900}, Parent: 1, End: 3, Depth: 2}
		if s.Nodes[2] != buy {
			t.Errorf("%s:\n got %+v\nwant %+v", name, s.Nodes[2], buy)
		}
		if n := s.Nodes[3]; n.Text != "Total 24,10 €" || n.ResourceID != "" || n.Bounds != (Rect{0, 1500, 1080, 1600}) {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

func TestJSONNodes(t *testing.T) {
	tests := []struct {
		object  string
		want    Node
		repairs int
	}{
		{`{}`, Node{}, 0},
		{`{"text": "a", "label": "b", "class": "C", "type": "D", "id": "e", "resource_id": "f"}`, Node{Text: "a", Class: "C", ResourceID: "f"}, 0},
		{`{"label": "b", "text": ""}`, Node{Text: "b"}, 0},
		{`{"long-clickable": true, "is_checkable": true, "isChecked": true, "SELECTED": "true"}`, Node{Flags: LongClickable | Checkable | Checked | Selected}, 0},
		{`{"enabled": "false", "visible": false, "password": null}`, Node{Flags: Disabled | Invisible}, 0},
		{`{"ime_action": "IME_ACTION_SEARCH"}`, Node{Flags: IMESearch}, 0},
		{`{"imeAction": "actionDone"}`, Node{Flags: IMEGo}, 0},
		{`{"imeOptions": 33554435}`, Node{Flags: IMESearch}, 0},
		{`{"imeOptions": 5, "editable": true, "multi_line": true}`, Node{Flags: Editable | MultiLine}, 0},
		{`{"bounds": [-1, -2, 3, 4], "drawingOrder": 7}`, Node{Bounds: Rect{-1, -2, 3, 4}, DrawingOrder: 7}, 0},
		{`{"bounds_in_screen": {"top": 2, "left": 1, "bottom": 4, "right": 99999999999}}`, Node{Bounds: Rect{1, 2, 1<<31 - 1, 4}}, 0},
		{`{"text": "Find", "showingHintText": true}`, Node{Text: "Find", Hint: "Find"}, 0},
		{`{"text": "a\u0041\n\/\"\\ \ud83d\ude00"}`, Node{Text: "aA\n/\"\\ 😀"}, 0},
		{"{\"text\": \"a\\ufffe\uffff\"}", Node{Text: "a\uFFFD\uFFFD"}, 2},
		{`{"text": "\ud83d \ude00\u0000\b"}`, Node{Text: "\uFFFD \uFFFD\uFFFD\uFFFD"}, 4},
		{"{\"text\": \"a\xffb\nc\x01\"}", Node{Text: "a\uFFFDb\nc\uFFFD"}, 3},
		{`{"actions": ["click", {"id": 1}], "extras": {}, "stateDescription": "on", "depth": -1.5e-3}`, Node{}, 0},
	}
	for _, test := range tests {
		s := readWhole(t, `{"root": `+test.object+`}`)
		test.want.Parent, test.want.End = -1, 1
		if s.Nodes[0] != test.want || s.Repairs != test.repairs {
			t.Errorf("%s\n got %+v, %d repairs\nwant %+v, %d", test.object, s.Nodes[0], s.Repairs, test.want, test.repairs)
		}
	}
	if len(tests) != 17 {
		t.Errorf("%d cases, want 17", len(tests))
	}
}

func TestJSONFieldErrors(t *testing.T) {
	tests := []struct{ src, path, field, problem, nearest string }{
		{`{"windows":[{"root":{"children":[{},{"clikable":true}]}}]}`, "windows[0].root.children[1]", "clikable", "not known", "clickable"},
		{`{"elements":[{"contentDescripton":"x"}]}`, "elements[0]", "contentDescripton", "not known", "content_description"},
		{`[{"zzz":1}]`, "[0]", "zzz", "not known", ""},
		{`{"nodes":[]}`, "", "nodes", "not known", ""},
		{`{"window":[]}`, "", "window", "not known", "windows"},
		{`{"root":{"text":"a","Text":"b"}}`, "root", "Text", "given twice", ""},
		{`{"root":{"resource_id":"a","viewId":"b"}}`, "root", "viewId", "given twice", ""},
		{`{"root":{"text":7}}`, "root", "text", "not a text", ""},
		{`{"root":{"clickable":1}}`, "root", "clickable", "neither true nor false", ""},
		{`{"root":{"bounds":[0,0,1]}}`, "root", "bounds", "not a rectangle", ""},
		{`{"root":{"bounds":[0,0,1,2,3]}}`, "root", "bounds", "not a rectangle", ""},
		{`{"root":{"bounds":[0,0,1.5,2]}}`, "root", "bounds", "not a whole number", ""},
		{`{"root":{"bounds":{"left":0,"top":0,"right":1}}}`, "root", "bounds", "not a rectangle", ""},
		{`{"root":{"bounds":"0 0 1 1"}}`, "root", "bounds", "not a rectangle", ""},
		{`{"root":{"bounds":7}}`, "root", "bounds", "not a rectangle", ""},
		{`{"root":{"children":{}}}`, "root", "children", "not an array", ""},
		{`{"root":{"ime_action":"fly"}}`, "root", "ime_action", "not one of", ""},
		{`{"windows":[{"type":"dialog"}]}`, "windows[0]", "type", "not one of", ""},
		{`{"windows":[{"type":12}]}`, "windows[0]", "type", "not one of", ""},
		{`{"width":-1}`, "", "width", "from 0 up", ""},
		{`{"root":{},"elements":[]}`, "", "elements", "beside another tree", ""},
	}
	for _, test := range tests {
		s, err := ReadJSON(test.src, Limits{})
		checkScreen(t, s, err)
		var field *FieldError
		if !errors.As(err, &field) {
			t.Errorf("%s: %v, want a field error", test.src, err)
			continue
		}
		if field.Path != test.path || field.Field != test.field || field.Nearest != test.nearest || !strings.Contains(field.Problem, test.problem) {
			t.Errorf("%s: %+v", test.src, field)
		}
		if !strings.Contains(err.Error(), test.path) || !strings.Contains(err.Error(), test.nearest) {
			t.Errorf("%s: the message does not name the place: %v", test.src, err)
		}
	}
	if len(tests) != 21 {
		t.Errorf("%d cases, want 21", len(tests))
	}
}

func TestLongPathsAreCut(t *testing.T) {
	deep := strings.Repeat(`{"children":[`, 200) + `{"clikable":true}` + strings.Repeat("]}", 200)
	_, err := ReadJSON(`{"root":`+deep+`}`, Limits{})
	var field *FieldError
	if !errors.As(err, &field) || len(field.Path) > 400 || !strings.HasPrefix(field.Path, "...") || !strings.HasSuffix(field.Path, "children[0]") {
		t.Errorf("%v", err)
	}
}

func TestJSONSyntaxErrors(t *testing.T) {
	tests := []struct {
		src          string
		line, column int
	}{
		{`{"root":{}`, 1, 11},
		{`{"root":{}} {}`, 1, 13},
		{"{\n \"root\" {}}", 2, 9},
		{`{"root":{"text":"a`, 1, 19},
		{`{"root":{"text":"支付` + "\n", 2, 1},
		{`{"root":{"text":"\q"}}`, 1, 18},
		{`{"root":{"text":"\u12G4"}}`, 1, 18},
		{`{"root":{"text":"\`, 1, 18},
		{`{"root":{"extras":nul}}`, 1, 19},
		{`{"root":{"extras":01}}`, 1, 19},
		{`{"root":{"extras":1.}}`, 1, 19},
		{`{"root":{"extras":[1,]}}`, 1, 22},
		{`{"root":{,}}`, 1, 10},
		{`{"root":[]}`, 1, 9},
		{`{"elements":[1]}`, 1, 14},
		{`[{} {}]`, 1, 5},
		{`{root:{}}`, 1, 2},
	}
	for _, test := range tests {
		s, err := ReadJSON(test.src, Limits{})
		checkScreen(t, s, err)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != test.line || syntax.Column != test.column {
			t.Errorf("%q: %v, want a syntax error in line %d, column %d", test.src, err, test.line, test.column)
		}
	}
	if len(tests) != 17 {
		t.Errorf("%d cases, want 17", len(tests))
	}
}

// A JSON tree that is cut short is refused: what is missing may change what the
// open objects are.
func TestJSONCutAtAnyByte(t *testing.T) {
	for _, file := range []string{"windows.json", "elements.json"} {
		src := strings.TrimSpace(readFile(t, file))
		for cut := range len(src) {
			s, err := Read(src[:cut], Limits{})
			checkScreen(t, s, err)
			if err == nil {
				t.Errorf("%s cut at %d of %d is accepted", file, cut, len(src))
			}
		}
	}
}

func TestJSONDisplays(t *testing.T) {
	const windows = `"windows":[{"display":2,"root":{"text":"a"}},{"root":{"text":"b"}}]`
	tests := []struct {
		src   string
		front int
		top   string
	}{
		{`{"display":0,` + windows + `}`, 0, "b"},
		{`{` + windows + `,"display":2}`, 2, "b"},
		{`{` + windows + `}`, 2, "a"},
		{`{"display":1,"root":{"text":"a"}}`, 1, "a"},
	}
	for _, test := range tests {
		s := readWhole(t, test.src)
		top := s.Windows[len(s.Windows)-1]
		if s.Display != test.front || top.Display != test.front {
			t.Errorf("%s: display %d, the top window on %d; want %d", test.src, s.Display, top.Display, test.front)
		}
	}
}

func TestJSONOtherStates(t *testing.T) {
	s := readWhole(t, `{"truncated": true, "secure": true, "depth_limit": 30, "rotation": 270, "root": {}}`)
	if !s.Truncated || !s.Secure || s.DepthLimit != 30 || s.Rotation != 3 {
		t.Errorf("screen %+v", s)
	}
}
