package decide

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// element writes a node of a test's tree; "%s" in the tree stands for the package.
func element(class, attributes, bounds string, children ...string) string {
	return fmt.Sprintf(`<node package="PKG" class="android.widget.%s" %s bounds="%s">%s</node>`, class, attributes, bounds, strings.Join(children, ""))
}

// display writes a tree of one window that spans the display.
func display(pkg string, children ...string) string {
	return strings.ReplaceAll(`<hierarchy rotation="0" width="1080" height="2400">`+
		element("FrameLayout", "", "[0,0][1080,2400]", children...)+`</hierarchy>`, "PKG", pkg)
}

const (
	pressable = `clickable="true" `
	shop      = "com.example.shop"
)

// A pay button at [0,400][1080,500] and a harmless one below it.
var (
	payButton     = element("Button", pressable+`text="Pay now"`, "[0,400][1080,500]")
	detailsButton = element("Button", pressable+`text="Details"`, "[0,600][1080,700]")
)

func tapOn(x, y int) risk.Action { return risk.Action{Kind: risk.Tap, X: &x, Y: &y} }

func swipeFrom(x, y, x2, y2 int) risk.Action {
	return risk.Action{Kind: risk.Swipe, X: &x, Y: &y, X2: &x2, Y2: &y2}
}

func inSpace(a risk.Action, width, height int) risk.Action {
	a.Space = &[2]int{width, height}
	return a
}

// A hostile row is an action on a screen that somebody made to look harmless.
type hostile struct {
	name   string
	action risk.Action
	tree   string
	want   risk.Category
}

// judgeHostile decides every row and fails where the category is another one.
func judgeHostile(t *testing.T, rows []hostile, want int) {
	t.Helper()
	d, ran := newDecider(t, "default"), 0
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			ran++
			dec := d.Decide(&Request{Action: row.action, Screen: &Screen{Package: shop, Tree: row.tree}})
			if dec.Category != row.want {
				t.Errorf("%v %q, want %v: %s", dec.Category, dec.Code, row.want, dec.Reason())
			}
			if asks := dec.Outcome != risk.Allow; asks != row.want.Risky() {
				t.Errorf("outcome %v for %v", dec.Outcome, dec.Category)
			}
		})
	}
	if ran != want {
		t.Fatalf("%d rows ran, there are %d", ran, want)
	}
}

// windowsJSON is a tree of several windows, the first one on top.
func windowsJSON(windows ...string) string {
	return `{"width":1080,"height":2400,"display":0,"windows":[` + strings.Join(windows, ",") + `]}`
}

func windowJSON(kind, pkg string, layer, display int, bounds, children string) string {
	return fmt.Sprintf(`{"type":%q,"package":%q,"layer":%d,"display":%d,"bounds":%s,"root":{"class":"android.widget.FrameLayout","package":%q,"bounds":%s,"children":[%s]}}`,
		kind, pkg, layer, display, bounds, pkg, bounds, children)
}

const (
	fullDisplay = "[0,0,1080,2400]"
	payJSON     = `{"class":"android.widget.Button","text":"Pay now","clickable":true,"package":"com.example.shop","bounds":[0,400,1080,500]}`
	detailsJSON = `{"class":"android.widget.Button","text":"Details","clickable":true,"package":"com.example.shop","bounds":[0,400,1080,500]}`
	plainJSON   = `{"class":"android.view.View","text":"helper","bounds":[0,0,1080,2400]}`
)

