package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// prompts are what a shell on a terminal says before it reads.
const prompt, morePrompt = "$ ", "> "

// Interactive reads lines from stdin and runs each as it is complete, as a
// shell does that was started without one. What a line runs reads on where the
// line ended. On a terminal it prompts and goes on after a mistake. It ends with
// stdin or with exit, and returns the exit code.
func (s *Shell) Interactive(ctx context.Context, terminal bool, stdin io.Reader, stdout, stderr io.Writer) int {
	in, closeIn, err := readable(ctx, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", self, err)
		return 1
	}
	defer closeIn()
	l, ctx, done := s.begin(ctx)
	defer done()
	r, err := l.interpreter(script{env: newEnvironment(s.Phone.Model()), dir: "/", in: in, out: stdout, err: stderr})
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", self, err)
		return 1
	}
	t := typed{line: l, in: in, out: stdout, err: stderr, terminal: terminal, where: s.Phone.Model()}
	return t.run(ctx, r)
}

// typed is a session with lines that are typed.
type typed struct {
	line     *line
	in       *os.File
	out, err io.Writer
	terminal bool
	where    string
	code     int
}

func (t *typed) run(ctx context.Context, r *interp.Runner) int {
	for ctx.Err() == nil {
		file, err := t.read(r.Dir)
		switch {
		case errors.Is(err, io.EOF):
			return t.code
		case err != nil:
			fmt.Fprintf(t.err, "%s: %s\n", self, syntaxMessage(err))
			if t.code = 1; !t.terminal {
				return 1
			}
			continue
		}
		for _, stmt := range file.Stmts {
			t.line.steps.Store(0) // the bounds are those of a line
			t.line.calls.Store(0)
			t.line.output.Store(0)
			t.code = t.line.exit(r.Run(ctx, stmt), t.err)
			if r.Exited() || ctx.Err() != nil {
				return t.code
			}
		}
	}
	return t.code
}

// read reads until what was typed is complete.
func (t *typed) read(dir string) (*syntax.File, error) {
	var text strings.Builder
	for {
		if t.terminal && text.Len() == 0 {
			fmt.Fprintf(t.out, "%s:%s %s", t.where, dir, prompt)
		} else if t.terminal {
			fmt.Fprint(t.out, morePrompt)
		}
		line, err := readLine(t.in, t.line.limits.Line)
		text.WriteString(line)
		if err != nil && text.Len() == 0 {
			return nil, io.EOF
		}
		if err == nil && continued(text.String()) {
			continue
		}
		file, parseErr := t.line.limits.parse(text.String(), "")
		if parseErr != nil && syntax.IsIncomplete(parseErr) && err == nil {
			continue
		}
		return file, parseErr
	}
}

// continued reports whether a text ends in a backslash and a line's end.
func continued(text string) bool {
	text, ok := strings.CutSuffix(text, "\n")
	return ok && (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// readLine reads a line and no byte more, so that a program reads what follows.
func readLine(in io.Reader, most int) (string, error) {
	var line []byte
	var b [1]byte
	for len(line) <= most {
		n, err := in.Read(b[:])
		if n > 0 {
			if line = append(line, b[0]); b[0] == '\n' {
				return string(line), nil
			}
		}
		if err != nil {
			return string(line), err
		}
	}
	return string(line), nil
}
