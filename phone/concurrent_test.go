package phone

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/screen"
)

// TestManyHandsOnOnePhone uses everything at once; the race detector looks on.
// Every touch is written down, and what everybody sees is whole.
func TestManyHandsOnOnePhone(t *testing.T) {
	p := newPhone(t, Options{})
	hands := []func(i int){
		func(i int) { p.Tap(i*97%1080, i*211%2400) },
		func(i int) { p.Swipe(500, i*97%2400, 500, 100, 0) },
		func(i int) { p.Type("a\n"); p.Key(i%120, false); p.EditorAction(i % 7) },
		func(i int) { p.Motion(Down, i, i); p.Motion(Up, i, i) },
		func(i int) { _ = p.Start(Intent{Action: actionMain, Package: p.Packages()[i%8].Name}) },
		func(i int) { _ = p.Install("org.example.shop", nil); _ = p.Uninstall("org.example.shop") },
		func(i int) {
			p.SetSetting(Secure, keyServices, "a/.A")
			p.Setting(Secure, keyServices)
			p.Settings(Secure)
		},
		func(i int) { p.SetRotation(i); p.Size(); p.Windows(); p.Focus() },
		func(i int) {
			for _, n := range p.Nodes() {
				if n.Clickable && n.Index%7 == i%7 {
					p.TapNode(n)
					break
				}
			}
		},
		func(i int) {
			_ = p.Files().WriteFile("/sdcard/DCIM/x.jpg", []byte{byte(i)}, 0o600)
			_ = p.Files().Remove("/sdcard/DCIM/x.jpg", false)
		},
		func(i int) {
			if _, err := p.Screenshot(); err != nil {
				t.Error(err)
			}
		},
		func(i int) {
			dump, err := p.Dump(DumpOptions{Windows: i%2 == 0})
			if err != nil {
				return // in the dark
			}
			if s, err := screen.Read(dump, screen.Limits{}); err != nil || s.Truncated {
				t.Errorf("a dump that cannot be read: %v", err)
			}
		},
		func(i int) {
			p.Misbehave(Misbehaviour{SeveralWindows: i%2 == 0, DialogBetween: Dialog{Title: "x", Buttons: []string{"y"}}})
		},
	}
	const times = 25
	var wg sync.WaitGroup
	for _, do := range hands {
		wg.Go(func() {
			for i := range times {
				do(i)
			}
		})
	}
	wg.Wait()
	taps := 0
	for _, e := range p.Record() {
		if e.Kind == "tap" && e.Data == nil {
			taps++
		}
	}
	if taps != times {
		t.Errorf("%d taps were written down of %d", taps, times)
	}
	if got := deeds(p); !slices.Contains(got, "deleted /storage/emulated/0/DCIM/x.jpg") || !slices.Contains(got, "uninstalled org.example.shop") {
		t.Errorf("effects %q", got)
	}
}

func TestWaitingForWhatHappens(t *testing.T) {
	p := newPhone(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		p.Note(Event{Kind: "service", Detail: "shell:true"})
		p.Happen(Effect{App: "a", What: "sent"})
		p.Happen(Effect{App: "a", What: "paid"})
	}()
	if got, err := p.WaitEffects(ctx, 2); err != nil || len(got) != 2 || got[1].What != "paid" || got[1].At.Before(got[0].At) {
		t.Errorf("effects %+v, %v", got, err)
	}
	if e, err := p.WaitEvent(ctx, func(e Event) bool { return e.Kind == "service" }); err != nil || e.Detail != "shell:true" || e.At.IsZero() {
		t.Errorf("event %+v, %v", e, err)
	}
	over, stop := context.WithCancel(ctx)
	stop()
	if got, err := p.WaitEffects(over, 3); err == nil || len(got) != 2 {
		t.Errorf("effects %+v, %v", got, err)
	}
	if _, err := p.WaitEvent(over, func(Event) bool { return false }); err == nil {
		t.Error("an event that never was")
	}
	if p.Forget(); len(p.Record())+len(p.Effects()) != 0 {
		t.Error("not forgotten")
	}
}

func TestTheSameIsWrittenDownOnEachRun(t *testing.T) {
	run := func() []Event {
		p := newPhone(t, Options{})
		step(t, p, "tap Notes")
		step(t, p, "long Shopping")
		step(t, p, "tap Delete")
		return p.Record()
	}
	same := func(a, b Event) bool { return a.At.Equal(b.At) && a.Kind == b.Kind && a.Detail == b.Detail }
	if a, b := run(), run(); len(a) != 3 || !slices.EqualFunc(a, b, same) {
		t.Errorf("records\n%+v\n%+v", a, b)
	}
}
