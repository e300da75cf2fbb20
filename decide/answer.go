package decide

import (
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// answer gives an affirmative its category: from the title and message it
// answers, else from the words of its own id, else from the filled form above.
// The app asking is remembered: it is the difference between a tap that opens
// a question and the tap that answers it.
func (j *judgement) answer(s *saying) {
	t := &j.target
	j.affirms = true
	if j.answersDialog() {
		return
	}
	if s.signal != risk.SignalResourceID && t.ResourceID != "" {
		r := j.label(risk.SignalResourceID, t.ResourceID, t.Role)
		if r.Category.Risky() {
			j.find(r.Category, &r, risk.SignalResourceID, t.ResourceID)
			return
		}
	}
	j.answersForm(s)
}

// answersDialog takes the category of the text that the button answers: the
// gravest of what a dialog says; on a page without one, of what it asks, and
// of what it names where a mistake costs most. More text can only make it
// graver, and more than can be read is unknown.
func (j *judgement) answersDialog() bool {
	d := j.dialog()
	if j.topic == risk.None {
		j.topic = d.topic
	}
	switch pick := &d.gravest; {
	case pick.text != "":
		j.find(pick.reading.Category, &pick.reading, pick.signal, pick.text)
		j.permanent = j.permanent || d.permanent
		j.appAsks, j.answered = true, pick.text
		return true
	case d.tooMuch:
		j.category, j.code = risk.Unknown, CodeTooMuchText
		return true
	}
	return false
}

// counts reports whether what a text says is what its button does.
func (j *judgement) counts(s *saying) bool {
	r := &s.reading
	if r.N == 0 || !r.Category.Risky() {
		return false
	}
	if r.Form == lexicon.Question {
		return true
	}
	if j.target.Dialog.Surface && j.isNotice() {
		return consentCounts(r.Category) || r.Form == lexicon.Act || namesButton(s.text, labelOf(&j.target))
	}
	return j.target.Dialog.Surface || namedCounts(r.Category)
}

// isNotice reports a dialog with nothing else to press: its button can only
// take note of what it tells.
func (j *judgement) isNotice() bool {
	return j.around().IsOnlyAnswer()
}

// consentCounts tells what a person can agree to without being given a choice.
func consentCounts(c risk.Category) bool {
	switch c {
	case risk.Account, risk.Permission, risk.Install, risk.Uninstall, risk.Device, risk.Settings, risk.Bypass:
		return true
	}
	return false
}

// namedCounts tells for which categories a page that names them, without
// asking, makes a generic yes on it an act: where a mistake costs most.
func namedCounts(c risk.Category) bool {
	switch c {
	case risk.Money, risk.Account, risk.Device, risk.Delete, risk.CancelService, risk.Permission,
		risk.Install, risk.Uninstall, risk.Settings, risk.Bypass:
		return true
	}
	return false
}

// answersForm takes the category of the filled form above the button.
func (j *judgement) answersForm(s *saying) {
	f := &j.target.Form
	if f.FilledPassword || j.typedCode() {
		j.category = risk.Credential
		j.noteRule(risk.Credential, risk.SignalForm, "", "typed_secret")
		return
	}
	if !j.target.Place.CloseToField || s.reading.Fit != lexicon.Whole {
		return
	}
	for i := range f.Fields {
		if d := &f.Fields[i]; d.Text != "" && j.isCompose(d.Hint, d.ID) {
			j.category = risk.Message
			j.noteRule(risk.Message, risk.SignalForm, d.Text, "draft_above")
			return
		}
	}
}

// typedCode reports whether a one-time code is typed in the form: a field that
// is named after one, or several that hold a single character each.
func (j *judgement) typedCode() bool {
	single := 0
	for i := range j.target.Form.Fields {
		f := &j.target.Form.Fields[i]
		if f.Text != "" && namesAny(f.Hint, f.ID, codeWords) {
			return true
		}
		if utf8.RuneCountInString(f.Text) == 1 {
			single++
		}
	}
	return single >= 4
}

// confirmsAmount returns the text with a sum of money that a button named after
// confirming stands under. Other ways to say yes do not count: OK and Done
// close the page that says that the money is gone.
func (j *judgement) confirmsAmount(s *saying) string {
	id := ""
	if s.signal == risk.SignalResourceID || s.signal == risk.SignalChildID {
		id = s.text
	}
	if id == "" && !namesAny(s.text, "", confirmWords) || id != "" && !namesAny("", id, confirmWords) {
		return ""
	}
	return j.sumOnPage()
}

// sumOnPage returns a text with a sum of money: the target's own, or one that
// it may answer to.
func (j *judgement) sumOnPage() string {
	t := &j.target
	for _, text := range [...]string{t.Text, t.Description} {
		if namesSum(text) {
			return text
		}
	}
	for i := -2; i < len(t.Dialog.More); i++ {
		if _, text := dialogText(&t.Dialog, i); namesSum(text) {
			return text
		}
	}
	for i := range t.Labels {
		if namesSum(t.Labels[i].Text) {
			return t.Labels[i].Text
		}
	}
	return ""
}

// dialogText is the title at -2, the message at -1, and from 0 on what follows.
func dialogText(d *screen.Dialog, i int) (risk.Signal, string) {
	switch i {
	case -2:
		return risk.SignalDialogTitle, d.Title
	case -1:
		return risk.SignalDialogMessage, d.Message
	}
	return risk.SignalDialogMessage, d.More[i]
}

// namesSum reports whether a text names a sum of money.
func namesSum(text string) bool {
	if !moneyIn(text) {
		return false
	}
	_, _, _, ok := amountIn(text)
	return ok
}
