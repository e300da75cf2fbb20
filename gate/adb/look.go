package adb

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/screen"
)

// Bounds of looking. A dump waits up to ten seconds for the screen to be idle
// before it fails (UiAutomation.waitForIdle).
const (
	lookWithin = 20 * time.Second
	shotWithin = 5 * time.Second
	maxTree    = 8 << 20
	maxWindows = 2 << 20
	maxShot    = 4 << 20 // what a desk takes of a screenshot
)

// look reads what the phone shows: from the automation server that runs on it, and
// while one runs from nothing else; from the dump that the agent has just fetched;
// or by a dump of its own. fresh leaves the agent's out; borrowed says that it is
// that. What cannot be seen is a screen without a tree, whose text says why.
func (d *Device) look(ctx context.Context, fresh bool) (v *decide.Screen, borrowed bool) {
	ctx, stop := context.WithTimeout(ctx, lookWithin)
	defer stop()
	f, err := d.focus(ctx)
	if err != nil {
		return unseen(focus{}, fmt.Errorf("the focused window is not known: %w", err)), false
	}
	for range maxLooks {
		tree, borrowed, err := d.tree(ctx, &f, fresh)
		if err != nil {
			return unseen(f, err), false
		}
		// A dump takes seconds. What came up meanwhile is not in it, and would be
		// what a touch lands on.
		now, err := d.focus(ctx)
		if err != nil {
			return unseen(focus{}, fmt.Errorf("the focused window is not known: %w", err)), false
		}
		if now.window == f.window {
			return d.seeing(&f, tree), borrowed
		}
		f = now
	}
	return unseen(f, errRestless), false
}

// maxLooks is how often the screen is looked at that changes meanwhile.
const maxLooks = 3

var errRestless = errors.New("another window comes up at each look")

// seeing is a screen with its tree.
func (d *Device) seeing(f *focus, tree []byte) *decide.Screen {
	v := f.screen()
	v.CapturedAt = d.now().UTC().Format(time.RFC3339Nano)
	v.Tree = string(tree)
	// The error is not lost: a screen that failed carries its Problem.
	v.Parsed, _ = screen.Read(v.Tree, screen.Limits{Bytes: maxTree})
	return v
}

// unseen is a screen that could not be looked at, and why. It is decided as
// unknown. Where it is the agent who keeps the guard from looking, its being
// unknown earns nothing: the screen counts as one that nobody observed.
func unseen(f focus, why error) *decide.Screen {
	v := f.screen()
	v.Observed = v.Observed && !errors.Is(why, errBlind)
	v.Tree = "ERROR: " + why.Error()
	return v
}

// tree fetches the tree of the focused window.
func (d *Device) tree(ctx context.Context, f *focus, fresh bool) (tree []byte, borrowed bool, err error) {
	if tree, running, err := d.fromServer(ctx); running {
		return tree, false, err
	}
	if !fresh {
		if tree, ok := d.fromAgent(f); ok {
			return tree, true, nil
		}
	}
	tree, err = d.dump(ctx)
	return tree, false, err
}

// dump has the phone write its tree, with all windows where it can; older phones
// pass over the option. The file is a new one, so that what comes back is of now or
// nothing: the program fails without saying so.
func (d *Device) dump(ctx context.Context) ([]byte, error) {
	var name [8]byte
	if _, err := io.ReadFull(rand.Reader, name[:]); err != nil {
		return nil, err
	}
	file := "/data/local/tmp/countersign-" + hex.EncodeToString(name[:]) + ".xml"
	return d.ask(ctx, "rm -f "+file+"; uiautomator dump --windows "+file+" >/dev/null 2>&1; cat "+file+"; rm -f "+file, maxTree)
}

// errLong says that the phone said more than was to be read.
var errLong = errors.New("the phone answers at too great length")

// ask runs a line of the gate's own on the phone and returns what it prints.
func (d *Device) ask(ctx context.Context, line string, limit int) ([]byte, error) {
	conn, err := d.dial(ctx, "exec:"+line)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	out, err := io.ReadAll(io.LimitReader(conn, int64(limit)+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case len(out) > limit:
		return nil, errLong
	}
	return out, nil
}

// screenshot is a picture of the screen for whoever is asked; nil when there is
// none soon.
func (d *Device) screenshot(ctx context.Context) []byte {
	ctx, stop := context.WithTimeout(ctx, shotWithin)
	defer stop()
	shot, err := d.ask(ctx, "screencap -p", maxShot)
	if err != nil {
		return nil
	}
	return shot
}
