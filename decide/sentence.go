package decide

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
)

// noticeLength is the length in runes above which a dialog's text is a notice
// of which only some sentences say what its button does.
const noticeLength = 160

// A span is a piece of a text, half-open, in bytes.
type span struct{ start, end int }

// decisive reads the parts of a dialog's text that its button answers, one after
// the other: all of a short text; of a long one its questions and the sentences
// that name the button, or else the first. Warnings name many things that no
// button of theirs does.
type decisive struct {
	text, button string
	from         int  // where the next sentence begins
	first        span // the first sentence
	found        bool // a part was decisive
	tail         span // the other end of a part that is too long to be read
}

// next is the next part; ok is false when there is none.
func (d *decisive) next() (part span, ok bool) {
	if d.tail.end > 0 {
		part, d.tail = d.tail, span{}
		return part, true
	}
	if d.from == 0 && utf8.RuneCountInString(d.text) <= noticeLength {
		d.from, d.found = len(d.text), true
		return span{0, len(d.text)}, d.text != ""
	}
	for d.from < len(d.text) {
		sentence := d.sentence()
		if sentence.end == sentence.start {
			continue
		}
		if d.first.end == 0 {
			d.first = sentence
		}
		if s := d.text[sentence.start:sentence.end]; endsAsQuestion(s) || namesButton(s, d.button) {
			d.found = true
			return d.readable(sentence), true
		}
	}
	if d.found || d.first.end == 0 {
		return span{}, false
	}
	d.found = true
	return d.readable(d.first), true
}

// sentence is the next sentence, without the blanks around it.
func (d *decisive) sentence() span {
	start, end := d.from, sentenceEnd(d.text, d.from)
	d.from = end
	s := strings.TrimSpace(d.text[start:end])
	start += strings.Index(d.text[start:end], s)
	return span{start, start + len(s)}
}

// readable is a part, or the first end of one that is longer than the lexicon
// reads: what matters may stand at either end, so the other one follows.
func (d *decisive) readable(p span) span {
	if p.end-p.start <= lexicon.MaxText {
		return p
	}
	d.tail = span{p.end - lexicon.MaxText, p.end}
	for !utf8.RuneStart(d.text[d.tail.start]) {
		d.tail.start++
	}
	return span{p.start, p.start + lexicon.MaxText}
}

// sentenceEnd finds where the sentence that begins at from ends: after a full
// stop followed by a blank, a full stop of a script without blanks, a question
// mark or a line break.
func sentenceEnd(text string, from int) int {
	for i := from; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '\n', r == '。', r == '！', r == '।', r == '۔', isQuestionMark(r), r == ';' && isGreek(text[from:i]):
			return i
		case (r == '.' || r == '!') && i < len(text) && strings.IndexByte(" \t\u00a0", text[i]) >= 0:
			return i
		}
	}
	return len(text)
}

// isQuestionMark reports a question mark of any script. The Greek one looks like
// a semicolon and is one to most keyboards.
func isQuestionMark(r rune) bool {
	switch r {
	case '?', '？', '؟', '\u037e', '⁇', '⁈', '⁉', '⸮', '‽', '՞', '፧', '﹖':
		return true
	}
	return false
}

func isGreek(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Greek, r) })
}

func endsAsQuestion(sentence string) bool {
	r, _ := utf8.DecodeLastRuneInString(sentence)
	return isQuestionMark(r) || r == ';'
}

// namesButton reports whether a sentence speaks of the button by its label, as
// in "Tapping Continue transfers the money".
func namesButton(sentence, button string) bool {
	for from := 0; button != ""; {
		i := strings.Index(sentence[from:], button)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(button)
		before, _ := utf8.DecodeLastRuneInString(sentence[:start])
		after, _ := utf8.DecodeRuneInString(sentence[end:])
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
		from = end
	}
	return false
}
