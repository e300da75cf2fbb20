package lexicon

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/countersign/countersign/lexicon/statistical"
)

// MaxText is the number of bytes of a text that are read; labels are short, and
// a hostile text must not cost more than this.
const MaxText = 4096

// Lexicon is a set of terms ready to read with. It is immutable and safe for
// concurrent use.
type Lexicon struct {
	langs   []lang
	phrases *phrases  // the spellings of all terms, as keys
	senseOf []uint32  // of each key, its place in senses
	senses  []sense   // the most frequent first
	texts   []ownText // in the order of keys and terms
	scratch sync.Pool // of *reader
	// model returns the statistical layer; nil where there is none.
	model func() *statistical.Model
}

// sense is what a spelling means: its terms. Most spellings share theirs with
// many others, as verbs of one language that do the same.
type sense struct {
	terms     []term
	kinds     kinds // of its terms, without those for names
	nameKinds kinds // of all its terms
	langs     langSet
	hint      uint32 // of the terms, for the statistical layer
	looks     looks
}

// looks are what the letters of a spelling say by themselves.
type looks uint8

const (
	symbol looks = 1 << iota // holds no letter: an emoji or an arrow
	short                    // up to three Latin letters: too common to mean much across languages
)

// ownText is the text of a term that is written otherwise than its key.
type ownText struct {
	key  int32
	nth  uint16 // of the terms of the key
	text string
}

// langSet is a set of languages; the first 128 files can be told apart, later
// ones count as every language.
type langSet [2]uint64

func (s *langSet) add(language uint16) {
	if int(language) >= len(s)*64 {
		*s = langSet{^uint64(0), ^uint64(0)}
		return
	}
	s[language/64] |= 1 << (language % 64)
}

func (s langSet) has(language uint16) bool {
	return int(language) >= len(s)*64 || s[language/64]&(1<<(language%64)) != 0
}

func (s langSet) and(t langSet) langSet { return langSet{s[0] & t[0], s[1] & t[1]} }
func (s langSet) empty() bool           { return s == langSet{} }

// Default returns the lexicon of the term files and the statistical model that
// are part of the program. It is loaded on first use and shared; the model is
// unpacked when a label first needs it.
func Default() *Lexicon { return defaultLexicon() }

var defaultLexicon = sync.OnceValue(func() *Lexicon {
	l, err := load(compiledTerms)
	if err != nil {
		panic("lexicon: embedded terms: " + err.Error())
	}
	l.model = defaultModel
	return l
})

func newLexicon() *Lexicon {
	l := &Lexicon{}
	l.scratch.New = func() any { return new(reader) }
	return l
}

// New builds a lexicon from the term files at the root of files, all that end
// in ".txt". It has no statistical layer; see [Lexicon.WithModel]. An error wraps [ErrTerms] and names the file and line and what is
// accepted there, or says that a file cannot be read or that there is none.
func New(files fs.FS) (*Lexicon, error) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("list term files: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: no file ends in .txt", ErrTerms)
	}
	bySpeakers(names)
	l := newLexicon()
	parsed, err := parseAll(files, names)
	if err != nil {
		return nil, err
	}
	var all []entry
	for at, file := range parsed {
		name := names[at]
		if slices.ContainsFunc(l.langs, func(other lang) bool { return other.tag == file.lang.tag }) {
			return nil, fmt.Errorf("%w: %s: language %s has a file already", ErrTerms, name, file.lang.tag)
		}
		file.lang.names = file.lang.tag == namesTag
		for _, w := range file.terms {
			w.language = uint16(len(l.langs))
			file.lang.listsVerbs = file.lang.listsVerbs || w.kind == verb
			all = append(all, w)
		}
		l.langs = append(l.langs, file.lang)
	}
	l.index(all)
	return l, nil
}

// parseAll parses the files, on all processors: it is a good part of the time a
// program needs to start. The error is that of the first bad file.
func parseAll(files fs.FS, names []string) ([]*termFile, error) {
	parsed, failed := make([]*termFile, len(names)), make([]error, len(names))
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				parsed[i], failed[i] = parseTerms(files, names[i])
			}
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return parsed, nil
}

// widelySpoken are the languages with most phones, in that order. A word that
// several languages have with the same meaning is named after the first.
var widelySpoken = []string{
	english, "zh-Hans", "zh-Hant", "es", "pt", "fr", "de", "it", "ru", "ja", "ko", "ar", "hi", "id", "tr",
	"vi", "pl", "nl", "uk", "th", "fa", "sv",
}

// bySpeakers sorts the names of term files so that the widely spoken languages
// come first and the others follow by their tags.
func bySpeakers(names []string) {
	rank := func(name string) int {
		if i := slices.Index(widelySpoken, strings.TrimSuffix(path.Base(name), ".txt")); i >= 0 {
			return i
		}
		return len(widelySpoken)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
	})
}

// sense returns what a key means.
func (l *Lexicon) sense(key int32) *sense { return &l.senses[l.senseOf[key]] }

// textOf returns a term of a key as it is written in its file.
func (l *Lexicon) textOf(key int32, t *term) string {
	if !t.ownText {
		return l.phrases.spelling(key)
	}
	at, _ := slices.BinarySearchFunc(l.texts, t.nth, func(o ownText, nth uint16) int {
		return cmp.Or(cmp.Compare(o.key, key), cmp.Compare(o.nth, nth))
	})
	return l.texts[at].text
}

// all yields all terms with their keys, in order.
func (l *Lexicon) all() iter.Seq2[int32, *term] {
	return func(yield func(int32, *term) bool) {
		for key := range int32(len(l.senseOf)) {
			terms := l.sense(key).terms
			for n := range terms {
				if !yield(key, &terms[n]) {
					return
				}
			}
		}
	}
}
