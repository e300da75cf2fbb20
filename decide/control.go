package decide

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// control judges a press of the target by the role of the control.
func (j *judgement) control() {
	j.category = risk.None
	if j.ownSurface() {
		return
	}
	switch j.target.Role {
	case risk.TextField:
		// Touching a field puts the cursor there.
	case risk.Key:
		j.keyboardKey()
	case risk.Switch, risk.Checkbox:
		j.toggle()
	case risk.Tab:
		j.read() // for what context suppresses; a tab only opens
		j.suppress("tab")
	default:
		j.read()
		j.callsHere()
		if j.category.Risky() {
			j.heavierID(j.category)
		}
		j.appAsks = j.appAsks || j.category == risk.Delete && j.dialog().deletion
		j.bySurface()
		j.launches()
		j.confirmsSum()
		j.answersWithSecret()
		j.guess()
	}
}

// answersWithSecret recognises the button that closes a dialog or a form in
// which a secret is typed, whatever it is called, unless it refuses: Connect,
// Save, Next.
func (j *judgement) answersWithSecret() {
	t := &j.target
	if j.category.Weight() >= risk.Credential.Weight() || j.refuses || t.Node < 0 || !t.Form.FilledPassword {
		return
	}
	if own := cmp.Or(t.Text, t.Description); own != "" && j.category == risk.None && j.label(risk.SignalText, own, t.Role).Topic.Risky() {
		return // "Forgot password?" says what it is about
	}
	closes := strings.HasSuffix(t.Class, "Button") && t.Place.CloseToField && !j.around().IsNarrow()
	if closes && t.Role == risk.Button || t.Role == risk.DialogButton && t.Dialog.Surface {
		j.category = risk.Credential
		j.noteRule(risk.Credential, risk.SignalForm, "", "typed_secret")
	}
}

// confirmsSum recognises a button named after confirming on a page with a sum
// of money, also where its words are not those of a generic yes.
func (j *judgement) confirmsSum() {
	label := labelOf(&j.target)
	if j.category != risk.None || j.refuses || !j.isButton() || label == "" || !isShort(label) {
		return
	}
	if amount := j.confirmsAmount(&saying{signal: risk.SignalText, text: label}); amount != "" {
		j.category, j.answered = risk.Money, amount
		j.noteRule(risk.Money, risk.SignalDialogMessage, amount, "amount_confirmed")
	}
}

// suppress takes a risky reading back, with the reason as evidence.
func (j *judgement) suppress(rule string) {
	if j.category.Risky() {
		j.topic = j.category
		j.noteRule(risk.None, risk.SignalPlace, "", rule)
	}
	j.category = risk.None
}

// toggle judges a switch or checkbox by the title of its row. It changes a
// setting, so only titles of settings that matter count: a box "Send read
// receipts" sends nothing.
func (j *judgement) toggle() {
	t := &j.target
	title := t.RowTitle
	signal := risk.SignalRow
	for _, own := range [...]struct {
		text   string
		signal risk.Signal
	}{{t.Text, risk.SignalText}, {t.Description, risk.SignalDescription}} {
		if own.text != "" && (title == "" || len(own.text) > len(title)) {
			title, signal = own.text, own.signal
		}
	}
	r := j.understand(lexicon.Query{Text: title, Signal: risk.SignalDialogTitle, Role: t.Role})
	c := r.Topic
	if c == risk.None {
		c = r.Category
	}
	switch {
	case j.grantsBySwitch(&r):
		j.find(risk.Permission, &r, signal, title)
		j.noteRule(risk.Permission, risk.SignalApp, title, "permission_switch")
	case c == risk.Settings || c == risk.Bypass || c == risk.Device:
		j.find(c, &r, signal, title)
	case t.Role == risk.Switch && (c == risk.Permission || c == risk.Money) && !t.Flags.Has(screen.Checked) && r.Form == lexicon.Act:
		j.find(c, &r, signal, title)
	case c.Risky():
		j.topic = c
		j.note(&r, signal, title)
		j.noteRule(risk.None, risk.SignalPlace, "", "toggle")
	}
	if t.Role == risk.Switch && !t.Flags.Has(screen.Checked) && j.surface == catalog.Settings {
		j.opensWayRound()
	}
	if t.Role == risk.Checkbox && j.category != risk.Bypass {
		j.suppress("checkbox") // it selects; what is selected takes effect by another press
		j.actsWhenTicked(&saying{signal: signal, text: title})
	}
}

// actsWhenTicked recognises what keeps a state and is no box by its class, such
// as Like and Follow: it acts at once where its name is a verb and nothing else.
func (j *judgement) actsWhenTicked(s *saying) {
	t := &j.target
	if s.signal == risk.SignalRow || strings.HasSuffix(t.Class, "Box") || strings.HasSuffix(t.Class, "RadioButton") || strings.HasSuffix(t.Class, "CheckedTextView") {
		return
	}
	if s.reading = j.label(s.signal, s.text, risk.Button); s.reading.Category.Risky() && s.reading.Fit == lexicon.Whole {
		j.act(s)
	}
}

// keyboardKey judges a key of the on-screen keyboard: letters type, Delete takes
// a letter back, the key that says send, go or done submits. Whatever else acts
// there is no key but a button.
func (j *judgement) keyboardKey() {
	t := &j.target
	for _, s := range [...]saying{
		{signal: risk.SignalDescription, text: t.Description}, {signal: risk.SignalText, text: t.Text},
	} {
		if s.text == "" {
			continue
		}
		r := j.understand(lexicon.Query{Text: s.text, Signal: s.signal, Role: risk.Button})
		switch {
		case r.Category.Risky() && r.Category != risk.Delete:
			j.find(r.Category, &r, s.signal, s.text)
			return
		case r.Category == risk.Affirmative && utf8.RuneCountInString(s.text) > 1, isSubmitKey(s.text):
			j.submitFocused()
			return
		}
	}
	if namesAny("", t.ResourceID, submitKeyIDs) {
		j.submitFocused()
	}
}

// submitFocused judges the keyboard's action key by the field it submits, which
// is another app's.
func (j *judgement) submitFocused() {
	if j.ui != nil {
		if hit := j.ui.Focus(); hit.Node >= 0 {
			j.target, j.evidenceN = j.ui.Target(hit.Node), 0
			j.rank()
		}
	}
	j.submitField()
}

// unlabelled judges a control that says nothing, by role and place.
func (j *judgement) unlabelled() {
	t := &j.target
	button := t.Role == risk.Button || t.Role == risk.IconButton
	// A bar that a toolkit draws by itself has no class to know it by.
	bar := t.Role == risk.View && t.Node >= 0 && t.Bounds.Height()*4 <= t.Bounds.Width() && !j.around().HoldsControls()
	switch {
	case !button && !bar || t.Flags&(screen.Clickable|screen.LongClickable) == 0:
		return
	case t.Place.BesideFilled && j.drafted():
		j.category = risk.Message
		if t.Form.Password || j.formFields() > 1 {
			j.category = risk.Submit
		}
		j.noteRule(j.category, risk.SignalPlace, t.Form.Draft(), "beside_filled_field")
	case t.Place.FootOfForm && (j.drafted() || t.Form.FilledPassword):
		j.category = risk.Submit
		if t.Form.FilledPassword {
			j.category = risk.Credential
		}
		j.noteRule(j.category, risk.SignalPlace, "", "foot_of_form")
	case j.app.Tier == risk.High && t.Node >= 0 && !j.idUnderstood:
		j.category, j.code = risk.Unknown, CodeNoLabel
	}
}
