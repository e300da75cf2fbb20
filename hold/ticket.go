package hold

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
)

// Ticket is where a proposed action stands, as its requester may know it: never
// the words that were recognised.
type Ticket struct {
	// ID names the action; a question about it has the same id.
	ID string
	// Outcome is allow, deny, or confirm where the action is held. In observe mode
	// it is always allow, and Would is what it would have been.
	Outcome, Would risk.Outcome
	Category       risk.Category
	Critical       bool
	Code           string
	// Reason says what the action does, Message what became of it and what the
	// requester may do now.
	Reason, Message string
	Digest          string
	// Approval is the question, nil where none was put.
	Approval *approval.Approval
	// Decision is the whole decision, for the gate and its caller, not for the
	// agent; nil when the ticket was read back from the record.
	Decision *decide.Decision
	// Observing says that nothing is held.
	Observing bool
	// Grant is the id of the grant that let the action pass, empty without one.
	Grant string
	// Above is the id of the action at a gate above whose yes let this one pass, empty
	// without one.
	Above string
	// TicketUntil is until when the same action may arrive at a gate below and pass
	// there without a question, once; zero where nothing was left for it. It is not
	// on record.
	TicketUntil time.Time
}

// ErrNoAction says that there is no action of that id for that agent.
var ErrNoAction = fmt.Errorf("no action of yours has this id: %w", ErrNotFound)

// Ticket returns where an action of an agent's stands.
func (d *Desk) Ticket(ctx context.Context, agent, id string) (Ticket, error) {
	a, err := d.options.Store.Approval(ctx, id)
	switch {
	case err == nil && a.Agent == agent:
		return d.ticketOf(a), nil
	case err == nil:
		return Ticket{}, ErrNoAction
	case !errors.Is(err, ErrNotFound):
		return Ticket{}, err
	}
	row, err := d.decisionRow(ctx, id)
	if err != nil {
		return Ticket{}, err
	}
	if row.Agent != agent {
		return Ticket{}, ErrNoAction
	}
	t := Ticket{
		ID: id, Outcome: row.Outcome, Would: row.Outcome, Category: row.Category, Critical: row.Critical,
		Code: string(row.Code), Digest: row.Digest, Observing: row.Observe, Reason: row.AgentReason, Grant: row.Grant, Above: row.Above,
	}
	if t.Observing {
		t.Outcome = risk.Allow
	}
	t.Message = t.message()
	return t, nil
}

// decisionRow finds what was recorded when an action was decided.
func (d *Desk) decisionRow(ctx context.Context, id string) (ledger.Decision, error) {
	rows, err := d.options.Store.About(ctx, id)
	if err != nil {
		return ledger.Decision{}, err
	}
	for i := range rows {
		if rows[i].Kind != ledger.KindDecision {
			continue
		}
		var row ledger.Decision
		if err := json.Unmarshal(rows[i].Body, &row); err != nil {
			return row, fmt.Errorf("row %d: %w: %w", rows[i].Seq, ErrUnavailable, err)
		}
		return row, nil
	}
	return ledger.Decision{}, ErrNoAction
}

// ticketOf is the ticket of a question as it stands.
func (d *Desk) ticketOf(a approval.Approval) Ticket {
	t := Ticket{
		ID: a.ID, Outcome: risk.Confirm, Would: risk.Confirm, Category: a.Card.Category, Critical: a.Card.Critical,
		Code: a.Card.Code, Digest: a.Digest, Approval: &a, Reason: a.Card.AgentReason,
	}
	if a.Code != "" {
		t.Code = a.Code
	}
	switch a.State {
	case approval.Pending, approval.Approved, approval.Releasing, approval.Released:
	default:
		t.Outcome = risk.Deny
	}
	t.Message = t.message()
	return t
}

// ticketFor is the ticket of a decision that needed no question.
func (d *Desk) ticketFor(id string, dec *decide.Decision) Ticket {
	t := Ticket{
		ID: id, Outcome: dec.Outcome, Would: dec.Outcome, Category: dec.Category, Critical: dec.Critical,
		Code: string(dec.Code), Digest: dec.Digest(), Decision: dec, Reason: dec.AgentReason(), Observing: d.options.Observe,
	}
	if t.Observing {
		t.Outcome = risk.Allow
	}
	t.Message = t.message()
	return t
}

// message tells the requester what became of the action and what it may do. A
// refusal says that trying again will not help, and shows no way round.
func (t *Ticket) message() string {
	if t.Observing {
		if t.Would == risk.Allow {
			return "Go ahead. (Observe mode: nothing is held.)"
		}
		return "Observe mode: nothing is held. Without it the outcome would have been " + t.Would.String() + "."
	}
	if t.Approval == nil {
		switch {
		case t.Outcome == risk.Allow && t.Grant != "":
			return "Go ahead: the owner said yes to this for a while."
		case t.Outcome == risk.Allow && t.Above != "":
			return "Go ahead: the owner has just said yes to this at the gate above."
		case t.Outcome == risk.Allow:
			return "Go ahead."
		case t.Code == CodeRecentlyRefused:
			return "The owner refused this a short while ago. Trying it again, also in another way, will not help; tell the user that it was refused."
		case t.Code == approval.CodeFrozen:
			return "The owner has stopped all actions. Do nothing until the owner lets them go on."
		}
		return "Refused. Trying again will not help; tell the user what you wanted to do and let them do it themselves."
	}
	a := t.Approval
	switch a.State {
	case approval.Pending:
		return "Not answered yet. A person has been asked; ask for the state of this action again."
	case approval.Approved:
		return "Approved. Look at the screen again and redeem the approval before it lapses; do not act before that."
	case approval.Releasing:
		return "Released. Carry the action out now, once, and report the result."
	case approval.Released:
		return "Done. The approval is used up."
	case approval.Denied:
		if a.Note != "" {
			return "The owner refused and says: “" + decide.Quote(redact.Text(a.Note), MaxNote) + "”. Trying again, also in another way, will not help."
		}
		return "The owner refused. Trying again, also in another way, will not help; go on with something else or ask the user."
	case approval.Expired:
		return "Not done: its time was over. Nobody refused it; it may be asked again."
	case approval.NoChannel:
		return "Not done: there was nobody to ask. Ask the user to start an approver, then try again."
	case approval.Void:
		return "Not done: the screen is no longer the one that was approved. Look again, and ask again if it is still wanted."
	case approval.Failed:
		if a.Code == approval.CodeResultUnknown {
			return "It is not known whether it was done. It will not be tried again; look at the screen."
		}
		return "It was tried and failed. It will not be tried again by itself; look at the screen."
	case approval.Revoked:
		if a.Code == approval.CodeFrozen {
			return "Not done: the owner has stopped all actions. Nobody refused it; it may be asked again when the owner lets them go on."
		}
		return "Not done: the owner took it back. Trying again will not help."
	}
	return "Not done: the question was withdrawn."
}
