package decide

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// maxLabelsRead bounds how many labels of descendants are read.
const maxLabelsRead = 24

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
		j.readShown()
	case len(t.Labels) > 0 && j.readDescendants():
	case j.readIDs():
	case !t.Labelled():
		j.unlabelled()
	default:
		j.notUnderstood()
	}
}

func (j *judgement) label(signal risk.Signal, text string, role risk.Role) lexicon.Reading {
	gesture := (role == risk.Row || role == risk.View) && asksForGesture(text)
	if role == risk.Slider || role == risk.Row && gesture {
		role = risk.Button // sliding it is pressing it: "Tap and hold to send"
	}
	r := j.understand(lexicon.Query{Text: text, Signal: signal, Role: role})
	if r.Topic.Risky() && (gesture || asksForGesture(text)) && isGestureLabel(text) {
		// A control that is slid or held says what for, in whatever form of the word:
		// "Glisser pour le paiement", "Ödemek için kaydırın".
		r.Loose = false
		if r.Form == lexicon.Topic {
			r.Category, r.Form = r.Topic, lexicon.Act
		}
	}
	return r
}

// understand reads a text. A locale that we saw on the device chooses between
// languages; one that the caller claims can only add a reading that is risky or
// a yes that takes its meaning from around it, never clear a word. The
// statistical layer is asked by guess alone.
func (j *judgement) understand(q lexicon.Query) lexicon.Reading {
	if q.Certainty == 0 {
		q.Certainty = lexicon.TermsOnly
	}
	if j.observed() {
		q.Language = j.req.Locale
		return j.lex.Read(q)
	}
	r := j.lex.Read(q)
	if j.req.Locale == "" || r.Category.Risky() {
		return r
	}
	q.Language = j.req.Locale
	if claimed := j.lex.Read(q); claimed.Category.Risky() || claimed.Category == risk.Affirmative && r.Category == risk.None {
		return claimed
	}
	return r
}

// A hearing gathers what several signals say: the gravest act, the gravest word
// that only leads to one, a generic yes, a generic no.
type hearing struct {
	act, leads, yes, no saying
	understood          bool
}

// hear takes one signal in.
func (j *judgement) hear(h *hearing, s *saying) {
	r := &s.reading
	switch {
	case r.Category == risk.Affirmative:
		keepFirst(&h.yes, s)
	case r.Category == risk.Dismissal:
		keepFirst(&h.no, s)
	case !r.Category.Risky():
		j.about(r)
	case j.leadsOn(s):
		keepGravest(&h.leads, s)
	default:
		keepGravest(&h.act, s)
	}
}

func keepFirst(kept, s *saying) {
	if kept.text == "" {
		*kept = *s
	}
}

func keepGravest(kept, s *saying) {
	if kept.text == "" || s.reading.Category.Weight() > kept.reading.Category.Weight() {
		*kept = *s
	}
}

// settleHearing judges by what was heard: the act, or what a yes answers where that
// is graver; else what the words lead to. It reports whether anything spoke.
func (j *judgement) settleHearing(h *hearing) bool {
	if h.yes.text != "" {
		j.note(&h.yes.reading, h.yes.signal, h.yes.text)
		j.answer(&h.yes)
	}
	switch {
	case h.act.text != "":
		if !j.category.Risky() || h.act.reading.Category.Weight() > j.category.Weight() {
			j.act(&h.act)
		}
	case j.category.Risky():
	case h.leads.text != "":
		j.act(&h.leads)
	case h.no.text != "":
		j.note(&h.no.reading, h.no.signal, h.no.text)
		j.refuses = true
	default:
		return h.yes.text != ""
	}
	return true
}

// readOwn judges the target's own text and description. It reports whether
// they settle the matter.
func (j *judgement) readOwn(own []saying) bool {
	h := hearing{}
	for i := range own {
		h.understood = h.understood || own[i].reading.Understood
		j.hear(&h, &own[i])
	}
	if j.settleHearing(&h) {
		return true
	}
	if h.understood {
		j.note(&own[0].reading, own[0].signal, own[0].text)
	}
	return h.understood
}

