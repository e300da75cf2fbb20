package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/identity/identitytest"
	"github.com/countersign/countersign/ledger"
)

// Engine is what is tested. All fields but Reopen are required.
type Engine struct {
	Store    hold.Store
	Identity identity.Store
	// Source takes the ledger at one moment, and a function that ends it.
	Source func(ctx context.Context) (ledger.Source, func() error, error)
	// PublicKey is that of the signer that the engine was opened with. The suite
	// wants checkpoints.
	PublicKey string
	// Reopen closes the engine and opens it again on what it left behind. Nil for
	// an engine that leaves nothing.
	Reopen func(t *testing.T) Engine
	// Close ends the engine; calls after the first do nothing.
	Close func() error
}

// Run runs the suite. open gives an empty engine of its own to each test, and
// closes it with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Engine) {
	tests := []struct {
		name string
		run  func(t *testing.T, e Engine)
	}{
		{"a change comes back whole", comesBack},
		{"bare values come back", bareComesBack},
		{"times come back in milliseconds", timesComeBack},
		{"nothing is there", nothingThere},
		{"a question moves from the version that was seen", movesFromVersion},
		{"one of a hundred moves a question", oneMoves},
		{"one of many is asked", oneIsAsked},
		{"the same question joins while it is open", joins},
		{"a key is taken once", keyTaken},
		{"one of many takes a key", oneTakesKey},
		{"a grant comes back whole", grantComesBack},
		{"a grant moves from the version that was seen", grantMovesFromVersion},
		{"a grant that cannot be given or used", grantFailures},
		{"one of a hundred uses a grant", oneUses},
		{"query grants", grantQueries},
		{"many grants", manyGrants},
		{"freeze", freezes},
		{"a change that fails leaves nothing", failureLeavesNothing},
		{"a row that cannot be written", badRows},
		{"a caller who gave up", givenUp},
		{"rows in order", rowsInOrder},
		{"rows about one subject", rowsAbout},
		{"a clock that goes back", clockGoesBack},
		{"large bodies", largeBodies},
		{"query", queries},
		{"query newest first", newestFirst},
		{"many at the same time", manyAtOnce},
		{"a snapshot stands still", snapshotStandsStill},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := open(t)
			tt.run(t, e)
			e.verify(t)
		})
	}
	t.Run("random changes", func(t *testing.T) { randomChanges(t, open) })
	t.Run("identity", func(t *testing.T) {
		identitytest.RunStore(t, func(t *testing.T) identity.Store { return open(t).Identity })
	})
	if open(t).Reopen != nil {
		t.Run("everything is there after opening again", func(t *testing.T) { reopens(t, open(t)) })
	}
}

// verify holds that the ledger is good, and returns how many rows it has.
func (e *Engine) verify(t testing.TB) int64 {
	t.Helper()
	ctx := context.Background()
	src, end, err := e.Source(ctx)
	must(t, err)
	report, err := ledger.Verify(ctx, src, e.PublicKey, nil)
	must(t, err)
	must(t, end())
	if !report.OK() {
		t.Errorf("the ledger is not whole: %v", report.First)
	}
	if report.Rows > 0 && report.Checkpoints == 0 {
		t.Error("there is no checkpoint")
	}
	return report.Rows
}

// commit commits what must succeed.
func (e *Engine) commit(t testing.TB, c hold.Change) []ledger.Row {
	t.Helper()
	if c.At.IsZero() {
		c.At = noon
	}
	rows, err := e.Store.Commit(context.Background(), c)
	must(t, err)
	if len(rows) != len(c.Rows) {
		t.Fatalf("%d entries gave %d rows", len(c.Rows), len(rows))
	}
	return rows
}

// refuse commits what must fail in a certain way.
func (e *Engine) refuse(t testing.TB, c hold.Change, want error) {
	t.Helper()
	if c.At.IsZero() {
		c.At = noon
	}
	rows, err := e.Store.Commit(context.Background(), c)
	if !errors.Is(err, want) || rows != nil {
		t.Fatalf("answered %d rows and %v, want no rows and %v", len(rows), err, want)
	}
}

// size is the number of rows.
func (e *Engine) size(t testing.TB) int64 {
	t.Helper()
	head, err := e.Store.Head(context.Background())
	must(t, err)
	return head.Size
}

// get reads a question that must be there.
func (e *Engine) get(t testing.TB, id string) approval.Approval {
	t.Helper()
	a, err := e.Store.Approval(context.Background(), id)
	must(t, err)
	return a
}

// noon is the time that the tests count from.
var noon = time.Date(2026, 3, 14, 12, 0, 0, 123_000_000, time.UTC)

// terms are short, so that the numbers are easy to follow.
var terms = approval.Terms{UseWithin: time.Minute, ReleaseWithin: time.Minute}

// hostile is text that a store which glues its statements together trips over.
const hostile = "o'neil\"; DROP TABLE ledger; -- \\ % _ , \u202e 名前 🂡"

// entry is a row that says nothing in particular.
func entry(subject string) ledger.Entry {
	return ledger.Entry{Kind: ledger.KindTransition, Subject: subject, Body: map[string]string{"about": subject}}
}

// asked is a pending question.
func asked(id, agent, device, digest string, at time.Time) approval.Approval {
	return approval.Approval{
		ID: id, State: approval.Pending, Version: 1, Agent: agent, AgentName: agent, Device: device, Digest: digest,
		Intent: "intent of " + digest, Similar: "kind of " + digest, CreatedAt: at, Deadline: at.Add(time.Hour),
	}
}

// moved is a question after an event that must be possible.
func moved(t testing.TB, a approval.Approval, e approval.Event, at time.Time) approval.Approval {
	t.Helper()
	must(t, a.Move(e, at, approval.Cause{By: "anna", How: "terminal"}, terms))
	return a
}

// move is the change that moves a question by an event.
func move(t testing.TB, a approval.Approval, e approval.Event, at time.Time) hold.Change {
	t.Helper()
	next := moved(t, a, e, at)
	return hold.Change{At: at, Rows: []ledger.Entry{entry(a.ID)}, Moved: []hold.Moved{{Approval: next, Was: a.Version}}}
}

// must stops a test at an error it does not expect.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// atOnce runs f in n goroutines that start together, and returns their errors.
func atOnce(n int, f func(i int) error) []error {
	start := make(chan struct{})
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// one holds that of many exactly one succeeded and the others were refused in a
// certain way.
func one(t testing.TB, errs []error, late error) (winner int) {
	t.Helper()
	won := 0
	for i, err := range errs {
		switch {
		case err == nil:
			won++
			winner = i
		case !errors.Is(err, late):
			t.Errorf("one that came too late: %v, want %v", err, late)
		}
	}
	if won != 1 {
		t.Fatalf("%d of %d succeeded, want 1", won, len(errs))
	}
	return winner
}

// large is a text of n bytes that no redaction takes for anything.
func large(n int) string { return strings.Repeat("a long text ", n/12+1)[:n] }

func name(prefix string, i int) string { return fmt.Sprintf("%s%03d", prefix, i) }
