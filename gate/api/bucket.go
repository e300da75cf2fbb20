package api

import (
	"math"
	"time"
)

// bucket is a token bucket: it holds up to burst tokens and fills at a rate. The
// zero bucket is full. It is not safe for concurrent use.
type bucket struct {
	rate  float64 // tokens a second; negative for no limit
	burst float64

	tokens float64
	at     time.Time
}

// take takes a token. Without one it answers how long it is until there is one.
func (b *bucket) take(now time.Time) (ok bool, wait time.Duration) {
	if b.rate < 0 {
		return true, 0
	}
	switch passed := now.Sub(b.at); {
	case b.at.IsZero():
		b.tokens = b.burst
	case passed > 0:
		b.tokens = min(b.burst, b.tokens+passed.Seconds()*b.rate)
	}
	b.at = now
	if b.tokens >= 1 {
		b.tokens--
		return true, 0
	}
	missing := (1 - b.tokens) / b.rate
	// A nanosecond more than that: the sum of two fractions may fall short of one.
	return false, time.Duration(math.Ceil(min(missing, 3600)*float64(time.Second))) + 1
}
