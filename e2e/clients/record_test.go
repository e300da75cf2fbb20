package clients

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/countersign/countersign/phone"
)

// at is the middle of the node with a text, a description or an id.
func (w *world) at(label string) (x, y int) {
	w.t.Helper()
	for _, n := range w.phone.Nodes() {
		if n.Text == label || n.Description == label || strings.HasSuffix(n.ResourceID, "/"+label) {
			return (n.Bounds.Min.X + n.Bounds.Max.X) / 2, (n.Bounds.Min.Y + n.Bounds.Max.Y) / 2
		}
	}
	w.t.Fatalf("nothing on the phone's screen is called %q", label)
	return 0, 0
}

// acts are the events of the phone's record that do something, be it nothing more
// than opening a dialog.
var acts = []string{
	"tap", "longpress", "swipe", "motion", "text", "key", "keys", "ime", "intent", "broadcast", "stop", "clear",
	"install", "uninstall", "enable", "grant", "clipboard",
}

// since is a look at the phone's record: what it returns wants exactly these acts
// to have reached the phone since.
func (w *world) since() func(when string, want ...string) {
	from, before := len(w.phone.Record()), len(w.phone.Effects())
	return func(when string, want ...string) {
		w.t.Helper()
		var got []string
		for _, e := range w.phone.Record()[from:] {
			if slices.Contains(acts, e.Kind) {
				got = append(got, e.Kind)
			}
		}
		if !slices.Equal(got, want) {
			w.t.Errorf("%s: %q reached the phone, not %q", when, got, want)
		}
		if effects := w.phone.Effects()[before:]; len(want) == 0 && len(effects) > 0 {
			w.t.Errorf("%s: %s", when, said(effects))
		}
	}
}

// happened wants exactly these deeds.
func (w *world) happened(when string, want ...string) {
	w.t.Helper()
	ctx, done := context.WithTimeout(w.ctx, patience)
	defer done()
	effects, _ := w.phone.WaitEffects(ctx, w.before+len(want))
	effects = effects[w.before:]
	var got []string
	for _, e := range effects {
		got = append(got, e.What)
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: %s, not %q", when, said(effects), want)
	}
}

func said(effects []phone.Effect) string {
	var all []string
	for _, e := range effects {
		all = append(all, fmt.Sprintf("%s %s %s %s %s", e.App, e.What, e.Object, e.Recipient, e.Amount))
	}
	return fmt.Sprintf("%d things happened: %s", len(effects), strings.Join(all, "; "))
}
