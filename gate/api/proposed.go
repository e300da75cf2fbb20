package api

import (
	"encoding/json"
	"errors"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/api/planner"
	"github.com/countersign/countersign/risk"
)

// ProposedAction is an action as the step API has it: a risk.Action and the
// control it lands on. Text is what is typed for kinds that type; for all others
// it is what the control says.
type ProposedAction struct {
	Kind       risk.ActionKind `json:"kind"`
	X          *int            `json:"x,omitempty"`
	Y          *int            `json:"y,omitempty"`
	X2         *int            `json:"x2,omitempty"`
	Y2         *int            `json:"y2,omitempty"`
	Space      *[2]int         `json:"space,omitempty"`
	Node       *int            `json:"node,omitempty"`
	Selector   *risk.Selector  `json:"selector,omitempty"`
	DurationMS int             `json:"duration_ms,omitempty"`
	Text       string          `json:"text,omitempty" jsonschema:"what is typed, for kinds that type; else what the control says"`
	Key        string          `json:"key,omitempty"`
	Intent     string          `json:"intent,omitempty"`
	Shell      string          `json:"shell,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	// ContentDesc and ResourceID describe the control, as does Target in full.
	ContentDesc string         `json:"content_desc,omitempty"`
	ResourceID  string         `json:"resource_id,omitempty"`
	Target      *decide.Target `json:"target,omitempty"`
}

// carriesText reports whether the text of a kind of action is its own and not
// its control's.
func carriesText(k risk.ActionKind) bool {
	return k == risk.TypeText || k == risk.ToolCall || k == risk.Launch
}

// errTwoTargets says that a control is described twice.
var errTwoTargets = errors.New("proposed_action describes its control twice; use target, or text, content_desc and resource_id")

// resolve tells the action from the control. With a tree and no place on it, the
// control is looked for there by what it says.
func (p *ProposedAction) resolve(tree bool) (risk.Action, *decide.Target, error) {
	a := risk.Action{
		Kind: p.Kind, X: p.X, Y: p.Y, X2: p.X2, Y2: p.Y2, Space: p.Space, Node: p.Node, Selector: p.Selector,
		DurationMS: p.DurationMS, Key: p.Key, Intent: p.Intent, Shell: p.Shell, Tool: p.Tool,
	}
	said := decide.Target{ContentDesc: p.ContentDesc, ResourceID: p.ResourceID}
	if carriesText(p.Kind) {
		a.Text = p.Text
	} else {
		said.Text = p.Text
	}
	target := p.Target
	if said.Text+said.ContentDesc+said.ResourceID != "" {
		if target != nil {
			return a, nil, errTwoTargets
		}
		target = &said
	}
	placed := p.X != nil || p.Node != nil || p.Selector != nil
	if tree && target != nil && !placed && target.Text+target.ContentDesc+target.ResourceID != "" {
		a.Selector = &risk.Selector{Text: target.Text, ContentDesc: target.ContentDesc, ResourceID: target.ResourceID}
	}
	return a, target, nil
}

// proposedBy is a planner's plan as a proposed action.
func proposedBy(p *planner.Plan) *ProposedAction {
	a := &ProposedAction{Kind: p.Kind, Text: p.Text, Key: p.Key, Intent: p.Link}
	if p.TargetText+p.TargetDescription+p.TargetID != "" {
		a.Target = &decide.Target{Text: p.TargetText, ContentDesc: p.TargetDescription, ResourceID: p.TargetID}
	}
	return a
}

// masked is the action without secrets, and whether any were taken out.
func (p *ProposedAction) masked(redacted func([]byte) ([]byte, error)) (out ProposedAction, masked bool, err error) {
	doc, err := json.Marshal(p)
	if err != nil {
		return out, false, err
	}
	clean, err := redacted(doc)
	if err != nil {
		return out, false, err
	}
	if err := json.Unmarshal(clean, &out); err != nil {
		return out, false, err
	}
	again, err := json.Marshal(&out)
	return out, string(again) != string(doc), err
}
