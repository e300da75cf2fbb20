//go:build unix

package hook_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/countersign/countersign/channel/hook"
	"github.com/countersign/countersign/channel/notice"
)

// What a program has started is stopped with it, and does not keep the guard
// waiting by holding its output.
func TestWhatItStartedIsStopped(t *testing.T) {
	tests := []struct {
		name, script string
		told         bool
	}{
		{"hangs with a child", "sleep 3600 & echo $! >$0.pid; sleep 3600", false},
		{"ends, and leaves a child with its standard error", "sleep 3600 & echo $! >$0.pid", true},
	}
	for i, test := range tests {
		script := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(script, []byte(test.script), 0o600); err != nil {
			t.Fatal(err)
		}
		o := hook.Options{Command: []string{"/bin/sh", script}, Environ: []string{"PATH=" + os.Getenv("PATH")}, Timeout: time.Second}
		if test.told {
			o.Timeout = time.Minute
		}
		err := channel(t, o).Tell(t.Context(), message("x"))
		var f *notice.Failure
		if test.told && err != nil || !test.told && (!errors.As(err, &f) || !strings.Contains(f.Why, "did not end within")) {
			t.Errorf("case %d, %s: %v", i, test.name, err)
		}
		text, err := os.ReadFile(script + ".pid")
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if !gone(pid) {
			t.Errorf("%s: the child %d still runs", test.name, pid)
		}
	}
}

// gone reports whether a process that was stopped has ended; one that nobody has
// reaped yet counts.
func gone(pid int) bool {
	for range 1000 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return true
		}
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
