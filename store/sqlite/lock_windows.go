package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock of an open file, or reports that somebody has it. The
// system gives it back when the process ends, however that happens. The byte
// that is locked lies far behind the number, which others must be able to read.
func lockFile(f *os.File) (taken bool, err error) {
	at := windows.Overlapped{OffsetHigh: 1}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// mayWrite cannot be told here without opening the file; SQLite says it later.
func mayWrite(string) error { return nil }
