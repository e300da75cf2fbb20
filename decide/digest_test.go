package decide

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// One action has one digest however it is spelled, and another action another.
func TestDigestIsOfTheAction(t *testing.T) {
	d := newDecider(t, "default")
	const focused = pressable + `focused="true" text="Pay now"`
	tree := display(shop, element("Button", focused, "[0,400][1080,500]"), detailsButton)
	digest := func(a risk.Action, device, tree string) string {
		dec := d.Decide(&Request{Action: a, Device: device, Screen: &Screen{Package: shop, Tree: tree}})
		return dec.Digest()
	}
	first := 1
	shell := func(line string) risk.Action { return risk.Action{Kind: risk.ShellLine, Shell: line} }
	key := func(name string) risk.Action { return risk.Action{Kind: risk.PressKey, Key: name} }

	tap := digest(tapOn(500, 450), "serial", tree)
	for name, a := range map[string]risk.Action{
		"another point":      tapOn(20, 401),
		"a scaled point":     inSpace(tapOn(250, 225), 540, 1200),
		"the node":           {Kind: risk.Tap, Node: &first},
		"a selector":         {Kind: risk.Tap, Selector: &risk.Selector{Text: "Pay now"}},
		"a motion event":     {Kind: risk.MotionEvent, X: tapOn(500, 450).X, Y: tapOn(500, 450).Y},
		"a swipe on it":      swipeFrom(500, 450, 501, 450),
		"a swipe along it":   swipeFrom(100, 450, 900, 450),
		"a shell line":       shell("input tap 500 450"),
		"a shell line, bent": shell("input   touchscreen tap 21 402"),
	} {
		if got := digest(a, "serial", tree); got != tap {
			t.Errorf("%s has another digest than the tap", name)
		}
	}
	enter := digest(key("ENTER"), "serial", tree)
	for _, name := range []string{"66", "KEYCODE_ENTER", "enter"} {
		if digest(key(name), "serial", tree) != enter {
			t.Errorf("key %s has another digest than ENTER", name)
		}
	}
	for name, other := range map[string]string{
		"another device":     digest(tapOn(500, 450), "other", tree),
		"another target":     digest(tapOn(500, 650), "serial", tree),
		"another way":        digest(risk.Action{Kind: risk.LongPress, X: tapOn(500, 450).X, Y: tapOn(500, 450).Y}, "serial", tree),
		"a key":              enter,
		"a line of more":     digest(shell("input tap 500 450; sleep 1; am start -n a/b"), "serial", tree),
		"an invalid byte":    digest(shell("rm /sdcard/\xff"), "serial", tree),
		"another one":        digest(shell("rm /sdcard/\xfe"), "serial", tree),
		"the same character": digest(shell("rm /sdcard/\ufffd"), "serial", tree),
	} {
		if other == tap || other == "" {
			t.Errorf("%s has the digest of the tap, or none", name)
		}
	}
	if digest(shell("rm /sdcard/\xff"), "", tree) == digest(shell("rm /sdcard/\xfe"), "", tree) {
		t.Error("two lines that differ in a byte have one digest")
	}
}

// Who gets it may stand anywhere in a dialog: another one is another question.
func TestDigestIsOfTheWholeDialog(t *testing.T) {
	d := newDecider(t, "default")
	digest := func(to string) string {
		tree := display(shop, element("FrameLayout", `resource-id="com.example.shop:id/design_bottom_sheet"`, "[0,1000][1080,2400]",
			element("TextView", `text="Confirm payment"`, "[0,1000][1080,1100]"),
			element("TextView", `text="24.10 €"`, "[0,1100][1080,1200]"),
			element("TextView", `text="`+to+`"`, "[0,1200][1080,1300]"),
			element("Button", pressable+`text="OK"`, "[0,2000][1080,2100]")))
		dec := d.Decide(&Request{Action: tapOn(500, 2050), Screen: &Screen{Package: shop, Tree: tree}})
		return dec.Digest()
	}
	anna, again, berta := digest("To Anna"), digest("To Anna"), digest("To Berta")
	if anna == berta || anna != again {
		t.Error("the digest does not tell who gets the money")
	}
}

// Where nothing is known of what is under the finger the point is all there is:
// a yes to one tap must not be a yes to another.
func TestDigestOfWhatCannotBeSeenHoldsThePlace(t *testing.T) {
	d := newDecider(t, "default")
	opaque := display(shop, element("WebView", `focusable="true"`, "[0,200][1080,2400]"))
	cases := 0
	for name, screen := range map[string]*Screen{
		"no screen": nil, "no tree": {Package: shop}, "a dump that failed": {Package: shop, Tree: " "}, "a page that shows nothing": {Package: shop, Tree: opaque},
	} {
		at := func(x, y int) Decision { return d.Decide(&Request{Action: tapOn(x, y), Screen: screen}) }
		one, same, other := at(100, 700), at(100, 700), at(500, 1500)
		cases++
		if one.Category != risk.Unknown || one.Digest() == "" {
			t.Errorf("%s: %v, digest %q", name, one.Category, one.Digest())
		}
		if one.Digest() != same.Digest() || one.Digest() == other.Digest() {
			t.Errorf("%s: two taps at one point differ, or two points are one", name)
		}
		if one.Intent() == other.Intent() {
			t.Errorf("%s: the refusal of one tap refuses another", name)
		}
	}
	if cases != 4 {
		t.Errorf("%d cases", cases)
	}
}
