package storetest

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

func queries(t *testing.T, e Engine) {
	settled := func(a approval.Approval, s approval.State, after time.Duration) approval.Approval {
		a.State, a.SettledAt = s, a.CreatedAt.Add(after)
		return a
	}
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	approved := asked("approved", "kim", "d1", "dig3", at(2))
	approved.State, approved.AnsweredAt = approval.Approved, at(20)
	releasing := asked("releasing", "lee", "d1", "dig4", at(3))
	releasing.State, releasing.AnsweredAt = approval.Releasing, at(4)
	denied := settled(asked("denied", "kim", "d1", "dig1", at(5)), approval.Denied, time.Minute)
	denied.AnsweredAt = denied.SettledAt
	for _, a := range []approval.Approval{
		denied, asked("pending", "kim", "d1", "dig1", at(0)), asked("pending2", "lee", "d2", "dig1", at(1)), approved, releasing,
		settled(asked("expired", "lee", "d1", "dig5", at(7)), approval.Expired, 30*time.Minute),
		settled(asked("no_channel", "KIM", hostile, hostile, at(8)), approval.NoChannel, 0),
		settled(asked("void", "kim", "d1", "dig%", at(9)), approval.Void, time.Second),
	} {
		e.commit(t, hold.Change{New: &a})
	}
	all := []string{"expired", "approved", "void", "no_channel", "denied", "releasing", "pending2", "pending"}
	tests := []struct {
		name string
		q    hold.Query
		want []string
	}{
		{"everything", hold.Query{}, all},
		{"pending", hold.Query{States: []approval.State{approval.Pending}}, []string{"pending2", "pending"}},
		{"open", hold.Query{States: []approval.State{approval.Pending, approval.Approved, approval.Releasing}},
			[]string{"approved", "releasing", "pending2", "pending"}},
		{"open and settled", hold.Query{States: []approval.State{approval.Denied, approval.Pending}}, []string{"denied", "pending2", "pending"}},
		{"every state", hold.Query{States: approval.States()}, all},
		{"a state that no question has", hold.Query{States: []approval.State{approval.Failed}}, nil},
		{"a state that does not exist", hold.Query{States: []approval.State{200}}, nil},
		{"no state", hold.Query{States: []approval.State{approval.None}}, nil},
		{"agent", hold.Query{Agent: "kim"}, []string{"approved", "void", "denied", "pending"}},
		{"agent, letter case counts", hold.Query{Agent: "KIM"}, []string{"no_channel"}},
		{"agent, no pattern", hold.Query{Agent: "k%"}, nil},
		{"agent and open", hold.Query{Agent: "kim", States: []approval.State{approval.Pending, approval.Approved}}, []string{"approved", "pending"}},
		{"agent, nobody", hold.Query{Agent: "nobody"}, nil},
		{"digest", hold.Query{Digest: "dig1"}, []string{"denied", "pending2", "pending"}},
		{"digest, no pattern", hold.Query{Digest: "dig%"}, []string{"void"}},
		{"digest, hostile", hold.Query{Digest: hostile}, []string{"no_channel"}},
		{"digest, agent and state", hold.Query{Digest: "dig1", Agent: "kim", States: []approval.State{approval.Pending}}, []string{"pending"}},
		{"intent", hold.Query{Intent: "intent of dig1"}, []string{"denied", "pending2", "pending"}},
		{"similar", hold.Query{Similar: "kind of dig3"}, []string{"approved"}},
		{"similar and agent", hold.Query{Similar: "kind of dig1", Agent: "lee"}, []string{"pending2"}},
		{"intent and similar that do not go together", hold.Query{Intent: "intent of dig1", Similar: "kind of dig3"}, nil},
		{"since before everything", hold.Query{Since: at(-1)}, all},
		{"since the creation of what is not answered", hold.Query{Since: at(1)}, all[:7]},
		{"since just after it", hold.Query{Since: at(1).Add(time.Millisecond)}, all[:6]},
		{"since the answer of what is not settled", hold.Query{Since: at(20)}, []string{"expired", "approved"}},
		{"since the end of what is settled", hold.Query{Since: at(37)}, []string{"expired"}},
		{"since after everything", hold.Query{Since: at(38)}, nil},
		{"since by another clock on the wall", hold.Query{Since: at(20).In(time.FixedZone("east", 3600))}, []string{"expired", "approved"}},
		{"since and open", hold.Query{Since: at(1), States: []approval.State{approval.Pending}}, []string{"pending2"}},
		{"since and agent", hold.Query{Since: at(6), Agent: "kim"}, []string{"approved", "void", "denied"}},
		{"the first three", hold.Query{Limit: 3}, all[:3]},
		{"the first of an agent", hold.Query{Limit: 1, Agent: "lee"}, []string{"expired"}},
		{"the first open one", hold.Query{Limit: 1, States: []approval.State{approval.Pending}}, []string{"pending2"}},
		{"more than there are", hold.Query{Limit: 1 << 20}, all},
	}
	if len(tests) != 34 {
		t.Errorf("the table has %d cases, 34 were written", len(tests))
	}
	for _, tt := range tests {
		list, err := e.Store.Approvals(context.Background(), tt.q)
		must(t, err)
		var got []string
		for _, a := range list {
			got = append(got, a.ID)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// newestFirst: also when there are more than a query returns without a limit,
// and after questions have moved.
func newestFirst(t *testing.T, e Engine) {
	const n = 130
	for i := range n {
		a := asked(name("q", i), "agent", "device", name("d", i), noon.Add(time.Duration(i)*time.Second))
		e.commit(t, hold.Change{New: &a})
	}
	check := func(limit, want int, first string) {
		t.Helper()
		list, err := e.Store.Approvals(context.Background(), hold.Query{Limit: limit})
		must(t, err)
		if len(list) != want || list[0].ID != first {
			t.Errorf("limit %d: %d questions from %s, want %d from %s", limit, len(list), list[0].ID, want, first)
		}
		if !slices.IsSortedFunc(list, func(a, b approval.Approval) int {
			return cmp.Compare(lastEvent(&b).UnixMilli(), lastEvent(&a).UnixMilli())
		}) {
			t.Errorf("limit %d: not from the newest to the oldest", limit)
		}
	}
	check(0, 100, name("q", n-1))
	check(1000, n, name("q", n-1))
	e.commit(t, move(t, e.get(t, name("q", 0)), approval.Deny, noon.Add(10*time.Minute)))
	check(0, 100, name("q", 0))
	if _, err := e.Store.Approvals(context.Background(), hold.Query{Limit: -1}); err == nil {
		t.Error("a limit below zero was taken")
	}
}

// lastEvent is what Query.Since is held against.
func lastEvent(a *approval.Approval) time.Time {
	if !a.State.Open() && !a.SettledAt.IsZero() {
		return a.SettledAt
	}
	if !a.AnsweredAt.IsZero() {
		return a.AnsweredAt
	}
	return a.CreatedAt
}
