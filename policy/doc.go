// Package policy is what the owner of a phone wants, as data: which outcome
// each category has in each tier, with exceptions for single apps.
//
// A policy is a YAML file that is read strictly (Parse, Load) or one of the
// presets that are built in (Preset). Once read it is immutable and is asked
// with Evaluate. The file format is described in docs/policy.md.
//
//	p, err := policy.Preset("default")
//	...
//	r := p.Evaluate(policy.Input{Tier: risk.High, Category: risk.Message})
//	// r.Outcome == risk.Confirm, r.Rule == "table HIGH.message"
//
// Three things hold for every policy that can be read, whatever its owner
// wrote, so that a slip of the pen cannot switch the guard off:
//
//   - bypass is never allowed;
//   - unknown is allowed only on a window that was observed;
//   - a stricter tier never has a laxer outcome.
//
// A policy that is missing refuses everything: the zero Policy and the nil
// Policy deny with the rule "no_policy".
package policy
