package fatigue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
)

// Source is the record and the questions; a hold.Store is one.
type Source interface {
	Head(ctx context.Context) (ledger.Head, error)
	Rows(ctx context.Context, after int64, limit int) ([]ledger.Row, error)
	About(ctx context.Context, subject string) ([]ledger.Row, error)
	Approval(ctx context.Context, id string) (approval.Approval, error)
	Approvals(ctx context.Context, q hold.Query) ([]approval.Approval, error)
}

// Options say what is measured. The zero value is the whole record.
type Options struct {
	// Since is the time of the first row that counts; the zero time for all.
	Since time.Time
	// Newest is how many rows are read at most, from the end; 0 for all. Two passes
	// are made over them.
	Newest int64
	// Progress is told how many rows have been read; nil for nobody.
	Progress func(rows int)
}

// Report is what was measured.
type Report struct {
	ledger.Stats
	// Rows is how many rows were read, and Cut says that older ones were left out
	// although they count: Options.Newest was too small.
	Rows int64 `json:"rows"`
	Cut  bool  `json:"cut"`
	// Habits are the kinds of question that were always answered yes, those that
	// were asked about most often first.
	Habits []Habit `json:"habits"`
}

// NameAgents puts what the owner calls them in the place of agents' ids. Where two
// have one name the id stands with it.
func (r *Report) NameAgents(agents []identity.Agent) {
	names, many := map[string]string{}, map[string]int{}
	for i := range agents {
		names[agents[i].ID] = agents[i].Name
		many[agents[i].Name]++
	}
	named := func(id string) string {
		name := cmp.Or(names[id], id)
		if many[name] > 1 {
			name += " (" + id + ")"
		}
		return name
	}
	for i := range r.Agents {
		g := &r.Agents[i]
		g.ID, g.Name = g.Name, named(g.Name)
	}
	for i := range r.Habits {
		for j := range r.Habits[i].Besides.Examples {
			e := &r.Habits[i].Besides.Examples[j]
			e.AgentName = named(e.Agent)
		}
	}
}

// atOnce is how many rows are read at a time.
const atOnce = 200

// Measure reads the record. It is safe beside a guard that writes to it.
func Measure(ctx context.Context, src Source, o Options) (*Report, error) {
	head, err := src.Head(ctx)
	if err != nil {
		return nil, err
	}
	after, err := before(ctx, src, head.Size, o.Since)
	if err != nil {
		return nil, err
	}
	out := &Report{}
	if o.Newest > 0 && head.Size-after > o.Newest {
		after, out.Cut = head.Size-o.Newest, true
	}
	out.Rows = head.Size - after
	asked := questions{src: src}
	count := ledger.Statistician{
		Words: func(id string) (int, error) {
			a, known, err := asked.find(ctx, id)
			if !known {
				return 0, err
			}
			return Words(&a.Card), nil
		},
		About: func(id string) ([]ledger.Row, error) { return src.About(ctx, id) },
	}
	kinds := kinds{asked: &asked}
	read := 0
	pass := func(add func(*ledger.Row) error) error {
		return rowsBetween(ctx, src, after, head.Size, func(r *ledger.Row) error {
			if read++; o.Progress != nil {
				o.Progress(read)
			}
			return add(r)
		})
	}
	err = pass(func(r *ledger.Row) error {
		return errors.Join(count.Add(*r), kinds.add(ctx, r))
	})
	if err != nil {
		return nil, err
	}
	out.Stats = count.Stats()
	if out.Habits, err = kinds.habits(ctx, src); err != nil || len(out.Habits) == 0 {
		return out, err
	}
	read = 0
	w := weighing{asked: &asked, habits: out.Habits}
	if err := pass(func(r *ledger.Row) error { return w.add(ctx, r) }); err != nil {
		return nil, err
	}
	w.finish()
	return out, nil
}

// before is the last row of so many that was written before a time. Rows are in
// the order of their times.
func before(ctx context.Context, src Source, size int64, at time.Time) (int64, error) {
	if at.IsZero() {
		return 0, nil
	}
	var failed error
	n := sort.Search(int(size), func(i int) bool {
		rows, err := src.Rows(ctx, int64(i), 1)
		if failed = errors.Join(failed, err); failed != nil || len(rows) == 0 {
			return true
		}
		return !rows[0].At.Before(at)
	})
	return int64(n), failed
}

// rowsBetween hands on the rows after one up to another.
func rowsBetween(ctx context.Context, src Source, after, last int64, hand func(*ledger.Row) error) error {
	for after < last {
		rows, err := src.Rows(ctx, after, int(min(atOnce, last-after)))
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fmt.Errorf("fatigue: the record ends at row %d and its head says %d; countersign log verify says more", after, last)
		}
		for i := range rows {
			after = rows[i].Seq
			if err := hand(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// questions looks questions up, and keeps the last one: its row is read more than
// once in a row.
type questions struct {
	src  Source
	last approval.Approval
}

// find is a question as it is stored. known is false for one that the store does
// not have: the record may be longer than what is kept beside it.
func (q *questions) find(ctx context.Context, id string) (a approval.Approval, known bool, err error) {
	if id == q.last.ID && id != "" {
		return q.last, true, nil
	}
	a, err = q.src.Approval(ctx, id)
	switch {
	case errors.Is(err, hold.ErrNotFound):
		return a, false, nil
	case err != nil:
		return a, false, err
	}
	q.last = a
	return a, true, nil
}
