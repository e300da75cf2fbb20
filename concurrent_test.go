package countersign_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/countersign/countersign"
)

// One guard serves many goroutines: run under -race. Each sees its own answer.
func TestOneGuardManyCallers(t *testing.T) {
	guard := newGuard(t, "default")
	labels := map[string]bool{
		"Send": true, "Envoyer": true, "删除": true, "Удалить": true, "Pay €24.10": true,
		"Payload": false, "Settings": false, "Sent": false, "Отправлено": false, "已删除": false,
	}
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for round := range 50 {
				for text, want := range labels {
					pkg := fmt.Sprintf("com.example.app%d", (worker+round)%40)
					dec := guard.Decide(&countersign.Request{
						Action: countersign.Action{Kind: countersign.Tap},
						Screen: &countersign.Screen{Package: pkg},
						Target: &countersign.Target{Text: text, Class: "android.widget.Button"},
					})
					if got := dec.Outcome != countersign.Allow; got != want || dec.Package != pkg {
						t.Errorf("%q in %s: asks %v, want %v: %s", text, pkg, got, want, dec.Reason())
						return
					}
				}
			}
		})
	}
	group.Wait()
}
