package lexicon

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// dropped marks a letter that leaves nothing in the matching copy.
const dropped = rune(-1)

// foldedBelow is where the table of folded letters ends; above it only a few
// scripts have case.
const foldedBelow = 0x3000

// foldTable maps a letter to its form in the matching copy: lower case, with
// the spellings folded that mean the same word in the languages that use them.
var foldTable = buildFoldTable()

func buildFoldTable() *[foldedBelow]int16 {
	table := new([foldedBelow]int16)
	for r := range rune(foldedBelow) {
		table[r] = int16(foldSlowly(r))
	}
	for from, to := range spellings {
		table[from] = int16(to)
	}
	return table
}

// foldSlowly is what the table holds of a letter before spellings. Cherokee goes
// by its capitals, as in Unicode's case folding (CaseFolding.txt): they are what
// is written every day, and its small letters came later and lie beyond the table.
func foldSlowly(r rune) rune {
	switch {
	case isDroppedMark(r):
		return dropped
	case unicode.Is(unicode.Greek, r):
		return unicode.ToLower(firstOfNFD(r)) // capitals drop their accents, so all do
	case unicode.Is(unicode.Nd, r):
		return '0' + digitValue(r)
	case unicode.Is(unicode.Cherokee, r):
		return unicode.ToUpper(r)
	}
	return unicode.ToLower(r)
}

func firstOfNFD(r rune) rune {
	first, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	return first
}

// digitValue is the value of a decimal digit; digits stand in blocks of ten.
func digitValue(r rune) rune {
	if r < 0x80 {
		return r - '0'
	}
	for _, block := range unicode.Nd.R16 {
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return (r - rune(block.Lo)) % 10
		}
	}
	for _, block := range unicode.Nd.R32 {
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return (r - rune(block.Lo)) % 10
		}
	}
	return 0
}

// isDroppedMark reports marks that spell nothing on their own: accents that did
// not compose with a letter, strokes laid over letters, Hebrew points, Arabic
// vowels and the stretching tatweel.
func isDroppedMark(r rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036F, r >= 0x1AB0 && r <= 0x1AFF, r >= 0x1DC0 && r <= 0x1DFF,
		r >= 0x20D0 && r <= 0x20FF, r >= 0x0483 && r <= 0x0489:
		return true
	case r >= 0x0591 && r <= 0x05C7:
		return unicode.Is(unicode.Mn, r)
	case r == 0x0640, r >= 0x0610 && r <= 0x061A, r >= 0x064B && r <= 0x065F, r == 0x0670,
		r >= 0x06D6 && r <= 0x06ED && unicode.Is(unicode.Mn, r), r >= 0x08D3 && r <= 0x08FF:
		return true
	}
	return false
}

// spellings are letters that are written one for the other.
var spellings = map[rune]rune{
	// One letter i: Turkish capitals and small letters cross when somebody
	// folds them by the wrong locale, and themes do.
	'ı': 'i', 'İ': 'i',
	'ς': 'σ', 'ё': 'е', 'Ё': 'е',
	// Romanian is written with a comma below and, by older keyboards, a cedilla.
	'ş': 'ș', 'Ş': 'ș', 'ţ': 'ț', 'Ţ': 'ț',
	// Arabic: alef with and without hamza; final forms; Persian and Urdu
	// keyboards have letters of their own for the same ones.
	'أ': 'ا', 'إ': 'ا', 'آ': 'ا', 'ٱ': 'ا', 'ى': 'ي', 'ة': 'ه', 'ی': 'ي', 'ک': 'ك', 'ہ': 'ه', 'ۀ': 'ه',
	'ँ': 'ं', // Hindi writes either nasal sign
	// Apostrophes and hyphens.
	'’': '\'', '‘': '\'', 'ʼ': '\'', 'ʻ': '\'', 'ʹ': '\'', '′': '\'', '`': '\'', '‛': '\'',
	'‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-', '⁃': '-',
	// Small capitals, which Unicode has as letters of their own.
	'ᴀ': 'a', 'ʙ': 'b', 'ᴄ': 'c', 'ᴅ': 'd', 'ᴇ': 'e', 'ɢ': 'g', 'ʜ': 'h', 'ɪ': 'i', 'ᴊ': 'j', 'ᴋ': 'k',
	'ʟ': 'l', 'ᴍ': 'm', 'ɴ': 'n', 'ᴏ': 'o', 'ᴘ': 'p', 'ʀ': 'r', 'ᴛ': 't', 'ᴜ': 'u', 'ᴠ': 'v', 'ᴡ': 'w',
	'ʏ': 'y', 'ᴢ': 'z', 'Ɑ': 'a',
}

// foldRune returns the form of one letter in the matching copy, dropped when it
// leaves nothing there. ß, which becomes two letters, is the caller's business.
func foldRune(r rune) rune {
	if r < foldedBelow {
		return rune(foldTable[r])
	}
	return foldBeyond(r)
}

// foldBeyond is foldRune beyond the table.
func foldBeyond(r rune) rune {
	switch {
	case r < 0xA640 || r >= 0xAC00 && r < 0x10000:
		return r // neither case nor variants
	case r == 'ꜰ':
		return 'f'
	case r == 'ꜱ':
		return 's'
	case r == 'ꞯ':
		return 'q'
	case r == 'Ɡ':
		return 'g'
	case r == 'Ɪ':
		return 'i'
	case r >= 0x1F150 && r <= 0x1F169: // white letters in black circles
		return 'a' + r - 0x1F150
	case r >= 0x1F170 && r <= 0x1F189: // white letters in black squares
		return 'a' + r - 0x1F170
	case unicode.IsDigit(r):
		return '0' + digitValue(r)
	case unicode.Is(unicode.Cherokee, r):
		return unicode.ToUpper(r)
	}
	return unicode.ToLower(r)
}

// tonesMoved folds the two places where Vietnamese writes the tone of a final
// oa, oe or uy: the newer "xoá" becomes the older "xóa". It returns the two
// letters unchanged where there is nothing to move.
func tonesMoved(first, second rune) (rune, rune) {
	var tones, toned, plain string
	switch first {
	case 'o':
		tones, toned, plain = "áàảãạéèẻẽẹ", "óòỏõọóòỏõọ", "aaaaaeeeee"
	case 'u':
		tones, toned, plain = "ýỳỷỹỵ", "úùủũụ", "yyyyy"
	default:
		return first, second
	}
	n := 0
	for _, t := range tones {
		if t == second {
			return nthRune(toned, n), rune(plain[n])
		}
		n++
	}
	return first, second
}

func nthRune(s string, n int) rune {
	for _, r := range s {
		if n == 0 {
			return r
		}
		n--
	}
	return utf8.RuneError
}
