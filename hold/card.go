package hold

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// cardOf is what a person is shown about a decision, in full.
func cardOf(dec *decide.Decision) approval.Card {
	req := dec.Request()
	c := approval.Card{
		Action: string(req.Action.Kind), Category: dec.Category, Critical: dec.Critical,
		Package: dec.Package, App: dec.App.Name, Tier: dec.Tier, TierWhy: dec.App.Reason(),
		Reason: dec.OwnReason(), AgentReason: dec.AgentReason(), Label: dec.Label(), Facts: dec.Facts(), Permanent: dec.Permanent(),
		Evidence: append([]risk.Evidence(nil), dec.Evidence()...), Code: string(dec.Code),
		Source: dec.Source, Delta: dec.Delta, Rule: dec.Rule, Policy: dec.Policy,
		Observed: req.Screen != nil && req.Screen.Observed, Task: req.Task, Doubt: req.LLM.Reason,
		Bound: dec.Parts(),
	}
	if target, ok := dec.Target(); ok {
		c.Role, c.ResourceID, c.Wording = target.Role, target.ResourceID, wordingOf(&target)
	}
	if dec.Blind() {
		c.Point = point(req)
	}
	if a := req.Action; dec.SecretTyped() {
		c.Argument = redact.Secret(cmp.Or(a.Text, a.Shell))
	} else {
		c.Argument = cmp.Or(a.Shell, a.Intent, a.Tool, a.Key, a.Text)
		if a.Tool != "" && a.Text != "" {
			c.Argument = a.Tool + " " + a.Text
		}
	}
	shorten(&c)
	return c
}

// wordingOf is all that a control and the dialog it answers say, a text a line.
// What stands in a field is content and no wording.
func wordingOf(t *screen.Target) string {
	var words []string
	if t.Role != risk.TextField {
		words = append(words, t.Text, t.Description)
		for _, label := range t.Labels {
			words = append(words, label.Text)
		}
	}
	if t.Dialog.Surface {
		words = append(append(words, t.Dialog.Title, t.Dialog.Message), t.Dialog.More...)
	}
	return strings.Join(words, "\n")
}

// masked is a card as it may be stored, and whether anything was taken out.
func masked(c approval.Card) (approval.Card, error) {
	doc, err := json.Marshal(c)
	if err != nil {
		return c, fmt.Errorf("hold: write the card: %w", err)
	}
	clean, err := redact.JSON(doc)
	if err != nil {
		return c, fmt.Errorf("hold: take secrets out of the card: %w", err)
	}
	var m approval.Card
	if err := json.Unmarshal(clean, &m); err != nil {
		return c, fmt.Errorf("hold: read the card without secrets: %w", err)
	}
	again, err := json.Marshal(m)
	if err != nil {
		return c, fmt.Errorf("hold: write the card without secrets: %w", err)
	}
	m.Masked = !bytes.Equal(again, doc)
	return m, nil
}

// askedOf is as much of the request as a release needs after a restart, without
// secrets. partial says that the action itself lost something.
func askedOf(dec *decide.Decision) (doc json.RawMessage, partial bool, err error) {
	req := dec.Request()
	asked := decide.Request{Action: dec.Features().Action, App: req.App, Locale: req.Locale}
	plain, err := json.Marshal(asked)
	if err != nil {
		return nil, false, fmt.Errorf("hold: write the request: %w", err)
	}
	if len(plain) > maxAsked {
		return nil, true, nil
	}
	if doc, err = redact.JSON(plain); err != nil {
		return nil, false, fmt.Errorf("hold: take secrets out of the request: %w", err)
	}
	kept, err := decide.ReadRequest(doc)
	if err != nil {
		return nil, false, fmt.Errorf("hold: read the request without secrets: %w", err)
	}
	was, _ := json.Marshal(req.Action)
	now, _ := json.Marshal(kept.Action)
	return doc, !bytes.Equal(was, now), nil
}

// point is where an action lands that hit nothing known, in words.
func point(req *decide.Request) string {
	a := &req.Action
	switch {
	case a.X != nil && a.Y != nil && a.X2 != nil && a.Y2 != nil:
		return fmt.Sprintf("from %d, %d to %d, %d", *a.X, *a.Y, *a.X2, *a.Y2)
	case a.X != nil && a.Y != nil:
		return fmt.Sprintf("at %d, %d", *a.X, *a.Y)
	case a.Node != nil:
		return fmt.Sprintf("on node %d", *a.Node)
	}
	return ""
}
