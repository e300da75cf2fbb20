package hold

import (
	"context"
	"fmt"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/picture"
)

// maxShots is how many bytes of screenshots a desk holds in memory at a time.
// The questions beyond are drawn from their trees. maxClaimedShots is the same for
// those of screens that no gate has looked at.
const (
	maxShots        = 64 << 20
	maxClaimedShots = maxShots / 2
)

// Picture is what there is to show of the screen of an open question.
type Picture struct {
	// Drawing has no SVG where there is none. It is safe whatever the screen says,
	// but belongs into an image of its own.
	picture.Drawing
	// Shot says that it is a screenshot and not drawn from the tree, Tree that there
	// is a tree that can be drawn, beside a screenshot as well.
	Shot, Tree bool
	// Why says why there is no drawing: one of the constants below.
	Why string
}

// Why there is no picture of a question.
const (
	NotKept  = "not_kept"  // it is settled, or the guard was restarted since
	NoScreen = "no_screen" // no tree and no screenshot came with the proposal
	Unread   = "unread"    // the tree could not be read
)

// Picture draws the screen that an open question is about, from what is in
// memory: the screenshot of the proposal, else the tree that was decided on. name
// stands in for it where it is not seen. Nothing of it is stored, and all of it
// is gone when the question ends. near draws the part around the control only.
func (d *Desk) Picture(id, name string, near bool) Picture {
	shot, dec := d.seen(id)
	return pictureOf(shot, dec, name, near)
}

// Drawn is Picture without the screenshot: what was decided on, whatever its
// requester shows beside it.
func (d *Desk) Drawn(id, name string, near bool) Picture {
	_, dec := d.seen(id)
	return pictureOf(picture.Shot{}, dec, name, near)
}

func pictureOf(shot picture.Shot, dec *decide.Decision, name string, near bool) Picture {
	switch {
	case dec == nil:
		return Picture{Why: NotKept}
	case shot.None() && dec.UI() == nil:
		return Picture{Why: NoScreen}
	case shot.None() && dec.UI().Problem != "":
		return Picture{Why: Unread}
	}
	aim := aimOf(dec)
	aim.Near = near
	return Picture{
		Drawing: picture.Question(dec.UI(), shot, aim, name), Shot: !shot.None(),
		Tree: dec.UI() != nil && dec.UI().Problem == "",
	}
}

// seen is what is known of the screen of a question that is open here.
func (d *Desk) seen(id string) (picture.Shot, *decide.Decision) {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.open[id]
	if q == nil {
		return picture.Shot{}, nil
	}
	return q.shot, q.decision
}

// aimOf is where on its screen an action lands.
func aimOf(dec *decide.Decision) picture.Aim {
	aim := picture.Aim{Node: -1, Critical: dec.Critical}
	if target, ok := dec.Target(); ok && dec.UI() != nil {
		aim.Node = target.Node
	}
	a := &dec.Request().Action
	if a.X == nil || a.Y == nil {
		return aim
	}
	x, y, ok := *a.X, *a.Y, a.Space == nil
	if a.Space != nil && dec.UI() != nil {
		x, y, ok = dec.UI().ToDevice(x, y, a.Space[0], a.Space[1])
	}
	const most = 1 << 20 // far beyond any display, and within an int32
	if ok && max(x, y) < most && min(x, y) >= 0 {
		aim.Pointed, aim.X, aim.Y = true, int32(x), int32(y)
	}
	return aim
}

// MaxScreenshot is the size in bytes of the largest screenshot of a proposal.
const MaxScreenshot = picture.MaxShot

// ErrScreenshot says that a screenshot is none that can be shown.
var ErrScreenshot = picture.ErrShot

// CheckScreenshot says what is wrong with a screenshot before it is proposed with
// an action, also with one that will not be asked about; nil where there is none.
// Errors wrap ErrScreenshot.
func CheckScreenshot(shot []byte) error {
	if len(shot) == 0 {
		return nil
	}
	_, err := picture.ReadShot(shot)
	return err
}

// takeShot reads the screenshot of a proposal, or has one taken.
func takeShot(ctx context.Context, p *Proposal) (picture.Shot, error) {
	if len(p.Screenshot) == 0 && p.Shot != nil {
		if shot, err := picture.ReadShot(p.Shot(ctx)); err == nil {
			return shot, nil
		}
	}
	if len(p.Screenshot) == 0 {
		return picture.Shot{}, nil
	}
	shot, err := picture.ReadShot(p.Screenshot)
	if err != nil {
		return shot, fmt.Errorf("hold: Proposal.Screenshot: %w", err)
	}
	return shot, nil
}

// roomFor is the screenshot of a question, or none where there is no room for it;
// d.mu is held. Those that only their agents vouch for have half of the room: an
// agent cannot take it all from the gates that look for themselves.
func (d *Desk) roomFor(q *question) picture.Shot {
	size := q.shot.Size()
	all, claimed := size, size
	for _, other := range d.open {
		all += other.shot.Size()
		if !other.observed() {
			claimed += other.shot.Size()
		}
	}
	if all > maxShots || claimed > maxClaimedShots && !q.observed() {
		return picture.Shot{}
	}
	return q.shot
}

// observed reports whether a gate looked at the screen of a question itself.
func (q *question) observed() bool {
	return q.decision != nil && q.decision.Request().Screen != nil && q.decision.Request().Screen.Observed
}
