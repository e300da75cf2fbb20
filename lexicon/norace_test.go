//go:build !race

package lexicon

import (
	"runtime/debug"
	"testing"

	"github.com/countersign/countersign/risk"
)

// Under the race detector pools drop at random what is put into them, the
// scratch of a reader too, so that this test is built without it only.

func TestReadDoesNotAllocate(t *testing.T) {
	for _, label := range typical {
		Default().Read(label.query) // the scratch grows once
		if n := testing.AllocsPerRun(200, func() { Default().Read(label.query) }); n > 0 {
			t.Errorf("%s: %v allocations", label.name, n)
		}
	}
}

// In no language, and however a label is disguised.
func TestReadOfOwnCorpusDoesNotAllocate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it empties pools
	rows := 0
	for _, folder := range []string{"must_ask", "must_not_ask", "evasion", "edge"} {
		for _, labels := range readOwn(t, folder) {
			for _, row := range labels {
				rows++
				q := Query{Text: row.Label, Role: risk.Button}
				if n := testing.AllocsPerRun(4, func() { Default().Read(q) }); n > 0 {
					t.Errorf("%s: %q: %v allocations", row.ID, row.Label, n)
				}
			}
		}
	}
	if rows < 2000 {
		t.Errorf("%d labels were read", rows)
	}
}

func TestModelDoesNotAllocate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it empties pools
	asked := 0
	for _, q := range labels() {
		q.Certainty = always
		if r := Default().Read(q); r.ByModel() {
			asked++
		}
		n := testing.AllocsPerRun(100, func() { Default().Read(q) })
		if n > 0 {
			t.Errorf("%q: %v allocations", q.Text, n)
		}
	}
	if asked < 15 {
		t.Fatalf("the model was asked about %d labels only", asked)
	}
}
