package screen

import (
	"strings"
	"testing"
)

func TestPageSource(t *testing.T) {
	src := readFile(t, "page_source.xml")
	s, err := ReadAppium(src, Limits{})
	checkScreen(t, s, err)
	if err != nil || len(s.Nodes) != 6 || s.Width != 1080 || s.Height != 2274 || s.DepthLimit != 0 {
		t.Fatalf("error %v, screen %+v", err, s)
	}
	want := map[int]Node{
		1: {Text: "Amount", Hint: "Amount", ResourceID: "com.example.bank:id/amount", Class: "android.widget.EditText", Package: "com.example.bank",
			Bounds: Rect{40, 300, 1040, 420}, Flags: Clickable | Focusable | Focused | Editable, End: 2, Depth: 1, DrawingOrder: 1},
		2: {Text: "••••", ResourceID: "com.example.bank:id/pin", Class: "android.widget.EditText", Package: "com.example.bank",
			Bounds: Rect{40, 460, 1040, 580}, Flags: Clickable | Password | Editable, End: 3, Depth: 1, DrawingOrder: 2},
		3: {Text: "Transfer", Class: "com.example.ui.Pill$Button", Package: "com.example.bank",
			Bounds: Rect{40, 620, 1040, 760}, Flags: Clickable, End: 4, Depth: 1, DrawingOrder: 3},
		4: {Text: "Hidden", Class: "android.widget.TextView", Package: "com.example.bank", Flags: Invisible, End: 5, Depth: 1},
	}
	for i, n := range want {
		if s.Nodes[i] != n {
			t.Errorf("node %d\n got %+v\nwant %+v", i, s.Nodes[i], n)
		}
	}
	checkWindowOrder(t, s, []windowWant{
		{"com.example.bank", "", AppWindow, 0, 5, true},
		{"com.android.settings", "", OverlayWindow, 5, 6, false},
	})
}

// nested returns a page source, or a dump, that is so many nodes deep.
func nested(depth int, name string) string {
	return "<hierarchy>" + strings.Repeat("<"+name+">", depth) + strings.Repeat("</"+name+">", depth) + "</hierarchy>"
}

func TestDepthLimit(t *testing.T) {
	tests := []struct {
		name  string
		src   string
		limit int
	}{
		{"a shallow page source", nested(69, "android.view.View"), 0},
		{"a page source at the limit", nested(70, "android.view.View"), 69},
		{"a page source taken with a higher limit", nested(71, "android.view.View"), 0},
		{"a dump, which has no limit", nested(70, "node"), 0},
	}
	for _, test := range tests {
		s := readWhole(t, test.src)
		if s.DepthLimit != test.limit || s.Truncated {
			t.Errorf("%s: limit %d, truncated %t; want %d", test.name, s.DepthLimit, s.Truncated, test.limit)
		}
		last := s.Nodes[len(s.Nodes)-1]
		if test.limit > 0 && int(last.Depth) != test.limit {
			t.Errorf("%s: the deepest node has depth %d", test.name, last.Depth)
		}
	}
}
