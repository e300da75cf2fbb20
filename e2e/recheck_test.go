package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/lab"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// A yes is for what was shown: of the changes of real screens that matter at most
// one in a hundred may leave an approval standing, and of those that do not
// matter at most two in a hundred may void one. The person who is asked again is
// told what differs.
func TestRecheckOnRealScreens(t *testing.T) {
	guard, all := bindingGuard(t), &lab.Rechecked{}
	sample := newSample(t, guard, 41)
	for _, set := range []struct {
		file string
		held int
	}{{"cases.jsonl", 90}, {"agent_steps.jsonl", 28}} {
		found, err := lab.RunRecheck(realCases(t, set.file), guard, sample.visit, nil)
		if err != nil {
			t.Fatal(err)
		}
		if found.Cases < set.held || found.Left > 0 {
			t.Errorf("%s: %d held screens were changed, %d could not be; at least %d were when this was written", set.file, found.Cases, found.Left, set.held)
		}
		all.Cases += found.Cases
		all.List = append(all.List, found.List...)
	}
	sample.settle()
	real, harmless, kinds := all.Rates()
	t.Logf("%d changes of %d screens", len(all.List), all.Cases)
	for _, k := range append([]lab.KindRate{real, harmless}, kinds...) {
		t.Logf("%-30s voids %d of %d = %.2f %% (%.2f to %.2f), named rightly %d of %d", k.Kind, k.Voided.Hits, k.Voided.Total,
			100*k.Voided.Share(), 100*k.Voided.Low, 100*k.Voided.High, k.Named.Hits, k.Named.Total)
	}
	switch {
	case real.Voided.Total < 2500 || harmless.Voided.Total < 7500:
		t.Errorf("%d real changes and %d harmless ones; there were 2700 and 9000 when this was written", real.Voided.Total, harmless.Voided.Total)
	case real.Voided.Share() < 0.99:
		t.Errorf("%.2f %% of the real changes void the approval; 99 is the floor", 100*real.Voided.Share())
	case harmless.Voided.Share() > 0.02:
		t.Errorf("%.2f %% of the harmless changes void the approval; 2 is the ceiling", 100*harmless.Voided.Share())
	case real.Named.Share() < 0.99:
		t.Errorf("%.2f %% of the real changes are named rightly; 99 is the floor", 100*real.Named.Share())
	}
	if len(kinds) != 29 { // the risky taps of the corpus show no sum of money
		t.Errorf("%d kinds of change were tried, there are 29 besides the amount", len(kinds))
	}
}

