package decide

import (
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
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
	j.answersForm()
}

// answersDialog takes the category of the text above the button.
func (j *judgement) answersDialog() bool {
	d := &j.target.Dialog
	if !d.Present() {
		return false
	}
	title := j.sentence(risk.SignalDialogTitle, d.Title)
	message := j.sentence(risk.SignalDialogMessage, d.Message)
	pick := &title
	if weigh(&message.reading) > weigh(&title.reading) {
		pick = &message
	}
	c := pick.reading.Category
	if !c.Risky() || weigh(&pick.reading) == 0 {
		j.about(&title.reading)
		j.about(&message.reading)
		return false
	}
	if !d.Surface && pick.reading.Form == lexicon.Topic && !headingCounts(c) {
		j.about(&pick.reading)
		return false
	}
	j.find(c, &pick.reading, pick.signal, pick.text)
	j.permanent = j.permanent || title.reading.Permanent || message.reading.Permanent
	j.appAsks = d.Surface
	return true
}

// sentence reads the decisive part of a dialog's text; the spans of what it
// finds are those of the whole text.
func (j *judgement) sentence(signal risk.Signal, text string) saying {
	s := saying{signal: signal, text: text}
	s.reading.Category, s.reading.Topic = risk.None, risk.None
	if text == "" {
		return s
	}
	start, end := decisive(text)
	s.reading = j.lex.Read(lexicon.Query{Text: text[start:end], Signal: signal, Language: j.req.Locale})
	shift := utf8.RuneCountInString(text[:start])
	for i := range s.reading.Hits[:s.reading.N] {
		s.reading.Hits[i].Start += shift
		s.reading.Hits[i].End += shift
	}
	return s
}

// weigh is how much a sentence says: nothing when it is about nothing risky.
func weigh(r *lexicon.Reading) int {
	if r.N == 0 || !r.Category.Risky() {
		return 0
	}
	return r.Category.Weight()
}

// headingCounts tells for which categories the heading of a panel, without a
// question, makes the button below it an act: where a mistake costs most.
func headingCounts(c risk.Category) bool {
	switch c {
	case risk.Money, risk.Account, risk.Device, risk.Delete, risk.CancelService, risk.Permission:
		return true
	}
	return false
}

// answersForm takes the category of the filled form above the button.
func (j *judgement) answersForm() {
	f := &j.target.Form
	switch {
	case f.FilledPassword:
		j.category = risk.Credential
		j.noteRule(risk.Credential, risk.SignalForm, "", "typed_secret")
	case f.Filled == 1 && f.Fields == 1 && j.isCompose(f.DraftHint, f.DraftID):
		j.category = risk.Message
		j.noteRule(risk.Message, risk.SignalForm, f.Draft, "draft_above")
	}
}
