package shell

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
)

// line is one line while it runs, with all that it starts: what it may still do
// is counted here.
type line struct {
	shell  *Shell
	limits Limits
	// stop ends the line and all that it left running.
	stop   context.CancelCauseFunc
	steps  atomic.Int64
	calls  atomic.Int64
	shells atomic.Int64
	pipes  atomic.Int64
	output atomic.Int64
	jobs   jobs
}

// What ends a line. The words are those of mksh and of Linux.
var (
	errSteps  = errors.New("killed: the line ran too many commands")
	errCalls  = errors.New("function nesting level exceeded")
	errFork   = errors.New("can't fork - try again")
	errOutput = errors.New("killed: the line wrote too much")
	errMemory = errors.New("internal error: cannot allocate memory")
)

// step counts a command.
func (l *line) step() error {
	if l.steps.Add(1) > int64(l.limits.Steps) {
		l.stop(errSteps)
		return errSteps
	}
	return nil
}

// enter counts a function, an eval or a sourced file.
func (l *line) enter() error {
	if l.calls.Add(1) > int64(l.limits.Calls) {
		l.stop(errCalls)
		return errCalls
	}
	return nil
}

// fork counts a pipe that opens.
func (l *line) fork() error {
	if l.pipes.Add(1) > int64(l.limits.Pipes) {
		l.stop(errFork)
		return errFork
	}
	return nil
}

// join counts a pipe that closes.
func (l *line) join() { l.pipes.Add(-1) }

// counted is a writer that ends its line when all writers together wrote too
// much.
type counted struct {
	line *line
	to   io.Writer
}

func (w counted) Write(b []byte) (int, error) {
	if w.line.output.Add(int64(len(b))) > w.line.limits.Output {
		w.line.stop(errOutput)
		return 0, errOutput
	}
	return w.to.Write(b)
}

// run is a process: a program with its words and where it reads and writes.
type run struct {
	ctx  context.Context
	line *line
	// args are the words; the first is the program as it was called.
	args []string
	// dir is the working directory, env the environment.
	dir      string
	env      map[string]string
	in       io.Reader
	out, err io.Writer
	// exit is the exit code of a command that was understood and failed.
	exit int
	// detached is true under nohup and setsid: the end of the line is not its
	// end.
	detached bool
}

// readerKey is the key of what [WithReader] puts into a context.
type readerKey struct{}

// WithReader tells lines when nobody reads any more what they write. Without the
// shell protocol adbd does not end a line whose client has gone; what writes
// without an end does so by itself, for its writes fail.
func WithReader(ctx context.Context, gone <-chan struct{}) context.Context {
	return context.WithValue(ctx, readerKey{}, gone)
}

// linger waits for the end of the process or of who reads it, and is the exit
// code of that.
func (r *run) linger() int {
	gone, _ := r.ctx.Value(readerKey{}).(<-chan struct{})
	select {
	case <-r.ctx.Done():
	case <-gone:
	}
	return 130
}

// program is what a name in the folders of programs does; it returns the exit
// code.
type program func(r *run) int
