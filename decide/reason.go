package decide

import (
	"strings"

	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// consequences say what an action of each category does, in the third person.
var consequences = map[risk.Category]string{
	risk.Money:         "Pays, orders or transfers",
	risk.Message:       "Sends a message",
	risk.Call:          "Starts a call",
	risk.Publish:       "Makes something visible to others",
	risk.Share:         "Shares with somebody or another app",
	risk.Delete:        "Deletes something",
	risk.Install:       "Installs software",
	risk.Uninstall:     "Uninstalls software",
	risk.Permission:    "Grants access",
	risk.Account:       "Changes an account",
	risk.Credential:    "Signs in or submits a secret",
	risk.SignOut:       "Signs out",
	risk.CancelService: "Cancels a service or an order",
	risk.BlockReport:   "Blocks or reports somebody",
	risk.Submit:        "Submits a form",
	risk.Settings:      "Changes a security setting",
	risk.Device:        "Affects the whole device",
	risk.Disclose:      "Hands private data to the agent",
	risk.Bypass:        "Opens a way round the guard",
	risk.Other:         "May have an effect that cannot be told",
}

// abouts name what words can be about without doing it.
var abouts = map[risk.Category]string{
	risk.Money: "paying", risk.Message: "sending", risk.Call: "calling", risk.Publish: "publishing",
	risk.Share: "sharing", risk.Delete: "deleting", risk.Install: "installing", risk.Uninstall: "uninstalling",
	risk.Permission: "access", risk.Account: "an account", risk.Credential: "signing in", risk.SignOut: "signing out",
	risk.CancelService: "cancelling", risk.BlockReport: "blocking", risk.Submit: "submitting",
	risk.Settings: "a security setting", risk.Device: "the device", risk.Disclose: "private data",
	risk.Bypass: "a way round the guard", risk.Other: "something with an effect",
}

// unseenReasons say why nothing can be judged.
var unseenReasons = map[Code]string{
	CodeNoPolicy:                "No policy could be read, so nothing is allowed",
	CodeNoRequest:               "There was no request",
	CodeInternalError:           "The guard failed on this request, so it is refused",
	CodeUnknownKind:             "This kind of action is not known",
	CodeUnknownTool:             "This tool is not known",
	CodeBadIntent:               "The intent cannot be read",
	CodeStrayArgument:           "The action carries an argument of another kind of action",
	CodeTooManyParts:            "The line has more parts than can be judged",
	CodeFocusMoves:              "The text moves the focus, and what it reaches is not known",
	CodeTooMuchText:             "The button answers more text than can be read",
	CodeNoLabel:                 "The control says nothing and its app can do harm",
	Code(screen.NoTree):         "The screen could not be read",
	Code(screen.StaleTree):      "The screen that was read is not of the app in front",
	Code(screen.WebViewOpaque):  "The page under the finger does not show what is in it",
	Code(screen.TreeTruncated):  "The screen was cut off where the finger lands",
	Code(screen.NoTarget):       "There is nothing under the finger",
	Code(screen.PointOffScreen): "The point lies outside the display",
}

// Reason is one or two plain sentences for the person who answers. Text from
// the screen is quoted, shortened and stripped of control characters.
func (d *Decision) Reason() string {
	reason := d.OwnReason()
	if said := d.modelsWord(); said != "" {
		reason += " " + said
	}
	return reason
}

// OwnReason is Reason without the words of the agent's model, for where those
// stand apart.
func (d *Decision) OwnReason() string {
	var b strings.Builder
	b.WriteString(d.consequence())
	switch {
	case d.DecidedBy == ByFailure:
		b.WriteString(".")
	case d.offScreen:
		b.WriteString(" (" + d.Tier.String() + ").")
	case d.Category == risk.Unknown:
		b.WriteString(" (" + d.appName() + ", " + d.Tier.String() + ").")
	default:
		b.WriteString(" in " + d.appName() + " (" + d.Tier.String() + ").")
	}
	if d.policyError != nil {
		b.WriteString(" " + Quote(d.policyError.Error(), 300))
	}
	for _, more := range [...]string{d.whatItSays(), d.whyNot()} {
		if more != "" {
			b.WriteString(" " + more)
		}
	}
	return b.String()
}

func (d *Decision) consequence() string {
	if d.Category == risk.Unknown || d.DecidedBy == ByFailure {
		if why, ok := unseenReasons[d.Code]; ok {
			return why
		}
		return "What this does cannot be seen"
	}
	if d.Category == risk.None {
		return "Opens, selects or moves on; nothing leaves the screen"
	}
	f := d.Facts()
	switch {
	case d.Category == risk.Money && f.Amount != nil:
		return "Pays, orders or transfers " + f.Amount.Value + " " + Quote(f.Amount.Currency, 8)
	case d.Category == risk.Message && f.Recipient != "":
		return "Sends a message to “" + quoted(f.Recipient, 60) + "”"
	case d.Category == risk.Call && f.Recipient != "":
		return "Starts a call to “" + quoted(f.Recipient, 60) + "”"
	}
	return consequences[d.Category]
}

// quoted is a text as it stands in a sentence of ours. Secrets are taken out
// before: what is one is told by the words around it, which in a sentence are
// ours.
func quoted(text string, max int) string { return Quote(redact.Text(text), max) }

func (d *Decision) appName() string {
	switch {
	case d.App.Name != "":
		return Quote(shortName(d.App.Name), 60)
	case d.Package != "":
		return Quote(d.Package, 80)
	}
	return "an app that is not named"
}

// shortName is a store title without its slogan: "PayPal - Send, Shop, Manage".
func shortName(title string) string {
	for _, dash := range [...]string{" - ", " — ", " – ", ": ", " | "} {
		if name, _, ok := strings.Cut(title, dash); ok && name != "" {
			return name
		}
	}
	return title
}

// whatItSays quotes the strongest evidence and where it was found.
func (d *Decision) whatItSays() string {
	if d.evidenceN == 0 || d.Category == risk.None || d.Category == risk.Unknown {
		return ""
	}
	e := &d.evidence[0]
	for i := range d.evidence[:d.evidenceN] {
		if d.evidence[i].Category == d.Category {
			e = &d.evidence[i]
			break
		}
	}
	if said := d.whatEnterSubmits(e); said != "" {
		return said
	}
	match := "“" + quoted(d.wholeLabel(e), 80) + "”"
	switch e.Signal {
	case risk.SignalText, risk.SignalDescription, risk.SignalHint:
		return "The control says " + match + "."
	case risk.SignalDescendant:
		return "Its label says " + match + "."
	case risk.SignalRow:
		return "Its row says " + match + "."
	case risk.SignalResourceID, risk.SignalChildID, risk.SignalAncestorID:
		return "Its id says " + match + "."
	case risk.SignalDialogTitle, risk.SignalDialogMessage:
		if e.Layer == risk.LayerStructure {
			break
		}
		return "It answers " + match + " in “" + quoted(d.answered, 120) + "”."
	case risk.SignalCommand:
		return "The command is " + match + "."
	}
	if phrase, ok := structureReasons[e.Term]; ok {
		return phrase
	}
	return ""
}

// whatEnterSubmits says what leaves where a field is submitted from within: the
// text that is typed in it, and where none is seen why it may.
func (d *Decision) whatEnterSubmits(e *risk.Evidence) string {
	switch e.Term {
	case "compose_field", "single_line_field":
	default:
		return ""
	}
	field := structureReasons[e.Term]
	if e.Match != "" {
		field = "The field says “" + quoted(e.Match, 80) + "”."
	}
	if text := typedIn(&d.target); text != "" {
		return "It submits “" + quoted(text, 80) + "”. " + field
	}
	return field
}

// typedIn is what is typed in a target that is a field, "" for a secret and for a
// field that shows its hint.
func typedIn(t *screen.Target) string {
	n := screen.Node{Text: t.Text, Hint: t.Hint, Description: t.Description}
	if t.Role != risk.TextField || t.Flags.Has(screen.Password) || !n.Holds() {
		return ""
	}
	return t.Text
}

// wholeLabel is the label that a piece of evidence stands in, so that the object
// beside the verb is not lost: “Delete chat” rather than “Delete”.
func (d *Decision) wholeLabel(e *risk.Evidence) string {
	whole := ""
	switch e.Signal {
	case risk.SignalText:
		whole = d.target.Text
	case risk.SignalDescription:
		whole = d.target.Description
	}
	if n := len(whole); n == 0 || n > maxWholeLabel || !strings.Contains(whole, e.Match) {
		return e.Match
	}
	return whole
}

// maxWholeLabel is the length in bytes of a label that is quoted as a whole.
const maxWholeLabel = 120

// structureReasons explain rules about the shape of the screen.
var structureReasons = map[string]string{
	"beside_filled_field":   "It says nothing and stands beside a field with text in it.",
	"foot_of_form":          "It says nothing and closes a filled form.",
	"label_not_understood":  "It is the only button here and its words are not known.",
	"amount_confirmed":      "It confirms a page with a sum of money on it.",
	"price_on_button":       "The button is a price.",
	"way_round_by_id":       "It is the system's own button for that.",
	"system_surface":        "It answers a question of the system.",
	"permission_switch":     "It is a switch that gives an app access.",
	"typed_secret":          "A secret is typed in the form above.",
	"draft_above":           "A draft stands in the field above.",
	"compose_field":         "The field is one that sends what is typed.",
	"single_line_field":     "Enter submits a field of one line.",
	"secret_submits_itself": "Nothing else on the screen would submit the secret.",
	"calls_here":            "On a telephone the word means to call.",
	"row_swiped_away":       "Swiping a row of this list away deletes or archives it.",
	"guards_own_surface":    "It belongs to the guard itself.",
}

// whyNot says what took a risky word's meaning away, or what let the action
// pass or stopped it beyond the words.
func (d *Decision) whyNot() string {
	switch {
	case d.Outcome == risk.Allow && d.Category.Risky():
		return "The policy lets this pass (" + d.Rule + ")."
	case d.Category != risk.None:
		return ""
	case abouts[d.Topic] != "" && d.Label() != "":
		return "“" + quoted(d.Label(), 60) + "” is about " + abouts[d.Topic] + " but does nothing of the kind."
	case d.Delta == risk.Suppressed:
		return "The flat guard would have asked because of a word in “" + quoted(d.Label(), 60) + "”."
	}
	return ""
}

func (d *Decision) modelsWord() string {
	if !d.Layers.LLM {
		return ""
	}
	if why := d.req.LLM.Reason; why != "" {
		return "The agent's model asked for confirmation: “" + quoted(why, 120) + "”."
	}
	return "The agent's model asked for confirmation."
}
