package decide

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
)

// spelledOtherwise reports whether a browser or a shell may make another address
// of a text than what stands there.
func spelledOtherwise(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf, c < ' ', c == '%', c == '"', c == '\'', c == '\\':
			return true
		}
	}
	return false
}

// maxEncoded is how often one thing is percent-encoded inside another: an address
// in a link in a link.
const maxEncoded = 3

// spellings are what a text may be read as, in plain spelling. A line end in it is
// dropped by a browser and parts the words of a line; a backslash is dropped by a
// shell and begins an escape elsewhere.
func spellings(text string) (all []string) {
	readings := []string{text}
	if other := unescaped(text); other != text {
		readings = append(readings, other)
	}
	if other := strings.Map(controlsToBlanks, text); other != text {
		readings = append(readings, other)
	}
	for _, reading := range readings {
		for range maxEncoded {
			plain := asAddress(reading)
			all = append(all, plain)
			if plain == reading {
				break
			}
			reading = plain
		}
	}
	return all
}

func controlsToBlanks(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

// asAddress is a text with its addresses as a browser reads them: without tabs and
// line ends, with what is percent-encoded decoded (URL Standard, 4.4 and 3.5), and
// letters, digits and dots of other forms as plain ones (UTS 46, 4). The quotes
// that a shell would take away are taken away.
func asAddress(text string) string {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if c, ok := percentDecoded(text[i:]); ok {
			b, i = append(b, c), i+len("%00")
			continue
		}
		i += size
		b = appendPlain(b, r)
	}
	if !utf8.Valid(b) || !bytes.ContainsFunc(b, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return string(b)
	}
	// What was percent-encoded may be such a letter as well.
	plain := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		plain, b = appendPlain(plain, r), b[size:]
	}
	return string(plain)
}

// percentDecoded is the byte that a text begins with, percent-encoded.
func percentDecoded(text string) (c byte, ok bool) {
	if len(text) < len("%00") || text[0] != '%' {
		return 0, false
	}
	high, low := digitOf(text[1]), digitOf(text[2])
	return byte(high<<4 | low), high < 16 && low < 16
}

// appendPlain appends a letter of an address, in the form that browsers give it.
func appendPlain(b []byte, r rune) []byte {
	switch {
	case r < ' ', r == '"', r == '\'', r == '\\':
		return b
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	case r == '。', r == '｡', r == '．': // they end a part of a name as a dot does
		return append(b, '.')
	case r >= 0x300 && r < 0x34f: // marks, which belong to the letter before
		return utf8.AppendRune(b, r)
	case r >= 0x370 && r < 0x1680, r > 0x3002 && r < 0x3200, r >= 0x3400 && r < 0xa640, r >= 0xac00 && r < 0xd800:
		return utf8.AppendRune(b, r) // scripts in which no letter stands for a plain one
	}
	return lexicon.Fold(b, string(r))
}

// unescaped is a text with the escapes read that stand for one letter in JSON, in
// programs and in the quotes $'...' of a shell: \u0033, \x33 and \063.
func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b []byte
	for i := 0; i < len(text); {
		r, size := escaped(text[i:])
		if size == 0 {
			b, i = append(b, text[i]), i+1
			continue
		}
		b, i = utf8.AppendRune(b, r), i+size
	}
	return string(b)
}

// escaped is the letter that a text begins with as an escape, and the size of that
// escape, 0 where it begins with none.
func escaped(text string) (r rune, size int) {
	if len(text) < len(`\0`) || text[0] != '\\' {
		return 0, 0
	}
	begin, most, base := 2, 0, rune(16)
	switch text[1] {
	case 'u':
		most = 4
	case 'x':
		most = 2
	default:
		begin, most, base = 1, 3, 8
	}
	for size = begin; size < len(text) && size < begin+most && digitOf(text[size]) < base; size++ {
		r = r*base + digitOf(text[size])
	}
	if size == begin {
		return 0, 0
	}
	return r, size
}

// digitOf is the value of a hexadecimal digit, 16 for another letter.
func digitOf(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 16
}

// foreignNamed reports whether a text holds a host of the guard's whose name is
// written in letters of other scripts there, where the guard knows it by the
// plain letters that are sent instead (RFC 3492).
func (s *Self) foreignNamed(text string) bool {
	for _, host := range s.Hosts {
		if indexFold(host, "xn--") < 0 {
			continue
		}
		name := foldedName(host)
		for _, spelled := range spellings(text) {
			for word := range strings.FieldsFuncSeq(spelled, func(r rune) bool { return r < utf8.RuneSelf && !hostByte(byte(r)) }) {
				if strings.Contains(foldedName(word), name) {
					return true
				}
			}
		}
	}
	return false
}

// foldedName is the name of a host in the letters of its scripts, folded.
func foldedName(host string) string {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if len(label) > len("xn--") && strings.EqualFold(label[:len("xn--")], "xn--") {
			if plain, ok := punycoded(label[len("xn--"):]); ok {
				labels[i] = plain
			}
		}
	}
	return string(lexicon.Fold(nil, strings.Join(labels, ".")))
}
