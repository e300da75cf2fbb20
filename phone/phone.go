package phone

import (
	"sync"
)

// Phone is one simulated phone. All its methods are safe for concurrent use and
// happen one after the other, as on a phone with one screen.
type Phone struct {
	options Options
	files   *Files

	mu      sync.Mutex
	record  []Event
	effects []Effect
	more    chan struct{} // closed and replaced at each effect
}

// New makes a phone that shows its launcher. The error says which file of
// Options.Apps cannot be used, in which line, and what is accepted there.
func New(o Options) (*Phone, error) {
	o = o.withDefaults()
	return &Phone{options: o, files: newFiles(o.Now), more: make(chan struct{})}, nil
}

// Serial is the phone's serial number.
func (p *Phone) Serial() string { return p.options.Serial }

// Model is the phone's model.
func (p *Phone) Model() string { return p.options.Model }

// Locale is the phone's language.
func (p *Phone) Locale() string { return p.options.Locale }

// Files is the phone's file system.
func (p *Phone) Files() *Files { return p.files }

// Size is the size of the display as it is now rotated and, if it was set so,
// overridden: what "wm size" and the coordinates of touches mean.
func (p *Phone) Size() (width, height int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.options.Width, p.options.Height
}

// PhysicalSize is the size of the panel, which nothing changes.
func (p *Phone) PhysicalSize() (width, height int) { return p.options.Width, p.options.Height }

// SetSize overrides the size of the display, as "wm size" does; 0, 0 resets it.
func (p *Phone) SetSize(width, height int) {}

// Density is the dots per inch that are in force; physical is that of the panel.
func (p *Phone) Density() (current, physical int) { return p.options.Density, p.options.Density }

// SetDensity overrides the density, as "wm density" does; 0 resets it.
func (p *Phone) SetDensity(dpi int) {}

// Rotation is the rotation of the display in quarter turns, 0 to 3.
func (p *Phone) Rotation() int { return 0 }

// SetRotation turns the display to a number of quarter turns.
func (p *Phone) SetRotation(quarters int) {}

// Displays are the ids of the displays; a simulated phone has one, 0.
func (p *Phone) Displays() []int { return []int{0} }

// Clipboard is what was copied last.
func (p *Phone) Clipboard() string { return "" }

// SetClipboard copies a text.
func (p *Phone) SetClipboard(text string) {}
