package client

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A span is a piece of a text to be marked, half-open, in runes.
type span struct{ start, end int }

// spell makes foreign text safe to show, on one line and in full. What draws
// nothing or moves what is around it appears as an escape, a run of blanks and
// line breaks as one with its count.
func spell(s string) string { return spellMarked(s, nil) }

// spellMarked is spell with the spans between ⟦ and ⟧, which foreign text cannot
// contain.
func spellMarked(s string, marks []span) string {
	w := speller{}
	marks = merged(marks)
	at := 0
	for _, r := range s {
		if len(marks) > 0 && at == marks[0].end {
			w.close()
			marks = marks[1:]
		}
		if len(marks) > 0 && at == marks[0].start {
			w.open()
		}
		w.rune(r)
		at++
	}
	if w.marking {
		w.close()
	}
	w.flush()
	return strings.TrimSpace(w.b.String())
}

// merged are the spans in order, those that touch as one.
func merged(marks []span) []span {
	marks = slices.Clone(marks)
	slices.SortFunc(marks, func(a, b span) int { return a.start - b.start })
	var out []span
	for _, m := range marks {
		if m.start < 0 || m.end <= m.start {
			continue
		}
		if n := len(out); n > 0 && m.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, m.end)
		} else {
			out = append(out, m)
		}
	}
	return out
}

// speller writes foreign text.
type speller struct {
	b       strings.Builder
	marking bool
	// blanks and breaks are of a run that is not written yet.
	blanks, breaks int
	// last is the character before, as it is written; 0 when it was spelled out.
	last rune
	// marksOn is how many combining marks stand on one letter.
	marksOn int
	// hidden is the character that was spelled out last, where hiding, and again
	// how often it came again.
	hidden rune
	hiding bool
	again  int
}

// runShown is the length of a run above which it is counted out.
const runShown = 3

// marksShown is how many marks a letter may carry. Some scripts need three; a
// tower of them paints over the lines above.
const marksShown = 4

func (w *speller) open() {
	w.flush()
	w.b.WriteRune('⟦')
	w.marking, w.last, w.marksOn = true, 0, 0
}

func (w *speller) close() {
	w.flush()
	w.b.WriteRune('⟧')
	w.marking, w.last, w.marksOn = false, 0, 0
}

// flush writes the run that is under way.
func (w *speller) flush() {
	switch n := w.blanks + w.breaks; {
	case n == 0:
	case n > runShown && w.breaks == 0:
		fmt.Fprintf(&w.b, " ⟨%d blanks⟩ ", n)
	case n > runShown:
		fmt.Fprintf(&w.b, " ⟨%d blanks, %d line breaks⟩ ", w.blanks, w.breaks)
	case w.breaks > 0:
		w.b.WriteString(" " + strings.Repeat("↵ ", w.breaks))
	default:
		w.b.WriteByte(' ')
	}
	w.blanks, w.breaks = 0, 0
	if w.again > 0 {
		fmt.Fprintf(&w.b, "⟨%d times⟩", w.again+1)
	}
	w.hiding, w.again = false, 0
}

func (w *speller) rune(r rune) {
	switch {
	case r == '\n':
		w.endRun(false)
		w.breaks++
		w.last, w.marksOn = 0, 0
	case isBlank(r):
		w.endRun(false)
		w.blanks++
		w.last, w.marksOn = 0, 0
	case w.mayStand(r):
		w.endRun(true)
		w.b.WriteRune(r)
		w.last = r
	case w.hiding && r == w.hidden:
		w.again++
	default:
		w.endRun(true)
		fmt.Fprintf(&w.b, `\u%04x`, r)
		w.hidden, w.hiding, w.last = r, true, 0
	}
}

// endRun ends a run of one hidden character and, before anything that is seen,
// one of blanks.
func (w *speller) endRun(seen bool) {
	if seen || w.hiding {
		w.flush()
	}
}

// isBlank reports whether a character is mere space between words. The rarer
// ones that end a line are none: they are spelled out.
func isBlank(r rune) bool { return r == ' ' || r == '\t' || unicode.Is(unicode.Zs, r) }

// mayStand reports whether a character is shown as it is, after the one before.
func (w *speller) mayStand(r rune) bool {
	switch {
	case r < 0x7f:
		w.marksOn = 0
		return r >= ' '
	case r == 0x200c || r == 0x200d:
		// Persian, Indic scripts and emoji need the joiners. Between Latin letters
		// they only part a word, and two in a row are nobody's spelling.
		return w.last >= 0x300 && w.last != 0x200c && w.last != 0x200d && !unicode.IsSpace(w.last)
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		if w.last < 0x2000 && !strings.ContainsRune("0123456789#*", w.last) {
			return false
		}
		fallthrough
	case unicode.In(r, unicode.Mn, unicode.Me):
		w.marksOn++
		return w.marksOn <= marksShown && !drawsNothing(r)
	}
	w.marksOn = 0
	return unicode.IsPrint(r) && !drawsNothing(r) && r != '⟦' && r != '⟧'
}

// drawsNothing reports whether a printable character of Unicode shows no ink.
func drawsNothing(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0, 0x180b, 0x180c, 0x180d, 0x180f:
		return true
	}
	return false
}
