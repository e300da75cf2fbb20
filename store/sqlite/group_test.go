package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// pending is a question that waits.
func pending(id string) approval.Approval {
	return approval.Approval{ID: id, State: approval.Pending, Version: 1, Agent: "agent", Digest: id, CreatedAt: at}
}

// denial moves a question from its first version.
func denial(a approval.Approval) hold.Change {
	a.State, a.Version = approval.Denied, 2
	c := rowsOf(a.ID, 1)
	c.Moved = []hold.Moved{{Approval: a, Was: 1}}
	return c
}

// jobOf is a change as a job of a group.
func jobOf(t testing.TB, c hold.Change) *job {
	t.Helper()
	w, err := prepareChange(&c)
	must(t, err)
	return &job{apply: w.apply, done: make(chan error, 1)}
}

// TestGroup: in one transaction each change is all or nothing on its own.
func TestGroup(t *testing.T) {
	k := newKeys(t)
	s := k.open(t, newPath(t), Options{})
	a := pending("a")
	commit(t, s, hold.Change{New: &a})
	second := denial(a)
	second.Rows = append(rowsOf("late", 3).Rows, second.Rows...)
	jobs := []*job{
		jobOf(t, denial(a)), jobOf(t, second), jobOf(t, rowsOf("b", 2)),
		jobOf(t, hold.Change{At: at, Rows: []ledger.Entry{{Kind: ledger.KindStart}, {Kind: "No"}}}),
		jobOf(t, rowsOf("c", 1)), jobOf(t, rowsOf("given up", 1)),
	}
	jobs[5].claim()
	s.writeGroup(append([]*job(nil), jobs...))
	for i, want := range []error{nil, hold.ErrMoved, nil, ledger.ErrKind, nil} {
		if got := <-jobs[i].done; !errors.Is(got, want) {
			t.Errorf("change %d: %v, want %v", i, got, want)
		}
	}
	if len(jobs[5].done) != 0 {
		t.Error("a change that was given up was answered")
	}
	k.whole(t, s, 4)
}

// TestGroupFails: when the transaction fails as a whole, nobody is told that
// something happened, and nobody is refused because of what did not happen.
func TestGroupFails(t *testing.T) {
	k := newKeys(t)
	s := k.open(t, newPath(t), Options{})
	a := pending("a")
	commit(t, s, hold.Change{New: &a})
	broken := errors.New("the disk fell out")
	jobs := []*job{
		jobOf(t, denial(a)), jobOf(t, denial(a)),
		{done: make(chan error, 1), apply: func(g *group) error { return g.judge(broken) }},
		jobOf(t, rowsOf("b", 1)),
	}
	s.writeGroup(append([]*job(nil), jobs...))
	for i, j := range jobs {
		if err := <-j.done; !errors.Is(err, hold.ErrUnavailable) || !errors.Is(err, broken) || errors.Is(err, hold.ErrMoved) {
			t.Errorf("change %d: %v", i, err)
		}
	}
	commit(t, s, denial(a))
	k.whole(t, s, 1)
}

// TestFull: SQLite's own word for a full disk, to many at once, and again.
func TestFull(t *testing.T) {
	ctx := context.Background()
	k := newKeys(t)
	s := k.open(t, newPath(t), Options{})
	commit(t, s, rowsOf("first", 10))
	written := int64(10)
	for round := range 3 {
		pages, err := number(ctx, s.writer.db, `PRAGMA page_count`)
		must(t, err)
		limit, err := number(ctx, s.writer.db, fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+3))
		must(t, err)
		if limit != pages+3 {
			t.Fatalf("the limit is %d", limit)
		}
		var mu sync.Mutex
		var all sync.WaitGroup
		refused := 0
		for i := range 32 {
			all.Go(func() {
				subject := fmt.Sprint("r", round, "-", i)
				_, err := s.Commit(ctx, rowsOf(subject, 30))
				rows, errRead := s.About(ctx, subject)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case errRead != nil:
					t.Errorf("read while the disk is full: %v", errRead)
				case err == nil && len(rows) == 30:
					written += 30
				case errors.Is(err, hold.ErrUnavailable) && strings.Contains(err.Error(), "the disk is full") && len(rows) == 0:
					refused++
				default:
					t.Errorf("answered %v and left %d rows", err, len(rows))
				}
			})
		}
		all.Wait()
		if refused == 0 {
			t.Fatal("the disk was never full")
		}
		if _, err := number(ctx, s.writer.db, `PRAGMA max_page_count = 1000000000`); err != nil {
			t.Fatal(err)
		}
		commit(t, s, rowsOf("room again", 10))
		written += 10
	}
	k.whole(t, s, written)
}

