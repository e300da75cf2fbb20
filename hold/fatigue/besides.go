package fatigue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// Besides is what a proposal would have let through besides the questions that it
// is made for.
type Besides struct {
	Count int `json:"count"`
	// Refused of them were refused by a person. Where there are any, nothing is
	// proposed.
	Refused int `json:"refused"`
	// Examples are at most five: those that were refused first, then the newest.
	Examples []Example `json:"examples"`
}

// Example is one action on record.
type Example struct {
	Row       int64     `json:"row"`
	At        time.Time `json:"at"`
	Action    string    `json:"action"`
	Agent     string    `json:"agent"`
	AgentName string    `json:"agent_name,omitempty"`
	Label     string    `json:"label"`
	Object    string    `json:"object"`
	Recipient string    `json:"recipient"`
	Reason    string    `json:"reason"`
	// Became says what became of it, in words.
	Became string `json:"became"`
}

// becameRefused is what became of what a person refused.
const becameRefused = "refused by a person"

// Refused reports whether a person refused it.
func (e *Example) Refused() bool { return e.Became == becameRefused }

const maxExamples = 5

// weighing holds habits against every action on record.
type weighing struct {
	asked  *questions
	habits []Habit

	last *acted // the last decision that has a question of its own
}

// acted is a decision and its row.
type acted struct {
	d   ledger.Decision
	seq int64
	at  time.Time
}

// add weighs one row. A decision with a question of its own counts once the next
// row says that the question is a new one.
func (w *weighing) add(ctx context.Context, r *ledger.Row) error {
	if move, ok := transitionOf(r); ok {
		last := w.last
		w.last = nil
		if last == nil || move.From != approval.None.String() || move.Approval != last.d.ActionID {
			return nil
		}
		a, known, err := w.asked.find(ctx, move.Approval)
		if err == nil && known {
			w.weigh(last, &a)
		}
		return err
	}
	w.last = nil
	d, err := r.Decision()
	if err != nil {
		return nil // another kind of row, or one of a newer program
	}
	now := &acted{d, r.Seq, r.At}
	switch {
	case d.Approval != "" && d.Approval == d.ActionID:
		w.last = now
	case d.Outcome != risk.Allow: // refused without a question, or observed
		w.weigh(now, nil)
	}
	return nil
}

// weigh counts an action with every habit whose proposal would have let it
// through. a is its question, nil for none.
func (w *weighing) weigh(now *acted, a *approval.Approval) {
	for i := range w.habits {
		h := &w.habits[i]
		if !h.letsPass(&now.d, a) || a != nil && saidYes(a) && kindOf(a) == h.own {
			continue
		}
		h.Besides.Count++
		if e := exampleOf(now, a); a != nil && a.State == approval.Denied {
			h.Besides.Refused++
			h.refused = keep(h.refused, e)
		} else {
			h.others = keep(h.others, e)
		}
	}
}

// letsPass reports whether what is proposed would have let an action pass.
func (h *Habit) letsPass(d *ledger.Decision, a *approval.Approval) bool {
	switch {
	case h.grant != nil:
		return a != nil && h.grant.Covers(a.Agent, a.Device, &a.Card)
	case h.Line == nil || d.App.Package != h.Line.Package || d.Category != h.Line.Category || d.Layers.LLM:
		return false
	case d.DecidedBy != decide.ByLayer && d.DecidedBy != decide.ByRule:
		return false // a memory or a freeze asked or refused, which no line overrules
	}
	// See docs/policy.md: what is only said to be the app makes no refusal and no
	// critical question less.
	return d.Outcome == risk.Confirm && !d.Critical || d.Screen.Observed
}

// saidYes reports whether a person approved a question, whatever came of it.
func saidYes(a *approval.Approval) bool { return !a.AnsweredAt.IsZero() && a.State != approval.Denied }

func exampleOf(now *acted, a *approval.Approval) Example {
	d := &now.d
	e := Example{
		Row: now.seq, At: now.at, Action: d.ActionID, Agent: d.Agent, Object: d.Facts.Object, Recipient: d.Facts.Recipient,
		Reason: d.Reason, Became: became(d, a),
	}
	if d.Target != nil {
		e.Label = d.Target.Label
	}
	return e
}

// became says what became of an action.
func became(d *ledger.Decision, a *approval.Approval) string {
	switch {
	case a == nil && d.Observe:
		return "not asked, in observe mode"
	case a == nil:
		return "refused by the policy"
	case a.State == approval.Denied:
		return becameRefused
	case saidYes(a):
		return "approved"
	}
	switch a.State {
	case approval.Pending:
		return "waits for an answer"
	case approval.Expired:
		return "not answered in time"
	case approval.NoChannel:
		return "there was nobody to ask"
	}
	return "withdrawn"
}

// keep keeps the newest examples.
func keep(examples []Example, e Example) []Example {
	if len(examples) == maxExamples {
		examples = slices.Delete(examples, 0, 1)
	}
	return append(examples, e)
}

// finish puts the examples together, and takes back what would have let pass
// something that a person refused.
func (w *weighing) finish() {
	for i := range w.habits {
		h := &w.habits[i]
		slices.Reverse(h.refused)
		slices.Reverse(h.others)
		all := append(append([]Example{}, h.refused...), h.others...)
		h.Besides.Examples = all[:min(len(all), maxExamples)]
		if h.Besides.Refused == 0 {
			continue
		}
		what := "such a grant"
		if h.Line != nil {
			what = fmt.Sprintf("a line of policy for %s in %s", h.Category, h.Package)
		}
		h.Why = fmt.Sprintf("%s would also have let pass what a person refused: %s", what, approval.Times(h.Besides.Refused))
		h.Grant, h.Line = nil, nil
	}
}

// transitionOf reads the body of a transition row.
func transitionOf(r *ledger.Row) (move ledger.Transition, ok bool) {
	if r.Kind != ledger.KindTransition || json.Unmarshal(r.Body, &move) != nil {
		return move, false
	}
	return move, true
}
