package hold_test

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// lent is a grant as the model has it.
type lent struct {
	agent, what, from string
	left              int
	until             time.Time
	ended             bool
}

func (g *lent) open(now time.Time) bool { return !g.ended && g.left > 0 && now.Before(g.until) }

// grantable reports whether it is said of a thing what it is about.
func (q *modelled) grantable() bool { return q.what == "trip" || q.what == "work" }

func (w *world) lend(t *rapid.T, grant, question string, q *modelled, terms approval.GrantTerms) {
	if grant == "" || w.grants[grant] != nil {
		t.Fatalf("%s came with the grant %q", question, grant)
	}
	w.grants[grant] = &lent{agent: q.agent, what: q.what, from: question, left: terms.Count, until: w.now.Add(terms.For)}
}

// endSimilar ends the grants of what is similar to a thing that was refused.
func (w *world) endSimilar(q *modelled) {
	for _, g := range w.grants {
		g.ended = g.ended || g.agent == q.agent && q.grantable()
	}
}

// passes holds a proposal that nothing else has decided against the grants: it
// passes exactly when one is open for it.
func (w *world) passes(t *rapid.T, agent, what string, ticket *hold.Ticket) bool {
	open := 0
	for _, g := range w.grants {
		if g.agent == agent && g.what == what && g.open(w.now) {
			open++
		}
	}
	if open == 0 {
		if ticket.Grant != "" {
			t.Fatalf("%s passed by %s, and no grant is open for it", what, ticket.Grant)
		}
		return false
	}
	g := w.grants[ticket.Grant]
	if ticket.Outcome != risk.Allow || g == nil || g.agent != agent || g.what != what || !g.open(w.now) {
		t.Fatalf("%s is %v by %q, %d grants are open for it", what, ticket.Outcome, ticket.Grant, open)
	}
	g.left--
	g.ended = g.left == 0
	w.used++
	return true
}

// drawTerms draws those of a grant; no times stand for none.
func drawTerms(t *rapid.T) approval.GrantTerms {
	return approval.GrantTerms{
		Count: rapid.IntRange(0, 3).Draw(t, "times"),
		For:   rapid.SampledFrom([]time.Duration{time.Minute, 10 * time.Minute, 2 * time.Hour}).Draw(t, "how long"),
	}
}

// again proposes what a grant was given for, whether it is over or not.
func (w *world) again(t *rapid.T) {
	_, g := w.pickGrant(t)
	w.proposed(t, g.agent, g.what, false)
}

func (w *world) pickGrant(t *rapid.T) (string, *lent) {
	var ids []string
	for _, id := range w.order { // maps have no order, and a run must be the same again
		for grant, g := range w.grants {
			if g.from == id {
				ids = append(ids, grant)
			}
		}
	}
	if len(ids) == 0 {
		t.Skip("no grant was given yet")
	}
	id := ids[len(ids)-1-rapid.IntRange(0, min(len(ids)-1, 2)).Draw(t, "which grant")]
	return id, w.grants[id]
}

// through takes a question through to its release.
func (w *world) through(t *rapid.T) {
	what := rapid.SampledFrom([]string{"trip", "work"}).Draw(t, "what goes through")
	before := len(w.order)
	w.proposed(t, "agent-1", what, false)
	if len(w.order) == before {
		return
	}
	id := w.order[before]
	q := w.open[id]
	w.answered(t, id, q, true, drawTerms(t))
	w.begun(t, id, q, true)
}

// refuseSimilar asks for what is similar to something granted, and says no.
func (w *world) refuseSimilar(t *rapid.T) {
	_, g := w.pickGrant(t)
	other := map[string]string{"trip": "work", "work": "trip"}[g.what]
	before := len(w.order)
	if w.proposed(t, g.agent, other, false); len(w.order) > before {
		w.answered(t, w.order[before], w.open[w.order[before]], false, approval.GrantTerms{})
	}
}

