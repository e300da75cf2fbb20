package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"
)

// counts is an Asking while it is counted.
type counts struct {
	Asking
	passed  int64 // allowed
	tasks   distinct
	answers spans
}

func (c *counts) answer(took time.Duration, hasty bool) {
	c.answers.add(took)
	if hasty {
		c.Hasty++
	}
}

// asking fills in what follows from the counts.
func (c *counts) asking() Asking {
	a := c.Asking
	a.Tasks = c.tasks.count()
	a.Median, a.P90 = Millis(c.answers.quantile(0.5)), Millis(c.answers.quantile(0.9))
	a.AskedPer100 = ratio(100*(a.Asked+a.WouldAsk), a.Actions)
	a.AskedPerTask = ratio(a.AskedInTasks, a.Tasks)
	whole := a.Asked + a.Joined + a.Linked + a.Granted
	a.Shares = Shares{
		Approved: ratio(a.Approved, a.Asked), Denied: ratio(a.Denied, a.Asked), Expired: ratio(a.Expired, a.Asked),
		Withdrawn: ratio(a.Withdrawn, a.Asked), Nobody: ratio(a.Nobody, a.Asked), Hasty: ratio(a.Hasty, a.Answered()),
		Joined: ratio(a.Joined, whole), Linked: ratio(a.Linked, whole), Granted: ratio(a.Granted, whole),
		Needless: ratio(a.Needless, a.Actions-c.passed), Missed: ratio(a.Missed, c.passed),
	}
	return a
}

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// task names the task of an action: by the session where the agent names one,
// else by the text of the task. Those of two agents are two.
type task struct {
	hash             uint64
	named, bySession bool
}

func tasksOf(d *Decision) task {
	kind, text := "session", d.Session
	if text == "" {
		kind, text = "text", d.Task
	}
	if text == "" {
		return task{}
	}
	// A cryptographic hash, since the estimate of distinct needs one that nobody
	// can steer.
	sum := sha256.Sum256([]byte(kind + "\x00" + d.Agent + "\x00" + text))
	return task{hash: binary.BigEndian.Uint64(sum[:]), named: true, bySession: kind == "session"}
}

// distinct counts different hashes with bounded memory: it keeps the smallest
// ones. Up to that many it is exact; above, how close together they lie says how
// many there are (Bar-Yossef et al. 2002, "Counting distinct elements in a data
// stream"), with a standard error of 1/sqrt(keptHashes), here 3 in 100.
type distinct struct{ smallest []uint64 }

const keptHashes = 1000

func (d *distinct) add(hash uint64) {
	i, found := slices.BinarySearch(d.smallest, hash)
	switch {
	case found, i == keptHashes:
		return
	case len(d.smallest) == keptHashes:
		d.smallest = d.smallest[:keptHashes-1]
	}
	d.smallest = slices.Insert(d.smallest, i, hash)
}

func (d *distinct) count() int64 {
	n := len(d.smallest)
	if n < keptHashes {
		return int64(n)
	}
	largest := float64(d.smallest[n-1]) / math.MaxUint64
	return int64(math.Round(float64(n-1) / largest))
}

// spans keeps lengths of time with bounded memory: as counts in buckets that grow
// with the length, each at most 1/64 as wide as the times in it. Below 128
// milliseconds they are exact.
type spans struct {
	buckets map[int]int64
	n       int64
}

const finest = 6 // the binary logarithm of the buckets between two powers of two

func (s *spans) add(d time.Duration) {
	if s.buckets == nil {
		s.buckets = map[int]int64{}
	}
	s.buckets[bucketOf(max(0, d.Milliseconds()))]++
	s.n++
}

func bucketOf(ms int64) int {
	shift := max(0, bits.Len64(uint64(ms))-finest-1)
	return shift<<finest + int(ms>>shift)
}

// lowest is the smallest number of milliseconds in a bucket.
func lowest(bucket int) int64 {
	shift := max(0, bucket>>finest-1)
	return int64(bucket-shift<<finest) << shift
}

// quantile is the time that a part of all, 0 < q <= 1, is not above; 0 for none.
func (s *spans) quantile(q float64) time.Duration {
	order := make([]int, 0, len(s.buckets))
	for b := range s.buckets {
		order = append(order, b)
	}
	slices.Sort(order)
	rank, seen := int64(math.Ceil(q*float64(s.n))), int64(0)
	for _, b := range order {
		if seen += s.buckets[b]; seen >= rank {
			return time.Duration(lowest(b)) * time.Millisecond
		}
	}
	return 0
}
