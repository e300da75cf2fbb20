package command

import (
	"errors"

	"github.com/countersign/countersign/risk"
)

// ErrIntent is wrapped by every error of [ParseIntent].
var ErrIntent = errors.New("not an intent")

// An Intent is a request to Android to start, or to tell, some app.
type Intent struct {
	Action     string            `json:"action"`
	Data       string            `json:"data"`
	Type       string            `json:"type"`
	Component  string            `json:"component"`
	Package    string            `json:"package"`
	Categories []string          `json:"categories"`
	Extras     map[string]string `json:"extras"`
	// Kind is "activity", "service" or "broadcast"; empty is an activity.
	Kind string `json:"kind"`
}

// ParseIntent reads an intent from a JSON object, an intent: URI or the
// arguments of "am start".
func ParseIntent(s string) (Intent, error) { return Intent{}, ErrIntent }

// Effect works out what sending the intent would do.
func (i Intent) Effect() Effect { return Effect{Category: risk.Unknown, Code: "opaque"} }
