//go:build unix

package daemon

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ownerOf is the user id that owns a file, -1 when it cannot be told.
func ownerOf(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

// alone does something while no other daemon does the same in the folder. The
// system lets the next one in when this process ends, however that happens.
func alone(dir string, do func() error) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		err = do()
	}
	return errors.Join(err, f.Close())
}
