package lexicon

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A letterClass says which characters stick together as a word. Two neighbours
// of the same class belong to one word; a change of class is a boundary, so
// "지금Pay하기" holds the word "pay". Classes from unspaced on are scripts that
// write no spaces: a term may begin and end anywhere in them.
type letterClass uint8

const (
	notWord letterClass = iota
	digit
	latin
	greek
	cyrillic
	hangul
	otherSpaced
	unspaced // Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar
)

// Bits of letterProps.
const (
	classMask   = 0x07
	isMark      = 0x08 // is a mark on the letter before it
	isPeculiar  = 0x10 // is not folded by itself; see setPlain
	needsNFKC   = 0x20 // may change under NFKC or combine with what stands before it
	isIgnorable = 0x40 // is not seen and is dropped from the matching copy
	isBlank     = 0x80 // is seen as a space
)

// letterProps holds the class and the bits above for each rune of the basic
// plane. It takes 64 kB and a millisecond to fill.
var letterProps = buildLetterProps()

func buildLetterProps() *[1 << 16]uint8 {
	props := new([1 << 16]uint8)
	set := func(t *unicode.RangeTable, bits uint8) {
		for _, r := range t.R16 {
			for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
				props[c] = props[c]&^classMask | bits
			}
		}
	}
	set(unicode.L, uint8(otherSpaced))
	set(unicode.M, uint8(otherSpaced)|isMark)
	for _, s := range []struct {
		table *unicode.RangeTable
		class letterClass
	}{
		{unicode.Latin, latin}, {unicode.Greek, greek}, {unicode.Cyrillic, cyrillic},
		{unicode.Hangul, hangul}, {unicode.Han, unspaced}, {unicode.Hiragana, unspaced},
		{unicode.Katakana, unspaced}, {unicode.Thai, unspaced}, {unicode.Lao, unspaced},
		{unicode.Khmer, unspaced}, {unicode.Myanmar, unspaced},
	} {
		for _, r := range s.table.R16 {
			for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
				if props[c]&classMask != 0 { // letters and marks only
					props[c] = props[c]&^classMask | uint8(s.class)
				}
			}
		}
	}
	props['ー'] = uint8(unspaced) // the long vowel mark is common to both kana
	set(unicode.Nd, uint8(digit))
	// Han and Hangul syllables, left out here, are composed as they are.
	for _, r := range [][2]rune{{0x80, 0x33FF}, {0xA000, 0xABFF}, {0xD7A4, 0xD7FF}, {0xF900, 0xFFFD}} {
		markNFKC(props, r[0], r[1])
	}
	for _, r := range ignorables {
		for c := r[0]; c <= r[1] && c <= 0xFFFF; c++ {
			props[c] = isIgnorable
		}
	}
	set(unicode.Zs, isBlank)
	for _, c := range "\t\n\v\f\r\u0085\u2028\u2029\u2800™℠®©" {
		props[c] = isBlank
	}
	markPeculiar(props)
	return props
}

// markPeculiar marks the letters of which more has to be known than themselves
// to fold them: they vanish, become two or something of another sort, or are
// Latin and pose as another Latin letter.
func markPeculiar(props *[1 << 16]uint8) {
	for i := range props {
		r := rune(i)
		folded := foldRune(r)
		if folded < 0 || (props[folded]^props[r])&^(needsNFKC|isPeculiar) != 0 {
			props[r] |= isPeculiar
		}
	}
	for r := range latinTwins {
		if r < 1<<16 && props[r]&classMask == uint8(latin) {
			props[r] |= isPeculiar
		}
	}
	for _, r := range "ßẞ´Ϲϲ\uFFFD" {
		props[r] |= isPeculiar
	}
}

// markNFKC marks the letters from first to last that NFKC may change.
func markNFKC(props *[1 << 16]uint8, first, last rune) {
	b := make([]byte, utf8.UTFMax)
	for c := first; c <= last; c++ {
		one := b[:utf8.EncodeRune(b, c)]
		p := norm.NFKC.Properties(one)
		if p.CCC() != 0 || norm.NFKC.QuickSpan(one) < len(one) || !p.BoundaryBefore() {
			props[c] |= needsNFKC
		}
	}
}

// ignorables are the default-ignorable characters and all other format and
// control characters that do not move the text on: they are in a label without
// being seen in it.
var ignorables = [][2]rune{
	{0x0000, 0x0008}, {0x000E, 0x001F}, {0x007F, 0x0084}, {0x0086, 0x009F}, {0x00AD, 0x00AD},
	{0x034F, 0x034F}, {0x0600, 0x0605}, {0x061C, 0x061C}, {0x06DD, 0x06DD}, {0x070F, 0x070F},
	{0x0890, 0x0891}, {0x08E2, 0x08E2}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
	{0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},
	{0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
	{0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
	{0x1F3FB, 0x1F3FF}, // skin tones: a thumb is a thumb
}

// propsOf returns the class and bits of any rune.
func propsOf(r rune) uint8 {
	if uint32(r) < 1<<16 {
		return letterProps[r]
	}
	return propsBeyond(r)
}

// propsBeyond is propsOf beyond the basic plane.
func propsBeyond(r rune) uint8 {
	for _, g := range ignorables {
		if r >= g[0] && r <= g[1] {
			return isIgnorable
		}
	}
	switch {
	case r >= 0x1B000 && r < 0x1B170, r >= 0x20000 && r < 0x40000:
		if r >= 0x2F800 && r < 0x2FA20 {
			return uint8(unspaced) | needsNFKC
		}
		return uint8(unspaced)
	case unicode.IsLetter(r), unicode.IsMark(r):
		return uint8(otherSpaced) | needsNFKC | isPeculiar
	case unicode.IsDigit(r):
		return uint8(digit) | needsNFKC | isPeculiar
	case r >= 0x1F100 && r <= 0x1F1FF: // squared and circled letters
		return needsNFKC | isPeculiar
	}
	return needsNFKC
}

// classOf returns the class of a rune of the matching copy.
func classOf(r rune) letterClass { return letterClass(propsOf(r) & classMask) }

// isBoundary reports whether a word may begin or end between two neighbours.
func isBoundary(before, after letterClass) bool {
	return before != after || before == notWord || before == unspaced
}

// lettersPerWord is how many letters of a script without spaces make a word,
// roughly: what six English words say takes twelve Han characters, but 36
// letters of Thai.
func lettersPerWord(r rune) float32 {
	switch {
	case r >= 0x3040 && r <= 0x30FF: // kana
		return 4
	case r >= 0x0E00 && r <= 0x17FF: // Thai, Lao, Myanmar, Khmer
		return 6
	}
	return 2
}
