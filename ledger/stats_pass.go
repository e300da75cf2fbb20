package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/countersign/countersign/risk"
)

// Statistician counts what asking has cost, in one pass over the rows and with
// bounded memory. The zero value is ready; it is not safe for concurrent use.
//
// A question counts where its decision is among the rows. What was asked before
// the first of them is left out, answer and all.
type Statistician struct {
	// Words is how many words stand on the card of a question; without it no answer
	// is Hasty. About are all rows about an action, for labels, which may come long
	// after it; without it there are none.
	Words func(question string) (int, error)
	About func(action string) ([]Row, error)

	stats     Stats
	first     int64 // the first row that was read
	all       counts
	by        [groupings]map[string]*counts
	sessions  distinct
	texts     distinct
	open      map[string]*askedAbout
	candidate *askedAbout
}

// The ways to group.
const (
	byCategory = iota
	byApp
	bySource
	byAgent
	groupings
)

// askedAbout is a question that has not ended.
type askedAbout struct {
	id   string
	in   []*counts
	at   time.Time
	task task
	// answered says that it has its end for us, but may still be joined.
	answered bool
}

// maxFollowed is how many open questions are followed at a time. The guard holds
// a few of each agent; more than this are only there if it never ended them.
const maxFollowed = 1 << 16

// Add counts one row. An error is one of Words or About.
func (s *Statistician) Add(r Row) error {
	if s.first == 0 {
		s.first, s.stats.From = r.Seq, r.At
	}
	s.stats.To = r.At
	switch r.Kind {
	case KindDecision:
		s.joinCandidate()
		d, err := r.Decision()
		if err != nil {
			s.stats.Unread++
			return nil
		}
		s.decision(&d, r.At)
	case KindTransition:
		var move Transition
		if json.Unmarshal(r.Body, &move) != nil {
			s.stats.Unread++
			return nil
		}
		return s.transition(&move, r.At)
	case KindLabel:
		return s.label(&r)
	}
	return nil
}

// decision counts an action. One that has a question of its own waits for the
// next row, which says whether the question is a new one.
func (s *Statistician) decision(d *Decision, at time.Time) {
	if known := s.open[d.ActionID]; known != nil {
		for _, c := range known.in {
			c.Joined++
		}
		return
	}
	in := s.groupsOf(d)
	if d.Approval != "" && d.Approval == d.ActionID {
		s.candidate = &askedAbout{id: d.ActionID, in: in, at: at, task: tasksOf(d)}
		return
	}
	s.action(tasksOf(d), in)
	for _, c := range in {
		switch {
		case d.Grant != "":
			c.Granted++
		case d.Approval != "":
			c.Linked++
		case d.Observe && d.Outcome == risk.Confirm:
			c.WouldAsk++
		}
		if d.Outcome == risk.Allow {
			c.passed++
		}
	}
}

// joinCandidate counts the last decision as one that joined a question from
// before the first row.
func (s *Statistician) joinCandidate() {
	if s.candidate == nil {
		return
	}
	for _, c := range s.candidate.in {
		c.Joined++
	}
	s.candidate = nil
}

// action counts an action and the task that it belongs to.
func (s *Statistician) action(t task, in []*counts) {
	switch {
	case !t.named:
		s.stats.NoTask++
	case t.bySession:
		s.sessions.add(t.hash)
	default:
		s.texts.add(t.hash)
	}
	for _, c := range in {
		c.Actions++
		if t.named {
			c.tasks.add(t.hash)
		}
	}
}

// transition counts how a question begins and ends.
func (s *Statistician) transition(move *Transition, at time.Time) error {
	if c := s.candidate; c != nil && c.id == move.Approval && move.From == stateNone {
		s.candidate = nil
		s.asked(c)
	} else {
		s.joinCandidate()
	}
	q := s.open[move.Approval]
	if q == nil {
		return nil
	}
	if !q.answered && (move.From == statePending || move.From == stateNone) {
		if err := s.end(q, move, at); err != nil {
			return err
		}
	}
	if move.To != statePending && move.To != stateApproved {
		delete(s.open, move.Approval)
	}
	return nil
}

