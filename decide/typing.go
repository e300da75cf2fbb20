package decide

import (
	"strings"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// lineBreaks are the characters that a keyboard sends as ENTER.
const lineBreaks = "\n\r"

// typing judges typed text: harmless until something submits it. Characters
// that are keys do what the keys do: ENTER submits, TAB moves the focus, SPACE
// and ENTER press a control that is no field.
func (j *judgement) typing(a *risk.Action) {
	j.look()
	switch {
	case !j.hasTree() && j.req.Target == nil && strings.ContainsAny(a.Text, lineBreaks):
		j.rank()
		j.category, j.code = risk.Unknown, Code(screen.NoTree)
		return
	case pressesUnseen(a.Text, "\t"):
		j.rank()
		j.category, j.code = risk.Unknown, CodeFocusMoves
		return
	case !j.hasTree() && j.req.Target == nil:
		j.nothing()
		return
	}
	j.onFocus()
	if j.category == risk.Unknown && j.code != CodeFocusMoves && !strings.ContainsAny(a.Text, lineBreaks) {
		j.category, j.code = risk.None, "" // text goes nowhere without a field
	}
}

// typed judges text that goes to the target.
func (j *judgement) typed(text string) {
	t := &j.target
	field := t.Role == risk.TextField
	switch {
	case j.ownSurface():
	case !field && strings.ContainsAny(text, " "+lineBreaks):
		j.control()
	case strings.ContainsAny(text, lineBreaks):
		j.submitField()
		if j.category == risk.None && !t.Flags.Has(screen.MultiLine) && pressesUnseen(text, lineBreaks) {
			j.category, j.code = risk.Unknown, CodeFocusMoves
		}
	case t.Flags.Has(screen.Password) && j.around().IsOnlyControl():
		// No control is left that could submit it: it submits by itself.
		j.category = risk.Credential
		j.noteRule(risk.Credential, risk.SignalPlace, "", "secret_submits_itself")
	default:
		j.category = risk.None
	}
}

// pressesUnseen reports whether a text goes on with a key that presses, behind
// one that moves the focus to a control which nobody has looked at.
func pressesUnseen(text, moves string) bool {
	i := strings.IndexAny(text, moves)
	return i >= 0 && strings.ContainsAny(text[i+1:], " "+lineBreaks)
}
