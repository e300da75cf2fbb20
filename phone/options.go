package phone

import (
	"io/fs"
	"sync/atomic"
	"time"
)

// Options are how a phone is made. The zero value is a good phone: English,
// 1080 by 2400 pixels, the built-in apps, and a clock of its own.
type Options struct {
	// Locale is the language of the phone, one of [Languages] with or without a
	// region ("de", "de-AT"). Empty, and any other, is "en".
	Locale string
	// Width and Height are the display in device pixels, Density its dots per
	// inch; 0 is 1080, 2400 and 420.
	Width, Height, Density int
	// Now is the phone's clock, safe for concurrent use; it must not call the
	// phone. Nil is a clock that starts on a fixed morning
	// and goes on by a millisecond each time it is read, so that a record is the
	// same on each run.
	Now func() time.Time
	// Sleep waits, for a phone that is told to be slow. Nil is time.Sleep.
	Sleep func(time.Duration)
	// Serial and Model are what the phone calls itself; empty is
	// "countersign0001" and "Sim 1".
	Serial, Model string
	// Apps has a file *.yaml for each app in its root; nil is the built-in apps.
	Apps fs.FS
}

func (o Options) withDefaults() Options {
	if o.Locale == "" {
		o.Locale = "en"
	}
	if o.Width <= 0 {
		o.Width = 1080
	}
	if o.Height <= 0 {
		o.Height = 2400
	}
	if o.Density <= 0 {
		o.Density = 420
	}
	if o.Now == nil {
		o.Now = steppingClock()
	}
	if o.Sleep == nil {
		o.Sleep = time.Sleep
	}
	if o.Serial == "" {
		o.Serial = "countersign0001"
	}
	if o.Model == "" {
		o.Model = "Sim 1"
	}
	return o
}

// steppingClock is a clock that goes on by a millisecond each time it is read.
func steppingClock() func() time.Time {
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	var read atomic.Int64
	return func() time.Time { return start.Add(time.Duration(read.Add(1)) * time.Millisecond) }
}
