//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime is the processor time this process has used, the garbage collector's
// included.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
