package countersign_test

import (
	"fmt"

	"github.com/countersign/countersign"
)

// What a whole use looks like: a dump, a tap on it, and the decision.
func Example() {
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		fmt.Println(err) // the guard now denies everything
		return
	}
	x, y := 950, 2150
	decision := guard.Decide(&countersign.Request{
		Action: countersign.Action{Kind: countersign.Tap, X: &x, Y: &y},
		Screen: &countersign.Screen{
			Package: "com.whatsapp",
			Tree: `<hierarchy><node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]">
				<node class="android.widget.EditText" package="com.whatsapp" text="See you at six" bounds="[0,2100][880,2200]"/>
				<node class="android.widget.ImageButton" package="com.whatsapp" content-desc="Envoyer" clickable="true" bounds="[900,2100][1000,2200]"/>
			</node></hierarchy>`,
		},
	})
	fmt.Println(decision.Outcome, decision.Category, decision.Source, decision.Delta)
	fmt.Println(decision.Reason())
	fmt.Println(decision.Facts().Text)
	// Output:
	// confirm message CONTEXT_AWARE_GUARD added
	// Sends a message in WhatsApp (HIGH). The control says “Envoyer”.
	// See you at six
}

// For callers who know three labels and a package only.
func ExampleGuard_ShouldConfirm() {
	guard, err := countersign.New(countersign.Options{Policy: "default"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(guard.ShouldConfirm("Envoyer", "", "com.whatsapp:id/send", "com.whatsapp"))
	fmt.Println(guard.ShouldConfirm("Payload size", "", "", "com.whatsapp"))
	fmt.Println(guard.TierFor("com.google.android.keep"))
	// Output:
	// true
	// false
	// LOW
}
