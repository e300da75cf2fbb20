package phone

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"sync"
)

// Screenshot is a PNG of the display, drawn from its tree. Windows that forbid
// screenshots are black.
func (p *Phone) Screenshot() ([]byte, error) {
	p.rest()
	c := p.photograph()
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &encoderBuffers}
	if err := encoder.Encode(&out, c.Paletted); err != nil {
		return nil, fmt.Errorf("phone: encode the screenshot: %w", err)
	}
	return out.Bytes(), nil
}

// photograph draws what is on the screen now. It holds the lock only to see
// what that is: nothing changes the views of a frame once they are laid out.
func (p *Phone) photograph() *canvas {
	p.lock()
	p.noteThat("screenshot", "")
	windows, area, toast, dark, dpi := p.frame(), p.display(), p.toast, p.asleep, p.dpi()
	p.looked()
	p.mu.Unlock()

	c := newCanvas(area, dpi)
	if dark {
		c.fill(area, black)
		return c
	}
	for _, w := range windows {
		if w.modal {
			c.dim()
		}
		c.window(w)
	}
	if toast != "" {
		c.toast(toast)
	}
	return c
}

// encoderBuffers are the encoder's, which are large and the same each time.
var encoderBuffers bufferPool

type bufferPool struct{ sync.Pool }

func (b *bufferPool) Get() *png.EncoderBuffer {
	buffer, _ := b.Pool.Get().(*png.EncoderBuffer)
	return buffer
}

func (b *bufferPool) Put(buffer *png.EncoderBuffer) { b.Pool.Put(buffer) }

// window draws a window: its ground, and on it each of its nodes.
func (c *canvas) window(w *window) {
	if w.secure {
		c.fill(w.bounds, black)
		return
	}
	ground := paper
	switch w.kind {
	case "system":
		ground = dark
	case "keyboard":
		ground = surface
	}
	c.fill(w.bounds, ground)
	c.view(w.root, ground)
	if w.kind == "dialog" {
		c.outline(w.bounds, ground, 6)
	}
}

// toast draws a message at the foot of the screen.
func (c *canvas) toast(text string) {
	size := c.dp(textSize)
	width := min(textWidth(text, size)+4*c.dp(textPad), c.Rect.Dx())
	r := image.Rect(0, 0, width, c.dp(40)).Add(image.Pt((c.Rect.Dx()-width)/2, c.Rect.Max.Y-c.dp(140)))
	c.fill(r, dark)
	c.text(text, r, dark, true)
}
