package lexicon

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// The Mongolian word for charging is of a battery as well: alone it pays nothing,
// with an account, a card or a balance it does.
func TestChargingIsMoneyOnlyWithAnAccount(t *testing.T) {
	table := []struct {
		label string
		want  bool
	}{
		{"Данс цэнэглэх", true}, {"Дансаа цэнэглэх", true}, {"Нэгж цэнэглэх", true}, {"Үлдэгдэл цэнэглэх", true}, {"Түрийвч цэнэглэх", true}, {"Карт цэнэглэх", true},
		{"Цэнэглэх", false}, {"Батарей цэнэглэх", false}, {"Хурдан цэнэглэх", false}, {"Утасгүй цэнэглэх", false},
	}
	for _, row := range table {
		for _, language := range []string{"mn", ""} {
			if got := Default().Read(Query{Text: row.label, Language: language, Role: risk.Button, Certainty: TermsOnly}); (got.Category == risk.Money) != row.want {
				t.Errorf("%q (claimed %q) is %v, money is %t", row.label, language, got.Category, row.want)
			}
		}
	}
	if len(table) != 10 {
		t.Fatal("rows lost")
	}
}

// Capitals of letters that only look Latin fold to the letter that they look like.
func TestCapitalsOfLookalikesFold(t *testing.T) {
	for from, to := range map[string]string{"\u2c6d": "a", "\ua7ac": "g", "\ua7ae": "i", "P\u2c6dY": "pay", "S\ua7ae\ua7acN": "sign"} {
		if got := string(Fold(nil, from)); got != to {
			t.Errorf("%q folds to %q, want %q", from, got, to)
		}
	}
}
