package redact

import (
	"strings"
	"testing"
)

func TestVocabularyKnowsTheLanguages(t *testing.T) {
	languages := strings.Fields("en de fr es pt it nl pl ru uk tr ar fa he hi bn ta te th vi id ms zh-Hans zh-Hant ja ko sv da nb fi cs ro hu el")
	have := map[string]bool{}
	for line := range strings.SplitSeq(wordsFile, "\n") {
		if head, _, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
			have[head] = true
		}
	}
	for _, language := range languages {
		for _, kind := range []string{"code", "pass"} {
			if !have[kind+" "+language] {
				t.Errorf("no %s words in %s", kind, language)
			}
		}
	}
	if len(languages) < 34 {
		t.Errorf("%d languages, want 34", len(languages))
	}
}

// Every phrase for a code is found in a sentence of its own, in lower case and
// in capitals, and hides the digits after it.
func TestEveryCodePhraseHides(t *testing.T) {
	phrases := 0
	for _, list := range words().phrases {
		for _, p := range list {
			if p.kind != kindCode && p.kind != kindPIN {
				continue
			}
			phrases++
			for _, spelled := range []string{p.text, strings.ToUpper(p.text)} {
				if out := Text(spelled + ": 739184"); strings.Contains(out, "7391") {
					t.Errorf("%q", out)
				}
			}
		}
	}
	if phrases < 300 {
		t.Errorf("%d phrases, want at least 300", phrases)
	}
}

// Every phrase for a password hides the word after a colon, and nothing when it
// stands alone.
func TestEveryPasswordPhraseHides(t *testing.T) {
	phrases := 0
	for _, list := range words().phrases {
		for _, p := range list {
			if p.kind != kindPass {
				continue
			}
			phrases++
			text := strings.TrimRight(p.text, " :=") + ": zebra"
			if out := Text(text); strings.Contains(out, "zebra") {
				t.Errorf("%q", out)
			}
			if out := Text(p.text); out != p.text {
				t.Errorf("alone: %q", out)
			}
		}
	}
	if phrases < 100 {
		t.Errorf("%d phrases, want at least 100", phrases)
	}
}

func TestTheViewFolds(t *testing.T) {
	cases := []struct{ in, want string }{
		{"plain ASCII stays", "plain ASCII stays"},
		{"１２３ ٤٥٦ ۷۸۹ ०१२ ৩৪৫ ๖๗๘ 𝟗", "123 456 789 012 345 678 9"},
		{"1\u00ad2\u200b3\u20604\ufeff5\U000e00206", "123456"},
		{"CONTRASEÑA ŞİFRE Ąę", "CONTRASEnA siFRE ae"},
		{"ＰＩＮ：１２", "PIN:12"},
		{"а\u2014б\u00a0в\u3000г", "а-б в г"},
		{"e\u0301", "e"},
		{"ΚΩΔΙΚΌΣ", "κωδικοσ"},
		{"密码", "密码"},
		{"a\xffb", "a\xffb"},
		{"", ""},
	}
	for _, c := range cases {
		got, at, room := see(c.in, false)
		if got != c.want {
			t.Errorf("%q is seen as %q, want %q", c.in, got, c.want)
		}
		if at != nil && (len(at) != len(got)+1 || int(at[len(got)]) != len(c.in)) {
			t.Errorf("%q: %d places for %d bytes", c.in, len(at), len(got))
		}
		if room != nil {
			scratches.Put(room)
		}
	}
}
