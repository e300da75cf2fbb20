package lexicon

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// reader is the scratch of one reading; the pool of a Lexicon keeps it so that
// reading does not allocate.
type reader struct {
	lex      *Lexicon
	query    Query
	text     copyText
	matches  []match
	segs     []segment
	taken    bitSet
	trailing gap  // what stands after the last segment
	inName   bool // reading an identifier

	langs   langSet // the languages the text is in, as far as that is known
	claimed langSet // the language of the query; empty when it names none we have
}

// Read works out what a text means. It does not allocate.
func (l *Lexicon) Read(q Query) Reading {
	r := l.scratch.Get().(*reader)
	defer l.scratch.Put(r)
	r.lex, r.query = l, q
	r.claimed = l.languagesOf(q.Language)
	reading := r.read(false)
	if !reading.Understood && reading.Form == Plain && r.mayPoseAsLatin() {
		reading = combine(reading, r.read(true))
	}
	r.query = Query{} // keep no caller's text
	return reading
}

// read reads the query's text as what it is: identifier, sentence or label.
func (r *reader) read(latinised bool) Reading {
	switch r.query.Signal {
	case risk.SignalResourceID, risk.SignalChildID, risk.SignalAncestorID:
		return r.readIdentifier()
	case risk.SignalDialogTitle, risk.SignalDialogMessage:
		r.prepare(latinised)
		return r.readSentence()
	}
	r.prepare(latinised)
	reading := r.readLabel()
	if !latinised && !reading.Understood && looksLikeIdentifier(r.query.Text) {
		reading = combine(reading, r.readIdentifier())
	}
	return reading
}

// prepare makes the copy and cuts it up.
func (r *reader) prepare(latinised bool) {
	r.inName = false
	r.text.set(r.query.Text, latinised)
	r.segmentCopy()
	r.langs = r.languagesOfText()
}

// mayPoseAsLatin reports whether the text has letters that are not Latin but
// could be meant to be read as such.
func (r *reader) mayPoseAsLatin() bool {
	for _, c := range r.text.cells {
		if class := classOf(c.r); class == cyrillic || class == greek || class == otherSpaced {
			return true
		}
	}
	return false
}

// combine picks between the readings of one text by two layers: a risky one
// before one that is not, then the surer, then the worse. What only the other
// layer found is kept: that the words are understood, and what they are about.
func combine(a, b Reading) Reading {
	if beats(b, a) {
		a, b = b, a
	}
	a.Understood = a.Understood || b.Understood
	a.Permanent = a.Permanent || b.Permanent
	if !a.Topic.Risky() || a.Topic == risk.Unknown {
		a.Topic = b.Topic
	}
	for i := 0; i < b.N && a.N < len(a.Hits); i++ {
		a.Hits[a.N] = b.Hits[i]
		a.N++
	}
	return a
}

// sureEnough is the difference of scores below which the worse category wins.
const sureEnough = 0.15

func beats(a, b Reading) bool {
	if x, y := isRisky(a.Category), isRisky(b.Category); x != y {
		return x
	}
	if d := a.Score - b.Score; d > sureEnough || d < -sureEnough {
		return d > 0
	}
	if a.Category.Weight() != b.Category.Weight() {
		return a.Category.Weight() > b.Category.Weight()
	}
	return a.Score > b.Score
}

// isRisky reports a category that a term can speak for: Unknown is none.
func isRisky(c risk.Category) bool { return c.Risky() && c != risk.Unknown }

// languagesOf returns the languages of the lexicon that a BCP 47 tag stands
// for: "pt-BR" is met by pt-BR and by pt.
func (l *Lexicon) languagesOf(tag string) (set langSet) {
	if tag == "" {
		return set
	}
	for i := range l.langs {
		if sameLanguage(tag, l.langs[i].tag) {
			set.add(uint16(i))
		}
	}
	return set
}

func sameLanguage(tag, ours string) bool {
	if len(tag) < len(ours) || !strings.EqualFold(tag[:len(ours)], ours) {
		return false
	}
	return len(tag) == len(ours) || tag[len(ours)] == '-' || tag[len(ours)] == '_'
}

// languagesOfText returns the languages that have every known word of the
// text. One word alone proves nothing; nor do words that no one language has.
func (r *reader) languagesOfText() langSet {
	if !r.claimed.empty() {
		return r.claimed
	}
	var common langSet
	n := 0
	for _, s := range r.segs {
		if s.key == unknownWord || r.lex.keys[s.key].symbol {
			continue
		}
		if n++; n == 1 {
			common = r.lex.keys[s.key].langs
		} else {
			common = common.and(r.lex.keys[s.key].langs)
		}
	}
	if n < 2 {
		return langSet{}
	}
	return common
}
