package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
)

// ReplayExact is what Decision.Replay says when Features are all that is needed
// to decide again and compare.
const ReplayExact = "exact"

// notStored is what it says without features.
const notStored = "features were not stored"

// Decision is the body of a KindDecision row, in the wire names of a decision.
type Decision struct {
	// ActionID is the id of the action. The row's subject is the same and counts
	// where they differ: redaction may take a random id for a secret.
	ActionID string          `json:"action_id"`
	Agent    string          `json:"agent"`
	Device   string          `json:"device"`
	Session  string          `json:"session"`
	Task     string          `json:"task"`
	Kind     risk.ActionKind `json:"action_kind"`

	Outcome   risk.Outcome  `json:"outcome"`
	Category  risk.Category `json:"category"`
	Critical  bool          `json:"critical"`
	Code      decide.Code   `json:"code"`
	Source    risk.Source   `json:"source"`
	Delta     risk.Delta    `json:"delta"`
	DecidedBy string        `json:"decided_by"`
	Rule      string        `json:"rule"`
	Layers    decide.Layers `json:"layers"`

	App      App             `json:"app"`
	Target   *Target         `json:"target"`
	Evidence []risk.Evidence `json:"evidence"`
	Reason   string          `json:"reason"`
	// AgentReason is as much of the reason as the agent may know.
	AgentReason string     `json:"agent_reason"`
	Facts       risk.Facts `json:"facts"`
	Digest      string     `json:"digest"`
	Policy      string     `json:"policy"`

	// Approval is the id of the question, empty when nobody was asked.
	Approval string `json:"approval"`
	// Grant is the id of the grant that let it pass, left out without one.
	Grant string `json:"grant,omitempty"`
	// Above is the id of the action at a gate above whose ticket let it pass, left
	// out without one.
	Above string `json:"above,omitempty"`
	// Observe marks observe mode: the outcome is what would have been, and
	// nothing was blocked.
	Observe bool `json:"observe"`
	// Features is a decide.Request that gives the same decision again, null
	// when there is none.
	Features json.RawMessage `json:"features"`
	// Replay is ReplayExact, or says why the row cannot be replayed.
	Replay string `json:"replay"`
	Screen Screen `json:"screen"`
	Note   string `json:"note"`
}

// App is the app that the action lands in.
type App struct {
	Package string    `json:"package"`
	Tier    risk.Tier `json:"tier"`
	Why     string    `json:"why"`
}

// Target is the control that the action lands on.
type Target struct {
	Label      string    `json:"label"`
	Role       risk.Role `json:"role"`
	ResourceID string    `json:"resource_id"`
}

// Screen says whose word the screen is.
type Screen struct {
	// Observed means that the guard read the screen itself.
	Observed bool   `json:"observed"`
	Package  string `json:"package"`
}

// Bounds of the texts in a decision, in runes. They come from screens and
// agents, which may send megabytes; the ends are kept.
const (
	maxText  = 2000
	maxLabel = 500
	// MaxFeatures is the size in bytes of the largest Decision.Features.
	MaxFeatures = 256 << 10
)

// DecisionOf fills in what a decision and its request say; req may be nil.
// Agent and Device are what the request claims: a gate overwrites them with
// those of the credential. Approval, Observe, Note and the features (see
// SetFeatures) are the caller's. It must be called before the request changes.
func DecisionOf(d *decide.Decision, req *decide.Request) Decision {
	out := Decision{
		ActionID: d.ID, Outcome: d.Outcome, Category: d.Category, Critical: d.Critical, Code: d.Code,
		Source: d.Source, Delta: d.Delta, DecidedBy: d.DecidedBy, Rule: clip(d.Rule, maxLabel), Layers: d.Layers,
		App:      App{Package: clip(d.Package, maxLabel), Tier: d.Tier, Why: clip(d.App.Reason(), maxLabel)},
		Evidence: []risk.Evidence{},
		Reason:   clip(d.Reason(), maxText), AgentReason: clip(d.AgentReason(), maxText), Facts: clipFacts(d.Facts()), Digest: d.Digest(), Policy: d.Policy,
		Replay: notStored,
	}
	for _, e := range d.Evidence() {
		e.Match, e.Term = clip(e.Match, maxLabel), clip(e.Term, maxLabel)
		out.Evidence = append(out.Evidence, e)
	}
	if t, ok := d.Target(); ok {
		out.Target = &Target{Label: clip(d.Label(), maxLabel), Role: t.Role, ResourceID: clip(t.ResourceID, maxLabel)}
	}
	if req == nil {
		return out
	}
	out.Agent, out.Device, out.Session = clip(req.Agent, maxLabel), clip(req.Device, maxLabel), clip(req.Session, maxLabel)
	out.Task, out.Kind = clip(req.Task, maxText), risk.ActionKind(clip(string(req.Action.Kind), maxLabel))
	if s := req.Screen; s != nil {
		out.Screen = Screen{Observed: s.Observed, Package: clip(s.Package, maxLabel)}
	}
	return out
}

// SetFeatures stores what is needed to decide again, a JSON object, and what is
// to be said of the replay. Features that are too large for a row are left out:
// an action does not fail for the sake of its replay. Where redaction takes
// something out of them the replay is not exact, and Replay says so. What was
// typed into a password field is the caller's to leave out.
func (d *Decision) SetFeatures(features json.RawMessage, replay string) {
	d.Features, d.Replay = nil, replay
	if len(features) == 0 {
		if replay == ReplayExact {
			d.Replay = notStored
		}
		return
	}
	if len(features) > MaxFeatures {
		d.Replay = fmt.Sprintf("the features have %d bytes, at most %d are stored", len(features), MaxFeatures)
		return
	}
	whole, err := canonicalJSON(features)
	if err != nil {
		d.Replay = "the features are no JSON object"
		return
	}
	clean, err := redact.JSON(whole)
	if err != nil {
		d.Replay = "the features cannot be redacted"
		return
	}
	d.Features = clean
	if replay == ReplayExact && !bytes.Equal(clean, whole) {
		d.Replay = "something in the features is secret and not stored"
	}
}

func clipFacts(f risk.Facts) risk.Facts {
	f.Object, f.Recipient, f.Text = clip(f.Object, maxText), clip(f.Recipient, maxText), clip(f.Text, maxText)
	return f
}

// clip keeps both ends of a text that has more than max runes. Unlike
// decide.Quote it leaves the rest as it is: a record keeps the original, and
// whoever shows it quotes it. Secrets are taken out first: half of one at the
// cut would not be known for what it is.
func clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	runes := []rune(redact.Text(s))
	if len(runes) <= max {
		return s
	}
	head := max * 2 / 3
	tail := max - head
	return fmt.Sprintf("%s… (%d more) …%s", string(runes[:head]), len(runes)-max, string(runes[len(runes)-tail:]))
}
