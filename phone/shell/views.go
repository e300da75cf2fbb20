package shell

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

// viewPrograms show the screen, and its size.
var viewPrograms = map[string]program{"uiautomator": uiautomator, "screencap": screencap, "wm": wm}

func uiautomator(r *run) int {
	if len(r.args) < 2 {
		r.complain("Usage: uiautomator <subcommand> [options]")
		return 1
	}
	switch r.args[1] {
	case "dump":
		return uiautomatorDump(r, r.args[2:])
	case "events":
		return r.linger()
	case "runtest":
		r.phone().Note(phone.Event{Kind: "launch", Detail: strings.Join(r.args[2:], " ")})
		return 0
	}
	r.complain("Unknown command: %s", r.args[1])
	return 1
}

// uiautomatorDump writes the tree to a file. When there is none, the real one
// says so and exits with 0 (DumpCommand.java returns from where it failed).
func uiautomatorDump(r *run, args []string) int {
	options, file := phone.DumpOptions{}, "/sdcard/window_dump.xml"
	for _, a := range args {
		switch a {
		case "--compressed":
			options.Compressed = true
		case "--windows":
			options.Windows = true
		case "--verbose":
		default:
			file = a
		}
	}
	if slices.ContainsFunc(r.line.shell.launched().names(), ownsScreen) {
		// Accessibility's automation has one owner at a time; a second one is
		// refused and its process ends.
		r.complain("java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy already registered!\nKilled")
		return 137
	}
	tree, err := r.phone().Dump(options)
	if err != nil {
		r.complain("%s", err.Error())
		return 0
	}
	full := r.path(file)
	if full == "/dev/tty" || full == "/dev/stdout" || full == "/proc/self/fd/1" {
		if _, err := r.out.Write(tree); err != nil {
			return 1
		}
	} else if err := r.line.shell.Write(full, tree); err != nil {
		r.complain("java.io.FileNotFoundException: %s: open failed: EACCES (%s)", file, Reason(err))
		return 0
	}
	r.printf("UI hierchary dumped to: %s\n", file)
	return 0
}

// ownsScreen reports whether a server that was launched holds accessibility's
// automation for itself.
func ownsScreen(name string) bool {
	return strings.Contains(name, "uia2") || strings.Contains(name, "uiautomator") || strings.Contains(name, "AndroidJUnitRunner")
}

// Write writes a whole file where the shell user may.
func (s *Shell) Write(file string, data []byte) error {
	if err := s.MayWrite(file); err != nil {
		return err
	}
	return s.Phone.Files().WriteFile(file, data, 0o660)
}

func screencap(r *run) int {
	given, names := options(r.args[1:], "d")
	if d, ok := given['d']; ok && d != "0" {
		r.complain("Failed to get display token for display %s", d)
		return 1
	}
	picture, err := r.phone().Screenshot()
	if err != nil {
		return r.fail("%v", err)
	}
	asPNG := has(given, 'p') || len(names) > 0 && path.Ext(names[0]) == ".png"
	if !asPNG {
		if picture, err = RawPixels(picture); err != nil {
			return r.fail("%v", err)
		}
	}
	if len(names) > 0 {
		if err := r.line.shell.Write(r.path(names[0]), picture); err != nil {
			r.complain("Error opening file: %s (%s)", names[0], Reason(err))
			return 1
		}
		return 0
	}
	if _, err := r.out.Write(picture); err != nil {
		return 1
	}
	return 0
}

// RawPixels is a PNG as screencap writes it without -p: width, height, format 1
// (RGBA_8888) and colour space 1 (sRGB), each four bytes, little end first; then
// the pixels by row.
func RawPixels(picture []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("reading the screenshot: %w", err)
	}
	size := decoded.Bounds().Size()
	var b bytes.Buffer
	b.Grow(16 + 4*size.X*size.Y)
	for _, n := range []int{size.X, size.Y, 1, 1} {
		binary.Write(&b, binary.LittleEndian, uint32(n))
	}
	b.Write(rgba(decoded))
	return b.Bytes(), nil
}

// rgba are the pixels of an image, four bytes each.
func rgba(m image.Image) []byte {
	bounds := m.Bounds()
	if known, ok := m.(*image.NRGBA); ok && known.Stride == 4*bounds.Dx() {
		return known.Pix
	}
	pixels := make([]byte, 0, 4*bounds.Dx()*bounds.Dy())
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			pixels = append(pixels, c.R, c.G, c.B, c.A)
		}
	}
	return pixels
}

func wm(r *run) int {
	args := r.args[1:]
	if len(args) == 0 {
		r.complain("Window manager (window) commands:")
		return failed
	}
	p := r.phone()
	switch args[0] {
	case "size":
		return r.wmSize(args[1:])
	case "density":
		return r.wmDensity(args[1:])
	case "user-rotation", "set-user-rotation":
		words := append(args[1:], "")
		switch {
		case args[0] == "user-rotation" && words[0] == "":
			r.printf("%s\n", map[bool]string{true: "free", false: "lock " + strconv.Itoa(p.Rotation())}[p.Rotation() == 0])
		case words[0] == "lock" && len(words) > 2:
			n, err := strconv.Atoi(words[1])
			if err != nil || n < 0 || n > 3 {
				r.complain("Error: argument needs to be either -1, 0, 1, 2 or 3")
				return failed
			}
			p.SetRotation(n)
		}
		return 0
	case "dismiss-keyguard", "set-fix-to-user-rotation", "fixed-to-user-rotation", "overscan", "reset", "scaling", "tracing", "logging":
		return 0
	}
	r.complain("Unknown command: %s", args[0])
	return failed
}

func (r *run) wmSize(args []string) int {
	p := r.phone()
	if len(args) == 0 {
		w, h := p.PhysicalSize()
		r.printf("Physical size: %dx%d\n", w, h)
		if nw, nh := p.OverrideSize(); nw != 0 {
			r.printf("Override size: %dx%d\n", nw, nh)
		}
		return 0
	}
	if args[0] == "reset" {
		p.SetSize(0, 0)
		return 0
	}
	w, h, ok := strings.Cut(args[0], "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || errors.Join(err1, err2) != nil || width <= 0 || height <= 0 {
		r.complain("Error: bad size %s", args[0])
		return failed
	}
	p.SetSize(width, height)
	return 0
}

func (r *run) wmDensity(args []string) int {
	p := r.phone()
	if len(args) == 0 {
		now, physical := p.Density()
		r.printf("Physical density: %d\n", physical)
		if now != physical {
			r.printf("Override density: %d\n", now)
		}
		return 0
	}
	if args[0] == "reset" {
		p.SetDensity(0)
		return 0
	}
	dpi, err := strconv.Atoi(args[0])
	if err != nil || dpi < 72 {
		r.complain("Error: density must be >= 72")
		return failed
	}
	p.SetDensity(dpi)
	return 0
}
