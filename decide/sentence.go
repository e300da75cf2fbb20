package decide

import (
	"strings"
	"unicode/utf8"
)

// noticeLength is the length in runes above which a dialog's text is a notice
// of which only the question, or else the beginning, says what its button does.
const noticeLength = 160

// decisive finds the part of a dialog's text that its button answers: the
// questions where there are any, all of a short text, the first sentence of a
// long one. Warnings name many things that no button of theirs does.
func decisive(text string) (start, end int) {
	if utf8.RuneCountInString(text) <= noticeLength {
		return 0, len(text)
	}
	if start, end, ok := question(text); ok {
		return start, end
	}
	if end := sentenceEnd(text, 0); end > 0 {
		return 0, end
	}
	return 0, len(text)
}

// question finds the last sentence that ends in a question mark.
func question(text string) (start, end int, ok bool) {
	end = -1
	for i, r := range text {
		if isQuestionMark(r) {
			end = i + utf8.RuneLen(r)
		}
	}
	if end < 0 {
		return 0, 0, false
	}
	for next := sentenceEnd(text, 0); next > 0 && next < end; next = sentenceEnd(text, next) {
		start = next
	}
	return start, end, true
}

func isQuestionMark(r rune) bool {
	switch r {
	case '?', '？', '؟', ';', '⁇', '⸮':
		return true
	}
	return false
}

// sentenceEnd finds where the sentence that begins at from ends: after a full
// stop followed by a blank, a full stop of a script without blanks, or a line
// break. It is 0 when the text ends first.
func sentenceEnd(text string, from int) int {
	for i := from; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '\n', r == '。', r == '！', r == '।', r == '۔', isQuestionMark(r) && i < len(text):
			return i
		case (r == '.' || r == '!') && i < len(text) && strings.IndexByte(" \t\u00a0", text[i]) >= 0:
			return i
		}
	}
	return 0
}
