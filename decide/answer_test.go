package decide

import (
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// What a button answers, where the text above it is long, or made so.
func TestDecisivePartsOfADialog(t *testing.T) {
	notice := strings.Repeat("Please read this carefully before you go on. ", 4)
	dialog := func(message, button string) string {
		return display(shop, element("FrameLayout", `resource-id="com.example.shop:id/design_bottom_sheet"`, "[0,1000][1080,2400]",
			element("TextView", `text="Notice"`, "[0,1000][1080,1100]"),
			element("TextView", fmt.Sprintf("text=%q", message), "[0,1100][1080,1500]"),
			element("Button", pressable+fmt.Sprintf("text=%q", button), "[0,2000][1080,2100]")))
	}
	page := func(lines int, question string) string {
		var texts []string
		for i := range lines {
			texts = append(texts, element("TextView", fmt.Sprintf(`text="line %d"`, i), "[0,0][1080,100]"))
		}
		texts = append(texts, element("TextView", fmt.Sprintf("text=%q", question), "[0,1900][1080,2000]"), element("Button", pressable+`text="OK"`, "[0,2000][1080,2100]"))
		return display(shop, texts...)
	}
	tap := tapOn(500, 2050)
	judgeHostile(t, []hostile{
		{"the first of two questions", tap, dialog("Do you want to pay 24.10 € to this shop? "+notice+"Are you sure?", "Yes"), risk.Money},
		{"the last of two questions", tap, dialog("Are you sure? "+notice+"Do you want to pay 24.10 € to this shop?", "Yes"), risk.Money},
		{"a sentence that names the button", tap, dialog("Important notice. Tapping OK transfers 500 € to Anna. "+notice, "OK"), risk.Money},
		{"a notice that says what it does", tap, dialog("Pay 50 € to Anna", "OK"), risk.Money},
		{"a notice that says what was done", tap, dialog("50 € were sent to Anna", "OK"), risk.None},
		{"the button's label inside another word", tap, dialog("Important notice. OKTA transfers 500 € to Anna. "+notice, "OK"), risk.None},
		{"a question of another script", tap, dialog("Hello. "+notice+"Delete all photos՞", "OK"), risk.Delete},
		{"a Greek question", tap, dialog(strings.Repeat("Διαβάστε το προσεκτικά πριν συνεχίσετε. ", 5)+"Διαγραφή όλων των φωτογραφιών; "+notice, "OK"), risk.Delete},
		{"a question behind very many blanks", tap, dialog(strings.Repeat(" ", 5000)+"Delete all photos?", "OK"), risk.Delete},
		{"a question behind very many words", tap, dialog(strings.Repeat("very ", 1000)+"sure, delete all photos?", "OK"), risk.Delete},
		{"more questions than can be read", tap, dialog(strings.Repeat("Is it? ", 2000), "OK"), risk.Unknown},
		{"a notice that asks nothing", tap, dialog(notice+"Messages that were deleted stay so for a month.", "OK"), risk.None},
		{"a question after very many texts", tap, page(500, "Delete all photos?"), risk.Delete},
		{"very many texts and no question", tap, page(500, "All photos are here."), risk.None},
	}, 14)
}

// The parts do not depend on where a text is cut into bytes, and stay in it.
func FuzzDecisive(f *testing.F) {
	for _, text := range []string{"", "Delete?", strings.Repeat("é", 200) + "? a. b", strings.Repeat("日本。", 2000), "\xff\xfe"} {
		f.Add(text, "OK")
	}
	f.Fuzz(func(t *testing.T, text, button string) {
		last, parts := -1, 0
		for d := (decisive{text: text, button: button}); ; parts++ {
			p, ok := d.next()
			if !ok {
				break
			}
			if p.start < 0 || p.end > len(text) || p.start >= p.end || p.start < last {
				t.Fatalf("part %v of a text of %d bytes, after %d", p, len(text), last)
			}
			last = p.start
		}
		if parts == 0 && strings.TrimSpace(text) != "" {
			t.Fatal("a text without a decisive part")
		}
	})
}
