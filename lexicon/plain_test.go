package lexicon

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// twoWays makes a copy in two ways.
type twoWays struct{ short, long copyText }

// agree reports whether setPlain takes a text, and fails unless it then makes of
// it what all steps make of it.
func (w *twoWays) agree(t interface{ Errorf(string, ...any) }, s string) (plain bool) {
	w.short.empty()
	w.long.empty()
	w.long.overridden = false
	if !w.short.setPlain(s) {
		if len(w.short.b)+len(w.short.from)+len(w.short.to) > 0 {
			t.Errorf("%q was refused and left %q", s, w.short.b)
		}
		return false
	}
	w.long.setByAll(s)
	if string(w.short.b) != string(w.long.b) || !slices.Equal(w.short.from, w.long.from) || !slices.Equal(w.short.to, w.long.to) || w.long.overridden {
		t.Errorf("%q became %q %v, want %q %v", s, w.short.b, w.short.from, w.long.b, w.long.from)
	}
	return true
}

// Every rune of the first two planes, in words of several scripts, between
// letters whose tone moves, beside hyphens, marks and blanks.
func TestPlainRuneByRune(t *testing.T) {
	t.Parallel()
	var w twoWays
	plain := 0
	for r := rune(0); r < 0x20000 && !t.Failed(); r++ {
		c := string(r)
		for _, s := range []string{c + "Send a", "да" + c, "no" + c + "ỏ o" + c, c + " " + c, "a-" + c + "-b " + c + "\u0301e\u200d" + c, "\u2028 " + c + " " + c + " x"} {
			if w.agree(t, s) {
				plain++
			}
		}
	}
	if plain < 150_000 {
		t.Errorf("only %d texts were plain", plain)
	}
}

func TestPlainTexts(t *testing.T) {
	part := rapid.SampledFrom([]string{"Send", "o", "u", "ỏ", "á", "да", "Д", "e\u0301", "करें", "फ़", "फ\u093C", "می\u200cخواهم", "보", "내", "カ", "ｶ",
		"买", "ลบ", "้", "ς", "Σ", "ß", "İ", " ", "  ", "\u00A0", "\u2028", "-", "‑", "’", "1", "٣", "½", "🗑", "🇵", "\u202E", "\u00AD", "\u0336", "ɑ", "ᎪᏞ", "ա", ".", "?", "(", "\xff", "x"})
	var w twoWays
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, p := range rapid.SliceOfN(part, 0, 8).Draw(t, "parts") {
			s += p
		}
		if w.agree(t, s) {
			plain++
		}
	})
	if plain < 5 {
		t.Errorf("only %d texts were plain", plain)
	}
}

// Most labels of most languages are plain: it is there for them.
func TestLabelsArePlain(t *testing.T) {
	for language, rows := range readOwn(t, "must_ask") {
		plain := 0
		for _, row := range rows {
			var c copyText
			if c.setASCII(row.Label) || c.setPlain(row.Label) {
				plain++
			}
		}
		if plain*10 < len(rows)*8 {
			t.Errorf("%s: %d of %d labels are plain", language, plain, len(rows))
		}
	}
}
