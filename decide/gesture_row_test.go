package decide

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// mailRow is a row of a list that can be pressed.
func mailRow(top, bottom string) string {
	return element("LinearLayout", pressable, "[0,"+top+"][1080,"+bottom+"]",
		element("TextView", `text="Anna Smith"`, "[40,"+top+"][1000,"+bottom+"]"))
}

// A row that is swiped away is deleted or archived where the app keeps messages,
// or where the page says that one was; what is turned, drawn aside or hardly moved
// is not.
func TestRowsThatAreSwipedAway(t *testing.T) {
	list := func(children ...string) string {
		return element("ListView", `scrollable="true"`, "[0,200][1080,2000]", children...)
	}
	rows := list(mailRow("200", "400"), mailRow("400", "600"), mailRow("600", "800"))
	undone := element("TextView", `text="Conversation deleted"`, "[0,2200][700,2300]") + element("Button", pressable+`text="Undo"`, "[800,2200][1080,2300]")
	archived := element("TextView", `text="Archiviert"`, "[0,2200][700,2300]") + element("Button", pressable+`text="Rückgängig"`, "[800,2200][1080,2300]")
	cart := element("TextView", `text="Added to basket"`, "[0,2200][700,2300]") + element("Button", pressable+`text="Undo"`, "[800,2200][1080,2300]")
	compose := element("EditText", pressable+`hint="Message"`, "[0,2200][900,2300]")
	pager := element("ViewPager", `scrollable="true"`, "[0,200][1080,2000]", rows)
	turned := element("View", `scrollable="true"`, "[0,200][1080,2000]", rows)
	strip := element("HorizontalScrollView", `scrollable="true"`, "[0,200][1080,400]", mailRow("200", "400"))
	tall := list(mailRow("200", "1400"))
	away := swipeFrom(1000, 500, 100, 505)
	table := []struct {
		name, pkg string
		action    risk.Action
		tree      string
		want      risk.Category
	}{
		{"mail, to the left", "com.fsck.k9", away, rows, risk.Delete},
		{"mail, to the right", "com.fsck.k9", swipeFrom(100, 500, 1000, 505), rows, risk.Delete},
		{"text messages", "com.android.messaging", away, rows, risk.Delete},
		{"sent as a scroll", "com.fsck.k9", func() risk.Action { a := away; a.Kind = risk.Scroll; return a }(), rows, risk.Delete},
		{"after one was deleted", shop, away, rows + undone, risk.Delete},
		{"after one was archived", shop, away, rows + archived, risk.Delete},
		{"a shop", shop, away, rows, risk.None},
		{"after something else", shop, away, rows + cart, risk.None},
		{"hardly moved", "com.fsck.k9", swipeFrom(500, 500, 300, 505), rows, risk.None},
		{"scrolled", "com.fsck.k9", swipeFrom(500, 700, 520, 300), rows, risk.None},
		{"pages that are turned", "com.fsck.k9", away, pager, risk.None},
		{"pages drawn by a toolkit", "com.fsck.k9", away, turned, risk.None},
		{"a strip of pictures", "com.fsck.k9", swipeFrom(1000, 300, 100, 300), strip, risk.None},
		{"a page in a list", "com.fsck.k9", away, tall, risk.None},
		{"a line of a conversation", "com.fsck.k9", away, rows + compose, risk.None},
		{"beside the list", "com.fsck.k9", swipeFrom(1000, 2100, 100, 2100), rows, risk.None},
	}
	d := newDecider(t, "default")
	for _, row := range table {
		dec := d.Decide(&Request{Action: row.action, Screen: &Screen{Package: row.pkg, Tree: display(row.pkg, row.tree)}})
		if dec.Category != row.want || dec.Outcome != risk.Allow != row.want.Risky() {
			t.Errorf("%s: %v, %v, want %v: %s", row.name, dec.Category, dec.Outcome, row.want, dec.Reason())
		}
	}
	if len(table) != 16 {
		t.Fatal("rows lost")
	}
}
