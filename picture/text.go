package picture

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// clean replaces what cannot be seen or would turn text round by a visible
// escape, and runs of blanks by one blank. Cleaning twice changes nothing.
func clean(s string) string {
	if plainASCII(s) {
		return strings.Join(strings.Fields(s), " ")
	}
	var b strings.Builder
	blank := false
	for _, r := range s {
		if isBlank(r) {
			blank = true
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		if hidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return true
}

// isBlank reports whether a character is mere space between words.
func isBlank(r rune) bool { return r == '\t' || r == '\n' || unicode.Is(unicode.Zs, r) }

// hidden reports whether a character draws nothing, steers the text around it,
// or may not stand in XML. The joiners are spelling in many scripts and in
// emoji, and turn nothing round.
func hidden(r rune) bool {
	switch {
	case r == 0x200C || r == 0x200D:
		return false
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp):
		return true
	case r&0xFFFE == 0xFFFE, r >= 0xFDD0 && r <= 0xFDEF: // no characters at all
		return true
	}
	return r == 0x034F || r == 0x115F || r == 0x1160 || r == 0x17B4 || r == 0x17B5 || r == 0x3164 || r == 0xFFA0
}

// rightToLeft reports whether the first letter that has a direction runs from
// right to left.
func rightToLeft(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) {
			return true
		}
		if unicode.IsLetter(r) {
			return false
		}
	}
	return false
}

// Columns is how many columns of a terminal the text takes: two for the wide
// characters of East Asia and for emoji, none for marks that combine.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columns(r)
	}
	return n
}

func columns(r rune) int {
	switch {
	case r < 0x20 || r == 0x7F:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// breadth estimates how wide a text is at a font size. Fonts differ by some
// 10 %; the estimate is on the wide side.
func breadth(s string, size tenths) tenths {
	n := 0
	for _, r := range s {
		n += hundredths(r)
	}
	return tenths(n) * size / 100
}

// hundredths is the width of a character in hundredths of the font size.
func hundredths(r rune) int {
	switch {
	case strings.ContainsRune("ijlI.,:;'|!()[] ", r):
		return 32
	case strings.ContainsRune("mwMW@%", r):
		return 90
	case unicode.IsUpper(r):
		return 70
	}
	return 55 * columns(r)
}

// wrap breaks text into at most lines lines of the given breadth, at blanks
// where there are any. What does not fit ends in an ellipsis.
func wrap(s string, size, within tenths, lines int) []string {
	var out []string
	rest := s
	for rest != "" && len(out) < lines {
		n := fitting(rest, size, within)
		if n >= len(rest) {
			return append(out, rest)
		}
		if len(out) == lines-1 {
			n = fitting(rest, size, within-breadth("…", size))
			return append(out, strings.TrimRight(rest[:n], " ")+"…")
		}
		if cut := strings.LastIndexByte(rest[:n+1], ' '); cut > 0 {
			n = cut
		}
		out = append(out, strings.TrimRight(rest[:n], " "))
		rest = strings.TrimLeft(rest[n:], " ")
	}
	return out
}

// fitting is the length in bytes of the longest beginning of s that is no wider
// than within, at least one character.
func fitting(s string, size, within tenths) int {
	used := 0
	for i, r := range s {
		used += hundredths(r)
		if tenths(used)*size/100 > within && i > 0 {
			return i
		}
	}
	return len(s)
}

// cut shortens text to at most n characters.
func cut(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
