package approval

import (
	"encoding/json"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// Approval is one question and what became of it. It is a plain value; the
// methods that change it work on the caller's copy. Times are UTC and rounded to
// milliseconds by whoever stores them; the zero time means that there is none.
//
// Everything in it may be stored and shown: what must not be is masked before
// it comes here. What a person sees while the question is open is in the Card of
// package hold.
type Approval struct {
	// ID is unguessable and names the action as well: there is one question an
	// action.
	ID    string `json:"id"`
	State State  `json:"state"`
	// Version counts the events so far. A store moves a question only from the
	// version that the caller has seen.
	Version int64 `json:"version"`

	// Agent is the credential that asked, AgentName what its owner calls it.
	Agent     string `json:"agent"`
	AgentName string `json:"agent_name"`
	Device    string `json:"device"`
	Session   string `json:"session,omitempty"`
	// Bound says that the requester waits on a connection: when that goes away,
	// and after a restart, the question is cancelled.
	Bound bool `json:"bound,omitempty"`

	// Digest is what the answer is bound to.
	Digest string `json:"digest"`
	// Intent names the effect whatever the way to it, Similar its kind in this
	// app; refusals are remembered by them.
	Intent  string `json:"intent"`
	Similar string `json:"similar"`

	Card Card `json:"card"`
	// Asked is the request without its screen and without secrets; Partial says
	// that some were taken out of its action, so that it cannot be decided again
	// from here.
	Asked   json.RawMessage `json:"asked,omitempty"`
	Partial bool            `json:"partial,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	// Deadline is when the question ends unanswered.
	Deadline time.Time `json:"deadline"`
	// ParkedUntil is set while the requester's connection was answered "not yet,
	// ask again"; the question then ends at this time.
	ParkedUntil time.Time `json:"parked_until,omitzero"`
	// UseBy is when a yes lapses that nobody used.
	UseBy time.Time `json:"use_by,omitzero"`
	// ReleaseBy is when an action that is being carried out counts as lost.
	ReleaseBy time.Time `json:"release_by,omitzero"`

	AnsweredAt time.Time `json:"answered_at,omitzero"`
	// AnsweredBy is the approver's name, How the way the answer came: "terminal",
	// "web", "api", "library".
	AnsweredBy string `json:"answered_by,omitempty"`
	How        string `json:"how,omitempty"`
	// Note is what the person who answered tells the agent.
	Note string `json:"note,omitempty"`

	SettledAt time.Time `json:"settled_at,omitzero"`
	// Code says why it is in its state where the state alone does not:
	// "screen_changed", "requester_gone", "frozen", "result_unknown".
	Code string `json:"code,omitempty"`

	// Grant is the id of the grant that came with the yes, empty without one.
	Grant string `json:"grant,omitempty"`

	// LinkedBy is the id of the later question that this answer covered as well.
	LinkedBy string `json:"linked_by,omitempty"`
}

// Card is what a person is shown about an action.
type Card struct {
	// Action is what the agent does, in a word and its argument: "tap", or the
	// whole shell line.
	Action   string        `json:"action"`
	Argument string        `json:"argument,omitempty"`
	Category risk.Category `json:"category"`
	Critical bool          `json:"critical"`
	Package  string        `json:"package"`
	App      string        `json:"app"`
	Tier     risk.Tier     `json:"tier"`
	TierWhy  string        `json:"tier_why"`
	// AgentReason is the sentence of consequence as far as the agent may know it,
	// Reason the whole of it.
	AgentReason string    `json:"agent_reason"`
	Reason      string    `json:"reason"`
	Label       string    `json:"label"`
	Role        risk.Role `json:"role"`
	ResourceID  string    `json:"resource_id,omitempty"`
	// Wording is all that the control and the dialog around it say, a text a line.
	// A grant is held against it: a dialog that says more asks for more.
	Wording string     `json:"wording,omitempty"`
	Facts   risk.Facts `json:"facts"`
	// Point is where it lands when nothing is known of what is there.
	Point string `json:"point,omitempty"`
	// Permanent says that it cannot be taken back, or is for everyone.
	Permanent bool            `json:"permanent,omitempty"`
	Evidence  []risk.Evidence `json:"evidence"`
	Code      string          `json:"code,omitempty"`
	Source    risk.Source     `json:"source"`
	Delta     risk.Delta      `json:"delta"`
	Rule      string          `json:"rule,omitempty"`
	Policy    string          `json:"policy"`
	// Observed says that the guard looked at the screen itself; else it is the
	// agent's word.
	Observed bool `json:"observed"`
	// Task and Doubt are the agent's own words, and are shown as such.
	Task  string `json:"task,omitempty"`
	Doubt string `json:"doubt,omitempty"`
	// Before says that something like it was refused a short while ago, or what
	// differs from the question it follows.
	Before string `json:"before,omitempty"`
	// Bound is what the answer is bound to, part by part: what a later question
	// that follows this one is held against, to say what differs.
	Bound []decide.Part `json:"bound,omitempty"`
	// Masked says that secrets were taken out: the full card is lost with a
	// restart.
	Masked bool `json:"masked,omitempty"`
}

// Cause is who or what moves a question, and what they say.
type Cause struct {
	By   string // an approver's or agent's name, or the mechanism: "countersign"
	How  string // the way it came
	Code string
	Note string
}

// Terms are how long things may take. All are positive.
type Terms struct {
	UseWithin     time.Duration // from the answer to its use
	ReleaseWithin time.Duration // from the beginning of the release to its result
}

// Move applies an event at a time. It returns a *Conflict, and leaves the
// question as it was, where the event has no place in the table, and where the
// question's time was over before the event came.
func (a *Approval) Move(e Event, at time.Time, c Cause, t Terms) error {
	to, ok := Next(a.State, e)
	if !ok || a.late(e, at) {
		return &Conflict{ID: a.ID, State: a.State, Event: e}
	}
	a.State = to
	a.Version++
	switch e {
	case Approve, Deny:
		a.AnsweredAt, a.AnsweredBy, a.How, a.Note = at, c.By, c.How, c.Note
		if e == Approve {
			a.UseBy = at.Add(t.UseWithin)
			if a.ParkedUntil.After(a.UseBy) {
				a.UseBy = a.ParkedUntil
			}
		}
	case Begin:
		a.ReleaseBy = at.Add(t.ReleaseWithin)
	case Revoke:
		a.Note = c.Note
	}
	if c.Code != "" {
		a.Code = c.Code
	}
	if !to.Open() {
		a.SettledAt = at
	}
	return nil
}

// late reports whether an event that only counts in time comes too late.
func (a *Approval) late(e Event, at time.Time) bool {
	switch e {
	case Approve, Deny, Begin, Succeed, Fail:
		wake := a.Wake()
		return a.State.Open() && !wake.IsZero() && !at.Before(wake)
	}
	return false
}

// Wake is when the question moves by itself unless something happens before;
// the zero time when it never does.
func (a *Approval) Wake() time.Time {
	switch a.State {
	case Pending:
		if !a.ParkedUntil.IsZero() && a.ParkedUntil.Before(a.Deadline) {
			return a.ParkedUntil
		}
		return a.Deadline
	case Approved:
		return a.UseBy
	case Releasing:
		return a.ReleaseBy
	}
	return time.Time{}
}

// Overdue is the event that is due at a time and what to say of it; ok is false
// when none is.
func (a *Approval) Overdue(at time.Time) (e Event, c Cause, ok bool) {
	wake := a.Wake()
	if wake.IsZero() || at.Before(wake) {
		return 0, Cause{}, false
	}
	if a.State == Releasing {
		return Lose, Cause{By: "countersign", Code: CodeResultUnknown}, true
	}
	code := CodeNotAnswered
	if a.State == Approved {
		code = CodeNotUsed
	}
	return Expire, Cause{By: "countersign", Code: code}, true
}

// The codes of a question's end.
const (
	CodeNotAnswered   = "not_answered"    // nobody answered in time
	CodeNotUsed       = "not_used"        // the answer was not used in time
	CodeResultUnknown = "result_unknown"  // the release began and nobody knows how it ended
	CodeScreenChanged = "screen_changed"  // the fresh look differs from what was approved
	CodeGone          = "requester_gone"  // the requester's connection or lease ended
	CodeWithdrawn     = "withdrawn"       // the requester withdrew it
	CodeRestart       = "restart"         // the guard was restarted while a connection waited
	CodeFrozen        = "frozen"          // everything was frozen
	CodeRevoked       = "revoked"         // a person took it back
	CodeNobody        = "nobody_to_ask"   // no approver can be reached
	CodeUnattended    = "unattended"      // the guard runs without anybody to ask
	CodeReleaseFailed = "release_failed"  // the action could not be carried out
	CodeLinked        = "linked_approval" // covered by the yes to the question before
)