// TestReadOnly: a file that may suddenly not be written any more.
func TestReadOnly(t *testing.T) {
	k := newKeys(t)
	s := k.open(t, newPath(t), Options{})
	commit(t, s, rowsOf("a", 1))
	_, err := s.writer.db.Exec(`PRAGMA query_only(1)`)
	must(t, err)
	_, err = s.Commit(context.Background(), rowsOf("b", 1))
	if !errors.Is(err, hold.ErrUnavailable) || !strings.Contains(err.Error(), "write access") {
		t.Errorf("a commit: %v", err)
	}
	_, err = s.writer.db.Exec(`PRAGMA query_only(0)`)
	must(t, err)
	commit(t, s, rowsOf("c", 1))
	k.whole(t, s, 2)
}

// TestDamagedWhileOpen: pages that change under a running store give errors
// that say so, and when they are put back it goes on.
func TestDamagedWhileOpen(t *testing.T) {
	ctx := context.Background()
	k := newKeys(t)
	path := newPath(t)
	s := k.open(t, path, Options{})
	for i := range 100 {
		commit(t, s, rowsOf(name("s", i), 3))
	}
	_, err := s.writer.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	must(t, err)
	// It stays open to the end: closing it takes the locks of SQLite away.
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	must(t, err)
	good := make([]byte, info.Size()-4096)
	_, err = f.ReadAt(good, 4096)
	must(t, err)
	bad := make([]byte, len(good))
	for i := range bad {
		bad[i] = byte(rand.Uint32())
	}
	_, err = f.WriteAt(bad, 4096)
	must(t, err)
	forget := func() {
		t.Helper()
		_, err := s.writer.db.Exec(`PRAGMA shrink_memory`)
		must(t, err)
		s.reader.db.SetMaxIdleConns(0)
	}
	forget()
	_, err = s.Commit(ctx, rowsOf("lost", 1))
	if !errors.Is(err, hold.ErrUnavailable) || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a commit: %v", err)
	}
	if _, err = s.About(ctx, "s001"); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("a read: %v", err)
	}
	if f, err := s.Freeze(ctx); !errors.Is(err, hold.ErrUnavailable) || !f.Frozen {
		t.Errorf("the freeze: %+v, %v", f, err)
	}
	_, err = f.WriteAt(good, 4096)
	must(t, err)
	forget()
	commit(t, s, rowsOf("kept", 1))
	k.whole(t, s, 301)
}

