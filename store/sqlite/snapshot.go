package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/countersign/countersign/ledger"
)

// Snapshot is the ledger as it was at one moment, for ledger.Verify. It is used
// by one goroutine at a time.
type Snapshot struct {
	store *Store
	tx    *sql.Tx
	head  []byte
}

var _ ledger.Source = (*Snapshot)(nil)

// Ledger takes a snapshot of the ledger, which must be closed. Until then the
// write-ahead log cannot shrink, and in a store in memory, which has one
// connection, nobody else reads or writes. When ctx ends, so does the snapshot.
func (s *Store) Ledger(ctx context.Context) (*Snapshot, error) {
	tx, err := s.reader.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, unavailable("read the ledger", err)
	}
	v := &Snapshot{store: s, tx: tx}
	// The first read fixes the moment.
	err = tx.StmtContext(ctx, s.reader.prepared[selectHead]).QueryRowContext(ctx).Scan(&v.head)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, errors.Join(unavailable("read the head of the ledger", err), v.Close())
	}
	return v, nil
}

// Close ends the snapshot.
func (v *Snapshot) Close() error {
	if err := v.tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return unavailable("end a snapshot of the ledger", err)
	}
	return nil
}

// Head returns the stored head.
func (v *Snapshot) Head(context.Context) ([]byte, error) { return v.head, nil }

// Rows returns stored rows; see ledger.Source.
func (v *Snapshot) Rows(ctx context.Context, after int64, limit int) ([]ledger.StoredRow, error) {
	return page(ctx, v, selectStoredRows, after, limit, func(rows *sql.Rows, r *ledger.StoredRow) error {
		return rows.Scan(&r.Seq, &r.Subject, &r.Data, &r.Hash)
	})
}

// Checkpoints returns stored checkpoints; see ledger.Source.
func (v *Snapshot) Checkpoints(ctx context.Context, after int64, limit int) ([]ledger.StoredCheckpoint, error) {
	return page(ctx, v, selectCheckpoints, after, limit, func(rows *sql.Rows, c *ledger.StoredCheckpoint) error {
		return rows.Scan(&c.Size, &c.Text)
	})
}

// page reads what a statement yields after a number.
func page[T any](ctx context.Context, v *Snapshot, which statement, after int64, limit int, scan func(*sql.Rows, *T) error) ([]T, error) {
	rows, err := v.tx.StmtContext(ctx, v.store.reader.prepared[which]).QueryContext(ctx, after, max(limit, 0))
	if err != nil {
		return nil, unavailable("read the ledger", err)
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var t T
		if err := scan(rows, &t); err != nil {
			return nil, unavailable("read the ledger", err)
		}
		list = append(list, t)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable("read the ledger", err)
	}
	return list, nil
}
