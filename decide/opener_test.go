package decide

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// Acts that look like ways to a form, a composer or a chooser, each beside the
// harmless one that looks the same.
func TestOpenersThatAct(t *testing.T) {
	const (
		top, foot = "[900,100][1060,200]", "[0,2200][1080,2300]"
		tall      = "[0,300][1080,900]"
	)
	button := func(text, bounds string) string { return element("Button", pressable+`text="`+text+`"`, bounds) }
	field := func(attributes, bounds string) string { return element("EditText", pressable+attributes, bounds) }
	user := field(`text="anna" hint="User name"`, "[0,300][1080,400]")
	secret := field(`text="secret" password="true" hint="Password"`, "[0,450][1080,550]")
	caption := field(`text="" hint="Write a caption"`, tall)
	comment := field(`text="" hint="Add a comment"`, "[0,2200][880,2300]")
	tile := func(x, text string) string {
		return element("FrameLayout", pressable, x, element("ImageView", "", x), element("TextView", `text="`+text+`"`, x))
	}
	track := func(first, second string) string {
		return element("LinearLayout", pressable, "[0,600][1080,720]", element("TextView", `text="`+first+`"`, "[0,600][1080,660]"), element("TextView", `text="`+second+`"`, "[0,660][1080,720]"))
	}
	ticked := func(inner string) string {
		return element("LinearLayout", pressable, "[0,600][1080,720]", element("TextView", `text="Place order"`, "[0,600][800,720]"), inner)
	}
	attop, atfoot, attile, atrow := tapOn(1000, 150), tapOn(500, 2250), tapOn(150, 700), tapOn(300, 650)
	judgeHostile(t, []hostile{
		{"Log in above the filled form", attop, display(shop, button("Log in", top), user, secret), risk.Credential},
		{"Log in above an empty form", attop, display(shop, button("Log in", top), strings.ReplaceAll(user+secret, "secret", "")), risk.None},
		{"Sign up at the foot of its own filled form", atfoot, display(shop, user, secret, button("Sign up", foot)), risk.Account},
		{"Sign up above the filled form of a sign-in", attop, display(shop, button("Sign up", top), user, secret, button("Log in", "[0,600][1080,700]")), risk.None},
		{"Reply at the foot, far below the draft", atfoot, display(shop, field(`text="hello" hint="Your reply"`, tall), button("Reply", foot)), risk.Message},
		{"Reply at the foot, no draft", atfoot, display(shop, field(`text="" hint="Your reply"`, tall), button("Reply", foot)), risk.None},
		{"Share on the page of a caption", attop, display(shop, button("Share", top), caption), risk.Share},
		{"Share above a comment field", attop, display(shop, button("Share", top), comment), risk.None},
		{"Post above the draft", attop, display(shop, button("Post", top), field(`text="hello" hint="What is new?"`, tall)), risk.Publish},
		{"a draft that begins like a search", tapOn(980, 600), display(shop, field(`text="find me at five"`, "[0,550][880,650]"), element("ImageButton", pressable, "[900,550][1060,650]")), risk.Message},
		{"a button with a picture and Pay on it", attile, display(shop, tile("[0,600][300,800]", "Pay now")), risk.Money},
		{"Pay among the tiles of a home page", attile, display(shop, tile("[0,600][300,800]", "Pay"), tile("[300,600][600,800]", "History"), tile("[600,600][900,800]", "Cards")), risk.None},
		{"Pay and a sum in parts of one button", atrow, display(shop, track("Pay with your card now", "24.10 €")), risk.Money},
		{"the title of a song", atrow, display(shop, track("Pay the Price", "The Band")), risk.None},
		{"a purchase that is completed on a page without a sum", tapOn(500, 450), display(shop, element("Button", pressable+`text="Complete purchase"`, "[0,400][1080,500]")), risk.Money},
		{"a page of orders", tapOn(500, 450), display(shop, element("Button", pressable+`text="Order"`, "[0,400][1080,500]")), risk.None},
		{"an order bar with a button of its own", atrow, display(shop, ticked(element("ImageButton", pressable+`content-desc="Details"`, "[900,600][1080,720]"))), risk.Money},
		{"a task with a box to tick", atrow, display(shop, ticked(element("CheckBox", pressable+`checkable="true"`, "[900,600][1080,720]"))), risk.None},
	}, 18)
}