// realCases are the labelled cases of a file of the corpus.
func realCases(t *testing.T, name string) []lab.Case {
	t.Helper()
	path := corpus(t, "ui", name)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases, err := lab.ReadCases(file, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func bindingGuard(t *testing.T) *countersign.Guard {
	t.Helper()
	guard, err := countersign.New(countersign.Options{DigestKey: []byte("0123456789abcdef0123456789abcdef")})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

func memoryStore(t *testing.T) *sqlite.Store {
	t.Helper()
	private, _, err := ledger.GenerateKey("countersign")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ledger.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(context.Background(), sqlite.Memory, sqlite.Options{Signer: signer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// sample takes some of the changes through a desk: asked, approved, begun on the
// fresh look, and where that voids it, asked again.
type sample struct {
	t     *testing.T
	desk  *hold.Desk
	every int64
	seen  atomic.Int64

	mu     sync.Mutex
	faults []string
	// begun and void count the approvals that were used and that were not, again
	// the questions that followed one.
	begun, void, again int
}

func newSample(t *testing.T, guard *countersign.Guard, every int64) *sample {
	t.Helper()
	desk, err := hold.New(t.Context(), hold.Options{
		Store: memoryStore(t), Decider: guard, Somebody: func(context.Context) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(desk.Close)
	return &sample{t: t, desk: desk, every: every}
}

func (s *sample) visit(r *lab.Recheck, asked, fresh *decide.Request) {
	n := s.seen.Add(1)
	if n%s.every != 0 {
		return
	}
	fault := s.release(fmt.Sprintf("agent %d", n), r, asked, fresh)
	if fault != "" {
		s.mu.Lock()
		s.faults = append(s.faults, fmt.Sprintf("%s, %s: %s", r.Case.ID, r.Kind, fault))
		s.mu.Unlock()
	}
}

// release takes one change through the desk and says what was wrong.
func (s *sample) release(agent string, r *lab.Recheck, asked, fresh *decide.Request) string {
	ctx := s.t.Context()
	put := func(req *decide.Request) (hold.Ticket, error) {
		return s.desk.Propose(ctx, hold.Proposal{Agent: agent, AgentName: agent, Request: req})
	}
	ticket, err := put(asked)
	if err != nil || ticket.Approval == nil || ticket.Approval.State != approval.Pending {
		return fmt.Sprintf("it is not asked about: %+v, %v", ticket.Outcome, err)
	}
	if _, err := s.desk.Answer(ctx, hold.Answer{ID: ticket.ID, Digest: ticket.Digest, Yes: true, By: "owner"}); err != nil {
		return err.Error()
	}
	ticket, err = s.desk.Begin(ctx, agent, ticket.ID, fresh)
	if err != nil {
		return err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if state := ticket.Approval.State; (state == approval.Void) != r.Voided || !r.Voided && state != approval.Releasing {
		return fmt.Sprintf("it is %v after the fresh look; decided by itself voided is %v", state, r.Voided)
	}
	if !r.Voided {
		s.begun++
		return ""
	}
	s.void++
	next, err := put(fresh)
	if err != nil || next.Outcome != risk.Confirm || next.Approval == nil {
		return "" // it is allowed or refused by now
	}
	s.again++
	view, err := s.desk.View(ctx, next.ID)
	if err != nil {
		return err.Error()
	}
	was, now := &ticket.Approval.Card, &next.Approval.Card
	told := strings.Join(decide.Differences(was.Bound, now.Bound), "; ")
	// An action in another app with another label is no longer the same to anybody.
	related := view.Similar == ticket.Approval.Similar || now.Label == was.Label && now.Label != ""
	switch {
	case related && !strings.Contains(view.Card.Before, told), !related && view.Card.Before != "":
		return fmt.Sprintf("the card says %q of what was before, it should say %q", view.Card.Before, told)
	case told != r.Told && !strings.Contains(told, "<redacted"):
		return fmt.Sprintf("the card says %q of what was before, by itself it is %q", told, r.Told)
	}
	return ""
}

// settle reports what was wrong and checks that enough was tried.
func (s *sample) settle() {
	s.t.Helper()
	s.t.Logf("through a desk: %d released, %d void, of which %d were asked about again", s.begun, s.void, s.again)
	for _, fault := range s.faults {
		s.t.Error(fault)
	}
	if s.begun < 100 || s.void < 40 || s.again < 20 {
		s.t.Errorf("only %d changes left an approval standing, %d voided one, %d were asked about again", s.begun, s.void, s.again)
	}
}

// How often a person is asked when an agent does what it was asked to do: at most
// one question in five tasks.
func TestQuestionsPerTask(t *testing.T) {
	cases, guard := realCases(t, "agent_steps.jsonl"), bindingGuard(t)
	replay := func(unlinked bool) lab.TaskCount {
		t.Helper()
		count, err := lab.ReplayTasks(t.Context(), cases, lab.TaskOptions{Store: memoryStore(t), Decider: guard, Unlinked: unlinked})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("unlinked %v: %d questions in %d tasks, %d covered by the answer before, recall %d of %d", unlinked,
			count.Questions, count.Tasks, count.Linked, count.Recall.Hits, count.Recall.Total)
		return count
	}
	single, linked := replay(true), replay(false)
	switch {
	case linked.Tasks != 158 || linked.Steps != 560 || single.Steps != 560:
		t.Errorf("%d tasks of %d steps, the corpus has 158 of 560", linked.Tasks, linked.Steps)
	case linked.PerTask() > 0.2:
		t.Errorf("%.3f questions a task, 0.2 is the ceiling", linked.PerTask())
	case linked.Recall.Hits != single.Recall.Hits || linked.Recall.Total != 28:
		t.Errorf("links change the recall: %d of %d, without them %d of %d", linked.Recall.Hits, linked.Recall.Total, single.Recall.Hits, single.Recall.Total)
	case linked.Linked == 0 || linked.Linked+linked.Questions != single.Questions || single.Linked != 0:
		t.Errorf("%d questions and %d covered, without links %d and %d", linked.Questions, linked.Linked, single.Questions, single.Linked)
	case linked.Joined+linked.Refused != 0:
		t.Errorf("%d joined and %d refused, where each step is proposed once and nobody refuses", linked.Joined, linked.Refused)
	}
}
