package screen

import (
	"os"
	"strings"
	"testing"
)

// The page that describes the JSON tree names every field that is accepted, and
// its example is one.
func TestJSONPageIsTrue(t *testing.T) {
	data, err := os.ReadFile("../docs/screen-json.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	_, rest, _ := strings.Cut(page, "```json\n")
	example, _, _ := strings.Cut(rest, "```")
	if s := readWhole(t, example); len(s.Nodes) != 3 || len(s.Windows) != 2 {
		t.Errorf("the example has %d nodes and %d windows", len(s.Nodes), len(s.Windows))
	}
	names := 0
	for _, table := range []*fieldTable{screenFields, windowFields, nodeFields} {
		for _, name := range table.names {
			names++
			if !strings.Contains(page, "`"+name+"`") {
				t.Errorf("the page does not name the field %s", name)
			}
		}
	}
	if names < 50 {
		t.Errorf("%d fields, want at least 50", names)
	}
}
