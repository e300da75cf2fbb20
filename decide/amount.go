package decide

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// maxAmountRunes bounds the work on one label: what stands behind is not looked at.
const maxAmountRunes = 2000

// amountIn finds the sum of money that a label names: a number with a currency
// sign or code next to it, in any script and with any separators. Where the
// label names several, it is the largest if all are in one currency (a total
// stands among its parts), else the first. Where a number can be read in two
// ways ("1.234 €"), it is read as the larger. A minus is not read.
//
// The value keeps the decimals that are written; start and end are the
// half-open span of number and sign in runes of text. Only the first
// maxAmountRunes runes are read.
func amountIn(text string) (a risk.Amount, start, end int, ok bool) {
	s := newMoneyScan(text)
	if !s.next() {
		return risk.Amount{}, 0, 0, false
	}
	first := s.found
	best, value := first, first.value(text)
	for s.next() {
		if s.found.code != first.code {
			best, value = first, first.value(text)
			break
		}
		if v := s.found.value(text); lessDecimal(value, v) {
			best, value = s.found, v
		}
	}
	start = utf8.RuneCountInString(text[:best.from])
	end = start + utf8.RuneCountInString(text[best.from:best.to])
	return risk.Amount{Value: value, Currency: best.code}, start, end, true
}

// moneyIn reports whether amountIn would find a sum of money. It stops at the
// first and does not allocate.
func moneyIn(text string) bool {
	s := newMoneyScan(text)
	return s.next()
}

// lessDecimal compares two values as amountIn writes them: no leading zeros,
// a point, no exponent.
func lessDecimal(a, b string) bool {
	aWhole, aRest, _ := strings.Cut(a, ".")
	bWhole, bRest, _ := strings.Cut(b, ".")
	if len(aWhole) != len(bWhole) {
		return len(aWhole) < len(bWhole)
	}
	if aWhole != bWhole {
		return aWhole < bWhole
	}
	return aRest < bRest
}

// price is a number with its currency, as byte offsets into the text.
type price struct {
	numeral
	code     string
	from, to int
}

// moneyScan goes through a text from price to price.
type moneyScan struct {
	text string
	// cut is set when the text goes on behind the part that is read.
	cut bool
	pos int
	// taken is the end of the last price: its sign belongs to no other number.
	taken int
	// multiplied is the end of the last multiplier. In "3만 5,000" the second
	// number is only the rest of one, which is not read.
	multiplied int
	found      price
}

func newMoneyScan(text string) moneyScan {
	s := moneyScan{text: text, multiplied: -1}
	if len(text) > maxAmountRunes {
		runes := 0
		for i := range text {
			if runes == maxAmountRunes {
				s.text, s.cut = text[:i], true
				break
			}
			runes++
		}
	}
	return s
}

// next moves to the next price and reports whether there is one.
func (s *moneyScan) next() bool {
	for s.pos < len(s.text) {
		if c := s.text[s.pos]; c < utf8.RuneSelf && c > '9' {
			s.pos++
			continue
		}
		r, width := utf8.DecodeRuneInString(s.text[s.pos:])
		if !isDigit(r) && !(r == '.' && s.cents()) {
			s.pos += width
			continue
		}
		n := readNumeral(s.text, s.pos)
		s.pos = n.end
		if s.cut && n.end == len(s.text) {
			return false // its other digits may be behind the cut
		}
		if s.price(n) {
			s.taken = s.found.to
			s.pos = max(s.pos, s.found.to)
			return true
		}
	}
	return false
}

// cents reports whether the point at pos begins a number: "$.99".
func (s *moneyScan) cents() bool {
	r, _ := utf8.DecodeLastRuneInString(s.text[:s.pos])
	return unicode.Is(unicode.Sc, r) && digitAt(s.text, s.pos+1)
}

// price finds the currency of a number. A sign in front goes before one behind,
// since numbers come from left to right and the sign behind may be the next
// number's.
func (s *moneyScan) price(n numeral) bool {
	restOfNumber := s.multiplied >= 0 && skipSpace(s.text, s.multiplied) == n.start
	whole := n.multiply(s.text)
	if n.power > 0 {
		s.multiplied = n.end
	}
	if !whole {
		return false
	}
	n.end += dashBehind(s.text[n.end:])
	if percentAt(s.text, n.end) {
		return false
	}
	front, from := s.signBefore(n.start)
	behind, to := s.signBehind(n)
	if front != nil && n.suits(front) {
		code, end := front.code, n.end
		if behind != nil && s.repeats(front, behind, to) {
			end = to
			if behind.exact() {
				code = behind.code
			}
		} else if r, _ := utf8.DecodeRuneInString(s.text[n.end:]); joinsWord(r) {
			return false // "$5L": a letter that we cannot read may stand for zeros
		}
		s.found = price{n.as(front), code, from, end}
		return true
	}
	if behind == nil || restOfNumber || s.glued(n.start) || !n.suits(behind) {
		return false
	}
	s.found = price{n.as(behind), behind.code, n.start, to}
	return true
}

