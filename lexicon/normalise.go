package lexicon

import (
	"bytes"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// copyText is the matching copy of a text: what it says once everything is
// taken away that changes nothing for a reader. For each byte of the copy, from
// and to give the half-open span of runes of the original that it stands for;
// both never fall from one byte to the next.
type copyText struct {
	b        []byte
	from, to []uint16

	manner     manner
	overridden bool // the text has characters that turn its order round

	cells, folded []cell // scratch: one per rune
	bytes         []byte // scratch: the runes as UTF-8, for composing
	iter          norm.Iter
}

// cell is one rune on its way into the copy, with the span of the original.
type cell struct {
	r        rune
	from, to uint16
}

// set makes the matching copy of s as it is written, or with latinised in
// Latin letters.
func (t *copyText) set(s string, latinised bool) {
	if latinised {
		t.setAs(s, inLatin)
		return
	}
	t.setAs(s, asWritten)
}

// setAs makes the matching copy of s, of which at most MaxText bytes are read.
func (t *copyText) setAs(s string, m manner) {
	t.empty()
	t.manner, t.overridden = m, false
	if len(s) > MaxText {
		s = s[:MaxText]
	}
	if m != asWritten || !t.setASCII(s) && !t.setPlain(s) {
		t.setByAll(s)
	}
}

// setByAll takes every step that a text may need, in its manner.
func (t *copyText) setByAll(s string) {
	if t.decode(s) {
		t.compose()
	}
	t.unmaskWords(t.manner == inLatin)
	t.foldLetters()
	if t.manner >= digitsAsL {
		t.spellDigits()
	}
	if t.manner != apart {
		t.joinSpacedOut()
	}
	t.write()
}

// empty empties the copy and returns false.
func (t *copyText) empty() bool {
	t.b, t.from, t.to = t.b[:0], t.from[:0], t.to[:0]
	return false
}

// setASCII is set for the texts that need nothing but lower case and tidy
// spaces. It reports false, with the copy empty, for any other.
func (t *copyText) setASCII(s string) bool {
	single := 0 // words of one letter in a row: perhaps spaced-out lettering
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' && !(c >= '\t' && c <= '\r') || c == 0x7F {
			return false
		}
		if isASCIILetter(c) && (i == 0 || !isASCIIWord(s[i-1])) && (i+1 == len(s) || !isASCIIWord(s[i+1])) {
			if single++; single > 1 {
				return false
			}
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c == '`':
			c = '\''
		case c <= ' ', c == '-' && i > 0 && i+1 < len(s) && isASCIIWord(s[i-1]) && isASCIIWord(s[i+1]):
			if n := len(t.b); n == 0 || t.b[n-1] == ' ' {
				continue
			}
			c = ' '
		}
		t.b = append(t.b, c)
		t.from = append(t.from, uint16(i))
		t.to = append(t.to, uint16(i+1))
	}
	t.trim()
	return true
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isASCIIWord(c byte) bool   { return isASCIILetter(c) || c >= '0' && c <= '9' }

// decode fills the cells with what can be seen of s and reports whether it may
// have to be composed.
func (t *copyText) decode(s string) bool {
	t.cells = t.cells[:0]
	var seen uint8
	n := uint16(0)
	turned := -1 // the first cell that is shown in reverse
	for _, r := range s {
		p := propsOf(r)
		if p&isIgnorable == 0 {
			if p&isBlank != 0 {
				r, p = ' ', 0
			}
			switch r {
			case '´': // composing would make a space and an accent of it
				r, p = '\'', 0
			case 'Ϲ', 'ϲ': // and a sigma of these, which look like a C
				r, p = 'c', 0
			}
			seen |= p
			t.cells = append(t.cells, cell{r, n, n + 1})
		} else if r >= popDirection && r <= rightToLeftOverride {
			turned = t.turn(turned, r)
		}
		n++
	}
	t.turn(turned, popDirection)
	return seen&needsNFKC != 0
}

// compose brings the cells into NFKC. Ignorables are gone by now: between a
// letter and its accent they would keep the two apart.
func (t *copyText) compose() {
	t.bytes = t.bytes[:0]
	for _, c := range t.cells {
		t.bytes = utf8.AppendRune(t.bytes, c.r)
	}
	if t.isComposed() {
		return
	}
	n := len(t.cells)
	t.iter.Init(norm.NFKC, t.bytes)
	next := 0 // the first cell that is not composed yet
	for done := 0; !t.iter.Done(); {
		piece := t.iter.Next()
		first := next
		for ; done < t.iter.Pos() && next < n; next++ {
			done += utf8.RuneLen(t.cells[next].r)
		}
		// A rune that becomes many comes out in pieces, and is done with the last.
		last := max(next-1, min(first, n-1))
		span := cell{from: t.cells[min(first, n-1)].from, to: t.cells[last].to}
		for len(piece) > 0 {
			r, size := utf8.DecodeRune(piece)
			piece = piece[size:]
			if propsOf(r)&isIgnorable == 0 {
				t.cells = append(t.cells, cell{r, span.from, span.to})
			}
		}
	}
	t.cells = t.cells[:copy(t.cells, t.cells[n:])]
}

