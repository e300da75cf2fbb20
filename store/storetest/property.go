package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// randomChanges holds an engine against the model: the same answers to the same
// changes, and the same state in the end.
func randomChanges(t *testing.T, open func(t *testing.T) Engine) {
	rapid.Check(t, func(rt *rapid.T) {
		e, m := open(t), newModel()
		defer e.Close()
		at, serial := noon, 0
		steps := rapid.IntRange(1, 15).Draw(rt, "steps")
		for range steps {
			at = at.Add(time.Duration(rapid.IntRange(0, 1000).Draw(rt, "ms")) * time.Millisecond)
			c := drawChange(rt, m, at, &serial)
			rows, err := e.Store.Commit(context.Background(), c)
			faults := m.apply(c)
			if right := err == nil && len(faults) == 0 && len(rows) == len(c.Rows) || wraps(err, faults); !right {
				rt.Fatalf("answered %v, the model says %v", err, faults)
			}
			if rapid.IntRange(0, 3).Draw(rt, "look") == 0 {
				compareQuery(rt, e, m, drawQuery(rt, at))
			}
		}
		compareAll(rt, e, m)
	})
}

func wraps(err error, one []error) bool {
	return err != nil && slices.ContainsFunc(one, func(want error) bool { return errors.Is(err, want) })
}

// Few agents, devices and digests, so that they meet.
var (
	agents  = rapid.SampledFrom([]string{"kim", "lee"})
	devices = rapid.SampledFrom([]string{"d1", "d2"})
	digests = rapid.SampledFrom([]string{"x", "y", "z"})
)

// drawChange draws a change that is often possible. It has a new question or
// moves some, not both, so that the order in which they are done is of no
// account.
func drawChange(rt *rapid.T, m *model, at time.Time, serial *int) hold.Change {
	sometimes := func(what string, of int) bool { return rapid.IntRange(1, of).Draw(rt, what) == 1 }
	c := hold.Change{At: at, RefuseFrozen: sometimes("refuse frozen", 2)}
	for range rapid.IntRange(0, 3).Draw(rt, "rows") {
		*serial++
		c.Rows = append(c.Rows, entry(fmt.Sprint("row ", *serial)))
	}
	if len(c.Rows) > 0 && sometimes("bad row", 12) {
		c.Rows[len(c.Rows)-1].Kind = ""
	}
	if sometimes("key", 4) {
		c.Key = &hold.Key{Agent: agents.Draw(rt, "agent of key"), Key: digests.Draw(rt, "key"), Request: fmt.Sprint(*serial), At: at}
	}
	if sometimes("freeze", 8) {
		c.Freeze = &hold.Freeze{Frozen: rapid.Bool().Draw(rt, "frozen"), At: at, By: "anna"}
	}
	switch {
	case sometimes("new", 2):
		*serial++
		id := fmt.Sprint("q", *serial)
		if ids := m.ids(); len(ids) > 0 && sometimes("known id", 8) {
			id = rapid.SampledFrom(ids).Draw(rt, "id")
		}
		a := asked(id, agents.Draw(rt, "agent"), devices.Draw(rt, "device"), digests.Draw(rt, "digest"), at)
		c.New = &a
	case sometimes("moved", 2):
		c.Moved = drawMoved(rt, m, at)
	}
	switch {
	case sometimes("new grant", 3):
		*serial++
		g := lent(fmt.Sprint("g", *serial), agents.Draw(rt, "agent of grant"), digests.Draw(rt, "similar to"), at)
		if ids := sortedIDs(m.grants); len(ids) > 0 && sometimes("known grant", 8) {
			g.ID = rapid.SampledFrom(ids).Draw(rt, "grant")
		}
		c.NewGrant = &g
	case sometimes("moved grant", 2):
		c.MovedGrants = drawMovedGrants(rt, m, at)
	}
	return c
}

// drawMoved moves up to two questions by events that may happen to them, and
// sometimes from a version that is over or an id that is nowhere.
func drawMoved(rt *rapid.T, m *model, at time.Time) (list []hold.Moved) {
	ids := m.ids()
	if len(ids) == 0 {
		return nil
	}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, min(2, len(ids)), rapid.ID).Draw(rt, "moved ids") {
		a := m.questions[id]
		v := hold.Moved{Was: a.Version}
		if err := a.Move(rapid.SampledFrom(approval.Events()).Draw(rt, "event"), at, approval.Cause{By: "anna"}, terms); err != nil {
			a.Version++ // an attribute changes, as with parking
			a.ParkedUntil = at
		}
		v.Approval = a
		switch rapid.IntRange(0, 9).Draw(rt, "spoil") {
		case 0:
			v.Was--
		case 1:
			v.Approval.ID = "nowhere " + id
		}
		list = append(list, v)
	}
	return list
}

