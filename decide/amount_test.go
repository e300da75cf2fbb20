package decide

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/risk"
)

// amountCases are labels as apps of each locale write them. span is the part
// of the label that makes the sum.
var amountCases = []struct {
	locale, text, value, currency, span string
}{
	{"en-US", "Pay $24.10", "24.10", "$", "$24.10"},
	{"en-US", "Buy now for $1,299", "1299", "$", "$1,299"},
	{"en-US", "$ 0.50", "0.50", "$", "$ 0.50"},
	{"en-US", "Only $.99!", "0.99", "$", "$.99"},
	{"en-US", "US$24.10", "24.10", "USD", "US$24.10"},
	{"en-US", "US $24.10", "24.10", "USD", "US $24.10"},
	{"en-US", "USD 12.00", "12.00", "USD", "USD 12.00"},
	{"en-US", "12.00 USD", "12.00", "USD", "12.00 USD"},
	{"en-US", "$12.00 USD", "12.00", "USD", "$12.00 USD"},
	{"en-US", "PLUS$5", "5", "$", "$5"},
	{"en-US", "Raise $1.5M", "1500000", "$", "$1.5M"},
	{"en-US", "-$5.00 refund", "5.00", "$", "$5.00"},
	{"en-US", "$-5.00", "5.00", "$", "$-5.00"},
	{"en-US", "$24.10/month", "24.10", "$", "$24.10"},
	{"en-GB", "Send £10", "10", "GBP", "£10"},
	{"en-AU", "A$1,299.00", "1299.00", "AUD", "A$1,299.00"},
	{"en-CA", "CA$5.49", "5.49", "CAD", "CA$5.49"},
	{"en-NZ", "NZ$5.49", "5.49", "NZD", "NZ$5.49"},
	{"en-SG", "S$12.80", "12.80", "SGD", "S$12.80"},
	{"en-IN", "Pay ₹1,23,456", "123456", "INR", "₹1,23,456"},
	{"en-IN", "Rs. 1,23,456.00", "123456.00", "Rs", "Rs. 1,23,456.00"},
	{"en-IN", "Rs500", "500", "Rs", "Rs500"},
	{"en-IN", "₹ 1.2 lakh", "120000", "INR", "₹ 1.2 lakh"},
	{"hi-IN", "₹१,२३४.५० का भुगतान करें", "1234.50", "INR", "₹१,२३४.५०"},
	{"bn-BD", "৳ ১,২৩৪", "1234", "BDT", "৳ ১,২৩৪"},
	{"ne-NP", "रु. ५००", "500", "Rs", "रु. ५००"},
	{"en-ZA", "R 100,00", "100.00", "ZAR", "R 100,00"},
	{"en-ZA", "R 1 234,50", "1234.50", "ZAR", "R 1 234,50"},
	{"en-NG", "₦5,000.00", "5000.00", "NGN", "₦5,000.00"},
	{"en-KE", "KSh 1,500", "1500", "KES", "KSh 1,500"},
	{"en-KE", "Ksh1,500.00", "1500.00", "KES", "Ksh1,500.00"},
	{"en-PH", "₱1,299.00", "1299.00", "PHP", "₱1,299.00"},
	{"ms-MY", "Bayar RM 10.00", "10.00", "MYR", "RM 10.00"},
	{"de-DE", "24,10 €", "24.10", "EUR", "24,10 €"},
	{"de-DE", "1.299,00 €", "1299.00", "EUR", "1.299,00 €"},
	{"de-DE", "Jetzt 1.299 € zahlen", "1299", "EUR", "1.299 €"},
	{"de-DE", "2,5 Mio. €", "2500000", "EUR", "2,5 Mio. €"},
	{"en-IE", "€24.10", "24.10", "EUR", "€24.10"},
	{"nl-NL", "Betaal € 24,10", "24.10", "EUR", "€ 24,10"},
	{"nl-NL", "€ 10,-", "10", "EUR", "€ 10,-"},
	{"fr-FR", "Payer 1\u202f299,00\u00a0€", "1299.00", "EUR", "1\u202f299,00\u00a0€"},
	{"fr-FR", "1\u00a0299,00 €", "1299.00", "EUR", "1\u00a0299,00 €"},
	{"fr-CA", "5 100,25 $", "5100.25", "$", "5 100,25 $"},
	{"es-ES", "Pagar 24,10 EUR", "24.10", "EUR", "24,10 EUR"},
	{"fi-FI", "12 eur", "12", "EUR", "12 eur"},
	{"el-GR", "24,10 ευρώ", "24.10", "EUR", "24,10 ευρώ"},
	{"de-CH", "1'299.00 CHF", "1299.00", "CHF", "1'299.00 CHF"},
	{"de-CH", "CHF 1’299.–", "1299", "CHF", "CHF 1’299.–"},
	{"pt-BR", "Pagar R$ 10,00", "10.00", "BRL", "R$ 10,00"},
	{"pt-BR", "R$ 1.234,56", "1234.56", "BRL", "R$ 1.234,56"},
	{"es-MX", "MX$250.00", "250.00", "MXN", "MX$250.00"},
	{"es-MX", "$250.00 MXN", "250.00", "MXN", "$250.00 MXN"},
	{"es-PE", "S/ 25.00", "25.00", "PEN", "S/ 25.00"},
	{"es-PE", "S/.25.00", "25.00", "PEN", "S/.25.00"},
	{"es-CR", "₡12 500", "12500", "CRC", "₡12 500"},
	{"es-GT", "Q125.00", "125.00", "GTQ", "Q125.00"},
	{"ja-JP", "¥1,000", "1000", "¥", "¥1,000"},
	{"ja-JP", "￥１，０００", "1000", "¥", "￥１，０００"},
	{"ja-JP", "合計1,000円を支払う", "1000", "JPY", "1,000円"},
	{"ja-JP", "1.5万円", "15000", "JPY", "1.5万円"},
	{"zh-CN", "支付1000元", "1000", "元", "1000元"},
	{"zh-CN", "1.2万元", "12000", "元", "1.2万元"},
	{"zh-CN", "人民币1000元", "1000", "CNY", "人民币1000元"},
	{"zh-CN", "¥12.50", "12.50", "¥", "¥12.50"},
	{"zh-HK", "HK$88.00", "88.00", "HKD", "HK$88.00"},
	{"zh-TW", "NT$1,280", "1280", "TWD", "NT$1,280"},
	{"ko-KR", "₩12,000", "12000", "KRW", "₩12,000"},
	{"ko-KR", "12,000원 결제하기", "12000", "KRW", "12,000원"},
	{"ko-KR", "1.5만원을 보내기", "15000", "KRW", "1.5만원"},
	{"ru-RU", "Оплатить 12 000 ₽", "12000", "RUB", "12 000 ₽"},
	{"ru-RU", "12 000 руб.", "12000", "RUB", "12 000 руб."},
	{"ru-RU", "2,5 млн ₽", "2500000", "RUB", "2,5 млн ₽"},
	{"ru-RU", "100 ₽ 2 шт.", "100", "RUB", "100 ₽"},
	{"uk-UA", "250,50 грн", "250.50", "UAH", "250,50 грн"},
	{"uk-UA", "₴250", "250", "UAH", "₴250"},
	{"bg-BG", "24,10 лв.", "24.10", "BGN", "24,10 лв."},
	{"sr-RS", "1.200,00 дин.", "1200.00", "RSD", "1.200,00 дин."},
	{"kk-KZ", "5 000 ₸", "5000", "KZT", "5 000 ₸"},
	{"nb-NO", "kr 1 234,50", "1234.50", "kr", "kr 1 234,50"},
	{"sv-SE", "1 234,50 kr", "1234.50", "kr", "1 234,50 kr"},
	{"sv-SE", "99:- kr", "99", "kr", "99:- kr"},
	{"da-DK", "Betal 1.234,50 kr.", "1234.50", "kr", "1.234,50 kr."},
	{"is-IS", "1.234 KR", "1234", "kr", "1.234 KR"},
	{"pl-PL", "Zapłać 24,10 zł", "24.10", "PLN", "24,10 zł"},
	{"pl-PL", "ZAPŁAĆ 24,10 ZŁ", "24.10", "PLN", "24,10 ZŁ"},
	{"cs-CZ", "1 299 Kč", "1299", "CZK", "1 299 Kč"},
	{"cs-CZ", "100,- Kč", "100", "CZK", "100,- Kč"},
	{"hu-HU", "12 990 Ft", "12990", "HUF", "12 990 Ft"},
	{"ro-RO", "24,10 lei", "24.10", "RON", "24,10 lei"},
	{"tr-TR", "₺24,10 öde", "24.10", "TRY", "₺24,10"},
	{"tr-TR", "1.250,00 TL", "1250.00", "TRY", "1.250,00 TL"},
	{"tr-TR", "TRY 1.250,00", "1250.00", "TRY", "TRY 1.250,00"},
	{"ar-SA", "ر.س ١٢٣٫٤٥", "123.45", "SAR", "ر.س ١٢٣٫٤٥"},
	{"ar-SA", "\u200f١٬٢٣٤٫٥٠ ر.س.\u200f", "1234.50", "SAR", "١٬٢٣٤٫٥٠ ر.س."},
	{"ar-AE", "ادفع 250 د.إ", "250", "AED", "250 د.إ"},
	{"ar-KW", "12.500 د.ك", "12.500", "KWD", "12.500 د.ك"},
	{"ar-EG", "١٥٠ جنيه", "150", "EGP", "١٥٠ جنيه"},
	{"fa-IR", "۱۲٬۰۰۰ تومان", "12000", "تومان", "۱۲٬۰۰۰ تومان"},
	{"fa-IR", "۵۰ هزار تومان", "50000", "تومان", "۵۰ هزار تومان"},
	{"fa-IR", "120,000 ریال", "120000", "IRR", "120,000 ریال"},
	{"he-IL", "₪24.10", "24.10", "ILS", "₪24.10"},
	{"he-IL", "24.10\u00a0\u200f₪", "24.10", "ILS", "24.10\u00a0\u200f₪"},
	{"he-IL", "100 ש״ח", "100", "ILS", "100 ש״ח"},
	{"th-TH", "ชำระ ฿1,250.00", "1250.00", "THB", "฿1,250.00"},
	{"th-TH", "ชำระเงิน100บาทเลย", "100", "THB", "100บาท"},
	{"vi-VN", "₫ 100.000", "100000", "VND", "₫ 100.000"},
	{"vi-VN", "Trả 100.000đ", "100000", "VND", "100.000đ"},
	{"vi-VN", "1,5 triệu đồng", "1500000", "VND", "1,5 triệu đồng"},
	{"id-ID", "Bayar Rp 25.000", "25000", "IDR", "Rp 25.000"},
	{"id-ID", "Rp25.000,00", "25000.00", "IDR", "Rp25.000,00"},
	{"id-ID", "Rp25rb", "25000", "IDR", "Rp25rb"},
	{"id-ID", "Rp 1,5 juta", "1500000", "IDR", "Rp 1,5 juta"},
	{"ka-GE", "24,10 ₾", "24.10", "GEL", "24,10 ₾"},
	{"km-KH", "៛ 4000", "4000", "KHR", "៛ 4000"},
	{"und", "0.005 BTC", "0.005", "BTC", "0.005 BTC"},
	{"und", "1.234 BTC", "1.234", "BTC", "1.234 BTC"},
	{"und", "Swap 2 ETH", "2", "ETH", "2 ETH"},
	{"und", "5,000 sats", "5000", "sats", "5,000 sats"},
	{"und", "120 sat", "120", "sats", "120 sat"},

	// Several sums, and numbers that are none beside one that is.
	{"en-US", "Items $20.00, shipping $4.10, total $24.10", "24.10", "$", "$24.10"},
	{"en-US", "$24.10 (you save $5)", "24.10", "$", "$24.10"},
	{"en-US", "$9.99 vs $10", "10", "$", "$10"},
	{"en-US", "10 USD = 9 EUR", "10", "USD", "10 USD"},
	{"en-US", "USD 12 EUR 13", "12", "USD", "USD 12"},
	{"en-US", "12 USD 13 EUR", "12", "USD", "12 USD"},
	{"en-US", "2 $5 coupons", "5", "$", "$5"},
	{"de-DE", "Anzahl 2 € 5,00", "5.00", "EUR", "€ 5,00"},
	{"de-DE", "5€ 10 Stück", "5", "EUR", "5€"},
	{"en-US", "Visa •••• 1234 € 500", "500", "EUR", "€ 500"},
	{"ru-RU", "12.05.2024 150 ₽", "150", "RUB", "150 ₽"},
	{"ru-RU", "10:30 150 ₽", "150", "RUB", "150 ₽"},
	{"ru-RU", "Visa 1234 500 ₽", "500", "RUB", "500 ₽"},
	{"en-US", "TOP 10 €", "10", "EUR", "10 €"},
	{"en-US", "GET $5 ALL DAY", "5", "$", "$5"},
	{"en-US", "Get 20% off $50", "50", "$", "$50"},
	{"en-US", "Upgrade to 4K for $3", "3", "$", "$3"},
}

