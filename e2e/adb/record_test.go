package adb_test

import (
	"path/filepath"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// mark is how far the record has come.
func (w *world) mark() int64 {
	w.t.Helper()
	last := int64(0)
	for _, r := range w.rows(0) {
		last = r.Seq
	}
	return last
}

// rows are those after a mark.
func (w *world) rows(after int64) []ledger.Row {
	w.t.Helper()
	s, err := sqlite.OpenReadOnly(w.ctx, filepath.Join(w.home, "guard", daemon.DatabaseFile))
	w.must(err)
	defer s.Close()
	rows, err := s.Rows(w.ctx, after, 100_000)
	w.must(err)
	return rows
}

// decisions are those after a mark, in order.
func (w *world) decisions(after int64) []ledger.Decision {
	w.t.Helper()
	var all []ledger.Decision
	for _, r := range w.rows(after) {
		if r.Kind == ledger.KindDecision {
			d, err := r.Decision()
			w.must(err)
			all = append(all, d)
		}
	}
	return all
}

// refusals counts the rows after a mark about what came to no decision.
func (w *world) refusals(after int64) int {
	n := 0
	for _, r := range w.rows(after) {
		if r.Kind == ledger.KindRefused {
			n++
		}
	}
	return n
}