// Where a touch lands when something on the screen, or in the action, says that
// it lands elsewhere.
func TestWhereATouchLands(t *testing.T) {
	details := `{"class":"android.widget.Button","text":"Details","clickable":true,"bounds":[0,400,1080,500]}`
	named := func(text string) risk.Action {
		return risk.Action{Kind: risk.Tap, Selector: &risk.Selector{Text: text}}
	}
	byID := risk.Action{Kind: risk.Tap, Selector: &risk.Selector{ResourceID: "com.example.shop:id/go"}}
	first := 1
	node := risk.Action{Kind: risk.Tap, Node: &first}
	noSize := strings.ReplaceAll(`<hierarchy>`+element("Button", pressable+`text="Details"`, "[100,600][900,700]")+
		element("Button", pressable+`text="Pay now"`, "[100,1200][900,1400]")+`</hierarchy>`, "PKG", shop)
	scrolling := func(class string, children ...string) string {
		return display(shop, element(class, `scrollable="true"`, "[0,0][1080,2400]", children...))
	}
	judgeHostile(t, []hostile{
		// Swipes that are presses.
		{"swipe within the touch slop", swipeFrom(500, 450, 528, 450), display(shop, payButton), risk.Money},
		{"swipe that stays on the button", swipeFrom(100, 450, 900, 455), display(shop, payButton), risk.Money},
		{"swipe across a button in a list that scrolls down", swipeFrom(100, 450, 900, 455), scrolling("ScrollView", payButton, detailsButton), risk.Money},
		{"swipe that the list around takes", swipeFrom(500, 405, 500, 495), scrolling("ScrollView", payButton, detailsButton), risk.None},
		{"swipe that a pager takes", swipeFrom(900, 450, 100, 450), scrolling("HorizontalScrollView", payButton), risk.None},
		{"swipe that leaves the button", swipeFrom(500, 450, 500, 1450), display(shop, payButton), risk.None},
		{"short swipe in a large space", inSpace(swipeFrom(50000, 45000, 50100, 45000), 108000, 240000), display(shop, payButton), risk.Money},
		{"scroll that is sent as a swipe", func() risk.Action { a := swipeFrom(100, 450, 900, 455); a.Kind = risk.Scroll; return a }(), display(shop, payButton), risk.Money},
		// Coordinates that cannot be told.
		{"space of nothing", inSpace(tapOn(500, 650), 0, 0), display(shop, detailsButton), risk.Unknown},
		{"space below nothing", inSpace(tapOn(500, 650), -1080, -2400), display(shop, detailsButton), risk.Unknown},
		{"space beside a display of unknown size", inSpace(tapOn(250, 650), 540, 1200), noSize, risk.Unknown},
		{"point outside its space", inSpace(tapOn(500, 1300), 540, 1200), display(shop, detailsButton), risk.Unknown},
		{"coordinates that wrap round", tapOn(1<<32+500, 650), noSize, risk.Unknown},
		{"coordinates that wrap round when scaled", inSpace(tapOn(math.MaxInt/2+5, 650), 1080, 2400), display(shop, detailsButton), risk.Unknown},
		{"a space that fits", inSpace(tapOn(250, 225), 540, 1200), display(shop, payButton), risk.Money},
		// Windows.
		{"overlay that shows no control", tapOn(500, 450), windowsJSON(windowJSON("accessibility_overlay", "com.example.helper", 9, 0, fullDisplay, plainJSON), windowJSON("application", shop, 1, 0, fullDisplay, payJSON)), risk.Money},
		{"overlay with a control that may let touches through", tapOn(500, 450), windowsJSON(windowJSON("accessibility_overlay", "com.example.helper", 9, 0, fullDisplay, details), windowJSON("application", shop, 1, 0, fullDisplay, payJSON)), risk.Money},
		{"window on top that gave no nodes", tapOn(500, 450), windowsJSON(`{"type":"application","package":"com.example.bank","layer":9,"display":0,"bounds":[0,300,1080,900],"root":null}`, windowJSON("application", shop, 1, 0, fullDisplay, detailsJSON)), risk.Unknown},
		{"window of another display", tapOn(500, 450), windowsJSON(windowJSON("application", shop, 1, 0, "[0,0,1080,300]", `{"class":"android.view.View","bounds":[0,0,10,10]}`), windowJSON("application", shop, 1, 2, fullDisplay, detailsJSON)), risk.Unknown},
		// Nodes and selectors that name one thing and press another.
		{"node below another window", named("Details"), windowsJSON(windowJSON("application", "com.example.front", 9, 0, fullDisplay, payJSON), windowJSON("application", shop, 1, 0, fullDisplay, detailsJSON)), risk.Money},
		{"node below its sibling", node, display(shop, element("Button", pressable+`text="Details"`, "[0,400][1080,500]"), payButton), risk.Money},
		{"invisible node over a button", node, display(shop, element("Button", pressable+`visible-to-user="false" text="Details"`, "[0,400][1080,500]"), payButton), risk.Money},
		{"container with a button in its middle", node, display(shop, element("FrameLayout", `content-desc="Details"`, "[0,0][1080,900]", payButton)), risk.Money},
		{"selector with an invisible decoy", byID, display(shop, element("Button", pressable+`visible-to-user="false" text="Details" resource-id="com.example.shop:id/go"`, "[0,100][1080,200]"), element("Button", pressable+`text="Pay now" resource-id="com.example.shop:id/go"`, "[0,400][1080,500]")), risk.Money},
		{"selector with a decoy of no size", byID, display(shop, element("Button", pressable+`text="Details" resource-id="com.example.shop:id/go"`, "[0,100][0,100]"), element("Button", pressable+`text="Pay now" resource-id="com.example.shop:id/go"`, "[0,400][1080,500]")), risk.Money},
		{"selector that finds one harmless button", named("Details"), display(shop, payButton, detailsButton), risk.None},
	}, 26)
}

