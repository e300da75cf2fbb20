package policy

import "github.com/countersign/countersign/risk"

const (
	tiers      = risk.Low + 1
	categories = risk.Affirmative // the first that no decision can have
)

// table has a cell for every tier and category. The zero value denies.
type table [tiers][categories]cell

// cell is what a table says of one category in one tier.
type cell uint8

// The cells. The first three are the strict ones, in order; the words for them
// are cellWords.
const (
	denied cell = iota
	critical
	confirmed
	// confirmIfAskedOrPermanent asks where the app itself asks, or where the
	// effect is permanent; else it allows.
	confirmIfAskedOrPermanent
	// allowIfObserved allows on a window that was observed; else it asks.
	allowIfObserved
	allowed
)

// cellWords are the words for the cells in a policy file.
var cellWords = [...]string{
	denied: "deny", critical: "critical", confirmed: "confirm",
	confirmIfAskedOrPermanent: "confirm_if_asked_or_permanent",
	allowIfObserved:           "allow_if_observed",
	allowed:                   "allow",
}

// cellNames are the rules that Evaluate reports, made once so that it need not
// allocate: "table HIGH.message".
var cellNames = func() (names [tiers][categories]string) {
	for t := range tiers {
		for c := range categories {
			names[t][c] = "table " + t.String() + "." + c.String()
		}
	}
	return names
}()

// answer applies the cell's condition to the input.
func (c cell) answer(in Input, rule, by string) Result {
	r := Result{Outcome: risk.Deny, Rule: rule, By: by}
	ask := true
	switch c {
	case critical:
		r.Critical = true
	case confirmed:
	case confirmIfAskedOrPermanent:
		ask = in.AppAsks || in.Permanent
	case allowIfObserved:
		ask = !in.Observed
	case allowed:
		ask = false
	default:
		return r
	}
	r.Outcome = risk.Allow
	if ask {
		r.Outcome = risk.Confirm
	}
	return r
}

// severity orders results from the strictest down: deny, critical, confirm,
// allow.
func (r Result) severity() int {
	if r.Outcome == risk.Confirm && r.Critical {
		return 1
	}
	return int(r.Outcome) * 2
}

// atLeastAsStrictAs reports whether c never answers laxer than d, whatever the
// input. Two conditional cells with different conditions are strict in
// different places, so that neither is as strict as the other.
func (c cell) atLeastAsStrictAs(d cell) bool {
	for _, observed := range [...]bool{false, true} {
		for _, asks := range [...]bool{false, true} {
			in := Input{Observed: observed, AppAsks: asks}
			if c.answer(in, "", "").severity() > d.answer(in, "", "").severity() {
				return false
			}
		}
	}
	return true
}

// mayStandFor reports whether the cell may be given to the category at all, in
// any tier, by the owner of the phone; if not, why.
func (c cell) mayStandFor(category risk.Category) (why string, ok bool) {
	switch {
	case category == risk.Bypass && c > confirmed:
		return "bypass opens a way round the guard; it may be deny, critical or confirm", false
	case category == risk.Unknown && (c == allowed || c == confirmIfAskedOrPermanent):
		return "what cannot be seen may be anything; it may be deny, critical, confirm or allow_if_observed", false
	}
	return "", true
}
