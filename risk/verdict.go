package risk

import (
	"fmt"
	"strings"
)

// Tier is how much an app can hurt its owner. The zero value is High.
type Tier uint8

// The tiers, from the strictest down.
const (
	High   Tier = iota // banking, payments, mail, messaging, settings, installers
	Medium             // social, shopping, calendar, files, browsers, unknown apps
	Low                // notes, reading, media, games, utilities
)

var tierNames = [...]string{High: "HIGH", Medium: "MEDIUM", Low: "LOW"}

// String returns the wire name, such as "HIGH".
func (t Tier) String() string {
	if int(t) < len(tierNames) {
		return tierNames[t]
	}
	return fmt.Sprintf("tier(%d)", uint8(t))
}

// Stricter returns the stricter of two tiers.
func (t Tier) Stricter(u Tier) Tier { return min(t, u) }

// MarshalText writes the wire name.
func (t Tier) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a wire name in any case.
func (t *Tier) UnmarshalText(text []byte) error {
	for i, n := range tierNames {
		if strings.EqualFold(n, string(text)) {
			*t = Tier(i)
			return nil
		}
	}
	return wordError("tier", string(text), tierNames[:])
}

// Outcome is what the guard decided. The zero value is Deny.
type Outcome uint8

// The outcomes, from the strictest down.
const (
	Deny    Outcome = iota // refused without asking
	Confirm                // held until a human answers
	Allow                  // goes ahead
)

var outcomeNames = [...]string{Deny: "deny", Confirm: "confirm", Allow: "allow"}

// String returns the wire name, such as "confirm".
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// Stricter returns the stricter of two outcomes: deny before confirm before allow.
func (o Outcome) Stricter(p Outcome) Outcome { return min(o, p) }

// MarshalText writes the wire name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a wire name.
func (o *Outcome) UnmarshalText(text []byte) error {
	for i, n := range outcomeNames {
		if n == string(text) {
			*o = Outcome(i)
			return nil
		}
	}
	return wordError("outcome", string(text), outcomeNames[:])
}

// Source is the guard that an outcome is owed to: the rows of the truth table
// in docs/decisions/0003-layers.md.
type Source uint8

// The sources.
const (
	SourceNone        Source = iota // nobody objected
	LLMFlagged                      // only the model's own flag asked
	KeywordGuard                    // the flat keyword guard would have asked as well
	ContextAwareGuard               // context asked where the flat guard would not have, or stayed quiet where it would have
	Both                            // the model's flag and the context-aware guard
)

var sourceNames = [...]string{
	SourceNone: "NONE", LLMFlagged: "LLM_FLAGGED", KeywordGuard: "KEYWORD_GUARD",
	ContextAwareGuard: "CONTEXT_AWARE_GUARD", Both: "BOTH",
}

// String returns the wire name, such as "CONTEXT_AWARE_GUARD".
func (s Source) String() string {
	if int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return fmt.Sprintf("source(%d)", uint8(s))
}

// MarshalText writes the wire name.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a wire name.
func (s *Source) UnmarshalText(text []byte) error {
	for i, n := range sourceNames {
		if n == string(text) {
			*s = Source(i)
			return nil
		}
	}
	return wordError("source", string(text), sourceNames[:])
}

// Delta is what context changed against the flat guard.
type Delta uint8

// The deltas.
const (
	DeltaNone  Delta = iota // both guards agree
	Added                   // context finds risk that the flat guard misses
	Suppressed              // context removes a question that the flat guard would ask
)

var deltaNames = [...]string{DeltaNone: "none", Added: "added", Suppressed: "suppressed"}

// String returns the wire name.
func (d Delta) String() string {
	if int(d) < len(deltaNames) {
		return deltaNames[d]
	}
	return fmt.Sprintf("delta(%d)", uint8(d))
}

// MarshalText writes the wire name.
func (d Delta) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a wire name.
func (d *Delta) UnmarshalText(text []byte) error {
	for i, n := range deltaNames {
		if n == string(text) {
			*d = Delta(i)
			return nil
		}
	}
	return wordError("delta", string(text), deltaNames[:])
}

func wordError(what, got string, accepted []string) error {
	return fmt.Errorf("%s %q is not one of %s", what, got, strings.Join(accepted, ", "))
}
