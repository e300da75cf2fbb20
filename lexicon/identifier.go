package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// Scores of an identifier: the developer's word rather than the user's.
const (
	scoreWords = 0.9 // the identifier says nothing else
	scoreAmong = 0.7 // a word among others
)

// Words appends the words of an identifier to dst, as they stand in it: split
// at everything that is neither letter nor digit, between letters and digits
// and where the case changes ("HTTPServer" is HTTP and Server). What stands
// before ":id/" is left out.
func Words(dst []string, identifier string) []string {
	start, before := -1, ' '
	for at := idStart(identifier); at <= len(identifier); {
		r, size := utf8.DecodeRuneInString(identifier[at:])
		if start >= 0 && (size == 0 || startsWord(before, r, identifier[at+size:])) {
			dst = append(dst, identifier[start:at])
			start = -1
		}
		if size == 0 {
			break
		}
		if start < 0 && classOf(r) != notWord {
			start = at
		}
		at, before = at+size, r
	}
	return dst
}

// idStart is where the name begins in "package:id/name".
func idStart(identifier string) int {
	if i := strings.LastIndex(identifier, ":id/"); i >= 0 {
		return i + len(":id/")
	}
	return 0
}

// startsWord reports whether a new word of an identifier begins with r, or the
// one before has ended. rest is what follows r.
func startsWord(before, r rune, rest string) bool {
	if a, b := classOf(before), classOf(r); a != b || b == notWord {
		return true
	}
	if !unicode.IsUpper(r) {
		return false
	}
	after, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsUpper(before) || unicode.IsLower(after)
}

// setIdentifier makes the matching copy of an identifier: its words with one
// space between them.
func (t *copyText) setIdentifier(s string) {
	t.b, t.from, t.to = t.b[:0], t.from[:0], t.to[:0]
	t.cells = t.cells[:0]
	if len(s) > MaxText {
		s = s[:MaxText]
	}
	begin := idStart(s)
	n := uint16(utf8.RuneCountInString(s[:begin]))
	before := ' '
	for at := begin; at < len(s); n++ {
		r, size := utf8.DecodeRuneInString(s[at:])
		at += size
		if propsOf(r)&isIgnorable != 0 {
			continue
		}
		if startsWord(before, r, s[at:]) && len(t.cells) > 0 {
			t.cells = append(t.cells, cell{' ', n, n + 1})
		}
		if classOf(r) != notWord {
			t.cells = append(t.cells, cell{r, n, n + 1})
		}
		before = r
	}
	t.foldLetters()
	t.write()
}

// looksLikeIdentifier reports a label that is a developer's name rather than
// words for a reader: "btn_send", "confirmTransferBtn". A capital inside a word
// is not enough, or every brand ("PayPal") would be one.
func looksLikeIdentifier(s string) bool {
	lower, upper, underscore := false, false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				upper = true
			}
		case c >= '0' && c <= '9', c == '-', c == '.', c == '/', c == ':':
		case c == '_':
			underscore = i > 0 && i+1 < len(s)
		default:
			return false
		}
	}
	return lower && (underscore || upper && s[0] >= 'a' && s[0] <= 'z') || strings.Contains(s, ":id/")
}

// readIdentifier reads the query's text as a developer's name.
func (r *reader) readIdentifier() Reading {
	r.text.setIdentifier(r.query.Text)
	r.segmentCopy()
	r.langs = langSet{}
	reading := Reading{Category: risk.None, Topic: risk.None}
	best := -1
	content := 0
	for i := range r.segs {
		if r.segs[i].number || r.kindsOf(i) != 0 && r.kindsOf(i)&^setOf(neutral, known, article, lead, joiner) == 0 {
			continue
		}
		content++
		t := r.pickIdentifier(i)
		if t == nil {
			continue
		}
		if best < 0 || t.category.Weight() >= reading.Topic.Weight() {
			best, reading.Topic = i, t.category
		}
	}
	if best < 0 {
		return r.answerOfIdentifier(reading)
	}
	return r.identifierActs(reading, best, content)
}

// pickIdentifier returns the term of segment i that may act in an identifier.
func (r *reader) pickIdentifier(i int) *term {
	t := r.pick(i, acting, false)
	if t == nil || !isRisky(t.category) {
		return nil
	}
	if r.lex.langs[t.language].tag != "en" && r.segs[i].end-r.segs[i].start < 4 {
		return nil
	}
	return t
}

// identifierActs reads an identifier of which segment i is the riskiest.
func (r *reader) identifierActs(reading Reading, i, content int) Reading {
	t := r.pickIdentifier(i)
	c := clause{start: 0, end: len(r.segs)}
	reading.Form = Topic
	r.addIdentifierHit(&reading, i, t)
	if answer := r.findKind(setOf(dismissal, negator)); answer >= 0 {
		reading.Form, reading.Category, reading.Understood = Negated, risk.Dismissal, true
		return reading
	}
	if r.isPart(i, t.kind) || r.isVetoed(&c, i, t.kind) {
		reading.Form = Veto
		return reading
	}
	if t.kind == noun && r.findKind(affirmative.set()) < 0 {
		return reading
	}
	acting := r.acts(&c, i, fires{t, Act, Inside, scoreAmong})
	for n := range acting.N {
		acting.Hits[n].Layer = risk.LayerIdentifier
	}
	if content == 1 {
		acting.Fit, acting.Score = Whole, scoreWords
	}
	return acting
}

// isPart reports whether a word after segment i says that this is a part of
// something rather than the thing that acts: "send_to_label".
func (r *reader) isPart(i int, k kind) bool {
	for at := i + 1; at < len(r.segs); at++ {
		kinds := r.kindsOf(at)
		if kinds.any(setOf(part, status)) || k != act && kinds.has(suffix) {
			return true
		}
	}
	return false
}

// findKind returns the first segment with one of the kinds, -1 for none.
func (r *reader) findKind(want kinds) int {
	for i := range r.segs {
		if r.kindsOf(i).any(want) {
			return i
		}
	}
	return -1
}

// answerOfIdentifier reads an identifier without a risky word.
func (r *reader) answerOfIdentifier(reading Reading) Reading {
	if i := r.findKind(dismissal.set()); i >= 0 {
		c := clause{start: 0, end: len(r.segs)}
		reading.Category, reading.Form, reading.Fit, reading.Score, reading.Understood = risk.Dismissal, Act, Inside, scoreAmong, true
		if o, at := r.objectNear(&c, i, risk.CancelService); o != nil {
			reading.Category, reading.Topic = risk.CancelService, risk.CancelService
			r.addIdentifierHit(&reading, at, o)
		}
		return reading
	}
	if i := r.findKind(affirmative.set()); i >= 0 && !r.isPart(i, act) {
		reading.Category, reading.Form, reading.Fit, reading.Score, reading.Understood = risk.Affirmative, Act, Inside, scoreAmong, true
		return reading
	}
	reading.Understood = r.mostlyKnown()
	return reading
}

func (r *reader) addIdentifierHit(reading *Reading, i int, t *term) {
	r.addHit(reading, i, t)
	reading.Hits[reading.N-1].Layer = risk.LayerIdentifier
}
