package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/countersign/countersign/ledger"
)

// checkpointEvery is how many rows lie between two checkpoints that are kept.
const checkpointEvery = 1000

// append writes the next row and moves the head on.
func (g *group) append(at time.Time, e ledger.Entry) (ledger.Row, error) {
	if !g.headRead {
		head, err := readHead(g.statement(selectHead).QueryRowContext(g.ctx))
		if err != nil {
			return ledger.Row{}, g.judge(err)
		}
		g.head, g.headRead = head, true
	}
	row, head, err := g.head.Append(at, e)
	if err != nil {
		return ledger.Row{}, err
	}
	if _, err := g.exec(insertRow, row.Seq, row.Subject, row.Data, row.Hash[:]); err != nil {
		return ledger.Row{}, fmt.Errorf("row %d: %w", row.Seq, err)
	}
	g.head, g.appended = head, true
	if head.Size%checkpointEvery == 0 {
		if err := g.sign(true); err != nil {
			return ledger.Row{}, err
		}
	}
	return row, nil
}

// finish writes the head and the newest checkpoint once for all changes.
func (g *group) finish() error {
	if !g.appended {
		return nil
	}
	data, err := g.head.MarshalBinary()
	if err != nil {
		return err
	}
	if _, err := g.exec(updateHead, data); err != nil {
		return err
	}
	if g.store.signer == nil {
		return nil
	}
	if _, err := g.exec(deleteNewestCheckpoint); err != nil {
		return err
	}
	g.signed = true
	return g.sign(false)
}

// sign writes a checkpoint of the head.
func (g *group) sign(keep bool) error {
	if g.store.signer == nil {
		return nil
	}
	text, err := g.store.signer.Checkpoint(g.head)
	if err != nil {
		return err
	}
	_, err = g.exec(insertCheckpoint, g.head.Size, text, keep)
	return err
}

// readHead reads the head of the ledger; an empty ledger has none.
func readHead(row *sql.Row) (h ledger.Head, err error) {
	var data []byte
	if err := row.Scan(&data); errors.Is(err, sql.ErrNoRows) {
		return h, nil
	} else if err != nil {
		return h, err
	}
	err = h.UnmarshalBinary(data)
	return h, err
}

// Head returns the head of the ledger.
func (s *Store) Head(ctx context.Context) (ledger.Head, error) {
	h, err := readHead(s.reader.queryRow(ctx, selectHead))
	if err != nil {
		return ledger.Head{}, unavailable("read the head of the ledger", err)
	}
	return h, nil
}

// About returns the rows about one subject in order; none for the empty subject.
func (s *Store) About(ctx context.Context, subject string) ([]ledger.Row, error) {
	return s.rows(ctx, selectRowsAbout, subject)
}

// Rows returns up to limit rows after the row with the given number.
func (s *Store) Rows(ctx context.Context, after int64, limit int) ([]ledger.Row, error) {
	return s.rows(ctx, selectRowsAfter, after, max(limit, 0))
}

func (s *Store) rows(ctx context.Context, which statement, args ...any) ([]ledger.Row, error) {
	rows, err := s.reader.query(ctx, which, args...)
	if err != nil {
		return nil, unavailable("read the ledger", err)
	}
	defer rows.Close()
	var list []ledger.Row
	for rows.Next() {
		var data []byte
		if err := rows.Scan(&data); err != nil {
			return nil, unavailable("read the ledger", err)
		}
		row, err := ledger.ParseRow(data)
		if err != nil {
			return nil, unavailable("read the ledger; countersign verify names the first bad row", err)
		}
		list = append(list, row)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable("read the ledger", err)
	}
	return list, nil
}

// Checkpoint returns the newest signed checkpoint, nil when there is none. Kept
// elsewhere, it finds a ledger that is put back to an earlier state.
func (s *Store) Checkpoint(ctx context.Context) ([]byte, error) {
	var text []byte
	err := s.reader.queryRow(ctx, selectNewestCheckpoint).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, unavailable("read a checkpoint", err)
	}
	return text, nil
}
