//go:build !race

package redact

import "testing"

// Under the race detector pools drop at random what is put into them, so that
// this test is built without it only.

func TestHarmlessTextDoesNotAllocate(t *testing.T) {
	for name, label := range labels {
		Text(label) // the scratch grows once
		if n := testing.AllocsPerRun(200, func() { Text(label) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
