package redact

import (
	"strings"
	"unicode/utf8"
)

const (
	passwordReach = 64 // bytes of the view between the word and the password
	passwordWords = 6
)

// password hides what the word for password at c announces.
func (f *finder) password(c cue) {
	b, i := f.b, c.end
	if i < len(b) && b[i] == '_' || strings.HasPrefix(b[i:], ":id/") {
		return
	}
	j := blanks(b, closers(b, i))
	if b[i-1] == ':' || b[i-1] == '=' { // the phrase has its own separator
		f.separated(i, true)
		return
	}
	if v := separator(b, j); v > j {
		f.separated(v, true)
		return
	}
	if strings.HasSuffix(b[:c.start], "--") && j > i {
		if start, end := valueAt(b, j, false); !saysNothing(b, start, end) {
			f.add(start, end)
		}
		return
	}
	if i < len(b) && strings.IndexByte("\"'`", b[i]) >= 0 { // the end of a label, not the start of a value
		if c.start > 0 && isBlank(b[c.start-1]) {
			f.passwordBefore(c) // or of a quoted sentence
		}
		return
	}
	if !f.passwordAfter(i) {
		f.passwordBefore(c)
	}
}

// separated hides the value after a separator that ends at b[i]. On the next line
// it has to look like a secret, since that line may be another label. sure is
// false when other words stood before the separator.
func (f *finder) separated(i int, sure bool) bool {
	b := f.b
	j := i
	for j < len(b) && j-i < 16 && isBlank(b[j]) {
		j++
	}
	if j >= len(b) || isBlank(b[j]) {
		return false
	}
	start, end := valueAt(b, j, b[i-1] == '=')
	if saysNothing(b, start, end) {
		return false
	}
	sure = sure && strings.IndexByte(b[i:j], '\n') < 0 || start > j
	if sure || looksSecret(b, start, end) {
		f.add(start, end)
		return true
	}
	return false
}

// passwordAfter walks over the words after the one for password.
func (f *finder) passwordAfter(from int) bool {
	b := f.b
	purpose, be, linked := false, false, false
	if v := blanks(b, from); v < len(b) && b[v] == '\n' {
		return f.separated(v, false)
	}
	for i, n := from, 0; i < len(b) && i < from+passwordReach && n < passwordWords; {
		switch {
		case b[i] == '\n' || markerAt(b, i) > 0:
			return markerAt(b, i) > 0
		case isBlank(b[i]):
			i++
			continue
		}
		if v := separator(b, i); v > i && n > 0 {
			return f.separated(v, purpose || be)
		}
		if sentenceEnds(b, i) {
			return false
		}
		start, end := valueAt(b, i, false)
		glue := i == from // no blank after the word: only in scripts without spaces
		if glue && isWordByte(b[i]) && b[i] < utf8.RuneSelf && b[from-1] < utf8.RuneSelf {
			return false
		}
		atom := atomEnd(b, i)
		if atom == i {
			if start == i && !be && !(n == 0 && looksSecret(b, start, end)) {
				i++
				continue
			}
			atom = end
		}
		r := spoken(b, i, min(atom, end))
		if r&roleBe != 0 {
			be, i, n = true, min(atom, end), n+1
			continue
		}
		if looksSecret(b, start, end) && (n == 0 || be || purpose || linked) && !saysNothing(b, start, end) && r&roleUnit == 0 {
			f.add(start, end)
			return true
		}
		if be {
			if !saysNothing(b, start, end) && (start > i || end-start >= 3 && lastWord(b, end)) {
				f.add(start, end)
				return true
			}
			return false
		}
		purpose, linked = purpose || r&roleFor != 0, r&roleIs != 0
		i, n = min(atom, end), n+1
	}
	return false
}

// lastWord is true when nothing of the clause follows b[end].
func lastWord(b string, end int) bool {
	if end > 0 && strings.IndexByte(".,;!", b[end-1]) >= 0 || end == len(b) {
		return true
	}
	if b[end] >= utf8.RuneSelf {
		return true
	}
	next := blanks(b, end)
	return next == len(b) || !isWordByte(b[next]) || b[next] >= spaceless
}

// passwordBefore hides a word that looks secret and that a copula or a dash ties
// to the cue after it: "hunter2 is the password".
func (f *finder) passwordBefore(c cue) {
	b := f.b
	low := max(0, c.start-passwordReach)
	if n := strings.LastIndexByte(b[low:c.start], '\n'); n >= 0 {
		low += n + 1
	} else {
		for low > 0 && low < c.start && !isBlank(b[low-1]) {
			low++
		}
	}
	for i := low; i < c.start; {
		if isBlank(b[i]) {
			i++
			continue
		}
		start, end := valueAt(b[:c.start], i, false)
		if start > i && strings.IndexByte("\"'`\\", b[end]) < 0 { // the quote goes on behind the cue
			i = start
			continue
		}
		next := blanks(b, closers(b, end))
		if next < c.start && (start > i || looksSecret(b, start, end)) {
			stop := min(atomEnd(b, next), c.start)
			if dash := separator(b, next); dash > next && dash <= c.start || stop > next && (spoken(b, next, stop)&roleBe != 0 || b[next:stop] == "as") {
				f.add(start, end)
				return
			}
		}
		i = max(end, i+1)
	}
}

// phrase hides the rest of the line after a separator.
func (f *finder) phrase(c cue) {
	b := f.b
	j := blanks(b, closers(b, c.end))
	v := separator(b, j)
	if v == j {
		f.passwordAfter(c.end)
		return
	}
	v = blanks(b, v)
	start, end := valueAt(b, min(v, len(b)-1), false)
	if v >= len(b) || saysNothing(b, start, end) && strings.Count(strings.TrimSpace(b[v:lineEnd(b, v)]), " ") < 2 {
		return
	}
	if start == v {
		end = lineEnd(b, v)
	}
	f.add(start, end)
}

func lineEnd(b string, i int) int {
	limit := min(len(b), i+longestValue)
	if n := strings.IndexByte(b[i:limit], '\n'); n >= 0 {
		return i + n
	}
	return limit
}
