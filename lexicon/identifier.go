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
	r.inName = true
	r.text.setIdentifier(r.query.Text)
	r.segmentCopy()
	r.keepLastName()
	r.langs = langSet{}
	reading := Reading{Category: risk.None, Topic: risk.None}
	if i := r.findRefusal(); i >= 0 {
		return r.refusalIn(i)
	}
	content := r.countContent()
	for i := range r.segs {
		if t := r.pickIdentifier(i); t != nil {
			reading = r.better(reading, r.nameActs(i, t, content))
		}
	}
	if isRisky(reading.Category) {
		if content == 1 {
			reading.Fit, reading.Score = Whole, scoreWords
		}
		return reading
	}
	return r.assentIn(reading)
}

// keepLastName keeps only what follows the last dot or slash, where that says
// anything: what stands before is where the control lives.
func (r *reader) keepLastName() {
	for i := len(r.segs) - 1; i > 0; i-- {
		if r.isContent(i) && r.followsDot(i) {
			r.segs = r.segs[i:]
			return
		}
	}
}

// followsDot reports whether a dot or slash stands between segment i and the
// one before it in the original.
func (r *reader) followsDot(i int) bool {
	from, _ := r.text.span(int(r.segs[i].start), int(r.segs[i].end))
	_, to := r.text.span(int(r.segs[i-1].start), int(r.segs[i-1].end))
	return strings.ContainsAny(cutRunes(r.query.Text, to, from), "./")
}

// isContent reports whether segment i says something about what is done.
func (r *reader) isContent(i int) bool {
	if r.segs[i].number {
		return false
	}
	k := r.kindsOf(i)
	if k == 0 || k.any(acting|setOf(dismissal, part, detail)) {
		return true
	}
	return !k.any(setOf(neutral, pressed, article, lead, joiner, affirmative, doing))
}

func (r *reader) countContent() int {
	n := 0
	for i := range r.segs {
		if r.isContent(i) {
			n++
		}
	}
	return n
}

// findRefusal returns the segment that refuses or closes: a dismissal, or a
// negation right before a risky word. -1 means that there is none.
func (r *reader) findRefusal() int {
	for i := range r.segs {
		k := r.kindsOf(i)
		if k.has(dismissal) || k.has(negator) && i+1 < len(r.segs) && r.kindsOf(i+1).any(acting) {
			return i
		}
	}
	return -1
}

// pickIdentifier returns the term of segment i that may act in an identifier.
// Short words of languages other than English mean nothing among a developer's
// abbreviations.
func (r *reader) pickIdentifier(i int) *term {
	t := r.pick(i, acting, false)
	if t == nil || !isRisky(t.category) || r.kindsOf(i).has(not) {
		return nil
	}
	if tag := r.lex.langs[t.language].tag; tag != "en" && tag != "zxx" && r.segs[i].end-r.segs[i].start < 4 {
		return nil
	}
	return t
}

// nameActs reads segment i, a risky word, where it stands in a name with that
// many words of content.
func (r *reader) nameActs(i int, t *term, content int) Reading {
	c := clause{start: 0, end: len(r.segs)}
	reading := Reading{Category: risk.None, Topic: t.category, Form: Topic}
	if !r.standsAsVerb(i, t, content) || r.isVetoed(&c, i, t) {
		r.addHit(&reading, i, t)
		reading.Hits[0].Layer = risk.LayerIdentifier
		return reading
	}
	reading = r.acts(&c, i, fires{t, Act, Inside, scoreAmong})
	for n := range reading.N {
		reading.Hits[n].Layer = risk.LayerIdentifier
	}
	return reading
}

// wordyName is the number of words of content from which a name tells a story
// rather than says what is pressed.
const wordyName = 4

// standsAsVerb reports whether the place of a risky word in a name is that of
// what the control does. A verb stands first or last of the words that matter,
// or anywhere in the name of a button; a word that may be a noun has to be all
// there is; a noun follows what does it.
func (r *reader) standsAsVerb(i int, t *term, content int) bool {
	button := r.findKind(pressed.set()) >= 0
	before, done := false, false
	for at := range i {
		k := r.kindsOf(at)
		switch {
		case k.any(setOf(affirmative, doing)):
			done = true
		case k.has(part) && !button:
			return false
		case r.isContent(at) && !r.sameTopic(at, t.category):
			before = true
		}
	}
	after := false
	for at := i + 1; at < len(r.segs); at++ {
		if k := r.kindsOf(at); !button && r.belittles(k, t) {
			return false
		}
		after = after || r.isContent(at)
	}
	switch {
	case t.kind == noun:
		return done && !after
	case t.kind == bare:
		return !before && !after
	case t.kind == dual:
		return !before && (!after || button) || done && !after
	}
	return button || !before && content < wordyName || !after && !(i > 0 && r.kindsOf(i-1).has(article))
}

// belittles reports whether a later word of a name makes it that of a part
// rather than of the thing that acts: "send_to_label".
func (r *reader) belittles(k kinds, t *term) bool {
	switch {
	case k.any(setOf(part, status, result)):
		return true
	case k.has(detail):
		return t.category != risk.Delete && t.category != risk.Share && t.category != risk.BlockReport
	}
	return k.has(suffix) && t.kind != act
}

// sameTopic reports whether segment at is a noun of the category: the
// "permission" of "permission_allow_button".
func (r *reader) sameTopic(at int, category risk.Category) bool {
	t := r.pick(at, noun.set(), false)
	return t != nil && t.category == category
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

// refusalIn reads a name that refuses or closes, as segment i says.
func (r *reader) refusalIn(i int) Reading {
	reading := Reading{Category: risk.Dismissal, Topic: risk.None, Form: Act, Fit: Inside, Score: scoreAmong, Understood: true}
	c := clause{start: 0, end: len(r.segs)}
	t := r.pick(i, setOf(verb, dismissal), false)
	if t == nil {
		reading.Form = Negated
		return reading
	}
	r.addHit(&reading, i, t)
	if o, at := r.cancels(&c, i, t); o != nil {
		reading.Category, reading.Topic = risk.CancelService, risk.CancelService
		r.addHit(&reading, at, o)
	}
	for n := range reading.N {
		reading.Hits[n].Layer = risk.LayerIdentifier
	}
	return reading
}

// assentIn reads a name without a risky word that acts.
func (r *reader) assentIn(reading Reading) Reading {
	reading.Understood = reading.Form == Plain && r.mostlyKnown()
	i := r.findKind(affirmative.set())
	if i < 0 || r.findKind(part.set()) >= 0 {
		return reading
	}
	if t := r.pick(i, affirmative.set(), false); t != nil {
		reading.Category, reading.Form, reading.Fit, reading.Score, reading.Understood = risk.Affirmative, Act, Inside, scoreAmong, true
		r.addHit(&reading, i, t)
	}
	return reading
}
