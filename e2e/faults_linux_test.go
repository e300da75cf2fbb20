package e2e

import (
	"net/http"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFullDisk takes the room to write away from a running guard and gives it
// back. The size that its files may have stands for the disk: it needs no
// privilege, and can be given back.
func TestFullDisk(t *testing.T) {
	home := newHome(t)
	p := up(t, home, nil)
	w := newPair(t, home, p.url)
	yes, open := w.approved(), w.held()

	none, before := unix.Rlimit{}, unix.Rlimit{}
	if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &before); err != nil {
		t.Fatal(err)
	}
	none.Cur, none.Max = 4096, before.Max
	if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &none, nil); err != nil {
		t.Fatal(err)
	}
	w.unavailable(yes, open)
	if ans := w.ask(http.MethodGet, "/v1/actions/"+yes.id, nil); ans.status != http.StatusOK {
		t.Errorf("what can still be read is answered %d %s", ans.status, ans.Detail)
	}
	if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &before, nil); err != nil {
		t.Fatal(err)
	}
	w.recovers(yes, open)
}
