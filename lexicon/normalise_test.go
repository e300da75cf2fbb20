package lexicon

import (
	"bytes"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/risk"
)

func TestFold(t *testing.T) {
	cases := []struct{ text, want string }{
		{"Send", "send"},
		{"  Two \t\n words  ", "two words"},
		{"Sign-out", "sign out"},
		{"a - b", "a - b"},
		// What is not seen.
		{"Trans\u00adfer", "transfer"},
		{"S\u034fend", "send"},
		{"P\u115fay", "pay"},
		{"De\u2066le\u2069te", "delete"},
		{"De\u200b\u200c\u200d\u2060\ufefflete", "delete"},
		{"Pay\U000E0041\U000E007F", "pay"},
		{"De\x00le\x1bte", "delete"},
		{"Pa\u3164y", "pay"},
		{"Pa\uffa0y", "pay"},
		{"🗑\ufe0f", "🗑"},
		// Spaces of all kinds.
		{"Log\u00a0out", "log out"},
		{"Log\u3000\u2003out", "log out"},
		{"Log\u2800out", "log out"},
		{"Log\u2028out", "log out"},
		// Compatibility forms.
		{"ＢＵＹ", "buy"},
		{"𝐏𝐚𝐲", "pay"},
		{"Ⓢⓔⓝⓓ", "send"},
		{"ᴾᵃʸ", "pay"},
		{"ﬁnd", "find"},
		{"送信！", "送信!"},
		{"ｿｳｼﾝ", "ソウシン"},
		{"ꜱᴇɴᴅ", "send"},
		{"🅿🅰🆈", "pay"},
		{"🅟🅐🅨", "pay"},
		{"🇵🇦🇾", "pay"},
		{"🇩🇪", "🇩🇪"},
		{"PayPal™", "paypal"},
		// Accents and strokes: kept where they spell a word, dropped where they cannot.
		{"payé", "payé"},
		{"Lo\u0308schen", "löschen"},
		{"Lo\u200d\u0308schen", "löschen"},
		{"D\u0336e\u0336l\u0336e\u0336t\u0336e\u0336", "delete"},
		{"p\u0301a\u0335y", "ṕay"},
		// Case, and one letter i.
		{"STRASSE", "strasse"},
		{"straße", "strasse"},
		{"GROẞ", "gross"},
		{"SİL", "sil"},
		{"KALDIR", "kaldir"},
		{"kaldır", "kaldir"},
		{"i\u0307ptal", "iptal"},
		{"\u212aaufen", "kaufen"},
		{"ΔΙΑΓΡΑΦΗ", "διαγραφη"},
		{"ᏣᎳᎩ", "ᏣᎳᎩ"},
		{"ꮳꮃꭹ ᏼ", "ᏣᎳᎩ Ᏼ"},
		{"Διαγραφή", "διαγραφη"},
		{"ΑΠΟΣΤΟΛΗΣ", "αποστολησ"},
		{"αποστολής", "αποστολησ"},
		// Spellings.
		{"Şterge", "șterge"},
		{"Xoá", "xóa"},
		{"Xo\u0301a", "xóa"},
		{"XÓA", "xóa"},
		{"quý", "qúy"},
		{"Всё", "все"},
		{"إرسال", "ارسال"},
		{"حـــذف", "حذف"},
		{"حَذْف", "حذف"},
		{"پاک\u200cکردن", "پاككردن"},
		{"שְׁלִיחָה", "שליחה"},
		{"हटाएँ", "हटाएं"},
		{"١٢٣ ۴۵ ५", "123 45 5"},
		{"\u1109\u1161\u11a8\u110c\u1166", "삭제"},
		{"Don’t", "don't"},
		{"Don´t", "don't"},
		{"Wi‑Fi", "wi fi"},
		// Look-alike letters in a word of mixed scripts.
		{"Dеlete", "delete"},
		{"Ρay", "pay"},
		{"Pɑy", "pay"},
		{"Sеnd mоney", "send money"},
		{"ᎪᏞᏞow", "allow"},
		{"ꓓelete", "delete"},
		{"delетe", "delete"},
		{"Удaлить", "удалить"},
		{"Oтправить", "отправить"},
		{"Διαγραφh", "διαγραφh"},
		{"Διαγρaφή", "διαγραφη"},
		// One script stays itself.
		{"ОК", "ок"},
		{"Сброс", "сброс"},
		{"рост", "рост"},
		{"Купить USB", "купить usb"},
		{"지금Pay하기", "지금pay하기"},
		// Lettering.
		{"D e l e t e", "delete"},
		{"D.e.l.e.t.e", "delete"},
		{"P A Y", "pay"},
		{"P  a  y", "p a y"},
		{"B u y   n o w", "buy now"},
		{"买 入", "买入"},
		{"삭 제", "삭제"},
		{"d e l e t e account", "delete account"},
		{"Д а л е е", "далее"},
		{"a b", "ab"},
		{"I am a man", "i am a man"},
		{"Plan A B", "plan a b"},
		{"1 2 3", "1 2 3"},
		{"", ""},
		{"\u200b", ""},
		{"\xff\xfe", "\ufffd\ufffd"},
	}
	ran := 0
	for _, c := range cases {
		if got := string(Fold(nil, c.text)); got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.text, got, c.want)
		}
		ran++
	}
	if ran != 99 {
		t.Errorf("%d cases ran; the table has been cut or grown, say so here", ran)
	}
}

