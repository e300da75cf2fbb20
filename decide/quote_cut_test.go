package decide

import (
	"strings"
	"testing"
)

// Wherever the cut falls, no part of a secret is left at it.
func TestQuoteCutsNoSecretInTwo(t *testing.T) {
	const secret = "5105 1051 0510 5100"
	cuts := 0
	for before := range 120 {
		got := Quote(strings.Repeat("w", before)+" card "+secret+strings.Repeat(" more", 40), 90)
		if strings.Contains(got, "more) …") {
			cuts++
		}
		if strings.Contains(got, "5105 1") || strings.Contains(got, "0 5100") {
			t.Errorf("behind %d characters: %s", before, got)
		}
	}
	if cuts != 120 {
		t.Errorf("%d texts were cut", cuts)
	}
	if got := Quote("card "+secret, 90); !strings.Contains(got, secret) {
		t.Errorf("what is shown whole is shown as it is: %s", got)
	}
}
