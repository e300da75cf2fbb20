package adbd

import (
	"bytes"
	"context"
	"io"
)

// Control characters of a terminal.
const (
	interrupt = 0x03
	endOfFile = 0x04
	backspace = 0x7f
)

// onTerminal runs a process on a terminal: what is typed is echoed and edited
// by the line, ^C ends the process, ^D its input, and lines end in CR LF. Errors
// go where the output goes.
func onTerminal(run process) process {
	return func(ctx context.Context, in io.Reader, out, _ io.Writer) int {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		screen := lineEnds{out}
		lines, typed := io.Pipe()
		defer lines.Close()
		go func() {
			typed.CloseWithError(typing(in, typed, screen, cancel))
		}()
		return run(ctx, lines, screen, screen)
	}
}

// typing is the terminal's side of what is typed.
func typing(in io.Reader, line io.Writer, screen io.Writer, interrupted func()) error {
	var kept, read = []byte(nil), make([]byte, 4096)
	for {
		n, err := in.Read(read)
		for _, b := range read[:n] {
			switch b {
			case interrupt:
				io.WriteString(screen, "^C")
				interrupted()
				return io.EOF
			case endOfFile:
				if len(kept) == 0 {
					return io.EOF
				}
				if _, err := line.Write(kept); err != nil {
					return err
				}
				kept = nil
			case backspace:
				if len(kept) > 0 {
					kept = kept[:len(kept)-1]
					io.WriteString(screen, "\b \b")
				}
			case '\r', '\n':
				io.WriteString(screen, "\n")
				if _, err := line.Write(append(kept, '\n')); err != nil {
					return err
				}
				kept = nil
			default:
				kept = append(kept, b)
				screen.Write([]byte{b})
			}
		}
		if err != nil {
			if len(kept) > 0 {
				line.Write(kept)
			}
			return io.EOF
		}
	}
}

// lineEnds writes CR LF for LF.
type lineEnds struct{ to io.Writer }

func (w lineEnds) Write(b []byte) (int, error) {
	if _, err := w.to.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(b), nil
}
