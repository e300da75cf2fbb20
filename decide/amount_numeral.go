package decide

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxGroups are the digit groups of the longest number we read, with room
	// for the Indian habit of two digits a group.
	maxGroups = 9
	// maxWhole and maxFraction bound its digits: larger than any sum on a
	// screen, and fine enough for every coin.
	maxWhole    = 15
	maxFraction = 18
)

// numeral is a number as it stands in a text, before it is known which of its
// separators is the decimal mark: "1.299,00", "1'299.00", "1 299,00", "1,23,456".
type numeral struct {
	// start and end are byte offsets; end includes a multiplier.
	start, end int
	// digitsEnd is the end without it.
	digitsEnd int
	// groups holds the number of digits in each group and marks the separator
	// in front of each, in the plain form of plainMark.
	groups [maxGroups]int
	marks  [maxGroups]rune
	count  int
	// zero says that it begins with a zero, and so has no thousands.
	zero bool
	// malformed says that it is no number: a version, a date, an address.
	malformed bool
	// fraction is the number of decimals; as sets it.
	fraction int
	// power is the number of zeros that a multiplier adds.
	power int
}

// readNumeral reads the number that begins at offset i.
func readNumeral(text string, i int) numeral {
	n := numeral{start: i}
	dated := i > 0 && strings.IndexByte("-/:.", text[i-1]) >= 0
	n.zero = text[i] == '.' || digitValue(firstRune(text[i:])) == 0
	for mark := rune(0); ; {
		digits := 0
		for r, width := utf8.DecodeRuneInString(text[i:]); isDigit(r); r, width = utf8.DecodeRuneInString(text[i:]) {
			digits++
			i += width
		}
		n.add(digits, mark)
		r, width := utf8.DecodeRuneInString(text[i:])
		mark = plainMark(r)
		if mark == 0 || !digitAt(text, i+width) {
			break
		}
		if (mark == ' ' || mark == '\'') && (dated || !n.thousandsAt(text[i+width:], mark)) {
			break
		}
		i += width
	}
	n.end, n.digitsEnd = i, i
	return n
}

func (n *numeral) add(digits int, mark rune) {
	if n.count == maxGroups {
		n.malformed = true
		return
	}
	n.groups[n.count], n.marks[n.count] = digits, mark
	n.count++
}

// thousandsAt reports whether a space or apostrophe goes on with the number:
// three digits behind it, and nothing but such groups in front. Otherwise
// another number begins there ("Visa 1234 500 ₽").
func (n *numeral) thousandsAt(rest string, mark rune) bool {
	for i := 1; i < n.count; i++ {
		if n.marks[i] != mark || n.groups[i] != 3 {
			return false
		}
	}
	digits := 0
	for _, r := range rest {
		if !isDigit(r) {
			break
		}
		digits++
	}
	return n.groups[0] <= 3 && digits == 3
}

// multiply reads a multiplier behind the number. It reports false where more
// digits follow at once ("1万3000"): such numbers are not read.
func (n *numeral) multiply(text string) bool {
	from := skipSpace(text, n.end)
	candidates := multipliersByFirst[firstRune(text[from:])]
	for i := range candidates {
		c := &candidates[i]
		to := from + len(c.text)
		if !strings.HasPrefix(text[from:], c.text) || c.glued && from != n.end {
			continue
		}
		more := digitAt(text, to)
		if more || boundary(text, to) {
			n.power, n.end = c.power, to
			return !more
		}
	}
	return true
}

// suits reports whether the number can be a sum in the sign's currency.
func (n numeral) suits(sign *moneySign) bool {
	fraction, ok := n.decimals(sign.fine)
	if !ok {
		return false
	}
	whole := -fraction
	for _, digits := range n.groups[:n.count] {
		whole += digits
	}
	if whole > maxWhole || fraction > maxFraction {
		return false
	}
	grouped := n.count > 2 || n.count == 2 && fraction == 0
	looksFormal := grouped || fraction == 2
	switch sign.need {
	case formalNumber:
		return looksFormal
	case longNumber:
		return looksFormal || whole >= 3
	}
	return true
}

// as returns the number with its decimals told apart for the sign's currency.
func (n numeral) as(sign *moneySign) numeral {
	n.fraction, _ = n.decimals(sign.fine)
	return n
}

