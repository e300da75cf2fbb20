package main

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Exit codes; docs/cli.md lists them for users.
const (
	exitDone   = 0
	exitFailed = 1 // something could not be done: a write, a line of a batch
	exitUsage  = 2 // the command line or an input cannot be read
	// The answers of decide about one action, so that a script can branch.
	exitConfirm = 3
	exitDeny    = 4
)

// failure is an error with the exit code it ends the program with and, on lines
// of their own, what to do next. Without an error it is a silent code.
type failure struct {
	code  int
	err   error
	hints []string
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit code %d", f.code)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// usage is an error in what the user gave.
func usage(err error, hints ...string) error {
	return &failure{code: exitUsage, err: err, hints: hints}
}

// exitWith ends the program with a code and without a word.
func exitWith(code int) error {
	if code == exitDone {
		return nil
	}
	return &failure{code: code}
}

// report prints an error and returns the exit code that goes with it.
func (t *terminal) report(err error) int {
	if err == nil {
		return exitDone
	}
	f := &failure{code: exitFailed, err: err}
	errors.As(err, &f)
	if f.err != nil {
		fmt.Fprintln(t.err, "countersign: "+printable(err.Error()))
		for _, hint := range f.hints {
			fmt.Fprintln(t.err, "hint: "+printable(hint))
		}
	}
	return f.code
}

// printable keeps a message from steering the terminal: it may have lines, and
// nothing else that moves.
func printable(message string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) {
			return unicode.ReplacementChar
		}
		return r
	}, message)
}
