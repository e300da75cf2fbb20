package inbox

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

// stateWords say where a question stands. The word carries the meaning, the
// colour only repeats it.
var stateWords = map[approval.State]string{
	approval.Pending:   "waits for an answer",
	approval.Approved:  "approved, not carried out yet",
	approval.Releasing: "approved, being carried out",
	approval.Released:  "approved and carried out",
	approval.Failed:    "approved, but it failed",
	approval.Denied:    "refused",
	approval.Expired:   "its time was over; nobody refused it",
	approval.Cancelled: "withdrawn by the agent, or the agent went away",
	approval.NoChannel: "there was nobody to ask",
	approval.Void:      "approved, but the screen had changed; not carried out",
	approval.Revoked:   "taken back",
}

// codeWords say why a question ended where its state alone does not.
var codeWords = map[string]string{
	approval.CodeNotAnswered:   "nobody answered in time",
	approval.CodeNotUsed:       "the agent did not use the answer in time",
	approval.CodeResultUnknown: "it is not known whether it was carried out",
	approval.CodeScreenChanged: "the screen was no longer the one that was approved",
	approval.CodeGone:          "the agent went away",
	approval.CodeWithdrawn:     "the agent withdrew it",
	approval.CodeRestart:       "the guard was restarted while the agent waited",
	approval.CodeFrozen:        "everything was frozen",
	approval.CodeRevoked:       "a person took it back",
	approval.CodeNobody:        "no approver could be reached",
	approval.CodeUnattended:    "the guard runs with nobody to ask",
	approval.CodeReleaseFailed: "it could not be carried out",
	approval.CodeLinked:        "covered by the yes to the question before",
}

// howWords say the way an answer came.
var howWords = map[string]string{
	"web": "in the inbox", "passkey": "in the inbox with a passkey", "terminal": "in a terminal", "api": "by a program", "library": "by the program that runs the guard",
}

// stateKind is the class of a state for the style sheet.
func stateKind(s approval.State) string {
	switch s {
	case approval.Pending:
		return "waits"
	case approval.Approved, approval.Releasing, approval.Released:
		return "yes"
	case approval.Denied, approval.Revoked:
		return "no"
	}
	return "over"
}

// asked says which guard asks, in the words of the table of layers.
func asked(c risk.Category, s risk.Source, d risk.Delta) string {
	switch {
	case c == risk.Unknown && (s == risk.LLMFlagged || s == risk.Both):
		return "What cannot be seen or is not known is asked about, and the agent's own model asks too."
	case c == risk.Unknown:
		return "What cannot be seen or is not known is asked about."
	case s == risk.KeywordGuard:
		return "What it does in this app asks, and a plain list of words would have asked too."
	case s == risk.ContextAwareGuard && d == risk.Added:
		return "What it does in this app asks. A plain list of words would have let it pass."
	case s == risk.ContextAwareGuard && d == risk.Suppressed:
		return "A plain list of words would have asked; what it does in this app alone would not."
	case s == risk.LLMFlagged && d == risk.Suppressed:
		return "The agent's own model asks. A plain list of words would have asked too; what it does in this app alone would not."
	case s == risk.LLMFlagged:
		return "The agent's own model asks; neither its words nor what it does in this app would have."
	case s == risk.Both && d == risk.Added:
		return "The agent's own model asks, and so does what it does in this app. A plain list of words would have let it pass."
	case s == risk.Both:
		return "The agent's own model, what it does in this app and a plain list of words all ask."
	}
	return "None of the layers asks by itself."
}

// signalWords name where a word was read.
var signalWords = map[risk.Signal]string{
	risk.SignalText: "its text", risk.SignalDescription: "its description", risk.SignalHint: "its hint",
	risk.SignalResourceID: "its id", risk.SignalDescendant: "a label inside it", risk.SignalChildID: "an id inside it",
	risk.SignalAncestorID: "an id around it", risk.SignalRow: "its row", risk.SignalDialogTitle: "the dialog's title",
	risk.SignalDialogMessage: "the dialog's message", risk.SignalForm: "the form", risk.SignalPlace: "its place",
	risk.SignalCommand: "the command", risk.SignalApp: "the app",
}

// clock is a time for people. The script puts the reader's own in its place.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") + " UTC" }

// iso is a time for programs.
func iso(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// lasted says how long something took.
func lasted(d time.Duration) string {
	switch s := int(d / time.Second); {
	case s < 1:
		return "less than a second"
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %02d min", s/3600, s%3600/60)
	}
}

// words is a name of ours as words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// howOf says the way an answer came.
func howOf(how string) string { return cmp.Or(howWords[how], spell(how)) }

// left says how long there is until a time.
func left(d time.Duration) string {
	switch s := int(d / time.Second); {
	case s <= 0:
		return "time is over"
	case s < 60:
		return fmt.Sprintf("%d s left", s)
	case s < 3600:
		return fmt.Sprintf("%d min %02d s left", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %02d min left", s/3600, s%3600/60)
	}
}
