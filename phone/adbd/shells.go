package adbd

import (
	"context"
	"io"
	"sync"

	"github.com/countersign/countersign/phone/shell"
	"github.com/countersign/countersign/wire"
)

// shellService is "shell:LINE" and "shell,OPTIONS:LINE". Without a line it is a
// shell that reads lines. The terminal of an option is not simulated beyond
// echo and line ends.
func (t *transport) shellService(ctx context.Context, s *wire.Stream, q Service) {
	if s.Accept() != nil {
		return
	}
	terminal := q.Has("pty") || q.Rest == "" && !q.Has("raw")
	line := func(ctx context.Context, in io.Reader, out, err io.Writer) int {
		if q.Rest == "" {
			return t.shell.Interactive(ctx, terminal, in, out, err)
		}
		return t.shell.Run(ctx, q.Rest, in, out, err)
	}
	if terminal {
		line = onTerminal(line)
	}
	switch {
	case q.Has("v2"):
		packets(ctx, s, line)
	case terminal: // which hangs up
		line(ctx, s, s, s)
	default:
		line(t.alone(s), s, s, s)
	}
}

// alone is the context of a process without the shell protocol: adbd does not
// end it when its client goes, it only reads and writes no more
// (shell_service.cpp sends SIGHUP with the protocol only).
func (t *transport) alone(s *wire.Stream) context.Context {
	return shell.WithReader(t.shell.Background, s.Done())
}

// execService is "exec:LINE": the line's bytes and nothing else.
func (t *transport) execService(_ context.Context, s *wire.Stream, q Service) {
	if s.Accept() == nil {
		t.shell.Run(t.alone(s), q.Rest, s, s, s)
	}
}

// abbService is "abb:SERVICE\0WORD...", a command without a shell, with shell
// packets.
func (t *transport) abbService(ctx context.Context, s *wire.Stream, q Service) {
	if s.Accept() == nil {
		packets(ctx, s, t.command(q))
	}
}

// abbExecService is the same with the command's bytes alone.
func (t *transport) abbExecService(_ context.Context, s *wire.Stream, q Service) {
	if s.Accept() == nil {
		t.command(q)(t.alone(s), s, s, s)
	}
}

// process is something that runs in a stream, and its exit code.
type process func(ctx context.Context, in io.Reader, out, err io.Writer) int

func (t *transport) command(q Service) process {
	argv := append([]string{"cmd"}, AbbArgs(q.Rest)...)
	return func(ctx context.Context, in io.Reader, out, err io.Writer) int {
		return t.shell.Exec(ctx, argv, in, out, err)
	}
}

// packets runs a process with the shell protocol: standard input comes in
// packets until it is closed, output and the exit code go in packets.
func packets(ctx context.Context, s *wire.Stream, run process) {
	in, feed := io.Pipe()
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	go func() {
		for {
			id, data, err := wire.ReadShellPacket(s, wire.MaxPayload)
			switch {
			case err != nil:
				hangUp() // before the input ends, so that no next command runs
				feed.CloseWithError(io.EOF)
				return
			case id == wire.ShellStdin:
				feed.Write(data) // a process that has ended reads no more
			case id == wire.ShellCloseStdin:
				feed.Close()
			}
		}
	}()
	defer in.Close()
	w := &packetWriter{to: s}
	code := run(ctx, in, output{w, wire.ShellStdout}, output{w, wire.ShellStderr})
	w.write(wire.ShellExit, []byte{byte(code)})
}

// packetWriter writes whole packets, of one process at a time.
type packetWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *packetWriter) write(id wire.ShellID, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return wire.WriteShellPacket(w.to, id, data)
}

// output is one of the outputs of a process.
type output struct {
	to *packetWriter
	id wire.ShellID
}

// packetSize is how much of an output goes in one packet, as adbd reads it.
const packetSize = 32 << 10

func (o output) Write(b []byte) (int, error) {
	for sent := 0; sent < len(b); {
		n := min(packetSize, len(b)-sent)
		if err := o.to.write(o.id, b[sent:sent+n]); err != nil {
			return sent, err
		}
		sent += n
	}
	return len(b), nil
}
