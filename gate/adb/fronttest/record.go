package fronttest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/countersign/countersign/ledger"
)

// Record is where rows are read from.
type Record interface {
	Rows(ctx context.Context, after int64, limit int) ([]ledger.Row, error)
}

// Refused is what the record says was refused by the gate itself.
func Refused(t testing.TB, r Record) []string {
	t.Helper()
	rows, err := r.Rows(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range rows {
		if row.Kind == ledger.KindRefused {
			var body ledger.Refused
			if err := json.Unmarshal(row.Body, &body); err != nil {
				t.Fatal(err)
			}
			all = append(all, body.What+": "+body.Why)
		}
	}
	return all
}