// readShown lets the words that are shown on a button count beside a description,
// which only a screen reader says: the graver of the two.
func (j *judgement) readShown() {
	t := &j.target
	if t.Text != "" || len(t.Labels) == 0 || !j.isButton() {
		return
	}
	h := hearing{}
	for i := range min(len(t.Labels), maxLabelsRead) {
		s := saying{signal: risk.SignalDescendant, text: t.Labels[i].Text}
		if s.reading = j.label(s.signal, s.text, t.Role); s.reading.Category.Risky() && s.reading.Category.Weight() > j.category.Weight() {
			j.hear(&h, &s)
		}
	}
	j.settleHearing(&h)
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

// readDescendants judges a container by the labels that belong to it. A button
// made of parts says what it does in any of them. The first label of a row is
// its title; of the others only one that is a command and nothing else counts.
func (j *judgement) readDescendants() bool {
	t := &j.target
	button := j.isButton()
	content := !button && j.around().InContent()
	h := hearing{understood: true} // all of it: a word that is known excuses none that is not
	orders := j.isOrderBar()
	for i, label := range t.Labels {
		if i == maxLabelsRead {
			break
		}
		role := t.Role
		if label.Button {
			role = risk.Button
		}
		s := saying{signal: risk.SignalDescendant, text: label.Text}
		s.reading = j.label(s.signal, s.text, role)
		if orders {
			if r := j.label(s.signal, s.text, risk.Button); r.Category == risk.Money {
				s.reading = r
			}
		}
		h.understood = h.understood && (s.reading.Understood || content && i > 0)
		if (i > 0 || t.Text != "" || t.Description != "") && s.reading.Category == risk.Dismissal {
			continue // a later no refuses nothing that was said before it
		}
		if button || i == 0 || s.reading.Fit == lexicon.Whole || orders && s.reading.Category == risk.Money {
			j.hear(&h, &s)
		}
	}
	if content {
		h.yes, h.no = saying{}, saying{} // content says yes and no without being asked
	}
	j.settleHearing(&h)
	if j.category.Risky() {
		return true
	}
	return t.Text == "" && t.Description == "" && h.understood
}

// isOrderBar reports a row that is no content and has a sum of money on it, as
// at the foot of a basket: any of its labels may say that pressing it pays.
func (j *judgement) isOrderBar() bool {
	t := &j.target
	return t.Role == risk.Row && t.Node >= 0 && !j.around().InContent() &&
		slices.ContainsFunc(t.Labels, func(l screen.Label) bool { return namesSum(l.Text) })
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
		if j.around().InContent() {
			break // the parts of a card or a row are named after what they show
		}
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
	j.idUnderstood = j.idUnderstood || r.Understood
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
	card := t.Role == risk.Row && !j.around().InList()
	if (t.Role == risk.Button || card) && isShort(j.around().Label()) && j.around().IsLone() && !j.around().HoldsControls() {
		j.category = risk.Other
		j.noteRule(risk.Other, risk.SignalText, j.around().Label(), "label_not_understood")
	}
}

// isShort reports whether a label is as short as those of buttons are.
func isShort(label string) bool {
	return utf8.RuneCountInString(label) <= 24 && strings.Count(label, " ") <= 3
}

// isBackdrop reports whether the target is an area without words that holds
// other controls: a touch between them closes or does nothing.
func (j *judgement) isBackdrop() bool {
	t := &j.target
	return t.Node >= 0 && !t.Labelled() && j.around().IsArea() && j.around().HoldsControls()
}

// isPrice judges a button whose label is a price and nothing else: pressing it
// buys. A price on a row or a card is content.
func (j *judgement) isPrice() bool {
	t := &j.target
	if t.Role != risk.Button && t.Role != risk.DialogButton || !strings.HasSuffix(t.Class, "Button") {
		return false
	}
	label := cmp.Or(t.Text, t.Description)
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
