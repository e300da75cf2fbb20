package phone

import "time"

// Motion kinds, as "input motionevent" names them.
const (
	Down   = "DOWN"
	Move   = "MOVE"
	Up     = "UP"
	Cancel = "CANCEL"
)

// Tap touches a point, in pixels of the display as it is rotated now, and lifts
// the finger again.
func (p *Phone) Tap(x, y int) {}

// LongPress holds a point for a time. Shorter than the phone's long-press time
// of 500 ms is a tap.
func (p *Phone) LongPress(x, y int, d time.Duration) {}

// Swipe drags from one point to another. As on a phone, one that stays within
// the touch slop of 8 dp is a tap or, from 500 ms on, a long press; one along a
// slider moves it; any other scrolls what lies under its beginning, or swipes a
// row away that can be.
func (p *Phone) Swipe(x1, y1, x2, y2 int, d time.Duration) {}

// Motion is one raw event of a finger: [Down], [Move], [Up] or [Cancel]. What
// the finger did is decided when it is lifted; the time between decides whether
// it was a long press.
func (p *Phone) Motion(kind string, x, y int) {}

// Type types a text into the field that has the focus, as "input text" does: a
// line break in it is the ENTER key. Without a focused field it is lost.
func (p *Phone) Type(text string) {}

// Key presses a key by its Android key code; long holds it.
func (p *Phone) Key(code int, long bool) {}

// Keys presses several keys together, as "input keycombination" does.
func (p *Phone) Keys(codes ...int) {}

// EditorAction performs an IME action (EditorInfo.IME_ACTION_*) on the field
// that has the focus, as keyboards for automation do on a broadcast: 2 go, 3
// search, 4 send, 5 next, 6 done.
func (p *Phone) EditorAction(action int) {}

// TapNode touches a node that [Phone.Nodes] returned as automation servers that
// act through accessibility do: it performs the click on the node itself, or on
// the nearest clickable one around it, whatever is drawn over it. It reports
// whether something took it; a node that is no longer there does not.
func (p *Phone) TapNode(n Node) bool { return false }

// LongTapNode is TapNode for the long click.
func (p *Phone) LongTapNode(n Node) bool { return false }

// SetText replaces the text of a field, as accessibility's ACTION_SET_TEXT does.
func (p *Phone) SetText(n Node, text string) bool { return false }
