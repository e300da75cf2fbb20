package adb_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/phone"
)

// What is held is done once after a yes, as it came, and not at all after a no.
func TestAnswers(t *testing.T) {
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f)
		for _, s := range []*scene{composer, removal, chat} {
			w.show(s)
			tap := w.fill(s, "shell,v2,TERM=xterm,raw:input tap {xy}")
			end := w.begin(tap, "")
			q := w.question()
			if !q.Card.Observed {
				t.Errorf("%s: the question does not say that the guard looked itself: %+v", s.target, q.Card)
			}
			w.nothingHappened("while it is held")
			w.must(w.answer(q, true))
			if r := end(); !r.passed() {
				t.Errorf("after a yes: %+v", r)
			}
			w.happened("after a yes", s.harm)
			if got := w.reached(); len(got) != 1 || got[0] != tap {
				t.Errorf("after a yes the phone got %q", got)
			}
		}
		w.show(payment)
		end := w.begin(w.fill(payment, "shell:input swipe {slide} 300"), "")
		w.must(w.answer(w.question(), false))
		if r := end(); r.passed() {
			t.Errorf("after a no: %+v", r)
		}
		if r := w.serve(w.fill(payment, "exec:input draganddrop {slide} 300"), ""); r.passed() {
			t.Errorf("the same by another way after a no: %+v", r)
		}
		w.nothingHappened("after a no")
		if got := w.reached(); len(got) > 0 {
			t.Errorf("after a no the phone got %q", got)
		}
	})
}

// A client that hangs up ends its question; a yes that comes later is a conflict,
// and nothing reaches the phone.
func TestClientGone(t *testing.T) {
	forms := []string{"shell:input tap {xy}", "shell,v2,raw:input tap {xy}", "exec:input tap {xy}", "abb_exec:input\x00tap\x00{x}\x00{y}"}
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f)
		for _, form := range forms {
			w.show(composer)
			ctx, hangUp := context.WithCancel(w.ctx)
			gone := make(chan struct{})
			go func() {
				defer close(gone)
				w.ask(ctx, w.fill(composer, form), "")
			}()
			q := w.question()
			if f == asDevice && !strings.HasPrefix(form, "shell,v2") {
				// Without an OKAY an opening cannot be taken back: the agent's server
				// answers for its clients when it is asked, just before the release.
				w.session.Close()
			}
			hangUp()
			<-gone
			w.settled(q.ID, approval.Cancelled)
			var conflict *approval.Conflict
			if err := w.answer(q, true); !errors.As(err, &conflict) {
				t.Errorf("%q: a yes after the client was gone: %v", form, err)
			}
			if got := w.reached(); len(got) > 0 {
				t.Errorf("%q: the phone got %q", form, got)
			}
			w.nothingHappened(form)
			if f == asDevice {
				_, device := w.guard.ADBAddrs()
				w.session.Close()
				w.session = hostOf(t, device)
			}
		}
	})
}

// A client whose patience ends before the owner has answered is told to ask again;
// then the answer counts, once.
func TestParked(t *testing.T) {
	t.Parallel() // it is the patience of a call that is waited for
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f)
		w.runs(u2)
		w.show(composer)
		click := w.fillCall(&call{scene: composer, sent: rpc("click", "{x},{y}")})
		if r := w.serve(u2, click); !strings.Contains(r.out, "not answered yet") {
			t.Fatalf("a call that nobody answered was told %+v", r)
		}
		q := w.question()
		if q.ParkedUntil.IsZero() {
			t.Fatal("the question is not parked")
		}
		w.must(w.answer(q, true))
		w.nothingHappened("nobody waits for it")
		if r := w.serve(u2, click); !strings.Contains(r.out, `"result":true`) {
			t.Errorf("asked again after the yes: %+v", r)
		}
		w.happened("asked again", "sent")
		w.settled(q.ID, approval.Released)
		if got := w.came("tap"); len(got) != 1 {
			t.Errorf("the phone was tapped at %q", got)
		}
		w.show(composer)
		end := w.begin(u2, click)
		if second := w.question(); second.ID == q.ID {
			t.Error("one yes was used twice")
		} else {
			w.must(w.answer(second, false))
		}
		end()
		w.nothingHappened("one yes was used up")
	})
}

// A dialog that comes up between the answer and the release takes the tap's
// place: nothing is tapped, and asking again says what there is now.
func TestDialogBetween(t *testing.T) {
	dialog := phone.Dialog{Title: "Pay 900 EUR to Bob?", Buttons: []string{"Pay 900 EUR"}}
	comes := map[string]func(w *world){
		"before the answer":      func(w *world) { w.phone.ShowDialog(dialog) },
		"after the gate's look":  func(w *world) { w.phone.Misbehave(phone.Misbehaviour{DialogBetween: dialog}) },
		"another app comes":      func(w *world) { w.must(w.phone.Start(removal.intent)) },
		"the phone is turned":    func(w *world) { w.phone.Misbehave(phone.Misbehaviour{Rotated: true}) },
		"the dump goes wrong":    func(w *world) { w.phone.Misbehave(phone.Misbehaviour{DumpFails: true}) },
		"the screen never rests": func(w *world) { w.phone.Misbehave(phone.Misbehaviour{NeverIdle: true}) },
	}
	if len(comes) != 6 {
		t.Fatalf("%d cases", len(comes))
	}
	fronts(t, func(t *testing.T, f front) {
		for name, come := range comes {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, f)
				w.show(composer)
				end := w.begin(w.fill(composer, "shell:input tap {xy}"), "")
				q := w.question()
				come(w)
				seen := len(w.came("dump"))
				w.must(w.answer(q, true))
				r := end()
				if name == "after the gate's look" {
					// The look came first, so the tap may be on its way; it lands on what
					// was looked at, or on the dialog's empty space, never on its button.
					for _, e := range w.phone.Effects() {
						if e.What == "pressed" {
							t.Errorf("the dialog's button was pressed: %+v", e)
						}
					}
					return
				}
				if r.passed() || f == asServer && !strings.Contains(r.refused, "countersign") {
					t.Errorf("the client was told %+v", r)
				}
				if got := w.reached(); len(got) > 0 {
					t.Errorf("the phone got %q", got)
				}
				w.nothingHappened(name)
				w.settled(q.ID, approval.Void)
				if len(w.came("dump")) == seen {
					t.Error("nobody looked again")
				}
				w.phone.Misbehave(phone.Misbehaviour{})
			})
		}
	})
}

