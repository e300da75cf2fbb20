package decide

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// A word that means to call and something else calls on a telephone and beside a
// number.
func TestWordsThatMayMeanToCall(t *testing.T) {
	const phoneApp = "com.android.dialer"
	button := func(label, id string) string {
		return element("ImageButton", pressable+`content-desc="`+label+`" resource-id="PKG:id/`+id+`"`, "[400,600][680,780]")
	}
	number := element("EditText", pressable+`hint="Numara" text="+90 555 01 00"`, "[0,400][1080,560]")
	words := element("EditText", pressable+`hint="Not" text="mavi bardak"`, "[0,400][1080,560]")
	table := []struct {
		name, pkg, tree string
		want            risk.Category
	}{
		{"Turkish, on a telephone", phoneApp, button("Ara", "fab"), risk.Call},
		{"Finnish, on a telephone", phoneApp, button("Soita", "fab"), risk.Call},
		{"beside a number", shop, number + button("Ara", "fab"), risk.Call},
		{"beside other words", shop, words + button("Ara", "fab"), risk.None},
		{"alone", shop, button("Ara", "fab"), risk.None},
		{"the search of a telephone", phoneApp, button("Ara", "menu_search"), risk.None},
		{"French, a letter", shop, button("Composer", "fab"), risk.None},
		{"more than the word, on a telephone", phoneApp, button("Aramalar", "fab"), risk.None},
	}
	d := newDecider(t, "default")
	for _, row := range table {
		dec := d.Decide(tapAt(row.pkg, display(row.pkg, row.tree), 540, 700))
		if dec.Category != row.want {
			t.Errorf("%s: %v, want %v: %s", row.name, dec.Category, row.want, dec.Reason())
		}
	}
	if len(table) != 8 {
		t.Fatal("rows lost")
	}
}

// What ENTER submits is in the reason, and a field that only shows what it is for
// names nobody.
func TestReasonsForWhatEnterSubmits(t *testing.T) {
	field := func(attributes string) string {
		return display(shop, element("EditText", pressable+`focused="true" `+attributes, "[0,400][1080,560]"))
	}
	enter := risk.Action{Kind: risk.PressKey, Key: "ENTER"}
	table := []struct{ name, tree, says, text string }{
		{"hint and text", field(`resource-id="PKG:id/message_edit" hint="Message" text="See you at six"`), "It submits “See you at six”. The field says “Message”.", "See you at six"},
		{"text alone", field(`resource-id="PKG:id/message_edit" text="See you at six"`), "It submits “See you at six”. The field is one that sends what is typed.", "See you at six"},
		{"nothing at all", field(`resource-id="PKG:id/message_edit"`), "The field is one that sends what is typed.", ""},
		{"a hint as the text", field(`resource-id="PKG:id/message_edit" hint="Message" text="Message"`), "The field says “Message”.", ""},
		{"a line of a form", field(`text="Two of them"`), "It submits “Two of them”. Enter submits a field of one line.", "Two of them"},
	}
	d := newDecider(t, "default")
	for _, row := range table {
		dec := d.Decide(&Request{Action: enter, Screen: &Screen{Package: shop, Tree: row.tree}})
		if reason := dec.Reason(); !strings.HasSuffix(reason, row.says) || strings.Contains(reason, "“”") || dec.Facts().Text != row.text {
			t.Errorf("%s: %q, text %q", row.name, reason, dec.Facts().Text)
		}
	}
	send := func(to, hint string) string {
		return display(shop, element("EditText", pressable+`resource-id="PKG:id/to" text="`+to+`" hint="`+hint+`"`, "[0,200][1080,300]"),
			element("EditText", pressable+`hint="Message" text="See you"`, "[0,400][800,560]"), element("Button", pressable+`text="Send"`, "[820,400][1080,560]"))
	}
	recipients := []struct{ text, hint, want string }{
		{"To", "", ""}, {"An:", "", ""}, {"À", "", ""}, {"宛先", "", ""}, {"Kime", "", ""}, {"Recipient", "Recipient", ""},
		{"Anna", "", "Anna"}, {"Tom", "To", "Tom"}, {"Andreas", "An", "Andreas"},
	}
	for _, row := range recipients {
		dec := d.Decide(tapAt(shop, send(row.text, row.hint), 950, 480))
		if got := dec.Facts().Recipient; got != row.want || dec.Category != risk.Message {
			t.Errorf("%q with the hint %q: recipient %q, want %q (%s)", row.text, row.hint, got, row.want, dec.Reason())
		}
	}
	if len(table) != 5 || len(recipients) != 9 {
		t.Fatal("rows lost")
	}
}
