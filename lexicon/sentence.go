package lexicon

import "github.com/countersign/countersign/risk"

// Scores of a sentence. What a dialog asks says more than what it tells.
const (
	scoreAsked = 0.9
	scoreTold  = 0.75
)

// readSentence reads the title or message of a dialog: what it is about, in
// whatever part of speech. The question in it counts before the rest, and the
// worst of what is equally good.
func (r *reader) readSentence() Reading {
	reading := Reading{Category: risk.None, Topic: risk.None}
	for start := 0; start < len(r.segs); {
		end := start + 1
		for end < len(r.segs) && r.segs[end].gap&clauseBreak == 0 {
			end++
		}
		asked := r.endsAsQuestion(end)
		for i := start; i < end; i++ {
			if part := r.readMention(start, end, i, asked); isRisky(part.Category) {
				reading = r.better(reading, part)
			}
		}
		start = end
	}
	reading.Understood = isRisky(reading.Category) || r.mostlyKnown()
	for i := range r.segs {
		if t := r.pick(i, permanent.set(), false); t != nil {
			reading.Permanent = true
		}
	}
	return reading
}

// readMention reads one segment of a sentence that stands in a clause from
// start to end.
func (r *reader) readMention(start, end, i int, asked bool) Reading {
	reading := Reading{Category: risk.None, Topic: risk.None}
	c := clause{start: start, end: end}
	t := r.pick(i, acting, false)
	if t == nil {
		if t = r.pick(i, setOf(verb, dismissal), false); t == nil {
			return reading
		}
		if o, _ := r.cancels(&c, i, t); o == nil {
			return reading
		}
	}
	if r.isNegatedAt(start, i) || r.isVetoed(&c, i, t) {
		return reading
	}
	f := fires{term: t, form: Topic, fit: Inside, score: scoreTold}
	if t.kind != noun && i == start {
		f.form, f.fit = Act, Head
	}
	if asked {
		f.form, f.score = Question, scoreAsked
	}
	reading = r.acts(&c, i, f)
	if t.kind == verb || t.kind == dismissal {
		reading.Category, reading.Topic = risk.CancelService, risk.CancelService
		reading.Hits[0].Category = risk.CancelService
	}
	return reading
}

// isNegatedAt reports a negator before segment i in its clause.
func (r *reader) isNegatedAt(start, i int) bool {
	for at := start; at < i; at++ {
		if r.kindsOf(at).has(negator) {
			return true
		}
	}
	return false
}

// endsAsQuestion reports whether a question mark follows the clause that ends
// before segment end.
func (r *reader) endsAsQuestion(end int) bool {
	from, to := r.segs[end-1].end, int32(len(r.text.b))
	if end < len(r.segs) {
		to = r.segs[end].start
	}
	for _, c := range string(r.text.b[from:to]) {
		switch c {
		case '?', '؟', '⸮', '՞', '፧':
			return true
		case ';':
			return r.hasGreek()
		}
	}
	return false
}
