package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // the header of a JPEG
	_ "image/png"  // the header of a PNG
)

// MaxShot is the size in bytes of the largest screenshot that is taken.
const MaxShot = 4 << 20

// maxPixels bounds what a browser has to unpack, whatever the file's size.
const maxPixels = 32 << 20

// ErrShot says that a file is no screenshot that can be shown.
var ErrShot = errors.New("a screenshot is a PNG or a JPEG")

// Shot is a screenshot whose header was read. The zero Shot is none.
type Shot struct {
	data          []byte
	kind          string
	width, height int
}

// ReadShot takes a screenshot: a PNG or a JPEG of at most MaxShot bytes, as its
// own header says. Only the header is read; the pixels are the browser's to
// unpack. The Shot keeps data. Errors wrap ErrShot.
func ReadShot(data []byte) (Shot, error) {
	if len(data) > MaxShot {
		return Shot{}, fmt.Errorf("%w of at most %d bytes; this one has %d, send it smaller or leave it out", ErrShot, MaxShot, len(data))
	}
	c, kind, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return Shot{}, fmt.Errorf("%w; this one cannot be read (%v), leave it out", ErrShot, err)
	case kind != "png" && kind != "jpeg": // what else the program can read
		return Shot{}, fmt.Errorf("%w; this one is a %s, leave it out", ErrShot, kind)
	case c.Width <= 0 || c.Height <= 0 || c.Width > hugest || c.Height > hugest || c.Width*c.Height > maxPixels:
		return Shot{}, fmt.Errorf("%w of at most %d pixels; this one has %d x %d, send it smaller or leave it out", ErrShot, maxPixels, c.Width, c.Height)
	}
	return Shot{data: data, kind: "image/" + kind, width: c.Width, height: c.Height}, nil
}

// None reports whether there is no screenshot.
func (s Shot) None() bool { return len(s.data) == 0 }

// Size is how many bytes the screenshot holds in memory.
func (s Shot) Size() int { return len(s.data) }
