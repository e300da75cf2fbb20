package browser

import (
	"context"
	"path/filepath"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// record opens the record beside the guard, to read only.
func (g *guard) record() *sqlite.Store {
	g.t.Helper()
	s, err := sqlite.OpenReadOnly(context.Background(), filepath.Join(g.o.Home, daemon.DatabaseFile))
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = s.Close() })
	return s
}

// rows are the rows about an action.
func (g *guard) rows(id string) []ledger.Row {
	g.t.Helper()
	rows, err := g.record().About(context.Background(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	return rows
}

// length is how many rows the record has; every one of them is verified.
func (g *guard) length() int64 {
	g.t.Helper()
	n, err := g.d.Verify(context.Background())
	if err != nil {
		g.t.Fatal(err)
	}
	return n
}

// labels are the outcomes that people say a decision should have had, the newest
// last.
func (g *guard) labels(id string) (should []string) {
	g.t.Helper()
	for _, r := range g.rows(id) {
		if l, err := r.Label(); err == nil {
			should = append(should, l.Should)
		}
	}
	return should
}
