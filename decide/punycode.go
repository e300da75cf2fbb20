package decide

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLabel is the length in bytes of the longest part of a host name (RFC 1035,
// 2.3.4).
const maxLabel = 63

// punycoded reads a part of a host name as it is sent for letters that are not
// plain ones, without its prefix "xn--" (RFC 3492, 6.2).
func punycoded(label string) (string, bool) {
	if len(label) > maxLabel {
		return "", false
	}
	label = strings.ToLower(label)
	basic := strings.LastIndexByte(label, '-')
	out := []rune(label[:max(basic, 0)])
	rest := label[basic+1:]
	n, i, bias := 128, 0, 72
	for first := true; rest != ""; first = false {
		from, weight := i, 1
		for k := 36; ; k += 36 {
			digit, ok := punycodeDigit(rest)
			if !ok || digit > (math.MaxInt32-i)/weight {
				return "", false
			}
			rest = rest[1:]
			i += digit * weight
			least := min(max(k-bias, 1), 26)
			if digit < least {
				break
			}
			if weight > math.MaxInt32/(36-least) {
				return "", false
			}
			weight *= 36 - least
		}
		size := len(out) + 1
		bias = punycodeBias(i-from, size, first)
		n, i = n+i/size, i%size
		if n > utf8.MaxRune {
			return "", false
		}
		out = slices.Insert(out, i, rune(n))
		i++
	}
	return string(out), len(out) > 0
}

// punycodeDigit is the value of the digit that a text begins with.
func punycodeDigit(text string) (int, bool) {
	if text == "" {
		return 0, false
	}
	switch c := text[0]; {
	case c >= 'a' && c <= 'z':
		return int(c - 'a'), true
	case c >= '0' && c <= '9':
		return int(c-'0') + 26, true
	}
	return 0, false
}

// punycodeBias is where the next digits are expected (RFC 3492, 6.1).
func punycodeBias(delta, size int, first bool) int {
	if delta /= 2; first {
		delta /= 350 // 700, with the half above
	}
	delta += delta / size
	k := 0
	for ; delta > 35*26/2; k += 36 {
		delta /= 35
	}
	return k + 36*delta/(delta+38)
}
