package hold_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/store/sqlite"
)

// readStore counts how often one question is read, and says when.
type readStore struct {
	*sqlite.Store
	id    atomic.Value // string
	reads atomic.Int64
	read  chan struct{}
}

func (s *readStore) Approval(ctx context.Context, id string) (approval.Approval, error) {
	if id == s.id.Load() {
		s.reads.Add(1)
		select {
		case s.read <- struct{}{}:
		default:
		}
	}
	return s.Store.Approval(ctx, id)
}

// waiting asks a question and waits for its answer; when it returns the question
// has been read and waits.
func waiting(f *fixture, desk *hold.Desk, s *readStore) (id string, ended <-chan hold.Ticket) {
	f.t.Helper()
	req := press("com.whatsapp", "Send")
	asked, err := desk.Propose(f.ctx, hold.Proposal{Agent: "a", AgentName: "a", Request: &req})
	if err != nil || asked.Approval == nil {
		f.t.Fatalf("propose: %v", err)
	}
	s.id.Store(asked.ID)
	out := make(chan hold.Ticket, 1)
	go func() {
		ctx, cancel := context.WithTimeout(f.ctx, time.Minute)
		defer cancel()
		t, _ := desk.Wait(ctx, "a", asked.ID)
		out <- t
	}()
	<-s.read
	return asked.ID, out
}

// elsewhere moves another agent's question.
func elsewhere(f *fixture, desk *hold.Desk) {
	f.t.Helper()
	req := press("com.whatsapp", "Send")
	other, err := desk.Propose(f.ctx, hold.Proposal{Agent: "b", AgentName: "b", Request: &req})
	if err != nil {
		f.t.Fatalf("propose: %v", err)
	}
	if _, err := desk.Withdraw(f.ctx, "b", other.ID, approval.CodeWithdrawn); err != nil {
		f.t.Fatalf("withdraw: %v", err)
	}
}

// With a thousand that wait, a change must not make each of them read the store.
func TestWaitWakesForItsOwnQuestion(t *testing.T) {
	s := &readStore{read: make(chan struct{}, 1)}
	f := newFixture(t, t, func(o *hold.Options) { s.Store = o.Store.(*sqlite.Store); o.Store = s })
	defer f.close()
	id, ended := waiting(f, f.desk, s)
	for range 20 {
		elsewhere(f, f.desk)
	}
	if _, err := f.desk.Answer(f.ctx, hold.Answer{ID: id, Digest: f.digest(id), Yes: true, By: "owner", How: "terminal"}); err != nil {
		t.Fatal(err)
	}
	if got := <-ended; got.Approval == nil || got.Approval.State != approval.Approved {
		t.Errorf("the wait ended with %+v", got.Approval)
	}
	// Before and after by the one that waits, and once by the answer.
	if n := s.reads.Load(); n != 3 {
		t.Errorf("the question was read %d times, want 3", n)
	}
}

// On a shared store another desk may have moved the question: then every change
// here is a reason to look.
func TestWaitOnASharedStoreLooksAtEveryChange(t *testing.T) {
	s := &readStore{read: make(chan struct{}, 1)}
	f := newFixture(t, t, func(o *hold.Options) { s.Store = o.Store.(*sqlite.Store); o.Store, o.Shared = s, true })
	defer f.close()
	other, err := hold.New(f.ctx, f.options)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	id, ended := waiting(f, f.desk, s)
	if _, err := other.Answer(f.ctx, hold.Answer{ID: id, Digest: f.digest(id), By: "owner", How: "terminal"}); err != nil {
		t.Fatal(err)
	}
	elsewhere(f, f.desk)
	if got := <-ended; got.Approval == nil || got.Approval.State != approval.Denied {
		t.Errorf("the wait ended with %+v", got.Approval)
	}
}

// A desk that is closed lets those go that wait.
func TestCloseEndsTheWait(t *testing.T) {
	s := &readStore{read: make(chan struct{}, 1)}
	f := newFixture(t, t, func(o *hold.Options) { s.Store = o.Store.(*sqlite.Store); o.Store = s })
	defer f.close()
	_, ended := waiting(f, f.desk, s)
	f.desk.Close()
	if got := <-ended; got.Approval == nil || got.Approval.State != approval.Pending {
		t.Errorf("the wait ended with %+v", got.Approval)
	}
}
