package ledger

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// A long text is cut before the row is redacted: the cut leaves no half of a
// secret, which redaction would not know for one.
func TestTheCutLeavesNoHalfOfASecret(t *testing.T) {
	const secret = "5105 1051 0510 5100"
	for before := maxText*2/3 - 40; before < maxText*2/3+20; before++ {
		req := &decide.Request{Action: risk.Action{Kind: risk.Back}, Task: strings.Repeat("w", before) + " " + secret + strings.Repeat(" more", 500)}
		dec := new(decide.Decider).Decide(req)
		row := DecisionOf(&dec, req)
		if !strings.Contains(row.Task, "more) …") {
			t.Fatalf("behind %d characters: not cut: %s", before, row.Task)
		}
		if strings.Contains(row.Task, "5105 1") || strings.Contains(row.Task, "0 5100") {
			t.Errorf("behind %d characters: %s", before, row.Task[before-10:before+60])
		}
	}
}
