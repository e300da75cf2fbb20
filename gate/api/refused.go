package api

import (
	"context"
	"net/http"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
)

// maxWhy is the length in runes of the reason in a row about a refused request.
const maxWhy = 300

// refuse leaves a record of a request that came to no decision. What merely met
// a question in the wrong state, or nothing at all, is none.
func (g *Gate) refuse(ctx context.Context, c *call, p *Problem) {
	switch p.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusConflict:
		return
	}
	if p.Status < 400 || p.Status >= 500 {
		return
	}
	who, now := g.callers.of(c.agent.ID), g.now()
	if !who.mayRefuse(now) {
		who.refused(now)
		return
	}
	err := g.desk.Record(ctx, ledger.Entry{Kind: ledger.KindRefused, Body: ledger.Refused{
		Agent: c.agent.ID, What: c.what(), Why: decide.Quote(p.clean(), maxWhy), Size: c.size(),
	}})
	if err != nil {
		who.refused(now)
	}
	if err != nil && ctx.Err() == nil {
		g.options.Log.Error("a refused request could not be recorded", "error", err.Error())
	}
}

// writeTallies writes what was counted since the last time, one row for each
// credential that asked.
func (g *Gate) writeTallies(ctx context.Context) {
	g.callers.each(func(who *caller) {
		t, ok := who.takeTally()
		if !ok {
			return
		}
		row := ledger.Aggregate{Agent: who.agent, From: t.from, To: g.now(), Counts: t.counts, Refused: t.refused}
		if err := g.desk.Record(ctx, ledger.Entry{Kind: ledger.KindAggregate, Body: row}); err != nil {
			g.options.Log.Error("the counts of pure decisions could not be recorded", "error", err.Error())
			who.giveBack(t)
		}
	})
}
