package decide

import (
	"encoding/json"

	"github.com/countersign/countersign/risk"
)

// intent is what an action is for, whatever the way to it: a tap, the Enter key
// and a shell line that delete the same chat have one intent.
type intent struct {
	Device   string        `json:"device"`
	Package  string        `json:"package"`
	Category risk.Category `json:"category"`
	Object   string        `json:"object"`
	Facts    *risk.Facts   `json:"facts,omitempty"`
	Point    []string      `json:"point,omitempty"`
}

// Intent names the effect of the action without naming the way to it, as an
// HMAC like the digest's. A refusal is remembered by it. It is empty without a
// key.
func (d *Decision) Intent() string {
	facts := d.Facts()
	object := facts.Object
	if object == "" {
		object = d.Label() // nothing names the object: the control does
	}
	i := intent{Object: exact(object), Facts: &facts}
	if object == "" {
		i.Point = d.pointTexts() // nothing is known of it but where it is
	}
	return d.sealIntent(i)
}

// Similar names the kind of effect in the app, whatever it acts on.
func (d *Decision) Similar() string { return d.sealIntent(intent{}) }

func (d *Decision) sealIntent(i intent) string {
	if len(d.key) == 0 || d.req == nil {
		return ""
	}
	i.Device, i.Package, i.Category = exact(d.req.Device), d.Package, d.Category
	canonical, err := json.Marshal(i)
	if err != nil {
		return "" // strings always marshal
	}
	return d.seal("intent", canonical)
}

// Affirmative reports whether the control is a generic yes (OK, Continue) that
// took its meaning from what it answers.
func (d *Decision) Affirmative() bool { return d.affirms }

// AgentReason is what the agent is told: the consequence and the app, never the
// words that were recognised, so that the answer is no guide round the guard.
func (d *Decision) AgentReason() string {
	switch {
	case d.DecidedBy == ByFailure, d.offScreen:
		return d.consequence() + "."
	}
	return d.consequence() + " in " + d.appName() + "."
}

// Permanent reports whether what is done cannot be taken back, or is done for
// everyone.
func (d *Decision) Permanent() bool { return d.permanent }

// Request is the request that was decided about. It must not be changed.
func (d *Decision) Request() *Request { return d.req }
