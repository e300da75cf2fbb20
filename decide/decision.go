package decide

import (
	"cmp"
	"encoding/json"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// maxEvidence is how many pieces of evidence a decision keeps.
const maxEvidence = 6

// The mechanisms that can have the last word.
const (
	ByLayer   = "layer"   // one of the three guards, by the policy's table
	ByRule    = "rule"    // a rule or app override of the policy
	ByFailure = "failure" // something needed to decide is missing: deny
)

// Decision is what is to be done about an action and why. It is a plain value,
// safe for concurrent use. Evidence, Facts, Reason and Digest are rendered
// when asked for, from the request, which must not be changed in between.
type Decision struct {
	ID       string
	Outcome  risk.Outcome
	Category risk.Category
	// Topic is a risky category that the words are about although the action
	// does nothing of the kind; risk.None when there is none.
	Topic     risk.Category
	Critical  bool
	Code      Code
	Source    risk.Source
	Delta     risk.Delta
	DecidedBy string
	// Rule is the cell or rule of the policy that spoke.
	Rule   string
	Layers Layers
	// Package, Tier and App say in which app the action lands.
	Package string
	Tier    risk.Tier
	App     catalog.Verdict
	// Policy is the policy's name and digest.
	Policy string

	policyError error
	req         *Request
	action      *risk.Action
	ui          *screen.Screen
	target      screen.Target
	placed      bool
	offScreen   bool
	appAsks     bool
	affirms     bool
	permanent   bool
	object      string
	answered    string
	key         []byte
	evidence    [maxEvidence]risk.Evidence
	evidenceN   int
}

// refusal denies a request for want of something needed to decide.
func refusal(req *Request, code Code) Decision {
	return Decision{
		ID: req.ID, Outcome: risk.Deny, Category: risk.Unknown, Topic: risk.None, Code: code,
		DecidedBy: ByFailure, Source: risk.ContextAwareGuard, Layers: Layers{LLM: req.LLM.RequiresConfirmation, Context: true},
		req: req,
	}
}

// decision lets the policy decide about what was found.
func (j *judgement) decision() Decision {
	p := j.decider.Policy
	dec := Decision{
		ID: j.req.ID, Category: j.category, Topic: j.topic, Code: j.code,
		Package: j.pkg, App: j.app, Policy: p.Name(),
		req: j.req, action: j.action, ui: j.ui, target: j.target, placed: j.placed, offScreen: j.offScreen,
		appAsks: j.appAsks, affirms: j.affirms, permanent: j.permanent, object: j.object, answered: j.answered,
		key: j.decider.Key, evidence: j.evidence, evidenceN: j.evidenceN,
	}
	if j.category.Risky() {
		dec.Topic = risk.None
	}
	dec.Tier = j.tier()
	result := j.evaluate(j.category)
	flat := Flat(j.named.text)
	context := result.Outcome != risk.Allow
	switch p.Engine() {
	case policy.Flat:
		context = flat
	case policy.Published:
		context = Published(j.named.text, j.named.description, j.named.id, j.pkg)
	}
	dec.Outcome, dec.Critical, dec.Rule, dec.DecidedBy = result.Outcome, result.Critical, result.Rule, result.By
	if p.Engine() != policy.Context {
		dec.Outcome, dec.Critical, dec.Rule, dec.DecidedBy = risk.Allow, false, "", ByLayer
		if context {
			dec.Outcome = risk.Confirm
		}
	}
	dec.Layers = Layers{LLM: j.req.LLM.RequiresConfirmation, Flat: flat, Context: context}
	dec.Source, dec.Delta = attribute(dec.Layers)
	if dec.Layers.LLM && dec.Outcome == risk.Allow {
		dec.Outcome, dec.DecidedBy = risk.Confirm, ByLayer
	}
	return dec
}

// tier is the tier that counts: no app in front makes a command harmless.
func (j *judgement) tier() risk.Tier {
	if j.offScreen {
		return risk.High
	}
	return j.app.Tier
}

// evaluate asks the policy about a category.
func (j *judgement) evaluate(c risk.Category) policy.Result {
	return j.decider.Policy.Evaluate(policy.Input{
		Tier: j.tier(), Category: c, Package: j.pkg, Observed: j.observed(),
		AppAsks: j.appAsks, Permanent: j.permanent || c == risk.Account,
	})
}

// graver reports whether this judgement is the one that counts of two: the one
// that the policy is stricter about, else the one with the graver consequence.
func (j *judgement) graver(k *judgement) bool {
	mine, other := j.evaluate(j.category), k.evaluate(k.category)
	switch {
	case mine.Outcome != other.Outcome:
		return mine.Outcome < other.Outcome
	case mine.Critical != other.Critical:
		return mine.Critical
	}
	return j.category.Weight() > k.category.Weight()
}

// Evidence is what led to the category, the strongest first. The slice is the
// decision's own and must not be changed.
func (d *Decision) Evidence() []risk.Evidence { return d.evidence[:d.evidenceN] }

// Label is what the target says: its text, else its description, else the
// first label that belongs to it.
func (d *Decision) Label() string { return labelOf(&d.target) }

func labelOf(t *screen.Target) string {
	if t.Text != "" || t.Description != "" || len(t.Labels) == 0 {
		return cmp.Or(t.Text, t.Description)
	}
	return t.Labels[0].Text
}

// Target is the control the action lands on and its place in the tree; ok is
// false when there is none.
func (d *Decision) Target() (t screen.Target, ok bool) { return d.target, d.placed }

func (d *Decision) around() screen.Around { return d.ui.Around(d.target.Node) }

// UI is the tree the decision was made on, nil when there was none.
func (d *Decision) UI() *screen.Screen { return d.ui }

type appJSON struct {
	Package string    `json:"package"`
	Tier    risk.Tier `json:"tier"`
	Why     string    `json:"why"`
}

type targetJSON struct {
	Label      string    `json:"label"`
	Role       risk.Role `json:"role"`
	ResourceID string    `json:"resource_id"`
	Bounds     [4]int32  `json:"bounds"`
}

// MarshalJSON writes the decision as the approver sees it, everything rendered.
func (d Decision) MarshalJSON() ([]byte, error) {
	evidence := d.Evidence()
	if evidence == nil {
		evidence = []risk.Evidence{}
	}
	var target *targetJSON
	if d.placed {
		b := d.target.Bounds
		target = &targetJSON{
			Label: d.Label(), Role: d.target.Role, ResourceID: d.target.ResourceID,
			Bounds: [4]int32{b.Left, b.Top, b.Right, b.Bottom},
		}
	}
	return json.Marshal(struct {
		ID        string          `json:"id"`
		Outcome   risk.Outcome    `json:"outcome"`
		Category  risk.Category   `json:"category"`
		Critical  bool            `json:"critical"`
		Code      Code            `json:"code"`
		Source    risk.Source     `json:"source"`
		Delta     risk.Delta      `json:"delta"`
		DecidedBy string          `json:"decided_by"`
		Rule      string          `json:"rule,omitempty"`
		Layers    Layers          `json:"layers"`
		App       appJSON         `json:"app"`
		Target    *targetJSON     `json:"target,omitempty"`
		Evidence  []risk.Evidence `json:"evidence"`
		Reason    string          `json:"reason"`
		Facts     risk.Facts      `json:"facts"`
		Digest    string          `json:"digest"`
		Policy    string          `json:"policy"`
	}{
		d.ID, d.Outcome, d.Category, d.Critical, d.Code, d.Source, d.Delta, d.DecidedBy, d.Rule,
		d.Layers, appJSON{d.Package, d.Tier, d.App.Reason()}, target, evidence, d.Reason(),
		d.Facts(), d.Digest(), d.Policy,
	})
}