func (w *world) endGrant(t *rapid.T) {
	id, g := w.pickGrant(t)
	_, err := w.desk.RevokeGrant(w.ctx, id, "owner", "terminal")
	switch {
	case g.open(w.now) && err != nil:
		t.Fatalf("revoke the grant %s: %v", id, err)
	case !g.open(w.now) && !errors.Is(err, hold.ErrGrantOver):
		t.Fatalf("revoke the grant %s, which is over: %v", id, err)
	}
	g.ended = true
}

// compareGrants holds every grant against the model. What is over and was not
// swept may still stand as open in the store; it can let nothing pass any more.
func (w *world) compareGrants(t *rapid.T) {
	for id, want := range w.grants {
		got, err := w.desk.Grant(w.ctx, id)
		if err != nil {
			t.Fatalf("read the grant %s: %v", id, err)
		}
		if got.Open(w.now) != want.open(w.now) || got.Left() != want.left || got.From != want.from {
			t.Fatalf("the grant %s is open %v with %d left, the model has %v with %d", id, got.Open(w.now), got.Left(), want.open(w.now), want.left)
		}
	}
}

// audit reads the record alone and holds it against what a grant promises: none
// is used more often than its count, after its time, after its end, or after a
// freeze or a refusal of something similar.
func (w *world) audit() {
	rows, err := w.store.Rows(w.ctx, 0, 100_000)
	if err != nil {
		w.t.Fatalf("read the record: %v", err)
	}
	used, over := map[string]int{}, map[string]string{}
	var open []ledger.Grant
	end := func(why string, which func(g ledger.Grant) bool) {
		open = slices.DeleteFunc(open, func(g ledger.Grant) bool {
			if which(g) {
				over[g.Grant] = why
				return true
			}
			return false
		})
	}
	for i := range rows {
		switch r := &rows[i]; r.Kind {
		case ledger.KindFreeze:
			end("a freeze", func(ledger.Grant) bool { return true })
		case ledger.KindTransition:
			if of, denied := w.denied(r); denied {
				end("a refusal", func(g ledger.Grant) bool { return w.similar(g, of) })
			}
		case ledger.KindGrant:
			var g ledger.Grant
			if err := json.Unmarshal(r.Body, &g); err != nil {
				w.t.Fatalf("row %d: %v", r.Seq, err)
			}
			switch g.Event {
			case ledger.GrantGiven:
				open = append(open, g)
			case ledger.GrantEnded:
				end("its end", func(o ledger.Grant) bool { return o.Grant == g.Grant })
			case ledger.GrantUsed:
				used[g.Grant]++
				if used[g.Grant] > g.Count || over[g.Grant] != "" || !r.At.Before(g.ExpiresAt) {
					w.t.Fatalf("row %d: use %d of %d of the grant %s, after %q, %v before its time is over", r.Seq, used[g.Grant], g.Count, g.Grant, over[g.Grant], g.ExpiresAt.Sub(r.At))
				}
			}
		}
	}
}

// denied is the question that a row says was refused.
func (w *world) denied(r *ledger.Row) (approval.Approval, bool) {
	var move ledger.Transition
	if err := json.Unmarshal(r.Body, &move); err != nil {
		w.t.Fatalf("row %d: %v", r.Seq, err)
	}
	if move.To != approval.Denied.String() {
		return approval.Approval{}, false
	}
	a, err := w.store.Approval(w.ctx, move.Approval)
	if err != nil {
		w.t.Fatalf("row %d: %v", r.Seq, err)
	}
	return a, true
}

// similar reports whether a grant came with a question like a refused one.
func (w *world) similar(g ledger.Grant, refused approval.Approval) bool {
	first, err := w.store.Approval(w.ctx, g.Approval)
	if err != nil {
		w.t.Fatalf("the question of the grant %s: %v", g.Grant, err)
	}
	return first.Agent == refused.Agent && first.Similar == refused.Similar
}
