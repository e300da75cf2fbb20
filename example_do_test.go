package countersign_test

import (
	"context"
	"fmt"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/store/sqlite"
)

// A phone that shows one screen. A real one would be looked at over adb or by an
// accessibility service.
type phone struct{ tree string }

func (p phone) Observe(context.Context) (*countersign.Screen, error) {
	return &countersign.Screen{Package: "com.whatsapp", Tree: p.tree, Observed: true}, nil
}

func (p phone) Release(_ context.Context, req *countersign.Request) error {
	fmt.Println("the phone is tapped at", *req.Action.X, *req.Action.Y)
	return nil
}

// The whole guard in a program of your own: it looks, decides, records, asks,
// looks again, and acts once.
func ExampleGuard_Do() {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Options{}) // a file in real life
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	guard, err := countersign.New(countersign.Options{
		Store: store, DigestKey: []byte("32 bytes that only this guard has"),
		Ask: func(_ context.Context, q countersign.Approval) (bool, string, error) {
			fmt.Println("asked:", q.Card.Reason)
			return true, "", nil // a person would be asked here
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer guard.Close()

	device := phone{tree: `<hierarchy><node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]">
		<node class="android.widget.ImageButton" package="com.whatsapp" content-desc="Envoyer" clickable="true" bounds="[900,2100][1000,2200]"/>
	</node></hierarchy>`}
	x, y := 950, 2150
	tap := &countersign.Request{Action: countersign.Action{Kind: countersign.Tap, X: &x, Y: &y}}
	ticket, err := guard.Do(ctx, tap, device, device)
	fmt.Println(ticket.Approval.State, err)
	// Output:
	// asked: Sends a message in WhatsApp (HIGH). The control says “Envoyer”.
	// the phone is tapped at 950 2150
	// released <nil>
}
