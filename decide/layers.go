package decide

import "github.com/countersign/countersign/risk"

// Layers are the verdicts of the three guards: true asks (or refuses).
type Layers struct {
	LLM     bool `json:"llm"`
	Flat    bool `json:"flat"`
	Context bool `json:"context"`
}

// attribute says which guard an outcome is owed to and what context changed
// against the flat guard: the truth table of docs/decisions/0003-layers.md.
func attribute(l Layers) (risk.Source, risk.Delta) {
	delta := risk.DeltaNone
	switch {
	case l.Context && !l.Flat:
		delta = risk.Added
	case l.Flat && !l.Context:
		delta = risk.Suppressed
	}
	switch {
	case l.LLM && l.Context:
		return risk.Both, delta
	case l.LLM:
		return risk.LLMFlagged, delta
	case l.Context && l.Flat:
		return risk.KeywordGuard, delta
	case l.Context || l.Flat:
		return risk.ContextAwareGuard, delta
	}
	return risk.SourceNone, delta
}
