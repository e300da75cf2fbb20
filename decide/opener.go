package decide

import (
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// act records what a saying does, unless the screen shows that the control
// only leads to the form, composer or chooser in which it would be done:
// "Sign in" on a page without a field, "Share" that opens the chooser, "Send
// SMS" on a contact's page.
func (j *judgement) act(s *saying) {
	c := s.reading.Category
	if c == risk.Delete && j.editsForm() {
		j.topic = c
		j.note(&s.reading, s.signal, s.text)
		j.noteRule(risk.None, risk.SignalPlace, "", "edits_form")
		return
	}
	if j.leadsOn(c, &s.reading) {
		j.topic, j.opens = c, true
		j.note(&s.reading, s.signal, s.text)
		j.noteRule(risk.None, risk.SignalPlace, "", "opens_form")
		return
	}
	j.find(c, &s.reading, s.signal, s.text)
	if j.target.Dialog.Surface && len(j.target.Dialog.Buttons) > 0 {
		j.appAsks = j.appAsks || j.asksAbout(c)
	}
}

// leadsOn reports whether what would be needed for the act is not on the
// screen. Without a tree there is no screen to look at, and only the words
// that name a composer are taken for leading to one.
func (j *judgement) leadsOn(c risk.Category, r *lexicon.Reading) bool {
	t := &j.target
	if j.ui == nil || t.Node < 0 {
		return r.Opens && (c == risk.Message || c == risk.Publish || c == risk.Call)
	}
	f := &t.Form
	drafted := f.Filled > 0 && !isSearch(firstOf(f.DraftHint, f.Draft), f.DraftID)
	switch {
	case c == risk.Credential, c == risk.Account && r.Opens:
		return f.Fields == 0 || t.Place.AboveForm || j.belowRival()
	case c == risk.Share:
		overlay := t.Dialog.Surface && !t.Dialog.Page
		return !overlay && (!drafted || t.Role != risk.Button)
	case c == risk.Message && !r.Opens:
		return f.Fields == 0 && r.Fit != lexicon.Whole && !t.Dialog.Surface
	case r.Opens:
		return !drafted
	}
	return false
}

// belowRival reports whether another control that signs in or up, or submits,
// stands between the form and the target: then the target is the link to the
// other form.
func (j *judgement) belowRival() bool {
	for _, rival := range j.ui.Rivals(j.target.Node) {
		label := j.ui.Label(rival)
		if label == "" {
			continue
		}
		r := j.label(risk.SignalText, label, risk.Button)
		switch r.Category {
		case risk.Credential, risk.Account, risk.Submit, risk.Affirmative:
			return true
		}
	}
	return false
}

// asksAbout reports whether the dialog above a button is about the same thing
// as the button, so that the app itself asks.
func (j *judgement) asksAbout(c risk.Category) bool {
	d := &j.target.Dialog
	for _, s := range [...]saying{
		j.sentence(risk.SignalDialogTitle, d.Title), j.sentence(risk.SignalDialogMessage, d.Message),
	} {
		if s.text != "" && (s.reading.Category == c || s.reading.Topic == c) {
			return true
		}
	}
	return false
}

// editsForm reports whether an icon, or a button no wider than one, stands in or beside a text field: what it
// clears or removes is what was typed there, and nothing is gone until the form
// is saved.
func (j *judgement) editsForm() bool {
	t := &j.target
	icon := t.Role == risk.IconButton || t.Role == risk.Button && t.Bounds.Width() <= 2*t.Bounds.Height()
	return t.Node >= 0 && icon && (t.Place.InField || t.Place.BesideField)
}
