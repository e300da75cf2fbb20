package screen

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func readWhole(t *testing.T, src string) *Screen {
	t.Helper()
	s, err := Read(src, Limits{})
	checkScreen(t, s, err)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDump(t *testing.T) {
	s := readWhole(t, readFile(t, "compose_mail.xml"))
	if len(s.Nodes) != 10 || len(s.Windows) != 1 || s.Width != 1080 || s.Height != 2400 || s.Truncated || s.Repairs != 0 {
		t.Fatalf("screen %+v", s)
	}
	want := map[int]Node{
		4: {Description: "Send", ResourceID: "com.example.mail:id/send", Class: "android.widget.Button", Package: "com.example.mail",
			Bounds: Rect{928, 74, 1054, 200}, Flags: Clickable | Focusable | LongClickable, Parent: 1, End: 5, Depth: 2},
		7: {Text: `Meeting <moved> & "final"`, ResourceID: "com.example.mail:id/subject", Class: "android.widget.EditText", Package: "com.example.mail",
			Bounds: Rect{42, 399, 1038, 546}, Flags: Clickable | Focusable | LongClickable | Editable, Parent: 5, End: 8, Depth: 2},
		8: {Text: "Hello Ana,\nsee you at 10 👋", ResourceID: "com.example.mail:id/body", Class: "android.widget.EditText", Package: "com.example.mail",
			Bounds: Rect{42, 567, 1038, 900}, Flags: Clickable | Focusable | Focused | LongClickable | Editable, Parent: 5, End: 9, Depth: 2},
		9: {Text: "Отправить копию себе", ResourceID: "com.example.mail:id/copy_self", Class: "android.widget.CheckBox", Package: "com.example.mail",
			Bounds: Rect{42, 921, 1038, 1047}, Flags: Clickable | Focusable | Checkable | Checked | Disabled, Parent: 5, End: 10, Depth: 2},
	}
	for i, n := range want {
		if s.Nodes[i] != n {
			t.Errorf("node %d\n got %+v\nwant %+v", i, s.Nodes[i], n)
		}
	}
}

func TestShortForm(t *testing.T) {
	s := readWhole(t, readFile(t, "short_form.xml"))
	if len(s.Nodes) != 4 || s.Rotation != 1 {
		t.Fatalf("%d nodes, rotation %d", len(s.Nodes), s.Rotation)
	}
	if n := s.Nodes[0]; n.Text != "Shop address" || n.Flags != Clickable {
		t.Errorf("node 0 %+v", n)
	}
	if n := s.Nodes[2]; n.Flags != Invisible || n.Bounds != (Rect{-40, -10, 0, 0}) || n.DrawingOrder != 3 {
		t.Errorf("node 2 %+v", n)
	}
	if n := s.Nodes[3]; n.Hint != "Card number" || n.Flags != Password|Editable {
		t.Errorf("node 3 %+v", n)
	}
	// Plain siblings of one app are one window, in which the later one is on top.
	if len(s.Windows) != 1 || s.Windows[0].End != 4 || s.Width != 0 {
		t.Errorf("windows %+v, width %d", s.Windows, s.Width)
	}
}

func TestDamageThatIsRepaired(t *testing.T) {
	s := readWhole(t, readFile(t, "damaged.xml"))
	want := []string{"Hi \uFFFD there", "Wave 👋 back", "Fish & chips &nbsp; 3 < 4", "bell \uFFFD and \uFFFD", "Pay"}
	for i, text := range want {
		if s.Nodes[i].Text != text {
			t.Errorf("node %d says %q, want %q", i, s.Nodes[i].Text, text)
		}
	}
	if repairs := 1 + 3 + 3; s.Repairs != repairs || len(s.Nodes) != len(want) {
		t.Errorf("%d repairs in %d nodes", s.Repairs, len(s.Nodes))
	}
}

func TestLabels(t *testing.T) {
	tests := []struct {
		raw, want string
		repairs   int
	}{
		{"plain", "plain", 0},
		{"&amp;&lt;&gt;&quot;&apos;", `&<>"'`, 0},
		{"&#65;&#x42;&#x1F600;", "AB😀", 0},
		{"a\r\nb\rc\nd", "a\nb\nc\nd", 0},
		{"tab\there", "tab\there", 0},
		{"&#10;&#13;", "\n\r", 0},
		{"支付 оплатить", "支付 оплатить", 0},
		{"&#xD83D;&#xDE00;", "😀", 0},
		{"&#xD83D;", "\uFFFD", 1},
		{"&#xDE00;&#xD83D;", "\uFFFD\uFFFD", 2},
		{"&#55357;x&#56832;", "\uFFFDx\uFFFD", 2},
		{"&#xD83D;&#xD83D;&#xDE00;", "\uFFFD😀", 1},
		{"AT&T", "AT&T", 1},
		{"&", "&", 1},
		{"&#;&#x;&#12", "&#;&#x;&#12", 3},
		{"&unknown;", "&unknown;", 1},
		{"a<b", "a<b", 1},
		{"&#0;&#1;&#xFFFF;", "\uFFFD\uFFFD\uFFFD", 3},
		{"&#99999999999999999999;", "\uFFFD", 1},
		{"\x01\x7f", "\uFFFD\x7f", 1},
		{"ok\xffno", "ok\uFFFDno", 1},
		{"half \xe4\xbb", "half \uFFFD\uFFFD", 2},
		{"\xed\xa0\xbd", "\uFFFD\uFFFD\uFFFD", 3},
		{"\uFFFE", "\uFFFD", 1},
		{"soft\u00adhyphen\u200b", "soft\u00adhyphen\u200b", 0},
		{"&amp;lt;", "&lt;", 0},
	}
	for _, test := range tests {
		s := readWhole(t, `<hierarchy><node text="`+test.raw+`" content-desc='`+strings.ReplaceAll(test.raw, "'", "")+`'/></hierarchy>`)
		if s.Nodes[0].Text != test.want || s.Nodes[0].Description != test.want || s.Repairs != 2*test.repairs {
			t.Errorf("%q: %q, %q, %d repairs; want %q and %d", test.raw, s.Nodes[0].Text, s.Nodes[0].Description, s.Repairs, test.want, 2*test.repairs)
		}
	}
	if len(tests) != 26 {
		t.Errorf("%d cases, want 26", len(tests))
	}
}

func TestNoTree(t *testing.T) {
	tests := []struct{ name, src, message string }{
		{"nothing", "", "the input is empty"},
		{"white space", " \r\n\t", "the input is empty"},
		{"never idle", readFile(t, "no_idle_state.txt"), `reports "ERROR: could not get idle state."`},
		{"error after a warning", "WARNING: x\nERROR: null root node returned by UiTestAutomationBridge.\n", `reports "ERROR: null root node`},
		{"killed", "Killed \n", `begins with "Killed"`},
		{"control characters", "\x1b[31mno\u202e", `begins with "\x1b[31mno\u202e"`},
		{"a long line", strings.Repeat("no ", 1000), `no no no no"...`},
		{"a web page", "<html><body>502</body></html>", `begins with "<html>`},
		{"no hierarchy", "<node text='Pay'/>", "<hierarchy>"},
		{"only a declaration", `<?xml version="1.0"?>`, "begins with"},
		{"no node", `<?xml version="1.0"?><hierarchy rotation="0"></hierarchy>`, "no node"},
		{"an empty hierarchy", `<hierarchy rotation="0" />`, "no node"},
		{"windows without nodes", `<displays><display id="0"><window title="x" bounds="[0,0][9,9]"/></display></displays>`, "no node"},
		{"in a comment", `<!-- <hierarchy><node/></hierarchy> -->`, "begins with"},
		{"cut in a comment", `<!-- <hierarchy><node/></hierarchy>`, "begins with"},
		{"cut before the first node", `<hierarchy rotation="0">`, "before its first node"},
		{"cut in the first tag", `<hierarchy rota`, "before its first node"},
		{"cut in the name", `<hierarchy`, "begins with"},
		{"cut in the first node", `<hierarchy><node text="Pay" bounds="[0,0][1080,`, "before its first node"},
		{"a JSON object without nodes", `{}`, "no node"},
	}
	for _, test := range tests {
		s, err := Read(test.src, Limits{})
		checkScreen(t, s, err)
		if !errors.Is(err, ErrNoTree) || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: %v, want ErrNoTree with %s", test.name, err, test.message)
		}
	}
	if len(tests) != 20 {
		t.Errorf("%d cases, want 20", len(tests))
	}
	if _, err := ReadUIAutomator(`<hierarchy><android.view.View/></hierarchy>`, Limits{}); !errors.Is(err, ErrNoTree) {
		t.Errorf("page source as a dump: %v", err)
	}
}

