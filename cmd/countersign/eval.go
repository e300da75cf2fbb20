package main

import (
	"errors"
	"fmt"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/lab"
)

// evalCommand scores labelled cases.
type evalCommand struct {
	Cases  string   `arg:"" help:"A file of labelled cases, one JSON object a line, or -."`
	Policy []string `default:"default,post,flat" placeholder:"NAME|FILE" help:"The policies side by side; the first one is broken down."`
	Apps   string   `placeholder:"FILE" help:"A file with your own tiers for apps."`
	Misses bool     `help:"List the cases that were not asked about and should have been."`
	False  bool     `help:"List the cases that were asked about needlessly."`
	Either bool     `help:"List the cases for which either verdict is right."`
	// Recheck and Tasks ask other questions of the same cases.
	Recheck bool `xor:"what" help:"Change the screen of every case that is held, and count which approvals survive."`
	Tasks   bool `xor:"what" help:"Replay the tasks that the cases are steps of, and count the questions."`
	JSON    bool `name:"json" help:"Print the rates as one JSON object."`
}

// Help is the longer text of --help.
func (evalCommand) Help() string {
	return `A case names a tree (a file, relative to the cases), a node by its place in the document, and what
a careful owner would want: allow or confirm.

  countersign eval cases.jsonl --misses --false
  countersign eval cases.jsonl --policy default,mine.yaml

Recall is over the rows that want confirm, needless
over those that want allow; rows with "also_acceptable" are in neither. Intervals are at 95 % and
take rows of one app for alike. See docs/cli.md for the fields.

  countersign eval cases.jsonl --recheck
  countersign eval steps.jsonl --tasks`
}

// Run scores and reports.
func (c *evalCommand) Run(t *terminal) error {
	cases, err := readCases(t, c.Cases)
	if err != nil {
		return err
	}
	switch {
	case c.Recheck:
		return c.recheck(t, cases)
	case c.Tasks:
		return c.tasks(t, cases)
	}
	var judges []lab.Judge
	for _, name := range c.Policy {
		guard, err := countersign.New(countersign.Options{Policy: name, Apps: c.Apps})
		if err != nil {
			return usage(err)
		}
		judges = append(judges, lab.Judge{Name: name, Guard: guard})
	}
	if len(judges) == 0 {
		return usage(errors.New("no policy is given"), "leave --policy out for default,post,flat")
	}
	progress := t.progress("cases decided")
	results, err := lab.Run(cases, judges, progress.set)
	progress.end()
	if err != nil {
		return usage(err, "paths of trees start at the folder of the case file")
	}
	if c.JSON {
		return c.print(t, lab.Summarize(judges, results))
	}
	lab.WriteReport(t.out, judges, results, lab.Show{Misses: c.Misses, False: c.False, Either: c.Either})
	return nil
}

func readCases(t *terminal, path string) ([]lab.Case, error) {
	in, dir, err := t.open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	cases, err := lab.ReadCases(in, dir)
	switch {
	case err != nil:
		return nil, usage(fmt.Errorf("%s: %w", path, err), "see countersign eval --help for what a case is")
	case len(cases) == 0:
		return nil, usage(fmt.Errorf("%s has no cases", path))
	}
	return cases, nil
}
