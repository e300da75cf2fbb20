package decide

import "github.com/countersign/countersign/screen"

// Code is a stable word that says why a decision is what it is, where that is
// not a matter of words on a button: what could not be seen, which policy is
// missing. Package command has codes of its own for lines and intents.
type Code string

// The codes of this package; those of screen.Reason are used as they are.
const (
	CodeNoPolicy      Code = "no_policy"
	CodeNoRequest     Code = "no_request"
	CodeInternalError Code = "internal_error"
	CodeUnknownKind   Code = "unknown_kind"
	CodeUnknownTool   Code = "unknown_tool"
	CodeBadIntent     Code = "bad_intent"
	CodeStrayArgument Code = "stray_argument"
	CodeTooManyParts  Code = "too_many_parts"
	CodeFocusMoves    Code = "focus_moves"
	CodeTooMuchText   Code = "too_much_text"
	CodeNoLabel       Code = "no_label"
)

// unseen reports whether the code says that the target cannot be seen.
func (c Code) unseen() bool {
	switch screen.Reason(c) {
	case screen.NoTree, screen.StaleTree, screen.WebViewOpaque, screen.TreeTruncated,
		screen.NoTarget, screen.PointOffScreen:
		return true
	}
	return false
}
