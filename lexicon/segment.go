package lexicon

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// segment is a stretch of the matching copy: a term, or a word that no term
// covers.
type segment struct {
	start, end int32
	key        int32 // index into Lexicon.keys, or unknownWord
	kinds      kinds // of its terms, in the languages the text may be in
	words      float32
	gap        gap // what stands between it and the segment before
	number     bool
}

const unknownWord = -1

// gap is what stands before a segment besides spaces.
type gap uint8

const (
	clauseBreak gap = 1 << iota // punctuation that ends a thought
	joined                      // &, / or +: a second verb may follow
	hash                        // #, so that what follows is a number of something
	tight                       // nothing at all: the two are written together
	aside                       // a picture: what follows says more, but takes nothing back
)

// match is one occurrence of a key in the copy.
type match struct{ start, end, key int32 }

// segmentCopy cuts the copy into segments. Of terms that overlap the longest
// wins, so that "payment history" is not read as "payment".
func (r *reader) segmentCopy() {
	r.findMatches()
	r.chooseLongest()
	r.addUnknownWords()
	r.dropOrnaments()
}

// findMatches collects the terms that stand in the copy as whole words.
func (r *reader) findMatches() {
	r.matches = r.matches[:0]
	b, a := r.text.b, r.lex.auto
	state := root
	for i := range b {
		state = a.step(state, b[i])
		for s := a.ending(state); s != root; s = a.link[s] {
			key := int32(a.key[s] - 1)
			if r.lex.keys[key].kinds == 0 && !r.inName {
				continue
			}
			start, end := i+1-int(r.lex.keys[key].length), i+1
			if wordEdge(b, start) && wordEdge(b, end) {
				r.matches = append(r.matches, match{int32(start), int32(end), key})
			}
		}
	}
}

// wordEdge reports whether a word may begin or end at byte i of the copy.
func wordEdge(b []byte, i int) bool {
	if i <= 0 || i >= len(b) {
		return true
	}
	return isBoundary(classBefore(b, i), classAt(b, i))
}

func classBefore(b []byte, i int) letterClass {
	if c := b[i-1]; c < utf8.RuneSelf {
		return letterClass(letterProps[c] & classMask)
	}
	r, _ := utf8.DecodeLastRune(b[:i])
	return classOf(r)
}

func classAt(b []byte, i int) letterClass {
	if c := b[i]; c < utf8.RuneSelf {
		return letterClass(letterProps[c] & classMask)
	}
	r, _ := utf8.DecodeRune(b[i:])
	return classOf(r)
}

// chooseLongest keeps the matches that no longer one overlaps, as segments in
// the order of the text.
func (r *reader) chooseLongest() {
	slices.SortFunc(r.matches, func(m, n match) int {
		return cmp.Or(cmp.Compare(n.end-n.start, m.end-m.start), cmp.Compare(m.start, n.start))
	})
	taken := r.takenBits(len(r.text.b))
	r.segs = r.segs[:0]
	for _, m := range r.matches {
		if taken.anyOf(m.start, m.end) || r.hidesVerb(m) {
			continue
		}
		taken.setAll(m.start, m.end)
		r.segs = append(r.segs, segment{start: m.start, end: m.end, key: m.key, words: r.lex.keys[m.key].words})
	}
	slices.SortFunc(r.segs, func(s, t segment) int { return cmp.Compare(s.start, t.start) })
}

// hidesVerb reports whether m is a noun that begins with a verb: "Delete this"
// may be what a sentence is about, but on a label it deletes.
func (r *reader) hidesVerb(m match) bool {
	if r.lex.keys[m.key].kinds != noun.set() {
		return false
	}
	for _, n := range r.matches {
		if n.start == m.start && n.end < m.end && r.lex.keys[n.key].kinds.has(act) {
			return true
		}
	}
	return false
}

// bitSet is a set of byte positions of the copy.
type bitSet []uint64

func (r *reader) takenBits(n int) bitSet {
	words := (n + 63) / 64
	if cap(r.taken) < words {
		r.taken = make(bitSet, words)
	}
	r.taken = r.taken[:words]
	clear(r.taken)
	return r.taken
}

// anyOf needs to look at the ends only: what is in the set came in longer
// stretches than the one that is asked about.
func (s bitSet) anyOf(start, end int32) bool { return s.has(start) || s.has(end-1) }

