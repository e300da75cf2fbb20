package hold_test

import (
	"context"
	"testing"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// thawing is a store whose freeze is lifted just after it has stopped something.
type thawing struct {
	*sqlite.Store
	stopped bool
}

func (s *thawing) Commit(ctx context.Context, c hold.Change) ([]ledger.Row, error) {
	if c.New != nil && !s.stopped {
		s.stopped = true
		return nil, hold.ErrFrozen
	}
	return s.Store.Commit(ctx, c)
}

func TestFreezeLiftedInTheMiddle(t *testing.T) {
	f := newFixture(t, t, func(o *hold.Options) { o.Store = &thawing{Store: o.Store.(*sqlite.Store)} })
	defer f.close()
	req := press("com.whatsapp", "Delete chat")
	ticket, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: "agent-1", AgentName: "agent-1", Request: &req})
	if err != nil || ticket.Outcome == risk.Allow {
		t.Fatalf("what a person was to be asked about is %v without a question: %v", ticket.Outcome, err)
	}
}