// An action that carries the argument of another kind is neither.
func TestStrayArgument(t *testing.T) {
	tree := display(shop, detailsButton)
	d := newDecider(t, "default")
	for name, a := range map[string]risk.Action{
		"tap with a shell line":  func() risk.Action { a := tapOn(500, 650); a.Shell = "pm uninstall com.example.notes"; return a }(),
		"wait with a shell line": {Kind: risk.Wait, Shell: "reboot"},
		"launch with an intent":  {Kind: risk.Launch, Intent: "-a android.intent.action.CALL -d tel:+15550100"},
		"scroll with a key":      {Kind: risk.Scroll, Key: "POWER"},
		"back with a tool":       {Kind: risk.Back, Tool: "pay"},
	} {
		dec := d.Decide(&Request{Action: a, Screen: &Screen{Package: shop, Tree: tree}})
		if dec.Code != CodeStrayArgument || dec.Outcome != risk.Confirm {
			t.Errorf("%s: %v %q, want confirm %q", name, dec.Outcome, dec.Code, CodeStrayArgument)
		}
	}
}

// A display's size that somebody claims fills in what the tree does not say and
// changes nothing that it does.
func TestClaimedSizeOnlyFillsIn(t *testing.T) {
	tree := display(shop, payButton)
	dec := newDecider(t, "default").Decide(&Request{
		Action: tapOn(500, 450), Screen: &Screen{Package: shop, Tree: tree, Width: 100000, Height: -1},
	})
	if ui := dec.UI(); ui.Width != 1080 || ui.Height != 2400 || dec.Category != risk.Money {
		t.Errorf("%d x %d, %v; want the tree's own size and money", ui.Width, ui.Height, dec.Category)
	}
}

// One line with very many presses costs no more than it may.
func TestManyPartsOfALine(t *testing.T) {
	line := strings.Repeat("input tap 500 650;", 2000)
	dec := newDecider(t, "default").Decide(&Request{
		Action: risk.Action{Kind: risk.ShellLine, Shell: line}, Screen: &Screen{Package: shop, Tree: display(shop, detailsButton)},
	})
	if dec.Category != risk.Unknown || dec.Outcome != risk.Confirm {
		t.Errorf("%v %v %q, want unknown confirm", dec.Category, dec.Outcome, dec.Code)
	}
}

// What a policy waves through in a harmless app does not stand before a part of
// the same line that it asks about.
func TestGravestPartOfALine(t *testing.T) {
	const notes = "com.google.android.keep"
	tree := display(notes, element("WebView", "", "[0,0][1080,2000]"))
	for _, line := range []string{
		"input tap 500 500; service call isms 5 s16 com.example", "service call isms 5 s16 com.example; input tap 500 500",
		"input -d 2 tap 500 500",
	} {
		dec := newDecider(t, "default").Decide(&Request{
			Action: risk.Action{Kind: risk.ShellLine, Shell: line},
			Screen: &Screen{Package: notes, Tree: tree, Observed: true},
		})
		if dec.Outcome != risk.Confirm {
			t.Errorf("%q: %v %v %q, want confirm", line, dec.Outcome, dec.Category, dec.Code)
		}
	}
}

// A claim about a target that the tree does not show may not make less of it
// than what is unknown.
func TestClaimOnAnUnseenTarget(t *testing.T) {
	const notes = "com.google.android.keep"
	dec := newDecider(t, "default").Decide(&Request{
		Action: tapOn(500, 500), Screen: &Screen{Package: notes, Tree: "<hierarchy/>"},
		Target: &Target{Text: "Send", Class: "android.widget.Button"},
	})
	if dec.Outcome != risk.Confirm || dec.Code != Code(screen.NoTree) {
		t.Errorf("%v %v %q, want confirm no_tree", dec.Outcome, dec.Category, dec.Code)
	}
}
