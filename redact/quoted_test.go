package redact

import "testing"

// A sentence in quotes hides what it hides without, and a label in quotes is no
// sentence.
func TestQuotedSentences(t *testing.T) {
	for text, want := range map[string]string{
		`input text "Hi. hunter2 is your password"`: `input text "Hi. <redacted 7 chars> is your password"`,
		`input text 'hunter2 is your password'`:     `input text '<redacted 7 chars> is your password'`,
		`{"text": "hunter2 is your password"}`:      `{"text": "<redacted 7 chars> is your password"}`,
		`“hunter2 is your password”.`:               `“<redacted 7 chars> is your password”.`,
		`"type": "password"`:                        `"type": "password"`,
		`"Change password"`:                         `"Change password"`,
		`He says "that is your password"`:           `He says "that is your password"`,
	} {
		if got := Text(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
