package lexicon

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// A manner is a way to read a text of which the letters alone do not say what a
// person sees.
type manner uint8

const (
	asWritten manner = iota
	inLatin          // words that can be read as Latin letters are
	asShown          // what is turned round is read as it stands on the screen
	apart            // words of a single letter stay apart: a term is not spaced-out lettering
	digitsAsL        // digits that stand in for letters are read as those, 1 as l
	digitsAsI        // and 1 as i
)

// The characters that turn the order of letters round, and the one that ends it.
const (
	popDirection        = '\u202C'
	leftToRightOverride = '\u202D'
	rightToLeftOverride = '\u202E'
)

// turn notes the override r and returns the first cell that is under it, -1 for
// none. Where the text is read as shown, the cells under the override before it,
// from turned on, are put in the order in which they are seen.
func (t *copyText) turn(turned int, r rune) int {
	if turned >= 0 && turned < len(t.cells) && t.manner == asShown {
		t.reverse(t.cells[turned:])
	}
	if r == popDirection {
		return -1
	}
	t.overridden = true
	return len(t.cells)
}

// reverse turns the cells round, each letter with its marks, and lets each
// stand for the whole stretch, so that spans still never fall.
func (t *copyText) reverse(cells []cell) {
	from, to := cells[0].from, cells[len(cells)-1].to
	slices.Reverse(cells)
	for i := range cells {
		cells[i].from, cells[i].to = from, to
	}
	for i := 0; i < len(cells); i++ {
		start := i
		for i+1 < len(cells) && unicode.IsMark(cells[i].r) {
			i++
		}
		slices.Reverse(cells[start : i+1])
	}
}

// What digits and signs stand for inside a word, by the alphabet of its
// letters. In Cyrillic and Greek there are few that are beyond doubt.
const (
	latinDigits    = "0o1l3e4a5s7t8b$s@a!i€e¥y£l"
	cyrillicDigits = "0о3з"
	greekDigits    = "0ο3ε"
)

// letterOf returns the letter that r stands for in a word of that alphabet, or 0.
func letterOf(r rune, class letterClass) rune {
	pairs := latinDigits
	switch class {
	case cyrillic:
		pairs = cyrillicDigits
	case greek:
		pairs = greekDigits
	}
	letter := rune(-1)
	for _, c := range pairs {
		switch {
		case letter == 0:
			return c
		case letter == -1 && c == r:
			letter = 0
		case letter == -1:
			letter = -2 // over the letter of another pair
		default:
			letter = -1
		}
	}
	return 0
}

// spellDigits writes words such as "d3l3te" in letters. What ends in digits is
// left alone: that is how things are numbered.
func (t *copyText) spellDigits() {
	for start := 0; start < len(t.cells); {
		class, letters, end := notWord, 0, start
		for ; end < len(t.cells); end++ {
			c := classOf(t.cells[end].r)
			if c == latin || c == cyrillic || c == greek {
				class = c
				letters++
			} else if letterOf(t.cells[end].r, latin) == 0 && c != digit {
				break
			}
		}
		for end > start && classOf(t.cells[end-1].r) <= digit {
			end--
		}
		if letters >= 2 && letters*2 >= end-start {
			for i := start; i < end; i++ {
				t.spellDigit(i, class)
			}
		}
		start = max(end, start) + 1
	}
}

func (t *copyText) spellDigit(i int, class letterClass) {
	c := t.cells[i].r
	switch letter := letterOf(c, class); {
	case c == '1' && class == latin && t.manner == digitsAsI:
		t.cells[i].r = 'i'
	case letter != 0 && classOf(c) <= digit:
		t.cells[i].r = letter
	}
}

// endsDigit has the last bytes of the digits and signs that stand for letters.
var endsDigit = func() (ends [256]bool) {
	for _, c := range []byte("0123456789$@!\xAC\xA5\xA3") {
		ends[c] = true
	}
	return ends
}()

// mayHoldDigits reports whether a digit or a sign stands right before a letter,
// and whether one of those is a 1.
func (t *copyText) mayHoldDigits() (some, ones bool) {
	b := t.b
	for i := 0; i+1 < len(b); i++ {
		if !endsDigit[b[i]] {
			continue
		}
		switch c := b[i]; {
		case c < utf8.RuneSelf:
		case c == 0xAC && i > 0 && b[i-1] == 0x82: // €
		case (c == 0xA5 || c == 0xA3) && i > 0 && b[i-1] == 0xC2: // ¥, £
		default:
			continue
		}
		if next := b[i+1]; isASCIILetter(next) || next >= 0xC3 && next <= 0xD3 || next >= '0' && next <= '9' {
			some, ones = true, ones || b[i] == '1'
		}
	}
	return some, ones
}
