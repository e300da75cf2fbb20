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
	tokens   []token
	matches  []match
	order    []uint64 // scratch of chooseLongest
	segs     []segment
	taken    bitSet
	trailing gap    // what stands after the last segment
	manner   manner // in which the copy was made
	features featureSet

	claimed langSet // the languages that the query's tag names; empty for none of ours
	langs   langSet // the languages the text is in, as far as that is known
	inName  bool    // reading a developer's name
	words   float32 // of all segments
}

// Read works out what a text means. It does not allocate.
func (l *Lexicon) Read(q Query) Reading {
	r := l.scratch.Get().(*reader)
	r.lex, r.query = l, q
	r.claimed = l.languagesOf(q.Language)
	f := r.read(asWritten)
	f = r.readDisguised(f)
	if r.mayGuess(&f) {
		f = combine(f, r.guess())
	}
	r.query = Query{} // keep no caller's text
	reading := l.reading(&f)
	l.scratch.Put(r)
	return reading
}

// readDisguised reads the text again where there is a sign that it is meant to
// be seen as something else than its letters say.
func (r *reader) readDisguised(f finding) finding {
	if r.inName {
		return f
	}
	some, ones := r.text.mayHoldDigits()
	overridden := r.text.overridden
	if !f.understood && f.form == Plain && r.text.mayPoseAsLatin() {
		f = combine(f, r.read(inLatin))
	}
	if overridden {
		f = combine(f, r.read(asShown))
	}
	if some && !isRisky(f.category) && (f.form == Plain || f.form == Topic) {
		if g := r.read(digitsAsL); isRisky(g.category) {
			return combine(f, g)
		}
		if ones {
			if g := r.read(digitsAsI); isRisky(g.category) {
				return combine(f, g)
			}
		}
	}
	return f
}

// read reads the query's text as what it is: a name, a sentence or a label.
func (r *reader) read(m manner) finding {
	switch r.query.Signal {
	case risk.SignalResourceID, risk.SignalChildID, risk.SignalAncestorID:
		return r.readName()
	case risk.SignalDialogTitle, risk.SignalDialogMessage:
		r.prepare(m)
		return r.readSentence()
	}
	r.prepare(m)
	f := r.readLabel()
	if m == asWritten && !f.understood && looksLikeIdentifier(r.query.Text) {
		f = combine(f, r.readName())
	}
	return f
}

// prepare makes the copy, cuts it up and finds out its language.
func (r *reader) prepare(m manner) {
	r.inName = false
	r.manner = m
	r.text.setAs(r.query.Text, m)
	r.segmentCopy()
	r.langs = r.languagesOfText()
	r.assignKinds()
}

// assignKinds notes for each segment the kinds of its terms, of those languages
// only that the text may be in.
func (r *reader) assignKinds() {
	r.words = 0
	for i := range r.segs {
		s := &r.segs[i]
		if s.key == unknownWord {
			r.words += s.words
			continue
		}
		k := r.lex.sense(s.key)
		if !k.kinds.any(setOf(article, joiner)) {
			r.words += min(s.words, 1) // a term is one word, however many it is written with
		}
		switch langs := r.langs.and(k.langs); {
		case r.inName:
			s.kinds = k.nameKinds
		case langs.empty() || langs == k.langs:
			s.kinds = k.kinds
		default:
			for _, t := range k.terms {
				if langs.has(t.language) {
					s.kinds |= t.kind.set()
				}
			}
		}
	}
}

// languagesOf returns the languages of the lexicon that a BCP 47 tag stands
// for: "pt-BR" is met by pt-BR and by pt.
func (l *Lexicon) languagesOf(tag string) (set langSet) {
	if tag == "" {
		return set
	}
	tag = written(tag)
	for i := range l.langs {
		if sameLanguage(tag, l.langs[i].tag) {
			set.add(uint16(i))
		}
	}
	return set
}

// sameLanguage reports whether a tag as our files have it is met by one of them.
func sameLanguage(tag, ours string) bool {
	if len(tag) < len(ours) || tag[0]|0x20 != ours[0] || !strings.EqualFold(tag[:len(ours)], ours) {
		return false
	}
	return len(tag) == len(ours) || tag[len(ours)] == '-' || tag[len(ours)] == '_'
}

// written maps the tags that devices use to the ones our files have: Chinese by
// where it is spoken, and the codes that ISO 639 has replaced.
func written(tag string) string {
	base, region, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	switch strings.ToLower(base) {
	case "zh":
		switch strings.ToUpper(region) {
		case "", "CN", "SG":
			return "zh-Hans"
		case "TW", "HK", "MO":
			return "zh-Hant"
		}
	case "no", "nn":
		return "nb"
	case "tl":
		return "fil"
	case "iw":
		return "he"
	case "in":
		return "id"
	}
	return tag
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
		if s.key == unknownWord || r.lex.sense(s.key).looks&symbol != 0 {
			continue
		}
		if n++; n == 1 {
			common = r.lex.sense(s.key).langs
		} else {
			common = common.and(r.lex.sense(s.key).langs)
		}
	}
	if n < 2 {
		return langSet{}
	}
	return common
}