func TestAmountIn(t *testing.T) {
	ran, locales := 0, map[string]bool{}
	for _, c := range amountCases {
		a, start, end, ok := amountIn(c.text)
		want := risk.Amount{Value: c.value, Currency: c.currency}
		if !ok || a != want {
			t.Errorf("%s: amountIn(%q) = %+v, %v; want %+v", c.locale, c.text, a, ok, want)
		} else if got := string([]rune(c.text)[start:end]); got != c.span {
			t.Errorf("%s: amountIn(%q) spans %q, want %q", c.locale, c.text, got, c.span)
		}
		if !moneyIn(c.text) {
			t.Errorf("%s: moneyIn(%q) = false", c.locale, c.text)
		}
		ran++
		locales[c.locale] = true
	}
	if ran < 135 || len(locales) < 45 {
		t.Fatalf("ran %d cases in %d locales, want at least 135 in 45", ran, len(locales))
	}
	t.Logf("%d cases in %d locales", ran, len(locales))
}

func TestNoAmount(t *testing.T) {
	ran := 0
	for _, text := range []string{
		"", "Send", "100", "1,299.00", "Pay", "$", "Amount ($)", "€/month", "Rs.", "USD", "$$",
		"50%", "$5%", "10 %", "12.05.2024", "2024-11-30", "11/30/2026", "10:30", "10:30:15", "1/2 €",
		"+1 (555) 123-4567", "555 123 4567", "v1.2.3", "$1.2.3", "192.168.0.1 €", "4K", "4K HDR", "MP3 kr",
		"•••• 1234", "•••• 1234 €", "**** 1234 €", "#12 kr", "№ 12 ₽", "iPhone 15", "R18", "R2D2", "Rated R 17", "Q10", "Q 4",
		"TOP 10", "TRY 7 DAYS FREE", "ALL 5", "CVE 2024", "SOS 112", "PHP 8.3", "AMD 5800", "Fr 12", "Nov 12 SAT", "SAT 12",
		"6 ft", "5 KM", "12 km", "100 krona", "ukr 100", "3 removed", "12 reasons", "Room 12 EURO2024",
		"1,2,3 €", "12.345,67.89 €", "1.23.456 €", "12 items", "5 stars", "200 OK", "1234567890123456 €", "0.1234567890123456789 BTC",
		"1万3000円", "$5L", "1 ден", "24 sat", "5 din", "%1$s calls", "%2$d €", "KR +82", "1万人", "10 万", "Price\n€", "5\n€", "¤ 5", "三百元", "v2 €", "𝟓", "\xff$\xff5\xff",
	} {
		if a, start, end, ok := amountIn(text); ok {
			t.Errorf("amountIn(%q) = %+v at %d:%d, want none", text, a, start, end)
		}
		if moneyIn(text) {
			t.Errorf("moneyIn(%q) = true", text)
		}
		ran++
	}
	if ran < 75 {
		t.Fatalf("ran %d cases, want at least 75", ran)
	}
}

