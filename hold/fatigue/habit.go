package fatigue

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// Often is how many times a kind of question has to have been approved before
// anything is proposed.
const Often = 20

// Kind is what questions are alike in.
type Kind struct {
	// Agent is the credential, AgentName what its owner calls it.
	Agent     string        `json:"agent"`
	AgentName string        `json:"agent_name"`
	Device    string        `json:"device"`
	Category  risk.Category `json:"category"`
	Package   string        `json:"package"`
	App       string        `json:"app"`
	Object    string        `json:"object"`
	Recipient string        `json:"recipient"`
}

// Scope says for people what it is: "sending to “Anna” in WhatsApp", or "publish in
// com.example.board" where nobody and nothing is named. Names from outside are
// quoted and on one line; they are not escaped for a page or a terminal.
func (k *Kind) Scope() string {
	if k.Object == "" && k.Recipient == "" {
		app := cmp.Or(decide.Quote(k.App, maxName), decide.Quote(k.Package, maxName), "no app")
		return strings.ReplaceAll(k.Category.String(), "_", " ") + " in " + app
	}
	g := approval.Grant{Category: k.Category, Package: k.Package, App: k.App, Object: k.Object, Recipient: k.Recipient}
	return g.Scope()
}

// kindOf leaves out what names may change in.
func kindOf(a *approval.Approval) Kind {
	c := &a.Card
	return Kind{Agent: a.Agent, Device: a.Device, Category: c.Category, Package: c.Package, Object: c.Facts.Object, Recipient: c.Facts.Recipient}
}

// Habit is a kind of question that a person has always said yes to.
type Habit struct {
	Kind
	// Approved is how often, First and Last when.
	Approved int       `json:"approved"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`

	// Grant or Line is the narrowest that would have spared most of the questions;
	// at most one of them is not nil. Where both are, Why says why.
	Grant *Grant `json:"grant"`
	Line  *Line  `json:"line"`
	Why   string `json:"why"`
	// Besides is what else it would have let through.
	Besides Besides `json:"besides"`

	grant           *approval.Grant // to be held against other questions
	own             Kind            // without names
	refused, others []Example       // the newest of each, the newest last
}

// always is a kind while it is counted.
type always struct {
	habit     Habit
	refused   bool
	critical  bool
	doubted   int // those that the agent's own model asked about
	tabled    int // the others that a table asked about, which a line can change
	similar   string
	shapes    []shape
	firstSeen int
}

// shape is a question and those after it that a grant with the first would cover.
type shape struct {
	grant approval.Grant
	n     int
	times []time.Time // of the last ones
}

// Bounds of what is kept. Names come from outside, so there may be any number of
// kinds; beyond that many the ones with the fewest approvals are forgotten, so
// that a kind which comes seldom among very many others may be counted short.
const (
	maxKinds  = 4000
	maxShapes = 4
	maxTimes  = 256
	maxHabits = 20
)

// kinds finds habits in the rows.
type kinds struct {
	asked *questions
	by    map[Kind]*always
	made  int
}

// add counts an answer.
func (k *kinds) add(ctx context.Context, r *ledger.Row) error {
	move, ok := transitionOf(r)
	if !ok || move.From != approval.Pending.String() || move.To != approval.Approved.String() && move.To != approval.Denied.String() {
		return nil
	}
	a, known, err := k.asked.find(ctx, move.Approval)
	// One that is not settled may be seen in full, and what is secret in it is
	// not for a proposal.
	if err != nil || !known || a.State.Open() {
		return err
	}
	h := k.of(kindOf(&a))
	if move.To == approval.Denied.String() {
		h.refused = true
		return nil
	}
	h.approved(&a, r.At)
	return nil
}

// of is the kind, which is made where there is none.
func (k *kinds) of(own Kind) *always {
	if h := k.by[own]; h != nil {
		return h
	}
	if k.by == nil {
		k.by = map[Kind]*always{}
	}
	if len(k.by) >= maxKinds {
		k.forget()
	}
	k.made++
	h := &always{firstSeen: k.made, habit: Habit{Kind: own, own: own}}
	k.by[own] = h
	return h
}

// forget leaves half of the kinds: those with most approvals, then the newest.
func (k *kinds) forget() {
	all := make([]*always, 0, len(k.by))
	for _, h := range k.by {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b *always) int {
		return cmp.Or(cmp.Compare(a.habit.Approved, b.habit.Approved), cmp.Compare(a.firstSeen, b.firstSeen))
	})
	for _, h := range all[:len(all)/2] {
		delete(k.by, h.habit.own)
	}
}

// approved counts a yes.
func (h *always) approved(a *approval.Approval, at time.Time) {
	c := &a.Card
	h.habit.AgentName, h.habit.App, h.similar = a.AgentName, c.App, a.Similar
	if h.habit.Approved == 0 {
		h.habit.First = at
	}
	h.habit.Last = at
	h.habit.Approved++
	h.critical = h.critical || c.Critical
	if c.Source == risk.LLMFlagged || c.Source == risk.Both {
		h.doubted++
		return
	}
	if c.Rule != "" { // the older engines have no table
		h.tabled++
	}
	for i := range h.shapes {
		if s := &h.shapes[i]; s.grant.Covers(a.Agent, a.Device, c) {
			s.add(at)
			return
		}
	}
	if g, ok := approval.GrantFor(a); ok && len(h.shapes) < maxShapes {
		g.ID = "proposed" // one without an id covers nothing
		h.shapes = append(h.shapes, shape{grant: g})
		h.shapes[len(h.shapes)-1].add(at)
	}
}

func (s *shape) add(at time.Time) {
	s.n++
	if len(s.times) == maxTimes {
		s.times = slices.Delete(s.times, 0, 1)
	}
	s.times = append(s.times, at)
}

// never are consequences of which each is asked about, whatever a policy makes
// of the others.
func never(c risk.Category) bool { return c == risk.Money || c == risk.Device || c == risk.Bypass }

// habits are the kinds that were approved often enough and never refused, with
// what would have spared them.
func (k *kinds) habits(ctx context.Context, src Source) ([]Habit, error) {
	var often []*always
	for _, h := range k.by {
		if h.habit.Approved >= Often && !h.refused && !h.critical && !never(h.habit.Category) {
			often = append(often, h)
		}
	}
	slices.SortFunc(often, func(a, b *always) int {
		return cmp.Or(cmp.Compare(b.habit.Approved, a.habit.Approved), cmp.Compare(a.firstSeen, b.firstSeen))
	})
	out := []Habit{}
	for _, h := range often {
		refused, err := everRefused(ctx, src, h)
		if err != nil {
			return nil, err
		}
		if refused {
			continue
		}
		h.spare()
		if out = append(out, h.habit); len(out) == maxHabits {
			break
		}
	}
	return out, nil
}

// everRefused reports whether a person refused one of the kind, however long ago:
// what was read may begin after that.
func everRefused(ctx context.Context, src Source, h *always) (bool, error) {
	q := hold.Query{States: []approval.State{approval.Denied}, Agent: h.habit.Agent, Similar: h.similar, Limit: 1000}
	refused, err := src.Approvals(ctx, q)
	for i := range refused {
		if kindOf(&refused[i]) == h.habit.own {
			return true, err
		}
	}
	return false, err
}
