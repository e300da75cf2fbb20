package hold_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/store/sqlite"
)

// complainer is what *testing.T and *rapid.T have in common.
type complainer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// fixture is a desk on a store in memory, with a clock of its own.
type fixture struct {
	t       complainer
	ctx     context.Context
	clock   *handClock
	store   *sqlite.Store
	desk    *hold.Desk
	options hold.Options
	public  string
	order   []string
}

func newFixture(t *testing.T, c complainer, change ...func(*hold.Options)) *fixture {
	c.Helper()
	private, public, err := ledger.GenerateKey("countersign")
	if err != nil {
		c.Fatalf("make a key: %v", err)
	}
	signer, err := ledger.NewSigner(private)
	if err != nil {
		c.Fatalf("read the key: %v", err)
	}
	f := &fixture{t: c, ctx: context.Background(), clock: newHandClock(), public: public}
	f.store, err = sqlite.Open(f.ctx, sqlite.Memory, sqlite.Options{Signer: signer})
	if err != nil {
		c.Fatalf("open a store: %v", err)
	}
	f.options = hold.Options{Store: f.store, Decider: decider(c), Now: f.clock.now, Somebody: func(context.Context) bool { return true }}
	for _, ch := range change {
		ch(&f.options)
	}
	f.desk, err = hold.New(f.ctx, f.options)
	if err != nil {
		c.Fatalf("make a desk: %v", err)
	}
	return f
}

func decider(c complainer) *decide.Decider {
	p, err := policy.Preset("default")
	if err != nil {
		c.Fatalf("read the policy: %v", err)
	}
	return &decide.Decider{Policy: p, Catalog: catalog.Default(), Key: []byte("0123456789abcdef0123456789abcdef")}
}

func (f *fixture) restart() {
	f.t.Helper()
	f.desk.Close()
	var err error
	if f.desk, err = hold.New(f.ctx, f.options); err != nil {
		f.t.Fatalf("start again: %v", err)
	}
}

func (f *fixture) close() {
	f.desk.Close()
	if err := f.store.Close(); err != nil {
		f.t.Fatalf("close the store: %v", err)
	}
}

// verify checks the whole record.
func (f *fixture) verify() {
	f.t.Helper()
	moment, err := f.store.Ledger(f.ctx)
	if err != nil {
		f.t.Fatalf("read the record: %v", err)
	}
	defer moment.Close()
	report, err := ledger.Verify(f.ctx, moment, f.public, nil)
	if err != nil || !report.OK() {
		f.t.Fatalf("the record: %v, first fault %v", err, report.First)
	}
}

func (f *fixture) digest(id string) string {
	f.t.Helper()
	a, err := f.store.Approval(f.ctx, id)
	if err != nil {
		f.t.Fatalf("read %s: %v", id, err)
	}
	return a.Digest
}

// handClock is moved by hand. Its times carry no monotonic reading, like those
// of a machine that slept.
type handClock struct {
	mu sync.Mutex
	at time.Time
}

func newHandClock() *handClock { return &handClock{at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)} }

func (c *handClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// setBack sets the clock back; passing time goes on from there.
func (c *handClock) setBack(d time.Duration) { c.pass(-d) }

func canceled(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx, cancel
}
