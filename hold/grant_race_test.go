package hold_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// rush proposes many different messages to Anna at once, runs beside next to
// them, and returns how many a grant let pass.
func (f *fixture) rush(t *testing.T, many int, beside func()) int {
	t.Helper()
	var passed atomic.Int64
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range many {
		group.Go(func() {
			req := chat("Anna", fmt.Sprint("message ", i))
			<-start
			ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &req})
			if err != nil {
				t.Errorf("propose: %v", err)
			}
			if ticket.Grant != "" && ticket.Outcome == risk.Allow {
				passed.Add(1)
			}
		})
	}
	group.Go(func() {
		<-start
		beside()
	})
	close(start)
	group.Wait()
	return int(passed.Load())
}

// manyOpen lets an agent have as many questions as the tests need.
func manyOpen(o *hold.Options) { o.OpenPerAgent = 1000 }

func TestAHundredRaceForAGrantOfThree(t *testing.T) {
	for range 4 {
		f := newFixture(t, t, manyOpen)
		g := f.granted("a", chat("Anna", "first"), 3, time.Hour)
		if passed := f.rush(t, 100, func() {}); passed != 3 {
			t.Errorf("%d passed, want 3", passed)
		}
		f.events(g.ID, "given:", "used:", "used:", "used:", "ended:used_up")
		f.verify()
		f.close()
	}
}

// Whatever ends a grant in the middle of a race ends it: none passes after that,
// and the record has as many uses as passed.
func TestAGrantThatEndsInARace(t *testing.T) {
	ends := map[string]func(f *fixture, g approval.Grant, other string) error{
		approval.CodeRevoked: func(f *fixture, g approval.Grant, _ string) error {
			_, err := f.desk.RevokeGrant(f.ctx, g.ID, "owner", "web")
			if errors.Is(err, hold.ErrGrantOver) {
				return nil // it was used up first
			}
			return err
		},
		approval.CodeFrozen: func(f *fixture, _ approval.Grant, _ string) error { return f.desk.Freeze(f.ctx, "owner", "") },
		approval.CodeDeniedSince: func(f *fixture, _ approval.Grant, other string) error {
			_, err := f.desk.Answer(f.ctx, hold.Answer{ID: other, Digest: f.digest(other), By: "owner"})
			return err
		},
	}
	for code, end := range ends {
		for range 3 {
			f := newFixture(t, t, manyOpen)
			g := f.granted("a", chat("Anna", "first"), 20, time.Hour)
			other := f.propose("a", chat("Bob", "no")).ID
			passed := f.rush(t, 60, func() {
				if err := end(f, g, other); err != nil {
					t.Errorf("%s: %v", code, err)
				}
			})
			want := []string{"given:"}
			for range passed {
				want = append(want, "used:")
			}
			ended := code
			if passed == 20 {
				ended = approval.CodeUsedUp
			}
			f.events(g.ID, append(want, "ended:"+ended)...)
			if code == approval.CodeFrozen {
				if err := f.desk.Unfreeze(f.ctx, "owner", ""); err != nil {
					t.Fatal(err)
				}
			}
			if after := f.propose("a", chat("Anna", "after")); after.Grant != "" {
				t.Errorf("%s: it passes after the end", code)
			}
			f.verify()
			f.close()
		}
	}
}

// From the moment that a freeze is recorded, before anything has been ended, no
// grant is used and none is given.
func TestAFreezeThatHasJustBegun(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	g := f.granted("a", chat("Anna", "first"), 3, time.Hour)
	asked := f.propose("a", drop("Trip"))
	frozen := hold.Freeze{Frozen: true, By: "owner", At: f.clock.now()}
	if _, err := f.store.Commit(f.ctx, hold.Change{At: f.clock.now(), Freeze: &frozen}); err != nil {
		t.Fatal(err)
	}
	if then := f.propose("a", chat("Anna", "second")); then.Outcome != risk.Deny || then.Code != approval.CodeFrozen || then.Grant != "" {
		t.Errorf("%v %s by %q", then.Outcome, then.Code, then.Grant)
	}
	if _, ok := f.desk.Offer(f.view(asked.ID)); ok {
		t.Error("a grant is offered")
	}
	terms := approval.UsualGrant()
	_, err := f.desk.Answer(f.ctx, hold.Answer{ID: asked.ID, Digest: f.digest(asked.ID), Yes: true, By: "owner", Grant: &terms})
	if !errors.Is(err, hold.ErrFrozen) || f.view(asked.ID).State != approval.Pending {
		t.Errorf("a yes with a grant: %v, and the question is %v", err, f.view(asked.ID).State)
	}
	f.events(g.ID, "given:")
}

// A grant that is given while everything is being frozen is over by the time
// that the freeze is.
func TestAGrantGivenInAFreeze(t *testing.T) {
	given := 0
	for i := range 40 {
		f := newFixture(t, t)
		asked := f.propose("a", drop("Trip"))
		var group sync.WaitGroup
		terms, answer := approval.UsualGrant(), error(nil)
		digest := f.digest(asked.ID)
		both := []func(){
			func() {
				_, answer = f.desk.Answer(f.ctx, hold.Answer{ID: asked.ID, Digest: digest, Yes: true, By: "owner", Grant: &terms})
			},
			func() {
				if err := f.desk.Freeze(f.ctx, "owner", ""); err != nil {
					t.Errorf("freeze: %v", err)
				}
			},
		}
		group.Go(both[i%2]) // the second one often comes first
		group.Go(both[1-i%2])
		group.Wait()
		if answer != nil && !errors.Is(answer, hold.ErrFrozen) && !conflicts(answer) {
			t.Errorf("the answer: %v", answer)
		}
		list, err := f.desk.Grants(f.ctx, false)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			given++
			if list[i].EndedAt.IsZero() {
				t.Errorf("a grant is open after the freeze")
			}
		}
		f.close()
	}
	t.Logf("%d of 40 were given before the freeze", given)
}