// hasCents reports two decimals, the surest mark of a price.
func (n *numeral) hasCents() bool {
	fraction, ok := n.decimals(false)
	return ok && fraction == 2
}

// decimals returns how many of the last digits are decimals. It reports false
// where the groups make no number.
func (n *numeral) decimals(fine bool) (int, bool) {
	if n.malformed {
		return 0, false
	}
	last := n.count - 1
	if last == 0 {
		return 0, true
	}
	mark := n.marks[last]
	var decimal bool
	switch {
	case mark == '٫':
		decimal = true
	case mark == '.' || mark == ',':
		if last == 1 {
			decimal = n.zero || n.groups[0] > 3 || n.groups[1] != 3 || fine && mark == '.'
		} else {
			decimal = n.marks[last-1] != mark
		}
	}
	whole, fraction := n.count, 0
	if decimal {
		whole, fraction = last, n.groups[last]
	}
	return fraction, n.groupedBefore(whole, mark, decimal)
}

// groupedBefore checks the first groups of a number: one separator throughout,
// not the decimal mark, and three digits a group or the Indian 2-2-3.
func (n *numeral) groupedBefore(whole int, mark rune, decimal bool) bool {
	if whole == 1 {
		return true
	}
	if n.groups[0] < 1 || n.groups[0] > 3 || n.groups[whole-1] != 3 || decimal && n.marks[1] == mark {
		return false
	}
	size := n.groups[1]
	if whole > 2 && size == 2 && (n.groups[0] > 2 || n.marks[1] != ',') {
		return false
	}
	for i := 1; i < whole; i++ {
		if n.marks[i] != n.marks[1] || n.marks[i] == '٫' {
			return false
		}
		if i < whole-1 && (n.groups[i] != size || size != 2 && size != 3) {
			return false
		}
	}
	return true
}

// value writes the number in ASCII digits, with a point and the decimals that
// are written, and no other zeros in front.
func (n *numeral) value(text string) string {
	digits := make([]byte, 0, maxWhole+maxFraction+9)
	for _, r := range text[n.start:n.digitsEnd] {
		if isDigit(r) {
			digits = append(digits, '0'+byte(digitValue(r)))
		}
	}
	point := len(digits) - n.fraction + n.power
	for len(digits) < point {
		digits = append(digits, '0')
	}
	whole := strings.TrimLeft(string(digits[:point]), "0")
	if whole == "" {
		whole = "0"
	}
	if point == len(digits) {
		return whole
	}
	return whole + "." + string(digits[point:])
}

// plainMark folds the ways of writing one separator, and returns 0 for
// whatever cannot stand inside a number. '٫' is always a decimal mark, '\” and
// ' ' never are.
func plainMark(r rune) rune {
	switch r {
	case '.', '．':
		return '.'
	case ',', '，', '،':
		return ','
	case '٫':
		return '٫'
	case '\'', '’', '‘', 'ʼ', '＇', '٬':
		return '\''
	}
	if unicode.Is(unicode.Zs, r) {
		return ' '
	}
	return 0
}

// isDigit reports a decimal digit of any script. The ranges that most labels are
// written in and that hold none are passed over without a search.
func isDigit(r rune) bool {
	switch {
	case r < 0x660: // Latin, Greek, Cyrillic, Armenian, Hebrew
		return '0' <= r && r <= '9'
	case 0x1A9A <= r && r < 0x1B50, 0x1C5A <= r && r < 0xA620, 0xAC00 <= r && r < 0xFF10: // Chinese, Japanese, Korean
		return false
	}
	return unicode.Is(unicode.Nd, r)
}

func digitAt(text string, i int) bool {
	return i < len(text) && isDigit(firstRune(text[i:]))
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// digitValue returns what a decimal digit stands for. Unicode lists the digits
// of each script as a run of ten from zero, so the place in the run tells.
func digitValue(r rune) int {
	if r < utf8.RuneSelf {
		return int(r - '0')
	}
	for _, run := range unicode.Nd.R16 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return int(r-rune(run.Lo)) % 10
		}
	}
	for _, run := range unicode.Nd.R32 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return int(r-rune(run.Lo)) % 10
		}
	}
	return 0
}
