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

// fires is what a segment says when it acts.
type fires struct {
	term  *term
	form  Form
	fit   Fit
	score float32
}

// readClause reads the segments from start up to end.
func (r *reader) readClause(start, end int) Reading {
	c := clause{start: start, end: end, open: true}
	reading := Reading{Category: risk.None, Topic: risk.None}
	for i := start; i < end; i++ {
		if i > start && (r.segs[i].gap&joined != 0 || r.kindsOf(i).has(joiner)) {
			c.open = true
		}
		if t := r.pick(i, negator.set(), false); t != nil {
			if r.lex.langs[t.language].order != verbFirst {
				reading = negate(reading)
			}
			reading.Form, reading.Understood, c.negated = laterForm(reading, Negated), true, true
			continue
		}
		part := r.readSegment(&c, i)
		if c.negated && part.Form != Plain {
			part = negate(part)
		}
		reading = r.better(reading, part)
		r.move(&c, i)
	}
	return reading
}

// laterForm is the form of a reading that meets another form further on: what
// acts keeps acting.
func laterForm(reading Reading, form Form) Form {
	if isRisky(reading.Category) {
		return reading.Form
	}
	return form
}

// negate turns what is done into what is not done.
func negate(reading Reading) Reading {
	if reading.Category != risk.Dismissal {
		reading.Category = risk.None
	}
	reading.Form, reading.Understood, reading.Score = Negated, true, scoreKnown
	return reading
}

// move updates the state after segment i.
func (r *reader) move(c *clause, i int) {
	k := r.kindsOf(i)
	c.does--
	switch {
	case k.has(joiner):
		c.does++
	case k.has(affirmative) && c.open:
		c.does, c.verbSeen = confirmReach, true
	case k.has(doing) && c.open:
		c.does, c.open, c.verbSeen = doingReach, false, true
	case k.any(setOf(lead, permanent)) && c.open:
	case k.has(article):
		c.does++
		c.open = false
	default:
		c.verbSeen = c.verbSeen || k.any(setOf(act, dual, opens, dismissal, verb, known))
		c.open = false
	}
}

// readSegment reads segment i where it stands in its clause.
func (r *reader) readSegment(c *clause, i int) Reading {
	k := r.kindsOf(i)
	reading := Reading{Category: risk.None, Topic: risk.None}
	whole := r.isWhole(i)
	if f := r.firing(c, i, whole); f.term != nil && !r.isVetoed(c, i, f.term) {
		reading = r.acts(c, i, f)
	} else if t := r.pick(i, acting, whole); t != nil && isRisky(t.category) {
		reading.Form, reading.Topic = Topic, t.category
		r.addHit(&reading, i, t)
		if r.isVetoed(c, i, t) {
			reading.Form, reading.Understood = Veto, true
		}
	}
	if k.any(acting) {
		return reading
	}
	for _, plain := range [...]struct {
		kind kind
		form Form
	}{{not, Veto}, {status, Status}} {
		if t := r.pick(i, plain.kind.set(), whole); t != nil {
			reading.Form, reading.Topic, reading.Understood = plain.form, t.category, true
			r.addHit(&reading, i, t)
			return reading
		}
	}
	return r.readAnswer(c, i, reading)
}

// readAnswer reads words such as OK and Cancel.
func (r *reader) readAnswer(c *clause, i int, reading Reading) Reading {
	if !c.open || c.negated {
		return reading
	}
	t := r.pick(i, setOf(affirmative, dismissal, verb), r.isWhole(i))
	if t == nil {
		return reading
	}
	if t.kind != affirmative {
		if o, at := r.cancels(c, i, t); o != nil {
			reading = Reading{Category: risk.CancelService, Topic: risk.CancelService, Form: Act, Fit: Head, Score: scoreHead, Understood: true}
			r.addHit(&reading, i, t)
			r.addHit(&reading, at, o)
			reading.Hits[0].Category = risk.CancelService
			return reading
		}
	}
	if t = r.pick(i, setOf(affirmative, dismissal), r.isWhole(i)); t == nil || c.verbSeen {
		return reading
	}
	reading.Category, reading.Form, reading.Fit, reading.Score = t.category, Act, Head, scoreHead
	reading.Understood = true
	if r.isWhole(i) {
		reading.Fit, reading.Score = Whole, scoreWhole
	}
	r.addHit(&reading, i, t)
	return reading
}

// cancels returns the service that a verb or dismissal in segment i cancels.
func (r *reader) cancels(c *clause, i int, t *term) (*term, int) {
	if t.kind != verb && r.lex.langs[t.language].listsVerbs {
		return nil, 0
	}
	return r.objectNear(c, i, risk.CancelService)
}

