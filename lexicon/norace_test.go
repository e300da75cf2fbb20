//go:build !race

package lexicon

import (
	"runtime/debug"
	"testing"
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

func TestModelDoesNotAllocate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it empties pools
	asked := 0
	for _, q := range labels() {
		q.Certainty = always
		if r := Default().Read(q); r.ByModel() {
			asked++
		}
		n := testing.AllocsPerRun(100, func() { Default().Read(q) })
		q.Certainty = TermsOnly // some texts cost the normaliser one
		if terms := testing.AllocsPerRun(100, func() { Default().Read(q) }); n > terms {
			t.Errorf("%q: %v allocations, %v without the model", q.Text, n, terms)
		}
	}
	if asked < 15 {
		t.Fatalf("the model was asked about %d labels only", asked)
	}
}
