//go:build unix

package upstream

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock keeps a folder for one guard, or two would end each other's servers. The
// system lets the next one in when this process ends, however that happens.
func lock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder of the hidden adb server: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("another guard has its adb server in %s; stop it, or use another folder: %w", dir, err)
	}
	return func() { _ = f.Close() }, nil
}
