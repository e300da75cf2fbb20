package screen

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	byteOrderMark = "\uFEFF"
	// replacement stands for every character that is not one.
	replacement = "\uFFFD"
)

// decode turns the input into UTF-8 without a byte order mark. Input that is
// UTF-8 already is returned as it is, invalid bytes included: only labels need
// to be clean, and they are cleaned where they are read. UTF-16 happens when a
// dump is redirected into a file on Windows. The encoding that an XML
// declaration claims is not looked at, since redirection does not change it.
func decode(src string) (text string, repairs int) {
	bigEndian, ok := isUTF16(src)
	if !ok {
		return strings.TrimPrefix(src, byteOrderMark), 0
	}
	text, repairs = decodeUTF16(src, bigEndian)
	return strings.TrimPrefix(text, byteOrderMark), repairs
}

// isUTF16 knows UTF-16 by its mark, or by two ASCII characters in a row: a
// tree begins with markup, and no UTF-8 text has a zero byte there.
func isUTF16(src string) (bigEndian, ok bool) {
	if len(src) < 4 {
		return false, false
	}
	switch {
	case src[0] == 0xFE && src[1] == 0xFF:
		return true, true
	case src[0] == 0xFF && src[1] == 0xFE:
		return false, true
	case src[0] == 0 && src[1] != 0 && src[2] == 0 && src[3] != 0:
		return true, true
	case src[0] != 0 && src[1] == 0 && src[2] != 0 && src[3] == 0:
		return false, true
	}
	return false, false
}

// decodeUTF16 replaces lone surrogates and counts them. An odd byte at the end
// is dropped: the document is cut off there, which the reader notices.
func decodeUTF16(src string, bigEndian bool) (text string, repairs int) {
	unit := func(i int) rune {
		if bigEndian {
			return rune(src[i])<<8 | rune(src[i+1])
		}
		return rune(src[i+1])<<8 | rune(src[i])
	}
	var decoded strings.Builder
	decoded.Grow(len(src)/2 + len(src)/8)
	for i := 0; i+1 < len(src); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if i+3 < len(src) {
				pair = utf16.DecodeRune(r, unit(i+2))
			}
			if r = pair; r == utf8.RuneError {
				repairs++
			} else {
				i += 2
			}
		}
		decoded.WriteRune(r)
	}
	return decoded.String(), repairs
}
