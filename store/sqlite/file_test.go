package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// sqlDo runs statements on a file behind the back of a store.
func sqlDo(t testing.TB, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", address(path, "rwc"))
	must(t, err)
	for _, s := range statements {
		_, err := db.Exec(s)
		must(t, err)
	}
	must(t, db.Close())
}

// madeFile is a closed file of a store with some rows and a question.
func (k keys) madeFile(t testing.TB, rows int) (path string) {
	t.Helper()
	path = newPath(t)
	s := k.open(t, path, Options{})
	for i := range rows {
		commit(t, s, rowsOf(name("s", i), 1))
	}
	must(t, s.Close())
	return path
}

// TestRefusedFiles: what is not ours, not known or not whole is refused with
// what to do next, and is byte for byte as it was.
func TestRefusedFiles(t *testing.T) {
	k := newKeys(t)
	edit := func(statements ...string) func(t *testing.T) string {
		return func(t *testing.T) string {
			path := k.madeFile(t, 20)
			sqlDo(t, path, statements...)
			return path
		}
	}
	foreign := func(statements ...string) func(t *testing.T) string {
		return func(t *testing.T) string {
			path := newPath(t)
			sqlDo(t, path, statements...)
			return path
		}
	}
	patched := func(patch func(data []byte) []byte) func(t *testing.T) string {
		return func(t *testing.T) string {
			path := k.madeFile(t, 20)
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, patch(data), 0o600))
			return path
		}
	}
	tests := []struct {
		name     string
		make     func(t *testing.T) string
		want     error
		says     string
		readable bool // OpenReadOnly opens it, so that it can be verified
	}{
		{"newer", edit(`PRAGMA user_version = 7`), ErrNewer, fmt.Sprintf("version 7, this program knows up to %d", latest), false},
		{"of another program", foreign(`CREATE TABLE t (x)`), ErrForeign, "0x4353474e", false},
		{"of another program that says so", foreign(`PRAGMA application_id = 42`), ErrForeign, "0x2a", false},
		{"of another program with a version", foreign(`PRAGMA user_version = 1`), ErrForeign, "", false},
		{"no database", patched(func([]byte) []byte { return []byte(strings.Repeat("no database\n", 100)) }), ErrDamaged, "put a copy", false},
		{"its beginning gone", patched(func(d []byte) []byte { copy(d, make([]byte, 16)); return d }), ErrDamaged, "put a copy", false},
		{"its end gone", patched(func(d []byte) []byte { return d[:len(d)/2] }), ErrDamaged, "put a copy", false},
		{"a page gone", patched(func(d []byte) []byte { copy(d[4096:], make([]byte, 4096)); return d }), ErrDamaged, "put a copy", true},
		{"its count of free pages wrong", patched(func(d []byte) []byte { d[39] = 1; return d }), ErrDamaged, "reelist", true},
		{"its last row gone", edit(`DELETE FROM ledger WHERE seq = 20`), ErrDamaged, "ends at row 19 and its head says 20", true},
		{"a row too many", edit(`INSERT INTO ledger SELECT 21, subject, data, hash FROM ledger WHERE seq = 20`), ErrDamaged, "ends at row 21", true},
		{"its last row another", edit(`UPDATE ledger SET hash = zeroblob(32) WHERE seq = 20`), ErrDamaged, "", true},
		{"its head gone", edit(`DELETE FROM head`), ErrDamaged, "its head says 0", true},
		{"its head damaged", edit(`UPDATE head SET data = x'00'`), ErrDamaged, "put a copy", true},
		{"a table gone", edit(`DROP TABLE keys`), nil, "no such table: keys", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.make(t)
			before, err := os.ReadFile(path)
			must(t, err)
			for range 2 { // the first refusal leaves nothing that a second stumbles over
				s, err := Open(context.Background(), path, Options{Signer: k.signer})
				if err == nil {
					t.Fatal("it was opened", s.Close())
				}
				if tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("refused with %v, want %v and %q", err, tt.want, tt.says)
				}
			}
			s, err := OpenReadOnly(context.Background(), path)
			if (err == nil) != tt.readable {
				t.Errorf("opened to read: %v, want it to be possible: %v", err, tt.readable)
			}
			if err == nil {
				must(t, s.Close())
			}
			after, err := os.ReadFile(path)
			must(t, err)
			if !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

// TestPaths: signs that mean something in the name of a database are plain in a
// path; a folder is not made.
func TestPaths(t *testing.T) {
	k, dir := newKeys(t), t.TempDir()
	for i, base := range []string{"a b.db", "a?mode=memory", "a#b", "50%.db", "%41", "größe 名前", "a&b;c"} {
		path := filepath.Join(dir, base)
		s := k.open(t, path, Options{})
		commit(t, s, rowsOf("a", 1))
		must(t, s.Close())
		k.whole(t, k.open(t, path, Options{}), 1)
		entries, err := filepath.Glob(filepath.Join(dir, "*.lock"))
		must(t, err)
		if _, err := os.Stat(path); err != nil || len(entries) != i+1 {
			t.Errorf("%q: %v; the folder has %d locks, want %d", base, err, len(entries), i+1)
		}
	}
	for _, path := range []string{"", dir, filepath.Join(dir, "nowhere", "a.db")} {
		if s, err := Open(context.Background(), path, Options{}); err == nil {
			t.Errorf("%q was opened: %v", path, s.Close())
		}
		if s, err := OpenReadOnly(context.Background(), path); err == nil {
			t.Errorf("%q was opened to read: %v", path, s.Close())
		}
	}
	if _, err := os.Stat(dir + ".lock"); err == nil {
		t.Error("a lock was left for what is no file")
	}
}

// TestInUse: a second daemon is told which process is in its way, and a
// shared or a reading store is not kept out.
func TestInUse(t *testing.T) {
	k, path := newKeys(t), newPath(t)
	s := k.open(t, path, Options{})
	commit(t, s, rowsOf("a", 1))
	for range 2 {
		_, err := Open(context.Background(), path, Options{})
		if want := fmt.Sprintf("process %d", os.Getpid()); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), want) {
			t.Errorf("opened twice: %v, want %s to be named", err, want)
		}
	}
	shared := k.open(t, path, Options{Shared: true})
	commit(t, shared, rowsOf("b", 1))
	commit(t, s, rowsOf("c", 1))
	must(t, s.Close())
	k.whole(t, k.open(t, path, Options{}), 3)
	k.whole(t, shared, 3)
}

