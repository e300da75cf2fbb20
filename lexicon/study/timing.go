package study

import (
	"slices"
	"time"

	"github.com/countersign/countersign/lexicon"
)

// Timing is how long the lexicon takes to read a label, both layers together.
type Timing struct {
	Labels int
	// Median and Slow are of all labels: half take no longer than the one, 99 of
	// 100 no longer than the other.
	Median, Slow time.Duration
}

// timedLabels is how many labels are read, timedReads how often each.
const (
	timedLabels = 20_000
	timedReads  = 8
)

// Time reads labels from all over the rows with the lexicon that is part of the
// program. Of the readings of a label the fastest counts: what is measured is
// the work, not what else the machine does.
func Time(rows []Row) Timing {
	lex := lexicon.Default()
	every := max(1, len(rows)/timedLabels)
	var took []time.Duration
	for i := 0; i < len(rows); i += every {
		q := lexicon.Query{Text: rows[i].Value, Language: rows[i].Locale}
		best := time.Hour
		for range timedReads {
			start := time.Now()
			lex.Read(q)
			best = min(best, time.Since(start))
		}
		took = append(took, best)
	}
	if len(took) == 0 {
		return Timing{}
	}
	slices.Sort(took)
	return Timing{Labels: len(took), Median: took[len(took)/2], Slow: took[len(took)*99/100]}
}
