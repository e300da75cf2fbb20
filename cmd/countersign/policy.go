package main

import (
	"errors"
	"fmt"

	"github.com/countersign/countersign/policy"
)

// policyCommand is about policy files.
type policyCommand struct {
	Check policyCheckCommand `cmd:"" help:"Read a policy, and hold it against your expectations."`
}

// policyCheckCommand reads a policy strictly and runs cases on it.
type policyCheckCommand struct {
	File  string `arg:"" help:"The policy file, or a preset: default, post, flat."`
	Cases string `placeholder:"FILE" help:"Cases that say what you expect (docs/policy.md)."`
}

// Help is the longer text of --help.
func (policyCheckCommand) Help() string {
	return `Says what is wrong with a policy and where, before a guard has to refuse it.

  countersign policy check mine.yaml
  countersign policy check mine.yaml --cases mine-cases.yaml

The exit code is 1 when a case is not met, 2 when a file cannot be read.`
}

// Run checks.
func (c *policyCheckCommand) Run(t *terminal) error {
	if c.File == "" { // most likely a variable of a script that is not set
		return usage(errors.New("the name of the policy is empty"))
	}
	p, err := policy.Named(c.File)
	if err != nil {
		return usage(err)
	}
	if c.Cases == "" {
		_, err = fmt.Fprintf(t.out, "%s can be used\n", printable(p.Name()))
		return err
	}
	data, err := readWhole(c.Cases)
	if err != nil {
		return usage(err)
	}
	results, err := policy.RunCases(p, []byte(data))
	if err != nil {
		return usage(err)
	}
	failed := 0
	for _, r := range results {
		if r.Passed() {
			continue
		}
		failed++
		if _, err := fmt.Fprintf(t.out, "%s:%d: %s: %s by %s, want %s %s\n", printable(c.Cases), r.Line, printable(r.Name), r.Got, printable(r.Rule), r.Want, printable(r.WantRule)); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
	}
	if _, err := fmt.Fprintf(t.out, "%s: %d of %d cases are met\n", printable(p.Name()), len(results)-failed, len(results)); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	if failed > 0 {
		return exitWith(exitFailed)
	}
	return nil
}