// TestOpenReadOnly: it reads what is committed beside it, and writes nothing.
func TestOpenReadOnly(t *testing.T) {
	ctx := context.Background()
	k, path := newKeys(t), newPath(t)
	if _, err := OpenReadOnly(ctx, path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if _, err := OpenReadOnly(ctx, path); !errors.Is(err, ErrOlder) {
		t.Errorf("an empty file: %v", err)
	}
	s := k.open(t, path, Options{})
	commit(t, s, rowsOf("a", 2))
	r, err := OpenReadOnly(ctx, path)
	must(t, err)
	k.whole(t, r, 2)
	commit(t, s, rowsOf("b", 2))
	k.whole(t, r, 4)
	if rows, err := r.Commit(ctx, rowsOf("c", 1)); !errors.Is(err, hold.ErrUnavailable) || rows != nil {
		t.Errorf("a commit: %v", err)
	}
	if err := r.DeleteExpired(ctx, at); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("a deletion: %v", err)
	}
	must(t, r.Close())
	must(t, s.Close())
	r, err = OpenReadOnly(ctx, path) // nobody else has it open
	must(t, err)
	k.whole(t, r, 4)
	must(t, r.Close())
}

// TestMigrations: each step is whole or not there, and the steps are counted.
func TestMigrations(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	db, err := sql.Open("sqlite", address(path, "rwc")+"&_txlock=immediate")
	must(t, err)
	defer db.Close()
	version := func() int64 {
		n, err := number(ctx, db, `PRAGMA user_version`)
		must(t, err)
		return n
	}
	good := []string{`CREATE TABLE one (x); INSERT INTO one VALUES (1)`, `ALTER TABLE one ADD COLUMN y; UPDATE one SET y = 2`}
	bad := append(good[:2:2], `CREATE TABLE three (x); INSERT INTO nowhere VALUES (1)`)
	if err := migrateWith(ctx, db, bad); err == nil || !strings.Contains(err.Error(), "from version 2") {
		t.Errorf("a step that fails: %v", err)
	}
	tables, err := number(ctx, db, `SELECT count(*) FROM sqlite_schema`)
	must(t, err)
	if version() != 2 || tables != 1 {
		t.Errorf("after a step that failed the version is %d and there are %d tables, want 2 and 1", version(), tables)
	}
	bad[2] = `CREATE TABLE three (x)`
	must(t, migrateWith(ctx, db, bad))
	must(t, migrateWith(ctx, db, bad))
	id, err := number(ctx, db, `PRAGMA application_id`)
	must(t, err)
	sum, err := number(ctx, db, `SELECT x + y FROM one`)
	must(t, err)
	if version() != 3 || id != applicationID || sum != 3 {
		t.Errorf("version %d, application %#x, sum %d", version(), id, sum)
	}
	defer func() {
		if recover() == nil {
			t.Error("a migration that is missing was not noticed")
		}
	}()
	readMigrations(fstest.MapFS{"migrations/001.sql": {}, "migrations/003.sql": {}})
}

