package decide

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/redact"
)

// Quote makes text from a screen, an agent or a file safe to show on one line:
// control, format and other invisible characters appear as escapes, runs of
// blanks as one with their count, and what is longer than max runes is cut in
// the middle with both ends in view, since the end is where things are hidden.
// What is cut loses its secrets first: half of one would not be known for what it
// is, by whatever takes them out later.
func Quote(s string, max int) string {
	clean := visible(s)
	if utf8.RuneCountInString(clean) <= max {
		return clean
	}
	if clean = visible(redact.Text(s)); utf8.RuneCountInString(clean) <= max {
		return clean
	}
	runes := []rune(clean)
	head := max * 2 / 3
	tail := max - head
	return fmt.Sprintf("%s… (%d more) …%s", string(runes[:head]), len(runes)-head-tail, string(runes[len(runes)-tail:]))
}

// paddingShown is the length of a run of blanks above which it is counted out.
const paddingShown = 3

// visible replaces what cannot be seen.
func visible(s string) string {
	var b strings.Builder
	blanks := 0
	flush := func() {
		switch {
		case blanks > paddingShown:
			fmt.Fprintf(&b, " ⟨%d blanks⟩ ", blanks)
		case blanks > 0:
			b.WriteByte(' ')
		}
		blanks = 0
	}
	for _, r := range s {
		if unicode.IsSpace(r) && r != 0x2028 && r != 0x2029 && r != '\r' && r != '\v' && r != '\f' && r != 0x85 {
			blanks++
			continue
		}
		flush()
		switch {
		case r == utf8.RuneError:
			b.WriteRune('�')
		case joins(r):
			b.WriteRune(r)
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), invisibleFiller(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	flush()
	return strings.TrimSpace(b.String())
}

// joins reports whether a format character is spelling: Persian, Indic scripts
// and emoji need the joiners, and they cannot turn text round.
func joins(r rune) bool { return r == 0x200C || r == 0x200D }

// invisibleFiller reports whether a letter of Unicode draws nothing.
func invisibleFiller(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5:
		return true
	}
	return false
}