// isComposed reports whether the bytes of the scratch are in NFKC. The library's
// own answer allocates where it is not quick.
func (t *copyText) isComposed() bool {
	if norm.NFKC.QuickSpan(t.bytes) == len(t.bytes) {
		return true
	}
	rest, same := t.bytes, true
	t.iter.Init(norm.NFKC, t.bytes)
	for !t.iter.Done() { // to the end, or the next text begins with what is left
		piece := t.iter.Next()
		if same = same && bytes.HasPrefix(rest, piece); same {
			rest = rest[len(piece):]
		}
	}
	return same && len(rest) == 0
}

// unmaskWords undoes look-alike letters, word by word.
func (t *copyText) unmaskWords(all bool) {
	start, mixed := 0, letterClass(0)
	several := false
	for i := 0; i <= len(t.cells); i++ {
		class := notWord
		if i < len(t.cells) {
			class = classOf(t.cells[i].r)
		}
		if class >= latin && class < unspaced && class != hangul {
			several = several || mixed != 0 && mixed != class || mayMask(t.cells[i].r)
			mixed = class
			continue
		}
		if mixed != 0 && (several || all) {
			unmask(t.cells[start:i], all)
		}
		start, mixed, several = i+1, 0, false
	}
}

// mayMask reports letters that can pose as Latin ones in a word that has none
// of a second alphabet: phonetic letters, and the smaller scripts that share a
// class with many others.
func mayMask(r rune) bool {
	switch {
	case r < 0x180:
		return false
	case r <= 0x1DBF:
		return r <= 0x2AF || r >= 0x530 && r < 0x590 || r >= 0x10A0 && r < 0x1100 || r >= 0x13A0 && r < 0x1680 || r >= 0x1D00
	}
	return r >= 0x2C80 && r < 0x2D00 || r >= 0xA4D0 && r < 0xA500 || r >= 0xA720 && r < 0xABC0
}

// foldLetters folds each cell; a letter may vanish or become two.
func (t *copyText) foldLetters() {
	out := t.folded[:0]
	for i, c := range t.cells {
		switch {
		case c.r == 'ß' || c.r == 'ẞ':
			c.r = 's'
			out = append(out, c)
		case isFlagLetter(c.r) && t.spelledInFlags(i):
			c.r = 'a' + c.r - firstFlagLetter
		default:
			c.r = foldRune(c.r)
		}
		n := len(out)
		if c.r == dropped { // a mark belongs to its letter
			if n > 0 && out[n-1].to == c.from {
				out[n-1].to = c.to
			}
			continue
		}
		if n > 0 {
			out[n-1].r, c.r = tonesMoved(out[n-1].r, c.r)
		}
		out = append(out, c)
	}
	t.cells, t.folded = out, t.cells
}

const firstFlagLetter = 0x1F1E6

func isFlagLetter(r rune) bool { return r >= firstFlagLetter && r < firstFlagLetter+26 }

// spelledInFlags reports whether the flag letter at i stands in a row of three
// or more, which spells a word rather than shows a flag.
func (t *copyText) spelledInFlags(i int) bool {
	row := 1
	for j := i - 1; j >= 0 && row < 3 && isFlagLetter(t.cells[j].r); j-- {
		row++
	}
	for j := i + 1; j < len(t.cells) && row < 3 && isFlagLetter(t.cells[j].r); j++ {
		row++
	}
	return row >= 3
}

// write turns the cells into the bytes of the copy: spaces in a row become one,
// a hyphen inside a word becomes a space.
func (t *copyText) write() {
	for i, c := range t.cells {
		if c.r == '-' && i > 0 && i+1 < len(t.cells) &&
			classOf(t.cells[i-1].r) != notWord && classOf(t.cells[i+1].r) != notWord {
			c.r = ' '
		}
		if c.r == ' ' {
			if n := len(t.b); n == 0 || t.b[n-1] == ' ' {
				continue
			}
		}
		before := len(t.b)
		t.b = utf8.AppendRune(t.b, c.r)
		for range len(t.b) - before {
			t.from = append(t.from, c.from)
			t.to = append(t.to, c.to)
		}
	}
	t.trim()
}

func (t *copyText) trim() {
	if n := len(t.b); n > 0 && t.b[n-1] == ' ' {
		t.b, t.from, t.to = t.b[:n-1], t.from[:n-1], t.to[:n-1]
	}
}

// span returns the runes of the original that bytes start to end of the copy
// stand for.
func (t *copyText) span(start, end int) (from, to uint16) {
	if start >= end || end > len(t.b) {
		return 0, 0
	}
	return t.from[start], t.to[end-1]
}

// Fold appends the matching copy of s to dst: NFKC in lower case without what
// cannot be seen, look-alike letters and variant spellings folded. At most
// [MaxText] bytes of s are read. Two texts that a reader would take for the
// same have the same copy.
func Fold(dst []byte, s string) []byte {
	t := folders.Get().(*copyText)
	defer folders.Put(t)
	t.set(s, false)
	return append(dst, t.b...)
}

var folders = sync.Pool{New: func() any { return new(copyText) }}