// drawMovedGrants uses or ends up to two grants, and sometimes from a version that
// is over or an id that is nowhere.
func drawMovedGrants(rt *rapid.T, m *model, at time.Time) (list []hold.MovedGrant) {
	ids := sortedIDs(m.grants)
	if len(ids) == 0 {
		return nil
	}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, min(2, len(ids)), rapid.ID).Draw(rt, "moved grants") {
		g := m.grants[id]
		v := hold.MovedGrant{Was: g.Version}
		if rapid.Bool().Draw(rt, "use") {
			g.Use(at)
		} else {
			g.End(at, "anna", approval.CodeRevoked)
		}
		v.Grant = g
		switch rapid.IntRange(0, 9).Draw(rt, "spoil the grant") {
		case 0:
			v.Was--
		case 1:
			v.Grant.ID = "nowhere " + id
		}
		list = append(list, v)
	}
	return list
}

func drawQuery(rt *rapid.T, at time.Time) hold.Query {
	maybe := func(g *rapid.Generator[string], what string) string {
		if rapid.IntRange(0, 2).Draw(rt, "ask for "+what) > 0 {
			return ""
		}
		return g.Draw(rt, what)
	}
	q := hold.Query{Agent: maybe(agents, "agent"), Digest: maybe(digests, "digest"), Limit: 1000}
	q.States = rapid.SliceOfN(rapid.SampledFrom(approval.States()), 0, 4).Draw(rt, "states")
	if d := maybe(digests, "intent"); d != "" {
		q.Intent = "intent of " + d
	}
	if d := maybe(digests, "similar"); d != "" {
		q.Similar = "kind of " + d
	}
	if rapid.Bool().Draw(rt, "since") {
		q.Since = at.Add(-time.Duration(rapid.IntRange(0, 10_000).Draw(rt, "back")) * time.Millisecond)
	}
	return q
}

// ids are those of all questions, in order.
func (m *model) ids() []string {
	return sortedIDs(m.questions)
}

func sortedIDs[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

func compareQuery(rt *rapid.T, e Engine, m *model, q hold.Query) {
	got, err := e.Store.Approvals(context.Background(), q)
	if err != nil {
		rt.Fatal(err)
	}
	if !slices.IsSortedFunc(got, func(a, b approval.Approval) int { return lastEvent(&b).Compare(lastEvent(&a)) }) {
		rt.Fatalf("%+v: not from the newest to the oldest", q)
	}
	byID := func(a, b approval.Approval) int { return strings.Compare(a.ID, b.ID) }
	want := m.matching(q)
	slices.SortFunc(got, byID)
	slices.SortFunc(want, byID)
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		rt.Fatalf("%+v:\n%+v, want\n%+v", q, got, want)
	}
}

func compareGrants(rt *rapid.T, e Engine, m *model, q hold.GrantQuery) {
	got, err := e.Store.Grants(context.Background(), q)
	if err != nil {
		rt.Fatal(err)
	}
	if !slices.IsSortedFunc(got, func(a, b approval.Grant) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
		rt.Fatalf("%+v: not from the newest to the oldest", q)
	}
	byID := func(a, b approval.Grant) int { return strings.Compare(a.ID, b.ID) }
	want := m.matchingGrants(q)
	slices.SortFunc(got, byID)
	slices.SortFunc(want, byID)
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		rt.Fatalf("%+v:\n%+v, want\n%+v", q, got, want)
	}
}

func compareAll(rt *rapid.T, e Engine, m *model) {
	ctx := context.Background()
	compareQuery(rt, e, m, hold.Query{Limit: 1000})
	for _, q := range []hold.GrantQuery{{}, {Open: true}, {Agent: "kim", Open: true}, {Agent: "lee", Similar: "x"}, {ID: "g1"}} {
		q.Limit = 1000
		compareGrants(rt, e, m, q)
	}
	for id, want := range m.questions {
		if got, err := e.Store.Approval(ctx, id); err != nil || !reflect.DeepEqual(got, want) {
			rt.Fatalf("question %s is %+v, %v; want %+v", id, got, err, want)
		}
	}
	for k, want := range m.keys {
		if got, err := e.Store.Key(ctx, k[0], k[1]); err != nil || got != want {
			rt.Fatalf("key %q is %+v, %v; want %+v", k, got, err, want)
		}
	}
	if got, err := e.Store.Freeze(ctx); err != nil || got != m.freeze {
		rt.Fatalf("the freeze is %+v, %v; want %+v", got, err, m.freeze)
	}
	rows, err := e.Store.Rows(ctx, 0, 1000)
	if err != nil {
		rt.Fatal(err)
	}
	same := func(r ledger.Row, e ledger.Entry) bool { return r.Subject == e.Subject && r.Kind == e.Kind }
	if !slices.EqualFunc(rows, m.rows, same) {
		rt.Fatalf("%d rows, want %d", len(rows), len(m.rows))
	}
	if report := e.report(rt); !report.OK() || report.Rows != int64(len(m.rows)) {
		rt.Fatalf("%d rows verify, want %d; %v", report.Rows, len(m.rows), report.First)
	}
}

// report verifies the ledger without a test of its own.
func (e *Engine) report(rt *rapid.T) ledger.Report {
	ctx := context.Background()
	src, end, err := e.Source(ctx)
	if err != nil {
		rt.Fatal(err)
	}
	report, err := ledger.Verify(ctx, src, e.PublicKey, nil)
	if err := errors.Join(err, end()); err != nil {
		rt.Fatal(err)
	}
	return report
}
