package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// Idempotency keys are kept for a day at least; those that are older are removed
// once an hour, counted by the times of the keys themselves.
const (
	keepKeys   = 24 * time.Hour
	sweepEvery = time.Hour
)

// Commit applies a change and appends its rows; see hold.Store. Besides the
// errors named there, hold.ErrUnavailable may wrap those of ledger.Head.Append,
// for a row that cannot be written as it is.
func (s *Store) Commit(ctx context.Context, c hold.Change) ([]ledger.Row, error) {
	w, err := prepareChange(&c)
	if err != nil {
		return nil, unavailable("commit", err)
	}
	if err := s.write(ctx, w.apply); err != nil {
		return nil, refused("commit", err)
	}
	return w.rows, nil
}

// change is a hold.Change with all that can be made ready before the
// transaction.
type change struct {
	*hold.Change
	created *record
	moved   []record
	granted *grantRecord
	grants  []grantRecord // those that moved
	freeze  string        // as JSON
	rows    []ledger.Row
}

func prepareChange(c *hold.Change) (*change, error) {
	w := &change{Change: c}
	if c.New != nil {
		r, err := recordOf(c.New)
		if err != nil {
			return nil, err
		}
		w.created = &r
	}
	for i := range c.Moved {
		r, err := recordOf(&c.Moved[i].Approval)
		if err != nil {
			return nil, err
		}
		w.moved = append(w.moved, r)
	}
	if c.NewGrant != nil {
		r, err := grantRecordOf(c.NewGrant)
		if err != nil {
			return nil, err
		}
		w.granted = &r
	}
	for i := range c.MovedGrants {
		r, err := grantRecordOf(&c.MovedGrants[i].Grant)
		if err != nil {
			return nil, err
		}
		w.grants = append(w.grants, r)
	}
	if c.Freeze != nil {
		f := *c.Freeze
		f.At = toMilli(f.At)
		body, err := json.Marshal(f)
		if err != nil {
			return nil, fmt.Errorf("write the freeze: %w", err)
		}
		w.freeze = string(body)
	}
	return w, nil
}

// apply does the change inside a transaction. What it did before an error is
// undone by the caller.
func (w *change) apply(g *group) error {
	if w.RefuseFrozen {
		if f, err := scanFreeze(g.statement(selectFreeze).QueryRowContext(g.ctx)); err != nil {
			return g.judge(err)
		} else if f.Frozen {
			return hold.ErrFrozen
		}
	}
	if w.Key != nil {
		if err := g.useKey(w.Key); err != nil {
			return err
		}
	}
	if w.created != nil {
		if err := g.create(w.created); err != nil {
			return err
		}
	}
	for i := range w.moved {
		if err := g.move(&w.moved[i], w.Moved[i].Was); err != nil {
			return err
		}
	}
	if w.granted != nil {
		if _, err := g.exec(insertGrant, w.granted.args()...); err != nil {
			return err
		}
	}
	for i := range w.grants {
		if err := g.moveGrant(&w.grants[i], w.MovedGrants[i].Was); err != nil {
			return err
		}
	}
	if w.Freeze != nil {
		if _, err := g.exec(updateFreeze, w.freeze); err != nil {
			return err
		}
	}
	w.rows = make([]ledger.Row, 0, len(w.Rows))
	for _, e := range w.Rows {
		row, err := g.append(w.At, e)
		if err != nil {
			return err
		}
		w.rows = append(w.rows, row)
	}
	return nil
}

// useKey takes an idempotency key, and now and then removes old ones.
func (g *group) useKey(k *hold.Key) error {
	at := k.At.UnixMilli()
	added, err := g.exec(insertKey, k.Agent, k.Key, k.Request, k.Action, at)
	switch {
	case err != nil:
		return err
	case added == 0:
		return fmt.Errorf("%w: %q", hold.ErrKeyTaken, k.Key)
	case at-g.store.swept < sweepEvery.Milliseconds():
		return nil
	}
	if _, err := g.exec(deleteOldKeys, at-keepKeys.Milliseconds()); err != nil {
		return err
	}
	// If the transaction fails they stay for another hour, which does no harm.
	g.store.swept = at
	return nil
}

// Key returns what an agent's idempotency key was used for.
func (s *Store) Key(ctx context.Context, agent, key string) (hold.Key, error) {
	k := hold.Key{Agent: agent, Key: key}
	var at int64
	err := s.reader.queryRow(ctx, selectKey, agent, key).Scan(&k.Request, &k.Action, &at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return hold.Key{}, fmt.Errorf("sqlite: idempotency key %q: %w", key, hold.ErrNotFound)
	case err != nil:
		return hold.Key{}, unavailable("read an idempotency key", err)
	}
	k.At = time.UnixMilli(at).UTC()
	return k, nil
}

// Freeze returns whether everything is frozen, and by whom.
func (s *Store) Freeze(ctx context.Context) (hold.Freeze, error) {
	f, err := scanFreeze(s.reader.queryRow(ctx, selectFreeze))
	if err != nil {
		// Who cannot tell whether it is frozen has to take it as frozen.
		return hold.Freeze{Frozen: true}, unavailable("read the freeze", err)
	}
	return f, nil
}

// scanFreeze reads the freeze; what was never frozen is not.
func scanFreeze(row *sql.Row) (f hold.Freeze, err error) {
	var body string
	if err := row.Scan(&body); errors.Is(err, sql.ErrNoRows) {
		return f, nil
	} else if err != nil {
		return f, err
	}
	if err := json.Unmarshal([]byte(body), &f); err != nil {
		return f, fmt.Errorf("the stored freeze is damaged: %w", err)
	}
	return f, nil
}

// toMilli is a time as it is stored.
func toMilli(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
