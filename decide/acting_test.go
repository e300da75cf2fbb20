package decide

import (
	"fmt"
	"testing"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// A screen with one of each control that a way of acting can land on.
const actingScreen = `<hierarchy rotation="0" width="1080" height="2400">
<node class="android.widget.FrameLayout" package="com.example.shop" bounds="[0,0][1080,2400]">
 <node class="android.widget.EditText" resource-id="com.example.shop:id/note" package="com.example.shop" text="two of them" hint="Note to the seller" clickable="true" focused="%s" bounds="[0,200][1080,300]"/>
 <node class="android.widget.Button" resource-id="com.example.shop:id/order" text="Place order" package="com.example.shop" clickable="true" focused="%s" bounds="[0,400][1080,500]"/>
 <node class="android.widget.SeekBar" content-desc="Slide to pay" package="com.example.shop" clickable="false" bounds="[0,600][1080,700]"/>
 <node class="android.widget.Button" text="Hold to delete" package="com.example.shop" clickable="true" long-clickable="true" bounds="[0,800][1080,900]"/>
 <node class="androidx.recyclerview.widget.RecyclerView" package="com.example.shop" scrollable="true" bounds="[0,1000][1080,2000]">
  <node class="android.view.ViewGroup" package="com.example.shop" clickable="true" bounds="[0,1000][1080,1100]">
   <node class="android.widget.TextView" text="Blue kettle" package="com.example.shop" bounds="[0,1000][500,1100]"/>
  </node>
  <node class="android.widget.ImageView" content-desc="Delete" package="com.example.shop" bounds="[900,1000][1080,1100]"/>
  <node class="android.view.ViewGroup" package="com.example.shop" clickable="true" bounds="[0,1200][1080,1300]">
   <node class="android.widget.TextView" text="Green kettle" package="com.example.shop" bounds="[0,1200][500,1300]"/>
  </node>
 </node>
 <node class="android.widget.Button" text="Size guide" package="com.example.shop" clickable="true" bounds="[0,2200][1080,2300]"/>
</node></hierarchy>`

func field(attributes string) string {
	return `<hierarchy rotation="0" width="1080" height="2400"><node class="android.widget.FrameLayout" package="com.example.shop" bounds="[0,0][1080,2400]">` +
		`<node class="android.widget.EditText" package="com.example.shop" clickable="true" focused="true" bounds="[0,200][1080,300]" ` + attributes + `/>` +
		`</node></hierarchy>`
}

// Every way of acting that the design lists, row by row.
func TestEveryWayOfActing(t *testing.T) {
	button := fmt.Sprintf(actingScreen, "false", "true")
	inField := fmt.Sprintf(actingScreen, "true", "false")
	at := func(kind risk.ActionKind, x, y int) risk.Action { return risk.Action{Kind: kind, X: &x, Y: &y} }
	swipe := func(x, y, x2, y2 int) risk.Action {
		return risk.Action{Kind: risk.Swipe, X: &x, Y: &y, X2: &x2, Y2: &y2}
	}
	key := func(name string) risk.Action { return risk.Action{Kind: risk.PressKey, Key: name} }
	typed := func(text string) risk.Action { return risk.Action{Kind: risk.TypeText, Text: text} }
	table := []struct {
		name   string
		tree   string
		action risk.Action
		want   risk.Category
	}{
		// A press of the target, in every spelling.
		{"tap", button, at(risk.Tap, 500, 450), risk.Money},
		{"double tap", button, at(risk.DoubleTap, 500, 450), risk.Money},
		{"long press", button, at(risk.LongPress, 500, 450), risk.Money},
		{"motion event", button, at(risk.MotionEvent, 500, 450), risk.Money},
		{"zero-length swipe", button, swipe(500, 450, 502, 451), risk.Money},
		{"DPAD_CENTER on the focused button", button, key("DPAD_CENTER"), risk.Money},
		{"SPACE on the focused button", button, key("KEYCODE_SPACE"), risk.Money},
		{"ENTER on the focused button", button, key("66"), risk.Money},
		{"tap on a harmless button", button, at(risk.Tap, 500, 2250), risk.None},
		// Enter, the IME action and a typed line break in a field.
		{"ENTER in a single-line field", inField, key("ENTER"), risk.Submit},
		{"IME action in a single-line field", inField, risk.Action{Kind: risk.IMEAction}, risk.Submit},
		{"typed line break", inField, typed("three\n"), risk.Submit},
		{"ENTER in a search field", field(`hint="Search"`), key("ENTER"), risk.None},
		{"ENTER in a message field", field(`hint="Message"`), key("ENTER"), risk.Message},
		{"ENTER in a password field", field(`password="true"`), key("ENTER"), risk.Credential},
		{"SPACE in a field", inField, key("SPACE"), risk.None},
		// Slides, holds and swipes over rows.
		{"slide along a slider", button, swipe(50, 650, 1000, 650), risk.Money},
		{"press and hold", button, at(risk.LongPress, 500, 850), risk.Delete},
		{"swipe that deletes a row", button, swipe(800, 1050, 100, 1050), risk.Delete},
		{"swipe over a row with nothing behind it", button, swipe(800, 1250, 100, 1250), risk.None},
		{"swipe that scrolls", button, swipe(500, 1900, 500, 1000), risk.None},
		// Typing.
		{"type", inField, typed("hello"), risk.None},
		{"type into a field", inField, typed("send now"), risk.None},
		{"type a secret that submits itself", field(`password="true"`), typed("1234"), risk.Credential},
		// Keys of the device.
		{"KEYCODE_CALL", inField, key("KEYCODE_CALL"), risk.Call},
		{"POWER held", inField, risk.Action{Kind: risk.PressKey, Key: "POWER", DurationMS: 3000}, risk.Device},
		{"BACK key", inField, key("BACK"), risk.None},
		{"unknown key", inField, key("KEYCODE_FROBNICATE"), risk.Unknown},
		// What moves about.
		{"launch", button, risk.Action{Kind: risk.Launch}, risk.None},
		{"scroll", button, risk.Action{Kind: risk.Scroll}, risk.None},
		{"back", button, risk.Action{Kind: risk.Back}, risk.None},
		{"home", button, risk.Action{Kind: risk.Home}, risk.None},
		{"wait", button, risk.Action{Kind: risk.Wait}, risk.None},
		{"screenshot", button, risk.Action{Kind: risk.Screenshot}, risk.None},
		// Intents, links, shell lines.
		{"call intent", button, risk.Action{Kind: risk.OpenIntent, Intent: "-a android.intent.action.CALL -d tel:+15550100"}, risk.Call},
		{"payment link", button, risk.Action{Kind: risk.OpenLink, Intent: "upi://pay?pa=a@b&am=10"}, risk.Money},
		{"plain link", button, risk.Action{Kind: risk.OpenLink, Intent: "https://example.org/"}, risk.None},
		{"shell tap", button, risk.Action{Kind: risk.ShellLine, Shell: "input tap 500 450"}, risk.Money},
		{"shell harmless tap", button, risk.Action{Kind: risk.ShellLine, Shell: "input tap 500 2250"}, risk.None},
		{"shell chain", button, risk.Action{Kind: risk.ShellLine, Shell: "input tap 500 2250; pm uninstall com.example.notes"}, risk.Uninstall},
		// What nobody knows.
		{"unknown kind", button, risk.Action{Kind: "teleport"}, risk.Unknown},
		{"unknown tool", button, risk.Action{Kind: risk.ToolCall, Tool: "frobnicate"}, risk.Unknown},
	}
	d := newDecider(t, "default")
	ran := 0
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			ran++
			dec := d.Decide(&Request{Action: row.action, Screen: &Screen{Package: "com.example.shop", Tree: row.tree}})
			if dec.Category != row.want {
				t.Errorf("category %v (code %q), want %v: %s", dec.Category, dec.Code, row.want, dec.Reason())
			}
			if asks := dec.Outcome != risk.Allow; asks != row.want.Risky() {
				t.Errorf("outcome %v for %v", dec.Outcome, row.want)
			}
		})
	}
	if ran != len(table) || ran < 42 {
		t.Fatalf("%d cases ran, the table has %d", ran, len(table))
	}
}

