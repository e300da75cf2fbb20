package ledger

import (
	"time"
	"unicode"
)

// Adults read English non-fiction silently at 238 words a minute on average, most
// of them at 175 to 300 (Brysbaert 2019, "How many words do we read per minute?
// A review and meta-analysis of reading rate", Journal of Memory and Language
// 109), which is 4 words a second.
const wordsPerSecond = 4

// leastReading is how long even a card of a word or two takes: it has to be
// noticed and understood, and a key found.
const leastReading = 1500 * time.Millisecond

// ReadingTime is how long a text of so many words takes to be read, at least 1.5
// seconds. Whoever answers sooner after the question was put cannot have read it;
// of whoever answers later nothing is said, since they may have looked later.
func ReadingTime(words int) time.Duration {
	return max(leastReading, time.Duration(words)*time.Second/wordsPerSecond)
}

// unspaced are scripts that put no blanks between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// CountWords counts the words of a text: runs of letters and digits. In scripts
// that put no blanks between words two letters count as one.
func CountWords(text string) int {
	words, letters, inside := 0, 0, false
	for _, r := range text {
		switch {
		case unicode.In(r, unspaced...):
			letters++
			inside = false
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if !inside {
				words++
			}
			inside = true
		case unicode.IsMark(r), r == '\'', r == '’', r == '\u200c', r == '\u200d':
			// part of the word before
		default:
			inside = false
		}
	}
	return words + (letters+1)/2
}