// Controls whose shape hides that they act.
func TestShapesThatAct(t *testing.T) {
	icon := func(attributes, bounds string) string {
		return element("View", pressable+attributes, bounds)
	}
	row := func(y string, selected string) string {
		cell := func(text, x, state string) string {
			return element("Button", pressable+state+`text="`+text+`"`, strings.ReplaceAll(x, "Y", y))
		}
		return element("LinearLayout", "", "[0,"+y+"][1080,2399]",
			cell("Like", "[0,Y][270,2399]", selected), cell("Comment", "[270,Y][540,2399]", ""), cell("Pay now", "[540,Y][810,2399]", ""), cell("Send", "[810,Y][1080,2399]", ""))
	}
	parts := func(texts ...string) string {
		var labels []string
		for _, text := range texts {
			labels = append(labels, element("TextView", `text="`+text+`"`, "[0,400][100,500]"))
		}
		return element("Button", pressable, "[0,400][1080,500]", labels...)
	}
	bar := element("LinearLayout", pressable, "[0,400][1080,500]", element("TextView", `text="Total 24.10 €"`, "[0,400][300,500]"), element("TextView", `text="Confirm and pay with your card"`, "[300,400][900,500]"))
	draft := element("EditText", pressable+`text="hello" hint="Your text"`, "[0,200][1080,390]")
	tap := tapOn(675, 450)
	judgeHostile(t, []hostile{
		{"a row of actions one of which is selected", tap, display(shop, strings.ReplaceAll(row("400", `selected="true" `), "2399", "500"), payButton), risk.Money},
		{"a row of tabs at the foot", tapOn(675, 2350), display(shop, row("2300", `selected="true" `)), risk.None},
		{"Follow that keeps a state", tap, display(shop, icon(`checkable="true" content-desc="Follow"`, "[0,400][1080,500]")), risk.Publish},
		{"Follow as a box to tick", tap, display(shop, element("CheckBox", pressable+`checkable="true" text="Follow"`, "[0,400][1080,500]")), risk.None},
		{"the seventh part of a button", tap, display(shop, parts("one", "two", "three", "four", "five", "six", "Pay now")), risk.Money},
		{"a sum before the words that pay it", tap, display(shop, bar), risk.Money},
		{"a description beside the words that are shown", tap, display(shop, element("Button", pressable+`content-desc="Details"`, "[0,400][1080,500]", element("TextView", `text="Pay now"`, "[0,400][1080,500]"))), risk.Money},
		{"a bar without a word below a draft", tap, display(shop, draft, icon("", "[0,400][1080,500]")), risk.Submit},
		{"a bar without a word and no draft", tap, display(shop, icon("", "[0,400][1080,500]")), risk.None},
	}, 9)

	const chat = "com.whatsapp"
	order := display(chat, element("Button", pressable+`text="Order"`, "[0,400][1080,500]"))
	if dec := newDecider(t, "default").Decide(&Request{Action: tap, Screen: &Screen{Package: chat, Tree: order}}); dec.Category != risk.Money {
		t.Errorf("a noun that may be a verb in a HIGH app: %v, want money", dec.Category)
	}
	for _, bounds := range []string{"[640,400][710,500]", "[0,400][1080,500]"} {
		dec := newDecider(t, "default").Decide(&Request{Action: tap, Screen: &Screen{Package: chat, Tree: display(chat, icon("", bounds))}})
		if dec.Category != risk.Unknown || dec.Code != CodeNoLabel {
			t.Errorf("a control without a word in a HIGH app: %v %q, want unknown %q", dec.Category, dec.Code, CodeNoLabel)
		}
	}
}
