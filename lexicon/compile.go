package lexicon

import "encoding/binary"

// The compiled form of a lexicon. Numbers are unsigned varints, texts have their
// length before them.
//
//	magic
//	the number of languages; for each its tag, order and traits
//	the numbers of senses and of their terms; for each sense its looks, the
//	  number of its terms and for each of them the language, kind, category and
//	  traits, and the second part of an act in two
//	the numbers of keys and their bytes, of texts of their own and their bytes
//	the keys in order: for each the number of bytes it shares with the one before,
//	  the rest, the number of its sense, and the texts of its terms that are
//	  written otherwise: with how many bytes the text and the key begin and end
//	  alike, and what the text has between
const compiledMagic = "countersign terms 1\n"

// Traits of a language.
const (
	traitListsVerbs = 1 << iota
	traitNames
)

// Traits of a term.
const (
	traitAttached = 1 << iota
	traitOwnText
	traitTail
)

// compile returns the compiled form of the lexicon: the same bytes for the same
// term files.
func (l *Lexicon) compile() []byte {
	b := []byte(compiledMagic)
	b = appendNumber(b, len(l.langs))
	for _, lang := range l.langs {
		b = append(appendText(b, lang.tag), byte(lang.order), traits(lang.listsVerbs, lang.names))
	}
	terms := 0
	for i := range l.senses {
		terms += len(l.senses[i].terms)
	}
	b = appendNumber(appendNumber(b, len(l.senses)), terms)
	for i := range l.senses {
		b = appendSense(b, &l.senses[i])
	}
	size := 0
	for _, own := range l.texts {
		size += len(own.text)
	}
	for _, n := range []int{len(l.senseOf), len(l.phrases.keys), len(l.texts), size} {
		b = appendNumber(b, n)
	}
	before, texts := "", l.texts
	for i, sense := range l.senseOf {
		key := l.phrases.spelling(int32(i))
		shared := sharedBytes(before, key)
		b = appendNumber(appendText(appendNumber(b, shared), key[shared:]), int(sense))
		for ; len(texts) > 0 && texts[0].key == int32(i); texts = texts[1:] {
			b = appendDifference(b, key, texts[0].text)
		}
		before = key
	}
	return b
}

// appendSense appends what tells a sense from others.
func appendSense(b []byte, s *sense) []byte {
	b = appendNumber(append(b, byte(s.looks)), len(s.terms))
	for i := range s.terms {
		t := &s.terms[i]
		b = append(appendNumber(b, int(t.language)), byte(t.kind), byte(t.category), traits(t.attached, t.ownText, t.tail != ""))
		if t.tail != "" {
			b = appendText(b, t.tail)
		}
	}
	return b
}

// traits is a byte with a bit for each of those that are so.
func traits(are ...bool) (b byte) {
	for i, is := range are {
		if is {
			b |= 1 << i
		}
	}
	return b
}

func appendNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendText(b []byte, s string) []byte { return append(appendNumber(b, len(s)), s...) }

// appendDifference appends what a text has that its key has not.
func appendDifference(b []byte, key, text string) []byte {
	head, tail := sharedBytes(key, text), 0
	for tail < min(len(key), len(text))-head && key[len(key)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	return appendText(appendNumber(appendNumber(b, head), tail), text[head:len(text)-tail])
}