// firing returns the term of segment i that acts where it stands, if one does.
func (r *reader) firing(c *clause, i int, whole bool) fires {
	if whole {
		// A word that opens as a whole label may act at the head of a longer one.
		if t := r.pick(i, opens.set(), true); t != nil {
			return fires{t, Act, Whole, scoreOpens}
		}
		if t := r.pick(i, setOf(act, dual, bare), true); t != nil {
			return fires{t, Act, Whole, scoreWhole}
		}
	}
	if c.open && !whole {
		if t := r.pick(i, act.set(), false); t != nil {
			return fires{t, Act, Head, scoreHead}
		}
		if t := r.pick(i, opens.set(), false); t != nil {
			return fires{t, Act, Head, scoreOpens}
		}
		if t := r.pick(i, dual.set(), false); t != nil && (r.hasObject(c, i) || i > c.start && c.verbSeen) {
			return fires{t, Act, Head, scoreObject}
		}
	}
	if c.does > 0 && i == c.end-1 {
		if t := r.pick(i, setOf(act, dual, noun), false); t != nil && isRisky(t.category) {
			return fires{t, Act, Head, scoreObject}
		}
	}
	if i == c.end-1 && i > c.start {
		return r.firingLast(c, i)
	}
	return fires{}
}

// firingLast is firing for the last segment of a clause that is more than it.
func (r *reader) firingLast(c *clause, i int) fires {
	t := r.pick(i, act.set(), false)
	switch {
	case t == nil:
		return fires{}
	case r.lex.langs[t.language].order != verbFirst:
		return fires{t, Act, Tail, scoreTail}
	case isButton(r.query.Role) && r.countWords() <= rowWords, r.followsForeignName(c, i):
		return fires{t, Act, Tail, scoreGuess}
	}
	return fires{}
}

// followsForeignName reports whether all that stands before segment i is words
// in another script: a name that no term can tell, as in "검은사막 Install".
func (r *reader) followsForeignName(c *clause, i int) bool {
	script := classAt(r.text.b, int(r.segs[i].start))
	for at := c.start; at < i; at++ {
		class := classAt(r.text.b, int(r.segs[at].start))
		if r.segs[at].key != unknownWord || class == script {
			return false
		}
	}
	return true
}

// acts makes the reading of a term that acts, with the nouns that change it.
func (r *reader) acts(c *clause, i int, f fires) Reading {
	reading := Reading{Category: f.term.category, Topic: f.term.category, Form: f.form, Fit: f.fit, Score: f.score, Understood: true, Opens: f.term.kind == opens}
	r.addHit(&reading, i, f.term)
	for _, to := range changedBy(f.term.category) {
		if o, at := r.objectNear(c, i, to); o != nil {
			reading.Category, reading.Topic = to, to
			reading.Hits[0].Category = to
			r.addHit(&reading, at, o)
			break
		}
	}
	for at := c.start; at < c.end; at++ {
		if t := r.pick(at, permanent.set(), false); t != nil && at != i {
			reading.Permanent = true
			r.addHit(&reading, at, t)
			break
		}
	}
	if r.endsInEllipsis() && f.fit == Whole {
		reading.Score = scoreGuess // opens something, or is under way
	}
	return reading
}

// changedBy returns the categories whose objects change an act: to delete an
// account is more than to delete, to send money more than to send.
func changedBy(c risk.Category) []risk.Category {
	switch c {
	case risk.Delete:
		return deleteObjects[:]
	case risk.Message:
		return sendObjects[:]
	case risk.CancelService:
		return deleteObjects[:1]
	}
	return nil
}

var (
	deleteObjects = [...]risk.Category{risk.Account, risk.Uninstall, risk.Device}
	sendObjects   = [...]risk.Category{risk.Money}
)

// objectNear returns the object of a category nearest to segment i within the
// clause, and where it stands.
func (r *reader) objectNear(c *clause, i int, category risk.Category) (*term, int) {
	for d := 1; d <= objectReach; d++ {
		for _, at := range [...]int{i + d, i - d} {
			if at < c.start || at >= c.end || !r.kindsOf(at).has(object) || r.modifies(c, at) {
				continue
			}
			for k := range r.lex.termsOf(r.segs[at].key) {
				if t := &r.lex.termsOf(r.segs[at].key)[k]; t.kind == object && t.category == category {
					return t, at
				}
			}
		}
	}
	return nil, 0
}

// modifies reports whether a noun only describes the one after it: to delete
// the account data is not to delete the account.
func (r *reader) modifies(c *clause, at int) bool {
	next := at + 1
	return next < c.end && r.segs[next].gap == 0 && r.segs[next].key != unknownWord &&
		!r.kindsOf(next).any(setOf(act, dual, article, permanent, joiner, lead, negator, object, neutral, pressed))
}