// Every way to disguise a word gives the same reading as the plain word, and
// the evidence is the disguised word as it stands.
func TestEvasion(t *testing.T) {
	cases := []struct {
		kind, text string
		category   risk.Category
		match      string
	}{
		{"soft hyphen", "Trans\u00adfer now", risk.Money, "Trans\u00adfer now"},
		{"bidi isolates", "De\u2066le\u2069te", risk.Delete, "De\u2066le\u2069te"},
		{"Hangul filler", "P\u115fay", risk.Money, "P\u115fay"},
		{"grapheme joiner", "S\u034fend", risk.Message, "S\u034fend"},
		{"zero width", "D\u200belete chat", risk.Delete, "D\u200belete"},
		{"leading direction mark", "\u200fDelete", risk.Delete, "Delete"},
		{"tag characters", "Pay\U000E0020\U000E007F now", risk.Money, "Pay\U000E0020\U000E007F now"},
		{"control characters", "De\x07lete", risk.Delete, "De\x07lete"},
		{"full width", "ＢＵＹ", risk.Money, "ＢＵＹ"},
		{"mathematical", "𝓟𝓪𝔂", risk.Money, "𝓟𝓪𝔂"},
		{"circled", "Ⓢⓔⓝⓓ", risk.Message, "Ⓢⓔⓝⓓ"},
		{"small capitals", "ꜱᴇɴᴅ", risk.Message, "ꜱᴇɴᴅ"},
		{"boxed", "🅿🅰🆈", risk.Money, "🅿🅰🆈"},
		{"flag letters", "🇵🇦🇾 now", risk.Money, "🇵🇦🇾 now"},
		{"superscript", "ᴾᵃʸ", risk.Money, "ᴾᵃʸ"},
		{"strike-through", "D\u0336e\u0336l\u0336e\u0336t\u0336e\u0336", risk.Delete, "D\u0336e\u0336l\u0336e\u0336t\u0336e\u0336"},
		{"Cyrillic letter", "Dеlete chat", risk.Delete, "Dеlete"},
		{"Greek letter", "Ρay", risk.Money, "Ρay"},
		{"Cherokee letters", "ᎪᏞᏞow", risk.Permission, "ᎪᏞᏞow"},
		{"phonetic letter", "Pɑy", risk.Money, "Pɑy"},
		{"Cyrillic only", "рау", risk.Money, "рау"},
		{"Kelvin sign", "Bloc\u212a user", risk.BlockReport, "Bloc\u212a user"},
		{"spaced out", "D e l e t e", risk.Delete, "D e l e t e"},
		{"dotted", "P.a.y", risk.Money, "P.a.y"},
		{"wide spaces", "Log\u00a0\u3000out", risk.SignOut, "Log\u00a0\u3000out"},
		{"line break", "Delete\naccount", risk.Account, "Delete"},
		{"Turkish capital before", "\u0130\u0130 Delete account", risk.Account, "Delete"},
		{"letter that grows in lower case before", "\u023a\u023a Delete account", risk.Account, "Delete"},
		{"curly apostrophe", "Don’t wait, pay", risk.Money, "pay"},
		{"padding", "OK" + string(slices.Repeat([]rune{0xa0}, 300)) + "and delete all photos", risk.Delete, "delete all"},
		{"glued to another script", "지금Pay하기", risk.Money, "Pay"},
	}
	ran := 0
	for _, c := range cases {
		q := Query{Text: c.text, Role: risk.Button}
		got := Default().Read(q)
		if got.Category != c.category || got.N == 0 {
			t.Errorf("%s: Read(%q) = %s (%s), want %s", c.kind, c.text, got.Category, got.Form, c.category)
			continue
		}
		evidence := got.AppendEvidence(nil, risk.SignalText, c.text)
		if evidence[0].Match != c.match {
			t.Errorf("%s: Read(%q) matched %q, want %q", c.kind, c.text, evidence[0].Match, c.match)
		}
		runes := []rune(c.text)
		if e := evidence[0]; string(runes[e.Start:e.End]) != e.Match {
			t.Errorf("%s: span %d-%d is %q, match is %q", c.kind, e.Start, e.End, string(runes[e.Start:e.End]), e.Match)
		}
		ran++
	}
	if ran != len(cases) {
		t.Errorf("%d of %d cases ran", ran, len(cases))
	}
}

