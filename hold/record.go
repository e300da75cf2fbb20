package hold

import (
	"encoding/json"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
)

// decisionEntry is the row of a decision. question is the id of the question it
// led to, or of the one whose answer covers it.
func (d *Desk) decisionEntry(id string, p *Proposal, dec *decide.Decision, question string) ledger.Entry {
	return ledger.Entry{Kind: ledger.KindDecision, Subject: id, Body: d.decisionBody(id, p, dec, question)}
}

func (d *Desk) decisionBody(id string, p *Proposal, dec *decide.Decision, question string) ledger.Decision {
	row := ledger.DecisionOf(dec, p.Request)
	row.ActionID, row.Agent, row.Approval, row.Observe = id, p.Agent, question, d.options.Observe
	features, replay := d.features(dec)
	row.SetFeatures(features, replay)
	return row
}

// features are what a decision can be made again from, and whether it comes out
// the same.
func (d *Desk) features(dec *decide.Decision) (json.RawMessage, string) {
	f := dec.Features()
	f.ID, f.IdempotencyKey, f.Agent, f.Device, f.Session, f.Now = "", "", "", "", "", ""
	doc, err := json.Marshal(f)
	if err != nil {
		return nil, "the request cannot be written: " + err.Error()
	}
	if dec.SecretTyped() {
		return doc, "what was typed is secret and not stored"
	}
	switch again := d.decide(f); {
	case again.Category != dec.Category || again.Code != dec.Code:
		return doc, "it depends on more of the screen than is stored"
	case again.Tier != dec.Tier:
		return doc, "the tier depends on more of the screen than is stored"
	}
	return doc, ledger.ReplayExact
}

// joinedBody is what is recorded of a proposal that joined an open question.
func joinedBody(p *Proposal, dec *decide.Decision, old *approval.Approval) ledger.Decision {
	row := ledger.DecisionOf(dec, p.Request)
	row.ActionID, row.Agent, row.Approval = old.ID, p.Agent, old.ID
	row.Note = "joined the open question"
	row.SetFeatures(nil, "joined; see the first row about this action")
	return row
}

// transitionRow is the row of a question's move.
func transitionRow(a *approval.Approval, from approval.State, e approval.Event, c approval.Cause) ledger.Entry {
	return ledger.Entry{Kind: ledger.KindTransition, Subject: a.ID, Body: ledger.Transition{
		Approval: a.ID, From: from.String(), To: a.State.String(), Event: e.String(),
		By: c.By, How: c.How, Code: c.Code, Note: c.Note, Digest: a.Digest,
	}}
}
