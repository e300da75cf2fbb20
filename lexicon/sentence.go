package lexicon

import (
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// Scores of a sentence. What a dialog asks says more than what it tells.
const (
	scoreAsked = 0.9
	scoreTold  = 0.7
)

// readSentence reads the title or message of a dialog: what it is about, in
// whatever part of speech. The question in it counts before the rest, and the
// worst of what is equally good.
func (r *reader) readSentence() finding {
	f := nothing
	for start := 0; start < len(r.segs); {
		c := clause{start: start, end: r.clauseEnd(start)}
		asked := r.endsAsQuestion(c.end)
		for i := c.start; i < c.end; i++ {
			if part := r.readMention(&c, i, asked); isRisky(part.category) {
				f = better(f, part)
			}
		}
		start = c.end
	}
	f.understood = isRisky(f.category) || r.mostlyKnown()
	for i := range r.segs {
		if r.segs[i].kinds.has(permanent) && r.pick(i, permanent.set(), false) != nil {
			f.permanent = true
		}
	}
	return f
}

// readMention reads one segment of a sentence.
func (r *reader) readMention(c *clause, i int, asked bool) finding {
	if !r.segs[i].kinds.any(acting | answering) {
		return nothing
	}
	t := r.pick(i, acting, false)
	if t == nil {
		t = r.pick(i, setOf(verb, dismissal), false)
		if t == nil {
			return nothing
		}
		if o, _ := r.cancels(c, i, t); o == nil {
			return nothing
		}
	}
	if r.isNegatedAt(c.start, i) || r.isVetoed(c, i, t) {
		return nothing
	}
	f := r.found(c, i, action{t, Inside, scoreTold})
	if t.kind == verb || t.kind == dismissal {
		f.category, f.topic = risk.CancelService, risk.CancelService
		f.marks[0].category = risk.CancelService
	}
	switch {
	case asked:
		f.form, f.score = Question, scoreAsked
	case t.kind != noun && i == c.start:
		f.fit = Head
	default:
		f.form = Topic
	}
	return f
}

// isNegatedAt reports a negator before segment i in its clause.
func (r *reader) isNegatedAt(start, i int) bool {
	for at := start; at < i; at++ {
		if r.segs[at].kinds.has(negator) {
			return true
		}
	}
	return false
}

// endsAsQuestion reports whether a question mark follows the clause that ends
// before segment end, or a word that makes a question stands last in it.
func (r *reader) endsAsQuestion(end int) bool {
	if r.segs[end-1].kinds.has(question) {
		return true
	}
	from, to := int(r.segs[end-1].end), len(r.text.b)
	if end < len(r.segs) {
		to = int(r.segs[end].start)
	}
	for from < to {
		c, size := utf8.DecodeRune(r.text.b[from:to])
		if r.asks(c) {
			return true
		}
		from += size
	}
	return false
}
