package inbox

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/decide"
)

// spell makes text safe to show on one line: what cannot be seen is spelled out,
// padding is counted out, nothing is cut. Every string on a page comes from here.
func spell(s string) string {
	// The bars keep the blanks at both ends, which matter between two pieces.
	barred := decide.Quote("|"+s+"|", math.MaxInt)
	return barred[1 : len(barred)-1]
}

// excerpt is spell for a list, where the card has the whole text.
func excerpt(s string) string { return decide.Quote(s, 160) }

// piece is a part of a text, spelled out.
type piece struct {
	Text   string
	Marked bool
}

// line is one line of a text.
type line []piece

// text is a value on a card.
type text struct {
	Lines []line
	// Length is how many characters the original has.
	Length int
	// Long says that it scrolls in a box of its own.
	Long bool
}

// longText is the length in characters, or the number of lines, from which on a
// text scrolls.
const (
	longText  = 280
	longLines = 8
)

// oneLine shows a label: however many line breaks are in it, it stays one line.
func oneLine(s string, marks ...span) text {
	n := utf8.RuneCountInString(s)
	return text{Lines: []line{pieces([]rune(s), 0, marks)}, Length: n, Long: n > longText}
}

// lines shows a text whose line breaks mean something: a message, a shell line.
// Each line but the last ends in a sign for its break, and runs of empty lines
// are counted out.
func lines(s string, marks ...span) text {
	runes := []rune(s)
	t := text{Length: len(runes)}
	empty := 0
	flush := func() {
		if empty > 2 {
			t.Lines = append(t.Lines, line{{Text: fmt.Sprintf("⟨%d empty lines⟩", empty)}})
		} else {
			for range empty {
				t.Lines = append(t.Lines, line{{Text: "↵"}})
			}
		}
		empty = 0
	}
	for start := 0; start <= len(runes); {
		end := start
		for end < len(runes) && runes[end] != '\n' {
			end++
		}
		l := pieces(runes[start:end], start, marks)
		if end < len(runes) && l.blank() {
			empty++
			start = end + 1
			continue
		}
		flush()
		if end < len(runes) {
			l = append(l, piece{Text: "↵"})
		}
		t.Lines = append(t.Lines, l)
		start = end + 1
	}
	flush()
	t.Long = t.Length > longText || len(t.Lines) > longLines
	return t
}

func (l line) blank() bool {
	for _, p := range l {
		if strings.TrimSpace(p.Text) != "" {
			return false
		}
	}
	return true
}

// pieces cuts a line, which begins at a place of the whole text, at the borders
// of what is marked.
func pieces(runes []rune, at int, marks []span) line {
	var l line
	from := 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && inside(marks, at+i) == inside(marks, at+from) {
			continue
		}
		l = append(l, piece{Text: spell(string(runes[from:i])), Marked: inside(marks, at+from)})
		from = i
	}
	return l
}
