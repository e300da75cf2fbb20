package lexicon

import "unicode"

// joinSpacedOut joins lettering such as "D e l e t e", "P.A.Y" or "买 入": single
// letters with one and the same character between them, three or more in a row,
// or two when they are the whole text. A wider gap stays a space, so that
// "B u y   n o w" remains two words. Letters with marks of their own, as Hindi
// and Thai have, make short words too: they must be the whole text.
func (t *copyText) joinSpacedOut() {
	letters, words := t.countSingles()
	if letters < 2 || letters < 3 && words > letters {
		return
	}
	for start := 0; start < len(t.cells); {
		end, count, marked := t.spacedRun(start)
		if count >= 3 && (!marked || count == words) || count == 2 && words == 2 && (!marked || classOf(t.cells[start].r) == unspaced) {
			for i := start; i < end; i++ {
				if isSpacer(t.cells[i].r) {
					t.cells[i].r = dropped
				}
			}
		}
		start = max(end, start+1)
	}
	out := 0
	for _, c := range t.cells {
		if c.r != dropped {
			t.cells[out] = c
			out++
		}
	}
	t.cells = t.cells[:out]
}

// countSingles counts the words and those of them that are a single letter.
func (t *copyText) countSingles() (letters, words int) {
	before := notWord
	for i, c := range t.cells {
		class := classOf(c.r)
		if class != notWord && before == notWord {
			words++
			if class != digit && t.singleEnd(i) > i {
				letters++
			}
		}
		before = class
	}
	return letters, words
}

// singleEnd returns the end of the letter at cell i with its marks when no other
// letter is beside it, else i.
func (t *copyText) singleEnd(i int) int {
	class := classOf(t.cells[i].r)
	if class == notWord || class == digit || i > 0 && classOf(t.cells[i-1].r) != notWord {
		return i
	}
	end := i + 1
	for end < len(t.cells) && t.cells[end].r >= 0x300 && unicode.IsMark(t.cells[end].r) {
		end++
	}
	if end < len(t.cells) && classOf(t.cells[end].r) != notWord {
		return i
	}
	return end
}

// spacedRun returns the end of the spaced-out run of letters that begins at
// start, how many they are and whether one has marks; start where none does.
func (t *copyText) spacedRun(start int) (end, count int, marked bool) {
	end = t.singleEnd(start)
	if end == start {
		return start, 0, false
	}
	count, marked = 1, end > start+1
	gap := end
	for end+1 < len(t.cells) && t.cells[end].r == t.cells[gap].r && isSpacer(t.cells[end].r) {
		next := t.singleEnd(end + 1)
		if next == end+1 {
			break
		}
		count, marked = count+1, marked || next > end+2
		end = next
	}
	return end, count, marked
}

func isSpacer(r rune) bool {
	switch r {
	case ' ', '.', '-', '_', '·', '•', '*', '|', '/', '~':
		return true
	}
	return false
}
