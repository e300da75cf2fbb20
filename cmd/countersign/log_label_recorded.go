package main

import (
	"context"
	"fmt"

	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// recorded makes cases of all decisions that somebody marked on the web page.
// Those that the file has already stay as they are there.
func (c *logLabelCommand) recorded(ctx context.Context, t *terminal) error {
	marked, err := c.marked(ctx)
	if err != nil {
		return logError(err)
	}
	path, there := c.Out, map[string]bool{}
	if c.Out != "-" {
		if path, err = c.path(); err != nil {
			return err
		}
		_, cases, err := casesIn(path)
		if err != nil {
			return err
		}
		for i := range cases {
			there[cases[i].ID] = true
		}
	}
	added := 0
	for i := range marked {
		m := &marked[i]
		if there[m.decision.ActionID] {
			continue
		}
		line, err := m.command(c).labelled(&m.decision)
		if err != nil {
			_, _ = fmt.Fprintf(t.err, "note: no case of %s: %v\n", m.decision.ActionID, err)
			continue
		}
		if c.Out == "-" {
			_, err = t.out.Write(line)
		} else {
			err = addCase(path, m.decision.ActionID, line)
		}
		if err != nil {
			return err
		}
		added++
	}
	if c.Out == "-" {
		return nil
	}
	_, err = fmt.Fprintf(t.out, "%d marked on the web page, %d added to %s\n", len(marked), added, path)
	return err
}

// mark is a decision with what was said of it.
type mark struct {
	decision ledger.Decision
	label    ledger.Label
}

// command is the command line that labels the decision by hand.
func (m *mark) command(c *logLabelCommand) *logLabelCommand {
	one := *c
	one.ID, one.Label = m.decision.ActionID, "missed"
	if m.label.Should == risk.Allow.String() {
		one.Label = "needless"
		return &one
	}
	one.Category = m.label.Category
	return &one
}

// marked are the decisions that carry a label, in the order in which they were
// first labelled.
func (c *logLabelCommand) marked(ctx context.Context) ([]mark, error) {
	rec, err := c.record(ctx)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	seen := map[string]bool{}
	var all []mark
	err = rowsFrom(ctx, rec, 0, func(r *ledger.Row) error {
		if r.Kind != ledger.KindLabel || seen[r.Subject] {
			return nil
		}
		seen[r.Subject] = true
		about, err := rec.About(ctx, r.Subject)
		if err != nil {
			return err
		}
		if d, l, ok := ledger.Labelled(about); ok && len(d.Features) > 0 && string(d.Features) != "null" {
			all = append(all, mark{d, l})
		}
		return nil
	})
	return all, err
}
