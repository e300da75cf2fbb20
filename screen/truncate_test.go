package screen

import (
	"os"
	"path/filepath"
	"testing"
)

// A dump that is cut at any byte gives a prefix of its nodes and says that it
// was cut, or it is an unknown screen. It is never an empty one.
func TestCutAtAnyByte(t *testing.T) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) != 6 {
		t.Fatalf("%d dumps, want 6: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cutEverywhere(t, string(data))
		})
	}
}

func cutEverywhere(t *testing.T, src string) {
	whole, err := Read(src, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	most, recovered := 0, 0
	for cut := range len(src) {
		s, err := Read(src[:cut], Limits{})
		checkScreen(t, s, err)
		if err != nil {
			if most > 0 {
				t.Fatalf("cut at %d: %v, though less of it gave %d nodes", cut, err, most)
			}
			continue
		}
		if len(s.Nodes) < most {
			t.Fatalf("cut at %d: %d nodes, though less of it gave %d", cut, len(s.Nodes), most)
		}
		most = len(s.Nodes)
		if !s.Truncated && most != len(whole.Nodes) {
			t.Fatalf("cut at %d: %d of %d nodes, and not marked as cut", cut, most, len(whole.Nodes))
		}
		if s.Truncated {
			recovered++
		}
		for i, n := range s.Nodes {
			want := whole.Nodes[i]
			n.End, n.Window = want.End, want.Window
			if n != want {
				t.Fatalf("cut at %d: node %d\n got %+v\nwant %+v", cut, i, n, want)
			}
		}
	}
	if recovered == 0 || most != len(whole.Nodes) {
		t.Errorf("%d cuts recovered, the longest with %d of %d nodes", recovered, most, len(whole.Nodes))
	}
}

// What is open where the document ends reaches to the end, so that a finger on
// it is known to be on something that may have had more inside.
func TestCutLeavesOpenNodesOpen(t *testing.T) {
	s, err := Read(`<hierarchy><node text="a" bounds="[0,0][9,9]"><node text="b"/><node text="c"><node text="lost" bo`, Limits{})
	if err != nil || !s.Truncated || len(s.Nodes) != 3 {
		t.Fatalf("error %v, screen %+v", err, s)
	}
	for i, want := range []int32{3, 2, 3} {
		if s.Nodes[i].End != want {
			t.Errorf("node %d ends at %d, want %d", i, s.Nodes[i].End, want)
		}
	}
}
