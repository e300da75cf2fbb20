package lexicon

import "unicode/utf8"

// phrases finds all of a set of keys in a text, overlapping ones included, where
// they stand as whole words, without allocating.
//
// It is a hash table of all that a key begins with and that ends where a word
// may end. From each place where a word may begin, a search goes on word by word
// as long as what it has read begins some key: in most places that is one look.
// In scripts without spaces every letter counts as such a word.
//
// A beginning is told by its hash alone. Only where a key ends are letters
// compared, so that two beginnings of one hash cost a needless look and change
// nothing. The upper bits of a hash say in which bucket a beginning is, the lower
// 16 which of the bucket.
//
// 105,000 keys have 208,000 beginnings, which take 1.5 MB besides the keys.
type phrases struct {
	keys    string   // in order, one after the other
	ends    []uint32 // where each of them ends
	longest int32    // bytes of the longest
	buckets []uint32 // where each bucket begins; one more than there are
	shift   uint8    // from a hash to its bucket
	tags    []uint16 // the lower bits of each beginning's hash
	uses    []use    // what each beginning is
}

// use says what a beginning is: its lowest bit that longer keys begin so, the
// others are one more than the number of the key that it is.
type use uint32

const beginsLonger use = 1

// noKey is the number of no key.
const noKey = -1

func useOf(key int) use  { return use(key+1) << 1 }
func (u use) key() int32 { return int32(u>>1) - 1 }

// token is a stretch of the matching copy at whose ends a word may begin or end:
// letters of one class, one letter of a script without spaces, or one sign.
type token struct {
	start int32 // its first byte
	hash  uint32
	words float32 // how many it makes; see wordPart
}

// appendTokens cuts b, which is valid UTF-8, into tokens; the last one appended
// is empty and stands at the end of b.
func appendTokens(dst []token, b []byte) []token {
	before := notWord
	var t token
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		switch {
		case r < utf8.RuneSelf:
		case r < 0xE0 && i+1 < len(b):
			r, size = r&0x1F<<6|rune(b[i+1]&0x3F), 2
		case r < 0xF0 && i+2 < len(b):
			r, size = r&0x0F<<12|rune(b[i+1]&0x3F)<<6|rune(b[i+2]&0x3F), 3
		default:
			r, size = utf8.DecodeRune(b[i:])
		}
		switch class := classOf(r); {
		case i == 0:
			t, before = token{0, step(0, r), wordsIn(r, class)}, class
		case isBoundary(before, class):
			dst = append(dst, t)
			t, before = token{int32(i), step(0, r), wordsIn(r, class)}, class
		default:
			t.hash = step(t.hash, r)
		}
		i += size
	}
	if len(b) > 0 {
		dst = append(dst, t)
	}
	return append(dst, token{start: int32(len(b))})
}

// wordsIn is how many words a token makes that begins with r.
func wordsIn(r rune, class letterClass) float32 {
	switch class {
	case notWord:
		return 0
	case unspaced:
		return wordPart(r, class)
	}
	return 1
}

// look returns the key that text is, noKey for none, and whether longer keys may
// begin so. h is the hash of its tokens.
func (p *phrases) look(h uint32, text []byte) (key int32, longer bool) {
	h = finish(h)
	bucket := h >> p.shift
	key = noKey
	for i, end := p.buckets[bucket], p.buckets[bucket+1]; i < end; i++ {
		if p.tags[i] != uint16(h) {
			continue
		}
		longer = longer || p.uses[i]&beginsLonger != 0
		if k := p.uses[i].key(); k != noKey && p.spelling(k) == string(text) {
			key = k
		}
	}
	return key, longer
}

// spelling returns the letters of a key.
func (p *phrases) spelling(key int32) string {
	start := uint32(0)
	if key > 0 {
		start = p.ends[key-1]
	}
	return p.keys[start:p.ends[key]]
}

// appendMatches appends where keys stand in b, whose tokens are given.
func (p *phrases) appendMatches(dst []match, b []byte, tokens []token) []match {
	for i := 0; i+1 < len(tokens); i++ {
		start := tokens[i].start
		if b[start] == ' ' {
			continue // no key begins so
		}
		h, words := uint32(0), float32(0)
		for j := i; j+1 < len(tokens); j++ {
			end := tokens[j+1].start
			if end-start > p.longest {
				break
			}
			h = join(h, tokens[j].hash)
			words += tokens[j].words
			key, longer := p.look(h, b[start:end])
			if key != noKey {
				dst = append(dst, match{start: start, end: end, key: key, words: words})
			}
			if !longer {
				break
			}
		}
	}
	return dst
}
