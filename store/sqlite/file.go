package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	codes "modernc.org/sqlite/lib"

	"github.com/countersign/countersign/ledger"
)

// applicationID marks the files of this program: "CSGN".
const applicationID = 0x4353474e

// ownFile makes the file where there is none and sees to it that it is the
// owner's alone. An existing file is never opened here: closing it again would
// take away the locks that SQLite holds on it in this process.
func ownFile(path string) (fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	switch {
	case err == nil:
		if err := f.Close(); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrExist):
		return nil, fmt.Errorf("%w; the folder must exist, and the guard's user must be able to write to it", err)
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := tighten(name); err != nil {
			return nil, err
		}
	}
	return os.Stat(path)
}

// tighten takes all permissions of others away. A file that is not there is fine.
func tighten(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Perm()&0o077 == 0:
		return nil
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return fmt.Errorf("others may read or write the file, and that cannot be changed: %w; give it to the guard's user", err)
	}
	return nil
}

// inPlace reports that the file at the path is still the one that was opened.
// Rows that were written to a deleted file would be gone with the process.
func (s *Store) inPlace() error {
	if s.file == nil {
		return nil
	}
	now, err := os.Stat(s.path)
	if err != nil {
		return fmt.Errorf("the file is gone from its place; put it back, or stop the guard: %w", err)
	}
	if !os.SameFile(s.file, now) {
		return errors.New("another file was put in its place; stop the guard before putting a copy back")
	}
	return nil
}

// checkAll is the size up to which a file is read through when it is opened,
// which takes up to some 50 milliseconds. Of a larger file the parts that are
// read anyway have to do; verification reads the rest.
const checkAll = 16 << 20

// inspect refuses a file that is not ours, not known, or not whole. It changes
// nothing. It looks at every page of a file with a size from 1 to checkAll.
func inspect(ctx context.Context, db *sql.DB, size int64) (err error) {
	// One transaction, so that a file that another process is just making is
	// seen either empty or made.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return whatIsWrong(err)
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	tables, err := number(ctx, tx, `SELECT count(*) FROM sqlite_schema`)
	if err != nil {
		return whatIsWrong(err)
	}
	id, errID := number(ctx, tx, `PRAGMA application_id`)
	version, errVersion := number(ctx, tx, `PRAGMA user_version`)
	if err := errors.Join(errID, errVersion); err != nil {
		return whatIsWrong(err)
	}
	switch {
	case id != applicationID && (id != 0 || version != 0 || tables != 0):
		return fmt.Errorf("%w (its application id is %#x, ours is %#x)", ErrForeign, uint32(id), applicationID)
	case version > latest:
		return fmt.Errorf("%w; its schema has version %d, this program knows up to %d", ErrNewer, version, latest)
	case size == 0 || size > checkAll:
		return nil
	}
	var found string
	if err := tx.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found); err != nil {
		return whatIsWrong(err)
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, found)
	}
	return nil
}

// number reads one number, from a database or inside a transaction.
func number(ctx context.Context, from interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, query string) (n int64, err error) {
	err = from.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}

// useLog switches a file to the write-ahead log, for good. Another process that
// does the same at the same moment is waited for: SQLite does not by itself.
func useLog(ctx context.Context, db *sql.DB) error {
	for {
		var mode string
		err := db.QueryRowContext(ctx, `PRAGMA journal_mode(WAL)`).Scan(&mode)
		switch {
		case err == nil && mode != "wal":
			return fmt.Errorf("the write-ahead log cannot be used on this file system (it stays at %q); choose a folder on a local disk", mode)
		case err == nil:
			return nil
		case code(err) != codes.SQLITE_BUSY:
			return whatIsWrong(err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// checkEnd holds the stored head against the last row, which finds a file that
// was put together from two, and a tail that is missing. Both are read at one
// moment: another process may append between two.
func (s *Store) checkEnd(ctx context.Context) error {
	v, err := s.Ledger(ctx)
	if err != nil {
		return whatIsWrong(err)
	}
	defer v.Close()
	var head ledger.Head
	if len(v.head) > 0 {
		if err := head.UnmarshalBinary(v.head); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	var last ledger.StoredRow
	err = v.tx.StmtContext(ctx, s.reader.prepared[selectLastRow]).QueryRowContext(ctx).Scan(&last.Seq, &last.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return whatIsWrong(err)
	}
	if last.Seq != head.Size || last.Seq > 0 && !bytes.Equal(last.Hash, head.Last[:]) {
		return fmt.Errorf("%w: the ledger ends at row %d and its head says %d; countersign verify names the first bad row", ErrDamaged, last.Seq, head.Size)
	}
	return nil
}

// whatIsWrong turns SQLite's word for a damaged file into ErrDamaged, and adds
// what to do to the others.
func whatIsWrong(err error) error {
	switch {
	case err == nil:
		return nil
	case damaged(err):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if hint := hintFor(err); hint != "" {
		return fmt.Errorf("%s: %w", hint, err)
	}
	return err
}
