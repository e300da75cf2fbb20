package phone

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAPhoneThatMisbehaves(t *testing.T) {
	notes := func(t *testing.T, o Options) *Phone {
		p := newPhone(t, o)
		_ = p.Start(Intent{Action: actionMain, Package: "org.example.notes"})
		return p
	}
	dump := func(t *testing.T, p *Phone, o DumpOptions) string {
		t.Helper()
		d, err := p.Dump(o)
		if err != nil {
			t.Fatal(err)
		}
		return string(d)
	}
	t.Run("dumps that fail", func(t *testing.T) {
		p := notes(t, Options{})
		for m, want := range map[*Misbehaviour]error{{DumpFails: true}: ErrNullRoot, {NeverIdle: true}: ErrNotIdle} {
			p.Misbehave(*m)
			if d, err := p.Dump(DumpOptions{}); !errors.Is(err, want) || d != nil {
				t.Errorf("%+v: %s, %v", m, d, err)
			}
		}
		p.Misbehave(Misbehaviour{})
		dump(t, p, DumpOptions{})
	})
	t.Run("a dump that is stale", func(t *testing.T) {
		p := notes(t, Options{})
		before := dump(t, p, DumpOptions{})
		p.Misbehave(Misbehaviour{DumpStale: true})
		step(t, p, "tap Shopping")
		if after := dump(t, p, DumpOptions{}); after != before {
			t.Error("the dump has changed")
		}
		p.Misbehave(Misbehaviour{})
		if after := dump(t, p, DumpOptions{}); !strings.Contains(after, "Bread, milk, apples") {
			t.Error("the dump is stale still")
		}
	})
	t.Run("a dialog between looking and tapping", func(t *testing.T) {
		p := notes(t, Options{})
		p.Misbehave(Misbehaviour{DialogBetween: Dialog{Package: "com.android.systemui", Title: "Battery low", Message: "{row} @send 5 %", Buttons: []string{"Later", "Switch off"}}})
		dump(t, p, DumpOptions{})
		labelled(t, p, "{row} @send 5 %")
		step(t, p, "tap Later")
		p.Misbehave(Misbehaviour{DialogBetween: Dialog{Title: "Sure?", Buttons: []string{"No", "Yes"}}})
		if seen := dump(t, p, DumpOptions{}); strings.Contains(seen, "Sure?") {
			t.Error("the dialog is there before the look")
		}
		if seen := dump(t, p, DumpOptions{}); !strings.Contains(seen, "Sure?") {
			t.Error("the dialog did not come")
		}
		step(t, p, "tap Yes")
		if seen := dump(t, p, DumpOptions{}); strings.Contains(seen, "Sure?") || !slices.Contains(deeds(p), "pressed Yes") {
			t.Errorf("the dialog is there still; effects %q", deeds(p))
		}
	})
	t.Run("slow", func(t *testing.T) {
		var slept []time.Duration
		p := notes(t, Options{Sleep: func(d time.Duration) { slept = append(slept, d) }})
		dump(t, p, DumpOptions{})
		p.Misbehave(Misbehaviour{Slow: 7 * time.Second})
		dump(t, p, DumpOptions{})
		if _, err := p.Screenshot(); err != nil || !slices.Equal(slept, []time.Duration{7 * time.Second, 7 * time.Second}) {
			t.Errorf("slept %v, %v", slept, err)
		}
	})
	t.Run("turned", func(t *testing.T) {
		p := notes(t, Options{})
		p.Misbehave(Misbehaviour{Rotated: true})
		if seen := dump(t, p, DumpOptions{}); !strings.Contains(seen, `<hierarchy rotation="1">`) || !strings.Contains(seen, `[0,0][2400,1080]`) {
			t.Errorf("dump %s", seen)
		}
		p.Misbehave(Misbehaviour{})
		if p.Rotation() != 0 {
			t.Error("it stays turned")
		}
	})
	t.Run("several windows", func(t *testing.T) {
		p := notes(t, Options{})
		p.Misbehave(Misbehaviour{SeveralWindows: true})
		apps := func() (pkgs []string, focused string) {
			for _, w := range p.Windows() {
				if w.Kind == "app" {
					pkgs = append(pkgs, w.Package)
				}
				if w.Focused {
					focused = w.Package
				}
			}
			return pkgs, focused
		}
		pkgs, focused := apps()
		if len(pkgs) != 2 || focused != "org.example.notes" {
			t.Fatalf("windows %q, focus %s", pkgs, focused)
		}
		step(t, p, "tap Shopping")
		labelled(t, p, "Bread, milk, apples")
		_, h := p.Size()
		p.Tap(500, h*3/4) // the other one
		if _, focused := apps(); focused == "org.example.notes" {
			t.Error("a touch does not move the focus")
		}
		if seen := dump(t, p, DumpOptions{}); strings.Contains(seen, `package="org.example.notes"`) {
			t.Error("the dump is of the window without the focus")
		}
	})
	t.Run("secure", func(t *testing.T) {
		p := notes(t, Options{})
		open, _ := p.Screenshot()
		p.Misbehave(Misbehaviour{SecureScreen: true})
		secret, err := p.Screenshot()
		if err != nil || bytes.Equal(open, secret) || len(secret) > len(open) {
			t.Errorf("%d bytes and %d, %v", len(open), len(secret), err)
		}
	})
}

func TestTheShadeIsPulledDownAndGoesAway(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "org.example.notes"})
	in := func() string { pkg, _ := p.Focus(); return pkg }
	pull := func() { p.Swipe(500, 10, 500, 1200, 200*time.Millisecond) }
	for i, c := range []struct {
		do   func()
		want string
	}{
		{pull, "com.android.systemui"},
		{pull, "com.android.systemui"},
		{func() { p.Key(keyBack, false) }, "org.example.notes"},
		{func() { p.Key(keyNotification, false) }, "com.android.systemui"},
		{func() { p.Key(keyHome, false) }, "com.android.launcher3"},
		{pull, "com.android.systemui"},
		{func() { step(t, p, "flick Ines") }, "com.android.systemui"},
		{func() { step(t, p, "tap +49 30 555 0100") }, "com.android.messaging"},
		{pull, "com.android.systemui"},
		{func() { step(t, p, "tap Clear all") }, "com.android.messaging"},
		{pull, "com.android.systemui"},
		{func() { step(t, p, "tap Open settings") }, "com.android.settings"},
		{func() { p.Swipe(500, 300, 500, 1200, 0) }, "com.android.settings"}, // begins below the bar
		{pull, "com.android.systemui"},
		{func() { step(t, p, "tap Airplane mode") }, "com.android.systemui"},
	} {
		if c.do(); in() != c.want {
			t.Fatalf("step %d: %s is in front, want %s", i, in(), c.want)
		}
	}
	if got := deeds(p); !slices.Equal(got, []string{"set global.airplane_mode_on 1"}) {
		t.Errorf("effects %q", got)
	}
	if n := len(p.List("com.android.systemui", "notifications")); n != 0 {
		t.Errorf("%d notifications are left", n)
	}
	for _, w := range p.Windows() {
		if w.Kind == "app" {
			t.Errorf("the window of %s is not covered", w.Package)
		}
	}
}
