package lexicon

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// action is a term that acts, and how it stands.
type action struct {
	term  *term
	fit   Fit
	score float32
}

// acts returns the term of segment i that acts where it stands, if one does.
func (r *reader) acts(c *clause, i int, whole bool) action {
	if whole {
		// A word that opens as a whole label may act at the head of a longer one.
		if t := r.pick(i, opens.set(), true); t != nil {
			return action{t, Whole, scoreOpens}
		}
		if t := r.pick(i, setOf(act, dual, bare), true); t != nil {
			return action{t, Whole, scoreWhole}
		}
	}
	// "90 Likes. Like": a clause of its own on a button says what it does.
	if !whole && c.end-c.start == 1 && isButton(r.query.Role) && !r.isLong() {
		if t := r.pick(i, setOf(act, dual, bare), false); t != nil {
			return action{t, Tail, scoreGuess}
		}
	}
	if c.open && !whole {
		if t := r.pick(i, act.set(), false); t != nil {
			return action{t, Head, scoreHead}
		}
		if t := r.partedAt(c, i); t != nil {
			return action{t, Head, scoreHead}
		}
		if t := r.pick(i, opens.set(), false); t != nil && (r.segs[i].words > 1 || r.hasObject(c, i)) {
			return action{t, Head, scoreOpens}
		}
		if t := r.pick(i, dual.set(), false); t != nil && (r.hasObject(c, i) || i > c.start && c.verbSeen) {
			return action{t, Head, scoreObject}
		}
	}
	if i > c.start && !c.open && !c.verbSeen {
		if t := r.pick(i, act.set(), false); t != nil && r.followsName(c, i, t) {
			return action{t, Inside, scoreGuess}
		}
	}
	if i != c.end-1 {
		return action{}
	}
	if c.does > 0 {
		if t := r.pick(i, setOf(act, dual, noun), false); t != nil && isRisky(t.category) {
			return action{t, Head, scoreObject}
		}
	}
	if i > c.start {
		return r.actsLast(i)
	}
	return action{}
}

// partedAt returns the act in two parts whose first one is segment i, if the
// second one stands further on in the clause: "Ruf Mama an".
func (r *reader) partedAt(c *clause, i int) *term {
	if !r.segs[i].kinds.has(parted) {
		return nil
	}
	k := r.lex.sense(r.segs[i].key)
	langs := r.langs.and(k.langs)
	for n := range k.terms {
		t := &k.terms[n]
		if t.kind != parted || !langs.empty() && !langs.has(t.language) {
			continue
		}
		for _, s := range r.segs[min(i+2, c.end):c.end] {
			if string(r.text.b[s.start:s.end]) == t.tail {
				return t
			}
		}
	}
	return nil
}

// actsLast is acts for the last segment of a clause that is more than it.
func (r *reader) actsLast(i int) action {
	t := r.pick(i, setOf(act, opens), false)
	if t != nil && t.kind == opens && r.segs[i].words < 1.5 {
		t = nil // a noun behind others: "new comment"
	}
	if t == nil && (r.segs[i-1].kinds.has(article) || r.endsInParticle(i-1)) {
		// A particle makes a verb of a noun where the verb stands last: 写真として共有,
		// 카드로 결제.
		if t = r.pick(i, setOf(dual, bare), false); t != nil && r.lex.langs[t.language].order.isFirst() {
			t = nil
		}
	}
	switch {
	case t == nil, r.lex.langs[t.language].order == verbHead:
		return action{}
	case r.lex.langs[t.language].order == verbFirst && !(isButton(r.query.Role) && r.words <= rowWords && t.kind == act):
		return action{}
	case t.kind == opens:
		return action{t, Tail, scoreOpens}
	case r.lex.langs[t.language].order == verbFirst:
		return action{t, Tail, scoreGuess}
	}
	return action{t, Tail, scoreTail}
}

// endsInParticle reports whether the word of segment i has one of the Korean
// particles of object, place and means written onto it: 을, 를, 에, 에게, 에서, 로.
// The word before 로 has two syllables or more: 새로 is "newly".
func (r *reader) endsInParticle(i int) bool {
	word := r.text.b[r.segs[i].start:r.segs[i].end]
	if len(word) < 6 {
		return false
	}
	switch string(word[len(word)-3:]) {
	case "을", "를", "에", "게":
		return true
	case "로":
		return len(word) >= 9
	case "서":
		return len(word) >= 9 && string(word[len(word)-6:len(word)-3]) == "에"
	}
	return false
}

// followsName reports whether what stands before segment i is a name, as in
// "검은사막 Install": a word or two that no term covers, in another script than
// t or in a language that we know the everyday words of. On a button the name
// of an app may be longer and hold a word or two that we know.
func (r *reader) followsName(c *clause, i int, t *term) bool {
	script := classAt(r.text.b, int(r.segs[i].start))
	inEnglish := r.lex.langs[t.language].tag == english
	var words, common float32
	for at := c.start; at < i; at++ {
		s := &r.segs[at]
		words += s.words
		if s.key != unknownWord || !inEnglish && classAt(r.text.b, int(s.start)) == script {
			common += s.words
		}
	}
	if common == 0 && words <= 2 {
		return true
	}
	return isButton(r.query.Role) && i == c.end-1 && words <= nameWords && common*2 <= words
}

// nameWords is how many words the name of an app may have.
const nameWords = 8

