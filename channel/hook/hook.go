// Package hook tells a program of the owner's that a question waits: it is started
// without a shell, with the arguments that its owner wrote down and nothing else,
// and reads the message as JSON from its standard input. That it ends with exit
// code 0 says that it has told somebody.
package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/channel/notice"
)

// The bounds of a program.
const (
	// Timeout is how long it may run.
	Timeout = 10 * time.Second

	waitDelay = time.Second // for what it left behind to let go of its output
	maxOutput = 4 << 10     // bytes of its standard error that are kept
)

// ErrCommand says what a command has to be.
var ErrCommand = errors.New("a command is a list: the absolute path of a program, then its arguments, without NUL characters; there is no shell")

// Options say what to start.
type Options struct {
	// Command is the program and its arguments.
	Command []string
	// Environ is the environment of which Variables are handed on.
	Environ []string
	// Timeout is how long it may run; 0 for the constant of that name.
	Timeout time.Duration
}

// Variables are what a program gets of the guard's environment: enough to find
// programs and to reach the owner's desktop.
var Variables = []string{"PATH", "HOME", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS"}

// Channel is a notice.Channel.
type Channel struct {
	command []string
	environ []string
	timeout time.Duration
}

// New makes a channel. It starts nothing yet. What is wrong with the command is
// ErrCommand.
func New(o Options) (*Channel, error) {
	if len(o.Command) == 0 || !filepath.IsAbs(o.Command[0]) || strings.Contains(strings.Join(o.Command, ""), "\x00") {
		return nil, ErrCommand
	}
	c := &Channel{command: slices.Clone(o.Command), environ: []string{}, timeout: o.Timeout}
	if c.timeout <= 0 {
		c.timeout = Timeout
	}
	for _, v := range o.Environ {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(Variables, name) {
			c.environ = append(c.environ, v)
		}
	}
	return c, nil
}

// Tell runs the program once. Whatever it does but end in order and in time is a
// *notice.Failure, and final: it is not for the guard to start it again.
func (c *Channel) Tell(ctx context.Context, m notice.Message) error {
	doc, err := m.JSON()
	if err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	cmd := exec.CommandContext(bounded, c.command[0], c.command[1:]...)
	cmd.Stdin, cmd.Env, cmd.Dir, cmd.WaitDelay = bytes.NewReader(append(doc, '\n')), c.environ, string(filepath.Separator), waitDelay
	complaint := &beginning{}
	cmd.Stderr = complaint // its standard output goes nowhere
	apart(cmd)
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		end(cmd) // something that it started still holds its standard error
		err = nil
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case bounded.Err() != nil:
		return &notice.Failure{Why: fmt.Sprintf("the program did not end within %v, and was stopped", c.timeout), Final: true}
	case err != nil:
		return &notice.Failure{Why: c.why(err, complaint), Final: true}
	}
	return nil
}

// why is how a program failed, with the first line of what it wrote.
func (c *Channel) why(err error, complaint *beginning) string {
	text := "the program could not be started: " + err.Error()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		text = "the program ended with " + exit.Error()
	}
	if line := complaint.line(); line != "" {
		text += ": " + line
	}
	return text
}

// beginning keeps the first bytes that are written to it, and takes the others.
type beginning struct{ b bytes.Buffer }

// Write keeps what there is room for.
func (w *beginning) Write(p []byte) (int, error) {
	if room := maxOutput - w.b.Len(); room > 0 {
		w.b.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// line is the first line with something on it.
func (w *beginning) line() string {
	for line := range strings.Lines(w.b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
