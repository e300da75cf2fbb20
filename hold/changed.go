package hold

import (
	"context"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// changed says what differs between what was approved and what would be done
// now, in words for a person; empty when nothing does.
func changed(a *approval.Approval, dec *decide.Decision) string {
	switch {
	case dec.Outcome == risk.Deny:
		return "the policy now refuses it"
	case dec.Critical && !a.Card.Critical:
		return "it is critical now"
	case dec.Digest() == a.Digest && a.Digest != "":
		return ""
	}
	what := "the screen has changed"
	if told := differences(a, dec); told != "" {
		what += ": " + told
	}
	return what
}

// differences tells what an action is bound to that is not as it was when a
// question was asked. What is compared has lost its secrets on both sides.
func differences(a *approval.Approval, dec *decide.Decision) string {
	now, err := masked(cardOf(dec))
	if err != nil {
		return ""
	}
	return strings.Join(decide.Differences(a.Card.Bound, now.Bound), "; ")
}

// followWithin is how soon a question has to come to be taken for the one that
// follows another.
const followWithin = 5 * time.Minute

// follows says what differs from the question that this one follows: the agent's
// last one about the same, or of the same control, whose yes did not count since
// the screen had changed.
func (d *Desk) follows(ctx context.Context, at time.Time, p *Proposal, dec *decide.Decision) (string, error) {
	if dec.Outcome != risk.Confirm {
		return "", nil
	}
	asked, err := d.options.Store.Approvals(ctx, Query{Agent: p.Agent, Since: at.Add(-followWithin), Limit: 20})
	if err != nil {
		return "", err
	}
	var last *approval.Approval
	similar, label := dec.Similar(), dec.Label()
	for i := range asked {
		a := &asked[i]
		related := a.Similar == similar || label != "" && a.Card.Label == label
		if a.Device == p.Request.Device && related && (last == nil || a.CreatedAt.After(last.CreatedAt)) {
			last = a
		}
	}
	if last == nil || last.State != approval.Void {
		return "", nil
	}
	before := "a yes " + ago(at.Sub(last.SettledAt)) + " did not count, the screen had changed"
	if told := differences(last, dec); told != "" {
		return before + ": " + told, nil
	}
	return before + "; now it is as it was", nil
}
