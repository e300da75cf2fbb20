package e2e

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
)

// display is a terminal of a size, as far as the page of questions uses one: it
// keeps what stands on it, as a person would see it. A sequence that it does not
// know is a fault, since the display is not to be trusted after it.
type display struct {
	t    *testing.T
	f    *os.File
	mu   sync.Mutex
	more *sync.Cond

	width, height int
	cells         [][]rune
	x, y          int
	top, bottom   int // the lines that scroll, the last one not included
	last          rune
	kept          []byte // the beginning of a sequence that has not come whole
	fault, end    error
}

// watchOn runs the page of questions on a terminal of so many columns and lines.
func watchOn(t *testing.T, home string, width, height int) *display {
	t.Helper()
	cmd := exec.Command(program(t), "approvals", "watch", "--home", home)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=1")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
	if err != nil {
		t.Fatal(err)
	}
	d := &display{t: t, f: f, width: width, height: height}
	d.more = sync.NewCond(&d.mu)
	d.clear()
	read := make(chan struct{})
	go func() {
		defer close(read)
		d.read()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
		f.Close()
		<-read
	})
	return d
}

func (d *display) clear() {
	d.cells = make([][]rune, d.height)
	for i := range d.cells {
		d.cells[i] = d.empty()
	}
	d.top, d.bottom = 0, d.height
}

func (d *display) empty() []rune { return []rune(strings.Repeat(" ", d.width)) }

// scroll moves the lines from one on by n, up or, where n is negative, down.
func (d *display) scroll(from, n int) {
	for range max(n, -n) {
		if n > 0 {
			copy(d.cells[from:d.bottom], d.cells[from+1:d.bottom])
			d.cells[d.bottom-1] = d.empty()
		} else {
			copy(d.cells[from+1:d.bottom], d.cells[from:d.bottom-1])
			d.cells[from] = d.empty()
		}
	}
}

// down goes to the next line, which at the end of those that scroll is a new one.
func (d *display) down() {
	if d.y == d.bottom-1 {
		d.scroll(d.top, 1)
	} else {
		d.y = min(d.y+1, d.height-1)
	}
}

func (d *display) read() {
	buffer := make([]byte, 8192)
	for {
		n, err := d.f.Read(buffer)
		d.mu.Lock()
		d.write(buffer[:n])
		d.end = err
		d.more.Broadcast()
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// keys are typed.
func (d *display) keys(text string) {
	d.t.Helper()
	if _, err := io.WriteString(d.f, text); err != nil {
		d.t.Fatal(err)
	}
}

// await returns what stands on the display once it is as wanted.
func (d *display) await(what string, wanted func(shown string) bool) string {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		shown := d.shown()
		switch {
		case d.fault != nil:
			d.t.Fatal(d.fault)
		case wanted(shown):
			return shown
		case d.end != nil:
			d.t.Fatalf("the page ended (%v) without %s:\n%s", d.end, what, shown)
		}
		d.more.Wait()
	}
}

// shown is what stands on the display, a line a line.
func (d *display) shown() string {
	lines := make([]string, len(d.cells))
	for i, cells := range d.cells {
		lines[i] = strings.TrimRight(string(cells), " ")
	}
	return strings.Join(lines, "\n")
}

// write takes what the program sends.
func (d *display) write(data []byte) {
	d.kept = append(d.kept, data...)
	for len(d.kept) > 0 && d.fault == nil {
		n := d.step(d.kept)
		if n == 0 {
			return // more of it has to come first
		}
		d.kept = d.kept[n:]
	}
}

// step carries out the first character or sequence, and says how long it was; 0
// for one that is not whole.
func (d *display) step(b []byte) int {
	switch c := b[0]; {
	case c == 0x1b:
		return d.escape(b)
	case c == '\r':
		d.x = 0
	case c == '\n':
		d.down()
	case c == '\b':
		d.x = max(0, d.x-1)
	case c == '\t':
		d.x = min(d.x/8*8+8, d.width-1)
	case c == 0x07:
	case c < ' ':
		d.fault = fmt.Errorf("a raw %#02x reached the terminal", c)
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, size := utf8.DecodeRune(b)
		d.put(r)
		return size
	}
	return 1
}

func (d *display) put(r rune) {
	if d.x >= d.width {
		d.x = 0
		d.down()
	}
	d.cells[d.y][d.x], d.last = r, r
	d.x++
}

// escape carries out an escape sequence.
func (d *display) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				d.control(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_':
		d.fault = fmt.Errorf("the page sends a string to the terminal: %q", b[:min(len(b), 40)])
	case 'M':
		if d.y == d.top {
			d.scroll(d.top, -1)
		} else {
			d.y = max(0, d.y-1)
		}
	case '=', '>', '7', '8':
	default:
		d.fault = fmt.Errorf("the page sends %q", b[:2])
	}
	return 2
}

