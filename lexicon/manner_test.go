package lexicon

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/risk"
)

// However a text is read, each byte of the copy stands for a span inside the
// original, and spans never fall.
func TestSpansOfEveryManner(t *testing.T) {
	letters := rapid.SampledFrom([]rune("Pay n0wдалит1$3öà\u0301\u202e\u202d\u202c\u2066 -–✓ह टาצק删ﬁ"))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(letters).Draw(t, "text")
		for m := asWritten; m <= digitsAsI; m++ {
			var c copyText
			c.setAs(s, m)
			if !utf8.Valid(c.b) || len(c.b) != len(c.from) || len(c.b) != len(c.to) {
				t.Fatalf("manner %d: copy %q with %d and %d spans", m, c.b, len(c.from), len(c.to))
			}
			for i := range c.b {
				if c.from[i] >= c.to[i] || int(c.to[i]) > utf8.RuneCountInString(s) || i > 0 && (c.from[i] < c.from[i-1] || c.to[i] < c.to[i-1]) {
					t.Fatalf("manner %d: byte %d of %q stands for runes %d-%d", m, i, c.b, c.from[i], c.to[i])
				}
			}
		}
	})
}

func TestManners(t *testing.T) {
	cases := []struct {
		text string
		m    manner
		want string
	}{
		{"\u202ewon yaP", asShown, "pay now"},
		{"OK \u202ewon yaP\u202c!", asShown, "ok pay now!"},
		{"\u202en\u0303ba\u202c", asShown, "abñ"},
		{"\u202dab\u202edc", asShown, "bacd"},
		{"\u202ewon yaP", asWritten, "won yap"},
		{"D3l3te", digitsAsL, "delete"},
		{"De1ete", digitsAsL, "delete"},
		{"Un1nstall", digitsAsI, "uninstall"},
		{"$end", digitsAsL, "send"},
		{"0тправить", digitsAsL, "отправить"},
		{"Gate 4", digitsAsL, "gate 4"},
		{"Post5", digitsAsL, "post5"},
		{"4K", digitsAsL, "4k"},
		{"안 함", asWritten, "안함"},
		{"안 함", apart, "안 함"},
	}
	ran := 0
	for _, c := range cases {
		var copied copyText
		copied.setAs(c.text, c.m)
		if string(copied.b) != c.want {
			t.Errorf("%q in manner %d became %q, want %q", c.text, c.m, copied.b, c.want)
		}
		ran++
	}
	if ran != 15 {
		t.Errorf("%d cases ran", ran)
	}
}

// An act in two parts needs both, in its clause and in this order.
func TestPartedActs(t *testing.T) {
	l, err := newFrom(map[string]string{"de.txt": "language de\norder last\n[call act]\nruf … an\n[known]\nmama\nheute\n"})
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		text string
		want risk.Category
	}{
		{"Ruf Mama an", risk.Call}, {"Ruf heute Mama an!", risk.Call}, {"Ruf Mama", risk.None}, {"An Mama", risk.None},
		{"Ruf, Mama ist an", risk.None}, {"Mama ruf an", risk.None}, {"Ruf an Mama", risk.None},
	}
	ran := 0
	for _, c := range cases {
		if got := l.Read(Query{Text: c.text}); got.Category != c.want {
			t.Errorf("Read(%q) = %s, want %s", c.text, got.Category, c.want)
		}
		ran++
	}
	if ran != 7 {
		t.Errorf("%d cases ran", ran)
	}
	for _, bad := range []string{"[call noun]\nruf … an\n", "[call act]\nruf … \u200b\n"} {
		if _, err := newFrom(map[string]string{"de.txt": "language de\n" + bad}); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
