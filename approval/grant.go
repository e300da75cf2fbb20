package approval

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// Grant lets an agent do again what a person has just said yes to, so many times
// and until then. It comes with the yes to one question and covers what that
// question showed, never more. It is a plain value like Approval: the methods
// that change it work on the caller's copy, times are UTC in whole milliseconds.
//
// The zero value covers nothing.
type Grant struct {
	// ID is unguessable.
	ID string `json:"id"`
	// Version counts the changes. A store changes a grant only from the version
	// that the caller has seen, so that none is used once too often.
	Version int64 `json:"version"`

	// Agent is the credential that may use it, on this device; AgentName is what
	// its owner calls it.
	Agent     string `json:"agent"`
	AgentName string `json:"agent_name"`
	Device    string `json:"device"`

	// Category, app, object and recipient are those of the question. At least one
	// of the last two is not empty.
	Category  risk.Category `json:"category"`
	Package   string        `json:"package"`
	App       string        `json:"app"`
	Object    string        `json:"object,omitempty"`
	Recipient string        `json:"recipient,omitempty"`
	// Shown is what else the question showed; nothing wider is covered.
	Shown Shown `json:"shown"`
	// Similar is that of the question: a refusal of something similar ends the
	// grant.
	Similar string `json:"similar"`

	// Count is how many times it may be used besides the question it came with,
	// Used how many times it was.
	Count int `json:"count"`
	Used  int `json:"used"`

	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is the first moment at which it is over.
	ExpiresAt time.Time `json:"expires_at"`
	// By is the approver who gave it, How the way the answer came, From the id of
	// the question it came with.
	By   string `json:"by"`
	How  string `json:"how,omitempty"`
	From string `json:"from"`

	// EndedAt is when it ended, the zero time while it has not; EndedBy is who or
	// what ended it and Code why: CodeUsedUp, CodeGrantExpired, CodeRevoked,
	// CodeFrozen or CodeDeniedSince.
	EndedAt time.Time `json:"ended_at,omitzero"`
	EndedBy string    `json:"ended_by,omitempty"`
	Code    string    `json:"code,omitempty"`
}

// Shown is what a question showed beside whom or what it was about.
type Shown struct {
	// Action and Argument are the way of acting, as on a Card.
	Action   string `json:"action"`
	Argument string `json:"argument,omitempty"`
	// Label, Role, ResourceID and Wording are the control and the dialog that it
	// stands in.
	Label      string    `json:"label,omitempty"`
	Role       risk.Role `json:"role"`
	ResourceID string    `json:"resource_id,omitempty"`
	Wording    string    `json:"wording,omitempty"`

	Tier      risk.Tier    `json:"tier"`
	Rule      string       `json:"rule,omitempty"`
	Amount    *risk.Amount `json:"amount,omitempty"`
	Text      bool         `json:"text,omitempty"`
	Permanent bool         `json:"permanent,omitempty"`
	Observed  bool         `json:"observed,omitempty"`
}

// Why a grant ended, besides CodeRevoked and CodeFrozen.
const (
	CodeUsedUp       = "used_up"      // it was used as often as it may be
	CodeGrantExpired = "expired"      // its time was over
	CodeDeniedSince  = "denied_since" // something similar was refused
)

// GrantTerms are how often and for how long a grant may be used. The zero value
// is no valid terms.
type GrantTerms struct {
	Count int
	For   time.Duration
}

// The bounds of GrantTerms, and what is offered where nothing else is asked for.
const (
	MaxGrantCount = 20
	MinGrantFor   = time.Minute
	MaxGrantFor   = 24 * time.Hour

	UsualGrantCount = 3
	UsualGrantFor   = 10 * time.Minute
)

// ErrGrantTerms says that the terms of a grant are out of bounds.
var ErrGrantTerms = errors.New("a grant is for 1 to 20 times and for 1 minute to 24 hours")

// UsualGrant are the terms that are offered first.
func UsualGrant() GrantTerms { return GrantTerms{UsualGrantCount, UsualGrantFor} }

// Check returns an error that wraps ErrGrantTerms where the terms are out of
// bounds.
func (t GrantTerms) Check() error {
	if t.Count < 1 || t.Count > MaxGrantCount || t.For < MinGrantFor || t.For > MaxGrantFor {
		return fmt.Errorf("%w, not %d times and %v", ErrGrantTerms, t.Count, t.For)
	}
	return nil
}

// grantable are the consequences that a grant may be given for: what is done to
// the same person or thing more than once in the course of a task, and does each
// time no more than the time that was shown.
//
// Everything else is left out for a reason. Money, device: each time counts, and
// is a deliberate act. Credential, account, permission, install, uninstall,
// settings, bypass: one of them opens the way to others. Disclose: what leaves
// is not what was shown, but what is there by then. Sign_out, cancel_service,
// block_report: they happen to a thing once, so the next one is about another.
// Unknown, other, none: nobody can say what was granted.
var grantable = []risk.Category{risk.Message, risk.Call, risk.Publish, risk.Share, risk.Delete, risk.Submit}

// Grantable reports whether a grant may be given for a consequence at all.
func Grantable(c risk.Category) bool { return slices.Contains(grantable, c) }

// Lengths in runes. What a person is to remember for a while has to be short
// enough to be read, and of what is compared nothing may have been cut.
const (
	maxNamed    = 200
	maxCompared = 1000
)

