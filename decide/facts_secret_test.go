package decide

import "testing"

// What a dialog puts in quotes names what is acted on, unless it is a secret.
func TestAQuotedSecretIsNoName(t *testing.T) {
	for text, want := range map[string]string{
		"Delete “Holiday plans”?":              "Holiday plans",
		"パスワードは「himitsu7」です":                   "",
		"Your password is \"correct horse 7\"": "",
		"Карта «4111 1111 1111 1111»":          "",
		"no quotes":                            "",
	} {
		if got := quotedName(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
