package hold

import (
	"sync"
	"time"
)

// clock is the time that deadlines are held against. It never goes back: when
// the machine's clock is set back it goes on from where it was, by the monotonic
// reading where there is one. When the machine's clock is set forward it
// follows, which ends questions early rather than late.
type clock struct {
	now func() time.Time

	mu      sync.Mutex
	machine time.Time // the last reading
	at      time.Time // what was made of it
}

// newClock starts at the machine's time, but not before floor: the time of the
// last row, in case the clock was set back while nothing ran.
func newClock(now func() time.Time, floor time.Time) *clock {
	c := &clock{now: now, machine: now()}
	c.at = c.machine
	if floor.After(c.at) {
		c.at = floor
	}
	return c
}

// read is the time, in UTC, to the millisecond.
func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.now()
	if passed := m.Sub(c.machine); passed > 0 {
		c.at = c.at.Add(passed)
	}
	if m.After(c.at) {
		c.at = m
	}
	c.machine = m
	return c.at.Round(0).UTC().Truncate(time.Millisecond)
}
