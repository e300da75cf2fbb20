package countersign

import (
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// The types of a request and a decision; each is documented where it is defined.
type (
	// Request is one action to decide about.
	Request = decide.Request
	// Screen is what the device showed.
	Screen = decide.Screen
	// App is what the caller says of the app in front.
	App = decide.App
	// Target is a control as the caller describes it.
	Target = decide.Target
	// LLM is what the agent's model said of its own action.
	LLM = decide.LLM
	// Decision is what is to be done about an action and why.
	Decision = decide.Decision
	// Layers are the verdicts of model, flat guard and context.
	Layers = decide.Layers
	// Code is a stable word for why a decision is what it is.
	Code = decide.Code
	// Self says what belongs to the guard.
	Self = decide.Self

	// Approval is a question and what became of it.
	Approval = approval.Approval
	// Ticket is where a proposed action stands.
	Ticket = hold.Ticket
	// Observer looks at the device, Releaser acts on it.
	Observer = hold.Observer
	Releaser = hold.Releaser

	// Action is one thing an agent proposes.
	Action = risk.Action
	// Selector finds a node by what it says.
	Selector = risk.Selector
	// ActionKind is what an agent proposes to do.
	ActionKind = risk.ActionKind
	// Category is the consequence of an action.
	Category = risk.Category
	// Tier is how much an app can hurt its owner.
	Tier = risk.Tier
	// Outcome is what the guard decided.
	Outcome = risk.Outcome
	// Source is the guard that an outcome is owed to.
	Source = risk.Source
	// Delta is what context changed against the flat guard.
	Delta = risk.Delta
	// Role is what kind of control a target is.
	Role = risk.Role
	// Evidence says which words led to a reading.
	Evidence = risk.Evidence
	// Facts are what the human must see.
	Facts = risk.Facts
)

// The words that callers compare with; package risk has all of them.
const (
	Deny    = risk.Deny
	Confirm = risk.Confirm
	Allow   = risk.Allow

	High   = risk.High
	Medium = risk.Medium
	Low    = risk.Low

	Tap        = risk.Tap
	DoubleTap  = risk.DoubleTap
	LongPress  = risk.LongPress
	Swipe      = risk.Swipe
	PressKey   = risk.PressKey
	IMEAction  = risk.IMEAction
	TypeText   = risk.TypeText
	Launch     = risk.Launch
	OpenIntent = risk.OpenIntent
	OpenLink   = risk.OpenLink
	ShellLine  = risk.ShellLine
)

// ReadRequest reads one request from JSON, strictly: unknown fields, wrong
// types and trailing data are errors that say what is accepted.
func ReadRequest(data []byte) (*Request, error) { return decide.ReadRequest(data) }