// GrantFor is the grant that may come with the yes to a question, without its
// terms, id and times; ok is false where none may be given. The question is as
// it is stored: where a secret was taken out of its card, nobody can say whether
// the next one is the same.
func GrantFor(a *Approval) (g Grant, ok bool) {
	c := &a.Card
	if !Grantable(c.Category) || c.Critical || c.Masked || c.Package == "" || c.Point != "" || a.Similar == "" || doubted(c) {
		return Grant{}, false
	}
	g = Grant{
		Agent: a.Agent, AgentName: a.AgentName, Device: a.Device, Category: c.Category, Package: c.Package, App: c.App,
		Object: c.Facts.Object, Recipient: c.Facts.Recipient, Shown: shownOn(c), Similar: a.Similar, From: a.ID,
	}
	return g, g.bounded() && g.whole()
}

// doubted reports whether the agent's own model asked for a person. What it
// doubts is asked about every time.
func doubted(c *Card) bool { return c.Source == risk.LLMFlagged || c.Source == risk.Both }

// shownOn is what a card shows, as a grant remembers it.
func shownOn(c *Card) Shown {
	s := Shown{
		Action: c.Action, Argument: c.Argument, Label: c.Label, Role: c.Role, ResourceID: c.ResourceID, Wording: c.Wording,
		Tier: c.Tier, Rule: c.Rule, Amount: c.Facts.Amount, Text: c.Facts.Text != "", Permanent: c.Permanent, Observed: c.Observed,
	}
	if risk.ActionKind(c.Action) == risk.TypeText {
		s.Argument = "" // what is typed is the text, which may be another each time
	}
	if c.Role == risk.TextField {
		s.Label = "" // so is what stands in a field
	}
	return s
}

// bounded reports whether it is said whom or what the grant is about. What goes
// to somebody has to name who gets it, unless it is a command, which is the same
// to the letter each time.
func (g *Grant) bounded() bool {
	switch g.Category {
	case risk.Message, risk.Call, risk.Share:
		return g.Recipient != "" || g.Object != "" && byCommand(g.Shown.Action)
	}
	return g.Recipient != "" || g.Object != ""
}

// byCommand reports whether an action is its argument, wherever it lands.
func byCommand(action string) bool {
	switch risk.ActionKind(action) {
	case risk.ShellLine, risk.OpenIntent, risk.OpenLink, risk.ToolCall:
		return true
	}
	return false
}

// whole reports whether nothing is so long that it was cut, or cannot be read.
func (g *Grant) whole() bool {
	s := &g.Shown
	return !longer(maxNamed, g.Object, g.Recipient, g.App, g.Package) &&
		!longer(maxCompared, s.Argument, s.Label, s.ResourceID, s.Wording, s.Rule)
}

func longer(max int, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return len(text) > max && utf8.RuneCountInString(text) > max })
}

// Given is the grant as it begins: with an id, from at on, on checked terms, by
// the person who answered.
func (g Grant) Given(id string, t GrantTerms, at time.Time, by, how string) Grant {
	g.ID, g.Version, g.Count, g.Used = id, 1, t.Count, 0
	g.CreatedAt, g.ExpiresAt, g.By, g.How = at, at.Add(t.For), by, how
	return g
}

// Left is how many times it may still be used, if it is open.
func (g *Grant) Left() int { return max(0, g.Count-g.Used) }

// Open reports whether it may be used at a time.
func (g *Grant) Open(at time.Time) bool {
	return g.ID != "" && g.EndedAt.IsZero() && g.Left() > 0 && !at.Before(g.CreatedAt) && at.Before(g.ExpiresAt)
}

// Ending is why it is over at a time, and empty while it is open. One whose time
// is over counts as ended before anybody has written that down.
func (g *Grant) Ending(at time.Time) string {
	switch {
	case !g.EndedAt.IsZero():
		return g.Code
	case !at.Before(g.ExpiresAt):
		return CodeGrantExpired
	}
	return ""
}

// Use counts one use at a time at which it is open, and ends it with the last.
func (g *Grant) Use(at time.Time) {
	g.Used++
	g.Version++
	if g.Left() == 0 {
		g.EndedAt, g.EndedBy, g.Code = at, g.AgentName, CodeUsedUp
	}
}

// End ends it. It does nothing to one that has ended.
func (g *Grant) End(at time.Time, by, code string) {
	if !g.EndedAt.IsZero() {
		return
	}
	g.Version++
	g.EndedAt, g.EndedBy, g.Code = at, by, code
}

// Covers reports whether the grant is about what a card shows: the same
// consequence by the same agent on the same device in the same app, to the same
// recipient and about the same object, and nothing wider. The card is as it
// would be stored: one from which a secret had to be taken out is not covered.
// Whether the grant is open is asked apart.
func (g *Grant) Covers(agent, device string, c *Card) bool {
	switch {
	case g.ID == "" || agent != g.Agent || device != g.Device:
		return false
	case c.Category != g.Category || c.Package != g.Package || c.Package == "":
		return false
	case c.Facts.Recipient != g.Recipient || c.Facts.Object != g.Object:
		return false
	}
	return Grantable(c.Category) && !c.Critical && !c.Masked && c.Point == "" && !doubted(c) &&
		g.bounded() && !g.Shown.narrower(shownOn(c))
}

// narrower reports whether the other shows anything that this one did not.
func (s *Shown) narrower(other Shown) bool {
	switch {
	case other.Action != s.Action, other.Argument != s.Argument:
		return true
	case other.Label != s.Label, other.Role != s.Role, other.ResourceID != s.ResourceID, other.Wording != s.Wording:
		return true
	case other.Amount != nil && (s.Amount == nil || *other.Amount != *s.Amount):
		return true
	case other.Tier < s.Tier: // the stricter tier is the smaller one
		return true
	}
	return other.Rule != s.Rule || other.Text && !s.Text || other.Permanent && !s.Permanent || s.Observed && !other.Observed
}