// TestFlippedBytes: a byte that changed while the file was closed is noticed
// when it is opened, read or verified, wherever it lay; or it lay where nothing
// of the ledger is, and all rows are as they were.
func TestFlippedBytes(t *testing.T) {
	const flips = 80
	k := newKeys(t)
	path := k.madeFile(t, 60)
	good, err := os.ReadFile(path)
	must(t, err)
	s := k.open(t, path, Options{})
	want, err := s.Rows(context.Background(), 0, 100)
	must(t, err)
	must(t, s.Close())
	found := map[string]int{}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range flips {
		data := bytes.Clone(good)
		where := rnd.IntN(len(data))
		data[where] ^= byte(1 + rnd.IntN(255))
		if i%3 == 0 { // sometimes the rest of its page as well
			for w := where; w < len(data) && w%4096 != 0; w++ {
				data[w] = byte(rnd.Uint32())
			}
		}
		broken := filepath.Join(t.TempDir(), "broken.db")
		must(t, os.WriteFile(broken, data, 0o600))
		how, rows := k.lookAt(broken)
		found[how]++
		if how == "nothing found" && !reflect.DeepEqual(rows, want) {
			t.Errorf("flip %d at byte %d was not noticed and changed the rows", i, where)
		}
	}
	if found["open"] == 0 || found["verify"] == 0 {
		t.Errorf("%v; the test does not reach what it is for", found)
	}
}

// lookAt opens and verifies a file and says what noticed that something is wrong.
func (k keys) lookAt(path string) (how string, rows []ledger.Row) {
	s, err := Open(context.Background(), path, Options{Signer: k.signer})
	if err != nil {
		return "open", nil
	}
	defer s.Close()
	report, err := k.report(s)
	if err != nil || !report.OK() {
		return "verify", nil
	}
	if rows, err = s.Rows(context.Background(), 0, 100); err != nil {
		return "read", nil
	}
	return "nothing found", rows
}

// TestVerifyNamesWhatOpenRefuses: of a ledger whose end is not right, which is
// not opened to be written, verification says which row it is.
func TestVerifyNamesWhatOpenRefuses(t *testing.T) {
	k := newKeys(t)
	for _, tt := range []struct {
		edit string
		seq  int64
	}{
		{`DELETE FROM ledger WHERE seq = 20`, 20},
		{`DELETE FROM ledger WHERE seq > 7`, 8},
		{`INSERT INTO ledger SELECT 21, subject, data, hash FROM ledger WHERE seq = 20`, 21},
		{`UPDATE ledger SET hash = zeroblob(32) WHERE seq = 20`, 20},
		{`DELETE FROM head`, 1},
		{`UPDATE head SET data = x'00'`, 0},
	} {
		path := k.madeFile(t, 20)
		sqlDo(t, path, tt.edit)
		if _, err := Open(context.Background(), path, Options{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: opened with %v", tt.edit, err)
		}
		s, err := OpenReadOnly(context.Background(), path)
		must(t, err)
		report := k.verify(t, s)
		if report.OK() || report.First.Seq != tt.seq {
			t.Errorf("%s: verification names %v, want row %d", tt.edit, report.First, tt.seq)
		}
		must(t, s.Close())
	}
}

// TestTornLog: after a crash of the machine the write-ahead log may end
// anywhere, or in garbage. What is left is a whole ledger, and as long as what
// was written before the tear.
func TestTornLog(t *testing.T) {
	const tears = 40
	k, path := newKeys(t), newPath(t)
	s := k.open(t, path, Options{})
	var lengths []int // of the log after so many rows
	for i := range 30 {
		commit(t, s, rowsOf(name("s", i), 1))
		info, err := os.Stat(path + "-wal")
		must(t, err)
		lengths = append(lengths, int(info.Size()))
	}
	file, err := os.ReadFile(path)
	must(t, err)
	log, err := os.ReadFile(path + "-wal")
	must(t, err)
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range tears {
		tear := rnd.IntN(len(log))
		torn := bytes.Clone(log[:tear])
		if i%2 == 0 {
			for range len(log) - tear {
				torn = append(torn, byte(rnd.Uint32()))
			}
		}
		want := int64(0)
		for n, length := range lengths {
			if length <= tear {
				want = int64(n + 1)
			}
		}
		copied := newPath(t)
		must(t, os.WriteFile(copied, file, 0o600))
		must(t, os.WriteFile(copied+"-wal", torn, 0o600))
		again := k.open(t, copied, Options{})
		k.whole(t, again, want)
		commit(t, again, rowsOf("after", 1))
		k.whole(t, again, want+1)
		must(t, again.Close())
	}
}

// TestApplicationID: the header says what the file is, for programs that look.
func TestApplicationID(t *testing.T) {
	data, err := os.ReadFile(newKeys(t).madeFile(t, 1))
	must(t, err)
	if got := binary.BigEndian.Uint32(data[68:]); got != applicationID || string(data[68:72]) != "CSGN" {
		t.Errorf("application id %#x", got)
	}
}
