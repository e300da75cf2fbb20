package lexicon

import (
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// Scores of a label, by how its risky words stand. They leave room above and
// below for another layer.
const (
	scoreWhole   = 0.99
	scoreHead    = 0.95
	scoreObject  = 0.9 // a noun that may be a verb, with an object
	scoreTail    = 0.9 // in a language that puts the verb last
	scoreGuess   = 0.8 // at the end, on a button
	scoreKnown   = 0.9
	scoreOpens   = 0.7 // leads to where it is done
	scoreWeak    = 0.7
	longWords    = 6  // a longer label is content rather than a command
	longRunes    = 40 // likewise
	rowWords     = 4  // on a row even fewer
	namedWords   = 8  // a verb after a name may be this far in
	objectReach  = 3  // segments between a verb and the noun that changes it
	scoreUnknown = 0
)

// acting are the kinds that can make a label an act.
var acting = setOf(act, dual, bare, opens, noun)

// readLabel reads the segments as the words on a control.
func (r *reader) readLabel() Reading {
	reading := Reading{Category: risk.None, Topic: risk.None}
	r.trimNumbers()
	if len(r.segs) == 0 {
		return reading
	}
	asked := false
	for start := 0; start < len(r.segs); {
		end := start + 1
		for end < len(r.segs) && r.segs[end].gap&clauseBreak == 0 {
			end++
		}
		part := r.readClause(start, end)
		// "Already have an account? Log in": the answer is a link to that page.
		if asked && (part.Category == risk.Credential || part.Category == risk.Account) {
			part.Category, part.Form, part.Opens = risk.None, Topic, true
		}
		reading = r.better(reading, part)
		asked = asked || end < len(r.segs) && r.endsAsQuestion(end)
		start = end
	}
	reading.Understood = reading.Understood || isRisky(reading.Category) || r.mostlyKnown()
	if reading.Category == risk.None && reading.Understood && reading.Score == 0 {
		reading.Score = scoreKnown
	}
	return r.asAsked(reading)
}

// asAsked takes the act away from a question and from controls that do not act.
func (r *reader) asAsked(reading Reading) Reading {
	if !isRisky(reading.Category) {
		return reading
	}
	switch {
	case r.isQuestion():
		reading.Form = Question
	case r.query.Role == risk.Tab || r.query.Role == risk.TextField:
		reading.Form = Topic
	case r.isLong() && (reading.Fit == Inside || !isButton(r.query.Role)):
		reading.Form = Topic
	case r.query.Role == risk.Row && (reading.Fit < Head || r.countWords() > rowWords):
		reading.Form = Topic
	default:
		return reading
	}
	reading.Category = risk.None
	reading.Score = scoreKnown
	return reading
}

// isButton reports the roles on which a verb is a command wherever it stands.
func isButton(role risk.Role) bool {
	switch role {
	case risk.Button, risk.IconButton, risk.DialogButton, risk.MenuItem, risk.Key, risk.Slider:
		return true
	}
	return false
}

// better picks between the readings of two clauses of one label. What is risky
// wins; of the rest the first that means anything: "No, don't delete it".
func (r *reader) better(a, b Reading) Reading {
	switch {
	case isRisky(a.Category) || isRisky(b.Category):
		return combine(a, b)
	case a.Form == Plain && a.Category == risk.None:
		return combine(b, a)
	}
	return combine(a, b)
}

// trimNumbers drops a trailing count: "Like (3)".
func (r *reader) trimNumbers() {
	for n := len(r.segs); n > 1 && r.segs[n-1].number && r.segs[n-1].gap&hash == 0; n-- {
		r.segs = r.segs[:n-1]
	}
}

// mostlyKnown reports whether at least two words in three are known.
func (r *reader) mostlyKnown() bool {
	knownWords, words := 0, 0
	for _, s := range r.segs {
		if s.number {
			continue
		}
		words += int(s.words)
		if s.key != unknownWord {
			knownWords += int(s.words)
		}
	}
	symbols := words == 0 && len(r.segs) > 0 && r.segs[0].key != unknownWord
	return symbols || words > 0 && knownWords*3 >= words*2
}

func (r *reader) countWords() int {
	n := 0
	for _, s := range r.segs {
		n += int(s.words)
	}
	return n
}

// isLong reports a text that is content rather than a command.
func (r *reader) isLong() bool {
	return r.countWords() > longWords || utf8.RuneCount(r.text.b) > longRunes
}

// isQuestion reports a text that ends in a question mark.
func (r *reader) isQuestion() bool {
	b := r.text.b
	for len(b) > 0 {
		c, size := utf8.DecodeLastRune(b)
		switch c {
		case '?', '؟', '⸮', ';', '՞', '፧':
			return c != ';' || r.hasGreek()
		case ')', ']', '"', '\'', ' ', '”', '»', '」', '!', '.':
			b = b[:len(b)-size]
			continue
		}
		return false
	}
	return false
}

func (r *reader) hasGreek() bool {
	return len(r.segs) > 0 && classAt(r.text.b, int(r.segs[0].start)) == greek
}

func (r *reader) kindsOf(i int) kinds {
	switch k := r.segs[i].key; {
	case k == unknownWord:
		return 0
	case r.inName:
		return r.lex.keys[k].nameKinds
	default:
		return r.lex.keys[k].kinds
	}
}
