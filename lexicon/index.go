package lexicon

import (
	"cmp"
	"slices"
	"strings"

	"github.com/countersign/countersign/risk"
)

// index makes the keys and senses of terms, which come in the order of their
// files.
func (l *Lexicon) index(all []entry) {
	slices.SortStableFunc(all, func(a, b entry) int { return strings.Compare(a.spelling, b.spelling) })
	book := newPhrasebook(len(all), 0)
	senses := gathering{places: map[string]uint32{}}
	for rest := all; len(rest) > 0; {
		spelling, n := rest[0].spelling, 1
		for n < len(rest) && rest[n].spelling == spelling {
			n++
		}
		shared := sharedBytes(book.before, spelling)
		book.add(shared, spelling[shared:])
		s := sense{looks: looksOf(spelling)}
		for i, w := range rest[:n] {
			w.nth, w.ownText = uint16(i), w.text != spelling
			if w.ownText {
				l.texts = append(l.texts, ownText{int32(len(l.senseOf)), w.nth, w.text})
			}
			s.terms = append(s.terms, w.term)
		}
		l.senseOf = append(l.senseOf, senses.add(s))
		rest = rest[n:]
	}
	l.phrases = book.table()
	l.senses = senses.all
	l.sortSenses(senses.count)
	for i := range l.senses {
		l.describe(&l.senses[i])
	}
}

// gathering gathers senses, each once.
type gathering struct {
	all    []sense
	count  []int             // how often each was added
	places map[string]uint32 // by what tells them apart
}

// add returns the place of a sense.
func (g *gathering) add(s sense) uint32 {
	id := string(appendSense(nil, &s))
	place, ok := g.places[id]
	if !ok {
		place = uint32(len(g.all))
		g.places[id] = place
		g.all, g.count = append(g.all, s), append(g.count, 0)
	}
	g.count[place]++
	return place
}

// sortSenses puts the senses that most keys have first; their numbers are short
// in the compiled form.
func (l *Lexicon) sortSenses(count []int) {
	order := make([]int, len(l.senses))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	sorted, moved := make([]sense, len(order)), make([]uint32, len(order))
	for to, from := range order {
		sorted[to], moved[from] = l.senses[from], uint32(to)
	}
	l.senses = sorted
	for key, place := range l.senseOf {
		l.senseOf[key] = moved[place]
	}
}

// describe fills in what follows from the terms of a sense.
func (l *Lexicon) describe(s *sense) {
	worst := risk.None
	for _, t := range s.terms {
		s.nameKinds |= t.kind.set()
		s.langs.add(t.language)
		if l.langs[t.language].names {
			continue
		}
		s.kinds |= t.kind.set()
		if t.category.Weight() > worst.Weight() {
			worst = t.category
		}
	}
	s.hint = hintOf(s.kinds, worst)
}

// looksOf returns how a spelling looks.
func looksOf(spelling string) looks {
	letters := 0
	all := symbol | short
	for _, r := range spelling {
		class := classOf(r)
		if letters++; class != latin || letters > 3 {
			all &^= short
		}
		if class != notWord {
			all &^= symbol
		}
	}
	return all
}
