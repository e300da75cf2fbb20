package redact

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxPasses bounds how often a text is read again after something was hidden in
// it. Hiding one secret can move another next to a word that announces it.
const maxPasses = 6

const (
	markerStart = "<redacted "
	markerEnd   = " chars>"
)

// Text returns s with every secret replaced by "<redacted N chars>", N being the
// number of runes replaced. It returns s itself, without allocating, when there
// is nothing to hide. Text of its own result is that result. It takes time linear
// in the length of s.
func Text(s string) string { return settle(s, false) }

// Secret returns the marker for s as a whole: all of it is secret. The empty
// string and a marker stay as they are.
func Secret(s string) string {
	if s == "" || markerAt(s, 0) == len(s) {
		return s
	}
	return string(appendMarker(nil, utf8.RuneCountInString(s)))
}

// settle reads s until nothing more is found. A text that is still not settled
// after maxPasses is hidden whole: better nothing than half a secret.
func settle(s string, identifier bool) string {
	for range maxPasses {
		hidden := pass(s, identifier)
		if len(hidden) == len(s) && hidden == s {
			return s
		}
		s = hidden
	}
	return Secret(s)
}

// pass finds the secrets of s once and replaces them. Where blanks are spelled
// out it looks twice, at the text as it stands and with those blanks as blanks,
// and hides what either look finds.
func pass(s string, identifier bool) string {
	if len(s) < 4 {
		return s
	}
	spans := secretsOf(s, identifier, false)
	if spellsBlanks(s) {
		spans = append(spans, secretsOf(s, identifier, true)...)
	}
	if len(spans) == 0 {
		return s
	}
	return replace(s, spans)
}

// secretsOf is where the secrets of s stand in it.
func secretsOf(s string, identifier, spelled bool) []span {
	f := finder{identifier: identifier}
	var room *scratch
	f.b, f.at, room = see(s, spelled)
	f.find()
	for i, x := range f.spans {
		f.spans[i] = span{f.origin(x.start), f.origin(x.end)}
	}
	if room != nil {
		scratches.Put(room)
	}
	return f.spans
}

// span is a piece of the viewed text, end exclusive.
type span struct{ start, end int }

// finder looks for secrets in one text.
type finder struct {
	b          string  // the text as view.go shows it
	at         []int32 // where each byte of b begins in the text; nil when they are the same
	identifier bool    // the text is the value of a key that holds ids: a random string is no secret
	spans      []span
	reached    int // the end of what the running rule has found
}

// find runs every rule that has something to hold on to.
func (f *finder) find() {
	glance := look(f.b)
	if glance.digits >= 13 {
		f.cards()
	}
	if glance.digits >= 8 {
		f.accounts()
	}
	if glance.run >= shortestToken {
		f.tokens()
	}
	f.reached = 0
	if glance.assigns {
		f.assignments()
	}
	f.reached = 0
	f.announced()
}

// add records that b[start:end] is secret.
func (f *finder) add(start, end int) {
	if start < end {
		f.spans = append(f.spans, span{start, end})
		f.reached = max(f.reached, end)
	}
}

// replace returns s with all spans of it replaced. Markers that are already there are
// kept, whatever a span says.
func replace(s string, found []span) string {
	spans := outsideMarkers(s, merged(found))
	if len(spans) == 0 {
		return s
	}
	out := make([]byte, 0, len(s)+24*len(spans))
	last := 0
	for _, x := range spans {
		out = append(out, s[last:x.start]...)
		out = appendMarker(out, utf8.RuneCountInString(s[x.start:x.end]))
		last = x.end
	}
	return string(append(out, s[last:]...))
}

// origin is where b[i] begins in the text that was given.
func (f *finder) origin(i int) int {
	if f.at == nil {
		return i
	}
	return int(f.at[i])
}

// merged sorts spans and joins those that touch.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	out := spans[:0]
	for _, x := range spans {
		if n := len(out); n > 0 && x.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
			continue
		}
		out = append(out, x)
	}
	return out
}

// outsideMarkers cuts the markers of s out of spans. Blanks beside a marker are
// not worth one of their own.
func outsideMarkers(s string, spans []span) []span {
	if !strings.Contains(s, markerStart) {
		return spans
	}
	var out []span
	for _, x := range spans {
		start := x.start
		for i := max(0, x.start-len(markerStart)-20); i < x.end; {
			n := markerAt(s, i)
			if n == 0 {
				i++
				continue
			}
			if start < i {
				out = appendSolid(out, s, start, min(i, x.end))
			}
			i += n
			start = max(start, i)
		}
		out = appendSolid(out, s, start, x.end)
	}
	return out
}

// appendSolid appends the part of s[start:end] between its outer blanks.
func appendSolid(spans []span, s string, start, end int) []span {
	for start < end && s[start] <= ' ' {
		start++
	}
	for start < end && s[end-1] <= ' ' {
		end--
	}
	if start < end {
		spans = append(spans, span{start, end})
	}
	return spans
}

// markerAt returns the length of the marker that begins at s[i], 0 for none.
func markerAt(s string, i int) int {
	if !strings.HasPrefix(s[i:], markerStart) {
		return 0
	}
	j := i + len(markerStart)
	first := j
	for j < len(s) && isDigit(s[j]) && j-first < 12 {
		j++
	}
	if j == first || !strings.HasPrefix(s[j:], markerEnd) {
		return 0
	}
	return j + len(markerEnd) - i
}

func appendMarker(out []byte, runes int) []byte {
	out = append(out, markerStart...)
	out = strconv.AppendInt(out, int64(runes), 10)
	return append(out, markerEnd...)
}
