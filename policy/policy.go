package policy

import (
	"fmt"

	"github.com/countersign/countersign/risk"
)

// Engine says which guard decides the outcome. The zero value is Context, the
// strictest.
type Engine uint8

// The engines.
const (
	// Context is tier x category, by the table of the policy.
	Context Engine = iota
	// Flat is the keyword guard that knows no apps. It needs no table.
	Flat
	// Published is the guard as it was first published. It needs no table.
	Published
)

var engineNames = [...]string{Context: "context", Flat: "flat", Published: "published"}

// String returns the word for the engine in a policy file, such as "context".
func (e Engine) String() string {
	if int(e) < len(engineNames) {
		return engineNames[e]
	}
	return fmt.Sprintf("engine(%d)", uint8(e))
}

// Input is everything a policy may look at. The zero value is an unknown target
// in a HIGH app on a window that nobody observed.
type Input struct {
	// Tier is the app's tier as it was finally settled; a policy does not apply
	// its own TierOverride again.
	Tier     risk.Tier
	Category risk.Category
	// Package is the app acted on; empty where there is none.
	Package string
	// Observed says that the guard itself saw which window has the focus.
	Observed bool
	// AppAsks says that the press answers the app's own confirmation dialog.
	AppAsks bool
	// Permanent says that the effect is for good, for everyone, or of an account.
	Permanent bool
}

// What had the last word: the values of Result.By, in the words of a
// decision's decided_by.
const (
	ByLayer  = "layer"  // a cell of the table
	ByRule   = "rule"   // an exception for the app
	ByPreset = "preset" // the policy as a whole: it is missing, or has no table
)

// Result is what a policy says of an Input. The zero value denies.
type Result struct {
	Outcome risk.Outcome
	// Critical marks a question that must look different and that no grant may
	// answer. It is set only where Outcome is Confirm.
	Critical bool
	// Rule names what spoke: "table HIGH.message", "app com.example.chat",
	// "no_policy" or "no_table".
	Rule string
	// By is ByLayer, ByRule or ByPreset.
	By string
}

// Policy is a policy that has been read and checked. It is immutable and safe
// for concurrent use. The zero value and nil deny everything.
type Policy struct {
	name     string // empty only in the zero value
	engine   Engine
	table    table
	apps     apps
	channels channels
}

// Evaluate says what the policy wants for one action. It does not allocate.
//
// A tier outside the vocabulary is read as HIGH. A category that no decision
// can have, such as risk.Affirmative, is read as unknown on a window that
// nobody observed. A policy whose engine is not Context has no table; asked all
// the same, it denies with the rule "no_table".
func (p *Policy) Evaluate(in Input) Result {
	if p == nil || p.name == "" {
		return Result{Outcome: risk.Deny, Rule: "no_policy", By: ByPreset}
	}
	if p.engine != Context {
		return Result{Outcome: risk.Deny, Rule: "no_table", By: ByPreset}
	}
	if in.Tier > risk.Low {
		in.Tier = risk.High
	}
	if in.Category >= categories {
		in.Category, in.Observed = risk.Unknown, false
	}
	general := p.table[in.Tier][in.Category]
	if o := p.apps.find(in.Package, subject(in.Category)); o != nil {
		if own := o.cells[in.Category]; in.Observed || countsUnobserved(general, own) {
			return own.answer(in, o.rule, ByRule)
		}
	}
	return general.answer(in, cellNames[in.Tier][in.Category], ByLayer)
}

// countsUnobserved reports whether an app's exception counts although the
// window, and with it the package, is only the agent's word. It may always be
// stricter; it may not turn a refusal or a critical question into less, since
// then naming the right app would be enough to spend money.
func countsUnobserved(general, own cell) bool {
	return general > critical || own.atLeastAsStrictAs(general)
}

// Engine returns the guard that decides the outcome; Context for the nil policy.
func (p *Policy) Engine() Engine {
	if p == nil {
		return Context
	}
	return p.engine
}

// Name returns the policy's name with a digest of what it says, such as
// "default@sha256:0123456789abcdef". Comments, layout and the order of keys do
// not count. It is "none" for the zero and the nil policy.
func (p *Policy) Name() string {
	if p == nil || p.name == "" {
		return "none"
	}
	return p.name
}

// TierOverride returns the tier that the owner set for a package, and whether
// there is one. It does not allocate.
func (p *Policy) TierOverride(pkg string) (risk.Tier, bool) {
	if p == nil {
		return risk.High, false
	}
	if o := p.apps.find(pkg, subjectTier); o != nil {
		return o.tier, true
	}
	return risk.High, false
}
