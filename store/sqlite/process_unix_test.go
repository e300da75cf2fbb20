//go:build unix

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

func init() {
	children["fill"] = childFills
	children["nobody"] = childNobody
}

// childFills lets the system refuse to write beyond a size, which a full disk
// does too, and then takes the limit away.
func childFills(path string, signer *ledger.Signer) error {
	signal.Ignore(syscall.SIGXFSZ)
	ctx := context.Background()
	s, err := Open(ctx, path, Options{Signer: signer})
	if err != nil {
		return err
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		return err
	}
	for round := range 3 {
		full := was
		full.Cur = 300_000 << round
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
			return err
		}
		for i := 0; ; i++ {
			_, err := s.Commit(ctx, rowsOf(fmt.Sprintf("full-%d-%d", round, i), 20))
			if errors.Is(err, hold.ErrUnavailable) && strings.Contains(err.Error(), "has no room") {
				break
			}
			if err != nil || i > 10_000 {
				return fmt.Errorf("after %d changes: %w", i, err)
			}
			fmt.Printf("full-%d-%d\n", round, i)
		}
		if _, err := s.Freeze(ctx); err != nil {
			return fmt.Errorf("read while the disk is full: %w", err)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			return err
		}
		if _, err := s.Commit(ctx, rowsOf(fmt.Sprintf("room-%d", round), 20)); err != nil {
			return fmt.Errorf("after room was made: %w", err)
		}
		fmt.Printf("room-%d\n", round)
	}
	return s.Close()
}

// TestDiskFull: what could not be written is refused, what was answered is
// there, and it goes on by itself.
func TestDiskFull(t *testing.T) {
	k, path := newKeys(t), newPath(t)
	told := strings.Fields(k.run(t, "fill", path))
	s := k.open(t, path, Options{})
	k.whole(t, s, int64(20*len(told)))
	for _, subject := range told {
		rows, err := s.About(context.Background(), subject)
		must(t, err)
		if len(rows) != 20 {
			t.Fatalf("%s was answered and has %d rows", subject, len(rows))
		}
	}
	if len(told) < 6 {
		t.Errorf("only %d changes were answered", len(told))
	}
}

// nobody is a user without rights, for a test that is run by root.
const nobody = 65534

// childNobody tries to open files that it may not write.
func childNobody(path string, signer *ledger.Signer) error {
	if os.Getuid() == 0 {
		if err := syscall.Setuid(nobody); err != nil {
			return err
		}
	}
	for _, shared := range []bool{false, true} {
		s, err := Open(context.Background(), path, Options{Signer: signer, Shared: shared})
		switch {
		case err == nil:
			return errors.Join(fmt.Errorf("opened a file that may not be written, shared: %v", shared), s.Close())
		case !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "guard's user"):
			return fmt.Errorf("the refusal does not say what to do: %w", err)
		}
	}
	return nil
}

// TestMayNotWrite: a folder and a file of somebody else.
func TestMayNotWrite(t *testing.T) {
	k := newKeys(t)
	dir, err := os.MkdirTemp("", "countersign-test-") // t.TempDir's parent keeps others out
	must(t, err)
	t.Cleanup(func() {
		must(t, os.Chmod(dir, 0o700))
		must(t, os.RemoveAll(dir))
	})
	path := filepath.Join(dir, "countersign.db")
	must(t, os.Chmod(dir, 0o555))
	k.run(t, "nobody", path)
	must(t, os.Chmod(dir, 0o755))
	s := k.open(t, path, Options{})
	commit(t, s, rowsOf("a", 3))
	must(t, s.Close())
	must(t, os.Remove(path+".lock"))
	must(t, os.Chmod(path, 0o444))
	must(t, os.Chmod(dir, 0o555))
	if os.Getuid() == 0 { // the owner may change the mode, and does
		k.run(t, "nobody", path)
	}
	must(t, os.Chmod(dir, 0o755))
	k.whole(t, k.open(t, path, Options{}), 3)
}

// TestModes: a new file is the owner's alone, and so is one that was not.
func TestModes(t *testing.T) {
	k, path := newKeys(t), newPath(t)
	check := func(when string) {
		t.Helper()
		for _, name := range []string{path, path + "-wal", path + "-shm", path + ".lock"} {
			info, err := os.Stat(name)
			must(t, err)
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s has mode %v", when, filepath.Base(name), info.Mode())
			}
		}
	}
	s := k.open(t, path, Options{})
	commit(t, s, rowsOf("a", 1))
	check("new")
	must(t, s.Close())
	must(t, os.Chmod(path, 0o666))
	s = k.open(t, path, Options{})
	commit(t, s, rowsOf("b", 1))
	check("opened again")
}
