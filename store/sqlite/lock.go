package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// lock is the lock beside a file. The file of the lock stays when it is given
// back: removing it could take it away from somebody who just got it.
type lock struct{ f *os.File }

// takeLock takes the lock and writes the number of this process into it. When
// another process has it, the error wraps ErrInUse and names that one.
func takeLock(path string) (*lock, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file; remove it: what a link leads to would be written over", path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w; the folder must exist, and the guard's user must be able to write to it", err)
	}
	taken, err := lockFile(f)
	switch {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	case !taken:
		return nil, errors.Join(fmt.Errorf("%w: %s", ErrInUse, holder(f)), f.Close())
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0); err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), f.Close())
	}
	return &lock{f}, nil
}

// holder names the process that wrote its number into the lock.
func holder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 20))
	pid, errPID := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || errPID != nil {
		return "a process that has not given its number yet"
	}
	return fmt.Sprintf("process %d", pid)
}

// release gives the lock back; that of a nil lock is nothing.
func (l *lock) release() error {
	if l == nil {
		return nil
	}
	return l.f.Close()
}
