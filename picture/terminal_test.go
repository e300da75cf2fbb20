package picture

import (
	"strings"
	"testing"
)

func TestTerminalDrawsASession(t *testing.T) {
	session := "\x1b[1m$ countersign demo\x1b[0m\n" +
		"\n" +
		"  \x1b[31mask\x1b[39m   \x1b[2mEnvoyer & “إرسال” <送信> done\x1b[0m\n" +
		"  \x1b]0;title\x07\x1b[2Jkept \x1b[4munderlined\x1b[24m\x00\u202e\n" +
		strings.Repeat("x", 100) + "\n\n\n"
	got := Terminal(session, "demo", 60)
	golden(t, "terminal.svg", got)
	if err := harmless(got); err != nil {
		t.Error(err)
	}
	text := string(got)
	for _, want := range []string{"&lt;", "إرسال", "送信", `font-weight="bold"`, `text-decoration="underline"`, "kept"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	if strings.Contains(text, strings.Repeat("x", 61)) {
		t.Error("a line runs out of the terminal")
	}
}

func TestTerminalIsBounded(t *testing.T) {
	got := Terminal(strings.Repeat("line\n", 100_000), strings.Repeat("t", 1<<20), 1<<20)
	if err := harmless(got); err != nil {
		t.Error(err)
	}
	if len(got) > 1<<20 {
		t.Errorf("%d bytes", len(got))
	}
}
