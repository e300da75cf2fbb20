package lexicon

import (
	"strings"
	"testing"
	"unicode"

	"github.com/mtibben/confusables"
)

// sharedLetters are the scripts that have letters which look like Latin ones
// and that fonts on phones show. Others, such as Deseret, are shown as boxes.
var sharedLetters = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee,
	unicode.Lisu, unicode.Coptic, unicode.Canadian_Aboriginal, unicode.Georgian, unicode.Latin}

// knownDifferences are letters that the published table takes for a Latin one
// and ours does not, each with a reason.
var knownDifferences = map[rune]string{
	'ϲ': "a sigma to NFKC", 'Ϲ': "a sigma to NFKC",
	'ſ': "an s to NFKC", 'ẝ': "a stroked one of those",
	'ͺ': "a space and an accent to NFKC",
	'ỿ': "of medieval Welsh, among the letters of Vietnamese, which are not looked at",
	'ӏ': "an l: it has no dot",
}

// Our table holds every letter of those scripts that the published table of
// confusable characters takes for one ASCII letter.
func TestLookalikesAgainstPublishedTable(t *testing.T) {
	checked := 0
	for _, script := range sharedLetters {
		for r := rune(0x80); r < 0x10000; r++ {
			if !unicode.Is(script, r) || !unicode.IsLetter(r) {
				continue
			}
			looks := confusables.Skeleton(string(r))
			if len(looks) != 1 || !isASCIILetter(looks[0]) {
				continue
			}
			if _, differs := knownDifferences[r]; differs {
				continue
			}
			checked++
			want := strings.ToLower(looks)
			got := string(Fold(nil, "dq"+string(r)+"qd"))
			if got != "dq"+want+"qd" && !(want == "l" && got == "dqiqd") { // a capital I looks like both
				t.Errorf("%c (%U) looks like %s; in a Latin word it became %q", r, r, looks, got)
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d letters were checked", checked)
	}
}

// Letters that are told apart must not be merged: no letter of the Russian or
// Greek alphabet may change in a word of its own script.
func TestScriptsStay(t *testing.T) {
	for _, alphabet := range []string{"абвгдежзийклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψω", "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ"} {
		if got := string(Fold(nil, alphabet)); got != alphabet {
			t.Errorf("%q became %q", alphabet, got)
		}
	}
}
