package sqlite

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/countersign/countersign/hold"
)

// Why a file is not opened, besides what the system says of it.
var (
	// ErrInUse says that another process has the file open.
	ErrInUse = errors.New("the record is in use by another process; stop that one first")
	// ErrForeign says that the file is a database of another program.
	ErrForeign = errors.New("the file is a database of another program, and is left as it is; name another file")
	// ErrNewer says that a newer version of this program wrote the file.
	ErrNewer = errors.New("the file was written by a newer version of this program, and is left as it is; install that version")
	// ErrOlder says that the file has to be brought up to date first, which only
	// a writing store does.
	ErrOlder = errors.New("the file was written by an older version of this program; start the guard once, which brings it up to date")
	// ErrDamaged says that the file cannot be relied on.
	ErrDamaged = errors.New("the file is damaged, and is left as it is; move it aside together with its -wal and -shm files, " +
		"keep it as evidence, and put a copy in its place")
)

// errReadOnly is the answer of a store that only reads.
var errReadOnly = fmt.Errorf("sqlite: %w: it was opened to read only", hold.ErrUnavailable)

// errClosed is the answer of a store that was closed.
var errClosed = fmt.Errorf("sqlite: %w: the store is closed", hold.ErrUnavailable)

// unavailable wraps what stands in the way of reading or writing, and says what
// to do about it.
func unavailable(doing string, err error) error {
	if errors.Is(err, hold.ErrUnavailable) {
		return err
	}
	if hint := hintFor(err); hint != "" {
		return fmt.Errorf("sqlite: %s: %w: %s: %w", doing, hold.ErrUnavailable, hint, err)
	}
	return fmt.Errorf("sqlite: %s: %w: %w", doing, hold.ErrUnavailable, err)
}

// hintFor says in plain words what SQLite's code means.
func hintFor(err error) string {
	switch code(err) {
	case codes.SQLITE_FULL:
		return "the disk is full; make room, and it goes on by itself"
	case codes.SQLITE_READONLY:
		return "the file or its folder may not be written; give the guard's user write access"
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return "the file is damaged; stop the guard, keep the file as evidence, and put a copy in its place"
	case codes.SQLITE_IOERR:
		return "the disk reports an error or has no room; look at the free space and the system's log"
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return "another process keeps the file locked; see which one has it open"
	case codes.SQLITE_CANTOPEN:
		return "the file or its folder cannot be opened; see that both exist and that the guard's user may read and write them"
	}
	return ""
}

// code is the primary result code of SQLite in an error, 0 when there is none.
func code(err error) int {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// ownFault reports whether an error of SQLite is about one statement alone.
// After the others the transaction is gone or cannot be relied on.
func ownFault(err error) bool {
	c := code(err)
	return c == codes.SQLITE_CONSTRAINT || c == codes.SQLITE_TOOBIG
}

// damaged reports whether SQLite says that a file is no whole database.
func damaged(err error) bool {
	c := code(err)
	return c == codes.SQLITE_CORRUPT || c == codes.SQLITE_NOTADB
}
