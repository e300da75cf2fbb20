package shell

import (
	"context"
	"io"
)

// Run runs a line and returns its exit code.
func (s *Shell) Run(ctx context.Context, line string, stdin io.Reader, stdout, stderr io.Writer) int {
	return 127
}

// Exec runs one program without a shell in between.
func (s *Shell) Exec(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return 127
}

// Interactive reads lines from stdin and runs each as it is complete, as a
// shell does that was started without one. It ends with stdin or with exit.
func (s *Shell) Interactive(ctx context.Context, prompt bool, stdin io.Reader, stdout, stderr io.Writer) int {
	return 127
}
