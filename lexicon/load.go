package lexicon

import (
	_ "embed"
	"errors"
	"strings"

	"github.com/countersign/countersign/risk"
)

// The term files as the program has them: read, folded and in order, so that a
// start need not do it. A test says when they are older than the files.
//
//go:generate go test . -count=1 -run ^TestTermsAreCompiled$ -write-compiled
//go:embed terms.compiled
var compiledTerms string

// errCompiled says that data is no compiled lexicon, or one of another version.
var errCompiled = errors.New("no terms compiled by this version; run: go generate ./lexicon")

// load makes a lexicon of its compiled form, of which it keeps parts.
func load(compiled string) (*Lexicon, error) {
	rest, ok := strings.CutPrefix(compiled, compiledMagic)
	if !ok {
		return nil, errCompiled
	}
	r := loader{rest: rest}
	l := newLexicon()
	l.langs = make([]lang, r.count())
	for i := range l.langs {
		l.langs[i] = r.lang()
	}
	r.senses(l)
	r.keys(l)
	if r.failed || r.rest != "" {
		return nil, errCompiled
	}
	for i := range l.senses {
		l.describe(&l.senses[i])
	}
	return l, nil
}

// loader reads a compiled lexicon. At its end or at what cannot be it fails, and
// all that it reads from then on is zero.
type loader struct {
	rest   string
	failed bool
	own    strings.Builder // the texts that differ from their keys
}

func (r *loader) fail() { r.rest, r.failed = "", true }

func (r *loader) byte() byte {
	if r.rest == "" {
		r.fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *loader) number() int {
	n := 0
	for shift := 0; shift < 32; shift += 7 {
		b := r.byte()
		n |= int(b&0x7F) << shift
		if b < 0x80 {
			return n
		}
	}
	r.fail()
	return 0
}

// upTo is a number that is no larger than most.
func (r *loader) upTo(most int) int {
	n := r.number()
	if n > most {
		r.fail()
		return 0
	}
	return n
}

// count is a number of things that take a byte or more each.
func (r *loader) count() int {
	n := r.number()
	if n > len(r.rest) {
		r.fail()
		return 0
	}
	return n
}

func (r *loader) text() string {
	n := r.count()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *loader) lang() lang {
	l := lang{tag: r.text(), order: order(r.upTo(len(orderNames) - 1))}
	traits := r.byte()
	l.listsVerbs, l.names = traits&traitListsVerbs != 0, traits&traitNames != 0
	return l
}

// senses reads the senses with their terms.
func (r *loader) senses(l *Lexicon) {
	l.senses = make([]sense, r.count())
	terms := make([]term, r.count())
	for i := range l.senses {
		s := &l.senses[i]
		s.looks = looks(r.upTo(int(symbol | short)))
		n := r.upTo(len(terms))
		s.terms, terms = terms[:n:n], terms[n:]
		for nth := range s.terms {
			s.terms[nth] = r.term(len(l.langs))
			s.terms[nth].nth = uint16(nth)
		}
	}
	if len(terms) > 0 {
		r.fail()
	}
}

// term reads a term of one of so many languages.
func (r *loader) term(languages int) term {
	t := term{language: uint16(r.upTo(languages - 1)), kind: kind(r.upTo(kindCount - 1)), category: risk.Category(r.upTo(int(risk.Dismissal)))}
	traits := r.byte()
	t.attached, t.ownText = traits&traitAttached != 0, traits&traitOwnText != 0
	if traits&traitTail != 0 {
		t.tail = r.text()
	}
	return t
}

// keys reads the keys with what they mean.
func (r *loader) keys(l *Lexicon) {
	keys, size, texts, textSize := r.count(), r.number(), r.count(), r.number()
	l.senseOf, l.texts = make([]uint32, keys), make([]ownText, 0, texts)
	book := newPhrasebook(keys, min(size, maxTermLength*keys))
	r.own.Grow(min(textSize, maxTermLength*texts))
	for i := range l.senseOf {
		shared, rest := r.upTo(len(book.before)), r.text()
		if rest == "" || shared < len(book.before) && rest[0] <= book.before[shared] {
			r.fail() // no key, or out of order
			break
		}
		key := book.add(shared, rest)
		sense := r.upTo(len(l.senses) - 1)
		if r.failed {
			break
		}
		l.senseOf[i] = uint32(sense)
		for nth := range l.senses[sense].terms {
			if t := &l.senses[sense].terms[nth]; t.ownText {
				l.texts = append(l.texts, ownText{int32(i), t.nth, r.differing(key)})
			}
		}
	}
	l.phrases = book.table()
}

// differing reads a text that differs from its key.
func (r *loader) differing(key string) string {
	head := r.upTo(len(key))
	tail := r.upTo(len(key) - head)
	start := r.own.Len()
	r.own.WriteString(key[:head])
	r.own.WriteString(r.text())
	r.own.WriteString(key[len(key)-tail:])
	return r.own.String()[start:]
}
