package shell

import (
	"context"
	"errors"
	"io"
	"sync"
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
	pipes  atomic.Int64
	output atomic.Int64
	// jobs are the commands in the background that hold an output.
	jobs sync.WaitGroup
}

// wait waits for what holds an output, or for the end of the context.
func (l *line) wait(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		l.jobs.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// What ends a line. The words are those of mksh and of Linux.
var (
	errSteps  = errors.New("killed: the line ran too many commands")
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
	// detached is true under nohup and setsid: the end of the line is not its
	// end.
	detached bool
}

// program is what a name in the folders of programs does; it returns the exit
// code.
type program func(r *run) int
