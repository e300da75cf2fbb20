package phone

import (
	"image"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

// pad is an app with one control of each kind that touches mean something to.
const pad = `
package: org.example.pad
label: Pad
home: true
main: pad
variables: {words: "", next: "", slid: "0", ticked: "false"}
lists:
  rows: [{name: one}, {name: two}]
screens:
  pad:
    view:
      column:
        - {class: Button, id: plain, text: Plain, tap: [effect: {what: tapped, object: plain}]}
        - {class: Button, id: both, text: Both, tap: [effect: {what: tapped, object: both}], long: [effect: {what: held, object: both}]}
        - {class: Button, id: off, text: "Off", enabled: ticked, tap: [effect: {what: tapped, object: "off"}]}
        - {class: View, id: slider, height: 56, var: slid, slide: [effect: {what: slid}]}
        - {class: CheckBox, id: tick, text: Tick, var: ticked}
        - {each: rows, class: TextView, text: "{row.name}", tap: [effect: {what: tapped, object: "{row.name}"}], swipe: [effect: {what: dismissed, object: "{row.name}"}]}
        - {class: EditText, id: field, var: words, ime: send, enter: [effect: {what: entered, text: "{words}"}]}
        - {class: EditText, id: next, var: next, ime: next}
        - class: ListView
          id: list
          scroll: true
          weight: 1
          column:
            - {class: TextView, text: first, height: 1200}
            - {class: Button, text: Last, tap: [effect: {what: tapped, object: last}]}
`

// newPad is a phone with the pad as its launcher, and a clock that stands.
func newPad(t testing.TB) (*Phone, *time.Time) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	return newPhone(t, Options{
		Apps: fstest.MapFS{"pad.yaml": {Data: []byte(pad)}},
		Now:  func() time.Time { return now },
	}), &now
}

func TestWhatAFingerDoes(t *testing.T) {
	type points struct{ from, to image.Point }
	at := func(p *Phone, id string) image.Point {
		x, y := middle(labelled(t, p, "#"+id))
		return image.Pt(x, y)
	}
	along := func(p *Phone, id string, percent int) points {
		b := labelled(t, p, "#"+id).Bounds
		y := (b.Min.Y + b.Max.Y) / 2
		return points{image.Pt(b.Min.X, y), image.Pt(b.Min.X+b.Dx()*percent/100, y)}
	}
	swipe := func(p *Phone, s points, ms int) {
		p.Swipe(s.from.X, s.from.Y, s.to.X, s.to.Y, time.Duration(ms)*time.Millisecond)
	}
	cases := []struct {
		name    string
		do      func(p *Phone, now *time.Time)
		effects []string
	}{
		{"a tap", func(p *Phone, _ *time.Time) { c := at(p, "plain"); p.Tap(c.X, c.Y) }, []string{"tapped plain"}},
		{"a tap beside everything", func(p *Phone, _ *time.Time) { p.Tap(-1, 5000) }, nil},
		{"a tap on what is disabled", func(p *Phone, _ *time.Time) { c := at(p, "off"); p.Tap(c.X, c.Y) }, nil},
		{"a long press", func(p *Phone, _ *time.Time) { c := at(p, "both"); p.LongPress(c.X, c.Y, longPress) }, []string{"held both"}},
		{"a press that is not long", func(p *Phone, _ *time.Time) { c := at(p, "both"); p.LongPress(c.X, c.Y, longPress-1) }, []string{"tapped both"}},
		{"a long press of what knows none", func(p *Phone, _ *time.Time) { c := at(p, "plain"); p.LongPress(c.X, c.Y, time.Second) }, []string{"tapped plain"}},
		{"a swipe of no length", func(p *Phone, _ *time.Time) { c := at(p, "both"); swipe(p, points{c, c}, 100) }, []string{"tapped both"}},
		{"a swipe of no length that is held", func(p *Phone, _ *time.Time) { c := at(p, "both"); swipe(p, points{c, c}, 800) }, []string{"held both"}},
		{"a swipe within the slop", func(p *Phone, _ *time.Time) {
			c := at(p, "plain")
			swipe(p, points{c, c.Add(image.Pt(21, 0))}, 100)
		}, []string{"tapped plain"}},
		{"a swipe over the slop", func(p *Phone, _ *time.Time) {
			c := at(p, "plain")
			swipe(p, points{c, c.Add(image.Pt(22, 0))}, 100)
		}, nil},
		{"down and up", func(p *Phone, _ *time.Time) {
			c := at(p, "plain")
			p.Motion(Down, c.X, c.Y)
			p.Motion(Up, c.X, c.Y)
		}, []string{"tapped plain"}},
		{"down, a while, up", func(p *Phone, now *time.Time) {
			c := at(p, "both")
			p.Motion(Down, c.X, c.Y)
			*now = now.Add(longPress)
			p.Motion(Up, c.X, c.Y)
		}, []string{"held both"}},
		{"down and a while, never up", func(p *Phone, now *time.Time) {
			c := at(p, "both")
			p.Motion(Down, c.X, c.Y)
			*now = now.Add(longPress)
		}, []string{"held both"}},
		{"down, a while, up, and what knows no long press", func(p *Phone, now *time.Time) {
			c := at(p, "plain")
			p.Motion(Down, c.X, c.Y)
			*now = now.Add(time.Hour)
			p.Nodes()
			p.Motion(Up, c.X, c.Y)
		}, []string{"tapped plain"}},
		{"down, away and back, up", func(p *Phone, _ *time.Time) {
			c := at(p, "plain")
			p.Motion(Down, c.X, c.Y)
			p.Motion(Move, c.X+200, c.Y)
			p.Motion(Move, c.X, c.Y)
			p.Motion(Up, c.X, c.Y)
		}, nil},
		{"down, cancel, up", func(p *Phone, _ *time.Time) {
			c := at(p, "plain")
			p.Motion(Down, c.X, c.Y)
			p.Motion(Cancel, c.X, c.Y)
			p.Motion(Up, c.X, c.Y)
		}, nil},
		{"up without down", func(p *Phone, _ *time.Time) { c := at(p, "plain"); p.Motion(Up, c.X, c.Y) }, nil},
		{"the slider to its end", func(p *Phone, _ *time.Time) { swipe(p, along(p, "slider", 99), 300) }, []string{"slid"}},
		{"the slider nearly to its end", func(p *Phone, _ *time.Time) { swipe(p, along(p, "slider", 82), 300) }, []string{"slid"}},
		{"the slider not to its end", func(p *Phone, _ *time.Time) { swipe(p, along(p, "slider", 79), 300) }, nil},
		{"the slider from its middle", func(p *Phone, _ *time.Time) {
			s := along(p, "slider", 99)
			s.from.X = at(p, "slider").X
			swipe(p, s, 300)
		}, nil},
		{"the slider twice halfway", func(p *Phone, _ *time.Time) {
			swipe(p, along(p, "slider", 50), 300)
			swipe(p, along(p, "slider", 50), 300)
		}, nil},
		{"a tap at the end of the slider", func(p *Phone, _ *time.Time) { c := along(p, "slider", 99).to; p.Tap(c.X, c.Y) }, nil},
		{"a row swiped away", func(p *Phone, _ *time.Time) { step(t, p, "flick two") }, []string{"dismissed two"}},
		{"a row swiped a little", func(p *Phone, _ *time.Time) {
			x, y := middle(labelled(t, p, "two"))
			p.Swipe(x, y, x+100, y, 100*time.Millisecond)
		}, nil},
		{"a box ticked, then what it allows", func(p *Phone, _ *time.Time) {
			step(t, p, "tap Tick")
			step(t, p, "tap Off")
		}, []string{"tapped off"}},
		{"scrolled to what was below", func(p *Phone, _ *time.Time) {
			c := at(p, "list")
			for range 10 {
				p.Swipe(c.X, c.Y+300, c.X, c.Y-300, 200*time.Millisecond)
			}
			step(t, p, "tap Last")
		}, []string{"tapped last"}},
		{"in the dark", func(p *Phone, _ *time.Time) {
			c := at(p, "plain")
			p.Key(keyPower, false)
			p.Tap(c.X, c.Y)
		}, nil},
		{"in the dark and in the light again", func(p *Phone, _ *time.Time) {
			c := at(p, "plain")
			p.Key(keySleep, false)
			p.Key(keyWakeup, false)
			p.Tap(c.X, c.Y)
		}, []string{"tapped plain"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, now := newPad(t)
			c.do(p, now)
			if got := deeds(p); !slices.Equal(got, c.effects) {
				t.Errorf("effects %q, want %q", got, c.effects)
			}
		})
	}
	if len(cases) != 29 {
		t.Errorf("%d cases, 29 are expected", len(cases))
	}
}

