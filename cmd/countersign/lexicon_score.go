package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/countersign/countersign/lexicon/study"
)

// lexiconScoreCommand scores the lexicon.
type lexiconScoreCommand struct {
	rowFlags
	JSON      bool   `name:"json" help:"Print the figures as one JSON object."`
	Languages string `name:"languages-md" placeholder:"FILE" help:"Write the page about the languages as well."`
}

// Help is the longer text of --help.
func (lexiconScoreCommand) Help() string {
	return `  countersign lexicon score --data dev.jsonl.gz --data dev2.jsonl.gz

` + rowHelp
}

// Run scores and prints.
func (c *lexiconScoreCommand) Run(t *terminal) error {
	s, err := c.study(t)
	if err != nil {
		return err
	}
	sum := s.Summarize()
	if err := writeLanguages(c.Languages, sum); err != nil {
		return err
	}
	if c.JSON {
		text, err := encode(sum, "  ")
		if err == nil {
			_, err = t.out.Write(text)
		}
		return err
	}
	study.WriteReport(t.out, sum)
	took := study.Time(s.Rows)
	_, err = fmt.Fprintf(t.out, "\nA label takes %v (median of %d), 99 in 100 no more than %v.\n", took.Median, took.Labels, took.Slow)
	return err
}

// writeLanguages writes the page about the languages, where one is wanted.
func writeLanguages(path string, sum *study.Summary) error {
	if path == "" {
		return nil
	}
	var page strings.Builder
	study.WritePage(&page, sum)
	if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
		return usage(fmt.Errorf("write the page about the languages: %w", err), "name another file with --languages-md")
	}
	return nil
}
