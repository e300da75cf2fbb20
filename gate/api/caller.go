package api

import (
	"sync"
	"time"

	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// caller is what the gate knows of one credential: its limits and what was
// counted since the last aggregate row. The caller without an id stands for all
// requests that showed no credential.
type caller struct {
	agent string

	mu    sync.Mutex
	pure  bucket
	bad   bucket
	waits int
	count tally
}

// tally is what is counted between two rows.
type tally struct {
	from    time.Time // zero while nothing was counted
	counts  ledger.Counts
	refused int64
}

// callers are all credentials that asked so far. It is safe for concurrent use.
type callers struct {
	limits Limits
	mu     sync.RWMutex
	all    map[string]*caller
}

// of is the caller with this id. Only ids of the registry come here, so there
// are no more of them than there are agents.
func (c *callers) of(agent string) *caller {
	c.mu.RLock()
	who := c.all[agent]
	c.mu.RUnlock()
	if who != nil {
		return who
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if who = c.all[agent]; who == nil {
		who = &caller{
			agent: agent,
			pure:  bucket{rate: c.limits.PureRate, burst: float64(c.limits.Burst)},
			bad:   bucket{rate: max(c.limits.BadRate, 0), burst: badBurst},
		}
		if c.limits.BadRate < 0 {
			who.bad.burst = 0
		}
		c.all[agent] = who
	}
	return who
}

func (c *callers) each(f func(*caller)) {
	c.mu.RLock()
	all := make([]*caller, 0, len(c.all))
	for _, who := range c.all {
		all = append(all, who)
	}
	c.mu.RUnlock()
	for _, who := range all {
		f(who)
	}
}

// mayDecide takes one pure decision off the limit.
func (c *caller) mayDecide(now time.Time) (ok bool, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pure.take(now)
}

// decided counts a pure decision.
func (c *caller) decided(now time.Time, o risk.Outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begin(now)
	switch o {
	case risk.Allow:
		c.count.counts.Allow++
	case risk.Confirm:
		c.count.counts.Confirm++
	default:
		c.count.counts.Deny++
	}
}

// begin starts the span that is counted; c.mu is held.
func (c *caller) begin(now time.Time) {
	if c.count.from.IsZero() {
		c.count.from = now
	}
}

// mayRefuse reports whether a refused request leaves a row of its own.
func (c *caller) mayRefuse(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	ok, _ := c.bad.take(now)
	return ok
}

// refused counts a refused request that leaves no row.
func (c *caller) refused(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begin(now)
	c.count.refused++
}

// wait takes a place among those that wait; done gives it back.
func (c *caller) wait() (done func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waits >= maxWaits {
		return nil, false
	}
	c.waits++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waits--
	}, true
}

// takeTally empties the count; ok is false when nothing was counted.
func (c *caller) takeTally() (t tally, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, c.count = c.count, tally{}
	return t, !t.from.IsZero()
}

// giveBack adds a tally that could not be recorded.
func (c *caller) giveBack(t tally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count.from = t.from
	c.count.counts.Allow += t.counts.Allow
	c.count.counts.Confirm += t.counts.Confirm
	c.count.counts.Deny += t.counts.Deny
	c.count.refused += t.refused
}
