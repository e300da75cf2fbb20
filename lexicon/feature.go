package lexicon

import (
	"iter"
	"math/bits"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon/statistical"
	"github.com/countersign/countersign/risk"
)

// A feature is a piece of a text as the statistical layer sees it: some letters
// of a word, a word, two words, the ends, the build of the whole.
type feature struct {
	hash       uint32
	start, end uint16 // bytes of the matching copy; equal for one about the whole
	place      statistical.Place
}

// featureRunes is how much of a text becomes features. What is longer is no
// label.
const featureRunes = 64

// featureSet collects the features of a text.
type featureSet struct {
	runes    [featureRunes]rune
	at       [featureRunes + 1]uint16 // where each rune begins in the copy
	n        int
	features []feature
}

// Kinds of features, which begin their hashes.
const (
	seedLetters uint32 = 0x0E3779B1 * (iota + 1)
	seedWord
	seedPair
	seedFirst
	seedLast
	seedWhole
	seedEnd
	seedLength
	seedScript
	seedHint
	seedHints
	seedEdge
	seedUnknown
)

const edge rune = '_' // the edge of a word

// lettersIn are the lengths of the letter sequences that are features, in words
// of scripts with spaces and without.
var (
	lettersSpaced   = [2]int{2, 5}
	lettersUnspaced = [2]int{1, 4}
)

// of collects the features of a matching copy.
func (s *featureSet) of(t *copyText) {
	s.features = s.features[:0]
	s.decode(t.b)
	var words int
	var before, last span
	var beforeHash uint32
	whole := seedWhole
	script := notWord
	for start := 0; start < s.n; {
		class := classOf(s.runes[start])
		if class == notWord {
			start++
			continue
		}
		end := start + 1
		for end < s.n && classOf(s.runes[end]) == class {
			end++
		}
		word := span{start, end}
		h := s.hashOf(word, class)
		words++
		whole = join(whole, h)
		script = max(script, class)
		s.letters(word, class)
		s.add(seedWord^h, word)
		if words == 1 {
			s.add(seedFirst^h, word)
		} else {
			s.add(join(seedPair^beforeHash, h), span{before.start, word.end})
		}
		before, beforeHash, last, start = word, h, word, end
	}
	if words == 0 {
		return
	}
	s.add(seedLast^beforeHash, last)
	s.add(whole, span{0, s.n})
	s.add(step(seedLength, rune(min(words, 7))), span{})
	s.add(step(seedScript, rune(script)), span{})
	s.add(step(seedEnd, s.ending(last.end)), span{})
}

// span is a stretch of the set's runes.
type span struct{ start, end int }

// decode takes the runes of the copy.
func (s *featureSet) decode(b []byte) {
	s.n = 0
	for i := 0; i < len(b) && s.n < featureRunes; {
		r, size := utf8.DecodeRune(b[i:])
		s.runes[s.n], s.at[s.n] = r, uint16(i)
		s.n++
		i += size
		s.at[s.n] = uint16(i)
	}
}

// hashOf is the hash of a word. One number is like another.
func (s *featureSet) hashOf(word span, class letterClass) uint32 {
	if class == digit {
		return step(0, '0')
	}
	h := uint32(0)
	for _, r := range s.runes[word.start:word.end] {
		h = step(h, r)
	}
	return h
}

// letters adds the sequences of letters of a word, with its edges.
func (s *featureSet) letters(word span, class letterClass) {
	if class == digit {
		return
	}
	lengths := lettersSpaced
	if class == unspaced {
		lengths = lettersUnspaced
	}
	for start := word.start - 1; start < word.end; start++ {
		from, h := s.at[max(start, word.start)], seedLetters
		for end := start + 1; end <= min(start+lengths[1], word.end+1); end++ {
			h = step(h, s.letterAt(end-1, word))
			if end-start < lengths[0] || end == word.start { // too short, or an edge alone
				continue
			}
			s.features = append(s.features, feature{hash: finish(h), start: from, end: s.at[min(end, word.end)]})
		}
	}
}

func (s *featureSet) letterAt(i int, word span) rune {
	if i < word.start || i >= word.end {
		return edge
	}
	return s.runes[i]
}

