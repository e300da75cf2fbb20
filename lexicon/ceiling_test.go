package lexicon

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var printSample = flag.Bool("sample", false, "print the sample of docs/label-ceiling.md, without its labels")
var printLabels = flag.Bool("sample-labels", false, "print it with its labels")

// languageGroups are the strata of the sample: languages whose buttons are
// worded alike.
var languageGroups = []struct{ name, languages string }{
	{"Romance", "es pt fr it ro ca gl"},
	{"Germanic", "de nl sv da nb is af"},
	{"Slavic", "ru uk pl cs sk sl hr sr bs bg mk be"},
	{"Baltic, Uralic, Greek, Albanian, Basque", "lt lv et fi hu el sq eu"},
	{"Turkic, Caucasian, Mongolian", "tr az kk ky uz ka hy mn"},
	{"Arabic script, Hebrew", "ar fa ur he"},
	{"South Asian", "hi bn mr gu pa ta te kn ml si ne"},
	{"Chinese, Japanese, Korean", "zh-Hans zh-Hant ja ko"},
	{"Southeast Asian", "vi th id ms fil km lo my"},
	{"African", "sw zu am"},
}

// The sample that was judged again by hand: 25 risky and 25 harmless rows of
// each group, 13 of the harmless ones of the tempting sorts.
const (
	sampleSeed    = 20251
	sampleRisky   = 25
	samplePlain   = 12
	sampleTempted = 13
)

// sampleStratum is where in the sample of its group a row belongs; ok is false
// for rows that are in no score.
func sampleStratum(row *corpusRow) (stratum int, ok bool) {
	switch {
	case row.ActionLabel && isRisky(row.wanted()):
		return 0, true
	case row.Category == "benign" && row.Subtype == "plain":
		return 1, true
	case row.Category == "benign":
		return 2, true
	}
	return 0, false
}

// sampleOfLabels draws the sample; every text of a language is drawn once.
func sampleOfLabels(t *testing.T) []corpusRow {
	t.Helper()
	groups := map[string]int{}
	for i, g := range languageGroups {
		for language := range strings.FieldsSeq(g.languages) {
			groups[language] = i
		}
	}
	strata := make([][3][]*corpusRow, len(languageGroups))
	type text struct{ language, value string }
	seen := map[text]bool{}
	rows := corpusRows(t)
	for i := range rows {
		id := text{languageOf(rows[i].Locale), rows[i].Value}
		group, grouped := groups[id.language] // English is in none
		stratum, scored := sampleStratum(&rows[i])
		if grouped && scored && !seen[id] {
			seen[id] = true
			strata[group][stratum] = append(strata[group][stratum], &rows[i])
		}
	}
	random := rand.New(rand.NewPCG(sampleSeed, 0))
	var sample []corpusRow
	for _, group := range strata {
		var drawn []corpusRow
		for i, n := range [...]int{sampleRisky, samplePlain, sampleTempted} {
			rows := group[i]
			random.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
			for _, row := range rows[:min(n, len(rows))] {
				drawn = append(drawn, *row)
			}
		}
		slices.SortFunc(drawn, func(a, b corpusRow) int {
			return cmp.Or(cmp.Compare(a.Locale, b.Locale), cmp.Compare(a.Value, b.Value))
		})
		sample = append(sample, drawn...)
	}
	return sample
}

// The sample is the same at every drawing, so that who doubts a judgement in
// docs/label-ceiling.md can look at the same rows.
func TestSampleOfLabels(t *testing.T) {
	t.Parallel()
	sample := sampleOfLabels(t)
	if len(sample) != len(languageGroups)*(sampleRisky+samplePlain+sampleTempted) {
		t.Fatalf("%d rows", len(sample))
	}
	if again := sampleOfLabels(t); !slices.Equal(sample, again) {
		t.Error("the second drawing differs")
	}
	for i, row := range sample {
		switch {
		case *printLabels:
			t.Logf("%d\t%s\t%s\t%s\t%s\t%s\t%s", i, row.Locale, row.Value, row.Category, row.Strength, row.Subtype, row.Key)
		case *printSample:
			t.Logf("%d\t%s\t%s", i, row.Locale, row.Value)
		}
	}
}
