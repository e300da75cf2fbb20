package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
)

// Memory is the path of a store that is kept in memory and ends with Close.
const Memory = ":memory:"

// readers is how many connections read at the same time.
const readers = 8

// Options are what a store may have besides a path. The zero value is the safe
// choice of a daemon that signs nothing.
type Options struct {
	// Signer signs checkpoints of the ledger: the newest with every transaction,
	// one that stays every 1,000 rows and at Close. Nil for none.
	Signer *ledger.Signer
	// Shared takes no lock and does not mind one, so that several processes may
	// write to one file. They take turns.
	Shared bool
}

// Store is one open file. Its methods are safe for concurrent use.
type Store struct {
	path   string
	signer *ledger.Signer
	lock   *lock       // nil in memory, when shared, and when reading only
	file   fs.FileInfo // nil in memory

	writer *handle // one connection; nil when reading only
	reader *handle // the writer itself in memory

	jobs    chan *job
	stop    chan struct{} // closed by Close
	stopped chan struct{} // closed when the last transaction is over
	once    sync.Once
	// unkept says that the newest checkpoint is one that gives way to the next.
	unkept atomic.Bool
	// swept is when old idempotency keys were last removed, in milliseconds. Only
	// the goroutine that writes touches it.
	swept int64
}

var (
	_ hold.Store     = (*Store)(nil)
	_ identity.Store = (*Store)(nil)
)

// Open opens the file at path, makes it where there is none, and brings its
// schema up to date. The folder must exist. The file is for the owner alone
// (0600); wider permissions are taken away. Errors wrap ErrInUse, ErrForeign,
// ErrNewer or ErrDamaged where the file may not be used; it is as it was then.
//
// Nobody else may move, replace or delete the file while it is open, and it
// must lie on a local disk: the locks of network folders cannot be relied on.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	s := &Store{
		path: path, signer: o.Signer,
		jobs: make(chan *job, groupSize), stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	err := s.open(ctx, o.Shared)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), s.closeAll())
	}
	go s.work()
	return s, nil
}

func (s *Store) open(ctx context.Context, shared bool) (err error) {
	if s.path == Memory {
		s.writer = connect("file::memory:?_txlock=immediate", 1)
		s.reader = s.writer
		if err := migrate(ctx, s.writer.db); err != nil {
			return err
		}
		return s.writer.prepare(ctx)
	}
	if err := s.setPath(); err != nil {
		return err
	}
	if !shared {
		if s.lock, err = takeLock(s.path + ".lock"); err != nil {
			return err
		}
	}
	if s.file, err = ownFile(s.path); err != nil {
		return err
	}
	if err := s.survey(ctx, shared); err != nil {
		return err
	}
	s.writer = connect(address(s.path, "rw")+"&_pragma=synchronous(FULL)&_txlock=immediate", 1)
	s.reader = connect(address(s.path, "rw")+"&_pragma=query_only(1)", readers)
	if err := inspect(ctx, s.writer.db, 0); err != nil { // another process may have made it meanwhile
		return err
	}
	if err := useLog(ctx, s.writer.db); err != nil {
		return err
	}
	if err := migrate(ctx, s.writer.db); err != nil {
		return whatIsWrong(err)
	}
	if err := errors.Join(s.writer.prepare(ctx), s.reader.prepare(ctx)); err != nil {
		return whatIsWrong(err)
	}
	return s.checkEnd(ctx)
}

// OpenReadOnly opens a file that may be open elsewhere at the same time, to read
// it. It takes no lock, makes nothing and repairs nothing; whatever would write
// answers an error that wraps hold.ErrUnavailable. It opens a ledger that Open
// refuses because its end is damaged, so that it can be verified.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	s := &Store{path: path, stop: make(chan struct{}), stopped: make(chan struct{})}
	close(s.stopped)
	err := s.openReadOnly(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s to read: %w", path, err), s.closeAll())
	}
	return s, nil
}

func (s *Store) openReadOnly(ctx context.Context) (err error) {
	if err := s.setPath(); err != nil {
		return err
	}
	if s.file, err = os.Stat(s.path); err != nil {
		return err
	}
	s.reader = connect(address(s.path, "ro")+"&_pragma=query_only(1)", readers)
	if err := inspect(ctx, s.reader.db, 0); err != nil {
		return err
	}
	version, err := number(ctx, s.reader.db, `PRAGMA user_version`)
	if err != nil {
		return whatIsWrong(err)
	}
	if version < latest {
		return fmt.Errorf("%w: its schema has version %d, this program needs %d", ErrOlder, version, latest)
	}
	return whatIsWrong(s.reader.prepare(ctx))
}

// Close ends the store after what is being written, keeps the newest checkpoint
// and gives the lock back. What waits and what comes later answers an error that
// wraps hold.ErrUnavailable. Only the first call does anything.
func (s *Store) Close() (err error) {
	s.once.Do(func() {
		close(s.stop)
		<-s.stopped
		if s.writer != nil && s.unkept.Load() {
			_, err = s.writer.prepared[keepNewestCheckpoint].Exec()
		}
		if err = errors.Join(err, s.closeAll()); err != nil {
			err = fmt.Errorf("sqlite: close %s: %w", s.path, err)
		}
	})
	return err
}

// setPath makes the path absolute, so that it stays the same file wherever the
// process goes.
func (s *Store) setPath() (err error) {
	if s.path == "" {
		return errors.New("the path is empty; name a file, or sqlite.Memory")
	}
	if s.path, err = filepath.Abs(s.path); err != nil {
		return err
	}
	if info, err := os.Stat(s.path); err == nil && !info.Mode().IsRegular() {
		return errors.New("this is no regular file; name another path")
	}
	return nil
}

// closeAll closes what is open. The write-ahead log is carried into the file
// when the last connection of all processes is closed.
func (s *Store) closeAll() error {
	var errs []error
	if s.reader != nil && s.reader != s.writer {
		errs = append(errs, s.reader.db.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.db.Close())
	}
	return errors.Join(append(errs, s.lock.release())...)
}

// address is the name of a file as SQLite wants it. Waiting for other processes
// comes before everything else, which may have to wait already.
func address(path, mode string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	return "file:" + u.EscapedPath() + "?mode=" + mode + "&_pragma=busy_timeout(10000)"
}

// connect makes a pool of at most n connections, which stay open.
func connect(address string, n int) *handle {
	db, err := sql.Open("sqlite", address)
	if err != nil {
		// It only fails for a driver that is not there; this one is imported.
		panic(err)
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return &handle{db: db}
}
