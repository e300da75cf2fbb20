package lexicon

import "github.com/countersign/countersign/risk"

// finding is a Reading under way, small enough to be passed around. Each layer
// that reads a text makes one (the terms, read as a label, a sentence or a
// developer's name, and the statistical model), and combine picks between them;
// another layer needs to make a finding and nothing else.
type finding struct {
	category   risk.Category
	topic      risk.Category
	form       Form
	fit        Fit
	understood bool
	permanent  bool
	opens      bool
	loose      bool
	n          uint8 // marks that are set
	score      float32
	marks      [3]mark
}

// mark is a Hit under way: a term and the runes of the original where it stands.
type mark struct {
	term     *term
	key      int32 // that the term is of
	from, to uint16
	category risk.Category
	inName   bool
	// guessed says that the statistical layer made the mark: it has no term, but
	// the runes of its strongest feature.
	guessed              bool
	strongFrom, strongTo uint16
}

// nothing is the finding that says nothing.
var nothing = finding{category: risk.None, topic: risk.None}

// isEmpty reports a finding that adds nothing to another.
func (f *finding) isEmpty() bool {
	return f.category == risk.None && f.form == Plain && !f.understood && f.topic == risk.None
}

// isRisky reports a category that a term can speak for: Unknown is none.
func isRisky(c risk.Category) bool { return c.Risky() && c != risk.Unknown }

// combine picks between two findings about one text: a risky one before one
// that is not, then the surer, then the worse. What only the other one has is
// kept: that the words are understood, and what they are about.
func combine(a, b finding) finding {
	if beats(&b, &a) {
		a, b = b, a
	}
	a.understood = a.understood || b.understood
	a.permanent = a.permanent || b.permanent
	if a.topic == risk.None {
		a.topic = b.topic
	}
	for i := uint8(0); i < b.n && int(a.n) < len(a.marks); i++ {
		a.marks[a.n] = b.marks[i]
		a.n++
	}
	return a
}

// sureEnough is the difference of scores below which the worse category wins.
const sureEnough = 0.15

func beats(a, b *finding) bool {
	if x, y := isRisky(a.category), isRisky(b.category); x != y {
		return x
	}
	if d := a.score - b.score; d > sureEnough || d < -sureEnough {
		return d > 0
	}
	if a.category.Weight() != b.category.Weight() {
		return a.category.Weight() > b.category.Weight()
	}
	return a.score > b.score
}

// better picks between the findings of two parts of one text. What is risky
// wins; of the rest the first that means anything: "No, don't delete it".
func better(a, b finding) finding {
	switch {
	case b.isEmpty():
		return a
	case a.isEmpty():
		return b
	case isRisky(a.category) || isRisky(b.category):
		return combine(a, b)
	case a.form == Plain && a.category == risk.None:
		return keepFirst(b, a)
	}
	return keepFirst(a, b)
}

// keepFirst is combine where the order is decided.
func keepFirst(a, b finding) finding {
	b.score = -1
	if b.category.Weight() > a.category.Weight() {
		b.category = risk.None
	}
	return combine(a, b)
}

// refuse turns what is done into what is not done.
func refuse(f finding) finding {
	if f.category != risk.Dismissal {
		f.category = risk.None
	}
	f.form, f.understood, f.score = Negated, true, scoreKnown
	return f
}

// reading makes the public form of the finding.
func (l *Lexicon) reading(f *finding) Reading {
	r := Reading{Category: f.category, Understood: f.understood, Score: f.score, Form: f.form, Fit: f.fit,
		Permanent: f.permanent, Opens: f.opens, Loose: f.loose, Topic: f.topic, N: int(f.n)}
	for i := range r.N {
		m := &f.marks[i]
		if m.guessed {
			r.Hits[i] = Hit{Start: int(m.from), End: int(m.to), Layer: risk.LayerStatistical, Category: m.category,
				FeatureStart: int(m.strongFrom), FeatureEnd: int(m.strongTo)}
			continue
		}
		r.Hits[i] = Hit{Start: int(m.from), End: int(m.to), Term: l.textOf(m.key, m.term),
			Language: l.langs[m.term.language].tag, Layer: risk.LayerTerm, Category: m.category}
		if m.inName {
			r.Hits[i].Layer = risk.LayerIdentifier
		}
	}
	return r
}
