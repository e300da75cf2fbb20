package screen

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// A switch that can be checked and not clicked shows the state of the row around
// it, which Android gives the touch to; its title stays the row's.
func TestARowTakesTheTouchOfItsSwitch(t *testing.T) {
	row := func(rowFlags, switchFlags, words string) string {
		return `<hierarchy><node class="android.widget.FrameLayout" bounds="[0,0][1080,2400]">` +
			`<node class="android.widget.LinearLayout" ` + rowFlags + ` bounds="[0,400][1080,600]">` + words +
			`<node class="android.widget.Switch" checkable="true" ` + switchFlags + ` bounds="[900,420][1060,580]"/></node></node></hierarchy>`
	}
	title := `<node class="android.widget.TextView" text="Wireless debugging" bounds="[40,420][800,580]"/>`
	table := []struct {
		name, tree string
		want       int32 // of the node
		title      string
		checked    bool
	}{
		{"row and state", row(`clickable="true"`, ``, title), 1, "Wireless debugging", false},
		{"row and state, on", row(`clickable="true"`, `checked="true"`, title), 1, "Wireless debugging", true},
		{"a switch of its own", row(`clickable="true"`, `clickable="true" checked="true"`, title), 3, "Wireless debugging", true},
		{"no row that takes touches", row(``, ``, title), 3, "Wireless debugging", false},
		{"a row that says nothing", row(`clickable="true"`, ``, ""), 2, "", false},
		{"a page that takes touches", row(`clickable="true"`, ``, strings.Repeat(title, 6)), 8, "Wireless debugging", false},
	}
	for _, r := range table {
		s, err := Read(r.tree, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		hit := s.At(980, 500)
		target := s.Target(hit.Node)
		if hit.Node != r.want || target.Node != r.want || target.Role != risk.Switch || target.RowTitle != r.title || target.Flags.Has(Checked) != r.checked {
			t.Errorf("%s: node %d, target %d, %v, title %q, checked %t", r.name, hit.Node, target.Node, target.Role, target.RowTitle, target.Flags.Has(Checked))
		}
	}
	if len(table) != 6 {
		t.Fatal("rows lost")
	}
}
