package lexicon

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/countersign/countersign/risk"
)

// corpusFloors are what the term files reach on the judged labels of the main
// languages, and of six smaller ones, rounded down: least recall and most false alarms in percent.
var corpusFloors = map[string][2]float64{
	"ar": {87, 2.9}, "de": {87, 2.2}, "en": {97, 1.3}, "es": {85, 1.3}, "fa": {82, 3.5}, "fr": {85, 1.2},
	"hi": {75, 2.1}, "id": {85, 2.2}, "it": {86, 1.6}, "ja": {83, 2.8}, "ko": {85, 3.3}, "nl": {86, 2.9},
	"pl": {88, 1.1}, "pt": {87, 1.3}, "ru": {81, 1.2}, "sv": {92, 1.6}, "th": {85, 3.6}, "tr": {84, 1.1},
	"uk": {85, 1.4}, "vi": {82, 3.2}, "zh-Hans": {80, 3}, "zh-Hant": {84, 2.6},
	// With 120 to 280 risky labels each.
	"as": {95, 1.2}, "cy": {94, 0.9}, "eo": {92, 0.9}, "ga": {93, 1.2}, "or": {95, 1.6}, "ug": {88, 1.4},
}

// The labels of every language, read as on a control of no known role. The
// table shows where the terms fall short.
func TestCorpusLanguages(t *testing.T) {
	t.Parallel()
	rows := corpusRows(t)
	got := make([]risk.Category, len(rows))
	var reading sync.WaitGroup
	const piece = 10_000
	for start := 0; start < len(rows); start += piece {
		reading.Go(func() {
			for i := start; i < min(start+piece, len(rows)); i++ {
				r := Default().Read(Query{Text: rows[i].Value, Language: rows[i].Locale, Certainty: TermsOnly})
				rows[i].list(t, rows[i].Value, &r)
				got[i] = r.Category
			}
		})
	}
	reading.Wait()
	byLanguage := map[string]*tally{}
	var all tally
	for i := range rows {
		language := languageOf(rows[i].Locale)
		if byLanguage[language] == nil {
			byLanguage[language] = &tally{}
		}
		byLanguage[language].count(&rows[i], got[i])
		all.count(&rows[i], got[i])
	}
	var languages []string
	for language, c := range byLanguage {
		if c.positives >= 100 {
			languages = append(languages, language)
		}
	}
	slices.SortFunc(languages, func(a, b string) int { return cmp.Compare(byLanguage[b].negatives, byLanguage[a].negatives) })
	for _, language := range languages {
		c := byLanguage[language]
		t.Logf("%-8s recall %5.1f %% of %4d (%5.1f %% as that category), false alarms %4.2f %% of %5d",
			language, c.recall(), c.positives, c.agreement(), c.falseAlarms(), c.negatives)
	}
	t.Logf("all      recall %5.1f %% of %d, false alarms %.2f %% of %d", all.recall(), all.positives, all.falseAlarms(), all.negatives)
	for language, floor := range corpusFloors {
		c := byLanguage[language]
		if c == nil || c.recall() < floor[0] || c.falseAlarms() > floor[1] {
			t.Errorf("%s fell below recall %.0f %% at %.1f %% false alarms", language, floor[0], floor[1])
		}
	}
	if all.recall() < 77 || all.falseAlarms() > 1.7 {
		t.Errorf("all languages: recall %.1f %%, false alarms %.2f %%", all.recall(), all.falseAlarms())
	}
}

// languageOf is the language whose term file a locale of the corpus is about.
func languageOf(locale string) string {
	base, region, _ := strings.Cut(locale, "-")
	switch base {
	case "zh":
		if region == "TW" || region == "HK" {
			return "zh-Hant"
		}
		return "zh-Hans"
	case "no", "nn":
		return "nb"
	case "tl":
		return "fil"
	}
	return base
}
