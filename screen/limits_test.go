package screen

import (
	"errors"
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	deep := func(n int) string { return nested(n-1, "node") }
	wide := func(n int) string { return "<hierarchy>" + strings.Repeat("<node/>", n) + "</hierarchy>" }
	deepJSON := func(n int) string {
		return `{"root":` + strings.Repeat(`{"children":[`, n) + "{}" + strings.Repeat("]}", n) + "}"
	}
	wideJSON := func(n int) string { return "[{}" + strings.Repeat(",{}", n-1) + "]" }
	tests := []struct {
		name   string
		src    string
		limits Limits
		broken string // the limit that the input breaks, if any
		value  int
	}{
		{"depth just allowed", deep(20), Limits{Depth: 20}, "", 0},
		{"depth", deep(21), Limits{Depth: 20}, "depth", 20},
		{"default depth", deep(513), Limits{}, "depth", 512},
		{"depth of unknown elements", nested(600, "x"), Limits{}, "depth", 512},
		{"depth out of all measure", deep(10_001), Limits{Depth: 1 << 40}, "depth", 10_000},
		{"nodes just allowed", wide(5), Limits{Nodes: 5}, "", 0},
		{"nodes", wide(6), Limits{Nodes: 5}, "nodes", 5},
		{"default nodes", wide(50_001), Limits{}, "nodes", 50_000},
		{"bytes just allowed", wide(1), Limits{Bytes: len(wide(1))}, "", 0},
		{"bytes", wide(1), Limits{Bytes: len(wide(1)) - 1}, "bytes", len(wide(1)) - 1},
		{"default bytes", wide(1) + strings.Repeat(" ", 8<<20), Limits{}, "bytes", 8 << 20},
		{"negative limits are the default", wide(3), Limits{-1, -1, -1}, "", 0},
		{"depth in JSON", deepJSON(20), Limits{Depth: 30}, "depth", 30},
		{"depth in JSON out of all measure", deepJSON(10_000), Limits{Depth: 1 << 40}, "depth", 10_000},
		{"depth in a value that is not used", `[{"extras":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "}]", Limits{}, "depth", 512},
		{"nodes in JSON", wideJSON(6), Limits{Nodes: 5}, "nodes", 5},
	}
	for _, test := range tests {
		s, err := Read(test.src, test.limits)
		checkScreen(t, s, err)
		var limit *LimitError
		switch {
		case test.broken == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.broken == "":
		case !errors.As(err, &limit):
			t.Errorf("%s: %v, want a limit error", test.name, err)
		case limit.Limit != test.broken || limit.Value != test.value:
			t.Errorf("%s: %v, want %s of %d", test.name, err, test.broken, test.value)
		}
	}
	if len(tests) != 16 {
		t.Errorf("%d cases, want 16", len(tests))
	}
}

func TestBytesAndStringsReadAlike(t *testing.T) {
	src := readFile(t, "compose_mail.xml")
	fromString := readWhole(t, src)
	data := []byte(src)
	fromBytes, err := Read(data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 'x' // bytes are copied: the caller may go on using them
	}
	compareNodes(t, fromBytes.Nodes, fromString.Nodes)
}
