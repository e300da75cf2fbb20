package policy

import (
	"errors"

	"github.com/countersign/countersign/risk"
)

// Engine says which guard decides the outcome. The zero value is Context.
type Engine uint8

// The engines.
const (
	Context   Engine = iota // tier x category, from the table of this policy
	Flat                    // the flat keyword guard, the same for every app
	Published               // the guard as it was first published
)

// Input is everything a policy may look at.
type Input struct {
	Tier      risk.Tier
	Category  risk.Category
	Package   string
	Observed  bool // the focused window was observed by us, not claimed
	AppAsks   bool // the press answers the app's own confirmation dialog
	Permanent bool // for good, for everyone, or of an account
}

// Result is what a policy says of an Input.
type Result struct {
	Outcome  risk.Outcome
	Critical bool
	Rule     string
	By       string
}

// Policy is a policy that has been read and checked.
type Policy struct{ engine Engine }

// Error is one complaint about a policy file.
type Error struct {
	File          string
	Line, Column  int
	Message, Hint string
}

// Error draws the complaint.
func (e *Error) Error() string { return e.Message }

var errSkeleton = errors.New("policy: not written yet")

// Evaluate says what the policy decides.
func (p *Policy) Evaluate(in Input) Result { return Result{Rule: "no_policy"} }

// Engine returns the guard that decides.
func (p *Policy) Engine() Engine { return Context }

// Name returns the name with a digest of the content.
func (p *Policy) Name() string { return "none" }

// TierOverride returns the tier that the owner set for a package.
func (p *Policy) TierOverride(pkg string) (risk.Tier, bool) { return risk.High, false }

// Parse reads a policy.
func Parse(name string, data []byte) (*Policy, error) { return nil, errSkeleton }

// Load reads a policy file.
func Load(path string) (*Policy, error) { return nil, errSkeleton }

// Preset returns a policy that is built in.
func Preset(name string) (*Policy, error) { return nil, errSkeleton }

// PresetNames lists the built-in policies.
func PresetNames() []string { return []string{"default", "flat", "post"} }
