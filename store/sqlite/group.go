package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// groupSize is how many changes share one transaction, and so one sync of the
// disk. It bounds how long the first of them waits for the others.
const groupSize = 256

// job is a change on its way to the disk.
type job struct {
	apply func(*group) error
	done  chan error // takes one result
	begun atomic.Bool
}

// claim decides who has the job: the goroutine that writes, which begins it, or
// its caller, who gives it up. Exactly one gets it.
func (j *job) claim() bool { return j.begun.CompareAndSwap(false, true) }

// write runs apply inside the next transaction and returns when that is on the
// disk. When ctx ends before it was begun, nothing happens; once it was begun,
// its end is waited for, so that the answer is always the truth.
func (s *Store) write(ctx context.Context, apply func(*group) error) error {
	if s.writer == nil {
		return errReadOnly
	}
	if err := ctx.Err(); err != nil {
		return unavailable("write: given up before it began", err)
	}
	j := &job{apply: apply, done: make(chan error, 1)}
	select {
	case s.jobs <- j:
	case <-ctx.Done():
		return unavailable("write: given up before it began", ctx.Err())
	case <-s.stopped:
		return errClosed
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.claim() {
			return unavailable("write: given up before it began", ctx.Err())
		}
	case <-s.stopped:
		if j.claim() {
			return errClosed
		}
	}
	return <-j.done
}

// work is the one goroutine that writes: a transaction for all that wait, then
// the next for all who came meanwhile.
func (s *Store) work() {
	defer close(s.stopped)
	for {
		select {
		case j := <-s.jobs:
			s.writeGroup(s.collect(j))
		case <-s.stop:
			return // those who still wait are told that it is closed
		}
	}
}

// collect takes the jobs that wait behind the first, in the order in which they
// came.
func (s *Store) collect(first *job) []*job {
	// Those who were just answered are about to come with their next change.
	runtime.Gosched()
	list := append(make([]*job, 0, 1+len(s.jobs)), first)
	for len(list) < groupSize {
		select {
		case j := <-s.jobs:
			list = append(list, j)
		default:
			return list
		}
	}
	return list
}

// writeGroup writes the jobs in one transaction and answers them. When the
// transaction fails as a whole, every one of them is told so, those too that
// were refused: the refusal may rest on what did not come to be.
func (s *Store) writeGroup(list []*job) {
	begun := list[:0]
	for _, j := range list {
		if j.claim() {
			begun = append(begun, j)
		}
	}
	if len(begun) == 0 {
		return
	}
	results := make([]error, len(begun))
	err := s.transact(func(g *group) error {
		for i, j := range begun {
			results[i] = g.change(j.apply)
			if g.broken != nil {
				return g.broken
			}
		}
		return g.finish()
	})
	for i, j := range begun {
		if err != nil {
			results[i] = unavailable("write", err)
		}
		j.done <- results[i]
	}
}

// transact runs what is to be done in one transaction.
func (s *Store) transact(do func(*group) error) error {
	if err := s.inPlace(); err != nil {
		return err
	}
	// No caller's context: one who goes away must not take the others along.
	ctx := context.Background()
	tx, err := s.writer.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	g := &group{store: s, ctx: ctx, tx: tx}
	err = do(g)
	if err == nil {
		if err = tx.Commit(); err == nil {
			if g.signed {
				s.unkept.Store(true)
			}
			return nil
		}
		return fmt.Errorf("commit: %w", err)
	}
	// After most errors SQLite has rolled back by itself, and says so here.
	_ = tx.Rollback()
	return err
}

// group is an open transaction.
type group struct {
	store *Store
	ctx   context.Context
	tx    *sql.Tx
	stmts [statementCount]*sql.Stmt

	// head is where the ledger ends after the rows so far. It is read once it is
	// needed, and always from the file: another process may have appended.
	head     ledger.Head
	headRead bool
	appended bool
	// signed says that the newest checkpoint is one that gives way to the next.
	signed bool
	// broken is why the transaction cannot go on.
	broken error
}

// change runs one change so that it is all or nothing on its own.
func (g *group) change(apply func(*group) error) error {
	if _, err := g.exec(beginChange); err != nil {
		return err
	}
	head, headRead, appended := g.head, g.headRead, g.appended
	err := apply(g)
	if g.broken != nil {
		return g.broken
	}
	if err != nil {
		g.head, g.headRead, g.appended = head, headRead, appended
		if _, undo := g.exec(undoChange); undo != nil {
			return undo
		}
	}
	if _, end := g.exec(endChange); end != nil {
		return end
	}
	return err
}

// exec and scan run a statement. An error that the transaction does not survive
// is remembered in broken.
func (g *group) exec(s statement, args ...any) (changed int64, err error) {
	result, err := g.statement(s).ExecContext(g.ctx, args...)
	if err == nil {
		changed, err = result.RowsAffected()
	}
	return changed, g.judge(err)
}

// scan reads the one row that a statement yields; sql.ErrNoRows when it yields
// none.
func (g *group) scan(s statement, args []any, into ...any) error {
	return g.judge(g.statement(s).QueryRowContext(g.ctx, args...).Scan(into...))
}

// exists reports whether a statement yields a row.
func (g *group) exists(s statement, args ...any) (bool, error) {
	var first any
	err := g.scan(s, args, &first)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (g *group) judge(err error) error {
	if err != nil && !errors.Is(err, sql.ErrNoRows) && !ownFault(err) {
		g.broken = err
	}
	return err
}

func (g *group) statement(s statement) *sql.Stmt {
	if g.stmts[s] == nil {
		g.stmts[s] = g.tx.StmtContext(g.ctx, g.store.writer.prepared[s])
	}
	return g.stmts[s]
}

// refused is an error of one change as its caller gets it: those that a caller
// expects as they are, all others as hold.ErrUnavailable.
func refused(doing string, err error) error {
	for _, known := range []error{hold.ErrNotFound, hold.ErrMoved, hold.ErrJoin, hold.ErrKeyTaken, hold.ErrFrozen} {
		if errors.Is(err, known) {
			return fmt.Errorf("sqlite: %s: %w", doing, err)
		}
	}
	return unavailable(doing, err)
}
