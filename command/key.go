package command

import "github.com/countersign/countersign/risk"

// A KeyEffect is what a key does.
type KeyEffect struct {
	// Name is the key's name without its prefix, such as "ENTER"; empty when
	// the key is not known.
	Name string
	// Category is what a short press does. It is Unknown when Screen is set.
	Category risk.Category
	// Held is what it does when it is held down or pressed again and again.
	Held risk.Category
	// Screen says that the key goes to the focused control or field, so that
	// only the screen can tell what it does.
	Screen bool
	// Text is the character that the key types, if any.
	Text string
	// Code says why in one stable word.
	Code string
}

// Key works out what an Android key does, by number ("66") or by name
// ("KEYCODE_ENTER", "ENTER").
func Key(name string) KeyEffect { return KeyEffect{Code: "unknown_key"} }
