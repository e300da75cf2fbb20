package decide

import (
	"iter"
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

// decisive yields the parts of a dialog's text that its button answers: all of
// a short text; of a long one its questions and the sentences that name the
// button, or else the first. Warnings name many things that no button of theirs
// does.
func decisive(text, button string) iter.Seq[span] {
	return func(yield func(span) bool) {
		if utf8.RuneCountInString(text) <= noticeLength {
			if text != "" {
				yield(span{0, len(text)})
			}
			return
		}
		first, found := span{}, false
		for p := range sentences(text) {
			if first.end == 0 {
				first = p
			}
			if s := text[p.start:p.end]; !endsAsQuestion(s) && !namesButton(s, button) {
				continue
			}
			found = true
			if !yieldReadable(text, p, yield) {
				return
			}
		}
		if !found && first.end > 0 {
			yieldReadable(text, first, yield)
		}
	}
}

// yieldReadable yields a part, or the two ends of one that is longer than the
// lexicon reads: what matters may stand at either.
func yieldReadable(text string, p span, yield func(span) bool) bool {
	if p.end-p.start <= lexicon.MaxText {
		return yield(p)
	}
	tail := p.end - lexicon.MaxText
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	return yield(span{p.start, p.start + lexicon.MaxText}) && yield(span{tail, p.end})
}

// sentences yields the sentences of a text in order, without the blanks around
// them; blank ones are left out.
func sentences(text string) iter.Seq[span] {
	return func(yield func(span) bool) {
		for start := 0; start < len(text); {
			end := sentenceEnd(text, start)
			s := strings.TrimSpace(text[start:end])
			if at := start + strings.Index(text[start:end], s); s != "" && !yield(span{at, at + len(s)}) {
				return
			}
			start = end
		}
	}
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
