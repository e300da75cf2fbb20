package decide

import (
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// shopPage is a page with a control, and around it what belongs to the action
// and what does not. Its fields are what stands in each place.
type shopPage struct {
	// of the action
	title, label, id, class, field, option, row, sum string
	ticked                                           bool
	// not of the action
	clock, advert, listed, neighbour, hidden, counter string
	focused                                           bool
	down                                              int // pixels by which all of it stands lower
}

func usualPage() shopPage {
	return shopPage{
		title: "Checkout", label: "Pay now", id: "com.example.shop:id/pay", class: "Button", field: "Main Street 5",
		option: "Express", row: "Two lamps", sum: "Total 24.10 EUR", clock: "9:41", advert: "Shoes for 19.99 EUR",
		listed: "Others bought this", neighbour: "Read the terms", hidden: "", counter: "3",
	}
}

// write is the page as a tree; the control is the node that has index 3.
func (p *shopPage) write() string {
	at := func(top, height int) string { return fmt.Sprintf("[0,%d][1080,%d]", top+p.down, top+height+p.down) }
	text := func(s string) string { return fmt.Sprintf("text=%q ", s) }
	return display(shop,
		element("TextView", text(p.title), at(100, 100)),
		element("LinearLayout", pressable, at(1800, 200),
			element(p.class, pressable+text(p.label)+fmt.Sprintf(`resource-id=%q focused="%v"`, p.id, !p.focused), at(1800, 100)),
			element("TextView", text(p.row), at(1900, 100))),
		element("TextView", text(p.sum), at(1600, 100)),
		element("EditText", pressable+`hint="Deliver to" `+text(p.field), at(1400, 100)),
		element("RadioButton", pressable+fmt.Sprintf(`checkable="true" checked="%v" `, p.ticked)+text(p.option), at(1200, 100)),
		element("TextView", `resource-id="com.android.systemui:id/clock" `+text(p.clock), at(0, 60)),
		element("FrameLayout", pressable+`resource-id="com.example.shop:id/ad_view"`, at(2100, 100), element("TextView", text(p.advert), at(2100, 100))),
		element("androidx.recyclerview.widget.RecyclerView", `scrollable="true"`, at(600, 200),
			element("LinearLayout", pressable, at(600, 100), element("TextView", text(p.listed), at(600, 100))),
			element("LinearLayout", pressable, at(700, 100), element("TextView", text("Lamps"), at(700, 100)))),
		element("Button", pressable+fmt.Sprintf(`focused="%v" `, p.focused)+text(p.neighbour), at(1000, 100)),
		element("TextView", `visible-to-user="false" `+text(p.hidden), at(900, 100)),
		element("TextView", text(p.counter), at(300, 50)),
	)
}

func (p *shopPage) decide(d *Decider) Decision {
	node := 3
	return d.Decide(&Request{Action: risk.Action{Kind: risk.Tap, Node: &node}, Device: "serial", Screen: &Screen{Package: shop, Tree: p.write()}})
}

// Nothing that stands outside the control, its row, its question, its window and
// the facts changes what an answer is bound to.
func TestNothingElseChangesTheDigest(t *testing.T) {
	d := newDecider(t, "default")
	rapid.Check(t, func(t *rapid.T) {
		p := usualPage()
		p.label = rapid.SampledFrom([]string{"Pay now", "Send", "Delete", "Post", "Place order", "Sign out", "Share"}).Draw(t, "label")
		before := p.decide(d)
		if before.Outcome != risk.Confirm || before.Digest() == "" {
			t.Fatalf("%q is not asked about: %v", p.label, before.Outcome)
		}
		p.clock = rapid.SampledFrom([]string{"9:41", "9:42", "10:00 PM", ""}).Draw(t, "clock")
		p.advert = rapid.SampledFrom([]string{"Shoes for 19.99 EUR", "Fly for 99 EUR", "Pay less"}).Draw(t, "advert")
		p.listed = rapid.StringMatching(`[A-Za-z ]{0,20}`).Draw(t, "listed")
		p.neighbour = rapid.SampledFrom([]string{"Read the terms", "Back", "Help", "Cancel"}).Draw(t, "neighbour")
		p.hidden = rapid.SampledFrom([]string{"", "Pay 500 EUR", "Delete all", "Anna"}).Draw(t, "hidden")
		p.counter = rapid.SampledFrom([]string{"3", "99+", "45 %", "0:17"}).Draw(t, "counter")
		p.focused = rapid.Bool().Draw(t, "focused")
		p.down = rapid.IntRange(0, 6).Draw(t, "down")
		after := p.decide(d)
		if before.Digest() != after.Digest() {
			t.Fatalf("the digest changes: %v", Differences(before.Parts(), after.Parts()))
		}
		if told := Differences(before.Parts(), after.Parts()); told != nil {
			t.Fatalf("nothing that is bound differs, and yet %v", told)
		}
	})
}

// Everything that belongs to the action does, and a person is told which it was.
func TestWhatBelongsToAnActionChangesTheDigest(t *testing.T) {
	d := newDecider(t, "default")
	usual := usualPage()
	before := usual.decide(d)
	cases := []struct {
		name   string
		change func(*shopPage)
		told   string
	}{
		{"title", func(p *shopPage) { p.title = "Checkout, step 2" }, "“Checkout, step 2”"},
		{"label", func(p *shopPage) { p.label = "Pay later" }, "control was “Pay now”, is “Pay later”"},
		{"id", func(p *shopPage) { p.id = "com.example.shop:id/pay_all" }, "id was"},
		{"class", func(p *shopPage) { p.class = "Switch" }, "kind of control was"},
		{"field", func(p *shopPage) { p.field = "Other Street 7" }, "form was “Deliver to: Main Street 5”, is “Deliver to: Other Street 7”"},
		{"row", func(p *shopPage) { p.row = "Nine lamps" }, "row was “Two lamps”, is “Nine lamps”"},
		{"sum", func(p *shopPage) { p.sum = "Total 42.10 EUR" }, "amount was “24.10 EUR”, is “42.10 EUR”"},
		{"choice", func(p *shopPage) { p.ticked = true }, "the choice “Express” is new"},
	}
	for _, c := range cases {
		p := usualPage()
		c.change(&p)
		after := p.decide(d)
		told := strings.Join(Differences(before.Parts(), after.Parts()), "; ")
		if before.Digest() == after.Digest() || !strings.Contains(told, c.told) {
			t.Errorf("%s: told %q, want %q; same digest %v", c.name, told, c.told, before.Digest() == after.Digest())
		}
	}
	if len(cases) != 8 {
		t.Errorf("%d cases", len(cases))
	}
}

// A yes that an agent asked for by a node is none to what lies over that node.
func TestDigestHoldsWhatIsOnTop(t *testing.T) {
	d := newDecider(t, "default")
	page := usualPage()
	before := page.decide(d)
	over := element("FrameLayout", "", "[400,1780][700,1920]", element("Button", pressable+`text="Update now"`, "[400,1780][700,1920]"))
	covered := strings.Replace(page.write(), "</hierarchy>", over+"</hierarchy>", 1)
	node := 3
	after := d.Decide(&Request{Action: risk.Action{Kind: risk.Tap, Node: &node}, Device: "serial", Screen: &Screen{Package: shop, Tree: covered}})
	told := strings.Join(Differences(before.Parts(), after.Parts()), "; ")
	if before.Digest() == after.Digest() || !strings.Contains(told, "on top of it: “Update now") {
		t.Errorf("told %q, same digest %v", told, before.Digest() == after.Digest())
	}
}

func TestDifferencesAreForAPerson(t *testing.T) {
	part := func(name, seal string, texts ...string) Part { return Part{Name: name, Texts: texts, Seal: seal} }
	long := strings.Repeat("The same beginning of a long text. ", 4)
	cases := []struct {
		name     string
		was, now []Part
		want     string
	}{
		{"nothing", []Part{part(partRow, "a", "x")}, []Part{part(partRow, "a", "x")}, ""},
		{"changed", []Part{part(partRecipient, "a", "Anna")}, []Part{part(partRecipient, "b", "Bob")}, "recipient was “Anna”, is “Bob”"},
		{"the same twice", []Part{part(partRecipient, "a", "Anna"), part(partPage, "c", "Anna")}, []Part{part(partRecipient, "b", "Bob"), part(partPage, "d", "Bob")}, "recipient was “Anna”, is “Bob”"},
		{"gone", []Part{part(partQuestion, "a", "Delete?")}, nil, "the question “Delete?” is gone"},
		{"new", nil, []Part{part(partQuestion, "a", "Delete?")}, "the question “Delete?” is new"},
		{"one of several", []Part{part(partRow, "a", "x", "y", "z")}, []Part{part(partRow, "b", "x", "w", "z")}, "row was “y”, is “w”"},
		{"one of two alike", []Part{part(partRow, "a", "1", "1")}, []Part{part(partRow, "b", "1", "2")}, "row was “1”, is “2”"},
		{"more of it", []Part{part(partRow, "a", "x")}, []Part{part(partRow, "b", "x", "w")}, "row says “w” as well"},
		{"less of it", []Part{part(partRow, "a", "x", "w")}, []Part{part(partRow, "b", "x")}, "row says “w” no more"},
		{"masked", []Part{part(partForm, "a", "Code: ***")}, []Part{part(partForm, "b", "Code: ***")}, "the form has changed in order, or where it is not shown"},
		{"app", []Part{part(partApp, "a", "com.a")}, []Part{part(partApp, "b", "com.b")}, "it is another app, “com.b”, and was “com.a”"},
		{"which", nil, []Part{part(partOrdinal, "a", "2")}, "it is another one of several that look the same"},
		{"effect", []Part{part(partAmount, "a", "1 EUR"), part(partEffect, "b", "money")}, []Part{part(partEffect, "c", "none")}, "consequence was “money”, is “none”"},
		{"a long one", []Part{part(partText, "a", long+"Yes.")}, []Part{part(partText, "b", long+"No.")}, "text was “…ing of a long text. Yes.”, is “…ing of a long text. No.”"},
		{"hostile", []Part{part(partRow, "a", "x\x1b[2J\u202e")}, []Part{part(partRow, "b", "y")}, `row was “x\u001b[2J\u202e”, is “y”`},
		{"many", []Part{part(partApp, "a", "1"), part(partText, "a", "2"), part(partRow, "a", "3"), part(partForm, "a", "4"), part(partPage, "a", "5"), part(partID, "a", "6"), part(partWindow, "a", "7")}, nil,
			"the app “1” is gone; the text “2” is gone; the row “3” is gone; the form “4” is gone; the page “5” is gone; and more"},
	}
	for _, c := range cases {
		if got := strings.Join(Differences(c.was, c.now), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if len(cases) != 16 {
		t.Errorf("%d cases", len(cases))
	}
}

// Every part has a place in the order in which differences are told.
func TestEveryPartIsTold(t *testing.T) {
	d := newDecider(t, "default")
	page := usualPage()
	for _, dec := range []Decision{page.decide(d), d.Decide(&Request{Action: tapOn(3, 4), Device: "x"})} {
		parts := dec.Parts()
		if len(parts) < 4 {
			t.Errorf("only %d parts are bound", len(parts))
		}
		for i := range parts {
			if got := Differences(parts[i:i+1], nil); len(got) != 1 {
				t.Errorf("%s is not told: %v", parts[i].Name, got)
			}
		}
	}
}

// What is typed into a password field is in no part.
func TestNoPartHoldsASecret(t *testing.T) {
	d := newDecider(t, "default")
	dec := d.Decide(&Request{
		Action: risk.Action{Kind: risk.TypeText, Text: "S3cret-example\n"}, Screen: &Screen{Package: shop},
		Target: &Target{Class: "android.widget.EditText", Password: true, Focused: true},
	})
	if dec.Digest() == "" {
		t.Fatal("nothing is bound")
	}
	for _, p := range dec.Parts() {
		if text := strings.Join(p.Texts, " "); strings.Contains(text, "S3cret") || len(text) > 60 {
			t.Errorf("%s says %q", p.Name, text)
		}
	}
}
