package phone

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/screen"
)

// monkeySteps are all that can come to a phone from outside.
var monkeySteps = map[string]func(t *rapid.T, p *Phone){
	"tap": func(t *rapid.T, p *Phone) {
		n := anyNode(t, p)
		p.Tap(middle(n))
	},
	"long": func(t *rapid.T, p *Phone) {
		x, y := middle(anyNode(t, p))
		p.LongPress(x, y, longPress)
	},
	"swipe": func(t *rapid.T, p *Phone) {
		a, b := anyNode(t, p), anyNode(t, p)
		x, y := middle(a)
		p.Swipe(x, y, b.Bounds.Max.X, b.Bounds.Min.Y, time.Millisecond)
	},
	"node":  func(t *rapid.T, p *Phone) { p.TapNode(anyNode(t, p)) },
	"write": func(t *rapid.T, p *Phone) { p.SetText(anyNode(t, p), rapid.StringN(0, 5, 20).Draw(t, "text")) },
	"type":  func(t *rapid.T, p *Phone) { p.Type(rapid.StringN(0, 5, 20).Draw(t, "text")) },
	"key": func(t *rapid.T, p *Phone) {
		p.Key(rapid.SampledFrom([]int{3, 4, 5, 19, 20, 23, 29, 61, 62, 66, 67, 187, 279}).Draw(t, "key"), false)
	},
	"action": func(t *rapid.T, p *Phone) { p.EditorAction(rapid.IntRange(0, 7).Draw(t, "action")) },
	"start": func(t *rapid.T, p *Phone) {
		i := Intent{Action: actionMain, Package: rapid.SampledFrom(p.Packages()).Draw(t, "package").Name}
		_ = p.Start(i)
	},
	"link": func(t *rapid.T, p *Phone) {
		_ = p.Start(Intent{Data: rapid.SampledFrom([]string{"tel:1", "sms:1?body=x", "mailto:a@b", "bank:x", "https://x", "%"}).Draw(t, "link")})
	},
	"stop":  func(t *rapid.T, p *Phone) { p.Stop(rapid.SampledFrom(p.Packages()).Draw(t, "package").Name) },
	"clear": func(t *rapid.T, p *Phone) { _ = p.Clear(rapid.SampledFrom(p.Packages()).Draw(t, "package").Name) },
	"remove": func(t *rapid.T, p *Phone) {
		_ = p.Uninstall(rapid.SampledFrom(p.Packages()).Draw(t, "package").Name)
	},
	"turn":   func(t *rapid.T, p *Phone) { p.SetRotation(rapid.IntRange(0, 3).Draw(t, "quarters")) },
	"split":  func(t *rapid.T, p *Phone) { p.Misbehave(Misbehaviour{SeveralWindows: rapid.Bool().Draw(t, "split")}) },
	"dialog": func(_ *rapid.T, p *Phone) { p.ShowDialog(Dialog{Title: "T", Buttons: []string{"A", "B"}}) },
}

func anyNode(t *rapid.T, p *Phone) Node { return rapid.SampledFrom(p.AllNodes()).Draw(t, "node") }

// TestNothingThatComesToAPhoneBreaksIt: whatever comes, in whatever order, some
// app is in front, its window has the focus and can be read, and what happened
// is in order.
func TestNothingThatComesToAPhoneBreaksIt(t *testing.T) {
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range monkeySteps {
			if !yield(name) {
				return
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		p := newPhoneIn(t, "en")
		for range 30 {
			monkeySteps[rapid.SampledFrom(names).Draw(t, "step")](t, p)
			pkg, _ := p.Focus()
			focused := 0
			for _, w := range p.Windows() {
				if w.Focused {
					if focused++; w.Package != pkg {
						t.Fatalf("%s is in front, %s has the focus", pkg, w.Package)
					}
				}
			}
			if _, installed := p.Package(pkg); !installed || focused != 1 {
				t.Fatalf("%s is in front; installed: %t; %d windows have the focus", pkg, installed, focused)
			}
		}
		dump, err := p.Dump(DumpOptions{Windows: true})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := screen.Read(dump, screen.Limits{}); err != nil || len(s.Nodes) != len(p.AllNodes()) {
			t.Fatalf("%v: %s", err, dump)
		}
		if !slices.IsSortedFunc(p.Effects(), func(a, b Effect) int { return a.At.Compare(b.At) }) {
			t.Fatal("effects out of order")
		}
	})
}
