package redact

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/redact/redacttest"
)

// Whatever sentences are put together, no planted secret survives, and the
// result is settled.
func TestSecretsAmongSentences(t *testing.T) {
	planted, plain := redacttest.Planted(), harmless(t)
	// A digest may hold the digits of a card that is planted elsewhere.
	plain = slices.DeleteFunc(plain, func(line string) bool {
		return slices.ContainsFunc(planted, func(s redacttest.Sentence) bool {
			return len(s.Secret) > 4 && strings.Contains(line, s.Secret)
		})
	})
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var secrets []redacttest.Sentence
		for range rapid.IntRange(1, 6).Draw(t, "sentences") {
			if rapid.Bool().Draw(t, "secret") {
				s := rapid.SampledFrom(planted).Draw(t, "planted")
				secrets = append(secrets, s)
				text.WriteString(s.Text)
			} else {
				text.WriteString(rapid.SampledFrom(plain).Draw(t, "plain"))
			}
			text.WriteString("\n\n")
		}
		out := Text(text.String())
		for _, s := range secrets {
			if strings.Contains(out, s.Secret) && len(s.Secret) > 4 && s.Kind != "code" {
				t.Fatalf("%s %q is left in %q", s.Kind, s.Secret, out)
			}
		}
		if Text(out) != out {
			t.Fatalf("%q is not settled", out)
		}
	})
}

// A marker says how much is gone: replacing each by that many runes gives the
// length of the text back.
func TestMarkersCount(t *testing.T) {
	planted := redacttest.Planted()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(planted).Draw(t, "planted").Text + rapid.StringN(0, 30, -1).Draw(t, "rest")
		out := Text(s)
		runes := 0
		for i := 0; i < len(out); {
			if n := markerAt(out, i); n > 0 {
				count := 0
				for _, c := range out[i+len(markerStart) : i+n-len(markerEnd)] {
					count = count*10 + int(c-'0')
				}
				runes += count
				i += n
				continue
			}
			_, n := utf8.DecodeRuneInString(out[i:])
			runes++
			i += n
		}
		if want := utf8.RuneCountInString(s); runes != want {
			t.Fatalf("%q stands for %d runes, %q has %d", out, runes, s, want)
		}
	})
}

// Secret depends on nothing but the length.
func TestSecretTellsTheLengthOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "runes")
		a := rapid.StringOfN(rapid.RuneFrom([]rune("ab1ä密\u00ad ")), n, n, -1).Draw(t, "a")
		b := rapid.StringOfN(rapid.RuneFrom([]rune("xyz7ö码\n")), n, n, -1).Draw(t, "b")
		if Secret(a) != Secret(b) {
			t.Fatalf("%q and %q", Secret(a), Secret(b))
		}
	})
}
