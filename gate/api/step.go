package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
)

// StepRequest is the published request of an agent with a backend, and what the
// guard can use besides. Every part is the agent's word.
type StepRequest struct {
	Task              string `json:"task,omitempty"`
	ScreenDescription string `json:"screen_description,omitempty" jsonschema:"the screen in words, for the planner; it is not judged"`
	// CurrentPackage is the app in front; null is the same as none.
	CurrentPackage string `json:"current_package,omitempty"`
	UITree         string `json:"ui_tree,omitempty" jsonschema:"uiautomator XML, Appium page source or the JSON tree of docs/screen-json.md"`
	// ProposedAction is judged; without one a planner proposes.
	ProposedAction       *ProposedAction   `json:"proposed_action,omitempty"`
	RequiresConfirmation bool              `json:"requires_confirmation,omitempty" jsonschema:"the flag of the agent's own model: it can raise an outcome, never lower one"`
	History              []json.RawMessage `json:"history,omitempty" jsonschema:"earlier actions in any form, for the planner"`
	Screenshot           Screenshot        `json:"screenshot,omitempty"`
	Device               string            `json:"device,omitempty"`
	Session              string            `json:"session,omitempty"`
	IdempotencyKey       string            `json:"idempotency_key,omitempty"`
}

// StepAnswer is the next action and what becomes of it.
type StepAnswer struct {
	// Action is the proposed action without secrets; Masked says that some were
	// taken out, so that it cannot be carried out from here.
	Action ProposedAction `json:"action"`
	Masked bool           `json:"masked,omitempty" jsonschema:"secrets were taken out of action"`
	// Done says that the planner holds the task to be over.
	Done bool `json:"done,omitempty" jsonschema:"the planner holds the task to be over"`
	// RequiresConfirmation says that the action must not be carried out now.
	RequiresConfirmation bool        `json:"requires_confirmation" jsonschema:"the outcome is not allow"`
	ConfirmationSource   risk.Source `json:"confirmation_source"`
	Decision             View        `json:"decision"`
	Approval             *Question   `json:"approval,omitempty"`
}

// readStep reads the body of a step.
func readStep(data []byte) (*StepRequest, error) {
	var s StepRequest
	if err := readStrict(data, "step", &s); err != nil {
		return nil, err
	}
	if s.ProposedAction != nil && s.ProposedAction.Kind == "" {
		return nil, errors.New("step: proposed_action.kind is missing, such as tap")
	}
	if s.Screenshot != "" { // it was not recognised, so that it would not be shown
		return nil, errors.New("step: the name of the field screenshot is written with escapes; write it in plain letters")
	}
	for i, entry := range s.History {
		// A copy in one spelling: what was read shares no memory with the body.
		clean, err := json.Marshal(entry)
		if err != nil {
			return nil, errors.New("step: an entry of history cannot be read")
		}
		s.History[i] = clean
	}
	if len(s.History) == 0 {
		s.History = nil
	}
	return &s, nil
}

// step judges the proposed action of a step, or has one proposed first, and
// holds what is to be asked.
func (g *Gate) step(c *call) (reply, *Problem) {
	body, shot, p := g.shownBody(c)
	if p != nil {
		return reply{}, p
	}
	s, err := readStep(body)
	if err != nil {
		return reply{}, badBody(err)
	}
	req := decide.Request{
		Task: s.Task, Device: s.Device, Session: s.Session, IdempotencyKey: s.IdempotencyKey,
		Screen: &decide.Screen{Package: s.CurrentPackage, Tree: s.UITree},
		LLM:    decide.LLM{RequiresConfirmation: s.RequiresConfirmation},
	}
	if p := checkClaims(&req); p != nil {
		return reply{}, p
	}
	if p := setDevice(&req, &c.agent); p != nil {
		return reply{}, p
	}
	action, done := s.ProposedAction, false
	if action == nil {
		plan, p := g.plan(c, s)
		if p != nil {
			return reply{}, p
		}
		action, done = proposedBy(&plan), plan.Done
		req.LLM.RequiresConfirmation = req.LLM.RequiresConfirmation || plan.RequiresConfirmation
		req.LLM.Reason = plan.Reason
	}
	if req.Action, req.Target, err = action.resolve(s.UITree != ""); err != nil {
		return reply{}, problem(http.StatusUnprocessableEntity, "two_targets", "%v", err)
	}
	t, p := g.hold(c, &req, shot)
	if p != nil {
		return reply{}, p
	}
	ans, err := g.stepAnswer(action, &t, &req)
	if err != nil {
		return reply{}, g.problemOf(err, &t)
	}
	ans.Done = done
	return held(&t, ans), nil
}

func (g *Gate) stepAnswer(action *ProposedAction, t *hold.Ticket, req *decide.Request) (*StepAnswer, error) {
	shown, masked, err := action.masked(redact.JSON)
	if err != nil {
		return nil, err
	}
	ans := &StepAnswer{
		Action: shown, Masked: masked, RequiresConfirmation: t.Outcome != risk.Allow,
		ConfirmationSource: g.sourceOf(t, req), Decision: viewOf(t),
	}
	ans.Approval = ans.Decision.Approval
	return ans, nil
}

// sourceOf is the guard that the outcome is owed to. A ticket that was read back
// has it on its card, or nowhere: then the request is decided once more.
func (g *Gate) sourceOf(t *hold.Ticket, req *decide.Request) risk.Source {
	switch {
	case t.Decision != nil:
		return t.Decision.Source
	case t.Approval != nil:
		return t.Approval.Card.Source
	}
	dec := g.desk.Decide(req)
	return dec.Source
}
