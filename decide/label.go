package decide

import (
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// maxLabelsRead bounds how many labels of descendants are read.
const maxLabelsRead = 6

// A saying is one signal of the target with what it means.
type saying struct {
	signal  risk.Signal
	text    string
	reading lexicon.Reading
}

// read works out what the control says and what that does. Order of trust: an
// understood text or description beats the id; a risky id beats a label that
// is not understood; text and description that disagree ask.
func (j *judgement) read() {
	t := &j.target
	var own [2]saying
	n := 0
	for _, s := range [...]saying{
		{signal: risk.SignalText, text: t.Text}, {signal: risk.SignalDescription, text: t.Description},
	} {
		if s.text != "" {
			s.reading = j.label(s.signal, s.text, t.Role)
			own[n] = s
			n++
		}
	}
	switch {
	case j.isPrice():
	case n > 0 && j.readOwn(own[:n]):
	case len(t.Labels) > 0 && (n == 0 || j.isButton()) && j.readDescendants():
	case j.readIDs():
	case !t.Labelled():
		j.unlabelled()
	default:
		j.notUnderstood()
	}
}

func (j *judgement) label(signal risk.Signal, text string, role risk.Role) lexicon.Reading {
	if role == risk.Slider {
		role = risk.Button // sliding it is pressing it
	}
	return j.lex.Read(lexicon.Query{Text: text, Signal: signal, Role: role, Language: j.req.Locale})
}

// readOwn judges the target's own text and description. It reports whether
// they settle the matter.
func (j *judgement) readOwn(own []saying) bool {
	best, affirmative, dismissal, understood := -1, -1, -1, false
	for i := range own {
		r := &own[i].reading
		understood = understood || r.Understood
		switch {
		case r.Category == risk.Affirmative:
			affirmative = i
		case r.Category == risk.Dismissal:
			dismissal = i
		case r.Category.Risky() && (best < 0 || r.Category.Weight() > own[best].reading.Category.Weight()):
			best = i
		}
		j.about(r)
	}
	switch {
	case best >= 0:
		s := &own[best]
		j.act(s)
		return true
	case affirmative >= 0 && dismissal < 0:
		s := &own[affirmative]
		j.note(&s.reading, s.signal, s.text)
		j.answer(s)
		return true
	case dismissal >= 0 || understood:
		s := &own[max(dismissal, 0)]
		j.note(&s.reading, s.signal, s.text)
		j.refuses = dismissal >= 0
		return true
	}
	return false
}

// about remembers what words are about that do nothing.
func (j *judgement) about(r *lexicon.Reading) {
	if j.topic == risk.None && r.Topic.Risky() && !r.Category.Risky() {
		j.topic = r.Topic
	}
}

// isButton reports the roles on which any label says what pressing does.
func (j *judgement) isButton() bool {
	switch j.target.Role {
	case risk.Button, risk.IconButton, risk.DialogButton, risk.Slider:
		return true
	}
	return false
}

// readDescendants judges a container by the labels that belong to it. A row's
// first label is its title; a button made of parts says it in any of them.
func (j *judgement) readDescendants() bool {
	t := &j.target
	button := j.isButton()
	var best, affirmative saying
	understood := false
	for i, label := range t.Labels {
		if i == maxLabelsRead || (!button && i > 0) {
			break
		}
		role := t.Role
		if label.Button {
			role = risk.Button
		}
		s := saying{signal: risk.SignalDescendant, text: label.Text}
		s.reading = j.label(s.signal, s.text, role)
		r := &s.reading
		understood = understood || r.Understood
		switch {
		case r.Category == risk.Affirmative && affirmative.text == "":
			affirmative = s
		case r.Category.Risky() && r.Category.Weight() > best.reading.Category.Weight() || best.text == "" && r.Category.Risky():
			best = s
		}
		j.about(r)
	}
	switch {
	case best.text != "":
		j.act(&best)
		return true
	case affirmative.text != "" && button:
		j.note(&affirmative.reading, affirmative.signal, affirmative.text)
		j.answer(&affirmative)
		return true
	}
	return understood
}

// readIDs judges by the words of ids: the target's own, its children's, its
// nearest ancestor's.
func (j *judgement) readIDs() bool {
	t := &j.target
	if j.isBackdrop() {
		return false
	}
	if j.readID(risk.SignalResourceID, t.ResourceID) {
		return true
	}
	for _, id := range t.ChildIDs {
		if j.readID(risk.SignalChildID, id) {
			return true
		}
	}
	if t.ResourceID == "" && t.Flags.Has(screen.Clickable) && !t.Labelled() {
		return j.readID(risk.SignalAncestorID, t.AncestorID)
	}
	return false
}

// readID judges one id. It reports whether the id settles the matter.
func (j *judgement) readID(signal risk.Signal, id string) bool {
	if id == "" {
		return false
	}
	r := j.label(signal, id, j.target.Role)
	switch {
	case r.Category == risk.Affirmative:
		s := saying{signal: signal, text: id, reading: r}
		j.note(&r, signal, id)
		j.answer(&s)
		return true
	case r.Category == risk.Dismissal:
		j.note(&r, signal, id)
		j.refuses = true
		return true
	case r.Category.Risky():
		j.act(&saying{signal: signal, text: id, reading: r})
		return true
	}
	j.about(&r)
	return false
}

// notUnderstood judges a label in words the guard does not know: harmless on
// rows, tabs and fields; on a lone button of a HIGH app an effect that is
// not known.
func (j *judgement) notUnderstood() {
	t := &j.target
	if j.app.Tier != risk.High || t.Node < 0 || !t.Flags.Has(screen.Clickable) {
		return
	}
	card := t.Role == risk.Row && !j.ui.InList(t.Node)
	if (t.Role == risk.Button || card) && isShort(j.ui.Label(t.Node)) && j.ui.LoneButton(t.Node) {
		j.category = risk.Other
		j.noteRule(risk.Other, risk.SignalText, j.ui.Label(t.Node), "label_not_understood")
	}
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// isShort reports whether a label is as short as those of buttons are.
func isShort(label string) bool {
	return utf8.RuneCountInString(label) <= 24 && strings.Count(label, " ") <= 3
}

// isBackdrop reports whether the target is an area without words that holds
// other controls: a touch between them closes or does nothing.
func (j *judgement) isBackdrop() bool {
	t := &j.target
	return t.Role == risk.View && t.Node >= 0 && !t.Labelled() && j.ui.HoldsControls(t.Node)
}

// isPrice judges a button whose label is a price and nothing else: pressing it
// buys. A price on a row or a card is content.
func (j *judgement) isPrice() bool {
	t := &j.target
	if t.Role != risk.Button && t.Role != risk.DialogButton || !strings.HasSuffix(t.Class, "Button") {
		return false
	}
	label := firstOf(t.Text, t.Description)
	if label == "" || !isShort(label) || !moneyIn(label) {
		return false
	}
	_, start, end, ok := amountIn(label)
	if !ok || start > 0 || utf8.RuneCountInString(label) > end {
		return false
	}
	j.category = risk.Money
	j.noteRule(risk.Money, risk.SignalText, label, "price_on_button")
	return true
}
