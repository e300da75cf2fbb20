package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Result is what became of a step.
type Result string

// The results of a step.
const (
	Done    Result = "done"    // it was done, and a second look found it so
	Already Result = "already" // it was so before
	Left    Result = "left"    // it is for a person to do; the note says what
)

// Step is one thing that an installation wants to be so.
type Step struct {
	// Name says what will be so.
	Name string
	// Commands are what is run, for a person to read.
	Commands []string
	// Content is the text of the file that is written, if it is one.
	Content string

	// look says what is missing, in a few words; empty is nothing. An error is
	// something that stands in the way: nothing is changed at all.
	look func(context.Context) (missing string, err error)
	// do makes it so. A leftError is no failure.
	do func(context.Context) error
}

// leftError is what a step leaves to a person.
type leftError string

func (e leftError) Error() string { return string(e) }

// ErrNotRoot means that users, units and root's files were to be changed by
// somebody else.
var ErrNotRoot = errors.New("only root can make users and services; run it with sudo")

// Run takes the steps in their order and reports each. It ends at the first one
// that fails; running it again goes on from there.
func (i *Installation) Run(ctx context.Context, steps []Step, report func(s Step, r Result, note string)) error {
	if i.o.Machine != nil && os.Geteuid() != 0 {
		return ErrNotRoot
	}
	for _, s := range steps {
		if _, err := s.look(ctx); err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", s.Name, err)
		}
	}
	for _, s := range steps {
		result, note, err := s.take(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		report(s, result, note)
	}
	return nil
}

// take does one step, if there is anything to do.
func (s *Step) take(ctx context.Context) (Result, string, error) {
	missing, err := s.look(ctx)
	if err != nil {
		return "", "", err
	}
	if missing == "" {
		return Already, "", nil
	}
	err = s.do(ctx)
	if left, ok := errors.AsType[leftError](err); ok {
		return Left, string(left), nil
	}
	if err != nil {
		return "", "", err
	}
	still, err := s.look(ctx)
	if err != nil {
		return "", "", err
	}
	if still != "" {
		return "", "", fmt.Errorf("it was done, and yet: %s", still)
	}
	return Done, missing, nil
}

// Show writes the steps for a person who wants to read before anything is done.
func Show(w io.Writer, steps []Step) error {
	var b strings.Builder
	for n, s := range steps {
		fmt.Fprintf(&b, "%d. %s\n", n+1, s.Name)
		for _, c := range s.Commands {
			fmt.Fprintf(&b, "     $ %s\n", c)
		}
		for line := range strings.Lines(s.Content) {
			b.WriteString(strings.TrimRight("     | "+line, " \n") + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
