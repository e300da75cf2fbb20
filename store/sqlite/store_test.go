package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/storetest"
)

// TestMain runs the part of a test that needs a process of its own; see
// process_test.go.
func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		child(what)
		return
	}
	os.Exit(m.Run())
}

func TestSuiteOnAFile(t *testing.T) {
	k := newKeys(t)
	storetest.Run(t, func(t *testing.T) storetest.Engine {
		return k.engine(t, newPath(t))
	})
}

func TestSuiteInMemory(t *testing.T) {
	k := newKeys(t)
	storetest.Run(t, func(t *testing.T) storetest.Engine { return k.engine(t, Memory) })
}

// TestRevokedName: one that is revoked is saved again although somebody else has
// the name by now.
func TestRevokedName(t *testing.T) {
	ctx := context.Background()
	s := newKeys(t).open(t, Memory, Options{})
	old := identity.Agent{ID: "1", Name: "kim", SecretHash: "h1", CreatedAt: at, RevokedAt: at}
	must(t, s.SaveAgent(ctx, old))
	must(t, s.SaveAgent(ctx, identity.Agent{ID: "2", Name: "Kim", SecretHash: "h2", CreatedAt: at}))
	old.CreatedBy = "anna"
	must(t, s.SaveAgent(ctx, old))
	if got, err := s.AgentByHash(ctx, "h1"); err != nil || got.CreatedBy != "anna" {
		t.Errorf("the revoked one is %q, %v", got.CreatedBy, err)
	}
	if err := s.SaveAgent(ctx, identity.Agent{ID: "3", Name: "lee", SecretHash: "h3", Devices: []string{"\xff"}}); err == nil {
		t.Error("a device that cannot come back byte for byte was taken")
	}
}

// keys sign and verify the checkpoints of a test.
type keys struct {
	signer          *ledger.Signer
	private, public string
}

func newKeys(t testing.TB) keys {
	t.Helper()
	private, public, err := ledger.GenerateKey("countersign.test")
	must(t, err)
	signer, err := ledger.NewSigner(private)
	must(t, err)
	return keys{signer, private, public}
}

// engine opens a store for the suite.
func (k keys) engine(t testing.TB, path string) storetest.Engine {
	t.Helper()
	s := k.open(t, path, Options{})
	e := storetest.Engine{
		Store: s, Identity: s, PublicKey: k.public, Close: s.Close,
		Source: func(ctx context.Context) (ledger.Source, func() error, error) {
			v, err := s.Ledger(ctx)
			if err != nil {
				return nil, nil, err
			}
			return v, v.Close, nil
		},
	}
	if path != Memory {
		e.Reopen = func(t *testing.T) storetest.Engine {
			t.Helper()
			must(t, s.Close())
			return k.engine(t, path)
		}
	}
	return e
}

// open opens a store that is closed with the test.
func (k keys) open(t testing.TB, path string, o Options) *Store {
	t.Helper()
	o.Signer = k.signer
	s, err := Open(context.Background(), path, o)
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// at is the time of rows whose time is of no account.
var at = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// rowsOf is a change with some rows about one subject.
func rowsOf(subject string, n int) hold.Change {
	c := hold.Change{At: at}
	for i := range n {
		c.Rows = append(c.Rows, ledger.Entry{Kind: ledger.KindResult, Subject: subject, Body: map[string]int{"n": i}})
	}
	return c
}

// commit commits what must succeed.
func commit(t testing.TB, s *Store, c hold.Change) []ledger.Row {
	t.Helper()
	rows, err := s.Commit(context.Background(), c)
	must(t, err)
	return rows
}

// verify verifies the ledger of a store.
func (k keys) verify(t testing.TB, s *Store) ledger.Report {
	t.Helper()
	report, err := k.report(s)
	must(t, err)
	return report
}

func (k keys) report(s *Store) (ledger.Report, error) {
	ctx := context.Background()
	v, err := s.Ledger(ctx)
	if err != nil {
		return ledger.Report{}, err
	}
	report, err := ledger.Verify(ctx, v, k.public, nil)
	return report, errors.Join(err, v.Close())
}

// whole holds that the ledger is good and has so many rows.
func (k keys) whole(t testing.TB, s *Store, rows int64) {
	t.Helper()
	if report := k.verify(t, s); !report.OK() || report.Rows != rows {
		t.Errorf("%d rows verify, want %d; %v", report.Rows, rows, report.First)
	}
}

// newPath is a path at which there is nothing yet.
func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "countersign.db") }

// name numbers the things of a test.
func name(prefix string, i int) string { return fmt.Sprintf("%s%03d", prefix, i) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