// What cannot be seen is unknown, with its reason.
func TestUnseen(t *testing.T) {
	one := func(inner string) string {
		return `<hierarchy width="1080" height="2400"><node class="android.widget.FrameLayout" package="com.example.shop" bounds="[0,0][1080,2400]">` + inner + `</node></hierarchy>`
	}
	table := []struct {
		name, tree string
		x, y       int
		want       Code
	}{
		{"failed dump", "ERROR: could not get idle state.", 1, 1, Code(screen.NoTree)},
		{"empty tree", "<hierarchy/>", 1, 1, Code(screen.NoTree)},
		{"nothing at all", "", 1, 1, Code(screen.NoTree)},
		{"childless WebView", one(`<node class="android.webkit.WebView" package="com.example.shop" bounds="[0,0][1080,2400]"/>`), 500, 500, Code(screen.WebViewOpaque)},
		{"off the display", one(``), 2000, 100, Code(screen.PointOffScreen)},
		{"another app's tree", `<hierarchy><node class="android.widget.Button" package="com.example.other" text="Photos" clickable="true" bounds="[0,0][1080,2400]"/></hierarchy>`, 500, 500, Code(screen.StaleTree)},
	}
	d := newDecider(t, "default")
	for _, row := range table {
		dec := d.Decide(tapAt("com.example.shop", row.tree, row.x, row.y))
		if dec.Category != risk.Unknown || dec.Code != row.want || dec.Outcome != risk.Confirm {
			t.Errorf("%s: %v %q %v, want unknown %q confirm", row.name, dec.Category, dec.Code, dec.Outcome, row.want)
		}
	}
	if len(table) != 6 {
		t.Fatal("rows lost")
	}
}
