package answer

import (
	"maps"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

func TestParseTypeAbove(t *testing.T) {
	tests := []struct {
		text string
		want map[string]string // nil where it is refused
	}{
		{"", map[string]string{}},
		{"100", map[string]string{"*": "100"}},
		{"99.50", map[string]string{"*": "99.50"}},
		{"EUR=100,jpy=15000", map[string]string{"EUR": "100", "JPY": "15000"}},
		{" EUR = 100 , *=50 ", map[string]string{"EUR": "100", "*": "50"}},
		{"0", map[string]string{"*": "0"}},
		{"-1", nil},
		{"1e9", nil},
		{"1/3", nil},
		{"1,000", nil},
		{"1.000,00", nil},
		{"EUR=", nil},
		{"=5", nil},
		{"EURO=5", nil},
		{"€=5", nil},
		{"EUR=1,EUR=2", nil},
		{"100,200", nil},
		{"ten", nil},
		{"+5", nil},
		{"0x10", nil},
		{"1.", nil},
	}
	for _, tt := range tests {
		got, err := ParseTypeAbove(tt.text)
		if (err == nil) != (tt.want != nil) || err == nil && !maps.Equal(got, tt.want) {
			t.Errorf("%q: %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
	if len(tests) != 21 {
		t.Errorf("%d cases, want 21", len(tests))
	}
}

func cardOver(value, currency string) *approval.Card {
	return &approval.Card{App: "PayPal - Send, Shop, Manage", Package: "com.paypal.android.p2pmobile", Facts: risk.Facts{Amount: &risk.Amount{Value: value, Currency: currency}}}
}

// TestToType: above the limit of its currency an amount is typed; where it cannot
// be told how much it is, too.
func TestToType(t *testing.T) {
	euro, all := map[string]string{"EUR": "100"}, map[string]string{"*": "100"}
	tests := []struct {
		name   string
		limits map[string]string
		card   *approval.Card
		want   bool
	}{
		{"no limits", nil, cardOver("5000", "EUR"), false},
		{"no amount", all, &approval.Card{}, false},
		{"below", all, cardOver("99.99", "EUR"), false},
		{"the limit itself", all, cardOver("100.00", "EUR"), false},
		{"a cent above", all, cardOver("100.01", "EUR"), true},
		{"far above", all, cardOver("123456789012345678901234567890", "EUR"), true},
		{"its currency, below", euro, cardOver("50", "EUR"), false},
		{"its currency, above", euro, cardOver("101", "eur"), true},
		{"a currency that is not named", euro, cardOver("1", "USD"), true},
		{"no currency", euro, cardOver("1", ""), true},
		{"the one for all others", map[string]string{"EUR": "100", "*": "5"}, cardOver("6", "USD"), true},
		{"and its own before it", map[string]string{"EUR": "100", "*": "5"}, cardOver("6", "EUR"), false},
		{"a value that is no number", all, cardOver("lots", "EUR"), true},
		{"a value with an exponent", all, cardOver("1e-999999999", "EUR"), true},
		{"a negative one", all, cardOver("-5", "EUR"), true},
		{"an empty one", all, cardOver("", "EUR"), true},
	}
	for _, tt := range tests {
		o := Options{TypeAbove: tt.limits}
		if got := o.toType(tt.card); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if what := o.whatToType(tt.card); (what != "") != tt.want {
			t.Errorf("%s: the card asks for %q", tt.name, what)
		}
	}
	if len(tests) != 16 {
		t.Errorf("%d cases, want 16", len(tests))
	}
}

func TestTypedRight(t *testing.T) {
	card := cardOver("1249.00", "EUR")
	for typed, want := range map[string]bool{
		"1249.00": true, "1249": true, "1249,00": true, " 1249.00 ": true, "1249.00 EUR": true, "eur 1249": true, "1249.000": true,
		"PayPal": true, "paypal": true, "  Paypal ": true,
		"": false, " ": false, "yes": false, "1249.01": false, "124900": false, "1,249.00": false, "12490": false, "1249.00 USD": false,
		"EUR": false, "Pay Pal": false, "com.paypal.android.p2pmobile": false, "PayPal - Send": false, "1249.00 or PayPal": false, "1e3": false, "2498/2": false,
	} {
		if got := typedRight(card, typed); got != want {
			t.Errorf("%q: %v, want %v", typed, got, want)
		}
	}
	noName := &approval.Card{Package: "org.example.shop", Facts: card.Facts}
	if !typedRight(noName, "org.example.shop") || typedRight(&approval.Card{Facts: card.Facts}, "") || typedRight(&approval.Card{App: "PayPal"}, "PayPal") {
		t.Error("an app without a name is its package; without an amount nothing is right")
	}
}

// FuzzTyped: what is typed is right only where its digits are those of the
// amount, or it is the app's name.
func FuzzTyped(f *testing.F) {
	for _, s := range []string{"1249.00", "1249", "EUR 1249", "paypal", "", "1e9", "\x00", "1249.00EUREUR", "٣"} {
		f.Add(s)
	}
	card := cardOver("1249.00", "EUR")
	f.Fuzz(func(t *testing.T, typed string) {
		if !typedRight(card, typed) {
			return
		}
		digits := ""
		for _, r := range typed {
			if r >= '0' && r <= '9' {
				digits += string(r)
			}
		}
		for len(digits) > 4 && digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
		for len(digits) > 4 && digits[0] == '0' {
			digits = digits[1:]
		}
		if digits != "1249" && digits != "" {
			t.Errorf("%q counts as the amount", typed)
		}
	})
}
