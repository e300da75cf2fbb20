package lexicon

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/countersign/countersign/lexicon/statistical"
	"github.com/countersign/countersign/risk"
)

// MaxText is the number of bytes of a text that are read; labels are short, and
// a hostile text must not cost more than this.
const MaxText = 4096

//go:embed terms/*.txt
var embedded embed.FS

// Lexicon is a set of terms ready to read with. It is immutable and safe for
// concurrent use.
type Lexicon struct {
	langs   []lang
	terms   []term  // grouped by key
	keys    []keyed // what ends in the automaton, in its order
	auto    *automaton
	scratch sync.Pool // of *reader
	// model returns the statistical layer; nil where there is none.
	model func() *statistical.Model
}

// keyed is one normalised spelling with all the terms that are written so.
type keyed struct {
	first, end uint32 // its terms
	kinds      kinds  // of its terms, without those for names
	nameKinds  kinds  // of all its terms
	langs      langSet
	length     uint16 // bytes
	hint       uint32 // of the terms, for the statistical layer
	words      float32
	symbol     bool // holds no letter: an emoji or an arrow
	short      bool // up to three Latin letters: too common to mean much across languages
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
// are part of the program. It is built on first use and shared; the model is
// unpacked when a label first needs it.
func Default() *Lexicon { return defaultLexicon() }

var defaultLexicon = sync.OnceValue(func() *Lexicon {
	files, err := fs.Sub(embedded, "terms")
	if err != nil {
		panic("lexicon: embedded terms: " + err.Error())
	}
	l, err := New(files)
	if err != nil {
		panic("lexicon: embedded terms: " + err.Error())
	}
	l.model = defaultModel
	return l
})

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
	l := &Lexicon{}
	var spellings []string
	parsed, err := parseAll(files, names)
	if err != nil {
		return nil, err
	}
	for at, file := range parsed {
		name := names[at]
		if slices.ContainsFunc(l.langs, func(other lang) bool { return other.tag == file.lang.tag }) {
			return nil, fmt.Errorf("%w: %s: language %s has a file already", ErrTerms, name, file.lang.tag)
		}
		file.lang.names = file.lang.tag == namesTag
		for _, t := range file.terms {
			t.language = uint16(len(l.langs))
			file.lang.listsVerbs = file.lang.listsVerbs || t.kind == verb
			l.terms = append(l.terms, t)
		}
		l.langs = append(l.langs, file.lang)
		spellings = append(spellings, file.spellings...)
	}
	l.index(spellings)
	l.scratch.New = func() any { return new(reader) }
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

// index groups the terms by their spelling and builds the automaton over the
// distinct spellings.
func (l *Lexicon) index(spellings []string) {
	order := make([]int32, len(l.terms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		if c := strings.Compare(spellings[i], spellings[j]); c != 0 {
			return c
		}
		return int(i - j)
	})
	sorted := make([]term, 0, len(order))
	keys := make([]string, 0, len(order))
	l.keys = make([]keyed, 0, len(order))
	for _, i := range order {
		if n := len(keys); n == 0 || keys[n-1] != spellings[i] {
			keys = append(keys, spellings[i])
			l.keys = append(l.keys, newKeyed(spellings[i], len(sorted)))
		}
		sorted = append(sorted, l.terms[i])
		l.keys[len(l.keys)-1].take(&l.terms[i], &l.langs[l.terms[i].language])
	}
	l.terms = sorted
	for i := range l.keys {
		k := &l.keys[i]
		k.hint = hintOf(k.kinds, l.worstOf(k))
	}
	l.auto = newAutomaton(keys)
}

// worstOf returns the worst that the terms of a spelling do, or speak of.
func (l *Lexicon) worstOf(k *keyed) risk.Category {
	worst := risk.None
	for _, t := range l.terms[k.first:k.end] {
		if t.category.Weight() > worst.Weight() && !l.langs[t.language].names {
			worst = t.category
		}
	}
	return worst
}

// take adds a term to those of the spelling.
func (k *keyed) take(t *term, in *lang) {
	k.end++
	k.nameKinds |= t.kind.set()
	if !in.names {
		k.kinds |= t.kind.set()
	}
	k.langs.add(t.language)
}

func newKeyed(spelling string, first int) keyed {
	k := keyed{first: uint32(first), end: uint32(first), length: uint16(len(spelling)), symbol: true, short: true}
	letters := 0
	for _, r := range spelling {
		class := classOf(r)
		k.symbol = k.symbol && class == notWord
		k.short = k.short && class == latin
		letters++
	}
	k.short = k.short && letters <= 3
	k.words = countWords(spelling)
	return k
}

// countWords counts words; in scripts without spaces some letters make one.
func countWords(s string) (words float32) {
	before := notWord
	for _, r := range s {
		class := classOf(r)
		if words += wordPart(r, class); class != unspaced && class != notWord && isBoundary(before, class) {
			words++
		}
		before = class
	}
	return words
}

// termsOf returns the terms that are spelled as key.
func (l *Lexicon) termsOf(key int32) []term {
	return l.terms[l.keys[key].first:l.keys[key].end]
}
