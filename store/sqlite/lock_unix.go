//go:build unix

package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes the lock of an open file, or reports that somebody has it. The
// system gives it back when the process ends, however that happens.
func lockFile(f *os.File) (taken bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// mayWrite reports whether this process may write to a file or folder, without
// opening it.
func mayWrite(path string) error {
	const write = 2
	if err := syscall.Access(path, write); err != nil {
		return &os.PathError{Op: "access", Path: path, Err: err}
	}
	return nil
}