func (s bitSet) has(i int32) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s bitSet) setAll(start, end int32) {
	for i := start; i < end; i++ {
		s[i/64] |= 1 << (i % 64)
	}
}

// addUnknownWords fills the stretches between the terms with segments for the
// words there, and notes what else stands between segments.
func (r *reader) addUnknownWords() {
	known := len(r.segs)
	at := int32(0)
	var g gap
	for i := 0; i <= known; i++ {
		stop := int32(len(r.text.b))
		if i < known {
			stop = r.segs[i].start
		}
		g = r.scanGap(at, stop, g)
		if i < known {
			r.segs[i].gap = r.gapBefore(g, r.segs[i].start)
			at, g = r.segs[i].end, 0
		}
	}
	r.trailing = g
	if len(r.segs) > known {
		slices.SortFunc(r.segs, func(s, t segment) int { return cmp.Compare(s.start, t.start) })
	}
}

// gapBefore completes a gap with whether there is one at all.
func (r *reader) gapBefore(g gap, start int32) gap {
	if start > 0 && classBefore(r.text.b, int(start)) != notWord {
		g |= tight
	}
	return g
}

// scanGap appends the words between two terms as unknown segments and returns
// the gap after the last of them.
func (r *reader) scanGap(at, stop int32, g gap) gap {
	b := r.text.b
	for at < stop {
		c, size := utf8.DecodeRune(b[at:stop])
		class := classOf(c)
		if class == notWord {
			g |= gapOf(c, b, int(at))
			at += int32(size)
			continue
		}
		end := at + int32(size)
		words := wordPart(c, class)
		for end < stop {
			next, size := utf8.DecodeRune(b[end:stop])
			if classOf(next) != class {
				break
			}
			end += int32(size)
			words += wordPart(next, class)
		}
		if class != unspaced {
			words = 1
		}
		r.segs = append(r.segs, segment{start: at, end: end, key: unknownWord, words: words,
			gap: r.gapBefore(g, at), number: class == digit})
		at, g = end, 0
	}
	return g
}

// wordPart is the part of a word that a letter makes.
func wordPart(r rune, class letterClass) float32 {
	if class == unspaced {
		return 1 / lettersPerWord(r)
	}
	return 0
}

// gapOf says what a character between words does to the thought.
func gapOf(c rune, b []byte, at int) gap {
	switch c {
	case '&', '/', '+', '、', '・', '·':
		return joined
	case '#':
		return hash
	case ',', ';', ':', '!', '?', '(', ')', '[', ']', '|', '•', '。', '，', '؟', '،', '।', '—', '…', '→':
		return clauseBreak
	case '.': // not the one inside 2.50 or u.s.
		if at+1 == len(b) || b[at+1] == ' ' || b[at+1] == '.' {
			return clauseBreak
		}
	case '-': // inside a word it is a space already
		return clauseBreak
	}
	if c >= 0x2190 && c < 0x2C00 || c >= 0x1F000 { // arrows, ticks, emoji
		return aside
	}
	return 0
}

// dropOrnaments drops emoji, arrows and dashes where there are words: they mean
// something only where they stand alone. Between words they still part them.
func (r *reader) dropOrnaments() {
	words := 0
	for _, s := range r.segs {
		if s.key == unknownWord || !r.lex.keys[s.key].symbol {
			words++
		}
	}
	if words == 0 || words == len(r.segs) {
		return
	}
	out, carried := 0, gap(0)
	for _, s := range r.segs {
		if s.key != unknownWord && r.lex.keys[s.key].symbol {
			carried |= s.gap&^tight | r.parting(&s)
			continue
		}
		s.gap |= carried
		r.segs[out], carried = s, 0
		out++
	}
	r.segs = r.segs[:out]
	r.trailing |= carried
}

// parting is the gap that an ornament leaves. A dash parts where a space stands
// behind it; else it hangs on a word.
func (r *reader) parting(s *segment) gap {
	b := r.text.b
	switch {
	case s.end-s.start > 1:
		return aside
	case b[s.start] == '-' && int(s.end) < len(b) && b[s.end] != ' ':
		return 0
	}
	return gapOf(rune(b[s.start]), b, int(s.start))
}
