package decide

import (
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// The properties of the design: none of these changes lowers an outcome.
//
//   - the model's flag from off to on
//   - the tier upwards
//   - a risky term in place of an empty label or one that is not understood
//   - added descendants, added neighbours
//   - a claimed locale
//
// Trees are drawn at random from parts that real screens are made of.

const propertyPackage = "com.example.app"

// part is a node of a random screen.
type part struct {
	class, text, desc, id, hint string
	clickable, field, password  bool
	narrow                      bool // a fifth of the display's width
	children                    []part
}

var (
	labels = []string{
		"", "Delete", "Send", "Pay now", "Sent", "Payload", "OK", "Cancel", "Yes", "Next", "Sign in", "Share",
		"Payment history", "zqxv brrk", "Supprimer", "送信", "Delete this chat?", "Are you sure you want to delete it?",
		"Settings", "Open", "Total 24.10 €", "Allow", "Comment", "Your message", "Log out", "Install",
		"Send money to Anna Smith now", "Confirm and pay with your card", "Post", "Reply", "Sign up", "Follow", "Block",
	}
	ids = []string{
		"", "com.example.app:id/send", "com.example.app:id/btn_delete", "com.example.app:id/title",
		"com.example.app:id/pay_button", "com.example.app:id/container", "com.example.app:id/icon",
	}
	classes = []string{
		"android.widget.Button", "android.widget.TextView", "android.view.View", "android.widget.ImageButton",
		"android.widget.LinearLayout", "android.view.ViewGroup",
	}
)

// arounds are what a page may stand in.
var arounds = []string{
	"android.widget.FrameLayout", "android.widget.FrameLayout", "androidx.recyclerview.widget.RecyclerView",
	"android.webkit.WebView", "com.google.android.material.bottomsheet.BottomSheetDialog",
}

func drawPart(t *rapid.T, name string, depth int) part {
	p := part{
		class: rapid.SampledFrom(classes).Draw(t, name+" class"),
		text:  rapid.SampledFrom(labels).Draw(t, name+" text"),
		id:    rapid.SampledFrom(ids).Draw(t, name+" id"),
	}
	if rapid.Bool().Draw(t, name+" described") {
		p.desc = rapid.SampledFrom(labels).Draw(t, name+" desc")
	}
	p.clickable = rapid.Bool().Draw(t, name+" clickable")
	p.narrow = rapid.IntRange(0, 3).Draw(t, name+" narrow") == 0
	if rapid.IntRange(0, 5).Draw(t, name+" field") == 0 {
		p = part{class: "android.widget.EditText", text: p.text, hint: "Message", clickable: true, field: true,
			password: rapid.Bool().Draw(t, name+" password")}
	}
	if depth > 0 && !p.field {
		for i := range rapid.IntRange(0, 2).Draw(t, name+" children") {
			p.children = append(p.children, drawPart(t, fmt.Sprintf("%s.%d", name, i), depth-1))
		}
	}
	return p
}

// write renders the part at a height that does not depend on what else there
// is, so that an added part moves no other.
func (p *part) write(b *strings.Builder, row int) {
	right := 1080
	if p.narrow {
		right = 200
	}
	fmt.Fprintf(b, `<node package=%q class=%q text=%q content-desc=%q resource-id=%q hint=%q clickable="%v" password="%v" bounds="[0,%d][%d,%d]">`,
		propertyPackage, p.class, p.text, p.desc, p.id, p.hint, p.clickable, p.password, row*100, right, row*100+90)
	for i := range p.children {
		p.children[i].write(b, row)
	}
	b.WriteString("</node>")
}

// page is the target with neighbours before and after it.
type page struct {
	around        string // the class of what holds all of it
	before, after []part
	target        part
}

func drawPage(t *rapid.T) page {
	p := page{target: drawPart(t, "target", 1), around: rapid.SampledFrom(arounds).Draw(t, "around")}
	p.target.clickable = true
	for i := range rapid.IntRange(0, 3).Draw(t, "before") {
		p.before = append(p.before, drawPart(t, fmt.Sprint("before ", i), 1))
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "after") {
		p.after = append(p.after, drawPart(t, fmt.Sprint("after ", i), 1))
	}
	return p
}

func nodes(parts []part) int {
	n := 0
	for i := range parts {
		n += 1 + nodes(parts[i].children)
	}
	return n
}

// tap is a tap on the target of the page.
func (p *page) tap() *Request {
	var b strings.Builder
	b.WriteString(`<hierarchy width="1080" height="2400"><node package="` + propertyPackage + `" class="android.widget.FrameLayout" bounds="[0,0][1080,2400]">`)
	b.WriteString(`<node package="` + propertyPackage + `" class="` + p.around + `" bounds="[0,500][1080,1700]">`)
	const row = 10 // of the target
	for i := range p.before {
		p.before[i].write(&b, row-len(p.before)+i)
	}
	p.target.write(&b, row)
	for i := range p.after {
		p.after[i].write(&b, row+1+i)
	}
	b.WriteString("</node></node></hierarchy>")
	index := 2 + nodes(p.before)
	return &Request{
		Action: risk.Action{Kind: risk.Tap, Node: &index},
		Screen: &Screen{Package: propertyPackage, Tree: b.String()},
	}
}

func tiered(t testing.TB, tier risk.Tier) *Decider {
	overrides, err := catalog.MakeOverrides(map[string]risk.Tier{propertyPackage: tier})
	if err != nil {
		t.Fatal(err)
	}
	d := newDecider(t, "default")
	d.Catalog = catalog.Default().WithOverrides(overrides)
	return d
}

// notLower fails when the outcome after a change is milder than before.
func notLower(t *rapid.T, change string, before, after Decision) {
	if after.Outcome > before.Outcome {
		t.Fatalf("%s lowers %v to %v:\nbefore: %s\nafter: %s\ntree before: %s\ntree after: %s", change,
			before.Outcome, after.Outcome, before.Reason(), after.Reason(), before.req.Screen.Tree, after.req.Screen.Tree)
	}
}

func TestNothingLowersAnOutcome(t *testing.T) {
	tiers := []*Decider{tiered(t, risk.High), tiered(t, risk.Medium), tiered(t, risk.Low)}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPage(t)
		tier := rapid.IntRange(0, 2).Draw(t, "tier")
		d := tiers[tier]
		base := d.Decide(p.tap())
		if base.Code == CodeInternalError {
			t.Fatalf("the guard failed on %s", base.req.Screen.Tree)
		}

		flagged := p.tap()
		flagged.LLM.RequiresConfirmation = true
		notLower(t, "the model's flag", base, d.Decide(flagged))

		if tier > 0 {
			notLower(t, "a stricter tier", base, tiers[tier-1].Decide(p.tap()))
		}

		localised := p.tap()
		localised.Locale = rapid.SampledFrom([]string{"en", "fr", "tr", "ja", "xx", "not a tag"}).Draw(t, "locale")
		notLower(t, "a claimed locale", base, d.Decide(localised))

		if p.target.text == "" || strings.HasPrefix(p.target.text, "zqxv") {
			risky := p
			terms := []string{"Pay now", "Uninstall", "Delete account"}
			if tiers[tier] != tiers[2] {
				terms = append(terms, "Delete", "Block") // a LOW app may do these unasked
			}
			risky.target.text = rapid.SampledFrom(terms).Draw(t, "risky")
			notLower(t, "a risky term in place of "+fmt.Sprintf("%q", p.target.text), base, d.Decide(risky.tap()))
		}

		inside := p
		// What a control without a text of its own says is what stands inside: there
		// another label makes another control of it, such as a row of a list.
		if !p.target.field && p.target.text != "" {
			added := drawWords(t, "added descendant")
			inside.target.children = append(append([]part{}, p.target.children...), added)
			if rapid.Bool().Draw(t, "first") {
				inside.target.children = append([]part{added}, p.target.children...)
			}
			notLower(t, "an added descendant", base, d.Decide(inside.tap()))
		}

		if saysLone(base) {
			return // the one rule of the design that is about having no neighbours
		}
		beside := p
		if rapid.Bool().Draw(t, "neighbour before") {
			beside.before = append([]part{drawPart(t, "added neighbour", 0)}, p.before...)
		} else {
			beside.after = append(append([]part{}, p.after...), drawPart(t, "added neighbour", 0))
		}
		notLower(t, "an added neighbour", base, d.Decide(beside.tap()))
	})
}

// drawWords is a text that is no control.
func drawWords(t *rapid.T, name string) part {
	return part{class: "android.widget.TextView", text: rapid.SampledFrom(labels).Draw(t, name)}
}

// saysLone reports a decision that was made because the control stands alone.
func saysLone(d Decision) bool {
	for _, e := range d.Evidence() {
		if e.Term == "label_not_understood" {
			return true
		}
	}
	return false
}
