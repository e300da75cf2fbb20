package redact

import (
	"strings"
	"unicode/utf8"
)

// spaceless is the least first byte of scripts without spaces between words.
const spaceless = 0xe3

// longestValue bounds what follows a word as one value, in bytes.
const longestValue = 4096

// separator returns where the value after a word begins when b[i] separates them
// (":", "=", "=>", a dash with blanks), i when it does not.
func separator(b string, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case ':', '=':
		j := i + 1
		for j < len(b) && j < i+3 && (b[j] == '=' || b[j] == '>') {
			j++
		}
		return j
	case '-', '|', '>':
		j := i + 1
		for j < len(b) && b[j] == b[i] && j < i+3 {
			j++
		}
		if j < len(b) && isBlank(b[j]) && i > 0 && !isAlnum(b[i-1]) {
			return j
		}
	}
	return i
}

// closers returns where the quotes and brackets at b[i] that end a word end.
func closers(b string, i int) int {
	for stop := i + 4; i < len(b) && i < stop && strings.IndexByte("\"'`)]}*\\", b[i]) >= 0; {
		i++
	}
	return i
}

func blanks(b string, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// valueAt returns the value that begins at b[i], which is no blank: what is in
// quotes, or what goes to the next blank. A value that begins in ASCII ends where
// a script without spaces begins, and the other way round. query ends it at & too.
func valueAt(b string, i int, query bool) (start, end int) {
	limit := min(len(b), i+longestValue)
	open := strings.TrimLeft(b[i:min(limit, i+3)], "\\")
	if open != "" && strings.IndexByte("\"'`", open[0]) >= 0 {
		start = i + strings.IndexByte(b[i:], open[0]) + 1
		if n := strings.IndexByte(b[start:limit], open[0]); n > 0 {
			end = start + n
			for end > start && b[end-1] == '\\' {
				end--
			}
			return start, end
		}
		i = start
	}
	for end = i; end < limit && !isBlank(b[end]); end++ {
		if query && (b[end] == '&' || b[end] == '"' || b[end] == '\'' || b[end] == '<') {
			break
		}
		if end > i && b[end] >= 0xe0 && b[end] != invalidByte && b[end-1] < utf8.RuneSelf {
			break
		}
		if b[end] < utf8.RuneSelf && b[i] >= spaceless && b[i] != invalidByte {
			break
		}
	}
	return i, end
}

// trimmed is b[start:end] without the punctuation of the sentence around it.
func trimmed(b string, start, end int) (int, int) {
	for start < end && strings.IndexByte("([{<\"'`", b[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte(".,;:!?)]}>\"'`", b[end-1]) >= 0 {
		end--
	}
	return start, end
}

// saysNothing is true for a value that is none: a word about passwords, a mask
// of dots or stars, an empty one, a marker.
func saysNothing(b string, start, end int) bool {
	if start >= end || markerAt(b, start) > 0 || b[start] == '<' && markerAt(b, start) == 0 && end-start == 1 {
		return true
	}
	from, to := trimmed(b, start, end)
	if from == to {
		return masked(b, start, end)
	}
	if b[end-1] == '?' && !hasDigit(b[start:end]) {
		return true
	}
	word := to
	for i := from; i < to; i++ {
		if b[i] == '/' || b[i] == ',' {
			word = i
			break
		}
	}
	return roleOf(b, from, to)&roleStop != 0 || roleOf(b, from, word)&roleStop != 0 || masked(b, from, to)
}

// masked is true when nothing in b[start:end] is a letter or a digit, or all of
// it is one letter again and again.
func masked(b string, start, end int) bool {
	if end-start < 40 && !strings.ContainsFunc(b[start:end], func(r rune) bool { return r >= 0x80 && (r < 0x2000 || r > 0x2bff) || r < 0x80 && isAlnum(byte(r)) }) {
		return strings.ContainsAny(b[start:end], "*•●∙·▪…_-?.⬤#") || end-start < 3
	}
	return end-start >= 4 && strings.Trim(b[start:end], "xX") == ""
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}

// looksSecret is true for a word that nobody would write for its meaning: letters
// and digits mixed, symbols inside, four digits or more that are no year.
func looksSecret(b string, start, end int) bool {
	start, stop := trimmed(b, start, end)
	if bang := stop; bang < end && b[bang] == '!' {
		stop++
	}
	s := b[start:stop]
	var digits, letters, symbols, humps int
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isLetter(c) || c >= utf8.RuneSelf:
			letters++
			if i > 0 && classes[c]&upper != 0 && classes[s[i-1]]&lower != 0 {
				humps++
			}
		case strings.IndexByte("!@#$%^&*+=?~_", c) >= 0:
			symbols++
		}
	}
	switch {
	case strings.Contains(s, "://") || strings.Contains(s, "@") && strings.Contains(s, ".") && symbols == 1:
		return false
	case letters == 0:
		return digits >= 4 && digits == len(s) && !yearly(b, start, stop) || digits >= 3 && symbols > 0
	case digits > 0:
		return len(s) >= 5 && !measured(s)
	}
	return symbols > 0 && len(s) >= 6 && !strings.HasSuffix(s, "!") && !strings.HasSuffix(s, "*") && !strings.HasSuffix(s, "?") ||
		symbols > 1 && len(s) >= 6
}

// measured is true for a number with a unit or an ending, as in 30-day or 128bit.
func measured(s string) bool {
	i := digitsEnd(s, 0)
	return i > 0 && (i < len(s) && s[i] == '-' || len(s)-i <= 3 || strings.HasPrefix(s[i:], "bit"))
}