// What stands behind the bound is not looked at, and a number on the bound is
// not cut in two.
func TestAmountIsBounded(t *testing.T) {
	if _, _, _, ok := amountIn(strings.Repeat("я", maxAmountRunes) + " 12 €"); ok {
		t.Error("an amount behind the bound was read")
	}
	if a, _, _, ok := amountIn(strings.Repeat(" ", maxAmountRunes-3) + "$12345"); ok {
		t.Errorf("a number on the bound was read as %+v", a)
	}
	a, start, end, ok := amountIn(strings.Repeat("я", maxAmountRunes-10) + " 12 € " + strings.Repeat("z", 100))
	if !ok || a != (risk.Amount{Value: "12", Currency: "EUR"}) || start != maxAmountRunes-9 || end != start+4 {
		t.Errorf("before the bound: %+v, %d, %d, %v", a, start, end, ok)
	}
}

// Unicode's table of digits must be runs of ten, or digitValue would lie.
func TestDigitValue(t *testing.T) {
	ran := 0
	for _, zero := range []rune{'0', '٠', '۰', '०', '০', '๐', '໐', '០', '၀', '߀', '０', '𝟎', '𝟬', '🯰'} {
		for d := range 10 {
			if got := digitValue(zero + rune(d)); got != d || !isDigit(zero+rune(d)) {
				t.Errorf("digitValue(%U) = %d, want %d", zero+rune(d), got, d)
			}
			ran++
		}
	}
	if ran != 140 {
		t.Fatalf("ran %d cases, want 140", ran)
	}
	for _, run := range unicode.Nd.R16 {
		if (run.Hi-run.Lo+1)%10 != 0 || run.Stride != 1 {
			t.Errorf("digits %U to %U are not runs of ten", run.Lo, run.Hi)
		}
	}
	for _, run := range unicode.Nd.R32 {
		if (run.Hi-run.Lo+1)%10 != 0 || run.Stride != 1 {
			t.Errorf("digits %U to %U are not runs of ten", run.Lo, run.Hi)
		}
	}
}

