package lexicon

import (
	_ "embed"
	"sync"

	"github.com/countersign/countersign/lexicon/statistical"
	"github.com/countersign/countersign/risk"
)

//go:embed statistical.model
var embeddedModel []byte

// defaultModel is the model that is part of the program, unpacked on first use.
var defaultModel = sync.OnceValue(func() *statistical.Model {
	m, err := statistical.Parse(embeddedModel)
	if err != nil {
		panic("lexicon: embedded model: " + err.Error())
	}
	return m
})

// Certainties of the statistical layer; see [Query.Certainty].
const (
	// DefaultCertainty is the one operating point that every published figure
	// is about, chosen from the table in LANGUAGES.md.
	DefaultCertainty = 0.35
	// TermsOnly silences the statistical layer.
	TermsOnly = 2
)

// WithModel returns a lexicon of the same terms that asks another statistical
// model, or none when m is nil.
func (l *Lexicon) WithModel(m *statistical.Model) *Lexicon {
	other := &Lexicon{langs: l.langs, phrases: l.phrases, senseOf: l.senseOf, senses: l.senses, texts: l.texts}
	other.model = func() *statistical.Model { return m }
	other.scratch.New = l.scratch.New
	return other
}

// mayGuess reports whether the statistical layer has a say: about a label that
// may be a command, of which the terms made f, neither that nor anything that
// excludes it.
func (r *reader) mayGuess(f *finding) bool {
	if r.lex.model == nil || r.query.Certainty > 1 || r.inName || len(r.segs) == 0 {
		return false
	}
	switch r.query.Signal {
	case risk.SignalResourceID, risk.SignalChildID, risk.SignalAncestorID, risk.SignalDialogTitle, risk.SignalDialogMessage:
		return false
	}
	switch {
	case isRisky(f.category), f.category != risk.None && f.fit == Whole, f.category == risk.None && f.understood:
		return false
	case f.form != Plain && f.form != Topic && f.form != Act:
		return false
	case r.query.Role != risk.View && !isButton(r.query.Role):
		return false
	}
	return !r.isQuestion() && !r.isStatement() && !r.isLong()
}

// guess is the statistical layer: its finding about a label that it has a say
// about, nothing where it is not sure enough.
func (r *reader) guess() finding {
	m := r.lex.model()
	if m == nil {
		return nothing
	}
	if r.manner != asWritten {
		r.prepare(asWritten)
		r.trimNumbers()
	}
	r.collectFeatures()
	features := r.features.features
	var tally statistical.Tally
	for i := range features {
		features[i].place = m.Find(features[i].hash)
		m.AddAt(&tally, features[i].place)
	}
	v, ok := m.JudgeFrom(&tally, len(features), r.certainty())
	if !ok {
		return nothing
	}
	g := finding{category: v.Category, topic: v.Category, form: Act, fit: Inside, score: v.Probability, understood: true}
	r.markFeatures(&g, m, v)
	return g
}

// certainty is how sure the model must be.
func (r *reader) certainty() float32 {
	if r.query.Certainty > 0 {
		return r.query.Certainty
	}
	return DefaultCertainty
}

// markFeatures notes what spoke for the verdict: the strongest feature, grown by
// those at least half as strong that touch it.
func (r *reader) markFeatures(f *finding, m *statistical.Model, v statistical.Verdict) {
	var best feature
	most := 0
	for _, x := range r.features.features {
		if s := m.Speaks(x.place, v.Class); s > most && x.end > x.start {
			best, most = x, s
		}
	}
	if most == 0 {
		best = feature{end: uint16(len(r.text.b))}
	}
	start, end := best.start, best.end
	for _, x := range r.features.features {
		if x.start <= end && x.end >= start && x.end > x.start && 2*m.Speaks(x.place, v.Class) >= most && most > 0 {
			start, end = min(start, x.start), max(end, x.end)
		}
	}
	mk := mark{category: v.Category, guessed: true}
	mk.from, mk.to = r.text.span(int(start), int(end))
	mk.strongFrom, mk.strongTo = r.text.span(int(best.start), int(best.end))
	f.marks[0], f.n = mk, 1
}
