package lexicon

import "github.com/countersign/countersign/risk"

// clause is the state of reading one clause of a label from left to right.
type clause struct {
	start, end int  // its segments
	open       bool // a verb may begin here
	does       int  // how many more segments may hold the noun that is done: "confirm the transfer"
	verbSeen   bool // a verb stood before: "save & send"
	negated    bool // by what stood before
}

// How far the noun may be from the verb that does it.
const (
	confirmReach = 3 // "confirm token transfer"
	doingReach   = 2 // "make a payment", "take video call"
)

// readClause reads the segments from start up to end.
func (r *reader) readClause(start, end int) finding {
	c := clause{start: start, end: end, open: true}
	f := nothing
	for i := start; i < end; i++ {
		s := &r.segs[i]
		if s.kinds == 0 && s.gap&joined == 0 { // a word that no term covers
			c.does--
			c.open = false
			continue
		}
		if i > start && (s.gap&joined != 0 || s.kinds.has(joiner)) {
			c.open = true
		}
		// A clause that is nothing but "No" answers; beside other words it negates.
		if s.kinds.has(negator) && !(end-start == 1 && r.allKinds(i).any(answering)) {
			if t := r.pick(i, negator.set(), false); t != nil {
				f = r.meetNegator(f, t)
				c.negated = true
				continue
			}
		}
		part := r.readSegment(&c, i)
		if c.negated && part.form != Plain {
			part = refuse(part)
		}
		f = better(f, part)
		c.move(s.kinds)
	}
	return f
}

// meetNegator is what was read so far once the negator t follows. Where the
// verb comes first it negates what follows it, else what precedes it.
func (r *reader) meetNegator(f finding, t *term) finding {
	if !r.lex.langs[t.language].order.isFirst() {
		f = refuse(f)
	}
	if !isRisky(f.category) {
		f.form = Negated
	}
	f.understood = true
	return f
}

// move updates the state behind a segment of those kinds.
func (c *clause) move(k kinds) {
	c.does--
	switch {
	case k.has(joiner):
		c.does++
	case k.has(affirmative) && c.open:
		c.does, c.verbSeen = confirmReach, true
	case k.has(doing) && c.open:
		c.does, c.open, c.verbSeen = doingReach, false, true
	case k.any(transparent) && c.open:
	case k.has(article):
		c.does++
		c.open = false
	default:
		c.verbSeen = c.verbSeen || k.any(verbs)
		c.open = false
	}
}

// readSegment reads segment i where it stands in its clause.
func (r *reader) readSegment(c *clause, i int) finding {
	k := r.segs[i].kinds
	whole := r.isWhole(i)
	if whole {
		k = r.allKinds(i)
	}
	switch {
	case k.any(acting) || k.has(parted):
		return r.readActing(c, i, whole)
	case k.any(telling):
		return r.readTelling(i, whole)
	case k.any(answering) && (c.open || r.isLastVerb(c, i)) && !c.negated:
		return r.readAnswer(c, i, whole)
	}
	return nothing
}

// readActing reads a segment with a term that can act.
func (r *reader) readActing(c *clause, i int, whole bool) finding {
	if a := r.acts(c, i, whole); a.term != nil && !r.isVetoed(c, i, a.term) {
		return r.found(c, i, a)
	}
	f := nothing
	t := r.pick(i, acting, whole)
	if t == nil || !isRisky(t.category) {
		return f
	}
	f.form, f.topic = Topic, t.category
	r.mark(&f, i, t)
	if r.isVetoed(c, i, t) {
		f.form, f.understood = Veto, true
	}
	return f
}

// readTelling reads a segment that is harmless or says what was done.
func (r *reader) readTelling(i int, whole bool) finding {
	f := nothing
	form := Veto
	t := r.pick(i, not.set(), whole)
	if t == nil {
		form, t = Status, r.pick(i, status.set(), whole)
	}
	if t != nil {
		f.form, f.topic, f.understood = form, t.category, true
		r.mark(&f, i, t)
	}
	return f
}

// readAnswer reads words such as OK and Cancel.
func (r *reader) readAnswer(c *clause, i int, whole bool) finding {
	f := nothing
	t := r.pick(i, answering, whole)
	if t == nil {
		return f
	}
	if o, at := r.cancels(c, i, t); o != nil {
		f = finding{category: risk.CancelService, topic: risk.CancelService, form: Act, fit: Head, score: scoreHead, understood: true}
		r.mark(&f, i, t)
		r.mark(&f, at, o)
		f.marks[0].category = risk.CancelService
		return f
	}
	if t = r.pick(i, setOf(affirmative, dismissal), whole); t == nil || c.verbSeen || !c.open {
		return f
	}
	// Without spaces a word that goes on is another word: 应用 is apply, 应用程序 an app.
	if t.kind == affirmative && i+1 < c.end && r.segs[i+1].gap&tight != 0 && !r.segs[i+1].kinds.any(acting) {
		return f
	}
	f.category, f.form, f.fit, f.score, f.understood = t.category, Act, Head, scoreHead, true
	if whole {
		f.fit, f.score = Whole, scoreWhole
	}
	r.mark(&f, i, t)
	return f
}

// cancels returns the service that the verb or dismissal t in segment i cancels.
func (r *reader) cancels(c *clause, i int, t *term) (*term, int) {
	if t.kind == affirmative || t.kind == dismissal && r.lex.langs[t.language].listsVerbs {
		return nil, 0
	}
	return r.objectNear(c, i, risk.CancelService)
}

// isLastVerb reports whether segment i ends its clause in a language that puts
// the verb there.
func (r *reader) isLastVerb(c *clause, i int) bool {
	if i != c.end-1 {
		return false
	}
	t := r.pick(i, answering, false)
	return t != nil && !r.lex.langs[t.language].order.isFirst()
}

// isWhole reports whether segment i is all that the label says, besides words
// that change nothing.
func (r *reader) isWhole(i int) bool {
	if r.trailing&hash != 0 {
		return false // "Block #": the number of a block
	}
	for at := range r.segs {
		if at != i && !(at < i && r.segs[at].kinds.any(transparent)) {
			return false
		}
	}
	return true
}

// mark notes segment i as evidence.
func (r *reader) mark(f *finding, i int, t *term) {
	if int(f.n) == len(f.marks) {
		return
	}
	from, to := r.text.span(int(r.segs[i].start), int(r.segs[i].end))
	f.marks[f.n] = mark{term: t, key: r.segs[i].key, from: from, to: to, category: t.category, inName: r.inName}
	f.n++
}
