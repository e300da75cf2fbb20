package command

import (
	"time"

	"github.com/countersign/countersign/risk"
)

// MaxLine is the length in bytes above which a shell line, an intent or a link
// is not read but answered as opaque.
const MaxLine = 64 << 10

// An Effect is one thing that a line would do. The zero value is an effect that
// is not known.
type Effect struct {
	// Category is the consequence. It is Unknown when Press is set, because
	// then only the screen can tell.
	Category risk.Category `json:"category"`
	// Code says why in one stable word, such as "unknown_command",
	// "substitution" or "payment_link".
	Code string `json:"code"`
	// Press is set when the part is a press, a key, a swipe or typed text that
	// has to be judged on the screen.
	Press *Press `json:"press,omitempty"`
	// Package is the app acted on, where the line names one.
	Package string `json:"package,omitempty"`
	// Object is what a human must see before answering: the package, file,
	// number, link or setting. It is untrusted text.
	Object string `json:"object,omitempty"`
	// Start and End are the half-open span of the part, in runes of the line.
	Start int `json:"start"`
	End   int `json:"end"`
	// Term is the verb or rule that spoke, such as "pm uninstall".
	Term string `json:"term"`

	late bool // it runs on a later screen than that of now
}

// A PressKind is what a Press does with the screen.
type PressKind string

// The kinds of press.
const (
	PressTap   PressKind = "tap"   // a touch at X, Y; with a Duration a long one
	PressSwipe PressKind = "swipe" // from X, Y to X2, Y2
	PressDrag  PressKind = "drag"  // the same, held first
	PressDown  PressKind = "down"  // the first part of a touch sent in parts
	PressMove  PressKind = "move"  // a middle part of it
	PressUp    PressKind = "up"    // its last part
	PressKey   PressKind = "key"   // Key goes to the focused control
	PressType  PressKind = "type"  // Text goes to the focused field
)

// A Press is an act on whatever the screen shows. Coordinates are pixels of
// the display in its current rotation.
type Press struct {
	Kind     PressKind     `json:"kind"`
	X        int           `json:"x"`
	Y        int           `json:"y"`
	X2       int           `json:"x2"`
	Y2       int           `json:"y2"`
	Duration time.Duration `json:"duration"` // 0 is a short one
	Display  int           `json:"display"`  // 0 is the built-in display
	// Key is the name without its prefix, such as "ENTER" or "DPAD_CENTER".
	Key string `json:"key,omitempty"`
	// Long says that the key is held down, or pressed twice.
	Long bool `json:"long,omitempty"`
	// Text is what is typed, decoded: it is what the human must see.
	Text string `json:"text,omitempty"`
}

// Worst returns the index of the effect that decides about the whole line, the
// first one among equals, and -1 for no effects at all.
//
// The order is that of [risk.Category.Weight], except that what is not known
// ranks above what a policy may wave through in a harmless app.
func Worst(effects []Effect) int {
	worst := -1
	for i := range effects {
		if worst < 0 || Severity(effects[i].Category) > Severity(effects[worst].Category) {
			worst = i
		}
	}
	return worst
}

// Severity is the order of [Worst]; only comparisons mean anything. What is not
// known ranks above what a policy may wave through in a harmless app, and what
// a command destroys above what it reads.
func Severity(c risk.Category) int {
	switch c {
	case risk.Unknown:
		return risk.Delete.Weight()
	case risk.Delete:
		return risk.Uninstall.Weight() + 1
	}
	return c.Weight()
}
