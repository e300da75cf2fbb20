// Package countersign is the second signature on what an AI agent does with
// somebody's phone. It takes an action that an agent proposes on an Android
// screen, works out what the action lands on and what it would do, and decides
// whether it goes ahead, waits for a human, or is refused, and why.
//
//	guard, err := countersign.New(countersign.Options{})
//	...
//	decision := guard.Decide(&countersign.Request{
//		Action: countersign.Action{Kind: countersign.Tap, X: &x, Y: &y},
//		Screen: &countersign.Screen{Package: "com.whatsapp", Tree: dump},
//	})
//	if decision.Outcome != countersign.Allow { ask a human, or stop }
//
// Deciding is pure: no input or output, no clock, no environment. [Guard.Do] goes
// further: it holds an action until a person has answered, looks again, and lets
// it go once, with everything on record. For agents that are programs of their
// own there is the daemon, `countersign up`.
//
// What it will not do: it does not look at pictures, it does not ask a model,
// and it takes the caller's word for the screen unless the caller says that it
// looked itself (Screen.Observed). Text from the screen or from the agent can
// make it ask, never make it stop asking.
//
// For callers who know three labels and a package only, the guard as it was
// first published is kept in form: [Guard.ShouldConfirm], [Guard.ShouldConfirmText]
// and [Guard.TierFor].
package countersign

import (
	"cmp"
	"errors"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/screen"
)

// Options say how a Guard decides. The zero value is the default policy with
// the embedded catalogue, no digests, and the usual limits.
type Options struct {
	// Policy is the name of a preset ("default", "flat", "post") or the path of
	// a policy file. Empty is "default".
	Policy string
	// Apps is the path of a file with the owner's own tiers; see docs/apps.md.
	Apps string
	// DigestKey is the per-install key of decision digests, at least 32 bytes.
	// Without one digests are empty and nothing can be released.
	DigestKey []byte
	// Limits bound the trees that are read; zero fields are the defaults.
	Limits screen.Limits
	// Self says which apps, hosts, titles and ports belong to the guard, so that an
	// agent's actions on them are refused. A port is the guard's on every name and
	// address of this machine, such as localhost.
	Self decide.Self

	// Store keeps questions and the record of a guard that holds actions (see
	// [Guard.Do]); nil is a guard that only decides. It needs a DigestKey.
	Store hold.Store
	// Ask asks a person. Nil stands for nobody to ask: what would be held then ends
	// at once, with state no_channel.
	Ask Asker
	// Approver is the name under which answers of Ask are recorded; "owner" if
	// empty.
	Approver string
	// Observe decides and records everything and holds nothing.
	Observe bool
}

// ErrDigestKey says that Options.DigestKey is too short to be a key.
var ErrDigestKey = errors.New("digest key: at least 32 bytes are needed; leave it empty for no digests")

// minDigestKey is the length in bytes of the shortest digest key.
const minDigestKey = 32

// Guard decides about actions and, with a store, holds them. It is safe for
// concurrent use.
// The zero Guard denies everything, because it has no policy.
type Guard struct {
	decider decide.Decider
	desk    *hold.Desk
	stop    func()
}

// New builds a guard. When the policy cannot be read it returns an error and a
// guard that denies everything and says so: a caller that goes on with it
// fails closed.
func New(o Options) (*Guard, error) {
	g := &Guard{decider: decide.Decider{Limits: o.Limits, Self: o.Self, Key: o.DigestKey}}
	if n := len(o.DigestKey); n > 0 && n < minDigestKey {
		g.decider.PolicyError = ErrDigestKey
		return g, ErrDigestKey
	}
	p, err := policy.Named(cmp.Or(o.Policy, "default"))
	if err != nil {
		g.decider.PolicyError = err
		return g, err
	}
	cat := catalog.Default()
	if o.Apps != "" {
		overrides, err := catalog.ReadOverridesFile(o.Apps)
		if err != nil {
			g.decider.PolicyError = err
			return g, err
		}
		cat = cat.WithOverrides(overrides)
	}
	g.decider.Policy, g.decider.Catalog = p, cat
	if err := g.holdOn(&o); err != nil {
		g.decider.Policy, g.decider.PolicyError = nil, err
		return g, err
	}
	return g, nil
}

// Decide says what would happen and what is to be done about it. It never
// panics and does no input or output. The request must not be changed while
// the decision is in use: reasons, facts and digest are rendered from it.
func (g *Guard) Decide(req *Request) Decision {
	if g == nil {
		return (*decide.Decider)(nil).Decide(req)
	}
	return g.decider.Decide(req)
}

// Policy is the name and digest of the policy in force, such as
// "default@sha256:0123456789abcdef"; "none" where there is none.
func (g *Guard) Policy() string {
	if g == nil {
		return (*policy.Policy)(nil).Name()
	}
	return g.decider.Policy.Name()
}

// Rules is the policy in force; nil where there is none, which denies everything.
func (g *Guard) Rules() *policy.Policy {
	if g == nil {
		return nil
	}
	return g.decider.Policy
}

// ShouldConfirm reports whether a tap on a control with these labels, in this
// app, should wait for a human: the published guard's form, under the guard's
// own policy. Empty strings are labels that are not there.
func (g *Guard) ShouldConfirm(text, contentDescription, resourceID, packageName string) bool {
	dec := g.Decide(&Request{
		Action: Action{Kind: Tap},
		Screen: &Screen{Package: packageName},
		Target: &Target{Text: text, ContentDesc: contentDescription, ResourceID: resourceID},
	})
	return dec.Outcome != Allow
}

// ShouldConfirmText is ShouldConfirm for one visible text.
func (g *Guard) ShouldConfirmText(text, packageName string) bool {
	return g.ShouldConfirm(text, "", "", packageName)
}

// TierFor is how much an app can hurt its owner. No package is Medium. Under
// the preset "post" it is the published guard's own table.
func (g *Guard) TierFor(packageName string) Tier {
	switch {
	case g == nil:
		return High
	case g.decider.Policy.Engine() == policy.Published:
		return decide.PublishedTier(packageName)
	}
	if tier, ok := g.decider.Policy.TierOverride(packageName); ok {
		return tier
	}
	cat := g.decider.Catalog
	if cat == nil {
		cat = catalog.Default()
	}
	return cat.Tier(catalog.App{Package: packageName}).Tier
}
