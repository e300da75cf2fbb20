package screen

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusTrees returns the real dumps that stand beside the repository. Without
// them the test is skipped, except where the build machine must have them.
func corpusTrees(t *testing.T) map[string]string {
	t.Helper()
	files, _ := filepath.Glob(filepath.FromSlash("../../shared/corpus/ui/trees/*.xml"))
	if len(files) == 0 {
		const message = "no real dumps in ../shared/corpus/ui/trees beside the repository"
		if os.Getenv("CI") == "true" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	trees := make(map[string]string, len(files))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		trees[filepath.Base(file)] = string(data)
	}
	return trees
}

func TestRealDumpsReadAsEncodingXMLReadsThem(t *testing.T) {
	trees := corpusTrees(t)
	nodes, compared := 0, 0
	for name, src := range trees {
		s, err := Read(src, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkScreen(t, s, err)
		if s.Truncated || s.Repairs > 0 {
			t.Errorf("%s: truncated %t, %d repairs; the dump is whole", name, s.Truncated, s.Repairs)
		}
		// A dump of a dialog alone does not tell the size of the display.
		if known := s.Width > 0 && s.Height > 0; known != (s.Nodes[0].Bounds.Left == 0 && s.Nodes[0].Bounds.Top == 0) && len(s.Windows) == 1 {
			t.Errorf("%s: size %d x %d with the root at %+v", name, s.Width, s.Height, s.Nodes[0].Bounds)
		}
		if compareWithOracle(t, src, false, s, err) {
			compared++
		}
		nodes += len(s.Nodes)
	}
	if len(trees) != 443 || compared != len(trees) || nodes != 11941 {
		t.Errorf("%d dumps, %d compared, %d nodes; want 443, all, 11941", len(trees), compared, nodes)
	}
}

// The status bar and the navigation bar are windows of their own in the dumps
// that have them, and never the one in front.
func TestRealDumpsWithSystemBars(t *testing.T) {
	withBars := 0
	for name, src := range corpusTrees(t) {
		s, err := Read(src, Limits{})
		if err != nil {
			t.Fatal(name, err)
		}
		if strings.Contains(name, systemUI) || !strings.Contains(src, `package="`+systemUI+`"`) || len(s.Windows) == 1 {
			continue
		}
		withBars++
		for _, w := range s.Windows {
			if (w.Kind == SystemWindow) != (w.Package == systemUI) || w.Focused && w.Kind != AppWindow {
				t.Errorf("%s: %+v", name, w)
			}
		}
		if top := s.Windows[len(s.Windows)-1]; top.Package != systemUI {
			t.Errorf("%s: %s is drawn over the bars", name, top.Package)
		}
	}
	if withBars != 5 {
		t.Errorf("%d dumps with system bars, want 5", withBars)
	}
}

// The labelled taps count nodes as the reader does.
func TestLabelledTapsNameTheSameNodes(t *testing.T) {
	trees := corpusTrees(t)
	file, err := os.Open(filepath.FromSlash("../../shared/corpus/ui/cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for ; lines.Scan(); cases++ {
		var tap struct {
			ID, Tree string
			Target   struct {
				Index       int `json:"node_index"`
				Text        string
				Description string `json:"content_desc"`
				ResourceID  string `json:"resource_id"`
				Class       string
				Bounds      [4]int32
				Clickable   bool
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &tap); err != nil {
			t.Fatal(err)
		}
		s, err := Read(trees[filepath.Base(tap.Tree)], Limits{})
		if err != nil || tap.Target.Index >= len(s.Nodes) {
			t.Errorf("%s: node %d of %d: %v", tap.ID, tap.Target.Index, len(s.Nodes), err)
			continue
		}
		n, b := s.Nodes[tap.Target.Index], tap.Target.Bounds
		if n.Text != tap.Target.Text || n.Description != tap.Target.Description || n.ResourceID != tap.Target.ResourceID ||
			n.Class != tap.Target.Class || n.Bounds != (Rect{b[0], b[1], b[2], b[3]}) || n.Flags.Has(Clickable) != tap.Target.Clickable {
			t.Errorf("%s: node %d is %+v, the case says %+v", tap.ID, tap.Target.Index, n, tap.Target)
		}
	}
	if err := lines.Err(); err != nil || cases != 558 {
		t.Errorf("%d cases, want 558: %v", cases, err)
	}
}
