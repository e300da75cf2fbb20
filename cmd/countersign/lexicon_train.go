package main

import (
	"fmt"
	"os"

	"github.com/countersign/countersign/lexicon/study"
)

// lexiconTrainCommand trains the statistical layer.
type lexiconTrainCommand struct {
	rowFlags
	Out       string `required:"" placeholder:"FILE" help:"Where the model is written."`
	Languages string `name:"languages-md" placeholder:"FILE" help:"Write the page about the languages as well."`
}

// Help is the longer text of --help.
func (lexiconTrainCommand) Help() string {
	return `  countersign lexicon train --data dev.jsonl.gz --data dev2.jsonl.gz --out statistical.model

` + rowHelp + `

The same rows give the same bytes. First each group of apps is read by a model of the others, so that
the probabilities can be calibrated; then the model that is written is trained on all of them. The figures of the first step are printed.`
}

// Run trains and writes.
func (c *lexiconTrainCommand) Run(t *terminal) error {
	s, err := c.study(t)
	if err != nil {
		return err
	}
	model := s.Artefact()
	if err := os.WriteFile(c.Out, model, 0o644); err != nil {
		return usage(fmt.Errorf("write the model: %w", err), "name another file with --out")
	}
	fmt.Fprintf(t.out, "%s: %d bytes, from %d rows of %d apps\n\n", c.Out, len(model), len(s.Outcomes), s.Apps)
	sum := s.Summarize()
	study.WriteReport(t.out, sum)
	return writeLanguages(c.Languages, sum)
}
