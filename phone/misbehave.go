package phone

import "time"

// Misbehaviour is what a phone is told to do badly. The zero value is a phone
// that behaves.
type Misbehaviour struct {
	// DumpFails makes a dump fail with a message; the shell exits with 0 then.
	DumpFails bool
	// NeverIdle makes a dump fail because the screen does not rest.
	NeverIdle bool
	// DumpStale makes a dump show the screen as it was when this was set.
	DumpStale bool
	// Slow is how long a dump and a screenshot take.
	Slow time.Duration
	// SecureScreen forbids screenshots of every window: they are black.
	SecureScreen bool
	// SeveralWindows draws another app's window beside the one in front.
	SeveralWindows bool
	// Rotated turns the display by a quarter.
	Rotated bool
	// DialogBetween, when it has a title, is a dialog that comes up after the
	// next look at the screen (dump, Nodes or screenshot): what was seen is no
	// longer what a touch lands on.
	DialogBetween Dialog
}

// Dialog is a dialog that no app's data has.
type Dialog struct {
	// Package is whose window it is; empty is the app in front.
	Package string
	Title   string
	Message string
	// Buttons from left to right. Pressing one closes the dialog; the effect is
	// "pressed" with the button as its object.
	Buttons []string
}

// Misbehave tells the phone what to do badly from now on; it replaces what was
// told before.
func (p *Phone) Misbehave(m Misbehaviour) {}
