package e2e

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/countersign/countersign/daemon"
)

// files are the contents of a home's database files, to see that they were left
// alone.
func files(t *testing.T, home string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(filepath.Join(home, daemon.DatabaseFile+end))
		switch {
		case err == nil:
			all[end] = data
		case !errors.Is(err, fs.ErrNotExist):
			t.Fatal(err)
		}
	}
	return all
}

// leftAlone wants the database files to be as they were.
func leftAlone(t *testing.T, home string, before map[string][]byte) {
	t.Helper()
	after := files(t, home)
	for end, data := range before {
		if now, ok := after[end]; !ok || !bytes.Equal(data, now) {
			t.Errorf("the guard that refused to start changed %s%s (there: %v, %d bytes of %d)", daemon.DatabaseFile, end, ok, len(now), len(data))
		}
	}
	for end := range after {
		if _, ok := before[end]; !ok {
			t.Errorf("the guard that refused to start made %s%s", daemon.DatabaseFile, end)
		}
	}
}

// putBack makes the database files what they were.
func putBack(t *testing.T, home string, was map[string][]byte) {
	t.Helper()
	for _, end := range []string{"", "-wal", "-shm"} {
		path := filepath.Join(home, daemon.DatabaseFile+end)
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if was[end] == nil {
			continue
		}
		if err := os.WriteFile(path, was[end], 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// again is a pair at the next guard of its home.
func again(w *pair, p *process) *pair {
	w.url = p.url
	return w
}

// stop ends a guard in order.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if exit := p.exit(t); exit != 0 {
		t.Errorf("stopped in order, the guard ends with %d:\n%s", exit, p.said())
	}
}
