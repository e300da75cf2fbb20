package redact

import (
	"unicode"
	"unicode/utf8"
)

// number is a run of digits in groups, as codes and telephone numbers have them.
type number struct {
	start, end int
	first      int // where the first group ends
	digits     int
	groups     int
	sizes      [8]byte
}

// numberAt reads the number that begins at b[i].
func numberAt(b string, i int) number {
	n := number{start: i}
	for {
		end := digitsEnd(b, i)
		n.digits += end - i
		if n.groups < len(n.sizes) {
			n.sizes[n.groups] = byte(min(end-i, 255))
		}
		if n.groups++; n.groups == 1 {
			n.first = end
		}
		n.end = end
		if end+1 >= len(b) || b[end] != ' ' && b[end] != '-' || !isDigit(b[end+1]) || n.groups > 2*len(n.sizes) {
			return n
		}
		i = end + 1
	}
}

// codeEnd returns where a one-time code that begins the number ends, 0 when the
// number has not the form of one. A direct label allows more forms.
func (n *number) codeEnd(direct bool) int {
	sizes := n.sizes[:min(n.groups, len(n.sizes))]
	same := n.groups <= len(n.sizes)
	for _, s := range sizes {
		same = same && s == sizes[0]
	}
	first := n.first - n.start
	switch {
	case n.groups == 1 && first >= 4 && first <= 8:
		return n.end
	case same && n.groups > 1 && (n.digits == 6 || n.digits == 8 || first >= 4 && first <= 8):
		return n.end
	case direct && same && n.digits >= 4 && n.digits <= 9:
		return n.end
	case direct && first >= 4 && first <= 8:
		return n.first
	case first >= 5 && first <= 8 && n.groups == 2 && n.sizes[1] <= 2:
		return n.first
	case direct && n.digits >= 5 && n.digits <= 9:
		return n.end
	}
	return 0
}

// glued is true when the digits b[start:end] are part of something longer: a
// word, a decimal, a time, a date, a telephone number with its country.
func glued(b string, start, end int) bool {
	if alnumBefore(b, start) || alnumAfter(b, end) {
		return true
	}
	if start > 0 {
		switch b[start-1] {
		case '+', '_', '/', '$':
			return true
		case '.', ',', ':':
			if start > 1 && isDigit(b[start-2]) {
				return true
			}
		}
	}
	if end < len(b) {
		switch b[end] {
		case '%', '_', '$':
			return true
		case '.', ',', ':', '/':
			return end+1 < len(b) && isDigit(b[end+1])
		}
	}
	return false
}

// priced is true when a currency sign stands beside b[start:end].
func priced(b string, start, end int) bool {
	for start > 0 && b[start-1] == ' ' {
		start--
	}
	for end < len(b) && b[end] == ' ' {
		end++
	}
	before, _ := utf8.DecodeLastRuneInString(b[:start])
	after, _ := utf8.DecodeRuneInString(b[end:])
	return unicode.Is(unicode.Sc, before) || unicode.Is(unicode.Sc, after)
}

// yearly is true for digits that are a year or a date without separators.
func yearly(b string, start, end int) bool {
	if end-start != 4 && end-start != 8 || b[start:start+2] != "19" && b[start:start+2] != "20" {
		return false
	}
	return end-start == 4 || b[start+4] <= '1' && b[start+6] <= '3'
}

// counted is true when the word after b[end] makes the number a quantity.
func counted(b string, end int) bool {
	for end < len(b) && (b[end] == ' ' || b[end] == '-') {
		end++
	}
	if end == len(b) {
		return false
	}
	if b[end] < utf8.RuneSelf {
		stop := end
		for stop < len(b) && isLetter(b[stop]) {
			stop++
		}
		return stop > end && roleOf(b, end, stop)&roleUnit != 0
	}
	stop := end
	for range 5 {
		if stop >= len(b) || b[stop] < utf8.RuneSelf {
			break
		}
		_, n := utf8.DecodeRuneInString(b[stop:])
		stop += n
		if roleOf(b, end, stop)&roleUnit != 0 && !goesOn(b, stop) {
			return true
		}
	}
	return false
}
