package decide

import (
	"slices"
	"strings"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// act records what a saying does, unless the screen shows that the control
// only leads to the form, composer or chooser in which it would be done:
// "Sign in" on a page without a field, "Share" that opens the chooser, "Send
// SMS" on a contact's page.
func (j *judgement) act(s *saying) {
	c := s.reading.Category
	if j.leadsOn(s) {
		j.topic = c
		j.note(&s.reading, s.signal, s.text)
		j.noteRule(risk.None, risk.SignalPlace, "", "opens_form")
		return
	}
	j.find(c, &s.reading, s.signal, s.text)
	if c == risk.Message && j.comments() {
		j.category = risk.Publish
	}
	j.opensWayRound()
}

// signUpFields is how many fields make a page a sign-up form.
const signUpFields = 3

// leadsOn reports whether what would be needed for the act is not on the
// screen. Without a tree there is no screen to look at, and only the words
// that name a composer are taken for leading to one.
func (j *judgement) leadsOn(s *saying) bool {
	t, r := &j.target, &s.reading
	c := r.Category
	if j.ui == nil || t.Node < 0 {
		return r.Opens && (c == risk.Message || c == risk.Publish || c == risk.Call)
	}
	fields := j.formFields()
	switch {
	case (c == risk.Credential || c == risk.Account && r.Opens || c == risk.Share) && j.facesRefusal():
		return false
	case c == risk.Credential:
		return fields == 0 || t.Place.AboveForm && !t.Form.FilledPassword
	case c == risk.Account && r.Opens && t.Form.FilledPassword:
		return t.Place.AboveForm
	case c == risk.Account && r.Opens:
		// A page with many fields is the form itself; below the two fields of a
		// sign-in only the control next to them belongs to it.
		return t.Place.AboveForm || fields < signUpFields && !(fields > 0 && t.Place.CloseToField)
	case c == risk.Money && (j.around().IsTile() || isBareVerb(s) && j.around().IsIconTile()):
		return true
	case t.Role == risk.Row && j.surface == catalog.Settings && !t.Dialog.Surface && j.around().InList():
		return true // a list of settings opens pages; what they do is done there
	case t.Role == risk.Row && j.isTitle(s):
		return true
	case c == risk.Money && r.Loose && !completes(r) && !t.Dialog.Surface:
		// A noun as often as a verb; in an app that can do harm it is the verb.
		return j.app.Tier != risk.High && !j.drafted() && j.sumOnPage() == ""
	case (c == risk.Delete || c == risk.BlockReport) && r.Opens:
		return !t.Dialog.Surface
	case c == risk.Share:
		// On a sheet of options it is one of them; as an answer to a dialog, near
		// the draft that goes out, or on the page of a caption, it shares.
		switch {
		case t.Role == risk.IconButton, t.Role == risk.MenuItem,
			t.Role == risk.Row && (t.Dialog.Surface || j.around().InContent()):
			return true
		}
		return !t.Dialog.Surface && !(j.drafted() && t.Place.NearField) && !j.hasCaption()
	case r.Opens:
		return !j.drafted() || !t.Place.CloseToField && !(t.Place.BelowFilled && t.Role != risk.IconButton && !j.around().InContent())
	}
	return false
}

// completes reports whether a word that may be a noun is what another word
// completes: "Confirm order" is no page of orders.
func completes(r *lexicon.Reading) bool {
	return slices.ContainsFunc(r.Hits[:r.N], func(h lexicon.Hit) bool { return h.Category == risk.Affirmative })
}

// formFields counts the fields that belong to a form: all but those that look
// things up.
func (j *judgement) formFields() int {
	n := 0
	for i := range j.target.Form.Fields {
		if !looksUp(&j.target.Form.Fields[i]) {
			n++
		}
	}
	return n
}

// hasCaption reports whether the page has a field for words that go out with
// what is shared: one that neither looks things up nor is for a message or a
// comment of its own.
func (j *judgement) hasCaption() bool {
	for i := range j.target.Form.Fields {
		f := &j.target.Form.Fields[i]
		if !f.Password && !looksUp(f) && !j.isCompose(f.Hint, f.ID) && !j.isComment(f) {
			return true
		}
	}
	return false
}

// comments reports whether the field near a send button is for a comment: what
// it sends is seen by everybody.
func (j *judgement) comments() bool {
	return j.target.Place.CloseToField && len(j.target.Form.Fields) > 0 && j.isComment(&j.target.Form.Fields[0])
}

// isComment reports whether a field is for a comment.
func (j *judgement) isComment(f *screen.Field) bool {
	for _, q := range [...]lexicon.Query{
		{Text: f.Hint, Signal: risk.SignalDialogMessage}, {Text: f.Text, Signal: risk.SignalDialogMessage},
		{Text: f.ID, Signal: risk.SignalResourceID, Role: risk.TextField},
	} {
		if q.Text == "" || q.Text == f.Text && f.Hint != "" {
			continue
		}
		if r := j.understand(q); r.Topic == risk.Publish || r.Category == risk.Publish {
			return true
		}
	}
	return false
}

// isBareVerb reports a label of one word: what a home page calls a thing it can
// do, where the last button of a payment says more.
func isBareVerb(s *saying) bool {
	return s.reading.Fit == lexicon.Whole && !strings.ContainsAny(strings.TrimSpace(s.text), " \u00a0")
}

// isTitle reports whether the words of a row are what it is called: the name
// of a task with a box to tick, or in a list the title of a song, a chat or a
// product, which often begin with a verb. Where a sum of money stands by it,
// paying is no title.
func (j *judgement) isTitle(s *saying) bool {
	t := &j.target
	switch c := s.reading.Category; {
	case s.signal == risk.SignalDescendant && j.around().HoldsTickBox():
		return true
	case s.reading.Fit == lexicon.Whole || !titleMaySay(c):
		return false
	case j.around().InContent():
		return true
	default:
		return len(t.Labels) > 1 && !(c == risk.Money && j.sumOnPage() != "")
	}
}

// facesRefusal reports whether a control that refuses stands beside the target:
// then the two answer a question, whatever the page looks like.
func (j *judgement) facesRefusal() bool {
	if !isTextButton(j.target.Role) {
		return false
	}
	for _, label := range j.around().BesideLabels() {
		r := j.label(risk.SignalText, label, risk.Button)
		if r.Category == risk.Dismissal && r.Fit == lexicon.Whole {
			return true
		}
	}
	return false
}

// isTextButton reports a button that is more than an icon.
func isTextButton(r risk.Role) bool { return r == risk.Button || r == risk.DialogButton }

// titleMaySay tells for which categories titles begin with the verb without
// doing it; there only the verb alone counts.
func titleMaySay(c risk.Category) bool {
	switch c {
	case risk.Money, risk.Message, risk.Call, risk.Publish, risk.Share, risk.Submit:
		return true
	}
	return false
}

// drafted reports whether something is typed that could leave.
func (j *judgement) drafted() bool {
	for i := range j.target.Form.Fields {
		if f := &j.target.Form.Fields[i]; f.Text != "" && !looksUp(f) {
			return true
		}
	}
	return false
}

// looksUp reports whether a field searches or holds an address. What is typed
// in it has no say: a draft may begin with any word.
func looksUp(f *screen.Field) bool { return isSearch(f.Hint, f.ID) }

// heavierID lets a risky id speak beside a label that acts too: where its
// consequence is the graver one, it counts. Else a word such as "Send" in place
// of no label at all could lower an outcome.
func (j *judgement) heavierID(c risk.Category) {
	t := &j.target
	j.heavierThan(c, risk.SignalResourceID, t.ResourceID)
	if j.around().InContent() {
		return
	}
	for _, id := range t.ChildIDs {
		j.heavierThan(c, risk.SignalChildID, id)
	}
}

func (j *judgement) heavierThan(c risk.Category, signal risk.Signal, id string) {
	if id == "" {
		return
	}
	r := j.label(signal, id, j.target.Role)
	if r.Category.Risky() && r.Category.Weight() > max(c.Weight(), j.category.Weight()) {
		j.find(r.Category, &r, signal, id)
	}
}

// opensWayRound lets a dialog's word for a way round the guard count beside a
// button's own: "Allow" under "full control of your device" is no permission
// like others. Paying or sending is none, whatever is said above it.
func (j *judgement) opensWayRound() {
	if !mayOpenWayRound(j.category) || !j.target.Dialog.Surface && j.surface != catalog.Settings {
		return
	}
	if s := &j.dialog().wayRound; s.text != "" {
		j.find(risk.Bypass, &s.reading, s.signal, s.text)
		j.answered = s.text
	}
}

// mayOpenWayRound tells what a switch or a button may be called that opens one.
func mayOpenWayRound(c risk.Category) bool {
	switch c {
	case risk.Money, risk.Message, risk.Call, risk.Publish, risk.Share, risk.Credential, risk.BlockReport:
		return false
	}
	return true
}