func TestSyntaxErrors(t *testing.T) {
	const open = "<hierarchy>\n<node text='a'/>\n"
	tests := []struct {
		name, src       string
		line, column    int
		found, expected string
	}{
		{"tags that do not match", open + "<node></hierarchy>", 3, 7, `"</hierarchy>"`, `"</node>"`},
		{"no equals sign", open + `<node text "a"/>`, 3, 12, `"\""`, `= after the attribute name "text"`},
		{"no quotes", open + `<node clickable=true/>`, 3, 17, `"t"`, "a quoted value"},
		{"an unescaped quote", open + `<node text="say "pay" now"/>`, 3, 21, `"`, "="},
		{"no name", open + `< node/>`, 3, 2, `" "`, "a name"},
		{"a slash in a tag", open + `<node / text=""/>`, 3, 8, `" "`, "> after /"},
		{"an end tag with more", open + `</hierarchy x>`, 3, 13, `"x"`, ">"},
		{"a lost quote", open + `<node text="Pay bounds="[0,0][1,1]"/><node text="b"/>`, 3, 35, `"\""`, "="},
		{"a swallowed node", open + `<node text="Pay/> <node text=" hint="b"/>`, 3, 30, "a tag inside a value", `a quote that ends the attribute "text"`},
		{"bounds in words", open + `<node bounds="left"/>`, 3, 15, `bounds "left"`, "[left,top][right,bottom]"},
		{"half of the bounds", open + `<node bounds="[0,0]"/>`, 3, 15, "bounds", "[left,top]"},
		{"fractions", open + `<node bounds="[0,0][1.5,2]"/>`, 3, 15, "bounds", "in pixels"},
		{"window bounds", "<window bounds='x'>" + `<node/></window>`, 1, 17, "bounds", "in pixels"},
		{"a document type", `<!DOCTYPE hierarchy [<!ENTITY pay "Pay">]>` + open, 1, 1, "a document type", "elements only"},
		{"a document type inside", open + `<!DOCTYPE x>`, 3, 1, "a document type", "elements only"},
		{"an entity declaration", open + `<!ENTITY x "y">`, 3, 1, "a document type", "elements only"},
		{"a second tree", open + "</hierarchy>\nagain\n<hierarchy><node/></hierarchy>", 5, 1, "a second tree", "the end"},
		{"characters count, not bytes", "<hierarchy><node text='支付'><x></node>", 1, 31, `"</node>"`, `"</x>"`},
	}
	for _, test := range tests {
		s, err := Read(test.src, Limits{})
		checkScreen(t, s, err)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: %v, want a syntax error", test.name, err)
			continue
		}
		if syntax.Line != test.line || syntax.Column != test.column ||
			!strings.Contains(syntax.Found, test.found) || !strings.Contains(syntax.Expected, test.expected) {
			t.Errorf("%s: %v\nwant line %d, column %d, found %s, expected %s",
				test.name, err, test.line, test.column, test.found, test.expected)
		}
	}
	if len(tests) != 18 {
		t.Errorf("%d cases, want 18", len(tests))
	}
}