// hasObject reports whether a word that may be a noun is followed by something
// it can act on.
func (r *reader) hasObject(c *clause, i int) bool {
	next := i + 1
	if next >= c.end || r.segs[next].gap&hash != 0 || r.isStatement() && !r.inName {
		return false
	}
	if k := r.kindsOf(next); k.has(joiner) || r.segs[next].gap&joined != 0 { // "block and report"
		if k.has(joiner) {
			next++
		}
		return next < c.end && r.kindsOf(next).any(setOf(act, dual, affirmative, dismissal, verb))
	}
	return !r.kindsOf(next).any(outcomes|suffix.set()) && !r.kindsOf(c.end-1).any(outcomes|suffix.set())
}

// outcomes are the kinds that tell of something done rather than do it.
var outcomes = setOf(status, result)

// isVetoed reports whether the words around segment i take the action away.
func (r *reader) isVetoed(c *clause, i int, t *term) bool {
	if i > c.start && r.affixed(i-1, i, prefix, t.kind) {
		return true
	}
	if i+1 >= c.end {
		return false
	}
	if r.affixed(i+1, i+1, suffix, t.kind) || r.kindsOf(i+1).has(result) {
		return true
	}
	last := r.kindsOf(c.end - 1)
	// "Share deleted" tells, "Delete downloaded" does.
	return last.has(result) || last.has(status) && t.category != risk.Delete && !last.any(acting)
}

// affixed reports whether segment at is an affix of the kind that belongs to
// its neighbour; gapAt is the later of the two.
func (r *reader) affixed(at, gapAt int, affix kind, k kind) bool {
	if !r.kindsOf(at).has(affix) {
		return false
	}
	for _, t := range r.lex.termsOf(r.segs[at].key) {
		switch {
		case t.kind != affix:
		case t.attached && r.segs[gapAt].gap&tight != 0:
			return true
		case !t.attached && (affix == prefix || k != act):
			return true
		}
	}
	return false
}

// isWhole reports whether segment i is all that the label says, besides words
// that change nothing.
func (r *reader) isWhole(i int) bool {
	if r.trailing&hash != 0 {
		return false // "Block #": the number of a block
	}
	for at := range r.segs {
		if at != i && !(r.kindsOf(at).any(setOf(lead, permanent)) && at < i) {
			return false
		}
	}
	return true
}

// isStatement reports a text that ends in a full stop, as sentences do and
// names of commands do not.
func (r *reader) isStatement() bool {
	n := len(r.text.b)
	return n > 1 && r.text.b[n-1] == '.' && r.text.b[n-2] != '.'
}

// endsInEllipsis reports a trailing "…".
func (r *reader) endsInEllipsis() bool {
	n := len(r.text.b)
	return n > 3 && string(r.text.b[n-3:]) == "..."
}

// pick returns the term of segment i that is one of want and may be read in
// this text, the worst of several. Whole labels are read in every language.
func (r *reader) pick(i int, want kinds, whole bool) *term {
	s := r.segs[i]
	if !r.kindsOf(i).any(want) {
		return nil
	}
	k := &r.lex.keys[s.key]
	langs := r.langs.and(k.langs)
	var best *term
	for n := k.first; n < k.end; n++ {
		t := &r.lex.terms[n]
		if !want.has(t.kind) || !whole && !langs.empty() && !langs.has(t.language) {
			continue
		}
		if !r.inName && r.lex.langs[t.language].names {
			continue
		}
		if k.short && !r.shortWordCounts(t, k, whole) {
			continue
		}
		if best == nil || t.category.Weight() > best.category.Weight() {
			best = t
		}
	}
	return best
}

// shortWordCounts reports whether a word of up to three Latin letters may be
// read in the language of t: every language has such words, and they mean
// something else in each. English ones are read everywhere, as apps mix it in,
// but where the language of the text has the word itself that one decides.
func (r *reader) shortWordCounts(t *term, k *keyed, whole bool) bool {
	if !r.langs.empty() && r.langs.has(t.language) {
		return true
	}
	ours := !r.claimed.empty() && !r.claimed.and(k.langs).empty()
	return !ours && (whole || r.readsShort(t))
}

// readsShort reports the languages whose short words count among others.
func (r *reader) readsShort(t *term) bool {
	l := &r.lex.langs[t.language]
	return l.tag == "en" || l.names && r.inName
}

// addHit notes segment i as evidence.
func (r *reader) addHit(reading *Reading, i int, t *term) {
	if reading.N == len(reading.Hits) {
		return
	}
	from, to := r.text.span(int(r.segs[i].start), int(r.segs[i].end))
	reading.Hits[reading.N] = Hit{Start: from, End: to, Term: t.text, Language: r.lex.langs[t.language].tag,
		Layer: risk.LayerTerm, Category: t.category}
	reading.N++
}
