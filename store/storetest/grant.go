package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// lent is a grant of an agent's, given at a time.
func lent(id, agent, similar string, at time.Time) approval.Grant {
	return approval.Grant{
		ID: id, Version: 1, Agent: agent, AgentName: agent, Device: "device", Category: risk.Delete, Package: "com.example.notes",
		Object: "Trip", Similar: similar, Count: 3, CreatedAt: at, ExpiresAt: at.Add(time.Hour), By: "anna", From: "q of " + id,
	}
}

// fullGrant is a grant in which no field is empty.
func fullGrant() approval.Grant {
	g := lent("g_full", "agt_1", "similar", noon)
	g.Version, g.AgentName, g.Category, g.App, g.Object, g.Recipient = 1<<60, hostile, risk.Message, "Chat", hostile, "Anna"
	g.Shown = approval.Shown{
		Action: "shell", Argument: hostile, Label: "Send", Role: risk.IconButton, ResourceID: "com.example:id/send",
		Wording: "Send\nNow", Tier: risk.Low, Rule: "rule", Amount: &risk.Amount{Value: "1299.00", Currency: "EUR"},
		Text: true, Permanent: true, Observed: true,
	}
	g.Used, g.How, g.EndedAt, g.EndedBy, g.Code = 2, "web", noon.Add(time.Minute), hostile, approval.CodeRevoked
	return g
}

// used is a grant after one more use, and the change that does it.
func used(g approval.Grant, at time.Time) (approval.Grant, hold.Change) {
	was := g.Version
	g.Use(at)
	return g, hold.Change{At: at, MovedGrants: []hold.MovedGrant{{Grant: g, Was: was}}, Rows: []ledger.Entry{entry(g.ID)}}
}

// grants are those that a query picks.
func (e *Engine) grants(t testing.TB, q hold.GrantQuery) []approval.Grant {
	t.Helper()
	list, err := e.Store.Grants(context.Background(), q)
	must(t, err)
	return list
}

func (e *Engine) grant(t testing.TB, id string) approval.Grant {
	t.Helper()
	list := e.grants(t, hold.GrantQuery{ID: id})
	if len(list) != 1 || list[0].ID != id {
		t.Fatalf("%d grants have the id %q", len(list), id)
	}
	return list[0]
}

func grantComesBack(t *testing.T, e Engine) {
	g := fullGrant()
	for _, v := range []reflect.Value{reflect.ValueOf(g), reflect.ValueOf(g.Shown)} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("the test does not fill %s", v.Type().Field(i).Name)
			}
		}
	}
	for _, g := range []approval.Grant{g, {ID: "bare"}, {ID: hostile, Version: -1}} {
		e.commit(t, hold.Change{NewGrant: &g})
		if got := e.grant(t, g.ID); !reflect.DeepEqual(got, g) {
			t.Errorf("came back as\n%+v, want\n%+v", got, g)
		}
	}
	precise := lent("g", "agent", "similar", time.Date(2026, 3, 14, 17, 30, 0, 123_999_999, time.FixedZone("east", 5*3600+1800)))
	e.commit(t, hold.Change{NewGrant: &precise})
	if got := e.grant(t, "g"); got.CreatedAt != noon || got.ExpiresAt != noon.Add(time.Hour) || !got.EndedAt.IsZero() {
		t.Errorf("the times came back as %v to %v, ended %v", got.CreatedAt, got.ExpiresAt, got.EndedAt)
	}
}

func grantMovesFromVersion(t *testing.T, e Engine) {
	g := lent("g", "agent", "similar", noon)
	next, use := used(g, noon)
	e.refuse(t, use, hold.ErrNotFound)
	e.commit(t, hold.Change{NewGrant: &g})
	e.commit(t, use)
	e.refuse(t, use, hold.ErrMoved)
	use.MovedGrants[0].Was = 3
	e.refuse(t, use, hold.ErrMoved)
	if got := e.grant(t, "g"); !reflect.DeepEqual(got, next) {
		t.Errorf("after one use and two that came too late: %+v, want %+v", got, next)
	}
}

