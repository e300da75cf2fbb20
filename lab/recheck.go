package lab

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// A Recheck is one change of a screen between the answer and the release.
type Recheck struct {
	Case *Case
	// Kind is what was changed; Real says that the approval must not survive it.
	Kind string
	Real bool
	// ByPoint says that the action names a point, else a node of the tree.
	ByPoint bool
	// Was and Is are the text that was changed, where it is one.
	Was, Is string
	// Voided says that nothing is released, Told what a person reads then about
	// what differs.
	Voided bool
	Told   string
}

// Rechecked is what became of all changes of all screens.
type Rechecked struct {
	// Cases are how many were held and changed, Left how many were held and could
	// not be written again as they were.
	Cases, Left int
	List        []Recheck
}

// A RecheckVisit is shown every change with the request that was asked about and
// the one on the fresh look. It is called from several goroutines at a time and
// must not keep the requests.
type RecheckVisit func(r *Recheck, asked, fresh *decide.Request)

// ErrNoDigest says that a guard without a digest key binds nothing.
var ErrNoDigest = errors.New("the guard has no digest key, so an answer is bound to nothing")

// RunRecheck takes every case that is held, changes its screen in every way of the
// suite, and decides again as a release does. Cases that are allowed or refused,
// that type text or have no tree are passed over. visit may be nil; progress, if
// not nil, is called with the number of cases done, from several goroutines.
func RunRecheck(cases []Case, guard *countersign.Guard, visit RecheckVisit, progress func(done int)) (*Rechecked, error) {
	results := make([]Rechecked, len(cases))
	var (
		next, done atomic.Int64
		group      sync.WaitGroup
		failed     error
		once       sync.Once
	)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(cases); i = int(next.Add(1)) - 1 {
				if err := recheckCase(&cases[i], guard, visit, &results[i]); err != nil {
					once.Do(func() { failed = fmt.Errorf("case %q (line %d): %w", cases[i].ID, cases[i].Line, err) })
					return
				}
				if n := int(done.Add(1)); progress != nil {
					progress(n)
				}
			}
		})
	}
	group.Wait()
	all := &Rechecked{}
	for i := range results {
		all.Cases += results[i].Cases
		all.Left += results[i].Left
		all.List = append(all.List, results[i].List...)
	}
	return all, failed
}

func recheckCase(c *Case, guard *countersign.Guard, visit RecheckVisit, out *Rechecked) error {
	if c.Typed {
		return nil
	}
	req, err := c.request()
	if err != nil {
		return err
	}
	held := guard.Decide(req)
	t, placed := held.Target()
	if held.Outcome != risk.Confirm || !placed || t.Node < 0 || held.UI() == nil {
		return nil
	}
	if held.Digest() == "" {
		return ErrNoDigest
	}
	category := c.Category
	if !category.Risky() {
		category = held.Category
	}
	s := newScene(pageOf(held.UI()), int(t.Node), category)
	b, err := newBench(req, guard, s, visit)
	if err != nil {
		return err
	}
	if again := b.decide(b.look(s.page, ""), req.Action); again.Digest() != held.Digest() {
		out.Left++
		return nil
	}
	out.Cases++
	for _, m := range append(s.realChanges(), s.harmlessChanges()...) {
		if err := b.recheck(c, &m, out); err != nil {
			return err
		}
	}
	return nil
}

// A bench decides about the pages of one scene.
type bench struct {
	req   *decide.Request
	guard *countersign.Guard
	scene *scene
	visit RecheckVisit
	// before is what was decided on a page that changes start from.
	before map[*page]*approved
}

// approved is what was asked about a page, by a point and by a node.
type approved struct {
	look      *decide.Screen
	decisions [2]countersign.Decision
}

const (
	byPoint = iota
	byNode
)

func newBench(req *decide.Request, guard *countersign.Guard, s *scene, visit RecheckVisit) (*bench, error) {
	if req.Screen == nil {
		return nil, errors.New("has no screen")
	}
	return &bench{req: req, guard: guard, scene: s, visit: visit, before: map[*page]*approved{}}, nil
}

// look is a page as the guard sees it, with the app in front if that is another.
func (b *bench) look(p *page, app string) *decide.Screen {
	seen := *b.req.Screen
	ui, err := screen.Read([]byte(p.write()), screen.Limits{})
	seen.Tree, seen.Parsed = "", ui
	if err != nil {
		seen.Tree, seen.Parsed = p.write(), nil // it is decided as what cannot be read
	}
	if app != "" {
		seen.Package = app
	}
	return &seen
}

func (b *bench) request(look *decide.Screen, a risk.Action) *decide.Request {
	r := *b.req
	r.Screen, r.Action = look, a
	return &r
}

func (b *bench) decide(look *decide.Screen, a risk.Action) countersign.Decision {
	return b.guard.Decide(b.request(look, a))
}

// point is a press of the middle of an element, node one of the element itself.
func (b *bench) point(p *page, id int) risk.Action {
	x, y := p.find(id).Bounds.Center()
	return risk.Action{Kind: risk.Tap, X: &x, Y: &y}
}

func (b *bench) node(p *page, id int) risk.Action {
	n := p.index(id)
	return risk.Action{Kind: risk.Tap, Node: &n}
}

// approve is what was decided on a page before it changes.
func (b *bench) approve(p *page) *approved {
	a := b.before[p]
	if a == nil {
		a = &approved{look: b.look(p, "")}
		a.decisions[byPoint] = b.decide(a.look, b.point(p, b.scene.target))
		a.decisions[byNode] = b.decide(a.look, b.node(p, b.scene.target))
		b.before[p] = a
	}
	return a
}

// recheck lets the screen change and decides again: with the action at the same
// point, and on the node that an agent finds when it looks again.
func (b *bench) recheck(c *Case, m *mutant, out *Rechecked) error {
	before, fresh := b.approve(m.base), b.look(m.fresh, m.app)
	for way := range before.decisions {
		was := &before.decisions[way]
		t, placed := was.Target()
		switch {
		case way == byPoint && m.onlyNode, way == byNode && m.onlyPoint:
			continue
		case !placed || was.Outcome != risk.Confirm || int(t.Node) != m.base.index(b.scene.target):
			continue // a finger on that point does not reach the control
		}
		asked, again := b.point(m.base, b.scene.target), b.point(m.base, b.scene.target)
		if way == byNode {
			asked, again = b.node(m.base, b.scene.target), b.node(m.fresh, m.lands)
		}
		found := b.decide(fresh, again)
		r := Recheck{Case: c, Kind: m.kind, Real: m.real, ByPoint: way == byPoint, Was: m.was, Is: m.is, Voided: voids(was, &found)}
		if r.Voided {
			r.Told = strings.Join(decide.Differences(was.Parts(), found.Parts()), "; ")
		}
		if b.visit != nil {
			b.visit(&r, b.request(before.look, asked), b.request(fresh, again))
		}
		out.List = append(out.List, r)
	}
	return nil
}

// voids reports whether a release ends the approval, by the rules of package
// hold.
func voids(was, found *countersign.Decision) bool {
	return found.Outcome == risk.Deny || found.Critical && !was.Critical || found.Digest() != was.Digest()
}