// A claimed language never drops a risky word that is the whole label.
func TestClaimedLanguageDoesNotLower(t *testing.T) {
	for _, text := range []string{"Pay", "Buy", "Send", "Delete", "Transfer", "Log out", "Allow"} {
		want := Default().Read(Query{Text: text})
		for _, language := range []string{"en", "de", "zh-Hans", "xx", "not a tag", "pt-BR"} {
			if got := Default().Read(Query{Text: text, Language: language}); !isRisky(want.Category) || got.Category.Weight() < want.Category.Weight() {
				t.Errorf("Read(%q, language %q) = %s, without one %s", text, language, got.Category, want.Category)
			}
		}
	}
}

func TestFoldReadsAtMostMaxText(t *testing.T) {
	long := slices.Repeat([]byte("ﷺ"), MaxText)
	if n := len(Fold(nil, string(long))); n > 40*MaxText {
		t.Errorf("%d bytes of copy", n)
	}
	cut := string(slices.Repeat([]byte("x"), MaxText-1)) + "é"
	if got := Fold(nil, cut); !utf8.Valid(got) {
		t.Error("a rune cut at the limit must not become invalid UTF-8")
	}
}

// Every letter is folded to a letter, and in all scripts that have case both cases
// to the same. Of Latin and Cyrillic the letters are left out that stand for
// another one, in one of their cases only.
func TestFoldOfEveryLetter(t *testing.T) {
	cased := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if f := foldRune(r); f != dropped && f != r && !unicode.In(f, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) {
			t.Errorf("%U becomes %U", r, f)
		}
		upper, lower := unicode.ToUpper(r), unicode.ToLower(r)
		if upper == lower || r == '\u0345' || unicode.Is(unicode.Latin, r) || r >= 0x1C80 && r <= 0x1C88 {
			continue
		}
		cased++
		want := Fold(nil, string(r))
		for _, other := range []rune{upper, lower} {
			if got := Fold(nil, string(other)); !bytes.Equal(got, want) {
				t.Errorf("%q folds to %q, %q to %q", r, want, other, got)
			}
		}
	}
	if cased < 1800 {
		t.Errorf("only %d letters with case", cased)
	}
}

