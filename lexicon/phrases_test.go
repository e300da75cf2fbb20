package lexicon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// phrasesOf makes the table of sorted, distinct keys.
func phrasesOf(keys []string) *phrases {
	b := newPhrasebook(len(keys), 0)
	for _, key := range keys {
		shared := sharedBytes(b.before, key)
		b.add(shared, key[shared:])
	}
	return b.table()
}

// findSlowly is the oracle: every key at every place where a word may begin and
// end.
func findSlowly(keys []string, text []byte) (all []match) {
	edge := func(i int) bool {
		return i == 0 || i == len(text) || isBoundary(classBefore(text, i), classAt(text, i))
	}
	for start := range text {
		for k, key := range keys {
			end := start + len(key)
			if end <= len(text) && string(text[start:end]) == key && edge(start) && edge(end) {
				all = append(all, match{start: int32(start), end: int32(end), key: int32(k), words: countWords(key)})
			}
		}
	}
	return all
}

// countWords counts words; in scripts without spaces some letters make one.
func countWords(s string) (words float32) {
	before := notWord
	for _, r := range s {
		class := classOf(r)
		if words += wordPart(r, class); class != unspaced && class != notWord && isBoundary(before, class) {
			words++
		}
		before = class
	}
	return words
}

func findFast(keys []string, text []byte) []match {
	return phrasesOf(keys).appendMatches(nil, text, appendTokens(nil, text))
}

// sameMatches compares matches whatever their order.
func sameMatches(a, b []match) bool {
	for _, matches := range [][]match{a, b} {
		slices.SortFunc(matches, func(m, n match) int {
			return int(m.start-n.start)<<16 + int(m.end-n.end)
		})
	}
	return slices.Equal(a, b)
}

// sortedKeys makes keys of any texts: no key is empty or begins with a space.
func sortedKeys(keys []string) []string {
	for i, key := range keys {
		keys[i] = strings.TrimLeft(key, " ")
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return slices.DeleteFunc(keys, func(k string) bool { return k == "" })
}

// Words of scripts with spaces and without, of one script behind another, digits
// and signs; a few of them, so that keys begin alike.
func TestPhrasesAgreeWithSlowMatcher(t *testing.T) {
	part := rapid.SampledFrom([]string{"pay", "ment", "a", " ", " ", "1", "买", "入", "キャ", "ก", "да", "д", "🗑", "-", "é", "지"})
	text := func(most int) *rapid.Generator[string] {
		return rapid.Map(rapid.SliceOfN(part, 0, most), func(parts []string) string { return strings.Join(parts, "") })
	}
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		keys := sortedKeys(rapid.SliceOfN(text(5), 0, 40).Draw(t, "keys"))
		in := []byte(text(30).Draw(t, "text"))
		fast, slow := findFast(keys, in), findSlowly(keys, in)
		if !sameMatches(fast, slow) {
			t.Fatalf("keys %q in %q: %v, want %v", keys, in, fast, slow)
		}
		found += len(slow)
	})
	if found == 0 {
		t.Error("nothing was found in any text")
	}
}

func TestPhrasesWithoutKeys(t *testing.T) {
	if got := findFast(nil, []byte("anything")); got != nil {
		t.Errorf("found %v with no keys", got)
	}
}

// Each spelling of the term files is found as itself, and what they share is
// noted once: the table holds hardly more than there are different beginnings.
func TestPhrasesOfTheTerms(t *testing.T) {
	t.Parallel()
	p := Default().phrases
	different := map[string]bool{}
	for k := range p.ends {
		key := []byte(p.spelling(int32(k)))
		tokens := appendTokens(nil, key)
		for _, next := range tokens[1:] {
			different[string(key[:next.start])] = true
		}
		whole := match{end: int32(len(key)), key: int32(k), words: countWords(string(key))}
		if found := p.appendMatches(nil, key, tokens); !slices.Contains(found, whole) {
			t.Errorf("%q is not found in itself", key)
		}
	}
	if n := len(p.tags); len(p.ends) < 60000 || n < len(different) || n > len(different)+100 {
		t.Errorf("%d keys have %d beginnings, of which %d are noted", len(p.ends), len(different), n)
	}
}

// Two beginnings of one hash do not become each other.
func TestPhrasesOfOneHash(t *testing.T) {
	p := phrasesOf([]string{"delete", "pay now"})
	h := appendTokens(nil, []byte("delete"))[0].hash
	if key, longer := p.look(join(0, h), []byte("delete")); key != 0 || longer {
		t.Errorf("delete is key %d, longer %v", key, longer)
	}
	if key, _ := p.look(join(0, h), []byte("harmless")); key != noKey {
		t.Errorf("another text of that hash is key %d", key)
	}
}

func FuzzPhrases(f *testing.F) {
	f.Add("send\npay\npayment\nend\npay now", "payment sender pay now")
	f.Add("a\naa\na a\na a b", "a a a aa")
	f.Add("买\n买入\n1", "立即买入1")
	f.Fuzz(func(t *testing.T, list, text string) {
		if len(list) > 200 || len(text) > 100 || !utf8.ValidString(list) || !utf8.ValidString(text) {
			return
		}
		keys := sortedKeys(strings.Split(list, "\n"))
		if fast, slow := findFast(keys, []byte(text)), findSlowly(keys, []byte(text)); !sameMatches(fast, slow) {
			t.Fatalf("keys %q in %q: %v, want %v", keys, text, fast, slow)
		}
	})
}

// inventedKeys returns n distinct keys of the length of terms.
func inventedKeys(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	syllables := []string{"pa", "yu", "se", "nd", "тра", "нс", "删", "除", "キ", "ャン", "çı", "kış", "ver", "send", "en", " "}
	seen := map[string]bool{}
	for len(seen) < n {
		key := ""
		for range 3 + random.IntN(5) {
			key += syllables[random.IntN(len(syllables))]
		}
		seen[fmt.Sprint(key, random.IntN(10))] = true
	}
	keys := make([]string, 0, n)
	for key := range seen {
		keys = append(keys, key)
	}
	return sortedKeys(keys)
}
