//go:build !race

package lexicon

import "testing"

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
