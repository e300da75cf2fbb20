package catalog

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// corpusFile opens a file of the shared corpus, which lies beside the checkout.
func corpusFile(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Open("../../shared/corpus/apps/" + name)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the shared corpus is needed in CI: %v", err)
		}
		t.Skipf("the shared corpus is not beside the checkout: %v", err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// TestNearnessNeverLowers takes pairs of ids that are near each other, or apps
// of the same label, and asks that whoever is near a HIGH app is not LOW, and
// that being near never made an app less than it is by itself.
func TestNearnessNeverLowers(t *testing.T) {
	c := Default()
	blind := &Catalog{apps: c.apps}
	pairs, flagged, nearHigh := 0, 0, 0
	lines := bufio.NewScanner(corpusFile(t, "lookalikes.tsv"))
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 5 || fields[0] == "kind" {
			continue
		}
		pairs++
		kind, known, other := fields[0], fields[1], App{Package: fields[3], Label: fields[4]}
		got, without := c.Tier(other), blind.Tier(other)
		if got.Tier > without.Tier {
			t.Errorf("%s: %v when look-alikes count, %v when they do not", other.Package, got.Tier, without.Tier)
		}
		if got.Why == WhyLookalike {
			flagged++
			if got.Tier != risk.High || got.LookalikeOf == "" {
				t.Errorf("%s: %+v", other.Package, got)
			}
		}
		if _, catalogued := c.Lookup(other.Package); catalogued || c.Tier(App{Package: known}).Tier != risk.High {
			continue
		}
		// The list folds some labels by hand; only those that the table has count.
		if kind != "prefix-extension" && !strings.HasPrefix(kind, "edit") {
			if _, ok := c.near.labelled(other.Label); !ok {
				continue
			}
		}
		nearHigh++
		if got.Tier != risk.High && len(known) >= 12 {
			t.Errorf("%s (%q), %s of the HIGH %s: %v by %v", other.Package, other.Label, kind, known, got.Tier, got.Why)
		}
	}
	if pairs != 329 || flagged < 40 || nearHigh < 100 {
		t.Errorf("%d pairs, %d flagged, %d unknown ids near a HIGH one", pairs, flagged, nearHigh)
	}
}

func TestLabelsOfHighApps(t *testing.T) {
	c := Default()
	for label, want := range map[string]string{
		"WhatsApp": "com.whatsapp", "whats app": "com.whatsapp", "Settings": "com.android.settings",
		"What\u200bsApp": "com.whatsapp", "Яндекс Почта": "ru.yandex.mail", "Yandex Mail": "ru.yandex.mail",
	} {
		v := c.Tier(App{Package: "iu.mwzaewevvr", Label: label})
		if v.Tier != risk.High || v.Why != WhyLookalike || v.LookalikeOf != want && label != "Settings" {
			t.Errorf("%q: %+v", label, v)
		}
	}
	for _, label := range []string{"", " ", "!!!", "Chess", strings.Repeat("W", 5000)} {
		if v := c.Tier(App{Package: "iu.mwzaewevvr", Label: label}); v.Why != WhyDefault {
			t.Errorf("%.20q: %+v", label, v)
		}
	}
	// A known app keeps its own tier whatever it calls itself.
	if v := c.Tier(App{Package: "com.spotify.music", Label: "WhatsApp"}); v.Tier != risk.Low {
		t.Errorf("%+v", v)
	}
}

// nearBySlowSearch is the definition that the index has to live up to.
func nearBySlowSearch(x *nearIndex, id []byte) bool {
	for _, known := range x.ids {
		edits := allowedEdits(min(len(known), len(id)))
		if edits > 0 && editDistance(string(id), known) <= edits {
			return true
		}
	}
	return false
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// FuzzNear edits a known id and asks that the index finds exactly what a search
// through all ids finds.
func FuzzNear(f *testing.F) {
	x := Default().near
	f.Add(uint16(0), []byte{0, 'x', 1, 3, 'y', 2})
	f.Add(uint16(700), []byte{5, '.', 0, 9, 'q', 1, 2, 'z', 2})
	f.Add(uint16(1999), []byte{255, 'a', 2})
	f.Fuzz(func(t *testing.T, which uint16, edits []byte) {
		id := []byte(x.ids[int(which)%len(x.ids)])
		for ; len(edits) >= 3; edits = edits[3:] {
			id = edited(id, edits[0], edits[1], edits[2])
		}
		if len(id) > maxPackage {
			return
		}
		row, got := x.within(id)
		if want := nearBySlowSearch(x, id); got != want {
			t.Fatalf("%q: the index says %v, the search %v", id, got, want)
		}
		if got && Default().apps.class(row).tier != risk.High {
			t.Fatalf("%q is near row %d, which is not HIGH", id, row)
		}
	})
}

func edited(id []byte, at, with, how byte) []byte {
	if len(id) == 0 {
		return id
	}
	i := int(at) % len(id)
	head, tail := id[:i:i], id[i+1:]
	switch how % 3 {
	case 0: // replace
		return append(append(head, with), tail...)
	case 1: // delete
		return append(head, tail...)
	}
	return append(append(head, with, id[i]), tail...)
}

// TestEveryEditOfAHighIDIsFound tries single and double edits of known ids.
func TestEveryEditOfAHighIDIsFound(t *testing.T) {
	x, ran := Default().near, 0
	for n := 0; n < len(x.ids); n += 37 {
		id := []byte(x.ids[n])
		for at := range id {
			for how := range byte(3) {
				once := edited(id, byte(at), '~', how)
				twice := edited(once, byte(at*7+3), '~', byte(at)+how)
				for edits, near := range [][]byte{once, twice} {
					if allowedEdits(min(len(near), len(id))) <= edits {
						continue
					}
					ran++
					if _, ok := x.within(near); !ok {
						t.Errorf("%q, %d edits from %q, is not found", near, edits+1, id)
					}
				}
			}
		}
	}
	if ran < 5000 {
		t.Errorf("%d edits ran", ran)
	}
}

func TestIsWithin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		k    int
		want bool
	}{
		{"", "", 0, true}, {"a", "", 0, false}, {"a", "", 1, true}, {"ab", "ba", 1, false}, {"ab", "ba", 2, true},
		{"abc", "abd", 1, true}, {"abc", "xyz", 2, false}, {"abcd", "bcde", 2, true}, {"abc", "abcdef", 2, false},
	} {
		if got := isWithin([]byte(c.a), c.b, c.k); got != c.want {
			t.Errorf("isWithin(%q, %q, %d) = %v", c.a, c.b, c.k, got)
		}
	}
}
