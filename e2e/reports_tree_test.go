package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/risk"
)

// A tap on the tree of a report, with what its remarks say is right.
type treeTap struct {
	name, tree, pkg, tier string
	x, y                  int
	verdict               string
	category              risk.Category
	code                  countersign.Code
}

func (tap *treeTap) check(t *testing.T) {
	t.Helper()
	dec := guardFor(t, tap.pkg, tap.tier).Decide(&countersign.Request{
		Action: countersign.Action{Kind: countersign.Tap, X: &tap.x, Y: &tap.y},
		Screen: &countersign.Screen{Package: tap.pkg, Tree: tap.tree},
	})
	if dec.Outcome.String() != tap.verdict || dec.Category != tap.category || tap.code != "" && dec.Code != tap.code {
		t.Errorf("%s: %v %v %q, want %s %v %q: %s", tap.name, dec.Outcome, dec.Category, dec.Code,
			tap.verdict, tap.category, tap.code, dec.Reason())
	}
}

func TestReportsOfTrees(t *testing.T) {
	reports := readReports(t)
	tree := func(id string) string { return xmlReport(t, reports[id]) }
	permission := tree("U09")
	samsung := strings.ReplaceAll(permission, "com.google.android.permissioncontroller", "com.samsung.android.permissioncontroller")
	autoriser := strings.ReplaceAll(strings.ReplaceAll(permission, "com.android.permissioncontroller:id/permission_allow_one_time_button",
		"com.android.packageinstaller:id/permission_allow_button"), "केवल इस बार", "Autoriser")
	web := tree("U15")
	inside := func(child string) string { return strings.Replace(web, "/>", ">"+child+"</node>", 1) }
	table := []treeTap{
		{"U01 failed dump, high", "ERROR: (no idle state)", "com.example.bank", "high", 540, 1800, "confirm", risk.Unknown, "no_tree"},
		{"U01 failed dump, medium", "ERROR: (no idle state)", "com.example.chat", "medium", 540, 1800, "confirm", risk.Unknown, "no_tree"},
		// The report allows it "only if the tier policy says so"; ours asks, because the window was not observed.
		{"U01 failed dump, low", "ERROR: (no idle state)", "com.example.video", "low", 540, 1800, "confirm", risk.Unknown, "no_tree"},
		{"U03 lone surrogate", tree("U03"), "com.example.bank", "high", 540, 1800, "confirm", risk.Money, ""},
		{"U05 the panel over the row", tree("U05"), "com.example.shop", "medium", 550, 400, "confirm", risk.Money, ""},
		{"U05 the row beside the panel", tree("U05"), "com.example.shop", "medium", 100, 400, "allow", risk.None, ""},
		{"U07 another app's tree", tree("U07"), "com.example.bank", "high", 540, 1800, "confirm", risk.Unknown, "stale_tree"},
		{"U09 allow this time, in Hindi", permission, "com.google.android.permissioncontroller", "", 540, 1350, "confirm", risk.Permission, ""},
		{"U09 deny, in Hindi", permission, "com.google.android.permissioncontroller", "", 540, 1550, "allow", risk.None, ""},
		{"U09 another vendor, allow", samsung, "com.samsung.android.permissioncontroller", "", 540, 1350, "confirm", risk.Permission, ""},
		{"U09 another vendor, deny", samsung, "com.samsung.android.permissioncontroller", "", 540, 1550, "allow", risk.None, ""},
		{"U09 Autoriser", autoriser, "com.google.android.permissioncontroller", "", 540, 1350, "confirm", risk.Permission, ""},
		{"U15 childless WebView", web, "com.example.bank", "high", 540, 1800, "confirm", risk.Unknown, "webview_opaque"},
		{"U15 Pay in the WebView", inside(`<node package="com.example.bank" text="Pay" bounds="[0,1700][1080,1900]"/>`), "com.example.bank", "high", 540, 1800, "confirm", risk.Money, ""},
		{"U15 Read more in the WebView", strings.ReplaceAll(inside(`<node package="com.example.bank" text="Read more" bounds="[0,1700][1080,1900]"/>`), "com.example.bank", "com.example.reader"), "com.example.reader", "low", 540, 1800, "allow", risk.None, ""},
		{"U19 secure window with a tree", `<hierarchy><node package="com.example.bank" text="Confirm payment" clickable="true" bounds="[0,1700][1080,1900]"/></hierarchy>`, "com.example.bank", "high", 540, 1800, "confirm", risk.Money, ""},
		{"U19 secure window without a tree", "", "com.example.bank", "high", 540, 1800, "confirm", risk.Unknown, "no_tree"},
	}
	for i := range table {
		table[i].check(t)
	}
	if len(table) != 17 {
		t.Fatalf("%d taps", len(table))
	}
}

// U17: the point the device will really receive is judged.
func TestReportOfScaledCoordinates(t *testing.T) {
	var u17 struct {
		Device [2]int
		Tree   []struct {
			Text string
			At   [2]int
		}
		Cases []struct {
			In struct {
				Via, Cmd string
				X, Y     int
				Space    *[2]int
			}
			Expect struct{ Verdict, Category, Error string }
		}
	}
	if err := json.Unmarshal([]byte(readReports(t)["U17"].body), &u17); err != nil {
		t.Fatal(err)
	}
	var tree strings.Builder
	fmt.Fprintf(&tree, `<hierarchy width="%d" height="%d">`, u17.Device[0], u17.Device[1])
	for _, n := range u17.Tree {
		fmt.Fprintf(&tree, `<node package="com.example.bank" class="android.widget.Button" text="%s" clickable="true" bounds="[%d,%d][%d,%d]"/>`,
			n.Text, n.At[0]-80, n.At[1]-40, n.At[0]+80, n.At[1]+40)
	}
	tree.WriteString("</hierarchy>")
	for i, c := range u17.Cases {
		action := countersign.Action{Kind: countersign.Tap, X: &c.In.X, Y: &c.In.Y, Space: c.In.Space}
		if c.In.Via == "adb" {
			action = countersign.Action{Kind: countersign.ShellLine, Shell: c.In.Cmd}
		}
		dec := guardFor(t, "com.example.bank", "high").Decide(&countersign.Request{
			Action: action,
			Screen: &countersign.Screen{Package: "com.example.bank", Tree: tree.String(), Width: u17.Device[0], Height: u17.Device[1]},
		})
		switch {
		case c.Expect.Error != "":
			if dec.Outcome == countersign.Allow || string(dec.Code) != c.Expect.Error {
				t.Errorf("case %d: %v %q, want %q and no allow", i, dec.Outcome, dec.Code, c.Expect.Error)
			}
		case dec.Outcome.String() != c.Expect.Verdict:
			t.Errorf("case %d: %v, want %s: %s", i, dec.Outcome, c.Expect.Verdict, dec.Reason())
		}
	}
	if len(u17.Cases) != 3 {
		t.Fatalf("%d cases", len(u17.Cases))
	}
}
