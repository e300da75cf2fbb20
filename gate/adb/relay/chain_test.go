package relay

import (
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// anAct draws one act that can stand in a chain.
func anAct(t *rapid.T) risk.Action {
	pixel := rapid.IntRange(-50, 4000)
	ms := rapid.IntRange(0, 3000).Draw(t, "ms")
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return press(pixel.Draw(t, "x"), pixel.Draw(t, "y"), ms)
	case 1:
		return swipe(pixel.Draw(t, "x"), pixel.Draw(t, "y"), pixel.Draw(t, "x2"), pixel.Draw(t, "y2"), ms)
	case 2:
		a := key(rapid.SampledFrom([]string{"ENTER", "66", "DPAD_CENTER", "BACK"}).Draw(t, "key"))
		a.DurationMS = ms
		return a
	case 3:
		return typing(rapid.OneOf(
			rapid.SampledFrom([]string{"", "it's", "$(reboot)", "`id`", "a; b && c", "100%sure", "%s%s", "-d", "\\n", "\"", "a\nb", "日本"}),
			rapid.StringMatching(`[ -~]{0,20}`),
		).Draw(t, "text"))
	}
	return risk.Action{Kind: risk.Back}
}

// pressOf is what the phone's own reading of a line has to see in an act.
func pressOf(a *risk.Action) command.Press {
	p := command.Press{Text: a.Text, Key: a.Key}
	if a.X != nil {
		p.X, p.Y = *a.X, *a.Y
	}
	switch a.Kind {
	case risk.Tap:
		p.Kind = command.PressTap
	case risk.LongPress:
		p.Kind, p.X2, p.Y2, p.Duration = command.PressTap, p.X, p.Y, time.Duration(a.DurationMS)*time.Millisecond
	case risk.Swipe:
		p.Kind, p.X2, p.Y2, p.Duration = command.PressSwipe, *a.X2, *a.Y2, time.Duration(a.DurationMS)*time.Millisecond
		if across, down := p.X2-p.X, p.Y2-p.Y; across*across+down*down <= slop*slop {
			p.Kind = command.PressTap
		}
	case risk.TypeText:
		p.Kind = command.PressType
	}
	return p
}

// A chain is judged by the line that does the same: the line has to be read as the
// very acts it was made of.
func TestAChainIsReadAsTheActsItWasMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		acts := rapid.SliceOfN(rapid.Custom(anAct), 2, 6).Draw(t, "acts")
		composed := compose(acts)
		if composed == nil || composed.Kind == risk.DoubleTap {
			return // two taps at one place
		}
		effects := command.Shell(composed.Shell)
		var pressed []command.Press
		for _, e := range effects {
			switch {
			case e.Press != nil:
				pressed = append(pressed, *e.Press)
			case e.Code == "unseen_screen": // the screen that an earlier part leads to
			case e.Term != "key BACK" && e.Category != risk.None:
				t.Fatalf("%q has a part that is %s (%s)", composed.Shell, e.Category, e.Code)
			}
		}
		at := 0
		for i := range acts {
			a := &acts[i]
			if a.Kind == risk.PressKey || a.Kind == risk.Back {
				if a.Kind == risk.PressKey && a.Key != "BACK" {
					at++
				}
				continue
			}
			want := pressOf(a)
			if a.Kind == risk.TypeText {
				typed := ""
				for n := strings.Count(a.Text, "%s"); n >= 0; n-- {
					if at >= len(pressed) || pressed[at].Kind != command.PressType {
						t.Fatalf("%q does not type %q", composed.Shell, a.Text)
					}
					typed += pressed[at].Text
					at++
				}
				if typed != a.Text {
					t.Fatalf("%q types %q, want %q", composed.Shell, typed, a.Text)
				}
				continue
			}
			if at >= len(pressed) || pressed[at] != want {
				t.Fatalf("act %d of %q is read as %+v, want %+v", i, composed.Shell, pressed, want)
			}
			at++
		}
		if at != len(pressed) {
			t.Fatalf("%q presses %d times, the acts %d times", composed.Shell, len(pressed), at)
		}
	})
}

// What calls are turned into lines for is judged by the lines: none of them may
// mean something else.
func TestLinesMeanWhatTheirCallsDo(t *testing.T) {
	cases := []struct {
		line string
		want risk.Category
	}{
		{"cmd clipboard get-text", risk.Disclose},
		{"cmd statusbar expand-notifications", risk.None},
		{"cmd statusbar expand-settings", risk.None},
		{"settings put system user_rotation 0", risk.None},
		{"settings put system accelerometer_rotation 0", risk.None},
		{"monkey -p com.bank -c android.intent.category.LAUNCHER 1", risk.None},
		{"am start -n 'com.bank/.Pay'", risk.None},
		{"am force-stop com.bank", risk.Other},
		{"am start -a 'android.intent.action.VIEW' -d 'tel:112'", risk.None}, // opens the dialler
		{"am start -a 'android.intent.action.CALL' -d 'tel:112' -p com.x", risk.Device},
		{"sleep 0", risk.None},
	}
	if len(cases) != 11 {
		t.Fatalf("%d cases, 11 were written", len(cases))
	}
	for _, c := range cases {
		effects := command.Shell(c.line)
		if len(effects) != 1 || effects[0].Category != c.want || effects[0].Press != nil {
			t.Errorf("%s is %+v, want %s", c.line, effects, c.want)
		}
	}
}

func TestAPathIsOneTouch(t *testing.T) {
	acts := path([]int{1, 2, 300, 400, 5, 6}, 100)
	if len(acts) != 1 {
		t.Fatalf("a path is %d acts", len(acts))
	}
	effects := command.Shell(acts[0].Shell)
	if len(effects) != 4 {
		t.Errorf("%s is %d parts, want 4", acts[0].Shell, len(effects))
	}
	for _, e := range effects {
		if e.Press == nil {
			t.Errorf("%s has a part that is %s (%s)", acts[0].Shell, e.Category, e.Code)
		}
	}
}
