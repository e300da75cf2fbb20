package screen

import "testing"

// windowWant is what a test expects of one window, the lowest one first.
type windowWant struct {
	pkg, title string
	kind       WindowKind
	first, end int32
	focused    bool
}

func checkWindowOrder(t *testing.T, s *Screen, want []windowWant) {
	t.Helper()
	if len(s.Windows) != len(want) {
		t.Fatalf("%d windows, want %d: %+v", len(s.Windows), len(want), s.Windows)
	}
	for i, w := range s.Windows {
		if got := (windowWant{w.Package, w.Title, w.Kind, w.First, w.End, w.Focused}); got != want[i] {
			t.Errorf("window %d\n got %+v\nwant %+v", i, got, want[i])
		}
	}
}

// A document without windows: bars and keyboard are known by what they are, and
// of two windows of one app the smaller one is on top.
func TestWindowsFromRoots(t *testing.T) {
	s := readWhole(t, readFile(t, "dialog_and_bars.xml"))
	checkWindowOrder(t, s, []windowWant{
		{"com.example.notes", "", AppWindow, 10, 12, true},
		{"com.example.notes", "", AppWindow, 7, 10, false},
		{"com.example.keyboard.latin", "", KeyboardWindow, 4, 7, false},
		{systemUI, "", SystemWindow, 2, 4, false},
		{systemUI, "", SystemWindow, 0, 2, false},
	})
	if s.Width != 1080 || s.Height != 2400 {
		t.Errorf("size %d x %d", s.Width, s.Height)
	}
}

// A document with windows: they count, in the order of their layers. One that
// gave no nodes is there all the same, and another display comes below.
func TestDeclaredWindows(t *testing.T) {
	s := readWhole(t, readFile(t, "all_windows.xml"))
	checkWindowOrder(t, s, []windowWant{
		{"com.example.car", "Cluster", AppWindow, 6, 7, false},
		{"com.example.mail", "Inbox", AppWindow, 4, 6, true},
		{"", "InputMethod", KeyboardWindow, 2, 2, false},
		{"com.example.chat", "Chat head", OverlayWindow, 1, 2, false},
		{systemUI, "Status bar", SystemWindow, 0, 1, false},
		{"com.example.mail", "Menu", AppWindow, 2, 4, false},
	})
	if s.Display != 0 || s.Windows[0].Display != 2 || s.Rotation != 1 || s.Width != 1080 || s.Height != 2400 {
		t.Errorf("display %d, rotation %d, size %d x %d", s.Display, s.Rotation, s.Width, s.Height)
	}
	if b := s.Windows[2].Bounds; b != (Rect{0, 1500, 1080, 2400}) {
		t.Errorf("the keyboard's bounds %+v", b)
	}
}