func TestWhatStandsAround(t *testing.T) {
	const tree = `<hierarchy rotation="2"><node text="Pay"/></hierarchy>`
	for name, src := range map[string]string{
		"nothing":             tree,
		"a declaration":       `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>` + tree,
		"a false declaration": `<?xml version="1.0" encoding="UTF-16"?>` + tree,
		"a message after":     tree + "UI hierchary dumped to: /dev/tty\n",
		"a warning before":    "WARNING: linker: <unused> & more\n" + tree,
		"a bracket before":    "[warn] {x} \n" + tree,
		"comments":            "<!-- <hierarchy> -->" + tree + "<!-- <hierarchy> -->",
		"zero bytes":          tree + "\x00\x00\x00",
		"a mark":              byteOrderMark + tree,
		"a wrapper":           "<dump>" + tree + "</dump>",
		"windows":             "<windows><window>" + tree + "</window></windows>",
	} {
		s, err := Read(src, Limits{})
		checkScreen(t, s, err)
		if err != nil || len(s.Nodes) != 1 || s.Nodes[0].Text != "Pay" || s.Rotation != 2 || s.Truncated || s.Repairs != 0 {
			t.Errorf("%s: %v, %+v", name, err, s)
		}
	}
}

func TestAttributes(t *testing.T) {
	tests := []struct {
		attributes string
		want       Node
		repairs    int
	}{
		{``, Node{}, 0},
		{`enabled="false"`, Node{Flags: Disabled}, 0},
		{`enabled="true" clickable="false"`, Node{}, 0},
		{`clickable="True" enabled="FALSE"`, Node{Flags: Clickable | Disabled}, 0},
		{`clickable="1" enabled="0" password="yes"`, Node{}, 0},
		{`clickable="&#116;rue"`, Node{Flags: Clickable}, 0},
		{`text="Pay" text="Back"`, Node{Text: "Pay"}, 1},
		{`unknown="1" unknown="2"`, Node{}, 0},
		{`text="a"hint="b"`, Node{Text: "a", Hint: "b"}, 0},
		{`text='"' hint="'"`, Node{Text: `"`, Hint: "'"}, 0},
		{`text="a > b"`, Node{Text: "a > b"}, 0},
		{`displayed="false"`, Node{Flags: Invisible}, 0},
		{`bounds="[-5,-6][7,8]"`, Node{Bounds: Rect{-5, -6, 7, 8}}, 0},
		{`bounds="[0, 0][1080, 2400]"`, Node{Bounds: Rect{0, 0, 1080, 2400}}, 0},
		{`bounds="&#91;1,2][3,4]"`, Node{Bounds: Rect{1, 2, 3, 4}}, 0},
		{`bounds="[0,0][99999999999,-99999999999]"`, Node{Bounds: Rect{0, 0, 1<<31 - 1, -1 << 31}}, 0},
		{`bounds=""`, Node{}, 0},
		{`text="Search" showing-hint="true"`, Node{Text: "Search", Hint: "Search"}, 0},
		{`text="Search" showing-hint="true" hint="Find"`, Node{Text: "Search", Hint: "Find"}, 0},
		{`input-type="131073"`, Node{Flags: Editable | MultiLine}, 0},
		{`input-type="129"`, Node{Flags: Editable | Password}, 0},
		{`input-type="18"`, Node{Flags: Editable | Password}, 0},
		{`input-type="0" multiline="true" dismissable="true" selected="true"`, Node{Flags: MultiLine | Dismissable | Selected}, 0},
		{`class="com.example.FancyEditText"`, Node{Class: "com.example.FancyEditText", Flags: Editable}, 0},
		{`drawing-order="12"`, Node{DrawingOrder: 12}, 0},
		{`drawing-order="much"`, Node{}, 0},
	}
	for _, test := range tests {
		s := readWhole(t, "<hierarchy><node "+test.attributes+"/></hierarchy>")
		test.want.Parent, test.want.End = -1, 1
		if s.Nodes[0] != test.want || s.Repairs != test.repairs {
			t.Errorf("%s\n got %+v, %d repairs\nwant %+v, %d", test.attributes, s.Nodes[0], s.Repairs, test.want, test.repairs)
		}
	}
	if len(tests) != 26 {
		t.Errorf("%d cases, want 26", len(tests))
	}
}

func TestUnknownElementsArePassedOver(t *testing.T) {
	s := readWhole(t, `<hierarchy><node text="a"><extras key="b"><node text="c"/></extras></node><hierarchy><node text="d"/></hierarchy></hierarchy>`)
	if len(s.Nodes) != 3 || s.Nodes[1].Parent != 0 || s.Nodes[1].Depth != 1 || s.Nodes[2].Text != "d" || s.Nodes[2].Parent != -1 {
		t.Errorf("nodes %+v", s.Nodes)
	}
}
