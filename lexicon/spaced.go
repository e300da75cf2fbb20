package lexicon

// joinSpacedOut joins lettering such as "D e l e t e", "P.A.Y" or "买 入": single
// letters with one and the same character between them, three or more in a row,
// or two when they are the whole text. A wider gap stays a space, so that
// "B u y   n o w" remains two words.
func (t *copyText) joinSpacedOut() {
	letters, words := t.countSingles()
	if letters < 2 || letters < 3 && words > letters {
		return
	}
	for start := 0; start < len(t.cells); {
		end := t.spacedRun(start)
		if count := (end - start + 1) / 2; count >= 3 || count == 2 && words == 2 {
			for i := start + 1; i < end; i += 2 {
				t.cells[i].r = dropped
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
			if class != digit && t.isSingle(i) {
				letters++
			}
		}
		before = class
	}
	return letters, words
}

// isSingle reports whether cell i is a letter with no letter beside it.
func (t *copyText) isSingle(i int) bool {
	class := classOf(t.cells[i].r)
	return class != notWord && class != digit &&
		(i == 0 || classOf(t.cells[i-1].r) == notWord) &&
		(i+1 == len(t.cells) || classOf(t.cells[i+1].r) == notWord)
}

// spacedRun returns the end of the spaced-out run of letters that begins at
// start, or start where none does.
func (t *copyText) spacedRun(start int) int {
	if !t.isSingle(start) {
		return start
	}
	end := start + 1
	for end+1 < len(t.cells) && t.isSingle(end+1) &&
		t.cells[end].r == t.cells[start+1].r && isSpacer(t.cells[end].r) {
		end += 2
	}
	return end
}

func isSpacer(r rune) bool {
	switch r {
	case ' ', '.', '-', '_', '·', '•', '*', '|', '/', '~':
		return true
	}
	return false
}
