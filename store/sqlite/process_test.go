package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/countersign/countersign/ledger"
)

// The test program runs itself again where a test needs another process. What
// that one is to do comes in the environment, the path and the signer's key in
// the arguments.
const childEnv = "COUNTERSIGN_STORE_TEST_CHILD"

var children = map[string]func(path string, s *ledger.Signer) error{
	"commit": childCommits,
	"share":  childShares,
}

// child is the whole of another process.
func child(what string) {
	signer, err := ledger.NewSigner(os.Args[2])
	if err == nil {
		err = children[what](os.Args[1], signer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start prepares another process; the caller starts it.
func (k keys) start(t *testing.T, what, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], path, k.private)
	cmd.Env = append(os.Environ(), childEnv+"="+what)
	return cmd
}

// run runs another process to its end, and returns what it printed.
func (k keys) run(t *testing.T, what, path string) string {
	t.Helper()
	out, err := k.start(t, what, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, out)
	}
	return string(out)
}

// childCommits commits from eight goroutines until it is killed, and prints each
// row that it was told is on the disk. Every tenth change is of several rows.
func childCommits(path string, signer *ledger.Signer) error {
	s, err := Open(context.Background(), path, Options{Signer: signer})
	if err != nil {
		return err
	}
	failed := make(chan error)
	for g := range 8 {
		go func() {
			for i := 0; ; i++ {
				subject := fmt.Sprintf("p%d-%d-%d", os.Getpid(), g, i)
				rows, err := s.Commit(context.Background(), rowsOf(subject, 1+i%10/9*5))
				if err != nil {
					failed <- err
					return
				}
				var out bytes.Buffer
				for _, r := range rows {
					fmt.Fprintf(&out, "%d %s\n", r.Seq, r.Subject)
				}
				// One write, so that no line is cut by another one's.
				os.Stdout.Write(out.Bytes())
			}
		}()
	}
	return <-failed
}

// TestKilled: whatever was answered is there after the process was killed at any
// moment, and the file and the ledger are whole.
func TestKilled(t *testing.T) {
	const kills = 20
	k, path := newKeys(t), newPath(t)
	told := map[int64]string{}
	for round := range kills {
		cmd := k.start(t, "commit", path)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewReader(out)
		// Round 0 is killed while it opens the file for the first time.
		for range min(round, 1) * rand.IntN(300) {
			must(t, hear(lines, told))
		}
		if round == 1 {
			_, err := Open(context.Background(), path, Options{})
			if want := fmt.Sprintf("process %d", cmd.Process.Pid); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), want) {
				t.Errorf("opened beside another process: %v, want %s to be named", err, want)
			}
		}
		must(t, cmd.Process.Kill())
		for err == nil {
			err = hear(lines, told) // what was printed and not read yet
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the process ended by itself")
		}
		k.survived(t, path, told)
	}
	if len(told) < kills {
		t.Errorf("only %d rows were acknowledged in all", len(told))
	}
}

// hear reads a line of childCommits.
func hear(r *bufio.Reader, told map[int64]string) error {
	line, err := r.ReadString('\n')
	if err != nil {
		return err
	}
	var seq int64
	var subject string
	if _, err := fmt.Sscan(line, &seq, &subject); err != nil {
		return fmt.Errorf("heard %q: %w", line, err)
	}
	told[seq] = subject
	return nil
}

// survived opens a file after a crash and looks for all that was promised.
func (k keys) survived(t *testing.T, path string, told map[int64]string) {
	t.Helper()
	s := k.open(t, path, Options{})
	var found string
	must(t, s.reader.db.QueryRow(`PRAGMA quick_check`).Scan(&found))
	if found != "ok" {
		t.Fatalf("the file is damaged: %s", found)
	}
	report := k.verify(t, s)
	if !report.OK() {
		t.Fatalf("the ledger is not whole: %v", report.First)
	}
	rows, err := s.Rows(context.Background(), 0, int(report.Rows))
	must(t, err)
	for seq, subject := range told {
		if seq > report.Rows || rows[seq-1].Subject != subject {
			t.Fatalf("row %d about %s was acknowledged and is not there", seq, subject)
		}
	}
	must(t, s.Close())
}

const sharers, sharedRows = 6, 60

// childShares appends 60 rows, one after the other, to a file that others append
// to as well.
func childShares(path string, signer *ledger.Signer) error {
	s, err := Open(context.Background(), path, Options{Signer: signer, Shared: true})
	if err != nil {
		return err
	}
	for i := range sharedRows {
		if _, err := s.Commit(context.Background(), rowsOf(fmt.Sprintf("p%d", os.Getpid()), 1+i%2)); err != nil {
			return err
		}
	}
	return s.Close()
}

// TestShared: report D01 of the corpus. Several processes make a file together
// and append to it; no row is lost, none is there twice, and the ledger is whole.
func TestShared(t *testing.T) {
	k, path := newKeys(t), newPath(t)
	pids := make([]int, sharers)
	var running []*exec.Cmd
	var output [sharers]bytes.Buffer
	for i := range sharers {
		cmd := k.start(t, "share", path)
		cmd.Stdout, cmd.Stderr = &output[i], &output[i]
		must(t, cmd.Start())
		running, pids[i] = append(running, cmd), cmd.Process.Pid
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v\n%s", i, err, &output[i])
		}
	}
	s := k.open(t, path, Options{})
	const each = sharedRows * 3 / 2
	k.whole(t, s, sharers*each)
	for _, pid := range pids {
		rows, err := s.About(context.Background(), fmt.Sprintf("p%d", pid))
		must(t, err)
		if len(rows) != each {
			t.Errorf("process %d left %d rows, want %d", pid, len(rows), each)
		}
	}
}
