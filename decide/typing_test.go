package decide

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// What keys and typed characters reach when a decoy is named, or when they are
// keys themselves.
func TestKeysAndTypedText(t *testing.T) {
	const has = pressable + `focused="true" `
	field := func(attributes string) string {
		return element("EditText", attributes, "[0,550][880,650]")
	}
	focusedPay := strings.Replace(payButton, pressable, has, 1)
	enter := risk.Action{Kind: risk.PressKey, Key: "ENTER"}
	typed := func(text string) risk.Action { return risk.Action{Kind: risk.TypeText, Text: text} }
	at := func(a risk.Action, x, y int) risk.Action {
		a.X, a.Y = &x, &y
		return a
	}
	search := element("EditText", pressable+`hint="Search"`, "[0,200][880,300]")
	message := field(has + `hint="Message"`)
	judgeHostile(t, []hostile{
		{"ENTER with a decoy point", at(enter, 500, 650), display(shop, focusedPay, detailsButton), risk.Money},
		{"ENTER with a decoy field", at(enter, 400, 250), display(shop, search, message), risk.Message},
		{"IME action with a decoy field", at(risk.Action{Kind: risk.IMEAction}, 400, 250), display(shop, search, message), risk.Message},
		{"line break with a decoy field", at(typed("hi\n"), 400, 250), display(shop, search, message), risk.Message},
		{"ENTER in a message that begins like a search", enter, display(shop, field(has+`text="find me at five" hint="Message"`)), risk.Message},
		{"ENTER in a field that says nothing but what is typed", enter, display(shop, field(has+`text="search party at five"`)), risk.Submit},
		{"ENTER in a secret that says search", enter, display(shop, field(has+`password="true" hint="Find my device PIN"`)), risk.Credential},
		{"ENTER in a field whose id has a search word inside another", enter, display(shop, field(has+`hint="Amount" resource-id="com.example.shop:id/guarantee_amount"`)), risk.Submit},
		{"ENTER in an address bar", enter, display(shop, field(has+`hint="Go anywhere" resource-id="com.example.shop:id/url_bar"`)), risk.None},
		{"ENTER in a field of a web page that has the focus as well", enter, display(shop, element("FrameLayout", `focused="true"`, "[0,0][1080,2400]", message)), risk.Message},
		{"space on a focused button", typed(" "), display(shop, focusedPay), risk.Money},
		{"line break on a focused button", typed("\n"), display(shop, focusedPay), risk.Money},
		{"line break inside the text", typed("yes\nand"), display(shop, message), risk.Message},
		{"TAB and SPACE", typed("x\t "), display(shop, message, payButton), risk.Unknown},
		{"TAB and ENTER", typed("\t\t\n"), display(shop, message, payButton), risk.Unknown},
		{"search, and on with what comes next", typed("shoes\n \n"), display(shop, element("EditText", has+`hint="Search"`, "[0,200][880,300]")), risk.Unknown},
		{"several lines in a field of several lines", typed("one two\nthree four\n"), display(shop, field(has+`hint="Notes" multiline="true"`)), risk.None},
		{"words", typed("two words"), display(shop, message), risk.None},
		{"TAB in words", typed("two\twords"), display(shop, message), risk.None},
	}, 19)
}

// The keys of the on-screen keyboard: whatever acts there is judged.
func TestKeyboardWindow(t *testing.T) {
	keyboard := func(key, field string) string {
		return windowsJSON(
			windowJSON("input_method", "com.example.keys", 9, 0, "[0,1500,1080,2400]",
				`{"class":"android.view.View",`+key+`,"clickable":true,"package":"com.example.keys","bounds":[900,2200,1080,2400]}`),
			windowJSON("application", shop, 1, 0, fullDisplay,
				`{"class":"android.widget.EditText","focused":true,"clickable":true,"package":"com.example.shop",`+field+`,"bounds":[0,400,1080,500]}`))
	}
	const message, search = `"hint":"Message","text":"hi"`, `"hint":"Search","text":"hi"`
	tap := tapOn(1000, 2300)
	judgeHostile(t, []hostile{
		{"a letter", tap, keyboard(`"text":"g"`, message), risk.None},
		{"backspace", tap, keyboard(`"content_desc":"Delete"`, message), risk.None},
		{"a sign for Enter", tap, keyboard(`"text":"⏎"`, message), risk.Message},
		{"an id for the action key", tap, keyboard(`"resource_id":"com.example.keys:id/key_pos_ime_action"`, message), risk.Message},
		{"Next in another language", tap, keyboard(`"content_desc":"Weiter"`, message), risk.Message},
		{"Done in a search field", tap, keyboard(`"content_desc":"Done"`, search), risk.None},
		{"a button on the keyboard", tap, keyboard(`"text":"Pay 5 €"`, search), risk.Money},
	}, 7)
	tree := keyboard(`"content_desc":"Done"`, message)
	dec := newDecider(t, "default").Decide(&Request{Action: tap, Screen: &Screen{Tree: tree}})
	if dec.Package != shop {
		t.Errorf("the action key submits a field of %q, want %q", dec.Package, shop)
	}
}

// A field whose description repeats what is typed in it holds a draft.
func TestDraftThatIsAlsoTheDescription(t *testing.T) {
	field := element("EditText", pressable+`text="hello" content-desc="hello" hint="Add a comment"`, "[0,550][880,650]")
	icon := element("ImageButton", pressable, "[900,550][1060,650]")
	judgeHostile(t, []hostile{
		{"an icon beside it", tapOn(980, 600), display(shop, field, icon), risk.Message},
		{"an icon beside an empty one", tapOn(980, 600), display(shop, strings.ReplaceAll(field, "hello", ""), icon), risk.None},
	}, 2)
}
