package ledger

import (
	"time"

	"github.com/countersign/countersign/risk"
)

// Transition is the body of a KindTransition row: a question changes its state.
type Transition struct {
	// Approval is the id of the question.
	Approval string `json:"approval"`
	From     string `json:"from"`
	To       string `json:"to"`
	// Event is what happened: "answer", "expire", "freeze" and so on.
	Event string `json:"event"`
	// By is the approver, credential or mechanism, and How the way it came:
	// "terminal", "inbox", "elicitation (unverified)".
	By   string `json:"by"`
	How  string `json:"how"`
	Code string `json:"code"`
	Note string `json:"note"`
	// Digest is what the answer was given for.
	Digest string `json:"digest"`
}

// Result is the body of a KindResult row: what became of a released action.
type Result struct {
	// Approval is the id of the question, empty for an action that was allowed.
	Approval string `json:"approval"`
	OK       bool   `json:"ok"`
	Code     string `json:"code"`
	Note     string `json:"note"`
}

// GrantEvent is what happens to a grant.
type GrantEvent string

// The events of a grant. The use that is its last is followed by its end.
const (
	GrantGiven GrantEvent = "given"
	GrantUsed  GrantEvent = "used"
	GrantEnded GrantEvent = "ended"
)

// Grant is the body of a KindGrant row: something happens to a grant. The subject
// of the row is the grant's id. What it covers stands in every row, so that each
// can be read on its own.
type Grant struct {
	Grant string     `json:"grant"`
	Event GrantEvent `json:"event"`
	// By is the approver, agent or mechanism, How the way it came, and Code why it
	// ended.
	By   string `json:"by"`
	How  string `json:"how"`
	Code string `json:"code"`
	// Approval is the id of the question that it came with, Action that of the
	// action that it let pass, empty for none.
	Approval  string        `json:"approval"`
	Action    string        `json:"action"`
	Agent     string        `json:"agent"`
	Device    string        `json:"device"`
	Category  risk.Category `json:"category"`
	Package   string        `json:"package"`
	Object    string        `json:"object"`
	Recipient string        `json:"recipient"`
	// Count is how often it may be used, Used how often it was by then.
	Count     int       `json:"count"`
	Used      int       `json:"used"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Refused is the body of a KindRefused row: a request that came to no decision, so
// that there is a record of it all the same. It could not be read, was over a limit,
// or is refused whatever it says, such as a service that opens a way round the guard.
// Where the same came again and again a further row says in Why how often.
type Refused struct {
	Agent string `json:"agent"`
	// What is the entry point, Why the error as the agent was told it.
	What string `json:"what"`
	Why  string `json:"why"`
	// Size is that of the raw request in bytes.
	Size int64 `json:"size"`
}

// Change is the body of rows about the guard itself: credentials, policy,
// freeze and unfreeze, start and stop.
type Change struct {
	By string `json:"by"`
	// What names what is changed, Detail says how.
	What   string `json:"what"`
	Detail string `json:"detail"`
}

// Label is the body of a KindLabel row: what a person says of an earlier
// decision, to be learned from. The subject of the row is the action's id.
type Label struct {
	By string `json:"by"`
	// Should is the outcome it should have had, and Category the consequence.
	Should   string `json:"should"`
	Category string `json:"category"`
	Note     string `json:"note"`
}

// Aggregate is the body of a KindAggregate row: decisions that were only asked
// for, not acted upon, are counted instead of recorded one by one.
type Aggregate struct {
	Agent string `json:"agent"`
	// From and To are the half-open span of time that is counted.
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Counts Counts    `json:"counts"`
	// Refused are requests that were over the limit of rows of their own.
	Refused int64 `json:"refused,omitempty"`
}

// Counts are decisions by outcome.
type Counts struct {
	Allow   int64 `json:"allow"`
	Confirm int64 `json:"confirm"`
	Deny    int64 `json:"deny"`
}

// Total is the sum of all outcomes.
func (c Counts) Total() int64 { return c.Allow + c.Confirm + c.Deny }
