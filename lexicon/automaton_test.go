package lexicon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// found is where a key ends in a text.
type found struct{ end, key int }

// findSlowly is the oracle: every key at every place.
func findSlowly(keys []string, text []byte) (all []found) {
	for end := 1; end <= len(text); end++ {
		for k, key := range keys {
			if bytes.HasSuffix(text[:end], []byte(key)) {
				all = append(all, found{end, k})
			}
		}
	}
	return all
}

func findFast(keys []string, text []byte) (all []found) {
	a := newAutomaton(keys)
	state := root
	for i, c := range text {
		state = a.step(state, c)
		var here []found
		for s := a.ending(state); s != root; s = a.link[s] {
			here = append(here, found{i + 1, int(a.key[s] - 1)})
		}
		slices.SortFunc(here, func(f, g found) int { return f.key - g.key })
		all = append(all, here...)
	}
	return all
}

func sortedKeys(keys []string) []string {
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return slices.DeleteFunc(keys, func(k string) bool { return k == "" })
}

func TestAutomatonAgreesWithSlowMatcher(t *testing.T) {
	alphabet := rapid.SampledFrom([]rune("abcаб买入 "))
	word := rapid.StringOfN(alphabet, 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		keys := sortedKeys(rapid.SliceOfN(word, 0, 40).Draw(t, "keys"))
		text := []byte(rapid.StringOfN(alphabet, 0, 60, -1).Draw(t, "text"))
		if fast, slow := findFast(keys, text), findSlowly(keys, text); !slices.Equal(fast, slow) {
			t.Fatalf("keys %q in %q: %v, want %v", keys, text, fast, slow)
		}
	})
}

func TestAutomatonWithoutKeys(t *testing.T) {
	if got := findFast(nil, []byte("anything")); got != nil {
		t.Errorf("found %v with no keys", got)
	}
}

// A fan of more children than are looked at one by one.
func TestAutomatonManyChildren(t *testing.T) {
	var keys []string
	for c := range 256 {
		keys = append(keys, "ab"+string([]byte{byte(c)}))
	}
	keys = sortedKeys(keys)
	text := []byte("ab\x00ab\xffabab\x7f")
	if fast, slow := findFast(keys, text), findSlowly(keys, text); !slices.Equal(fast, slow) || len(slow) != 4 {
		t.Errorf("%v, want %v", fast, slow)
	}
}

func FuzzAutomaton(f *testing.F) {
	f.Add([]byte("send\npay\npayment\nend"), []byte("payment sender"))
	f.Add([]byte("a\naa\naaa"), []byte("aaaa"))
	f.Add([]byte("\xff\n\xff\xfe"), []byte("\xff\xfe\xff"))
	f.Fuzz(func(t *testing.T, list, text []byte) {
		if len(list) > 400 || len(text) > 200 {
			return
		}
		var keys []string
		for _, key := range bytes.Split(list, []byte("\n")) {
			keys = append(keys, string(key))
		}
		keys = sortedKeys(keys)
		if fast, slow := findFast(keys, text), findSlowly(keys, text); !slices.Equal(fast, slow) {
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
