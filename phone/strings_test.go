package phone

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestEachStringSaysSomethingInEachLanguageAndIsUsed(t *testing.T) {
	apps, err := builtinApps()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	everywhere := map[string]bool{"navigate_up": true} // keys that some app uses
	for _, a := range apps {
		data, err := builtin.ReadFile("apps/" + a.file)
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{"navigate_up": true} // by the bar
		for _, m := range regexp.MustCompile(`"@([a-z_]+)"`).FindAllStringSubmatch(string(data), -1) {
			used[m[1]], everywhere[m[1]] = true, true
		}
		for _, key := range slices.Sorted(maps.Keys(a.strings)) {
			own := strings.Contains(string(data), "\n  "+key+":")
			if own && !used[key] {
				t.Errorf("%s: nobody uses the string %s", a.file, key)
			}
			languages := Languages
			if a.language != "" && own {
				languages = []string{a.language}
			}
			for _, language := range languages {
				count++
				if words := a.strings[key][language]; strings.TrimSpace(words) == "" {
					t.Errorf("%s: %s says nothing in %s", a.file, key, language)
				}
			}
		}
	}
	common, err := builtin.ReadFile("apps/" + commonStrings)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^([a-z_]+):`).FindAllStringSubmatch(string(common), -1) {
		if !everywhere[m[1]] {
			t.Errorf("%s: nobody uses the string %s", commonStrings, m[1])
		}
	}
	if count < 800 {
		t.Errorf("%d strings were looked at", count)
	}
}

// TestEachScreenSpeaksThePhonesLanguage looks at all texts on all screens in
// all languages.
func TestEachScreenSpeaksThePhonesLanguage(t *testing.T) {
	texts := map[string][]string{}
	for _, language := range Languages {
		for _, c := range allScreens(t) {
			p := newPhone(t, Options{Locale: language})
			show(p, c)
			for _, n := range p.AllNodes() {
				for _, words := range []string{n.Text, n.Description} {
					if strings.HasPrefix(words, "@") || misplaced(words) != "" || len(names(words)) > 0 {
						t.Errorf("%s, %v: %q", language, c, words)
					}
					if words != "" {
						texts[language] = append(texts[language], words)
					}
				}
			}
		}
	}
	for _, language := range Languages {
		if len(texts[language]) != len(texts["en"]) || len(texts["en"]) < 300 {
			t.Errorf("%d texts in %s, %d in English", len(texts[language]), language, len(texts["en"]))
			continue
		}
		other := 0
		for i, words := range texts[language] {
			if words != texts["en"][i] {
				other++
			}
		}
		if language != "en" && other*3 < len(texts["en"]) {
			t.Errorf("%s: only %d of %d texts are not the English ones", language, other, len(texts["en"]))
		}
	}
	if !slices.ContainsFunc(texts["ja"], func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
	}) {
		t.Error("no Japanese in Japanese")
	}
}

// TestWhatCanBePressedCanBeReached: on a phone of the usual size, upright and
// turned, nothing that takes a touch is squeezed or off the screen, in any
// language.
func TestWhatCanBePressedCanBeReached(t *testing.T) {
	looked := 0
	for _, language := range Languages {
		for _, c := range allScreens(t) {
			p := newPhone(t, Options{Locale: language})
			show(p, c)
			for _, quarters := range []int{0, 1} {
				p.SetRotation(quarters)
				for _, w := range p.frame() {
					looked += reachable(t, p, w, c)
				}
			}
		}
	}
	if looked < 2800 {
		t.Errorf("%d nodes were looked at", looked)
	}
}

// reachable complains of nodes of a window that take touches and are not seen
// whole, and counts those it looked at.
func reachable(t *testing.T, p *Phone, w *window, c screenCase) (looked int) {
	w.root.walk(func(v *view) bool {
		scrolls := false
		for up := v; up != nil; up = up.parent {
			scrolls = scrolls || up.scrollable
		}
		if v.takes() && !scrolls {
			looked++
			if v.bounds != v.full || v.bounds.Dx() < p.dp(32) || v.bounds.Dy() < p.dp(20) {
				t.Errorf("%s, %v: %s %q has %v and shows %v", p.Locale(), c, v.class, v.text+v.desc, v.full, v.bounds)
			}
		}
		return true
	})
	return looked
}
