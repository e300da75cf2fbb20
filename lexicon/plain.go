package lexicon

import "unicode/utf8"

// setPlain is setByAll for texts in which each letter is folded by itself and
// little else has to be done: most labels in most languages. It reports false,
// with the copy empty, wherever that is not certain.
func (t *copyText) setPlain(s string) bool {
	var p plainText
	seen := t.bytes[:0] // s without what is not seen, once there is such
	n := uint16(0)
	for i, r := range s {
		props := propsOf(r)
		switch {
		case props&isPeculiar != 0, r >= popDirection && r <= rightToLeftOverride:
			return t.empty()
		case props&isIgnorable != 0:
			if !p.ignores {
				p.ignores, seen = true, append(seen, s[:i]...)
			}
			n++
			continue
		case !p.take(props):
			return t.empty()
		case p.ignores:
			seen = utf8.AppendRune(seen, r)
		}
		if props&isBlank != 0 {
			r = ' '
		} else {
			r = foldRune(r)
		}
		if r == '-' && p.before != notWord && startsWithLetter(s[i:]) {
			r = ' '
		}
		if r != ' ' || len(t.b) > 0 && t.b[len(t.b)-1] != ' ' {
			t.append(t.withTone(r), n)
		}
		p.before = letterClass(props & classMask)
		n++
	}
	if p.composes && !p.ignores {
		seen = append(seen, s...)
	}
	t.bytes = seen
	if !p.ends() || p.composes && !t.isComposed() {
		return t.empty()
	}
	t.trim()
	return true
}

// append appends a rune that stands for rune n of the original.
func (t *copyText) append(r rune, n uint16) {
	if r < utf8.RuneSelf {
		t.b, t.from, t.to = append(t.b, byte(r)), append(t.from, n), append(t.to, n+1)
		return
	}
	before := len(t.b)
	t.b = utf8.AppendRune(t.b, r)
	switch len(t.b) - before {
	case 2:
		t.from, t.to = append(t.from, n, n), append(t.to, n+1, n+1)
	case 3:
		t.from, t.to = append(t.from, n, n, n), append(t.to, n+1, n+1, n+1)
	default:
		t.from, t.to = append(t.from, n, n, n, n), append(t.to, n+1, n+1, n+1, n+1)
	}
}

// withTone returns r as it is written behind the copy, of which it may change the
// last letter; see tonesMoved.
func (t *copyText) withTone(r rune) rune {
	last := len(t.b) - 1
	if r < utf8.RuneSelf || last < 0 || t.b[last] != 'o' && t.b[last] != 'u' {
		return r
	}
	before, after := tonesMoved(rune(t.b[last]), r)
	if after != r {
		n := t.from[last]
		t.b, t.from, t.to = t.b[:last], t.from[:last], t.to[:last]
		t.append(before, n)
	}
	return after
}

// startsWithLetter reports whether the first rune of s that is seen, besides the
// first of all, is a letter or digit.
func startsWithLetter(s string) bool {
	first := true
	for _, r := range s {
		if !first && propsOf(r)&isIgnorable == 0 {
			return classOf(r) != notWord
		}
		first = false
	}
	return false
}

// plainText watches for what one letter alone does not show: letters that may
// compose, alphabets mixed in a word, and lettering that is spaced out.
type plainText struct {
	composes bool // has letters that may compose
	ignores  bool // has what is not seen

	before  letterClass // of the last rune
	first   letterClass // of the first rune of the word under way
	letters int         // of that word, without the marks behind its first
	latin   bool        // the letters in a row under way are of Latin
	other   bool        // or of a script with letters that look like Latin ones
	words   int         // that have ended
	singles int         // those of one letter
}

// take takes the properties of the next rune. It reports false for a letter that
// may stand for one of another alphabet.
func (p *plainText) take(props uint8) bool {
	p.composes = p.composes || props&(needsNFKC|isBlank) == needsNFKC
	class := letterClass(props & classMask)
	switch class {
	case notWord:
		p.endWord()
		p.latin, p.other = false, false
		return true
	case latin:
		p.latin = true
	case greek, cyrillic, otherSpaced:
		p.other = true
	default:
		p.latin, p.other = false, false
	}
	if p.letters == 0 {
		p.first = class
	}
	if p.letters == 0 || props&isMark == 0 {
		p.letters++
	}
	return !p.latin || !p.other
}

func (p *plainText) endWord() {
	if p.letters > 0 {
		p.words++
	}
	if p.letters == 1 && p.first != digit {
		p.singles++
	}
	p.letters = 0
}

// ends ends the text. It reports false for one that may be spaced-out lettering;
// see joinSpacedOut.
func (p *plainText) ends() bool {
	p.endWord()
	return p.singles < 2 || p.singles == 2 && p.words > 2
}