func TestWindowGrouping(t *testing.T) {
	const (
		appRoot  = `<node class="a.Frame" package="com.example.app" bounds="[0,0][100,200]"><node/></node>`
		dialog   = `<node class="a.Frame" package="com.example.app" bounds="[10,50][90,150]"><node/></node>`
		leaf     = `<node class="a.Button" package="com.example.app" bounds="[10,50][90,150]"/>`
		other    = `<node class="a.Frame" package="com.example.other" bounds="[0,0][100,200]"><node/></node>`
		bar      = `<node class="a.Frame" package="com.android.systemui" bounds="[0,0][100,10]"><node/></node>`
		keyboard = `<node class="a.Frame" package="com.touchtype.swiftkey" bounds="[0,120][100,200]"><node/></node>`
		toast    = `<node class="android.widget.Toast" package="com.android.settings" text="Saved"/>`
		noName   = `<node text="x"/>`
		noClass  = `<node package="com.example.app" bounds="[0,0][9,9]"><node/></node>`
	)
	app := func(first, end int32, focused bool) windowWant {
		return windowWant{"com.example.app", "", AppWindow, first, end, focused}
	}
	tests := []struct {
		name, roots string
		want        []windowWant
	}{
		{"one root", appRoot, []windowWant{app(0, 2, true)}},
		{"a dialog listed first", dialog + appRoot, []windowWant{app(2, 4, false), app(0, 2, true)}},
		{"a dialog listed last", appRoot + dialog, []windowWant{app(0, 2, false), app(2, 4, true)}},
		{"equal windows, the first on top", appRoot + appRoot, []windowWant{app(2, 4, false), app(0, 2, true)}},
		{"plain siblings", leaf + leaf, []windowWant{app(0, 2, true)}},
		{"a leaf beside a view tree", appRoot + leaf, []windowWant{app(0, 3, true)}},
		{"two apps", other + appRoot, []windowWant{app(2, 4, false), {"com.example.other", "", AppWindow, 0, 2, true}}},
		{"an app behind its keyboard", keyboard + appRoot,
			[]windowWant{app(2, 4, true), {"com.touchtype.swiftkey", "", KeyboardWindow, 0, 2, false}}},
		{"the keyboard's settings", bar + keyboard,
			[]windowWant{{"com.touchtype.swiftkey", "", AppWindow, 2, 4, true}, {systemUI, "", SystemWindow, 0, 2, false}}},
		{"the notification shade alone", bar, []windowWant{{systemUI, "", SystemWindow, 0, 2, true}}},
		{"a toast", appRoot + toast, []windowWant{app(0, 2, true), {"com.android.settings", "", OverlayWindow, 2, 3, false}}},
		{"siblings with children in the short form", noClass + noClass, []windowWant{app(0, 4, true)}},
		{"nodes without a package", noName + noName, []windowWant{{"", "", AppWindow, 0, 2, true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkWindowOrder(t, readWhole(t, "<hierarchy>"+test.roots+"</hierarchy>"), test.want)
		})
	}
	if len(tests) != 13 {
		t.Errorf("%d cases, want 13", len(tests))
	}
}

func TestFocusFollowsTheFocusedNode(t *testing.T) {
	s := readWhole(t, `<hierarchy>`+
		`<node class="a.F" package="com.example.one" bounds="[0,0][9,9]"><node/></node>`+
		`<node class="a.F" package="com.example.two" bounds="[0,0][9,9]"><node focused="true"/></node></hierarchy>`)
	for _, w := range s.Windows {
		if w.Focused != (w.Package == "com.example.two") {
			t.Errorf("%+v", w)
		}
	}
}

func TestSizeIsOnlyTakenFromWholeTrees(t *testing.T) {
	tests := []struct {
		name, src     string
		width, height int
	}{
		{"a root at the corner", `<hierarchy><node class="F" bounds="[0,0][100,200]"><node/></node></hierarchy>`, 100, 200},
		{"a dialog", `<hierarchy><node class="F" bounds="[10,50][90,150]"><node/></node></hierarchy>`, 0, 0},
		{"an excerpt", `<hierarchy><node text="x" bounds="[0,0][100,20]"/></hierarchy>`, 0, 0},
		{"a stated size", `<hierarchy width="300" height="400"><node text="x" bounds="[0,0][100,20]"/></hierarchy>`, 300, 400},
		{"a stated size without the bars", `<hierarchy width="100" height="180"><node class="F" bounds="[0,0][100,200]"><node/></node></hierarchy>`, 100, 200},
		{"a negative size", `<hierarchy width="-1" height="x"><node/></hierarchy>`, 0, 0},
	}
	for _, test := range tests {
		if s := readWhole(t, test.src); s.Width != test.width || s.Height != test.height {
			t.Errorf("%s: %d x %d, want %d x %d", test.name, s.Width, s.Height, test.width, test.height)
		}
	}
}

func TestInputMethods(t *testing.T) {
	for pkg, want := range map[string]bool{
		"com.google.android.inputmethod.latin": true,
		"com.sohu.inputmethod.sogou":           true,
		"com.samsung.android.honeyboard":       true,
		"com.android.adbkeyboard":              true,
		"com.example.ime":                      true,
		"com.example.time":                     false,
		"com.example.input":                    false,
		"":                                     false,
	} {
		if isInputMethod(pkg) != want {
			t.Errorf("isInputMethod(%q) = %t", pkg, !want)
		}
	}
}

func TestRotation(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "3": 3, "90": 1, "270": 3, "360": 0, "4": 0, "-1": 0, "x": 0, "": 0} {
		if s := readWhole(t, `<hierarchy rotation="`+text+`"><node/></hierarchy>`); s.Rotation != want {
			t.Errorf("rotation %q is %d quarter turns, want %d", text, s.Rotation, want)
		}
	}
}