// repeats reports whether the sign behind a number, which ends at to, says the
// same as the one in front, more exactly or less: "$12.00 USD", "人民币1000元".
func (s *moneyScan) repeats(front, behind *moneySign, to int) bool {
	if digitAt(s.text, skipSpace(s.text, to)) || behind.need != anyNumber {
		return false
	}
	return !front.exact() || !behind.exact() || front.code == behind.code
}

// signBefore finds the sign in front of the number that starts at start.
func (s *moneyScan) signBefore(start int) (*moneySign, int) {
	end := skipBack(s.text, start)
	last, _ := utf8.DecodeLastRuneInString(s.text[:end])
	candidates := signsByLast[last]
	for i := range candidates {
		c := &candidates[i]
		from := end - len(c.text)
		if from >= s.taken && s.text[from:end] == c.text && boundary(s.text, from) {
			return c, from
		}
	}
	return nil, 0
}

// signBehind finds the sign behind the number, unless it is the next number's.
func (s *moneyScan) signBehind(n numeral) (*moneySign, int) {
	from := skipSpace(s.text, n.end)
	first, _ := utf8.DecodeRuneInString(s.text[from:])
	candidates := signsByFirst[first]
	for i := range candidates {
		c := &candidates[i]
		to := from + len(c.text)
		if strings.HasPrefix(s.text[from:], c.text) && boundary(s.text, to) {
			if !s.owns(n, c, from, to) {
				return nil, 0
			}
			return c, to
		}
	}
	return nil, 0
}

// owns settles whose the sign between two numbers is: that of the number it
// touches ("2 €5"), else that of the one with decimals ("2 € 5.00"), else that
// of the left one ("100 ₽ 2").
func (s *moneyScan) owns(n numeral, sign *moneySign, from, to int) bool {
	next := skipSpace(s.text, to)
	if sign.side == onlyAfter || !digitAt(s.text, next) {
		return true
	}
	touchesLeft, touchesRight := from == n.end, next == to
	if touchesLeft != touchesRight {
		return touchesLeft
	}
	right := readNumeral(s.text, next)
	return n.hasCents() || !right.hasCents()
}

// glued reports whether a number is part of something else: a word ("MP3"), an
// order number ("#12"), a time or date ("10:30", "1/2"), a masked card
// ("•• 12"), a placeholder that was never filled in ("%1$s").
func (s *moneyScan) glued(start int) bool {
	r, width := utf8.DecodeLastRuneInString(s.text[:start])
	if width == 0 {
		return false
	}
	switch r {
	case ':', '/', '%':
		return true
	}
	if joinsWord(r) {
		return true
	}
	r, _ = utf8.DecodeLastRuneInString(s.text[:skipBack(s.text, start)])
	return strings.ContainsRune("#№•●∙·*․…", r)
}

// boundary reports whether a sign may begin or end at offset i: not inside a word.
func boundary(text string, i int) bool {
	left, _ := utf8.DecodeLastRuneInString(text[:i])
	right, _ := utf8.DecodeRuneInString(text[i:])
	return !joinsWord(left) || !joinsWord(right)
}

// joinsWord reports whether a rune makes one word with its neighbours. Scripts
// without spaces do not, and Korean writes particles onto everything.
func joinsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// maxGap is how many spaces and direction marks may part a number from its sign.
const maxGap = 4

func skipSpace(text string, i int) int {
	for range maxGap {
		r, width := utf8.DecodeRuneInString(text[i:])
		if !isGap(r) {
			break
		}
		i += width
	}
	return i
}

// skipBack goes back over spaces and at most one arithmetic sign: "€ -5". A plus
// is none of them: "KR +82" is a country code.
func skipBack(text string, i int) int {
	arithmetic := false
	for range maxGap {
		r, width := utf8.DecodeLastRuneInString(text[:i])
		if !isGap(r) {
			if arithmetic || !strings.ContainsRune("-−–~≈", r) {
				break
			}
			arithmetic = true
		}
		i -= width
	}
	return i
}

// isGap reports spaces and direction marks, but no line break: another line is
// another thing.
func isGap(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' '
	}
	return unicode.Is(unicode.Zs, r) || unicode.Is(unicode.Bidi_Control, r)
}

// dashBehind returns the length of the dash that stands for no cents: "100,-".
func dashBehind(rest string) int {
	for _, dash := range [...]string{",-", ",–", ",—", ".-", ".–", ".—", ":-", "/-"} {
		if strings.HasPrefix(rest, dash) && !digitAt(rest, len(dash)) {
			return len(dash)
		}
	}
	return 0
}

func percentAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[skipSpace(text, i):])
	return strings.ContainsRune("%‰٪％", r)
}
