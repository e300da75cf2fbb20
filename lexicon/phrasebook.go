package lexicon

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// phrasebook makes the table of phrases from keys that come in order. What a key
// shares with the one before is cut up and noted once.
type phrasebook struct {
	all     strings.Builder // the keys, one after the other
	ends    []uint32
	longest int
	before  string // the key before, and how it begins, the shortest first
	path    []beginning
	noted   []noted
	rest    []byte // scratch
	tokens  []token
}

// beginning is what a key begins with, up to a place where a word may end.
type beginning struct {
	end   int // bytes
	hash  uint32
	noted int // its place in phrasebook.noted
}

// noted is a beginning on its way into the table.
type noted struct {
	hash uint32 // finished
	use  use
}

// newPhrasebook returns one with room for so many keys of so many bytes in all.
func newPhrasebook(keys, size int) *phrasebook {
	b := &phrasebook{ends: make([]uint32, 0, keys), noted: make([]noted, 0, 2*keys)}
	b.all.Grow(size)
	return b
}

// add adds the next key: so many bytes of the one before and a rest, which is not
// empty. It returns the key.
func (b *phrasebook) add(shared int, rest string) string {
	start := b.all.Len()
	b.all.WriteString(b.before[:shared])
	b.all.WriteString(rest)
	key := b.all.String()[start:]
	b.ends = append(b.ends, uint32(b.all.Len()))
	b.longest = max(b.longest, len(key))

	kept := b.alsoBegins(shared, key)
	from, h, again := 0, uint32(0), beginning{}
	if kept > 0 {
		from, h = b.path[kept-1].end, b.path[kept-1].hash
	}
	if kept < len(b.path) && b.path[kept].end <= shared {
		again = b.path[kept]
	}
	b.path = b.path[:kept]
	b.rest = append(b.rest[:0], key[from:]...)
	b.tokens = appendTokens(b.tokens[:0], b.rest)
	for i, next := range b.tokens[1:] {
		h = join(h, b.tokens[i].hash)
		one := beginning{end: from + int(next.start), hash: h, noted: len(b.noted)}
		switch one.end {
		case len(key):
			b.noted = append(b.noted, noted{finish(h), useOf(len(b.ends) - 1)})
		case again.end:
			one.noted = again.noted
			b.noted[one.noted].use |= beginsLonger
		default:
			b.noted = append(b.noted, noted{finish(h), beginsLonger})
		}
		b.path = append(b.path, one)
	}
	b.before = key
	return key
}

// alsoBegins returns how many beginnings of the key before are certain to be
// beginnings of key: a word can end there as the rune behind is shared as well.
func (b *phrasebook) alsoBegins(shared int, key string) int {
	for n, one := range b.path {
		if one.end >= shared {
			return n
		}
		if _, size := utf8.DecodeRuneInString(key[one.end:]); one.end+size > shared {
			return n
		}
	}
	return len(b.path)
}

// table returns the table of all keys.
func (b *phrasebook) table() *phrases {
	width := min(16, bits.Len(uint(len(b.noted)/2)))
	p := &phrases{
		keys: b.all.String(), ends: b.ends, longest: int32(b.longest),
		buckets: make([]uint32, 1<<width+1), shift: uint8(32 - width),
		tags: make([]uint16, len(b.noted)), uses: make([]use, len(b.noted)),
	}
	for _, n := range b.noted {
		p.buckets[n.hash>>p.shift]++
	}
	end := uint32(0)
	for i, n := range p.buckets {
		end += n
		p.buckets[i] = end
	}
	for i := len(b.noted) - 1; i >= 0; i-- {
		n := &b.noted[i]
		p.buckets[n.hash>>p.shift]-- // in the end it is where the bucket begins
		at := p.buckets[n.hash>>p.shift]
		p.tags[at], p.uses[at] = uint16(n.hash), n.use
	}
	return p
}

// sharedBytes is how many bytes two texts begin with alike.
func sharedBytes(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
