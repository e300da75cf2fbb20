package adb

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/countersign/countersign/decide"
)

// focus is what `dumpsys window` says of the window in front.
type focus struct {
	// window is the whole of it, with its token: another dialog of the same app is
	// another window.
	window        string
	app, activity string
	width, height int
	rotation      int
}

var (
	focusLine    = regexp.MustCompile(`mCurrentFocus=(Window\{[^}\n]{1,300}\})`)
	focusName    = regexp.MustCompile(`([A-Za-z][\w.]*)/([\w.$]+)\}$`)
	sizeWords    = regexp.MustCompile(`\bcur=(\d{2,5})x(\d{2,5})\b`)
	rotationWord = regexp.MustCompile(`\bm(?:Current)?Rotation=(?:ROTATION_)?(\d{1,3})\b`)
	physicalSize = regexp.MustCompile(`(?:Physical|Override) size: (\d{2,5})x(\d{2,5})`)
)

var errNoFocus = errors.New("no window has the focus")

// focus asks which window is in front, on the display that is listed first.
func (d *Device) focus(ctx context.Context) (focus, error) {
	out, err := d.ask(ctx, "dumpsys window", maxWindows)
	if err != nil {
		return focus{}, err
	}
	f, err := readFocus(string(out))
	if err != nil || f.width > 0 {
		return f, err
	}
	if out, err = d.ask(ctx, "wm size", 4<<10); err != nil {
		return focus{}, err
	}
	f.readSize(string(out))
	return f, nil
}

// readFocus reads the output of `dumpsys window`.
func readFocus(out string) (focus, error) {
	var f focus
	at := focusLine.FindStringSubmatch(out)
	if at == nil {
		return f, errNoFocus
	}
	f.window = at[1]
	if name := focusName.FindStringSubmatch(f.window); name != nil {
		f.app, f.activity = name[1], name[2]
	}
	if size := sizeWords.FindStringSubmatch(out); size != nil {
		f.width, f.height = number(size[1]), number(size[2])
	}
	if turned := rotationWord.FindStringSubmatch(out); turned != nil {
		if f.rotation = number(turned[1]); f.rotation > 3 {
			f.rotation = f.rotation / 90 % 4
		}
	}
	return f, nil
}

// readSize reads the output of `wm size`: what was set stands behind what the
// panel has, and both as the phone is held upright.
func (f *focus) readSize(out string) {
	all := physicalSize.FindAllStringSubmatch(out, -1)
	if len(all) == 0 {
		return
	}
	size := all[len(all)-1]
	f.width, f.height = number(size[1]), number(size[2])
	if f.rotation%2 == 1 {
		f.width, f.height = f.height, f.width
	}
}

// screen is what is known without a tree.
func (f *focus) screen() *decide.Screen {
	return &decide.Screen{
		Package: f.app, Activity: f.activity, Width: f.width, Height: f.height,
		Rotation: f.rotation, Observed: f.window != "",
	}
}

// number reads digits that a pattern has matched.
func number(digits string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(digits, "0"))
	return n
}