// found makes the finding of a term that acts, with the nouns that change it.
func (r *reader) found(c *clause, i int, a action) finding {
	f := finding{category: a.term.category, topic: a.term.category, form: Act, fit: a.fit, score: a.score,
		understood: true, opens: a.term.kind == opens, loose: a.term.kind == dual || a.term.kind == bare}
	r.mark(&f, i, a.term)
	for _, to := range changedBy(a.term.category) {
		if o, at := r.objectNear(c, i, to); o != nil {
			f.category, f.topic = to, to
			f.marks[0].category = to
			r.mark(&f, at, o)
			break
		}
	}
	if f.category == risk.Message && r.namesSum() {
		f.category, f.topic = risk.Money, risk.Money
		f.marks[0].category = risk.Money
	}
	for at := c.start; at < c.end; at++ {
		if at == i || !r.segs[at].kinds.has(permanent) {
			continue
		}
		if t := r.pick(at, permanent.set(), false); t != nil {
			f.permanent = true
			r.mark(&f, at, t)
			break
		}
	}
	if a.fit == Whole && r.endsInEllipsis() {
		f.score = scoreGuess // opens something, or is under way
	}
	return f
}

// namesSum reports a currency sign beside a number: to send $50 is to pay. The
// one in "%1$s", where a programmer's number goes, is none.
func (r *reader) namesSum() bool {
	b := r.text.b
	for i := 0; i < len(b); {
		c, size := utf8.DecodeRune(b[i:])
		end := i + size
		if c == '$' || c >= 0xA2 && classOf(c) == notWord && unicode.Is(unicode.Sc, c) {
			before, after := bytes.TrimRight(b[:i], " "), bytes.TrimLeft(b[end:], " ")
			if len(after) > 0 && isDigit(after[0]) ||
				len(before) > 0 && isDigit(before[len(before)-1]) && (end == len(b) || classAt(b, end) == notWord) {
				return true
			}
		}
		i = end
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

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

// objectReach is how many segments may lie between a verb and its object.
const objectReach = 3

// objectNear returns the object of a category nearest to segment i within the
// clause, and where it stands.
func (r *reader) objectNear(c *clause, i int, category risk.Category) (*term, int) {
	for d := 1; d <= objectReach; d++ {
		for _, at := range [...]int{i + d, i - d} {
			if at < c.start || at >= c.end || !r.segs[at].kinds.has(object) || r.modifies(c, at) {
				continue
			}
			if t := r.objectAt(at, category); t != nil {
				return t, at
			}
		}
	}
	return nil, 0
}

// objectAt returns the term of segment i that is an object of the category.
func (r *reader) objectAt(i int, category risk.Category) *term {
	terms := r.lex.sense(r.segs[i].key).terms
	for n := range terms {
		if t := &terms[n]; t.kind == object && t.category == category {
			return t
		}
	}
	return nil
}

// modifies reports whether a noun only describes the one after it: to delete
// the account data is not to delete the account.
func (r *reader) modifies(c *clause, at int) bool {
	next := at + 1
	return next < c.end && r.segs[next].gap == 0 && r.segs[next].key != unknownWord && !r.segs[next].kinds.any(unmodified)
}

// hasObject reports whether a word that may be a noun is followed by something
// it can act on.
func (r *reader) hasObject(c *clause, i int) bool {
	next := i + 1
	if next >= c.end || r.segs[next].gap&hash != 0 || r.isStatement() && !r.inName {
		return false
	}
	if k := r.segs[next].kinds; k.has(joiner) || r.segs[next].gap&joined != 0 { // "block and report"
		if k.has(joiner) {
			next++
		}
		return next < c.end && r.segs[next].kinds.any(coordinated)
	}
	return !r.segs[next].kinds.any(belittling) && !r.segs[c.end-1].kinds.any(belittling)
}

// isVetoed reports whether the words around segment i take the action of t away.
func (r *reader) isVetoed(c *clause, i int, t *term) bool {
	if i > c.start && r.isAffix(i-1, i, prefix, t.kind) {
		return true
	}
	end := i + 1
	for end < c.end && r.segs[end].gap&aside == 0 {
		end++
	}
	if end == i+1 || r.isComplete(c, i, t) {
		return false
	}
	if r.isAffix(i+1, i+1, suffix, t.kind) || r.segs[i+1].kinds.has(result) {
		return true
	}
	last := r.segs[end-1].kinds
	// "Share deleted" tells, "Delete downloaded" does.
	return last.has(result) || last.has(status) && t.category != risk.Delete && !last.any(acting)
}

// isComplete reports whether segment i commands all by itself: a verb that is
// nothing else at the head of a button. That something went well or was done,
// said right behind it, is then no reason to believe it.
func (r *reader) isComplete(c *clause, i int, t *term) bool {
	order := r.lex.langs[t.language].order
	return t.kind == act && order.isFirst() && c.open && isButton(r.query.Role) && r.segs[i+1].gap&tight == 0
}

// isAffix reports whether segment at is an affix that belongs to a neighbour of
// kind k; later is the later one of the two.
func (r *reader) isAffix(at, later int, affix kind, k kind) bool {
	if !r.segs[at].kinds.has(affix) {
		return false
	}
	for _, t := range r.lex.sense(r.segs[at].key).terms {
		switch {
		case t.kind != affix:
		case t.attached && r.segs[later].gap&tight != 0:
			return true
		case !t.attached && (affix == prefix || k != act && k != parted):
			return true
		}
	}
	return false
}
