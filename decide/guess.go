package decide

import (
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// certainties is how sure the statistical layer must be in an app of each tier:
// the less harm an app can do, the surer. They never fall from a tier to a
// stricter one's, so that a stricter tier never asks less.
var certainties = [...]float32{
	risk.High:   lexicon.DefaultCertainty,
	risk.Medium: 0.55,
	risk.Low:    0.7,
}

// guess lets the statistical layer raise what nothing else has understood: the
// words on a button that the terms, the ids and the place made nothing of. It
// comes last, so that it can only add.
func (j *judgement) guess() {
	t := &j.target
	if j.category != risk.None && j.category != risk.Other || j.refuses || !j.isButton() && t.Role != risk.MenuItem {
		return
	}
	said := [...]saying{{signal: risk.SignalText, text: t.Text}, {signal: risk.SignalDescription, text: t.Description}, {}}
	if t.Text == "" && t.Description == "" && len(t.Labels) > 0 {
		said[2] = saying{signal: risk.SignalDescendant, text: t.Labels[0].Text}
	}
	for i := range said {
		s := &said[i]
		if s.text == "" {
			continue
		}
		s.reading = j.understand(lexicon.Query{Text: s.text, Signal: s.signal, Role: t.Role, Certainty: j.certainty()})
		if s.reading.Category.Risky() && s.reading.ByModel() && s.reading.Category.Weight() > j.category.Weight() && !j.leadsOn(s) {
			j.evidenceN = 0 // what was noted before spoke for nothing
			j.act(s)
			return
		}
	}
}

// certainty is how sure the statistical layer must be in the app.
func (j *judgement) certainty() float32 {
	if int(j.app.Tier) < len(certainties) {
		return certainties[j.app.Tier]
	}
	return certainties[risk.High]
}