// control carries out a control sequence.
func (d *display) control(args string, final byte) {
	if strings.ContainsAny(args, "?><=$ !") {
		d.mode(args, final)
		return
	}
	n := 1
	parts := strings.Split(args, ";")
	if v, err := strconv.Atoi(parts[0]); err == nil {
		n = v
	}
	switch final {
	case 'A':
		d.y = max(0, d.y-n)
	case 'B':
		d.y = min(d.height-1, d.y+n)
	case 'C':
		d.x = min(d.width-1, d.x+n)
	case 'D':
		d.x = max(0, min(d.x, d.width-1)-n)
	case 'G', '`':
		d.x = min(n, d.width) - 1
	case 'd':
		d.y = min(n, d.height) - 1
	case 'H', 'f':
		d.y, d.x = min(n, d.height)-1, 0
		if len(parts) > 1 {
			if v, err := strconv.Atoi(parts[1]); err == nil {
				d.x = min(v, d.width) - 1
			}
		}
	case 'J', 'K':
		d.erase(args, final)
	case 'X':
		d.blank(d.y, d.x, min(d.x+n, d.width))
	case 'b':
		for range n {
			d.put(d.last)
		}
	case 'S':
		d.scroll(d.top, n)
	case 'T':
		d.scroll(d.top, -n)
	case 'L':
		d.scroll(d.y, -n)
	case 'M':
		d.scroll(d.y, n)
	case 'r':
		d.top, d.bottom, d.x, d.y = n-1, d.height, 0, 0
		if len(parts) > 1 {
			if v, err := strconv.Atoi(parts[1]); err == nil {
				d.bottom = min(v, d.height)
			}
		}
	case 'm', 't', 'n', 'c':
	default:
		d.fault = fmt.Errorf("the page sends the sequence %q", args+string(final))
	}
}

// mode takes what changes nothing that stands there, but for the second page.
func (d *display) mode(args string, final byte) {
	if strings.HasPrefix(args, "?1049") && (final == 'h' || final == 'l') {
		d.clear()
	}
}

func (d *display) erase(args string, final byte) {
	switch {
	case final == 'J' && args == "2":
		d.clear()
	case args == "" || args == "0":
		d.blank(d.y, d.x, d.width)
		for y := d.y + 1; final == 'J' && y < d.height; y++ {
			d.blank(y, 0, d.width)
		}
	case args == "1":
		d.blank(d.y, 0, min(d.x+1, d.width))
		for y := range d.y {
			if final == 'J' {
				d.blank(y, 0, d.width)
			}
		}
	case args == "2":
		d.blank(d.y, 0, d.width)
	default:
		d.fault = fmt.Errorf("the page sends the sequence %q", args+string(final))
	}
}

func (d *display) blank(y, from, to int) {
	for x := from; x < to; x++ {
		d.cells[y][x] = ' '
	}
}

// TestDisplay: what is read off a display is what a terminal would show.
func TestDisplay(t *testing.T) {
	table := []struct{ sent, shown, fault string }{
		{"ab\r\ncd", "ab\ncd\n", ""}, {"\x1b[2;3Hx\x1b[Hy", "y\n  x\n", ""}, {"abcdef", "abcde\nf\n", ""},
		{"abc\x1b[2D\x1b[Kx", "ax\n\n", ""}, {"abc\x1b[?1049hd", "   d\n\n", ""}, {"ab\x1b[3b", "abbbb\n\n", ""},
		{"abc\r\x1b[2X", "  c\n\n", ""}, {"a\x1b[3;1Hb\x1b[2Jc", "\n\n c", ""}, {"\x1b[1;31mé\x1b[m", "é\n\n", ""},
		{"a\r\nb\r\nc\r\nd", "b\nc\nd", ""}, {"a\r\nb\x1b[1S", "b\n\n", ""},
		{"a\r\nb\r\nc\x1b[1;2r\x1b[T", "\na\nc", ""}, {"a\r\nb\x1b[H\x1b[L", "\na\nb", ""}, {"a\r\nb\x1b[H\x1b[M", "b\n\n", ""}, {"a\x1b[H\x1bM", "\na\n", ""},
		{"a\x00", "", "raw 0x00"}, {"\x1b]0;owned\x07", "", "a string"}, {"\x1b[5@", "", "the sequence"}, {"\x1bc", "", "sends"},
	}
	for _, c := range table {
		d := &display{t: t, width: 5, height: 3}
		d.clear()
		for i := range len(c.sent) { // a byte at a time, as it may come
			d.write([]byte{c.sent[i]})
		}
		if c.fault != "" {
			if d.fault == nil || !strings.Contains(d.fault.Error(), c.fault) {
				t.Errorf("%q: %v, want a fault with %q", c.sent, d.fault, c.fault)
			}
		} else if got := d.shown(); got != c.shown || d.fault != nil {
			t.Errorf("%q shows %q (%v), want %q", c.sent, got, d.fault, c.shown)
		}
	}
	if len(table) != 19 {
		t.Errorf("%d sequences", len(table))
	}
}