// isDigit takes short cuts; it must still agree with Unicode.
func TestIsDigit(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if isDigit(r) != unicode.Is(unicode.Nd, r) {
			t.Fatalf("isDigit(%U) = %v", r, isDigit(r))
		}
	}
}

// A sum that is written in some locale's way is read back as it was.
func TestAmountRoundTrip(t *testing.T) {
	type style struct {
		group, point string
		indian       bool
		layout       string // N is the number
		code         string
	}
	styles := []style{
		{",", ".", false, "$N", "$"}, {",", ".", false, "USD N", "USD"}, {".", ",", false, "N €", "EUR"},
		{"\u202f", ",", false, "N\u00a0€", "EUR"}, {" ", ",", false, "N kr", "kr"}, {"’", ".", false, "CHF N", "CHF"},
		{",", ".", true, "₹N", "INR"}, {".", ",", false, "R$ N", "BRL"}, {"٬", "٫", false, "N ر.س", "SAR"},
		{" ", ",", false, "N руб.", "RUB"}, {",", ".", false, "合計N円", "JPY"}, {"", ",", false, "N zł", "PLN"},
	}
	zeros := []rune{'0', '٠', '۰', '०', '๐', '０'}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(styles).Draw(t, "style")
		whole := rapid.StringMatching(`0|[1-9][0-9]{0,11}`).Draw(t, "whole")
		cents := rapid.StringMatching(`[0-9]{2}`).Draw(t, "cents")
		zero := rapid.SampledFrom(zeros).Draw(t, "zero")
		around := rapid.SampledFrom([]string{"", " ", ". ", "! "}).Draw(t, "around")

		number := strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return zero + r - '0'
			}
			return r
		}, group(whole, s.group, s.indian)+s.point+cents)
		text := around + strings.Replace(s.layout, "N", number, 1) + around
		a, _, _, ok := amountIn(text)
		if want := (risk.Amount{Value: whole + "." + cents, Currency: s.code}); !ok || a != want {
			t.Fatalf("amountIn(%q) = %+v, %v; want %+v", text, a, ok, want)
		}
	})
}

