package redact

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/countersign/countersign/redact/redacttest"
)

// prefixRunes is how much of the start of a secret must not survive.
const prefixRunes = 4

// survives returns what of the secret is still in out, "" when nothing is. The
// start of a number is not looked for, since other numbers may begin like it.
func survives(s redacttest.Sentence, out string) string {
	if strings.Contains(out, s.Secret) {
		return s.Secret
	}
	switch s.Kind {
	case "password", "token", "wifi", "key", "seed":
		if runes := []rune(s.Secret); len(runes) > prefixRunes {
			prefix := string(runes[:prefixRunes])
			if strings.Count(s.Text, prefix) == strings.Count(s.Text, s.Secret) && strings.Contains(out, prefix) {
				return prefix
			}
		}
	}
	return ""
}

func TestPlantedSecretsAreGone(t *testing.T) {
	kinds := map[string]int{}
	for _, s := range redacttest.Planted() {
		kinds[s.Kind]++
		out := Text(s.Text)
		if left := survives(s, out); left != "" {
			t.Errorf("%s: %q of %q is left in %q", s.Kind, left, s.Text, out)
		}
		if again := Text(out); again != out {
			t.Errorf("%q is read again as %q", out, again)
		}
		if !strings.Contains(out, markerStart) {
			t.Errorf("no marker in %q", out)
		}
	}
	for kind, least := range map[string]int{"card": 20, "cvv": 8, "iban": 7, "code": 80, "password": 60, "token": 40, "wifi": 3, "key": 2, "seed": 6} {
		if kinds[kind] < least {
			t.Errorf("%d secrets of kind %s, want at least %d", kinds[kind], kind, least)
		}
	}
}

// harmless returns the texts of testdata/harmless.txt.
func harmless(t testing.TB) []string {
	data, err := os.ReadFile("testdata/harmless.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.SplitSeq(string(data), "\n") {
		if line != "" && line[0] != '#' {
			list = append(list, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
	if len(list) < 250 {
		t.Fatalf("%d harmless texts, want at least 250", len(list))
	}
	return list
}

func TestHarmlessTextsStay(t *testing.T) {
	for _, s := range harmless(t) {
		if out := Text(s); out != s {
			t.Errorf("%q became %q", s, out)
		}
	}
}

// What is left of a sentence stays readable: only the secret goes.
func TestTheRestOfTheSentenceStays(t *testing.T) {
	cases := []struct{ in, want string }{
		{"Your code is 482913. Don't share it.", "Your code is <redacted 6 chars>. Don't share it."},
		{"Ihr Code lautet 123456", "Ihr Code lautet <redacted 6 chars>"},
		{"Карта 4111 1111 1111 1111 до 12/27", "Карта <redacted 19 chars> до 12/27"},
		{"am start -d 'https://x.example/cb?session_token=EXAMPLE-TOKEN-77'", "am start -d 'https://x.example/cb?session_token=<redacted 16 chars>'"},
		{"https://jane:pa55@host.example/x?page=2", "https://jane:<redacted 4 chars>@host.example/x?page=2"},
		{`{"user":"bob","password":"hunter23","n":1}`, `{"user":"bob","password":"<redacted 8 chars>","n":1}`},
		{`<node text="S3cret-example" id="a" password="true"/>`, `<node text="<redacted 14 chars>" id="a" password="true"/>`},
		{"WIFI:T:WPA;S:Home;P:geheim;;", "WIFI:T:WPA;S:Home;P:<redacted 6 chars>;;"},
		{"密码：abc123。请勿泄露", "密码：<redacted 6 chars>。请勿泄露"},
		{"pay 24,10 EUR, TAN 551209", "pay 24,10 EUR, TAN <redacted 6 chars>"},
		{"1\u00ad2\u200b3456 is your code", "<redacted 8 chars> is your code"},
	}
	for _, c := range cases {
		if got := Text(c.in); got != c.want {
			t.Errorf("%q became\n\t%q, want\n\t%q", c.in, got, c.want)
		}
	}
}

func TestSecret(t *testing.T) {
	cases := []struct{ in, want string }{
		{"", ""},
		{"S3cret-example", "<redacted 14 chars>"},
		{"密码", "<redacted 2 chars>"},
		{"\xff\xfe", "<redacted 2 chars>"},
		{"<redacted 3 chars>", "<redacted 3 chars>"},
		{"<redacted 3 chars> and more", "<redacted 27 chars>"},
	}
	for _, c := range cases {
		if got := Secret(c.in); got != c.want {
			t.Errorf("Secret(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// A secret survives neither more text around it nor being repeated.
func TestSecretsInLongTexts(t *testing.T) {
	filler := strings.Repeat("Nothing to see here, move along.\n", 300)
	for _, s := range redacttest.Planted() {
		for _, text := range []string{filler + s.Text, s.Text + "\n" + filler, s.Text + "\n" + s.Text} {
			if out := Text(text); survives(s, out) != "" || !utf8.ValidString(out) {
				t.Errorf("%q survives in a text of %d bytes", s.Secret, len(text))
			}
		}
	}
}

// Texts made of one cue again and again, which a rule with unbounded reach would
// read in quadratic time: at this length that is minutes.
func TestHostileTextsEnd(t *testing.T) {
	for _, piece := range []string{
		"password:", "password \"", "code ", "1 ", "12345 ", "1234-", "https://", "a=", "token=", "<redacted 1 chars>", "eyJ", "eyJa.", "-----BEGIN ",
		"recovery phrase ", "word ", "DE89 ", "sk-", "wifi:", "authorization: ", "\u00ad", "\xff", "码", "密码是", "<", "P:", "a/", "@", "\"", "password=\"true\"",
	} {
		text := strings.Repeat(piece, 200_000/len(piece))
		out := Text(text)
		if Text(out) != out {
			t.Errorf("%q again and again does not settle", piece)
		}
	}
}
