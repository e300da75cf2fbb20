package lexicon

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// TestFieldReports are inputs made up after public reports by people who run
// phone agents and keyword filters; each shows a kind of fault. A case of a
// language whose term file is not part of the build yet is counted apart.
func TestFieldReports(t *testing.T) {
	text, desc, id := risk.SignalText, risk.SignalDescription, risk.SignalResourceID
	cases := []struct {
		report   string
		language string // needed, and claimed unless unclaimed
		signal   risk.Signal
		text     string
		want     risk.Category
		start    int // span of the first hit in runes, where the report states it
		end      int
	}{
		// Whole words must be words of Unicode letters, not of ASCII ones.
		{"L01", "ru", text, "Оплатить", risk.Money, 0, 8},
		{"L01", "tr", text, "Öde", risk.Money, 0, 3},
		{"L01", "tr", text, "Ödev listesi", risk.None, 0, 0},
		{"L01", "tr", text, "Müsil ilaçları", risk.None, 0, 0},
		// All of what cannot be seen is dropped, not a list of some.
		{"L03", "en", text, "Trans\u00adfer now", risk.Money, 0, 13},
		{"L03", "en", text, "De\u2066le\u2069te", risk.Delete, 0, 8},
		{"L03", "en", text, "P\u115fay", risk.Money, 0, 4},
		{"L03", "en", text, "S\u034fend", risk.Message, 0, 5},
		// Persian joined, split and with the non-joiner.
		{"L05", "fa", text, "پاک\u200cکردن", risk.Delete, 0, 8},
		{"L05", "fa", text, "پاک کردن", risk.Delete, 0, 8},
		{"L05", "fa", text, "حذف پیام\u200cها", risk.Delete, 0, 3},
		// Composed and decomposed.
		{"L07", "vi", text, "Xo\u0301a tin nhă\u0301n", risk.Delete, 0, 4},
		{"L07", "de", text, "Lo\u0308schen", risk.Delete, 0, 8},
		{"L07", "ko", text, "\u1109\u1161\u11a8\u110c\u1166", risk.Delete, 0, 5},
		// Harmless words that hold a risky one, or are one in another language.
		{"L09", "en", text, "Display settings", risk.None, 0, 0},
		{"L09", "en", text, "Replay", risk.None, 0, 0},
		{"L09", "en", text, "Payload size", risk.None, 0, 0},
		{"L09", "en", text, "Undelete", risk.None, 0, 0},
		{"L09", "en", text, "Sender name", risk.None, 0, 0},
		{"L09", "en", text, "Shopping list", risk.None, 0, 0},
		{"L09", "es", text, "Apagar pantalla", risk.None, 0, 0},
		{"L09", "pt", text, "Apagar conta", risk.Account, 0, 0},
		{"L09", "pt", text, "Apagar", risk.Delete, 0, 6},
		{"L09", "de", text, "Einkaufsliste", risk.None, 0, 0},
		// Spans are of the original, whatever grows or shrinks in the copy.
		{"L11", "en", text, "\u0130\u0130 Delete account", risk.Account, 3, 9},
		{"L11", "en", text, "\u023a\u023a Delete account", risk.Account, 3, 9},
		{"L11", "de", text, "\u212aaufen", risk.Money, 0, 6},
		// Icons have only an id.
		{"U11", "en", id, "com.example.mail:id/btn_send", risk.Message, 24, 28},
		{"U11", "en", id, "com.example.gallery:id/ic_trash", risk.Delete, 26, 31},
		{"U11", "en", text, "Buy now", risk.Money, 0, 7},
		// Names are split at case, underscore and dash, with or without a package.
		{"U13", "en", desc, "confirmTransferBtn", risk.Money, 7, 15},
		{"U13", "en", id, "pay_button", risk.Money, 0, 3},
		{"U13", "en", desc, "displayNameField", risk.None, 0, 0},
		{"U13", "en", id, "paypal-logo", risk.None, 0, 0},
		// And the labels of other reports.
		{"E01", "en", text, "Place order", risk.Money, 0, 11},
		{"E01", "en", text, "Size guide", risk.None, 0, 0},
		{"E05", "en", text, "Transfer", risk.Money, 0, 8},
		{"E05", "en", text, "Next page", risk.None, 0, 0},
		{"E07", "en", text, "Delete chat", risk.Delete, 0, 6},
		{"U05", "en", desc, "Pay deposit", risk.Money, 0, 0},
		{"U05", "en", text, "Shop address", risk.None, 0, 0},
		{"U19", "en", text, "Confirm payment", risk.Money, 8, 15},
		{"X03", "en", text, "Save\u001b[2K\rCancel", risk.None, 0, 0},
	}
	ran, missing := 0, 0
	for _, c := range cases {
		l := Default()
		if l.languagesOf(c.language).empty() {
			missing++
			continue
		}
		claims := []string{c.language, ""}
		if c.want == risk.None {
			claims = claims[:1] // a word of another language counts where none is claimed
		}
		for _, claimed := range claims {
			got := l.Read(Query{Text: c.text, Signal: c.signal, Language: claimed})
			if got.Category == risk.Affirmative || got.Category == risk.Dismissal {
				got.Category = risk.None
			}
			if got.Category != c.want {
				t.Errorf("%s: Read(%q, language %q) = %s (%s, hit %q), want %s", c.report, c.text, claimed, got.Category, got.Form, got.Hits[0].Term, c.want)
				continue
			}
			if c.end > 0 && (got.Hits[0].Start != c.start || got.Hits[0].End != c.end) {
				t.Errorf("%s: Read(%q) hit runes %d-%d, want %d-%d", c.report, c.text, got.Hits[0].Start, got.Hits[0].End, c.start, c.end)
			}
		}
		ran++
	}
	if ran+missing != len(cases) || ran < 28 {
		t.Errorf("%d cases ran", ran)
	}
	if missing > 0 {
		t.Logf("%d cases wait for the term file of their language", missing)
	}
}
