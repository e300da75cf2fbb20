package ledger

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/countersign/countersign/risk"
)

// Tally counts decisions of one sort.
type Tally struct {
	Actions int64 `json:"actions"`
	// Asked are those that a human was asked about, or in observe mode would
	// have been.
	Asked  int64 `json:"asked"`
	Denied int64 `json:"denied"`
	// Added are the decisions where context found risk that the flat guard
	// misses, Suppressed those where it removed a question of the flat guard.
	Added      int64 `json:"added"`
	Suppressed int64 `json:"suppressed"`
}

// AskedPer100 is how many questions there are for 100 actions, 0 for none.
func (t Tally) AskedPer100() float64 {
	if t.Actions == 0 {
		return 0
	}
	return 100 * float64(t.Asked) / float64(t.Actions)
}

func (t *Tally) add(d *Decision) {
	t.Actions++
	switch d.Outcome {
	case risk.Confirm:
		t.Asked++
	case risk.Deny:
		t.Denied++
	}
	switch d.Delta {
	case risk.Added:
		t.Added++
	case risk.Suppressed:
		t.Suppressed++
	}
}

// Group is a Tally with the name of what is counted.
type Group struct {
	Name string `json:"name"`
	Tally
}

// Summary is what decision rows add up to. The groups are in order of falling
// Asked, then Actions, then by name, so the same rows give the same summary.
type Summary struct {
	// From and To are the times of the first and the last row that was counted.
	From time.Time `json:"from"`
	To   time.Time `json:"to"`

	All Tally `json:"all"`
	// Observed are the actions in observe mode, which All counts as well.
	Observed int64 `json:"observed"`
	// Pure are the decisions that were only asked for, from aggregate rows. No
	// other number counts them.
	Pure Counts `json:"pure"`
	// Refused are the requests that led to no decision.
	Refused int64 `json:"refused"`
	// Unread are rows whose body this program cannot read.
	Unread int64 `json:"unread"`

	Apps       []Group `json:"apps"`
	Categories []Group `json:"categories"`
	Sources    []Group `json:"sources"`
	Deltas     []Group `json:"deltas"`
	Outcomes   []Group `json:"outcomes"`
}

// Summariser adds rows up. The zero value is ready; it is not safe for
// concurrent use.
type Summariser struct {
	sum                                         Summary
	seen                                        bool
	apps, categories, sources, deltas, outcomes map[string]*Tally
}

// Add counts one row. Rows that are no decision, aggregate or refusal change
// nothing.
func (s *Summariser) Add(r Row) {
	switch r.Kind {
	case KindDecision:
		d, err := r.Decision()
		if err != nil {
			s.sum.Unread++
			break
		}
		s.decision(&d)
	case KindAggregate:
		var a Aggregate
		if json.Unmarshal(r.Body, &a) != nil {
			s.sum.Unread++
			break
		}
		s.sum.Pure.Allow += a.Counts.Allow
		s.sum.Pure.Confirm += a.Counts.Confirm
		s.sum.Pure.Deny += a.Counts.Deny
	case KindRefused:
		s.sum.Refused++
	default:
		return
	}
	if !s.seen {
		s.sum.From, s.seen = r.At, true
	}
	s.sum.To = r.At
}

func (s *Summariser) decision(d *Decision) {
	s.sum.All.add(d)
	if d.Observe {
		s.sum.Observed++
	}
	count(&s.apps, d.App.Package, d)
	count(&s.categories, d.Category.String(), d)
	count(&s.sources, d.Source.String(), d)
	count(&s.deltas, d.Delta.String(), d)
	count(&s.outcomes, d.Outcome.String(), d)
}

func count(groups *map[string]*Tally, name string, d *Decision) {
	if *groups == nil {
		*groups = map[string]*Tally{}
	}
	t := (*groups)[name]
	if t == nil {
		t = &Tally{}
		(*groups)[name] = t
	}
	t.add(d)
}

// Summary is what was added so far.
func (s *Summariser) Summary() Summary {
	sum := s.sum
	sum.Apps, sum.Categories = ordered(s.apps), ordered(s.categories)
	sum.Sources, sum.Deltas, sum.Outcomes = ordered(s.sources), ordered(s.deltas), ordered(s.outcomes)
	return sum
}

func ordered(groups map[string]*Tally) []Group {
	out := make([]Group, 0, len(groups))
	for name, t := range groups {
		out = append(out, Group{name, *t})
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(b.Actions, a.Actions), cmp.Compare(a.Name, b.Name))
	})
	return out
}
