package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// self is what the shell calls itself in its messages: adbd starts it by its
// path.
const self = "/system/bin/sh"

// killed is the exit code of what was ended from outside.
const killed = 137

// Run runs a line and returns its exit code. As with adbd, it returns when
// nothing holds the line's outputs any more: what runs in the background without
// having them led away is waited for, anything else goes on until Background
// ends. When the context ends, so does the line.
func (s *Shell) Run(ctx context.Context, text string, stdin io.Reader, stdout, stderr io.Writer) int {
	in, closeIn, err := readable(ctx, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", self, err)
		return 1
	}
	defer closeIn()
	l, ctx, done := s.begin(ctx)
	defer done()
	code := l.script(ctx, script{text: text, env: newEnvironment(s.Phone.Model()), dir: "/", in: in, out: stdout, err: stderr})
	l.jobs.wait(ctx)
	if ctx.Err() != nil {
		return killed
	}
	return code
}

// Exec runs one program without a shell in between.
func (s *Shell) Exec(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(argv) == 0 {
		return 0
	}
	in, closeIn, err := readable(ctx, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "%v\n", err)
		return 1
	}
	defer closeIn()
	l, ctx, done := s.begin(ctx)
	defer done()
	return l.exec(&run{
		ctx: ctx, line: l, args: argv, dir: "/", env: exported(newEnvironment(s.Phone.Model())),
		in: reader(in), out: counted{l, stdout}, err: counted{l, stderr},
	})
}

// begin starts a line: its context ends with the caller's while it runs, and
// with Background when something of it is left running.
func (s *Shell) begin(ctx context.Context) (*line, context.Context, func()) {
	limits := s.Limits
	if limits == (Limits{}) { // zero values would let nothing run
		limits = DefaultLimits
	}
	running, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	l := &line{shell: s, limits: limits, stop: stop}
	release := context.AfterFunc(ctx, func() { stop(context.Cause(ctx)) })
	background := s.Background
	if background == nil {
		background = ctx
	}
	forget := context.AfterFunc(background, func() { stop(context.Cause(background)) })
	bound := &bound{Context: running, caller: ctx, stop: stop}
	return l, bound, func() {
		bound.left.Store(true)
		release()
		l.jobs.ended(func() {
			forget()
			stop(nil)
		})
	}
}

// bound is the context of a line: while the line runs, it ends with its
// caller's at once, and not only when somebody has been told.
type bound struct {
	context.Context
	caller context.Context
	stop   context.CancelCauseFunc
	left   atomic.Bool // the line has ended; what runs on is not the caller's
}

func (b *bound) Err() error {
	if !b.left.Load() && b.caller.Err() != nil {
		b.stop(context.Cause(b.caller))
	}
	return b.Context.Err()
}

// script is a text to be run by an interpreter of its own.
type script struct {
	text     string
	name     string   // of the file; empty is the shell itself
	args     []string // $1 and so on
	env      *environment
	dir      string
	in       *os.File
	out, err io.Writer
}

// script parses a text and runs it.
func (l *line) script(ctx context.Context, s script) int {
	file, mistake := l.limits.parse(s.text, s.name)
	code := 0
	if file != nil {
		r, err := l.interpreter(s)
		if err != nil {
			fmt.Fprintf(s.err, "%s: %v\n", self, err)
			return 1
		}
		code = l.exit(r.Run(ctx, file), s.err)
		if r.Exited() {
			return code
		}
	}
	if mistake != nil {
		fmt.Fprintf(s.err, "%s: %s\n", self, syntaxMessage(mistake))
		return 1
	}
	return code
}

// exit is the exit code that an interpreter's error stands for.
func (l *line) exit(err error, stderr io.Writer) int {
	var status interp.ExitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return killed
	}
	fmt.Fprintf(stderr, "%s: %v\n", self, err)
	return 1
}

// syntaxMessage is a parser's complaint in the shell's form.
func syntaxMessage(err error) string {
	var parse syntax.ParseError
	if !errors.As(err, &parse) {
		return err.Error()
	}
	return "syntax error: " + strings.ReplaceAll(parse.Text, "`", "'")
}

// interpreter makes the interpreter of a script. Everything that it could want
// of the host is answered by the phone.
func (l *line) interpreter(s script) (*interp.Runner, error) {
	var in io.Reader
	if s.in != nil {
		in = s.in
	}
	s.env.starting = true
	r, err := interp.New(
		interp.Env(s.env), interp.Dir("/"), interp.Interactive(true), interp.BashOpts("-s", "extglob"),
		interp.StdIO(in, counted{l, s.out}, counted{l, s.err}),
		interp.CallHandler(l.call), interp.ExecHandlers(l.program),
		interp.OpenHandler(l.open), interp.ReadDirHandler2(l.readDir),
		interp.StatHandler(l.stat), interp.AccessHandler(l.access),
		interp.Params(append([]string{"--"}, s.args...)...),
	)
	if err != nil {
		return nil, err
	}
	r.Dir = s.dir
	r.Reset()
	s.env.starting = false
	return r, nil
}

// readable is a reader as the file that the interpreter needs, and what closes
// it. Reads end with the context.
func readable(ctx context.Context, in io.Reader) (*os.File, func(), error) {
	if in == nil {
		return nil, func() {}, nil
	}
	pr, pw, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	go func() {
		io.Copy(pw, in)
		pw.Close()
	}()
	stop := context.AfterFunc(ctx, func() { pr.SetReadDeadline(time.Unix(1, 0)) })
	return pr, sync.OnceFunc(func() { stop(); pr.Close() }), nil
}

// reader is a file as a reader; none is one that is empty.
func reader(f io.Reader) io.Reader {
	if file, ok := f.(*os.File); f == nil || ok && file == nil {
		return strings.NewReader("")
	}
	return f
}