// After the screen has changed the same tap is a question of its own, whose card
// says what has changed.
func TestNewCardSaysWhatChanged(t *testing.T) {
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f)
		w.show(composer)
		tap := w.fill(composer, "shell:input tap {xy}")
		end := w.begin(tap, "")
		q := w.question()
		w.must(w.phone.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "mailto:eve@example.org?subject=Hello"}))
		w.must(w.answer(q, true))
		if r := end(); r.passed() {
			t.Errorf("another recipient: %+v", r)
		}
		w.nothingHappened("the recipient is another one")
		w.settled(q.ID, approval.Void)
		ended := w.begin(tap, "")
		next := w.question()
		if next.ID == q.ID || next.Digest == q.Digest {
			t.Error("the question about another recipient is the same one")
		}
		if text := fmt.Sprintf("%+v", next); !strings.Contains(text, "eve@example.org") || next.Card.Before == "" {
			t.Errorf("the new card says %+v", next.Card)
		}
		w.must(w.answer(next, false))
		ended()
		w.nothingHappened("a no")
	})
}

// What cannot be seen is asked about, with the reason, and never passes because
// there seems to be nothing.
func TestUnseen(t *testing.T) {
	blind := map[string]struct {
		scene *scene
		wrong phone.Misbehaviour
		at    string // what is tapped
	}{
		"the dump fails with exit 0": {composer, phone.Misbehaviour{DumpFails: true}, "message_content"},
		"the screen never rests":     {composer, phone.Misbehaviour{NeverIdle: true}, "message_content"},
		"a web page without nodes":   {&scene{intent: phone.Intent{Action: "android.intent.action.VIEW", Data: "https://forum.example.org"}}, phone.Misbehaviour{}, "android.webkit.WebView"},
	}
	if len(blind) != 3 {
		t.Fatalf("%d cases", len(blind))
	}
	fronts(t, func(t *testing.T, f front) {
		for name, c := range blind {
			w := newWorld(t, f) // since a no is remembered
			w.show(c.scene)
			x, y := w.spot(c.at)
			w.phone.Misbehave(c.wrong)
			end := w.begin(fmt.Sprintf("shell:input tap %d %d", x, y), "")
			q := w.question()
			if q.Card.Category.String() != "unknown" {
				t.Errorf("%s: the question is about %v", name, q.Card.Category)
			}
			w.must(w.answer(q, false))
			if r := end(); r.passed() {
				t.Errorf("%s: %+v", name, r)
			}
			w.nothingHappened(name)
			w.phone.Misbehave(phone.Misbehaviour{})
		}
	})
}

// spot is the middle of the control with a name, or of the first of a class.
func (w *world) spot(name string) (x, y int) {
	for _, n := range w.phone.Nodes() {
		if n.Class == name {
			return (n.Bounds.Min.X + n.Bounds.Max.X) / 2, (n.Bounds.Min.Y + n.Bounds.Max.Y) / 2
		}
	}
	return w.at(name)
}

// A phone that misbehaves in other ways is judged by what it shows then: turned,
// with two apps side by side, with screenshots forbidden.
func TestOddScreens(t *testing.T) {
	odd := map[string]phone.Misbehaviour{
		"turned":                 {Rotated: true},
		"two apps":               {SeveralWindows: true},
		"screenshots are secure": {SecureScreen: true},
	}
	fronts(t, func(t *testing.T, f front) {
		for name, wrong := range odd {
			w := newWorld(t, f) // since a no is remembered
			w.phone.Misbehave(wrong)
			w.show(composer)
			end := w.begin(w.fill(composer, "exec:input tap {xy}"), "")
			q := w.question()
			if q.Card.Category.String() != "message" {
				t.Errorf("%s: the question is about %v: %s", name, q.Card.Category, q.Card.Reason)
			}
			w.must(w.answer(q, false))
			if r := end(); r.passed() {
				t.Errorf("%s: %+v", name, r)
			}
			w.nothingHappened(name)
			w.harmless(composer)
			w.phone.Misbehave(phone.Misbehaviour{})
		}
	})
}

// A dump that the phone does not bring up to date shows what was there; the
// focused window gives it away.
func TestStaleDump(t *testing.T) {
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f, unattended)
		w.must(w.phone.Start(phone.Intent{Component: "org.example.notes/.NotesActivity", Action: "android.intent.action.MAIN"}))
		w.phone.Misbehave(phone.Misbehaviour{DumpStale: true})
		w.show(composer)
		w.tryLine(w.fill(composer, "shell:input tap {xy}"))
		w.phone.Misbehave(phone.Misbehaviour{})
	})
}