// deeds are the effects by what was done to what.
func deeds(p *Phone) []string {
	var list []string
	for _, e := range p.Effects() {
		deed := e.What
		for _, part := range []string{e.Object, e.Recipient, e.Text} {
			if part != "" {
				deed += " " + part
			}
		}
		list = append(list, deed)
	}
	return list
}

func TestASeekBarStaysWhereItIsPut(t *testing.T) {
	p := newPhone(t, Options{})
	if err := p.Start(Intent{Action: "android.settings.DISPLAY_SETTINGS"}); err != nil {
		t.Fatal(err)
	}
	b := labelled(t, p, "#seekbar").Bounds
	y := (b.Min.Y + b.Max.Y) / 2
	p.Tap(b.Min.X+b.Dx()/4+1, y)
	if got := p.apps["com.android.settings"].variables["brightness"]; got != "25" {
		t.Errorf("touched at a quarter: brightness %s, want 25", got)
	}
	p.Swipe(b.Min.X+b.Dx()/2, y, b.Min.X+b.Dx()*8/10+1, y, 200*time.Millisecond)
	for _, look := range []string{"put there", "still there"} {
		labelled(t, p, "#seekbar")
		if got := p.apps["com.android.settings"].variables["brightness"]; got != "80" {
			t.Errorf("%s: brightness %s, want 80", look, got)
		}
	}
}

func TestATouchOutsideClosesADialogThatMayBeLeft(t *testing.T) {
	for _, c := range []struct {
		steps string
		open  bool
	}{
		{"long Shopping", false}, // notes
		{"ask", true},            // a permission has to be answered
	} {
		p := newPhone(t, Options{})
		if c.steps == "ask" {
			_ = p.Start(Intent{Action: "android.content.pm.action.REQUEST_PERMISSIONS"})
		} else {
			_ = p.Start(Intent{Action: actionMain, Package: "org.example.notes"})
			step(t, p, c.steps)
		}
		if w := p.Windows(); !slices.ContainsFunc(w, func(w Window) bool { return w.Kind == "dialog" && w.Focused }) {
			t.Fatalf("%s: no dialog in %+v", c.steps, w)
		}
		p.Tap(20, 300)
		open := slices.ContainsFunc(p.Windows(), func(w Window) bool { return w.Kind == "dialog" })
		if open != c.open {
			t.Errorf("%s: open is %t", c.steps, open)
		}
		p.Key(keyBack, false)
		if open := slices.ContainsFunc(p.Windows(), func(w Window) bool { return w.Kind == "dialog" }); open != c.open {
			t.Errorf("%s: after BACK open is %t", c.steps, open)
		}
	}
}
