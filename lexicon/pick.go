package lexicon

// Sets of kinds, by what they do to a label.
var (
	acting      = setOf(act, dual, bare, opens, noun)                                                                    // can make it an act
	telling     = setOf(not, status)                                                                                     // make it harmless
	answering   = setOf(affirmative, dismissal, verb)                                                                    // answer or cancel
	transparent = setOf(lead, permanent)                                                                                 // may stand before the verb
	verbs       = setOf(act, dual, opens, dismissal, verb, known)                                                        // after which "and" brings a second one
	coordinated = setOf(act, dual, opens, affirmative, dismissal, verb)                                                  // that second one
	belittling  = setOf(suffix, status, result)                                                                          // make a noun of a word that may be a verb
	unmodified  = setOf(act, dual, verb, dismissal, article, permanent, joiner, lead, negator, object, neutral, pressed) // do not take the noun before them as an adjective
)

// allKinds returns the kinds of segment i in every language.
func (r *reader) allKinds(i int) kinds {
	switch k := r.segs[i].key; {
	case k == unknownWord:
		return 0
	case r.inName:
		return r.lex.sense(k).nameKinds
	default:
		return r.lex.sense(k).kinds
	}
}

// pick returns the term of segment i that is one of want and may be read in
// this text, the worst of several. A whole label is read in every language,
// whatever is claimed about it.
func (r *reader) pick(i int, want kinds, whole bool) *term {
	s := &r.segs[i]
	if s.key == unknownWord || !whole && !s.kinds.any(want) {
		return nil
	}
	k := r.lex.sense(s.key)
	langs := r.langs.and(k.langs)
	var best *term
	for n := range k.terms {
		t := &k.terms[n]
		if !want.has(t.kind) || !whole && !langs.empty() && !langs.has(t.language) {
			continue
		}
		if !r.inName && r.lex.langs[t.language].names || k.looks&short != 0 && !r.countsThoughShort(t, k, whole) {
			continue
		}
		if !whole && langs.empty() && r.isForeign(i, t) {
			continue
		}
		switch {
		case best == nil || t.category.Weight() > best.category.Weight():
			best = t
		case r.inName && t.category == best.category && t.kind < best.kind:
			best = t // in a name a word that acts at all does
		}
	}
	return best
}

// countsThoughShort reports whether a word of up to three Latin letters may be
// read in the language of t: every language has such words, and they mean
// something else in each. English ones are read everywhere, as apps mix it in,
// but where the language of the text has the word itself that one decides.
func (r *reader) countsThoughShort(t *term, k *sense, whole bool) bool {
	l := &r.lex.langs[t.language]
	switch {
	case r.inName:
		return l.tag == english || l.names
	case !r.langs.empty() && r.langs.has(t.language):
		return true
	case !r.claimed.empty() && !r.claimed.and(k.langs).empty():
		return false
	}
	return whole || l.tag == english
}

// isForeign reports whether t, in segment i, is of another language than the
// text claims to be in and shows to be in: a word beside it is of the claimed
// language and not of that of t. Apps mix in English, so that is never foreign.
func (r *reader) isForeign(i int, t *term) bool {
	if r.claimed.empty() || r.claimed.has(t.language) || r.lex.langs[t.language].tag == english {
		return false
	}
	for at, s := range r.segs {
		if at == i || s.key == unknownWord {
			continue
		}
		langs := r.lex.sense(s.key).langs
		if !r.claimed.and(langs).empty() && !langs.has(t.language) {
			return true
		}
	}
	return false
}
