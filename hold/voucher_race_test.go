package hold_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// brokenOnce fails a commit when it is told to.
type brokenOnce struct {
	hold.Store
	broken atomic.Bool
}

func (s *brokenOnce) Commit(ctx context.Context, c hold.Change) ([]ledger.Row, error) {
	if s.broken.Swap(false) {
		return nil, fmt.Errorf("the disk is full: %w", hold.ErrUnavailable)
	}
	return s.Store.Commit(ctx, c)
}

// What cannot be recorded is not released, and its ticket is gone.
func TestTicketWhoseUseCannotBeRecorded(t *testing.T) {
	s := &brokenOnce{}
	f := newFixture(t, t, withGates(&gates{}), func(o *hold.Options) { s.Store, o.Store = o.Store, s })
	defer f.close()
	f.above("gate-1", sendIt())
	req := sendIt()
	s.broken.Store(true)
	p := hold.Proposal{Agent: "below", AgentName: "below", Request: &req, Arrived: f.desk.Now()}
	if got, err := f.desk.Propose(f.ctx, p); !errors.Is(err, hold.ErrUnavailable) || got.Outcome == risk.Allow {
		t.Errorf("%+v, %v", got, err)
	}
	if got := f.below("below", sendIt(), f.desk.Now()); f.stands(&got, "") != asks {
		t.Errorf("the second try: %+v", got)
	}
}

// A repeated proposal is the same one: it uses no second ticket.
func TestTicketAndIdempotencyKey(t *testing.T) {
	f := newFixture(t, t, withGates(&gates{}))
	defer f.close()
	f.above("gate-1", sendIt())
	req := sendIt()
	p := hold.Proposal{Agent: "below", AgentName: "below", Request: &req, Arrived: f.desk.Now(), Key: "k"}
	var ids []string
	for range 2 {
		got, err := f.desk.Propose(f.ctx, p)
		if err != nil || f.stands(&got, "") != passes {
			t.Fatalf("%+v, %v", got, err)
		}
		ids = append(ids, got.ID)
	}
	if ids[0] != ids[1] {
		t.Errorf("one key, two actions: %q", ids)
	}
}

// Of a hundred that come at once a ticket lets one pass, and never more, whatever
// happens beside.
func TestAHundredRaceForATicket(t *testing.T) {
	beside := map[string]struct {
		do     func(f *fixture, above string) error
		takers int
		all    bool // nothing stands in the way of the ticket
	}{
		"nothing": {func(*fixture, string) error { return nil }, 100, true},
		"its result": {func(f *fixture, id string) error {
			_, err := f.desk.Finish(f.ctx, "gate-1", id, hold.Result{OK: true})
			return err
		}, 20, false},
		"a freeze": {func(f *fixture, _ string) error { return f.desk.Freeze(f.ctx, "owner", "") }, 20, false},
	}
	for name, b := range beside {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, t, withGates(&gates{}))
			defer f.close()
			up := f.above("gate-1", sendIt())
			at := f.desk.Now()
			var passed atomic.Int64
			var group sync.WaitGroup
			start := make(chan struct{})
			for i := range b.takers {
				group.Go(func() {
					<-start
					if got := f.below(fmt.Sprint("below-", i), sendIt(), at); got.Above != "" && got.Outcome == risk.Allow {
						passed.Add(1)
					}
				})
			}
			group.Go(func() {
				<-start
				if err := b.do(f, up.ID); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
			close(start)
			group.Wait()
			if n := passed.Load(); n > 1 || b.all && n != 1 {
				t.Errorf("%d passed by one ticket", n)
			}
			if n := len(f.ticketed()); n != int(passed.Load()) {
				t.Errorf("%d passed and the record has %d", passed.Load(), n)
			}
			f.verify()
		})
	}
}

// ticketed are the decisions on record that a ticket let pass.
func (f *fixture) ticketed() []ledger.Decision {
	f.t.Helper()
	rows, err := f.store.Rows(f.ctx, 0, 100_000)
	if err != nil {
		f.t.Fatalf("read the record: %v", err)
	}
	var all []ledger.Decision
	for i := range rows {
		if rows[i].Kind != ledger.KindDecision {
			continue
		}
		var d ledger.Decision
		if err := json.Unmarshal(rows[i].Body, &d); err != nil {
			f.t.Fatalf("row %d: %v", rows[i].Seq, err)
		}
		if d.DecidedBy == hold.ByTicket {
			all = append(all, d)
		}
	}
	return all
}