// group writes separators into a whole number.
func group(digits, separator string, indian bool) string {
	var out string
	for size := 3; len(digits) > size; {
		out = separator + digits[len(digits)-size:] + out
		digits = digits[:len(digits)-size]
		if indian {
			size = 2
		}
	}
	return digits + out
}

var plainDecimal = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func FuzzAmount(f *testing.F) {
	for _, c := range amountCases {
		f.Add(c.text)
	}
	f.Add("\u202e$\u0661\u066b5")
	f.Add("1 1 1 $1$1$1€€€1’000’00")
	f.Fuzz(func(t *testing.T, text string) {
		a, start, end, ok := amountIn(text)
		if ok != moneyIn(text) {
			t.Fatalf("amountIn(%q) says %v, moneyIn the opposite", text, ok)
		}
		if !ok {
			return
		}
		runes := utf8.RuneCountInString(text)
		if start < 0 || start >= end || end > min(runes, maxAmountRunes) {
			t.Fatalf("amountIn(%q): span %d:%d of %d runes", text, start, end, runes)
		}
		if !plainDecimal.MatchString(a.Value) || a.Currency == "" {
			t.Fatalf("amountIn(%q) = %+v", text, a)
		}
		// The digits of the value, but for the zeros of a multiplier and those
		// in front, stand in the span, in order.
		span := []rune(text)[start:end]
		value := strings.TrimRight(strings.TrimLeft(strings.ReplaceAll(a.Value, ".", ""), "0"), "0")
		for _, r := range span {
			if value != "" && isDigit(r) && digitValue(r) == int(value[0]-'0') {
				value = value[1:]
			}
		}
		if value != "" {
			t.Fatalf("amountIn(%q) = %+v: not the digits of %q", text, a, string(span))
		}
	})
}

func BenchmarkMoneyIn(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"word", "Send"}, {"cyrillic", "Отправить сообщение"}, {"number", "Episode 12 of 24"}, {"price", "Pay €24.10"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				moneyIn(c.text)
			}
		})
	}
}

func BenchmarkAmountIn(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"price", "Pay 1.299,00 €"}, {"hostile", strings.Repeat("1 € ", maxAmountRunes/4)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				amountIn(c.text)
			}
		})
	}
}

func TestMoneyInDoesNotAllocate(t *testing.T) {
	for _, text := range []string{"Send", "Episode 12 of 24", "Pay €24.10", "شراء ١٢٣٫٤٥ ر.س"} {
		if n := testing.AllocsPerRun(100, func() { moneyIn(text) }); n != 0 {
			t.Errorf("moneyIn(%q) allocates %v times", text, n)
		}
	}
}
