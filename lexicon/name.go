package lexicon

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// Scores of a developer's name: it is not what the user reads.
const (
	scoreWords = 0.9 // the name says nothing else
	scoreAmong = 0.7 // a word among others
)

// readName reads the query's text as a developer's name for a control.
func (r *reader) readName() finding {
	r.inName = true
	r.text.setIdentifier(r.query.Text)
	r.segmentCopy()
	r.keepLastName()
	r.langs = langSet{}
	r.assignKinds()
	f := nothing
	if i := r.findRefusal(); i >= 0 {
		return r.refusalIn(i)
	}
	content := r.countContent()
	for i := range r.segs {
		if t := r.pickName(i); t != nil {
			f = better(f, r.nameActs(i, t, content))
		}
	}
	if isRisky(f.category) {
		if content == 1 {
			f.fit, f.score = Whole, scoreWords
		}
		return f
	}
	return r.assentIn(f)
}

// keepLastName keeps only what follows the last dot or slash, where that says
// anything: what stands before is where the control lives.
func (r *reader) keepLastName() {
	if !strings.ContainsAny(r.query.Text, "./") {
		return
	}
	for i := len(r.segs) - 1; i > 0; i-- {
		if r.isContent(i) && r.followsDot(i) {
			r.segs = r.segs[i:]
			return
		}
	}
}

// followsDot reports whether a dot or slash stands between segment i and the
// one before it in the original.
func (r *reader) followsDot(i int) bool {
	from, _ := r.text.span(int(r.segs[i].start), int(r.segs[i].end))
	_, to := r.text.span(int(r.segs[i-1].start), int(r.segs[i-1].end))
	return strings.ContainsAny(cutRunes(r.query.Text, int(to), int(from)), "./")
}

// isContent reports whether segment i says something about what is done.
func (r *reader) isContent(i int) bool {
	if r.segs[i].number {
		return false
	}
	k := r.allKinds(i)
	return k == 0 || k.any(saying) || !k.any(scaffolding)
}

var (
	saying      = acting | setOf(dismissal, part, detail)                            // content whatever else it is
	scaffolding = setOf(neutral, pressed, article, lead, joiner, affirmative, doing) // else no content
)

func (r *reader) countContent() int {
	n := 0
	for i := range r.segs {
		if r.isContent(i) {
			n++
		}
	}
	return n
}

// findRefusal returns the segment that refuses or closes: a dismissal, or a
// negation right before a risky word. -1 means that there is none.
func (r *reader) findRefusal() int {
	for i := range r.segs {
		k := r.segs[i].kinds
		if k.has(dismissal) || k.has(negator) && i+1 < len(r.segs) && r.segs[i+1].kinds.any(acting) {
			return i
		}
	}
	return -1
}

// pickName returns the term of segment i that may act in a name. Developers
// name things in English: a word that English has means what it means there,
// and short words of other languages mean nothing among abbreviations.
func (r *reader) pickName(i int) *term {
	t := r.pick(i, acting, false)
	if t == nil || !isRisky(t.category) || r.segs[i].kinds.has(not) {
		return nil
	}
	if l := &r.lex.langs[t.language]; l.tag == english || l.names {
		return t
	}
	if r.segs[i].end-r.segs[i].start < 4 {
		return nil
	}
	inEnglish, best := false, (*term)(nil)
	terms := r.lex.sense(r.segs[i].key).terms
	for n := range terms {
		e := &terms[n]
		if r.lex.langs[e.language].tag != english {
			continue
		}
		inEnglish = true
		if acting.has(e.kind) && isRisky(e.category) && (best == nil || e.category.Weight() > best.category.Weight()) {
			best = e
		}
	}
	if inEnglish {
		return best
	}
	return t
}

// nameActs reads segment i, the risky word t, in a name with that many words of
// content.
func (r *reader) nameActs(i int, t *term, content int) finding {
	c := clause{start: 0, end: len(r.segs)}
	if r.standsAsVerb(i, t, content) && !r.isVetoed(&c, i, t) {
		return r.found(&c, i, action{t, Inside, scoreAmong})
	}
	f := nothing
	f.topic, f.form = t.category, Topic
	r.mark(&f, i, t)
	return f
}

// wordyName is the number of words of content from which a name tells a story
// rather than says what is pressed.
const wordyName = 4

// standsAsVerb reports whether the place of a risky word in a name is that of
// what the control does. A verb stands first or last of the words that matter,
// or anywhere in the name of a button; a word that may be a noun has to be all
// there is; a noun follows what does it.
func (r *reader) standsAsVerb(i int, t *term, content int) bool {
	button := r.findKind(pressed.set()) >= 0
	before, done := false, false
	for at := range i {
		k := r.segs[at].kinds
		switch {
		case k.any(setOf(affirmative, doing)):
			done = true
		case k.has(part) && !button:
			return false
		case r.isContent(at) && !r.sameTopic(at, t.category):
			before = true
		}
	}
	after := false
	for at := i + 1; at < len(r.segs); at++ {
		if k := r.segs[at].kinds; !button && r.belittles(k, t) {
			return false
		}
		after = after || r.isContent(at)
	}
	switch {
	case t.kind == noun:
		return done && !after
	case t.kind == bare:
		return !before && !after
	case t.kind == opens: // such words name fields as well
		return button && !before && !after
	case t.kind == dual:
		return !before && (!after || button) || done && !after
	}
	return button || !before && content < wordyName || !after && !(i > 0 && r.segs[i-1].kinds.has(article))
}

// belittles reports whether a later word of a name makes it that of a part
// rather than of the thing that acts: "send_to_label".
func (r *reader) belittles(k kinds, t *term) bool {
	switch {
	case k.any(setOf(part, status, result)):
		return true
	case k.has(detail):
		return t.category != risk.Delete && t.category != risk.Share && t.category != risk.BlockReport
	}
	return k.has(suffix) && t.kind != act
}

// sameTopic reports whether segment at is a noun of the category: the
// "permission" of "permission_allow_button".
func (r *reader) sameTopic(at int, category risk.Category) bool {
	t := r.pick(at, noun.set(), false)
	return t != nil && t.category == category
}

// findKind returns the first segment with one of the kinds, -1 for none.
func (r *reader) findKind(want kinds) int {
	for i := range r.segs {
		if r.segs[i].kinds.any(want) {
			return i
		}
	}
	return -1
}

// refusalIn reads a name that refuses or closes, as segment i says.
func (r *reader) refusalIn(i int) finding {
	f := finding{category: risk.Dismissal, topic: risk.None, form: Act, fit: Inside, score: scoreAmong, understood: true}
	t := r.pick(i, setOf(verb, dismissal), false)
	if t == nil {
		f.form = Negated
		return f
	}
	r.mark(&f, i, t)
	c := clause{start: 0, end: len(r.segs)}
	if o, at := r.cancels(&c, i, t); o != nil {
		f.category, f.topic = risk.CancelService, risk.CancelService
		f.marks[0].category = risk.CancelService
		r.mark(&f, at, o)
	}
	return f
}

// assentIn reads a name without a risky word that acts.
func (r *reader) assentIn(f finding) finding {
	f.understood = f.form == Plain && r.mostlyKnown()
	i := r.findKind(affirmative.set())
	if i < 0 || r.findKind(part.set()) >= 0 {
		return f
	}
	if t := r.pick(i, affirmative.set(), false); t != nil {
		f = finding{category: risk.Affirmative, topic: f.topic, form: Act, fit: Inside, score: scoreAmong, understood: true}
		r.mark(&f, i, t)
	}
	return f
}
