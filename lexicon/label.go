package lexicon

import (
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// Scores of a label, by how its risky words stand. They leave room above and
// below for another layer.
const (
	scoreWhole  = 0.99
	scoreHead   = 0.95
	scoreObject = 0.9 // a noun that may be a verb, with an object
	scoreTail   = 0.9 // in a language that puts the verb last
	scoreGuess  = 0.8 // at the end, on a button
	scoreOpens  = 0.7 // leads to where it is done
	scoreKnown  = 0.9
)

// How long a text may be to be read as a command rather than as content.
const (
	longWords = 6
	longRunes = 48
	// A text as long as this is prose on every control.
	proseRunes = 100
	rowWords   = 4 // on a row, and for a verb at the end
)

// readLabel reads the segments as the words on a control.
func (r *reader) readLabel() finding {
	f := nothing
	r.trimNumbers()
	if len(r.segs) == 0 {
		return f
	}
	asked := false
	for start := 0; start < len(r.segs); {
		end := r.clauseEnd(start)
		part := r.readClause(start, end)
		if asked && (part.category == risk.Credential || part.category == risk.Account) {
			// "Already have an account? Log in": a link to that page.
			part.category, part.form, part.opens = risk.None, Topic, true
		}
		f = better(f, part)
		asked = asked || end < len(r.segs) && r.endsAsQuestion(end)
		start = end
	}
	f.understood = f.understood || isRisky(f.category) || r.mostlyKnown()
	if f.category == risk.None && f.understood {
		f.score = scoreKnown
	}
	return r.asAsked(f)
}

// clauseEnd returns the end of the clause that begins at segment start.
func (r *reader) clauseEnd(start int) int {
	end := start + 1
	for end < len(r.segs) && r.segs[end].gap&clauseBreak == 0 {
		end++
	}
	return end
}

// asAsked takes the act away from a question and from controls that do not act.
func (r *reader) asAsked(f finding) finding {
	if !isRisky(f.category) {
		return f
	}
	switch {
	case r.isQuestion():
		f.form = Question
	case r.query.Role == risk.Tab || r.query.Role == risk.TextField:
		f.form = Topic
	case r.isLong() && (f.fit == Inside || !isButton(r.query.Role)), r.isProse() && !r.beginsWith(f):
		f.form = Topic
	case r.query.Role == risk.Row && (f.fit < Head || r.words > rowWords || f.fit == Head && r.hasClauses()):
		f.form = Topic
	default:
		return f
	}
	f.category, f.score = risk.None, scoreKnown
	return f
}

// isProse reports a text that is content on every control but a button that
// begins with a command.
func (r *reader) isProse() bool {
	return len(r.text.b) > proseRunes && runeCount(r.text.b) > proseRunes
}

// runeCount counts the runes of the copy, which is valid. The library's function
// makes a string of it first.
func runeCount(b []byte) (n int) {
	for _, c := range b {
		if c&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// beginsWith reports whether f is a command in the first clause of a button.
func (r *reader) beginsWith(f finding) bool {
	if !isButton(r.query.Role) || f.n == 0 || f.fit < Tail {
		return false
	}
	end := r.clauseEnd(0) - 1
	_, to := r.text.span(int(r.segs[end].start), int(r.segs[end].end))
	return f.marks[0].from < to
}

// hasClauses reports a text of more than one clause, as a message has and the
// title of a row has not.
func (r *reader) hasClauses() bool {
	for i := 1; i < len(r.segs); i++ {
		if r.segs[i].gap&clauseBreak != 0 {
			return true
		}
	}
	return false
}

// isButton reports the roles on which a verb is a command wherever it stands.
func isButton(role risk.Role) bool {
	switch role {
	case risk.Button, risk.IconButton, risk.DialogButton, risk.MenuItem, risk.Key, risk.Slider:
		return true
	}
	return false
}

// trimNumbers drops a trailing count: "Like (3)".
func (r *reader) trimNumbers() {
	for n := len(r.segs); n > 1 && r.segs[n-1].number && r.segs[n-1].gap&hash == 0; n-- {
		r.segs = r.segs[:n-1]
		r.words--
	}
}

// mostlyKnown reports whether at least two words in three are known.
func (r *reader) mostlyKnown() bool {
	var knownWords, words float32
	for _, s := range r.segs {
		if s.number {
			continue
		}
		words += s.words
		if s.key != unknownWord {
			knownWords += s.words
		}
	}
	symbols := words == 0 && len(r.segs) > 0 && r.segs[0].key != unknownWord
	return symbols || words > 0 && knownWords*3 >= words*2
}

// isLong reports a text that is content rather than a command.
func (r *reader) isLong() bool {
	return r.words > longWords || len(r.text.b) > longRunes && runeCount(r.text.b) > longRunes
}

// isQuestion reports a text that ends in a question mark, or in a word that
// makes a question of it.
func (r *reader) isQuestion() bool {
	if n := len(r.segs); n > 0 && r.segs[n-1].kinds.has(question) {
		return true
	}
	for b := r.text.b; len(b) > 0; {
		c, size := utf8.DecodeLastRune(b)
		switch c {
		case ')', ']', '"', '\'', ' ', '”', '»', '」', '!', '.':
			b = b[:len(b)-size]
			continue
		}
		return r.asks(c)
	}
	return false
}

// asks reports a question mark of any script. The Greek one is a semicolon to
// Unicode.
func (r *reader) asks(c rune) bool {
	switch c {
	case '?', '؟', '⸮', '՞', '፧':
		return true
	case ';':
		return len(r.segs) > 0 && classAt(r.text.b, int(r.segs[0].start)) == greek
	}
	return false
}

// isStatement reports a text that ends in a full stop, as sentences do and
// names of commands do not.
func (r *reader) isStatement() bool {
	n := len(r.text.b)
	return n > 1 && r.text.b[n-1] == '.' && r.text.b[n-2] != '.'
}

// endsInEllipsis reports a trailing "…".
func (r *reader) endsInEllipsis() bool {
	n := len(r.text.b)
	return n > 3 && string(r.text.b[n-3:]) == "..."
}
