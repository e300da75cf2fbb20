package phone

import "image"

// Size is the size of the display as it is now rotated and, if it was set so,
// overridden: what the coordinates of touches mean.
func (p *Phone) Size() (width, height int) {
	p.lock()
	defer p.mu.Unlock()
	return p.size()
}

func (p *Phone) size() (width, height int) {
	width, height = p.options.Width, p.options.Height
	if p.width > 0 && p.height > 0 {
		width, height = p.width, p.height
	}
	if p.rotation%2 == 1 {
		width, height = height, width
	}
	return width, height
}

func (p *Phone) display() image.Rectangle {
	w, h := p.size()
	return image.Rect(0, 0, w, h)
}

// PhysicalSize is the size of the panel, which nothing changes.
func (p *Phone) PhysicalSize() (width, height int) { return p.options.Width, p.options.Height }

// SetSize overrides the size of the display, as "wm size" does; 0, 0 resets it.
func (p *Phone) SetSize(width, height int) {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("display", "size %dx%d", width, height)
	p.width, p.height = min(max(0, width), 4096), min(max(0, height), 4096)
	p.changed()
}

// OverrideSize is the size that was set over the panel's, 0, 0 where none was.
func (p *Phone) OverrideSize() (width, height int) {
	p.lock()
	defer p.mu.Unlock()
	return p.width, p.height
}

// Density is the dots per inch that are in force; physical is that of the panel.
func (p *Phone) Density() (current, physical int) {
	p.lock()
	defer p.mu.Unlock()
	return p.dpi(), p.options.Density
}

func (p *Phone) dpi() int {
	if p.density > 0 {
		return p.density
	}
	return p.options.Density
}

// dp is a number of device-independent pixels in pixels.
func (p *Phone) dp(n int) int { return n * p.dpi() / 160 }

// SetDensity overrides the density, as "wm density" does; 0 resets it.
func (p *Phone) SetDensity(dpi int) {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("display", "density %d", dpi)
	p.density = min(max(0, dpi), 1000)
	p.changed()
}

// Rotation is the rotation of the display in quarter turns, 0 to 3.
func (p *Phone) Rotation() int {
	p.lock()
	defer p.mu.Unlock()
	return p.rotation
}

// SetRotation turns the display to a number of quarter turns.
func (p *Phone) SetRotation(quarters int) {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("display", "rotation %d", quarters)
	p.rotation = quarters & 3
	p.changed()
}

// Displays are the ids of the displays; a simulated phone has one, 0.
func (p *Phone) Displays() []int { return []int{0} }

// Awake reports whether the screen is on. A touch on a dark screen does nothing.
func (p *Phone) Awake() bool {
	p.lock()
	defer p.mu.Unlock()
	return !p.asleep
}

// Clipboard is what was copied last.
func (p *Phone) Clipboard() string {
	p.lock()
	defer p.mu.Unlock()
	return p.clipboard
}

// SetClipboard copies a text.
func (p *Phone) SetClipboard(text string) {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("clipboard", "%q", text)
	p.clipboard = text
}
