package lexicon

import (
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// A label that acts is risky and its twin is not, whether or not the language
// is told.
func TestTwins(t *testing.T) {
	core := []risk.Category{risk.Message, risk.Delete, risk.Money, risk.Call, risk.Share, risk.Permission,
		risk.Account, risk.SignOut, risk.CancelService, risk.BlockReport}
	languages, pairs := 0, 0
	for _, tables := range []map[string]string{europeanTwins, asianTwins, furtherTwins} {
		for language, table := range tables {
			languages++
			var seen []risk.Category
			for line := range strings.Lines(strings.TrimSpace(table)) {
				pairs++
				seen = append(seen, checkTwins(t, language, line))
			}
			for _, c := range core {
				if c != risk.SignOut && !slices.Contains(seen, c) {
					t.Errorf("%s has no twins of %s", language, c)
				}
			}
		}
	}
	if languages != 27 || pairs != 537 {
		t.Errorf("%d pairs in %d languages ran", pairs, languages)
	}
}

// checkTwins reads one line of a table of twins and returns its category.
func checkTwins(t *testing.T, language, line string) risk.Category {
	t.Helper()
	name, labels, _ := strings.Cut(strings.TrimSpace(line), " | ")
	acts, harmless, _ := strings.Cut(labels, " | ")
	want, ok := risk.ParseCategory(name)
	if !ok || harmless == "" {
		t.Fatalf("%s: bad line %q", language, line)
	}
	for _, claimed := range []string{language, ""} {
		if got := Default().Read(Query{Text: acts, Language: claimed}); got.Category != want {
			t.Errorf("%s (claimed %q): %q is %s, hit %q; want %s", language, claimed, acts, got.Category, got.Hits[0].Term, want)
		}
		if got := Default().Read(Query{Text: harmless, Language: claimed}); isRisky(got.Category) {
			t.Errorf("%s (claimed %q): %q is %s, hit %q of %s; want it harmless", language, claimed, harmless, got.Category,
				got.Hits[0].Term, got.Hits[0].Language)
		}
	}
	return want
}

// mostLoneNegators is in how many languages "No" alone, which is also their
// "not", still reads as a negation without a verb: no act, but no answer either.
const mostLoneNegators = 0

func TestAnswersInManyLanguages(t *testing.T) {
	languages, words, loneNegators := 0, 0, 0
	for line := range strings.Lines(strings.TrimSpace(answers)) {
		columns := strings.Split(strings.TrimSpace(line), " | ")
		if len(columns) != 3 {
			t.Fatalf("bad line %q", line)
		}
		languages++
		for i, want := range []risk.Category{risk.Affirmative, risk.Dismissal} {
			for word := range strings.SplitSeq(columns[i+1], " ; ") {
				words++
				got := Default().Read(Query{Text: word, Language: columns[0]})
				switch {
				case want == risk.Dismissal && got.Form == Negated && got.Category == risk.None:
					loneNegators++
				case got.Category != want || !got.Understood:
					t.Errorf("%s: %q is %s (%s), want %s", columns[0], word, got.Category, got.Form, want)
				}
			}
		}
	}
	if loneNegators > mostLoneNegators {
		t.Errorf("%d lone negators are no dismissal, want at most %d", loneNegators, mostLoneNegators)
	}
	if languages != 77 || words != 432 {
		t.Errorf("%d answers in %d languages ran", words, languages)
	}
}

// Every file of a language says how to answer a dialog and knows the acts that
// matter most; the main languages know them all.
func TestTermFilesCoverTheCategories(t *testing.T) {
	everywhere := []risk.Category{risk.Message, risk.Delete, risk.Call, risk.Share, risk.Permission, risk.Install,
		risk.Account, risk.BlockReport, risk.Money, risk.Credential, risk.Publish}
	main := append([]risk.Category{risk.Uninstall, risk.SignOut, risk.CancelService, risk.Submit, risk.Settings, risk.Device}, everywhere...)
	l := Default()
	files := 0
	for i := range l.langs {
		tag := l.langs[i].tag
		if tag == "und" || tag == namesTag {
			continue
		}
		files++
		acts, kinds := map[risk.Category]bool{}, map[kind]int{}
		for _, t := range l.all() {
			if int(t.language) == i {
				kinds[t.kind]++
				acts[t.category] = acts[t.category] || setOf(act, dual, bare, opens).has(t.kind)
			}
		}
		wanted := everywhere
		if tag == "en" || europeanTwins[tag] != "" || asianTwins[tag] != "" || furtherTwins[tag] != "" {
			wanted = main
		}
		for _, c := range wanted {
			if !acts[c] {
				t.Errorf("%s has no term that acts for %s", tag, c)
			}
		}
		for k, least := range map[kind]int{affirmative: 5, dismissal: 5, not: 3, known: 25} {
			if kinds[k] < least {
				t.Errorf("%s has %d terms of %s, want at least %d", tag, kinds[k], sections[k].name, least)
			}
		}
	}
	if files != 78 {
		t.Errorf("%d files of languages", files)
	}
}