// ending is what follows the last word: nothing, or the first sign there.
func (s *featureSet) ending(from int) rune {
	for _, r := range s.runes[from:s.n] {
		if r != ' ' {
			return r
		}
	}
	return 0
}

// add adds a feature that stands at a stretch of runes.
func (s *featureSet) add(hash uint32, where span) {
	s.features = append(s.features, feature{hash: finish(hash), start: s.at[where.start], end: s.at[where.end]})
}

// addAt adds a feature that stands at bytes of the copy.
func (s *featureSet) addAt(hash uint32, at [2]uint16) {
	s.features = append(s.features, feature{hash: finish(hash), start: at[0], end: at[1]})
}

// step goes one letter on in a hash.
func step(h uint32, r rune) uint32 {
	return (bits.RotateLeft32(h, 7) ^ uint32(r)) * 0x9E3779B1
}

// join goes on in a hash with another one.
func join(h, other uint32) uint32 {
	return (bits.RotateLeft32(h, 7) ^ other) * 0x9E3779B1
}

// finish spreads a hash over all its bits.
func finish(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85EBCA6B
	h = (h ^ h>>13) * 0xC2B2AE35
	return h ^ h>>16
}

// collectFeatures collects the features of the copy and of what the terms make
// of its parts: that grammar is the same in every language.
func (r *reader) collectFeatures() {
	s := &r.features
	s.of(&r.text)
	before, first := seedEdge, true
	for i := range r.segs {
		seg := &r.segs[i]
		hint := seedUnknown
		if seg.key != unknownWord {
			hint = r.lex.sense(seg.key).hint
		}
		where := [2]uint16{uint16(seg.start), uint16(seg.end)}
		if hint != seedUnknown {
			s.addAt(hint, where)
		}
		s.addAt(join(join(seedHints, before), hint), where)
		if first {
			s.addAt(join(seedFirst, hint), where)
		}
		if i == len(r.segs)-1 {
			s.addAt(join(join(seedHints, hint), seedEdge), where)
		}
		before, first = hint, false
	}
}

// hintOf is what the model sees of a spelling: the kinds of its terms and the
// worst they do. It is made of names, so that a kind more changes no other.
func hintOf(kinds kinds, worst risk.Category) uint32 {
	h := seedHint
	for rest := uint32(kinds); rest != 0; rest &= rest - 1 {
		h += kindHashes[bits.TrailingZeros32(rest)]
	}
	return join(h, categoryHashes[worst])
}

// kindHashes and categoryHashes are the hashes of their names.
var (
	kindHashes     = hashKinds()
	categoryHashes = hashCategories()
)

func hashKinds() (hashes [kindCount]uint32) {
	for k := range hashes {
		hashes[k] = hashOfName(sections[k].name)
	}
	return hashes
}

func hashCategories() (hashes [risk.Dismissal + 1]uint32) {
	for c := range hashes {
		hashes[c] = hashOfName(risk.Category(c).String())
	}
	return hashes
}

func hashOfName(name string) uint32 {
	h := uint32(0)
	for _, r := range name {
		h = step(h, r)
	}
	return finish(h)
}

// AppendFeatures appends the features of a label's text to dst, as the
// statistical layer sees them: for training it.
func (l *Lexicon) AppendFeatures(dst []uint32, text string) []uint32 {
	r := l.scratch.Get().(*reader)
	defer l.scratch.Put(r)
	r.lex, r.query, r.claimed = l, Query{Text: text}, langSet{}
	r.prepare(asWritten)
	r.trimNumbers()
	r.collectFeatures()
	for _, f := range r.features.features {
		dst = append(dst, f.hash)
	}
	r.query = Query{}
	return dst
}

// Lessons yields the spellings of the term files, each with what it would mean
// as a whole label, for training: what inflects like a word that acts may act.
func (l *Lexicon) Lessons() iter.Seq2[string, risk.Category] {
	return func(yield func(string, risk.Category) bool) {
		for key, t := range l.all() {
			if l.langs[t.language].names {
				continue
			}
			category := risk.None
			switch t.kind {
			case act, dual, bare, opens:
				category = t.category
			case affirmative:
				category = risk.Affirmative
			case status, not, noun, dismissal, known, result:
			default:
				continue
			}
			if !yield(l.textOf(key, t), category) {
				return
			}
		}
	}
}
