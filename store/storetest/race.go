package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// oneMoves: of a hundred that move a question at the same time exactly one does.
func oneMoves(t *testing.T, e Engine) {
	const movers, rounds = 100, 50
	for round := range rounds {
		a := asked(name("q", round), "agent", "device", name("d", round), noon)
		e.commit(t, hold.Change{New: &a})
		winner := one(t, atOnce(movers, func(i int) error {
			event := []approval.Event{approval.Approve, approval.Deny, approval.Expire}[i%3]
			c := move(t, a, event, noon)
			c.Moved[0].Approval.AnsweredBy = name("person", i)
			_, err := e.Store.Commit(context.Background(), c)
			return err
		}), hold.ErrMoved)
		if got := e.get(t, a.ID); got.AnsweredBy != name("person", winner) || got.Version != 2 {
			t.Fatalf("person %d moved it, and it says %q at version %d", winner, got.AnsweredBy, got.Version)
		}
	}
	if got := e.size(t); got != rounds {
		t.Errorf("%d questions moved and left %d rows", rounds, got)
	}
}

// oneIsAsked: of many that ask the same thing one asks, and the others join it.
func oneIsAsked(t *testing.T, e Engine) {
	for round := range 10 {
		winner := one(t, atOnce(50, func(i int) error {
			a := asked(fmt.Sprint("q", round, "-", i), "agent", "device", name("d", round), noon)
			_, err := e.Store.Commit(context.Background(), hold.Change{At: noon, New: &a, Rows: []ledger.Entry{entry(a.ID)}})
			return err
		}), hold.ErrJoin)
		open, err := e.Store.Approvals(context.Background(), hold.Query{Digest: name("d", round)})
		must(t, err)
		if len(open) != 1 || open[0].ID != fmt.Sprint("q", round, "-", winner) {
			t.Fatalf("%d questions are open, want that of %d", len(open), winner)
		}
	}
}

// oneTakesKey: of many that use a key for the first time one does.
func oneTakesKey(t *testing.T, e Engine) {
	for round := range 10 {
		winner := one(t, atOnce(50, func(i int) error {
			key := hold.Key{Agent: "agent", Key: name("k", round), Action: name("a", i), At: noon}
			_, err := e.Store.Commit(context.Background(), hold.Change{At: noon, Key: &key, Rows: []ledger.Entry{entry(key.Action)}})
			return err
		}), hold.ErrKeyTaken)
		key, err := e.Store.Key(context.Background(), "agent", name("k", round))
		must(t, err)
		if key.Action != name("a", winner) {
			t.Fatalf("%d took the key, and it is for %s", winner, key.Action)
		}
	}
}

// manyAtOnce: rows of many get consecutive numbers, and each gets those of its
// own entries.
func manyAtOnce(t *testing.T, e Engine) {
	const writers, each = 64, 100
	seqs := make([][]int64, writers)
	for i, err := range atOnce(writers, func(i int) error {
		for n := range each {
			subject := fmt.Sprint("w", i, "-", n)
			rows, err := e.Store.Commit(context.Background(), hold.Change{
				At: noon.Add(time.Duration(n) * time.Millisecond), Rows: []ledger.Entry{entry(subject)},
			})
			if err != nil {
				return err
			}
			if rows[0].Subject != subject {
				return fmt.Errorf("the row about %s was answered with that about %s", subject, rows[0].Subject)
			}
			seqs[i] = append(seqs[i], rows[0].Seq)
		}
		return nil
	}) {
		if err != nil {
			t.Fatalf("writer %d: %v", i, err)
		}
	}
	seen := make([]bool, writers*each+1)
	for i := range seqs {
		for n, seq := range seqs[i] {
			if seq < 1 || seq > writers*each || seen[seq] || n > 0 && seq <= seqs[i][n-1] {
				t.Fatalf("writer %d got row %d, which is out of place", i, seq)
			}
			seen[seq] = true
		}
	}
	if got := e.verify(t); got != writers*each {
		t.Errorf("%d rows verify, want %d", got, writers*each)
	}
}