// Putting in what cannot be seen changes neither copy nor meaning.
func TestIgnorablesChangeNothing(t *testing.T) {
	labels := rapid.SampledFrom([]string{"Send", "Delete chat", "Löschen", "Оплатить", "确认支付", "삭제", "Don't send", "Payment history", "OK"})
	rapid.Check(t, func(t *rapid.T) {
		label := labels.Draw(t, "label")
		runes := []rune(label)
		for range rapid.IntRange(1, 5).Draw(t, "count") {
			block := rapid.SampledFrom(ignorables).Draw(t, "block")
			hidden := rapid.RuneFrom(nil, &unicode.RangeTable{R32: []unicode.Range32{{Lo: uint32(block[0]), Hi: uint32(block[1]), Stride: 1}}}).Draw(t, "hidden")
			runes = slices.Insert(runes, rapid.IntRange(0, len(runes)).Draw(t, "at"), hidden)
		}
		disguised := string(runes)
		if got, want := string(Fold(nil, disguised)), string(Fold(nil, label)); got != want {
			t.Fatalf("Fold(%q) = %q, want %q", disguised, got, want)
		}
		got, want := Default().Read(Query{Text: disguised}), Default().Read(Query{Text: label})
		if got.Category != want.Category || got.Form != want.Form || got.Understood != want.Understood {
			t.Fatalf("Read(%q) = %s %s, Read(%q) = %s %s", disguised, got.Category, got.Form, label, want.Category, want.Form)
		}
	})
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"Send", "De\u2066le\u2069te", "Lo\u200d\u0308schen", "ﷺ", "D e l e t e", "straßeß", "🇵🇦🇾🇩🇪",
		"\u1109\u1161\u11a8", "oá uý", "Dеletе", "\xff\u0301", "é\u0301\u0323", "-a-b-", "Ǆ\u030c", "0ﷺ"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, latinised bool) {
		var c copyText
		c.set(s, latinised)
		if len(c.b) != len(c.from) || len(c.b) != len(c.to) {
			t.Fatalf("%d bytes, %d and %d spans", len(c.b), len(c.from), len(c.to))
		}
		if !utf8.Valid(c.b) {
			t.Fatalf("copy %q is not UTF-8", c.b)
		}
		runes := utf8.RuneCountInString(s)
		for i := range c.b {
			if c.from[i] >= c.to[i] || int(c.to[i]) > runes {
				t.Fatalf("byte %d of %q stands for runes %d-%d of %d", i, c.b, c.from[i], c.to[i], runes)
			}
			if i > 0 && (c.from[i] < c.from[i-1] || c.to[i] < c.to[i-1]) {
				t.Fatalf("the map goes back at byte %d of %q", i, c.b)
			}
		}
		if len(c.b) > 0 && (c.b[0] == ' ' || c.b[len(c.b)-1] == ' ') {
			t.Fatalf("copy %q is not trimmed", c.b)
		}
	})
}

func FuzzRead(f *testing.F) {
	for i, s := range []string{"Send", "Don't delete", "Pay now?", "Cancel subscription", "com.x:id/btn_send", "确认支付", "Удалить чат", "🗑", "a/b.c_d"} {
		f.Add(s, "en", uint8(i), uint8(i))
	}
	signals := []risk.Signal{risk.SignalText, risk.SignalDescription, risk.SignalResourceID, risk.SignalDialogTitle, risk.SignalDialogMessage, ""}
	f.Fuzz(func(t *testing.T, text, language string, signal, role uint8) {
		q := Query{Text: text, Language: language, Signal: signals[int(signal)%len(signals)], Role: risk.Role(role)}
		got := Default().Read(q)
		runes := []rune(text)
		if got.N < 0 || got.N > len(got.Hits) || got.Score < 0 || got.Score > 1 || got.Form >= formCount || got.Fit >= fitCount {
			t.Fatalf("Read(%+v) = %+v", q, got)
		}
		if isRisky(got.Category) && got.N == 0 {
			t.Fatalf("Read(%+v): risky without evidence", q)
		}
		for _, e := range got.AppendEvidence(nil, q.Signal, text) {
			if e.Start < 0 || e.Start >= e.End || e.End > len(runes) {
				t.Fatalf("Read(%+v): span %d-%d of %d runes", q, e.Start, e.End, len(runes))
			}
			if string([]rune(e.Match)) != string(runes[e.Start:e.End]) {
				t.Fatalf("Read(%+v): match %q is not the text at %d-%d", q, e.Match, e.Start, e.End)
			}
		}
		if again := Default().Read(q); again != got {
			t.Fatalf("Read(%+v) differs the second time: %+v, %+v", q, got, again)
		}
	})
}
