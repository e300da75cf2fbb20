package bench

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// progress is for long runs: every so many rows say how fast they came and what
// the process holds.
var progress = flag.Int64("progress", 0, "after how many rows BenchmarkRecord says how far it is; 0 for never")

// proposal is an action that is allowed, as an agent proposes it.
func proposal() hold.Proposal {
	return hold.Proposal{Agent: "agt_1", AgentName: "bench", Request: &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Task: "look up when Anna is at home", Device: "emulator-5554", Session: "s1",
		Screen: &decide.Screen{Package: Miss.Package},
		Target: &decide.Target{Text: Miss.Text, ContentDesc: Miss.ContentDesc, ResourceID: Miss.ResourceID},
	}}
}

// recorder records one allowed action; when it returns the row is on the disk.
type recorder func(ctx context.Context) error

// desk is our way: decide, make a row of it, append it to the ledger in a
// transaction that all who wait share.
func desk(t testing.TB) recorder {
	d := startGuard(t).Desk()
	return func(ctx context.Context) error {
		ticket, err := d.Propose(ctx, proposal())
		if err == nil && ticket.Outcome != risk.Allow {
			err = fmt.Errorf("%s, not allowed", ticket.Outcome)
		}
		return err
	}
}

// naive is the way one writes it first: a table, and a transaction for each row
// of the same size. It decides nothing, redacts nothing and links no row to the
// one before.
func naive(t testing.TB) recorder {
	path := filepath.Join(t.TempDir(), "naive.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	// SQLite has one writer at a time; with more connections they would wait for
	// each other inside of it, which is slower.
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE decisions (seq INTEGER PRIMARY KEY, subject TEXT NOT NULL, data TEXT NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	insert, err := db.Prepare(`INSERT INTO decisions (subject, data) VALUES (?, ?)`)
	if err != nil {
		t.Fatal(err)
	}
	row := strings.Repeat("-", rowSize)
	var next atomic.Int64
	return func(ctx context.Context) error {
		_, err := insert.ExecContext(ctx, fmt.Sprintf("a_%012d", next.Add(1)), row)
		return err
	}
}

// rowSize is about what a row of desk has in bytes; TestRowSize holds it.
const rowSize = 1500

func TestRowSize(t *testing.T) {
	ctx := context.Background()
	g := startGuard(t)
	ticket, err := g.Desk().Propose(ctx, proposal())
	if err != nil {
		t.Fatal(err)
	}
	file, err := sqlite.OpenReadOnly(ctx, filepath.Join(g.home, daemon.DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := file.About(ctx, ticket.ID)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if n := len(rows[0].Data); n < rowSize*3/4 || n > rowSize*5/4 {
		t.Errorf("a row has %d bytes, rowSize says %d", n, rowSize)
	}
}

// BenchmarkRecord is one durable row an iteration, by as many at the same time
// as at says.
func BenchmarkRecord(b *testing.B) {
	for _, way := range []struct {
		name string
		make func(testing.TB) recorder
	}{{"naive", naive}, {"desk", desk}} {
		for _, at := range []int{1, 64} {
			b.Run(fmt.Sprintf("way=%s/at=%d", way.name, at), func(b *testing.B) {
				record := way.make(b)
				b.ReportAllocs()
				b.ResetTimer()
				start := cpuTime()
				took := many(b, at, record)
				b.StopTimer()
				b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
				reportQuantiles(b, "", took)
			})
		}
	}
}

// many records b.N rows, at so many at the same time, and returns how long each
// took, the shortest first.
func many(b *testing.B, at int, record recorder) []time.Duration {
	var left, done atomic.Int64
	left.Store(int64(b.N))
	all := make([]time.Duration, b.N)
	var shown atomic.Int64
	shown.Store(time.Now().UnixNano())
	var recorders sync.WaitGroup
	for range at {
		recorders.Go(func() {
			for left.Add(-1) >= 0 {
				begun := time.Now()
				if err := record(context.Background()); err != nil {
					b.Error(err)
					return
				}
				n := done.Add(1)
				all[n-1] = time.Since(begun)
				if *progress > 0 && n%*progress == 0 {
					now := time.Now().UnixNano()
					since := time.Duration(now - shown.Swap(now))
					fmt.Fprintf(os.Stderr, "%9d rows %7.0f rows/s %s\n", n, float64(*progress)/since.Seconds(), held())
				}
			}
		})
	}
	recorders.Wait()
	slices.Sort(all)
	return all
}

// held says what the process holds: its heap after a collection, and what the
// machine gave it.
func held() string {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf("heap %d MB, resident %s", m.HeapAlloc>>20, resident())
}

// resident is the memory of this process, where the machine says so.
func resident() string {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return "unknown"
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return "unknown"
	}
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%d MB", pages*os.Getpagesize()>>20)
}
