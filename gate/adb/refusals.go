package adb

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
)

// How many refusals have rows of their own: each the first time within a while, and
// of different ones so many. An agent that asks for the same again and again would
// fill the disk otherwise. What repeats is a row that says how often, what is beyond
// the bound one that says how many.
const (
	refusalsFor = time.Minute
	maxRefusals = 64
)

// refusals are those since the last rows that counted some.
type refusals struct {
	mu    sync.Mutex
	from  time.Time
	again map[refusal]int64 // how often each came after its first row
	more  int64             // that had no row
	flush *time.Timer       // nil while there is nothing to count
}

// refusal is what was refused and why, as it is written down.
type refusal struct{ what, why string }

// Refused leaves the row of a request that a front end has refused by itself. What
// is the agent's text and is quoted; why is what it was told.
func (g *Gate) Refused(ctx context.Context, what, why string) {
	r := refusal{"adb " + decide.Quote(what, maxShown), why}
	now := g.options.Now()
	q := &g.refusals
	q.mu.Lock()
	if q.flush != nil && now.Sub(q.from) >= refusalsFor {
		q.mu.Unlock()
		g.Flush(ctx)
		q.mu.Lock()
	}
	if q.again == nil || q.flush == nil && now.Sub(q.from) >= refusalsFor {
		q.again, q.from = map[refusal]int64{}, now
	}
	_, known := q.again[r]
	first := !known && len(q.again) < maxRefusals
	switch {
	case first:
		q.again[r] = 0
	case known:
		q.again[r]++
	default:
		q.more++
	}
	if !first && q.flush == nil {
		q.flush = time.AfterFunc(refusalsFor, func() { g.Flush(context.WithoutCancel(ctx)) })
	}
	q.mu.Unlock()
	if first {
		g.record(ctx, ledger.Entry{Kind: ledger.KindRefused, Body: ledger.Refused{
			Agent: g.options.Agent, What: r.what, Why: r.why, Size: int64(len(what)),
		}})
	}
}

// Flush writes down how many refusals had no rows of their own so far. The gate does
// so by itself after a while; call it before the desk closes.
func (g *Gate) Flush(ctx context.Context) {
	q := &g.refusals
	q.mu.Lock()
	from, again, more := q.from, q.again, q.more
	q.again, q.more = nil, 0
	if q.flush != nil {
		q.flush.Stop()
		q.flush = nil
	}
	q.mu.Unlock()
	to := g.options.Now()
	for r, n := range again {
		if n > 0 {
			why := fmt.Sprintf("%s (%d times more from %s to %s)", r.why, n, from.UTC().Format(time.TimeOnly), to.UTC().Format(time.TimeOnly))
			g.record(ctx, ledger.Entry{Kind: ledger.KindRefused, Body: ledger.Refused{Agent: g.options.Agent, What: r.what, Why: why}})
		}
	}
	if more > 0 {
		g.record(ctx, ledger.Entry{Kind: ledger.KindAggregate, Body: ledger.Aggregate{Agent: g.options.Agent, From: from, To: to, Refused: more}})
	}
}

// record leaves a row of what came to no decision, whoever goes away meanwhile.
func (g *Gate) record(ctx context.Context, e ledger.Entry) {
	if err := g.options.Desk.Record(context.WithoutCancel(ctx), e); err != nil {
		g.options.Log.Error("a refused service could not be recorded", "error", err.Error())
	}
}