// grantFailures: a grant is part of its change, which is all or nothing.
func grantFailures(t *testing.T, e Engine) {
	there, other := lent("there", "agent", "similar", noon), lent("other", "agent", "similar", noon)
	e.commit(t, hold.Change{NewGrant: &there})
	e.commit(t, hold.Change{NewGrant: &other})
	whole := func() hold.Change {
		q, fresh := asked("q", "agent", "device", "digest", noon), lent("fresh", "agent", "similar", noon)
		first, _ := used(there, noon)
		second, _ := used(other, noon)
		return hold.Change{
			New: &q, NewGrant: &fresh, MovedGrants: []hold.MovedGrant{{Grant: first, Was: 1}, {Grant: second, Was: 1}},
			Rows: []ledger.Entry{entry("fresh")}, RefuseFrozen: true,
		}
	}
	tests := []struct {
		name  string
		spoil func(c *hold.Change)
		want  error
	}{
		{"another's id", func(c *hold.Change) { c.NewGrant.ID = "there" }, hold.ErrUnavailable},
		{"another version", func(c *hold.Change) { c.MovedGrants[1].Was = 2 }, hold.ErrMoved},
		{"one that is not there", func(c *hold.Change) { c.MovedGrants[1].Grant.ID = "nowhere" }, hold.ErrNotFound},
		{"a row without a kind", func(c *hold.Change) { c.Rows[0].Kind = "" }, hold.ErrUnavailable},
	}
	for _, tt := range tests {
		c := whole()
		tt.spoil(&c)
		e.refuse(t, c, tt.want)
		if all := e.grants(t, hold.GrantQuery{}); len(all) != 2 || all[0].Used+all[1].Used != 0 || e.size(t) != 0 {
			t.Fatalf("%s left %d grants and %d rows: %+v", tt.name, len(all), e.size(t), all)
		}
	}
	e.commit(t, hold.Change{Freeze: &hold.Freeze{Frozen: true}})
	e.refuse(t, whole(), hold.ErrFrozen)
	e.commit(t, hold.Change{Freeze: &hold.Freeze{}})
	e.commit(t, whole())
	if got := e.grant(t, "there"); got.Used != 1 || len(e.grants(t, hold.GrantQuery{})) != 3 {
		t.Errorf("used %d times after the change that is right", got.Used)
	}
}

// oneUses: of a hundred that use the same version of a grant exactly one does.
func oneUses(t *testing.T, e Engine) {
	for round := range 20 {
		g := lent(name("g", round), "agent", "similar", noon)
		e.commit(t, hold.Change{NewGrant: &g})
		winner := one(t, atOnce(100, func(i int) error {
			next, c := used(g, noon)
			next.AgentName = name("agent", i)
			c.MovedGrants[0].Grant = next
			_, err := e.Store.Commit(context.Background(), c)
			return err
		}), hold.ErrMoved)
		if got := e.grant(t, g.ID); got.AgentName != name("agent", winner) || got.Used != 1 {
			t.Fatalf("%d used it, and it says %q after %d uses", winner, got.AgentName, got.Used)
		}
	}
}

func grantQueries(t *testing.T, e Engine) {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	over := lent("over", "kim", "s1", at(3))
	over.End(at(4), "anna", approval.CodeRevoked)
	for _, g := range []approval.Grant{
		lent("late", "kim", "s1", at(5)), lent("early", "kim", "s1", at(0)), over, lent("other", "kim", "s%", at(1)), lent("lee", "lee", "s1", at(2)),
	} {
		e.commit(t, hold.Change{NewGrant: &g})
	}
	tests := []struct {
		name string
		q    hold.GrantQuery
		want []string
	}{
		{"everything", hold.GrantQuery{}, []string{"late", "over", "lee", "other", "early"}},
		{"open", hold.GrantQuery{Open: true}, []string{"late", "lee", "other", "early"}},
		{"an agent's", hold.GrantQuery{Agent: "kim"}, []string{"late", "over", "other", "early"}},
		{"an agent's, open", hold.GrantQuery{Agent: "kim", Open: true}, []string{"late", "other", "early"}},
		{"similar and open", hold.GrantQuery{Agent: "kim", Similar: "s1", Open: true}, []string{"late", "early"}},
		{"similar, no pattern", hold.GrantQuery{Similar: "s%"}, []string{"other"}},
		{"one", hold.GrantQuery{ID: "over"}, []string{"over"}},
		{"one that is not open", hold.GrantQuery{ID: "over", Open: true}, nil},
		{"those of a question", hold.GrantQuery{From: "q of early"}, []string{"early"}},
		{"those of no question", hold.GrantQuery{From: "early"}, nil},
		{"letter case counts", hold.GrantQuery{Agent: "KIM"}, nil},
		{"the newest two", hold.GrantQuery{Limit: 2}, []string{"late", "over"}},
		{"the newest open one of an agent", hold.GrantQuery{Agent: "lee", Open: true, Limit: 1}, []string{"lee"}},
	}
	if len(tests) != 13 {
		t.Errorf("the table has %d cases, 13 were written", len(tests))
	}
	for _, tt := range tests {
		if got := grantIDs(e.grants(t, tt.q)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := e.Store.Grants(context.Background(), hold.GrantQuery{Limit: -1}); err == nil {
		t.Error("a limit below zero was taken")
	}
}

func grantIDs(list []approval.Grant) (ids []string) {
	for i := range list {
		ids = append(ids, list[i].ID)
	}
	return ids
}

// manyGrants: a list without a limit has a hundred, the newest.
func manyGrants(t *testing.T, e Engine) {
	for i := range 130 {
		g := lent(name("g", i), "agent", "similar", noon.Add(time.Duration(i)*time.Second))
		e.commit(t, hold.Change{NewGrant: &g})
	}
	for _, q := range []hold.GrantQuery{{}, {Open: true}} {
		if list := e.grants(t, q); len(list) != 100 || list[0].ID != "g129" || list[99].ID != "g030" {
			t.Errorf("%+v: %d grants from %s", q, len(list), list[0].ID)
		}
		q.Limit = 1 << 20
		if list := e.grants(t, q); len(list) != 130 {
			t.Errorf("%+v: %d grants", q, len(list))
		}
	}
}
