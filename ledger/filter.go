package ledger

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/countersign/countersign/risk"
)

// Filter picks rows. Empty fields match every row, and all that are given must
// match. Source, Delta, App, Category and Outcome match decision rows only.
type Filter struct {
	Kind    Kind
	Subject string
	// Agent matches every row that names the agent, whatever its kind.
	Agent string
	// Since and Until are a half-open span of Row.At; zero means no bound.
	Since time.Time
	Until time.Time

	// App is an exact package name.
	App      string
	Source   *risk.Source
	Delta    *risk.Delta
	Category *risk.Category
	Outcome  *risk.Outcome
}

// Match reports whether the filter picks the row. A row whose body cannot be
// read matches only when nothing of its body is asked for.
func (f Filter) Match(r Row) bool {
	switch {
	case f.Kind != "" && r.Kind != f.Kind,
		f.Subject != "" && r.Subject != f.Subject,
		!f.Since.IsZero() && r.At.Before(f.Since),
		!f.Until.IsZero() && !r.At.Before(f.Until):
		return false
	}
	if f.Agent != "" && agentOf(r) != f.Agent {
		return false
	}
	if f.App == "" && f.Source == nil && f.Delta == nil && f.Category == nil && f.Outcome == nil {
		return true
	}
	d, err := r.Decision()
	if err != nil {
		return false
	}
	return (f.App == "" || d.App.Package == f.App) &&
		wants(f.Source, d.Source) && wants(f.Delta, d.Delta) && wants(f.Category, d.Category) && wants(f.Outcome, d.Outcome)
}

func wants[T comparable](wanted *T, got T) bool { return wanted == nil || *wanted == got }

func agentOf(r Row) string {
	var body struct {
		Agent string `json:"agent"`
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return ""
	}
	return body.Agent
}

// Decision reads the body of a decision row; the id of the action is taken from
// the subject. It fails for rows of another kind.
func (r Row) Decision() (Decision, error) {
	if r.Kind != KindDecision {
		return Decision{}, fmt.Errorf("ledger: row %d is a %s row, no decision", r.Seq, r.Kind)
	}
	var d Decision
	if err := json.Unmarshal(r.Body, &d); err != nil {
		return Decision{}, fmt.Errorf("ledger: read decision in row %d: %w", r.Seq, err)
	}
	d.ActionID = r.Subject
	return d, nil
}
