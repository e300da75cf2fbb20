package answer_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// faults is a store that can be told to fail, and what to do when it has read.
type faults struct {
	hold.Store
	full atomic.Bool            // nothing can be written
	once atomic.Pointer[func()] // what happens after the next reading of a list
	read atomic.Int64           // how many lists were read

	blind atomic.Bool // no list can be read
	// crowd are open questions beside those of the store: putting a thousand takes
	// minutes under the race detector.
	crowd []approval.Approval
}

func (f *faults) Commit(ctx context.Context, c hold.Change) ([]ledger.Row, error) {
	if f.full.Load() {
		return nil, fmt.Errorf("write /secret/path: %w", hold.ErrUnavailable)
	}
	return f.Store.Commit(ctx, c)
}

func (f *faults) Approvals(ctx context.Context, q hold.Query) ([]approval.Approval, error) {
	if f.blind.Load() {
		return nil, fmt.Errorf("read /secret/path: %w", hold.ErrUnavailable)
	}
	list, err := f.Store.Approvals(ctx, q)
	f.read.Add(1)
	if slices.Contains(q.States, approval.Pending) && q.Agent == "" {
		list = append(slices.Clone(f.crowd), list...)
		list = list[:min(len(list), cmp.Or(q.Limit, 100))]
	}
	if then := f.once.Swap(nil); then != nil {
		(*then)()
	}
	return list, err
}

// handClock is moved by hand.
type handClock struct {
	mu sync.Mutex
	at time.Time
}

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
