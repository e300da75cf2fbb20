package redact_test

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/redact/redacttest"
)

// A secret in the text of a shell line or a link is one although the blanks
// around it are spelled out.
func TestBlanksThatAreSpelledOut(t *testing.T) {
	for _, spelling := range []string{"%s", `\ `, "%20"} {
		tried := 0
		for _, p := range redacttest.Planted() {
			if strings.ContainsAny(p.Text, "\n\t%\\") || strings.Contains(p.Secret, " ") {
				continue // the blank is part of the secret, or the text has another escape
			}
			tried++
			line := "input text " + strings.ReplaceAll(p.Text, " ", spelling)
			if got := redact.Text(line); strings.Contains(got, p.Secret) {
				t.Errorf("%s, blanks as %q: %q", p.Kind, spelling, got)
			} else if redact.Text(got) != got {
				t.Errorf("%q is not settled: %q", line, got)
			}
		}
		if tried < 200 {
			t.Errorf("%d sentences tried with blanks as %q, there are more", tried, spelling)
		}
	}
	for _, harmless := range []string{"input text see%syou%sat%ssix", `input text see\ you`, "https://shop.example/a%20b", "100%", "%s of %s"} {
		if got := redact.Text(harmless); got != harmless {
			t.Errorf("%q became %q", harmless, got)
		}
	}
}
