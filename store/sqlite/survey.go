package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// survey looks at a file that is there before it is opened to write. Whoever
// closes a writing connection carries the write-ahead log into the file, and a
// file that is refused stays as it is, log and all: it may be evidence, and the
// log may be what a copy can be mended with.
func (s *Store) survey(ctx context.Context, shared bool) (err error) {
	for _, path := range []string{filepath.Dir(s.path), s.path, s.path + "-wal", s.path + "-shm"} {
		if err := mayWrite(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s may not be written; give the guard's user write access: %w", path, err)
		}
	}
	if s.file.Size() == 0 || there(s.path+"-journal") {
		return nil // new, or its making was cut short, which only a writer mends
	}
	mode := "ro"
	if !shared && !there(s.path+"-wal") {
		mode += "&immutable=1" // nobody writes to it, and nothing is made beside it
	}
	s.reader = connect(address(s.path, mode), 1)
	defer func() {
		err = errors.Join(err, s.reader.db.Close())
		s.reader = nil
	}()
	if err := inspect(ctx, s.reader.db, s.file.Size()); err != nil {
		return err
	}
	version, err := number(ctx, s.reader.db, `PRAGMA user_version`)
	if err != nil || version < latest {
		return whatIsWrong(err)
	}
	if err := s.reader.prepare(ctx); err != nil {
		return whatIsWrong(err)
	}
	return s.checkEnd(ctx)
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
