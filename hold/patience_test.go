package hold_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// A requester whose patience ends is told so and nothing is done; its retry joins
// the parked question, and the yes is used once.
func TestParkedWhenPatienceEnds(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	p := &phone{screen: bank("Pay now")}
	hurried := hold.Proposal{Agent: "a", AgentName: "a", Request: tapButton(), Patience: -1}
	first, err := f.desk.Do(f.ctx, hurried, p, p)
	if !errors.Is(err, hold.ErrNotYet) || first.Approval == nil || first.Approval.ParkedUntil.IsZero() || p.touched() != 0 {
		t.Fatalf("not parked: %v, %+v, touched %d times", err, first.Approval, p.touched())
	}
	again, err := f.desk.Do(f.ctx, hurried, p, p)
	if !errors.Is(err, hold.ErrNotYet) || again.ID != first.ID {
		t.Fatalf("the retry is %s, not %s: %v", again.ID, first.ID, err)
	}
	if _, err := f.desk.Answer(f.ctx, hold.Answer{ID: first.ID, Digest: first.Digest, Yes: true, By: "owner", How: "library"}); err != nil {
		t.Fatal(err)
	}
	if p.touched() != 0 {
		t.Fatal("carried out although nobody waits for it")
	}
	done, err := f.desk.Do(f.ctx, hurried, p, p)
	if err != nil || done.ID != first.ID || done.Approval.State != approval.Released || p.touched() != 1 {
		t.Fatalf("the approved retry: %v, %+v, touched %d times", err, done.Approval, p.touched())
	}
	next, err := f.desk.Do(f.ctx, hurried, p, p)
	if !errors.Is(err, hold.ErrNotYet) || next.ID == first.ID || p.touched() != 1 {
		t.Fatalf("a yes was used twice: %v, %s, touched %d times", err, next.ID, p.touched())
	}
	f.verify()
}

// A parked question ends by itself, and a late yes is a conflict.
func TestParkedQuestionEnds(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	p := &phone{screen: bank("Pay now")}
	first, err := f.desk.Do(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: tapButton(), Patience: -1}, p, p)
	if !errors.Is(err, hold.ErrNotYet) {
		t.Fatal(err)
	}
	f.clock.pass(11 * time.Minute)
	f.desk.Sweep(f.ctx)
	_, err = f.desk.Answer(f.ctx, hold.Answer{ID: first.ID, Digest: first.Digest, Yes: true, By: "owner", How: "library"})
	if !conflicts(err) || p.touched() != 0 {
		t.Fatalf("a late yes: %v, touched %d times", err, p.touched())
	}
}

// A screenshot is taken when a question is put, and not for what is allowed or
// joins a question that is open.
func TestShotIsTakenForQuestions(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	p, taken := &phone{screen: bank("Pay now")}, 0
	propose := hold.Proposal{Agent: "a", AgentName: "a", Request: tapButton(), Patience: -1, Shot: func(context.Context) []byte {
		taken++
		return []byte("no picture") // and so none is shown
	}}
	for range 2 {
		if _, err := f.desk.Do(f.ctx, propose, p, p); !errors.Is(err, hold.ErrNotYet) {
			t.Fatal(err)
		}
	}
	p.show(bank("Help"))
	if _, err := f.desk.Do(f.ctx, propose, p, p); err != nil {
		t.Fatal(err)
	}
	if taken != 1 {
		t.Errorf("%d screenshots of one question", taken)
	}
}