// TestMovedFile: rows are not written to a file that is no longer in its place.
func TestMovedFile(t *testing.T) {
	ctx := context.Background()
	k, path := newKeys(t), newPath(t)
	s := k.open(t, path, Options{})
	commit(t, s, rowsOf("a", 1))
	must(t, os.Rename(path, path+".away"))
	if _, err := s.Commit(ctx, rowsOf("b", 1)); !errors.Is(err, hold.ErrUnavailable) || !strings.Contains(err.Error(), "put it back") {
		t.Errorf("the file is gone: %v", err)
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if _, err := s.Commit(ctx, rowsOf("c", 1)); !errors.Is(err, hold.ErrUnavailable) || !strings.Contains(err.Error(), "another file") {
		t.Errorf("another file is in its place: %v", err)
	}
	must(t, os.Rename(path+".away", path))
	commit(t, s, rowsOf("d", 1))
	k.whole(t, s, 2)
}

// TestGivenUpWhileWaiting: a caller who gives up while others write is answered
// at once, and nothing of the change happens later.
func TestGivenUpWhileWaiting(t *testing.T) {
	k := newKeys(t)
	s := k.open(t, newPath(t), Options{})
	inside, goOn, first := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		first <- s.write(context.Background(), func(*group) error {
			close(inside)
			<-goOn
			return nil
		})
	}()
	<-inside
	ctx, cancel := context.WithCancelCause(context.Background())
	waiting := make(chan error)
	go func() {
		_, err := s.Commit(ctx, rowsOf("given up", 1))
		waiting <- err
	}()
	cancel(nil)
	if err := <-waiting; !errors.Is(err, hold.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	close(goOn)
	must(t, <-first)
	commit(t, s, rowsOf("after", 1))
	k.whole(t, s, 1)
}

// TestCloseWhileWriting: who was answered has his rows in the file, and who was
// not is told so.
func TestCloseWhileWriting(t *testing.T) {
	k, path := newKeys(t), newPath(t)
	s := k.open(t, path, Options{})
	var all sync.WaitGroup
	done := make([]int, 16)
	enough := make(chan struct{}, len(done)*1000)
	for i := range done {
		all.Go(func() {
			for {
				_, err := s.Commit(context.Background(), rowsOf(name("w", i), 1))
				if err != nil {
					if !errors.Is(err, hold.ErrUnavailable) {
						t.Errorf("after Close: %v", err)
					}
					return
				}
				done[i]++
				enough <- struct{}{}
			}
		})
	}
	for range 200 {
		<-enough
	}
	must(t, s.Close())
	all.Wait()
	s = k.open(t, path, Options{})
	total := 0
	for i, n := range done {
		rows, err := s.About(context.Background(), name("w", i))
		must(t, err)
		if len(rows) != n {
			t.Errorf("%d changes were answered and left %d rows", n, len(rows))
		}
		total += n
	}
	k.whole(t, s, int64(total))
}

// TestCheckpoints: one every thousand rows and at every end that had rows stays,
// and the newest is there without the others piling up.
func TestCheckpoints(t *testing.T) {
	ctx := context.Background()
	k, path := newKeys(t), newPath(t)
	s := k.open(t, path, Options{})
	sizes := func() (list []int64) {
		v, err := s.Ledger(ctx)
		must(t, err)
		all, err := v.Checkpoints(ctx, 0, 100)
		must(t, errors.Join(err, v.Close()))
		for _, c := range all {
			list = append(list, c.Size)
		}
		return list
	}
	check := func(when string, want ...int64) {
		t.Helper()
		if got := sizes(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: checkpoints %v, want %v", when, got, want)
		}
	}
	if text, err := s.Checkpoint(ctx); err != nil || text != nil {
		t.Errorf("the checkpoint of an empty ledger: %q, %v", text, err)
	}
	commit(t, s, rowsOf("a", 1))
	commit(t, s, rowsOf("a", 2))
	check("after three rows", 3)
	for range 50 {
		commit(t, s, rowsOf("a", 50))
	}
	check("after 2,503 rows", 1000, 2000, 2503)
	must(t, s.Close())
	s = k.open(t, path, Options{})
	commit(t, s, rowsOf("a", 1))
	must(t, s.Close())
	s = k.open(t, path, Options{})
	must(t, s.Close())
	s = k.open(t, path, Options{})
	check("opened and closed", 1000, 2000, 2503, 2504)
	commit(t, s, rowsOf("a", 496))
	check("at 3,000 rows", 1000, 2000, 2503, 2504, 3000)
	commit(t, s, rowsOf("a", 2))
	check("after 3,002 rows", 1000, 2000, 2503, 2504, 3000, 3002)
	text, err := s.Checkpoint(ctx)
	must(t, err)
	if size, _, err := ledger.OpenCheckpoint(text, k.public); err != nil || size != 3002 {
		t.Errorf("the newest checkpoint is of size %d, %v", size, err)
	}
	k.whole(t, s, 3002)
}

// TestUnsigned: without a signer there are no checkpoints, and old ones stay.
func TestUnsigned(t *testing.T) {
	k := newKeys(t)
	path := k.madeFile(t, 3)
	s, err := Open(context.Background(), path, Options{})
	must(t, err)
	commit(t, s, rowsOf("a", 1000))
	report := k.verify(t, s)
	if !report.OK() || report.Rows != 1003 || report.Checkpoints != 1 {
		t.Errorf("%d rows and %d checkpoints verify, want 1003 and 1; %v", report.Rows, report.Checkpoints, report.First)
	}
	must(t, s.Close())
}

// TestOldKeys: a key is kept for a day and removed some time after.
func TestOldKeys(t *testing.T) {
	ctx := context.Background()
	k, path := newKeys(t), newPath(t)
	s := k.open(t, path, Options{})
	use := func(key string, after time.Duration) {
		t.Helper()
		commit(t, s, hold.Change{Key: &hold.Key{Agent: "agent", Key: key, At: at.Add(after)}})
	}
	there := func(want ...string) {
		t.Helper()
		var got []string
		for _, key := range []string{"first", "second", "third", "fourth"} {
			if _, err := s.Key(ctx, "agent", key); err == nil {
				got = append(got, key)
			} else if !errors.Is(err, hold.ErrNotFound) {
				t.Fatal(err)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("there are the keys %q, want %q", got, want)
		}
	}
	use("first", 0)
	use("second", 2*time.Hour)
	use("third", 24*time.Hour)
	there("first", "second", "third") // a day old is not older than a day
	use("fourth", 25*time.Hour+time.Minute)
	there("second", "third", "fourth")
	use("first", 25*time.Hour+2*time.Minute) // it may be used again
}
