package api

import (
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
)

// View is a decision as its agent sees it: what becomes of the action and what
// to do now, without the words, rules and evidence that led to it.
type View struct {
	ID       string        `json:"id" jsonschema:"the caller's own id of a pure decision; the id of a recorded action"`
	Outcome  risk.Outcome  `json:"outcome"`
	Category risk.Category `json:"category"`
	Critical bool          `json:"critical"`
	// Code says why, where the outcome alone does not.
	Code string `json:"code" jsonschema:"a stable word that says why, empty where the outcome says all"`
	// Reason is what the action does, Message what becomes of it.
	Reason  string `json:"reason" jsonschema:"what the action does"`
	Message string `json:"message" jsonschema:"what became of it and what to do now"`
	Digest  string `json:"digest" jsonschema:"what an answer is bound to"`
	// DecidedBy is "grant" where a grant of the owner's let the action pass. Which
	// one and how often it may still be used is not for the agent. It is "ticket"
	// where the owner had just said yes to it at a gate above.
	DecidedBy string `json:"decided_by,omitempty" jsonschema:"grant where the owner said yes to this for a while, ticket where the owner had just said yes to it at a gate above, else absent"`
	// TicketUntil is there for a gate's credential only, in the answer that lets its
	// action go ahead.
	TicketUntil time.Time `json:"ticket_until,omitzero" jsonschema:"until when the same action may arrive at a gate below and pass there without a question, once; absent where no ticket was left"`
	// Observe says that nothing is held; Would is what the outcome would be.
	Observe  bool          `json:"observe,omitempty" jsonschema:"nothing is held: see would"`
	Would    *risk.Outcome `json:"would,omitempty"`
	Approval *Question     `json:"approval,omitempty"`
}

// Question is a question as its requester sees it.
type Question struct {
	ID    string         `json:"id"`
	State approval.State `json:"state"`
	// ExpiresAt is when it ends unanswered, UseBy when a yes lapses.
	ExpiresAt time.Time `json:"expires_at" jsonschema:"when the question ends unanswered"`
	UseBy     time.Time `json:"use_by,omitzero" jsonschema:"when a yes lapses that nobody redeemed"`
	// Note is what the person who answered says to the agent.
	Note string `json:"note,omitempty" jsonschema:"what the person who answered says"`
}

// viewOf is a ticket for its agent.
func viewOf(t *hold.Ticket) View {
	v := View{
		ID: t.ID, Outcome: t.Outcome, Category: t.Category, Critical: t.Critical, Code: t.Code,
		Reason: redact.Text(t.Reason), Message: redact.Text(t.Message), Digest: t.Digest, Observe: t.Observing,
		Approval: questionOf(t), TicketUntil: t.TicketUntil,
	}
	switch {
	case t.Grant != "":
		v.DecidedBy = hold.ByGrant
	case t.Above != "":
		v.DecidedBy = hold.ByTicket
	}
	if t.Observing {
		v.Would = &t.Would
	}
	return v
}

// questionOf is the question of a ticket, nil where none was put.
func questionOf(t *hold.Ticket) *Question {
	if t == nil || t.Approval == nil {
		return nil
	}
	a := t.Approval
	q := &Question{ID: a.ID, State: a.State, ExpiresAt: a.Deadline, UseBy: a.UseBy, Note: decide.Quote(redact.Text(a.Note), hold.MaxNote)}
	if !a.ParkedUntil.IsZero() && a.ParkedUntil.Before(a.Deadline) {
		q.ExpiresAt = a.ParkedUntil
	}
	return q
}

// pureView is a pure decision for its agent.
func (g *Gate) pureView(dec *decide.Decision, frozen bool) View {
	v := View{
		ID: dec.ID, Outcome: dec.Outcome, Category: dec.Category, Critical: dec.Critical, Code: string(dec.Code),
		Reason: redact.Text(dec.AgentReason()), Digest: dec.Digest(),
	}
	switch {
	case frozen:
		v.Outcome, v.Code = risk.Deny, approval.CodeFrozen
		v.Message = "The owner has stopped all actions. Do nothing until the owner lets them go on."
	case g.options.Observe:
		v.Observe, v.Would, v.Outcome = true, &dec.Outcome, risk.Allow
		v.Message = "Observe mode: nothing is held. Without it the outcome would have been " + dec.Outcome.String() + "."
	default:
		v.Message = pureMessages[dec.Outcome]
	}
	return v
}

// pureMessages say what a decision means that nothing was recorded or held for.
var pureMessages = map[risk.Outcome]string{
	risk.Allow:   "This would go ahead. Nothing was recorded for it: propose it to POST /v1/actions before carrying it out.",
	risk.Confirm: "A person has to be asked first, and has not been: propose it to POST /v1/actions.",
	risk.Deny:    "This would be refused. Trying it in another way will not help; tell the user what you wanted to do.",
}
