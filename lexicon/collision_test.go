package lexicon

import (
	"strings"
	"testing"
)

// A word as a whole label is read in every language, the worst reading wins. So
// a verb of one language that is an everyday word of another asks needlessly
// there: Turkish "sun" offers, and stands in every weather app. The lists below
// hold the words that were looked at and kept; a new one must be looked at too.

// twoMeanings are words that act in the first language and are harmless in the
// second, and why they are kept all the same.
var twoMeanings = map[string]string{
	"da en installer": "the button of the system's installer; in English it names a program and is no label of a control",
	"fr en installer": "likewise",
	"nb en installer": "likewise",
	"id en posting":   "the button under every Indonesian composer; in English it shows while a post is under way",

	"ca pt aposta":  "the imperative of the one is the noun of the other; as a noun it is a heading and no control",
	"es pt aposta":  "likewise",
	"es pt compra":  "likewise",
	"it pt compra":  "likewise",
	"ca pt compra":  "likewise",
	"ca es reserva": "likewise",
	"ca pt reserva": "likewise",

	"da es del": "an article is never a whole label, and words this short are read as nothing else",
	"nb es del": "likewise",
	"da it del": "likewise",
	"nb it del": "likewise",

	"da sv rapporter": "the verb there; in Swedish a plural, which is a tab",
	"nb sv rapporter": "likewise",
	"mk uk дозволи":   "what the system's dialogs are answered with; in Ukrainian the title of a page",
	"sr uk дозволи":   "likewise",
	"pt es apagar":    "deletes in Portuguese, switches off in Spanish: unknown is not harmless",
	"tr nl blok":      "blocks in Turkish; a block of houses is no label",
	"nl de legen":     "empties in Dutch; to lay something is no label",
	"id pl transfer":  "English in both, and English reads it as a verb",
	"ar fa اتصال":     "calls in Arabic; to connect is what Persian switches do",
	"ar fa تحويل":     "transfers in Arabic; to hand over in Persian",
	"ar fa رد":        "replies in Arabic; refuses in Persian",
	"ja zh-Hans 提出":   "hands in in Japanese; in Chinese it needs an object",
	"ja zh-Hant 提出":   "likewise",
}

// TestWordsOfTwoMeanings finds the words that act in one language and have
// nothing but harmless meanings in English, or in another language that the
// lexicon holds in depth.
func TestWordsOfTwoMeanings(t *testing.T) {
	l := Default()
	met := map[string]bool{}
	looked := 0
	for i := range l.senseOf {
		terms := l.sense(int32(i)).terms
		text := l.textOf(int32(i), &terms[0])
		if strings.Contains(text, " ") {
			continue
		}
		meanings := map[string]kinds{}
		for n := range terms {
			meanings[l.langs[terms[n].language].tag] |= terms[n].kind.set()
		}
		looked++
		for _, pair := range collisions(meanings) {
			entry := pair + " " + text
			met[entry] = true
			if twoMeanings[entry] == "" {
				t.Errorf("%q acts in the first language and is harmless in the second: change the term, or say in twoMeanings why it is kept", entry)
			}
		}
	}
	for entry := range twoMeanings {
		if !met[entry] {
			t.Errorf("%q is on the list and no longer in the term files", entry)
		}
	}
	if looked < 20000 {
		t.Errorf("looked at %d words", looked)
	}
}

// collisions are the pairs of languages of which the first reads a word of
// those meanings as an act and the second, a main one, as harmless.
func collisions(meanings map[string]kinds) (pairs []string) {
	risky := setOf(act, dual, bare, opens)
	for second, harmless := range meanings {
		if harmless.any(risky) || second != english && europeanTwins[second] == "" && asianTwins[second] == "" {
			continue
		}
		for first, k := range meanings {
			if k.any(risky) && first != english && first != namesTag && first != "und" {
				pairs = append(pairs, first+" "+second)
			}
		}
	}
	return pairs
}
