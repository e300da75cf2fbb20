package redact

import "strings"

const (
	shortestCard = 13
	longestCard  = 19
)

// cards hides payment card numbers: 13 to 19 digits with the check digit of
// Luhn, whatever stands between them. Every stretch of groups that passes is
// hidden, so that an expiry date or a list beside the number does not shift it.
func (f *finder) cards() {
	b := f.b
	for i := 0; i < len(b); {
		if !isDigit(b[i]) {
			i++
			continue
		}
		end := digitsEnd(b, i)
		if end-i <= longestCard && !fraction(b, i) {
			f.cardFrom(i)
		}
		i = end
	}
}

// cardFrom tries the stretches of groups that begin with the one at b[start].
func (f *finder) cardFrom(start int) {
	b := f.b
	var digits [longestCard]byte
	var sizes [longestCard]byte
	n, groups := 0, 0
	for i := start; ; {
		end := digitsEnd(b, i)
		if n+end-i > longestCard {
			return
		}
		n += copy(digits[n:], b[i:end])
		sizes[groups] = byte(end - i)
		groups++
		next := nextGroup(b, end)
		if n >= shortestCard && luhn(digits[:n]) && plausible(digits[:n], sizes[:groups]) {
			whole := next == end && (start == 0 || !groupBefore(b, start))
			if (usualGroups(string(sizes[:groups])) || whole && network(digits[:n])) && !f.inDigest(start, start+int(sizes[0])) {
				f.add(start, end)
			}
		}
		if next == end {
			return
		}
		i = next
	}
}

// plausible leaves out two things that are no card: times in milli- and
// nanoseconds, and numbers that begin with a zero.
func plausible(digits, sizes []byte) bool {
	n := len(digits)
	if n == 16 {
		return true
	}
	return digits[0] != '0' && !(len(sizes) == 1 && digits[0] == '1' && (n == 13 || n == 19))
}

func digitsEnd(b string, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

// nextGroup returns where the digits after a separator of up to three characters
// begin, or end when there are none.
func nextGroup(b string, end int) int {
	i := end
	for i < len(b) && i-end < 3 && separates(b[i]) {
		i++
	}
	if i < len(b) && isDigit(b[i]) {
		return i
	}
	return end
}

func groupBefore(b string, start int) bool {
	i := start
	for i > 0 && start-i < 3 && separates(b[i-1]) {
		i--
	}
	return i < start && i > 0 && isDigit(b[i-1])
}

func separates(c byte) bool {
	return c == ' ' || c == '-' || c == '.' || c == '_' || c == '\t' || c == '/' || c == ','
}

// usualGroups are the ways in which numbers are printed on cards and typed.
func usualGroups(sizes string) bool {
	switch sizes {
	case "\x04\x04\x04\x04", "\x04\x04\x04\x04\x01", "\x04\x04\x04\x04\x02", "\x04\x04\x04\x04\x03",
		"\x04\x06\x05", "\x04\x06\x04", "\x04\x04\x05", "\x04\x04\x04\x03", "\x08\x08", "\x04\x0c", "\x06\x0d", "\x06\x0a":
		return true
	}
	return len(sizes) == 1
}

// luhn is the check digit of card numbers.
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// network is true when the number begins like those of a card network and has
// its length.
func network(digits []byte) bool {
	at := func(n int) int {
		v := 0
		for _, c := range digits[:n] {
			v = v*10 + int(c-'0')
		}
		return v
	}
	n := len(digits)
	two, four := at(2), at(4)
	switch {
	case digits[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720, four == 9792, four == 6521, four == 6522:
		return n == 16
	case two == 34 || two == 37:
		return n == 15
	case two == 30 || two == 36 || two == 38 || two == 39:
		return n >= 14
	case two == 35, two == 60, two == 62, two == 64, two == 65, four >= 2200 && four <= 2204:
		return n >= 16
	case two == 50, two >= 56 && two <= 58, two == 67, two == 63:
		return true
	}
	return false
}

// fraction is true for the digits after "0.", which are a score and no card.
func fraction(b string, i int) bool {
	return i >= 2 && b[i-1] == '.' && b[i-2] == '0' && (i == 2 || !isDigit(b[i-3]))
}

// inDigest is true when the digits b[i:end] are part of a hash or of a UUID.
func (f *finder) inDigest(i, end int) bool {
	b := f.b
	start := i
	for start > 0 && i-start < 140 && (isAlnum(b[start-1]) || b[start-1] == '-') {
		start--
	}
	for stop := end + 140; end < len(b) && end < stop && (isAlnum(b[end]) || b[end] == '-'); {
		end++
	}
	if uuid(b[start:end]) {
		return true
	}
	for start < i && strings.IndexByte(b[start:i], '-') >= 0 {
		start += strings.IndexByte(b[start:i], '-') + 1
	}
	if dash := strings.IndexByte(b[i:end], '-'); dash >= 0 {
		end = i + dash
	}
	whole := b[start:end]
	if !isHex(whole) {
		return false
	}
	if hexLength(len(whole)) && (len(whole) >= 32 || hashBefore(b, start) && b[start-1] != ' ') {
		return true
	}
	return f.identifier && strings.ContainsAny(whole, "abcdefABCDEF")
}

// uuid is true for 8-4-4-4-12 hex digits.
func uuid(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !isHexDigit(s[i]) {
			return false
		}
	}
	return true
}

func isHexDigit(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isHex(s string) bool {
	for i := range len(s) {
		if !isHexDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func hexLength(n int) bool {
	return n == 16 || n == 32 || n == 40 || n == 48 || n == 56 || n == 64 || n == 96 || n == 128
}

// hashBefore is true when the name of a hash stands before b[i], as in "sha256:".
func hashBefore(b string, i int) bool {
	if i < 4 || b[i-1] != ':' && b[i-1] != '-' && b[i-1] != '=' && b[i-1] != ' ' {
		return false
	}
	name := b[max(0, i-12) : i-1]
	for _, hash := range hashNames {
		if len(name) >= len(hash) && strings.EqualFold(name[len(name)-len(hash):], hash) {
			return true
		}
	}
	return false
}

var hashNames = []string{"sha1", "sha256", "sha384", "sha512", "sha-1", "sha-256", "sha-512", "md5", "blake2b", "blake3"}
