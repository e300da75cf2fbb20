package decide

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A signSide says on which side of the number a currency sign may stand. Most
// stand on either, since apps are translated by people who keep their habit.
type signSide uint8

const (
	eitherSide signSide = iota
	onlyBefore          // only in front: "R 100,00"
	onlyAfter           // only behind: "1,000円"
)

// A signNeed says how much a number must look like money before a sign that is
// also an ordinary word or letter counts as one.
type signNeed uint8

const (
	anyNumber    signNeed = iota
	longNumber            // three digits or more, or formal: "R100", but not "R18"
	formalNumber          // grouped or with two decimals: "TRY 100.00", but not "TRY 7 DAYS FREE"
)

// moneySign is one way of writing a currency.
type moneySign struct {
	text string
	// code is the ISO 4217 code, or the sign itself where countries share it.
	code string
	side signSide
	need signNeed
	// fine is set for money that is counted in thousandths or less, where
	// "1.250" is one and a quarter, and not a thousand.
	fine bool
}

// exact reports whether the code names one currency, as "USD" does and "$" does not.
func (s *moneySign) exact() bool {
	return len(s.code) == 3 && strings.Trim(s.code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// currencySigns lists what apps write next to a price. Alternatives are parted
// by a bar; one that is all lower case stands for its capitals as well.
//
// A sign gets a code where nearly everybody who reads it means that currency
// ("£", "lei", "руб"). Where large markets share it ("$", "kr", "¥", "Rs", "元")
// it stays a sign: a card that shows what the screen showed is never wrong, and
// one that says CNY for a price in Taiwan is.
var currencySigns = []moneySign{
	// Symbols of one currency.
	{text: "€", code: "EUR"},
	{text: "euro|euros|ευρώ|евро", code: "EUR", side: onlyAfter}, // in front it may be a tournament
	{text: "£|￡|GB£", code: "GBP"},
	{text: "₹|रुपये|रुपए", code: "INR"},
	{text: "₩|￦", code: "KRW"},
	{text: "₽", code: "RUB"},
	{text: "₺", code: "TRY"},
	{text: "₴", code: "UAH"},
	{text: "₪", code: "ILS"},
	{text: "₦", code: "NGN"},
	{text: "₱", code: "PHP"},
	{text: "₫", code: "VND"},
	{text: "฿|บาท", code: "THB"},
	{text: "₸|тг|тенге", code: "KZT"},
	{text: "₾|ლარი", code: "GEL"},
	{text: "₼|manat", code: "AZN"},
	{text: "֏|դրամ", code: "AMD"},
	{text: "৳|tk|tk.|টাকা", code: "BDT"},
	{text: "₵|GH₵|GH¢", code: "GHS"},
	{text: "₮", code: "MNT"},
	{text: "₭|ກີບ", code: "LAK"},
	{text: "៛|រៀល", code: "KHR"},
	{text: "₡", code: "CRC"},
	{text: "₲", code: "PYG"},
	{text: "₿|XBT", code: "BTC", fine: true},
	{text: "Ξ", code: "ETH", fine: true},
	{text: "sats", code: "sats", side: onlyAfter},
	{text: "sat", code: "sats", side: onlyAfter, need: longNumber}, // also an hour

	// Symbols that currencies share.
	{text: "$|＄|﹩", code: "$"},
	{text: "¥|￥", code: "¥"},
	{text: "kr|kr.", code: "kr"},
	{text: "Rs.|Rs|₨|rs|rs.|රු.|රු|रु.|रु|रू.|रू|ரூ.|ரூ|rupees", code: "Rs"},
	{text: "FCFA|F CFA|CFA", code: "FCFA"},
	{text: "C$|C $", code: "C$"},
	{text: "Bs.|Bs", code: "Bs", side: onlyBefore, need: longNumber},
	{text: "Br", code: "Br", need: formalNumber},
	{text: "﷼", code: "﷼"},

	// Dollars, pounds and the like of a named country.
	{text: "US$|US $|USD$|U$S|U$D|$US|美元|美金", code: "USD"},
	{text: "A$|AU$|AU $|AUD$", code: "AUD"},
	{text: "CA$|CAD$|$CA", code: "CAD"},
	{text: "NZ$", code: "NZD"},
	{text: "HK$|HK $|港币|港幣|港元", code: "HKD"},
	{text: "NT$|NT $|NT|新台幣|新臺幣|台幣|臺幣|台币", code: "TWD"},
	{text: "S$|SG$", code: "SGD"},
	{text: "R$", code: "BRL"},
	{text: "MX$|MXN$", code: "MXN"},
	{text: "AR$|ARS$", code: "ARS"},
	{text: "COP$|COL$", code: "COP"},
	{text: "CLP$", code: "CLP"},
	{text: "RD$", code: "DOP"},
	{text: "TT$", code: "TTD"},
	{text: "J$", code: "JMD"},
	{text: "EC$", code: "XCD"},
	{text: "N$", code: "NAD"},
	{text: "$U|UYU$", code: "UYU"},
	{text: "E£|L.E.|ج.م|جنيه", code: "EGP"},
	{text: "LE", code: "EGP", need: formalNumber},

	// East Asia.
	{text: "円|日圓|日元", code: "JPY"},
	{text: "元|圆|圓|块钱|塊錢", code: "元", side: onlyAfter},
	{text: "RMB|CNH|人民币|人民幣|CN¥", code: "CNY"},
	{text: "JP¥", code: "JPY"},
	{text: "원", code: "KRW", side: onlyAfter},
	{text: "欧元|歐元|ユーロ|유로", code: "EUR"},
	{text: "ドル|달러|dollar|dollars", code: "$", side: onlyAfter},

	// South-East Asia.
	{text: "rp|rp.", code: "IDR"},
	{text: "RM", code: "MYR"},
	{text: "đ|đồng|vnđ", code: "VND", side: onlyAfter},
	{text: "VNĐ", code: "VND"},
	{text: "Ks|ကျပ်", code: "MMK", need: longNumber},

	// Europe.
	{text: "zł|zl", code: "PLN"},
	{text: "kč|kc", code: "CZK"},
	{text: "Ft", code: "HUF"}, // in lower case it is a length
	{text: "лв|лв.", code: "BGN"},
	{text: "lei|leu", code: "RON"},
	{text: "tl", code: "TRY"},
	{text: "руб|руб.|рублей|рубля|рубль", code: "RUB"},
	{text: "р|р.", code: "RUB", side: onlyAfter, need: longNumber},
	{text: "грн|грн.|гривень|гривня|гривні", code: "UAH"},
	{text: "дин|дин.|din|din.|динара|dinara", code: "RSD", side: onlyAfter, need: longNumber},
	{text: "ден|ден.|денари", code: "MKD", side: onlyAfter, need: longNumber}, // also a day,
	{text: "lekë|lek", code: "ALL", side: onlyAfter, need: longNumber},
	{text: "SFr.|SFr", code: "CHF"},
	{text: "Fr.|Fr", code: "CHF", need: formalNumber}, // also Friday
	{text: "сом", code: "KGS", side: onlyAfter},
	{text: "сум|so'm|so‘m|soʻm|so’m", code: "UZS", side: onlyAfter},

	// Near East and Africa.
	{text: "ر.س.|ر.س", code: "SAR"},
	{text: "SR", code: "SAR", need: longNumber},
	{text: "د.إ.|د.إ", code: "AED"},
	{text: "درهم|dh|dhs|dhs.", code: "DH"},
	{text: "د.م.|د.م", code: "MAD"},
	{text: "د.ك.|د.ك", code: "KWD", fine: true},
	{text: "د.ب.|د.ب", code: "BHD", fine: true},
	{text: "ر.ع.|ر.ع", code: "OMR", fine: true},
	{text: "د.أ.|د.أ|د.ا", code: "JOD", fine: true},
	{text: "د.ت.|د.ت", code: "TND", fine: true},
	{text: "د.ل.|د.ل", code: "LYD", fine: true},
	{text: "د.ع.|د.ع", code: "IQD"},
	{text: "د.ج.|د.ج", code: "DZD"},
	{text: "ر.ق.|ر.ق", code: "QAR"},
	{text: "ر.ي.|ر.ي", code: "YER"},
	{text: "ل.ل.|ل.ل", code: "LBP"},
	{text: "ل.س.|ل.س", code: "SYP"},
	{text: "ريال", code: "ريال"},
	{text: "ریال", code: "IRR"},
	{text: "تومان|تومن", code: "تومان"}, // ten rials; it has no code
	{text: "DT", code: "TND", side: onlyAfter, need: formalNumber, fine: true},
	{text: "DA", code: "DZD", side: onlyAfter, need: formalNumber},
	{text: "ש״ח|ש\"ח|שקל|שקלים|NIS", code: "ILS"},
	{text: "ksh|KSh|ksh.|KSh.", code: "KES"},
	{text: "TSh", code: "TZS"},
	{text: "USh", code: "UGX"},
	{text: "R", code: "ZAR", side: onlyBefore, need: longNumber},

	// Latin America.
	{text: "S/.|S/", code: "PEN", side: onlyBefore},
	{text: "B/.|B/", code: "PAB", side: onlyBefore},
	{text: "Q", code: "GTQ", side: onlyBefore, need: longNumber},
	{text: "Gs.|Gs", code: "PYG", side: onlyBefore, need: longNumber},
	{text: "reais", code: "BRL", side: onlyAfter},
}

// currencyCodes are the ISO 4217 codes in use and the coins that wallets show
// the same way. They count in capitals.
const currencyCodes = "AED AFN ANG AOA ARS AUD AWG AZN BBD BDT BGN BIF BMD BND BRL BSD BTN BWP BYN BZD CAD CDF " +
	"CHF CLP CNY CRC CZK DJF DKK DOP DZD EGP ERN ETB FJD FKP GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR " +
	"ILS INR IQD IRR ISK JMD JPY KES KGS KHR KMF KPW KRW KYD KZT LBP LKR LRD LSL MDL MGA MKD MMK MNT MRU " +
	"MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PGK PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR " +
	"SDG SEK SGD SHP SLE SRD SSP STN SVC SYP SZL THB TJS TMT TTD TWD TZS UAH UGX UYU UZS VES VND VUV WST " +
	"XAF XCD XCG XOF XPF YER ZAR ZMW ZWG"

// commonCodes are written in lower case as well ("12 eur").
const commonCodes = "eur usd gbp"

// fineCodes are counted in thousandths or less.
const fineCodes = "BHD JOD KWD LYD OMR TND BTC ETH LTC XMR XRP BCH DOGE BNB SOL TRX USDT USDC DAI"

// wordCodes are words in capitals too, or other things with a number behind
// them ("TOP 10", "TRY 7 DAYS", "CVE 2024"), and longCodes less often so.
const (
	wordCodes = "ALL AMD BAM BOB COP CUP CVE GEL LAK MOP PEN SOS TOP TRY"
	longCodes = "MAD PHP"
)

// multiplier is a word or letter behind a number that stands for zeros.
type multiplier struct {
	text string
	// power is the number of zeros.
	power int
	// glued letters count only directly behind the number: "$5K".
	glued bool
}

// multipliers follow the same notation as currencySigns. "mil" and "bin" are
// left out: they are another number, or a thing, in the next language.
var multipliers = []multiplier{
	{text: "k", power: 3, glued: true},
	{text: "m", power: 6, glued: true},
	{text: "b|bn", power: 9, glued: true},
	{text: "thousand|тыс.|тыс|тис.|тис|tys.|tys|tis.|rb|ribu|nghìn|ngàn|千|천|พัน|هزار|ألف|हज़ार|हजार", power: 3},
	{text: "万|萬|만|หมื่น", power: 4},
	{text: "십만|แสน|lakh|lakhs|lac|लाख", power: 5},
	{text: "million|millions|millionen|mio.|mio|mln.|mln|млн.|млн|millones|millón|milhões|milhão|milioni|milyon|" +
		"jt|juta|triệu|백만|百万|百萬|ล้าน|مليون|میلیون", power: 6},
	{text: "천만|千万|千萬|crore|crores|cr|करोड़", power: 7},
	{text: "亿|億|억", power: 8},
	{text: "billion|mrd.|mrd|mld.|mld|млрд.|млрд|miliar|milyar|tỷ|tỉ|مليار|میلیارد", power: 9},
}

// signsByFirst finds a sign that begins with a rune, signsByLast one that ends
// with it; the longest stands first, so that "US$" is tried before "$".
var (
	signsByFirst, signsByLast = indexSigns()
	multipliersByFirst        = indexMultipliers()
)

func indexSigns() (byFirst, byLast map[rune][]moneySign) {
	byFirst, byLast = map[rune][]moneySign{}, map[rune][]moneySign{}
	for _, s := range allSigns() {
		first, _ := utf8.DecodeRuneInString(s.text)
		last, _ := utf8.DecodeLastRuneInString(s.text)
		if s.side != onlyBefore {
			byFirst[first] = append(byFirst[first], s)
		}
		if s.side != onlyAfter {
			byLast[last] = append(byLast[last], s)
		}
	}
	longestFirst := func(a, b moneySign) int { return cmp.Compare(len(b.text), len(a.text)) }
	for _, index := range []map[rune][]moneySign{byFirst, byLast} {
		for _, candidates := range index {
			slices.SortStableFunc(candidates, longestFirst)
		}
	}
	return byFirst, byLast
}

// allSigns spells out the table, the codes, and every other character that
// Unicode calls a currency symbol: one we do not know is still a price.
func allSigns() []moneySign {
	var all []moneySign
	known := map[string]bool{"¤": true} // the placeholder is no currency
	add := func(s moneySign, spellings ...string) {
		for _, spelling := range spellings {
			if !known[spelling] {
				known[spelling] = true
				s.text = spelling
				all = append(all, s)
			}
		}
	}
	for _, s := range currencySigns {
		for _, spelling := range strings.Split(s.text, "|") {
			if spelling == "sat" { // in capitals it is a day of the week
				add(s, spelling)
				continue
			}
			add(s, inCapitalsToo(spelling)...)
		}
	}
	for _, codes := range []struct {
		list string
		need signNeed
		fine bool
	}{{currencyCodes, anyNumber, false}, {fineCodes, anyNumber, true}, {wordCodes, formalNumber, false}, {longCodes, longNumber, false}} {
		for _, code := range strings.Fields(codes.list) {
			add(moneySign{code: code, need: codes.need, fine: codes.fine}, code)
		}
	}
	for _, code := range strings.Fields(commonCodes) {
		add(moneySign{code: strings.ToUpper(code)}, inCapitalsToo(code)...)
	}
	for _, r := range unicode.Sc.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			add(moneySign{code: string(c)}, string(c))
		}
	}
	return all
}

func indexMultipliers() map[rune][]multiplier {
	index := map[rune][]multiplier{}
	for _, m := range multipliers {
		for _, word := range strings.Split(m.text, "|") {
			for _, spelling := range inCapitalsToo(word) {
				first, _ := utf8.DecodeRuneInString(spelling)
				index[first] = append(index[first], multiplier{spelling, m.power, m.glued})
			}
		}
	}
	for _, candidates := range index {
		slices.SortStableFunc(candidates, func(a, b multiplier) int { return cmp.Compare(len(b.text), len(a.text)) })
	}
	return index
}

// inCapitalsToo returns a lower-case spelling with its capitalised forms, and
// any other spelling alone.
func inCapitalsToo(spelling string) []string {
	upper := strings.ToUpper(spelling)
	if upper == spelling || strings.ToLower(spelling) != spelling {
		return []string{spelling}
	}
	first, width := utf8.DecodeRuneInString(spelling)
	titled := string(unicode.ToUpper(first)) + spelling[width:]
	if titled == upper {
		return []string{spelling, upper}
	}
	return []string{spelling, upper, titled}
}
