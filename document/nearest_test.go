package document

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	accepted := []string{
		"money", "device", "call", "install", "uninstall", "permission", "account", "credential",
		"cancel_service", "settings", "publish", "disclose", "message", "share", "submit", "block_report", "sign_out", "other",
		"delete", "unknown", "bypass", "none",
	}
	tests := []struct{ word, want string }{
		{"mesage", "message"}, {"Message", "message"}, {"messgae", "message"},
		{"sign-out", "sign_out"}, {"signout", "sign_out"}, {"deny", ""}, {"pay", ""},
		{"", ""}, {"cal", "call"}, {"unkown", "unknown"}, {strings.Repeat("message", 100), ""},
		{"préférences", ""},
	}
	for _, test := range tests {
		if got, _ := nearest(test.word, accepted); got != test.want {
			t.Errorf("nearest(%q) = %q, want %q", test.word, got, test.want)
		}
	}
	if len(tests) != 12 {
		t.Errorf("ran %d cases, want 12", len(tests))
	}
}
