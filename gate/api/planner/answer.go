package planner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// Plan is what a model proposes. Everything in it is the model's word.
type Plan struct {
	// Done says that the task is over; then there is nothing to do and Kind is
	// wait.
	Done bool
	Kind risk.ActionKind
	// TargetText, TargetDescription and TargetID are what the control is said to
	// show.
	TargetText, TargetDescription, TargetID string
	// Text is what is typed, or the package to launch; Key a key; Link an address.
	Text, Key, Link string
	// RequiresConfirmation is the model's flag, Reason its sentence.
	RequiresConfirmation bool
	Reason               string
}

// maxField is the length in runes of the longest field of a plan.
const maxField = 10_000

// completion is a chat completion as far as it is read.
type completion struct {
	Choices []struct {
		Message struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
}

// contentOf is what the model says in a completion.
func contentOf(doc []byte) (string, error) {
	var c completion
	if err := json.Unmarshal(doc, &c); err != nil {
		return "", fmt.Errorf("no chat completion: %w", ErrNotJSON)
	}
	if len(c.Choices) == 0 {
		return "", fmt.Errorf("no choices: %w", ErrNotJSON)
	}
	m := c.Choices[0].Message
	switch {
	case m.Refusal != "":
		return "", ErrRefused
	case strings.TrimSpace(m.Content) == "":
		return "", fmt.Errorf("no text: %w", ErrNotJSON)
	}
	return m.Content, nil
}

// proposed is the object that the model was asked for.
type proposed struct {
	Kind                 string `json:"kind"`
	TargetText           string `json:"target_text"`
	TargetDescription    string `json:"target_description"`
	TargetID             string `json:"target_id"`
	Text                 string `json:"text"`
	Key                  string `json:"key"`
	Link                 string `json:"link"`
	RequiresConfirmation bool   `json:"requires_confirmation"`
	Reason               string `json:"reason"`
}

// readAnswer reads a plan out of what the model says: a bare object, or the
// first one in a fence or between words.
func readAnswer(content string) (Plan, error) {
	start := strings.IndexByte(content, '{')
	if start < 0 {
		return Plan{}, ErrNotJSON
	}
	var p proposed
	if err := json.NewDecoder(strings.NewReader(content[start:])).Decode(&p); err != nil {
		return Plan{}, ErrNotJSON
	}
	for _, field := range []string{p.TargetText, p.TargetDescription, p.TargetID, p.Text, p.Key, p.Link, p.Reason} {
		if utf8.RuneCountInString(field) > maxField {
			return Plan{}, fmt.Errorf("a field has more than %d characters: %w", maxField, ErrTooLarge)
		}
	}
	return p.plan()
}

// plan holds a proposal against the known kinds and what belongs to them.
func (p *proposed) plan() (Plan, error) {
	if !slices.Contains(kinds, p.Kind) {
		return Plan{}, fmt.Errorf("it is none of %s: %w", strings.Join(kinds, ", "), ErrUnknownAction)
	}
	out := Plan{
		Kind: risk.ActionKind(p.Kind), TargetText: p.TargetText, TargetDescription: p.TargetDescription, TargetID: p.TargetID,
		RequiresConfirmation: p.RequiresConfirmation, Reason: p.Reason,
	}
	missing := ""
	switch out.Kind {
	case kindDone:
		return Plan{Done: true, Kind: risk.Wait, RequiresConfirmation: p.RequiresConfirmation, Reason: p.Reason}, nil
	case risk.TypeText:
		out.Text = p.Text
		missing = lacks(p.Text, "text")
	case risk.Launch:
		out.Text = p.Text
		missing = lacks(p.Text, "text, the package to launch")
	case risk.PressKey:
		out.Key = p.Key
		missing = lacks(p.Key, "key")
	case risk.OpenLink:
		out.Link = p.Link
		missing = lacks(p.Link, "link")
	case risk.Tap, risk.DoubleTap, risk.LongPress:
		missing = lacks(p.TargetText+p.TargetDescription+p.TargetID, "a target")
	}
	if missing != "" {
		return Plan{}, fmt.Errorf("%s without %s: %w", p.Kind, missing, ErrUnknownAction)
	}
	return out, nil
}

// lacks is the name of what is missing when there is none.
func lacks(value, name string) string {
	if value == "" {
		return name
	}
	return ""
}
