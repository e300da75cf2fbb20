package hold_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// resultStore is a store that is told what to do with changes that are results.
type resultStore struct {
	*sqlite.Store
	commit func(subjects []string) error // nil: written

	mu      sync.Mutex
	written [][]string // subjects, by transaction
}

func (s *resultStore) Commit(ctx context.Context, c hold.Change) ([]ledger.Row, error) {
	var subjects []string
	for _, e := range c.Rows {
		if e.Kind == ledger.KindResult {
			subjects = append(subjects, e.Subject)
		}
	}
	if len(subjects) == 0 {
		return s.Store.Commit(ctx, c)
	}
	if err := s.commit(subjects); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.written = append(s.written, subjects)
	s.mu.Unlock()
	return s.Store.Commit(ctx, c)
}

// backs goes back so many times, which needs no answer, and returns the ids.
func backs(f *fixture, n int) (ids []string) {
	f.t.Helper()
	p := &phone{screen: bank("Pay now")}
	for range n {
		t, err := f.desk.Do(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &decide.Request{Action: risk.Action{Kind: risk.Back}}}, p, p)
		if err != nil || t.Approval != nil {
			f.t.Fatalf("going back: %v, %+v", err, t.Approval)
		}
		ids = append(ids, t.ID)
	}
	return ids
}

// results are the subjects of the results on record, in their order.
func (f *fixture) results() (subjects []string) {
	f.t.Helper()
	rows, err := f.store.Rows(f.ctx, 0, 10_000)
	if err != nil {
		f.t.Fatalf("read the record: %v", err)
	}
	for _, r := range rows {
		if r.Kind == ledger.KindResult {
			subjects = append(subjects, r.Subject)
		}
	}
	return subjects
}

// The results of what needed no answer are written together, each once and in the
// order of the actions, and none is lost when the desk is closed.
func TestResultsAreWrittenTogether(t *testing.T) {
	begun, goOn := make(chan struct{}, 1), make(chan struct{})
	s := &resultStore{commit: func([]string) error {
		select {
		case begun <- struct{}{}:
		default:
		}
		<-goOn
		return nil
	}}
	f := newFixture(t, t, func(o *hold.Options) {
		s.Store = o.Store.(*sqlite.Store)
		o.Store = s
	})
	ids := backs(f, 1)
	<-begun
	ids = append(ids, backs(f, 20)...) // decided and carried out meanwhile
	close(goOn)
	f.desk.Close()
	if got := f.results(); !slices.Equal(got, ids) {
		t.Errorf("%d results, of %d actions: %q", len(got), len(ids), got)
	}
	if len(s.written) != 2 || len(s.written[0]) != 1 || len(s.written[1]) != 20 {
		t.Errorf("the results came in %d transactions: %q", len(s.written), s.written)
	}
	f.verify()
	f.close()
}

// A result that cannot be written takes no other along.
func TestResultThatCannotBeWritten(t *testing.T) {
	var bad string
	begun, goOn := make(chan struct{}, 1), make(chan struct{})
	s := &resultStore{}
	s.commit = func(subjects []string) error {
		select {
		case begun <- struct{}{}:
		default:
		}
		<-goOn
		if slices.Contains(subjects, bad) {
			return errors.New("it cannot be written")
		}
		return nil
	}
	f := newFixture(t, t, func(o *hold.Options) {
		s.Store = o.Store.(*sqlite.Store)
		o.Store = s
	})
	ids := backs(f, 1)
	<-begun
	ids = append(ids, backs(f, 5)...)
	bad = ids[3]
	close(goOn)
	f.desk.Close()
	if got, want := f.results(), slices.Delete(slices.Clone(ids), 3, 4); !slices.Equal(got, want) {
		t.Errorf("the results are %q, want %q", got, want)
	}
	f.verify()
	f.close()
}
