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
		{"Sign up at the foot of the form of a sign-in", atfoot, display(shop, user, secret, button("Log in", "[0,600][1080,700]"), button("Sign up", foot)), risk.None},
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
		{"an order bar with a button of its own", atrow, display(shop, ticked(element("ImageButton", pressable+`content-desc="Details"`, "[900,600][1080,720]"))), risk.Money},
		{"a task with a box to tick", atrow, display(shop, ticked(element("CheckBox", pressable+`checkable="true"`, "[900,600][1080,720]"))), risk.None},
	}, 16)
}
