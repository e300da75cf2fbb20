package decide

import (
	"cmp"
	"strings"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// submitField judges Enter, the keyboard's action key and a typed line break
// in the target field: from its IME action and what it is for; without
// evidence a single line submits and several lines break.
func (j *judgement) submitField() {
	t := &j.target
	purpose := cmp.Or(t.Hint, t.Description)
	switch {
	case j.ownSurface():
	case t.Flags.Has(screen.Password):
		j.category = risk.Credential
		j.noteRule(risk.Credential, risk.SignalForm, "", "typed_secret")
	case t.Flags.Has(screen.IMESearch) || isSearch(purpose, t.ResourceID):
		j.category = risk.None
		j.noteRule(risk.None, risk.SignalHint, purpose, "search_field")
	case t.Flags.Has(screen.IMESend) || j.isCompose(purpose, t.ResourceID):
		j.category = risk.Message
		j.noteRule(risk.Message, risk.SignalHint, purpose, "compose_field")
	case t.Flags.Has(screen.MultiLine):
		j.category = risk.None
		j.noteRule(risk.None, risk.SignalHint, purpose, "line_break")
	default:
		j.category = risk.Submit
		j.noteRule(risk.Submit, risk.SignalHint, purpose, "single_line_field")
	}
}

// isCompose reports whether a field's hint or id says that its text is sent to
// somebody.
func (j *judgement) isCompose(hint, id string) bool {
	for _, s := range [...]saying{
		{signal: risk.SignalDialogMessage, text: hint}, {signal: risk.SignalResourceID, text: id},
	} {
		if s.text == "" {
			continue
		}
		r := j.understand(lexicon.Query{Text: s.text, Signal: s.signal, Role: risk.TextField})
		if r.Topic == risk.Message || r.Category == risk.Message {
			return true
		}
	}
	return namesAny(hint, id, composeWords)
}

// isSearch reports whether a field looks things up: then Enter changes nothing.
func isSearch(hint, id string) bool { return namesAny(hint, id, searchWords) }

// isSubmitKey reports whether a keyboard key's label names its action.
func isSubmitKey(label string) bool {
	return len(label) > 1 && (namesAny(label, "", submitKeys) || strings.ContainsAny(label, "⏎↵↩"))
}
