package picture

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// TestRealScreensAreDrawn draws every screen of the corpus with a mark on every
// control.
func TestRealScreensAreDrawn(t *testing.T) {
	trees, _ := filepath.Glob(filepath.FromSlash("../../shared/corpus/ui/trees/*.xml"))
	if len(trees) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("the corpus is not at ../shared/corpus")
		}
		t.Skip("the corpus is not at ../shared/corpus, beside the checkout")
	}
	for _, path := range trees {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := screen.Read(data, screen.Limits{})
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		var marks []Mark
		for i := range s.Nodes {
			if s.Nodes[i].TakesTouch() {
				marks = append(marks, Mark{Node: int32(i), Outcome: risk.Outcome(i % 3), Note: s.Nodes[i].Text})
			}
		}
		got := Screen(s, marks, Options{Title: filepath.Base(path)})
		if err := harmless(got); err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		if len(got) > 1<<20 {
			t.Errorf("%s: %d bytes", filepath.Base(path), len(got))
		}
	}
	if len(trees) < 400 {
		t.Errorf("%d trees were drawn, there are more than 400", len(trees))
	}
}
