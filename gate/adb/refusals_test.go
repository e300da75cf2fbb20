package adb_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/ledger"
)

// bodies are those of the rows of a kind.
func bodies[T any](f *fixture, kind ledger.Kind) []T {
	f.t.Helper()
	var all []T
	for _, row := range f.rows(kind) {
		var body T
		f.must(json.Unmarshal(row.Body, &body))
		all = append(all, body)
	}
	return all
}

// refuses has a service refused some times.
func (f *fixture) refuses(service string, times int) {
	f.t.Helper()
	for range times {
		if r := f.serve(service, ""); !errors.Is(r.err, adb.ErrRefused) {
			f.t.Fatalf("%q: %+v", service, r)
		}
	}
}

// An agent that has the same refused again and again fills no disk: the first has a
// row, and the others have one that says how many they were. Nor does one that
// varies it.
func TestRefusalsAreBounded(t *testing.T) {
	const many = 1000
	f := newFixture(t)
	f.refuses("tcp:5555", many)
	rows := bodies[ledger.Refused](f, ledger.KindRefused)
	if len(rows) != 1 || strings.Contains(rows[0].Why, "more") || rows[0].Size != int64(len("tcp:5555")) {
		t.Errorf("before the while is over: %+v", rows)
	}
	f.clock.move(2 * time.Minute)
	f.refuses("tcp:5555", 1)
	rows = bodies[ledger.Refused](f, ledger.KindRefused)
	if len(rows) != 3 || !strings.Contains(rows[1].Why, fmt.Sprintf("(%d times more", many-1)) || rows[1].What != rows[0].What || rows[2].Why != rows[0].Why {
		t.Fatalf("when it is over: %+v", rows)
	}
	for i := range many {
		f.refuses(fmt.Sprintf("unknown%d:", i), 1)
	}
	f.gate.Flush(f.ctx)
	f.gate.Flush(f.ctx) // there is no more
	said, more := len(bodies[ledger.Refused](f, ledger.KindRefused))-3, int64(0)
	for _, counted := range bodies[ledger.Aggregate](f, ledger.KindAggregate) {
		more += counted.Refused
	}
	if said > 64 || int64(said)+more != many {
		t.Errorf("of %d different ones %d have rows and %d are counted", many, said, more)
	}
}
