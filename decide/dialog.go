package decide

import (
	"slices"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// A dialogReading is what the text says that the target may answer to.
type dialogReading struct {
	gravest   saying        // of what a press would do; without text where it would do nothing
	wayRound  saying        // what speaks of a way round the guard, else without text
	topic     risk.Category // what is spoken of first without being done
	deletion  bool          // deleting is spoken of
	permanent bool          // something cannot be undone
	tooMuch   bool          // there is more of it than is read
}

// maxAnswerable bounds how many pieces of text a button is held against.
const maxAnswerable = 1000

// dialog reads what the target may answer to, once for each target.
func (j *judgement) dialog() *dialogReading {
	if !j.dialogRead {
		j.readDialog()
		j.dialogRead = true
	}
	return &j.asked
}

func (j *judgement) readDialog() {
	d := &j.asked
	*d = dialogReading{topic: risk.None}
	texts, read := &j.target.Dialog, 0
	for i := -2; i < len(texts.More); i++ {
		signal, text := dialogText(texts, i)
		parts := decisive{button: labelOf(&j.target), text: text}
		for part, ok := parts.next(); ok; part, ok = parts.next() {
			if read == maxAnswerable {
				d.tooMuch = true
				return
			}
			read++
			s := j.sentence(signal, text, part)
			d.add(j, &s)
		}
	}
}

// add adds one part of the text.
func (d *dialogReading) add(j *judgement, s *saying) {
	r := &s.reading
	d.permanent = d.permanent || r.Permanent
	d.deletion = d.deletion || r.Category == risk.Delete || r.Topic == risk.Delete
	if d.wayRound.text == "" && j.speaksOfWayRound(s) {
		d.wayRound = *s
	}
	switch {
	case !j.counts(s):
		if d.topic == risk.None && r.Topic.Risky() && !r.Category.Risky() {
			d.topic = r.Topic
		}
	case d.gravest.text == "" || r.Category.Weight() > d.gravest.reading.Category.Weight():
		d.gravest = *s
	}
}

// speaksOfWayRound reports whether a text speaks of a way round the guard. Where
// the system asks for access, that counts beside the verb as well: of a sentence
// the verb alone may be read, as of "allow notification access".
func (j *judgement) speaksOfWayRound(s *saying) bool {
	r := &s.reading
	if r.Category == risk.Bypass || r.Category != risk.Permission && r.Topic != risk.Permission || !j.surface.System() {
		return r.Category == risk.Bypass
	}
	named := j.understand(lexicon.Query{Text: s.text, Signal: risk.SignalText})
	return slices.ContainsFunc(named.Hits[:named.N], func(h lexicon.Hit) bool { return h.Category == risk.Bypass })
}

// sentence reads a part of a dialog's text; the spans of what it finds are those
// of the whole text.
func (j *judgement) sentence(signal risk.Signal, text string, p span) saying {
	s := saying{signal: signal, text: text}
	s.reading = j.understand(lexicon.Query{Text: text[p.start:p.end], Signal: signal})
	shift := utf8.RuneCountInString(text[:p.start])
	for i := range s.reading.Hits[:s.reading.N] {
		s.reading.Hits[i].Start += shift
		s.reading.Hits[i].End += shift
	}
	return s
}
