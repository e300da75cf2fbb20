package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/countersign/countersign/lab"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// logLabelCommand makes a labelled case of a decision.
type logLabelCommand struct {
	homeFlag
	Out      string `placeholder:"FILE" help:"The file of cases that it is added to, - for standard output; cases.jsonl in the guard's folder if left out."`
	Category string `placeholder:"WORD" help:"What the action really does, where the guard has it wrong."`
	Why      string `placeholder:"TEXT" help:"A word for the lists of eval."`
	Recorded bool   `help:"Make cases of all that was marked on the web page."`
	ID       string `arg:"" optional:"" help:"The id of the action, the beginning of it, or the number of a row."`
	Label    string `arg:"" optional:"" default:"" enum:",needless,missed" help:"needless: it should have been allowed. missed: it should have been asked about."`
}

// Help is the longer text of --help.
func (logLabelCommand) Help() string {
	return `The case is made of what the record keeps to decide again, and eval reads it:

  countersign log label 412 needless
  countersign log label a_k3jd5q missed --category money --out mine.jsonl
  countersign eval mine.jsonl --misses --false
  countersign log label --recorded            what was marked on the web page

A label that is given here stands in the file of cases only; nothing is added to the record. Those of
the web page are in the record.`
}

// casesFile is where cases are kept in the guard's folder.
const casesFile = "cases.jsonl"

// labelledCase is a line that eval reads.
type labelledCase struct {
	ID       string          `json:"id"`
	Package  string          `json:"package,omitempty"`
	Want     risk.Outcome    `json:"want"`
	Category risk.Category   `json:"category"`
	Why      string          `json:"why,omitempty"`
	Request  json.RawMessage `json:"request"`
}

// Run makes the case and adds it.
func (c *logLabelCommand) Run(t *terminal) error {
	ctx, stop := interruptible()
	defer stop()
	switch {
	case c.Recorded && (c.ID != "" || c.Category != ""):
		return usage(errors.New("--recorded takes all that was marked, as it was marked"), "leave out the id and --category, or --recorded")
	case c.Recorded:
		return c.recorded(ctx, t)
	case c.ID == "" || c.Label == "":
		return usage(errors.New("an action and a label are needed"), "for example: countersign log label 412 needless", "what was marked on the web page: countersign log label --recorded")
	}
	d, err := c.decision(ctx, t)
	if err != nil {
		return err
	}
	line, err := c.labelled(d)
	if err != nil {
		return err
	}
	if d.Replay != ledger.ReplayExact {
		_, _ = fmt.Fprintln(t.err, "note: eval may decide otherwise than the guard did: "+line1(d.Replay))
	}
	if c.Out == "-" {
		_, err := t.out.Write(line)
		return err
	}
	path, err := c.path()
	if err != nil {
		return err
	}
	if err := addCase(path, d.ActionID, line); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "added to %s: %s in %s\n", path, subjectOf(d), line1(d.App.Package))
	return err
}

// path is the file of cases.
func (c *logLabelCommand) path() (string, error) {
	if c.Out != "" {
		return c.Out, nil
	}
	dir, err := c.dir()
	return filepath.Join(dir, casesFile), err
}

// decision is the decision that is labelled: the one about the action that can
// be made again.
func (c *logLabelCommand) decision(ctx context.Context, t *terminal) (*ledger.Decision, error) {
	rec, err := c.record(ctx)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	rows, err := find(ctx, t, rec, c.ID)
	if err != nil {
		return nil, logError(err)
	}
	d, err := rows[0].Decision()
	if err != nil {
		return nil, usage(fmt.Errorf("row %d is a %s row; only a decision can be labelled", rows[0].Seq, rows[0].Kind))
	}
	if len(d.Features) == 0 || string(d.Features) == "null" {
		return nil, usage(fmt.Errorf("the record does not keep what this action can be decided again from, so no case can be made of it: %s", line1(d.Replay)))
	}
	asked := d.Outcome != risk.Allow
	switch {
	case c.Label == "missed" && asked:
		return nil, usage(fmt.Errorf("the guard said %s, so it missed nothing", d.Outcome), "needless is for what should have been allowed")
	case c.Label == "needless" && !asked:
		return nil, usage(errors.New("the guard allowed it, so nothing was needless"), "missed is for what should have been asked about")
	}
	return &d, nil
}

// labelled is the line of the case. It has been read again, as eval will.
func (c *logLabelCommand) labelled(d *ledger.Decision) ([]byte, error) {
	out := labelledCase{
		ID: d.ActionID, Package: d.App.Package, Want: risk.Allow, Category: risk.None,
		Why: c.Why, Request: d.Features,
	}
	if c.Label == "missed" {
		out.Want, out.Category = risk.Confirm, d.Category
		if !d.Category.Risky() {
			out.Category = risk.Other
		}
	}
	var failed error
	if category := choose("category", c.Category, risk.Categories(), func(err error) { failed = err }); category != nil {
		out.Category = *category
	}
	if failed != nil {
		return nil, usage(failed)
	}
	line, err := encode(out, "")
	if err != nil {
		return nil, err
	}
	if _, err := lab.ReadCases(bytes.NewReader(line), "."); err != nil {
		return nil, usage(fmt.Errorf("no case can be made of this action: %w", err))
	}
	return line, nil
}

// casesIn reads a file of cases; one that is not there is empty.
func casesIn(path string) (old []byte, cases []lab.Case, err error) {
	old, err = os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, usage(err)
	}
	cases, err = lab.ReadCases(bytes.NewReader(old), filepath.Dir(path))
	if err != nil {
		return nil, nil, usage(fmt.Errorf("%s is no file of cases: %w", path, err), "name another one with --out")
	}
	return old, cases, nil
}

// addCase adds a line to a file of cases, for its owner only: what stood on the
// screen is in it. An action that is in it already is not added again.
func addCase(path, id string, line []byte) error {
	old, cases, err := casesIn(path)
	if err != nil {
		return err
	}
	for i := range cases {
		if cases[i].ID == id {
			return usage(fmt.Errorf("%s has a case of %s already, on line %d: want %s", path, id, cases[i].Line, cases[i].Want),
				"remove that line first, or name another file with --out")
		}
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		line = append([]byte("\n"), line...)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return usage(err)
	}
	_, err = io.Copy(f, bytes.NewReader(line))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("add the case: %w", err)
	}
	return nil
}
