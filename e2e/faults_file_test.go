//go:build unix

package e2e

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
)

// nobody is the user that a guard runs as where the tests run as root, who may
// write to everything.
const nobody = 65534

// asUser lets the guard run as a user whom permissions bind.
func asUser(c *exec.Cmd) {
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// userHome is a home that the user of asUser owns and can reach.
func userHome(t *testing.T) string {
	t.Helper()
	home := newHome(t)
	if os.Geteuid() != 0 {
		return home
	}
	parent := filepath.Dir(home)
	err := errors.Join(os.Mkdir(home, 0o700), os.Chown(home, nobody, nobody), os.Chmod(parent, 0o755), os.Chmod(filepath.Dir(parent), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// mode changes a mode.
func mode(t *testing.T, path string, to fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, to); err != nil {
		t.Fatal(err)
	}
}

// TestReadOnlyFile takes the right to write away, in a home whose guard was
// killed and in one whose guard was stopped.
func TestReadOnlyFile(t *testing.T) {
	for _, end := range []string{"killed", "stopped"} {
		t.Run(end, func(t *testing.T) {
			home := userHome(t)
			p := up(t, home, nil, asUser)
			w := newPair(t, home, p.url)
			yes, open := w.approved(), w.held()
			if end == "killed" {
				p.kill()
			} else {
				p.stop(t)
			}
			before := files(t, home)
			file := filepath.Join(home, daemon.DatabaseFile)

			mode(t, file, 0o400)
			exit, said := refused(t, home, asUser)
			if exit == 0 || !strings.Contains(said, "may not be written") || !strings.Contains(said, "write access") {
				t.Errorf("with a read-only file the guard ends with %d:\n%s", exit, said)
			}
			leftAlone(t, home, before)
			mode(t, file, 0o000)
			exit, said = refused(t, home, asUser)
			if exit == 0 || !strings.Contains(said, "write") {
				t.Errorf("with a file that cannot be opened the guard ends with %d:\n%s", exit, said)
			}
			mode(t, file, 0o600)
			leftAlone(t, home, before)

			w = again(w, up(t, home, nil, asUser))
			w.recovers(yes, open)
		})
	}
}

// TestReadOnlyFileOfARunningGuard takes the right to open the files away while
// the guard has them open. It may go on or stop; what it lets go ahead it has
// recorded.
func TestReadOnlyFileOfARunningGuard(t *testing.T) {
	home := userHome(t)
	p := up(t, home, nil, asUser)
	w := newPair(t, home, p.url)
	yes, open := w.approved(), w.held()
	for _, end := range []string{"", "-wal", "-shm"} {
		mode(t, filepath.Join(home, daemon.DatabaseFile+end), 0o000)
	}
	mode(t, home, 0o500)
	released := w.redeem(yes).status == 200
	for _, end := range []string{"", "-wal", "-shm"} {
		mode(t, filepath.Join(home, daemon.DatabaseFile+end), 0o600)
	}
	mode(t, home, 0o700)
	p.kill()
	w = again(w, up(t, home, nil, asUser))
	r := w.record(open)
	if begun := place(r.steps[yes.id], approval.Releasing) >= 0; begun != released {
		t.Errorf("released: %v, recorded: %v", released, begun)
	}
	if !released {
		w.recovers(yes, open)
	}
}
