package inbox

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// span is a half-open range of a text, in runes.
type span struct{ start, end int }

func inside(marks []span, i int) bool {
	return slices.ContainsFunc(marks, func(m span) bool { return m.start <= i && i < m.end })
}

// The signals whose words may stand in a field of the card.
var (
	inLabel    = []risk.Signal{risk.SignalText, risk.SignalDescription, risk.SignalHint, risk.SignalDescendant, risk.SignalRow}
	inID       = []risk.Signal{risk.SignalResourceID, risk.SignalChildID, risk.SignalAncestorID}
	inObject   = []risk.Signal{risk.SignalDialogTitle, risk.SignalDialogMessage, risk.SignalRow, risk.SignalForm}
	inWording  = append(slices.Clone(inLabel), risk.SignalDialogTitle, risk.SignalDialogMessage)
	inArgument = []risk.Signal{risk.SignalCommand, risk.SignalText}
)

// marksOf finds the words of the evidence in a text: where the evidence says, or
// else everywhere that the same words stand, since a card does not keep every
// signal by itself.
func marksOf(s string, evidence []risk.Evidence, signals []risk.Signal) []span {
	var marks []span
	runes := []rune(s)
	for _, e := range evidence {
		if e.Match == "" || e.Layer == risk.LayerStructure || !slices.Contains(signals, e.Signal) {
			continue
		}
		if 0 <= e.Start && e.Start < e.End && e.End <= len(runes) && string(runes[e.Start:e.End]) == e.Match {
			marks = append(marks, span{e.Start, e.End})
			continue
		}
		marks = append(marks, allOf(s, e.Match)...)
	}
	return joined(marks)
}

// allOf are the places where words stand, at most 20 of them.
func allOf(s, words string) []span {
	var marks []span
	size, at := utf8.RuneCountInString(words), 0
	for len(marks) < 20 {
		i := strings.Index(s, words)
		if i < 0 {
			break
		}
		at += utf8.RuneCountInString(s[:i])
		marks = append(marks, span{at, at + size})
		at += size
		s = s[i+len(words):]
	}
	return marks
}

// joined are the same marks in order, without overlaps.
func joined(marks []span) []span {
	slices.SortFunc(marks, func(a, b span) int { return a.start - b.start })
	var out []span
	for _, m := range marks {
		if n := len(out); n > 0 && m.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, m.end)
			continue
		}
		out = append(out, m)
	}
	return out
}

// around is how many characters beside a mark are shown with it.
const around = 30

// glance is the part of a long text that has to be seen without scrolling: what
// is marked with a little around it, or both ends where nothing is marked, since
// the end is where things are hidden.
func glance(s string, marks []span) text {
	runes := []rune(s)
	windows := []span{{0, 60}, {len(runes) - 80, len(runes)}}
	if len(marks) > 0 {
		windows = nil
		for _, m := range marks[:min(len(marks), 4)] {
			windows = append(windows, shortened(m)...)
		}
	}
	var l line
	seen := 0
	for _, w := range joined(windows) {
		w = span{max(w.start, 0), min(w.end, len(runes))}
		l = append(l, skipped(w.start-seen)...)
		l = append(l, pieces(runes[w.start:w.end], w.start, marks)...)
		seen = w.end
	}
	l = append(l, skipped(len(runes)-seen)...)
	return text{Lines: []line{l}, Length: len(runes)}
}

// shortened is a mark with what is around it; of a very long one both ends.
func shortened(m span) []span {
	const longMark = 160
	if m.end-m.start <= longMark {
		return []span{{m.start - around, m.end + around}}
	}
	return []span{{m.start - around, m.start + longMark/2}, {m.end - longMark/2, m.end + around}}
}

// skipped says how much is left out.
func skipped(n int) line {
	if n <= 0 {
		return nil
	}
	return line{{Text: fmt.Sprintf(" … (%d more characters) … ", n)}}
}
