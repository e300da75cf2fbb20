package lexicon

import (
	"math"
	"slices"
	"unicode/utf8"
)

// segment is a stretch of the matching copy: a term, or a word that no term
// covers.
type segment struct {
	start, end int32
	key        int32 // of the term, or unknownWord
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
type match struct {
	start, end, key int32
	words           float32 // of the key
	chosen          bool
}

// segmentCopy cuts the copy into segments. Of terms that overlap the longest
// wins, so that "payment history" is not read as "payment".
func (r *reader) segmentCopy() {
	r.findMatches()
	r.chooseLongest()
	r.layOut()
	r.dropOrnaments()
}

// findMatches collects the terms that stand in the copy as whole words.
func (r *reader) findMatches() {
	r.tokens = appendTokens(r.tokens[:0], r.text.b)
	r.matches = r.lex.phrases.appendMatches(r.matches[:0], r.text.b, r.tokens)
	if r.inName {
		return
	}
	onLabels := r.matches[:0]
	for _, m := range r.matches {
		if r.lex.sense(m.key).kinds != 0 {
			onLabels = append(onLabels, m)
		}
	}
	r.matches = onLabels
}

// classBefore and classAt return the class of the letter before and at byte i.
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

// chooseLongest chooses the matches that no longer one overlaps. Of two as long
// the first counts, in which order they are.
func (r *reader) chooseLongest() {
	r.order = r.order[:0]
	for i, m := range r.matches {
		r.order = append(r.order, uint64(math.MaxInt32-(m.end-m.start))<<32|uint64(i))
	}
	slices.Sort(r.order)
	taken := r.takenBits(len(r.text.b))
	for _, o := range r.order {
		m := &r.matches[uint32(o)]
		if !taken.anyOf(m.start, m.end) && !r.hidesVerb(m) {
			taken.setAll(m.start, m.end)
			m.chosen = true
		}
	}
}

// hidesVerb reports whether m is a noun that begins with a verb: "Delete this"
// may be what a sentence is about, but on a label it deletes.
func (r *reader) hidesVerb(m *match) bool {
	if r.lex.sense(m.key).kinds != noun.set() {
		return false
	}
	for _, n := range r.matches {
		if n.start == m.start && n.end < m.end && r.lex.sense(n.key).kinds.has(act) {
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
	for start < end {
		n := min(end-start, 64-start%64)
		s[start/64] |= (math.MaxUint64 >> (64 - n)) << (start % 64)
		start += n
	}
}

// layOut makes segments of the matches that were chosen and of the words between
// them, and notes what else stands there.
func (r *reader) layOut() {
	r.segs = r.segs[:0]
	at, g := int32(0), gap(0)
	for i := range r.matches {
		m := &r.matches[i]
		if !m.chosen {
			continue
		}
		g = r.scanGap(at, m.start, g)
		r.segs = append(r.segs, segment{start: m.start, end: m.end, key: m.key, words: m.words, gap: r.gapBefore(g, m.start)})
		at, g = m.end, 0
	}
	r.trailing = r.scanGap(at, int32(len(r.text.b)), g)
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
		if s.key == unknownWord || r.lex.sense(s.key).looks&symbol == 0 {
			words++
		}
	}
	if words == 0 || words == len(r.segs) {
		return
	}
	out, carried := 0, gap(0)
	for _, s := range r.segs {
		if s.key != unknownWord && r.lex.sense(s.key).looks&symbol != 0 {
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