// The states of a question, as transitions name them.
const (
	stateNone      = "none"
	statePending   = "pending"
	stateApproved  = "approved"
	stateDenied    = "denied"
	stateExpired   = "expired"
	stateNoChannel = "no_channel"
)

func (s *Statistician) asked(q *askedAbout) {
	s.action(q.task, q.in)
	for _, c := range q.in {
		c.Asked++
		c.Open++
		if q.task.named {
			c.AskedInTasks++
		}
	}
	if s.open == nil {
		s.open = map[string]*askedAbout{}
	}
	if len(s.open) < maxFollowed {
		s.open[q.id] = q
	}
}

// end counts what became of a question that waited.
func (s *Statistician) end(q *askedAbout, move *Transition, at time.Time) error {
	if move.To == statePending {
		return nil
	}
	q.answered = true
	took, hasty := at.Sub(q.at), false
	if (move.To == stateApproved || move.To == stateDenied) && s.Words != nil {
		words, err := s.Words(q.id)
		if err != nil {
			return fmt.Errorf("ledger: read the card of %s: %w", q.id, err)
		}
		hasty = took < ReadingTime(words)
	}
	for _, c := range q.in {
		c.Open--
		switch move.To {
		case stateApproved, stateDenied:
			c.answer(took, hasty)
			if move.To == stateApproved {
				c.Approved++
			} else {
				c.Denied++
			}
		case stateExpired:
			c.Expired++
		case stateNoChannel:
			c.Nobody++
		default:
			c.Withdrawn++
		}
	}
	return nil
}

// label counts what a person says of a decision, once: with the last row that
// says it.
func (s *Statistician) label(r *Row) error {
	if s.About == nil {
		return nil
	}
	rows, err := s.About(r.Subject)
	if err != nil {
		return fmt.Errorf("ledger: read what row %d labels: %w", r.Seq, err)
	}
	for i := range rows {
		if rows[i].Kind == KindLabel && rows[i].Seq > r.Seq || rows[i].Kind == KindDecision && rows[i].Seq < s.first {
			return nil
		}
	}
	d, l, ok := Labelled(rows)
	if !ok {
		return nil
	}
	for _, c := range s.groupsOf(&d) {
		if asked := d.Outcome != risk.Allow; asked && l.Should == risk.Allow.String() {
			c.Needless++
		} else if !asked && l.Should != risk.Allow.String() {
			c.Missed++
		}
	}
	return nil
}

// groupsOf are the counts that a decision belongs to.
func (s *Statistician) groupsOf(d *Decision) []*counts {
	names := [groupings]string{byCategory: d.Category.String(), byApp: d.App.Package, bySource: d.Source.String(), byAgent: d.Agent}
	out := make([]*counts, 0, 1+groupings)
	out = append(out, &s.all)
	for i, name := range names {
		if s.by[i] == nil {
			s.by[i] = map[string]*counts{}
		}
		c := s.by[i][name]
		if c == nil && len(s.by[i]) >= MaxGroups {
			name = OtherGroups
			c = s.by[i][name]
		}
		if c == nil {
			c = &counts{}
			s.by[i][name] = c
		}
		out = append(out, c)
	}
	return out
}

// Stats is what was added so far.
func (s *Statistician) Stats() Stats {
	out := s.stats
	out.All = s.all.asking()
	out.TasksBySession, out.TasksByText = s.sessions.count(), s.texts.count()
	out.Categories, out.Apps = askingGroups(s.by[byCategory]), askingGroups(s.by[byApp])
	out.Sources, out.Agents = askingGroups(s.by[bySource]), askingGroups(s.by[byAgent])
	return out
}

func askingGroups(groups map[string]*counts) []AskingGroup {
	out := make([]AskingGroup, 0, len(groups))
	for name, c := range groups {
		out = append(out, AskingGroup{Name: name, Asking: c.asking()})
	}
	slices.SortFunc(out, func(a, b AskingGroup) int {
		return cmp.Or(cmp.Compare(b.Asked+b.WouldAsk, a.Asked+a.WouldAsk), cmp.Compare(b.Actions, a.Actions), cmp.Compare(a.Name, b.Name))
	})
	return out
}
