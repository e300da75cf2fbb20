package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/countersign/countersign/risk"
)

// row is a line of the list.
type row struct {
	id, name string
	// category is the source's own word; tags are F-Droid's, where it has them.
	category string
	tags     []string
	tier     risk.Tier
	sources  []string
	// confidence is A (named or hand-picked), B (by rule) or C (a default for a
	// category that says nothing).
	confidence string
}

func (r *row) from(source string) bool { return slices.Contains(r.sources, source) }

// only reports whether the source is the row's only one.
func (r *row) only(source string) bool { return len(r.sources) == 1 && r.sources[0] == source }

const columnsWanted = "package\tname\tcategory\ttier\tsource\tconfidence"

func readRows(list io.Reader) ([]row, error) {
	var rows []row
	lines := bufio.NewScanner(list)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if n == 1 {
			if line != columnsWanted {
				return nil, fmt.Errorf("line 1: the columns must be %q", columnsWanted)
			}
			continue
		}
		r, err := parseRow(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}

func parseRow(line string) (row, error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 6 {
		return row{}, fmt.Errorf("%d columns instead of 6", len(fields))
	}
	r := row{
		id: fields[0], name: strings.TrimSpace(fields[1]), category: fields[2],
		sources: strings.Split(fields[4], "+"), confidence: fields[5],
	}
	if err := r.tier.UnmarshalText([]byte(fields[3])); err != nil {
		return row{}, err
	}
	if len(r.confidence) != 1 || !strings.Contains("ABC", r.confidence) {
		return row{}, fmt.Errorf("confidence %q is not one of A, B, C", r.confidence)
	}
	// "email (F-Droid: Email,Internet)" is a category with tags.
	if head, tail, found := strings.Cut(r.category, " (F-Droid: "); found {
		r.category, r.tags = head, strings.Split(strings.TrimSuffix(tail, ")"), ",")
	}
	return r, nil
}

func containsAny(list []string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}

// app is what the table says of a package.
type app struct {
	id, name, kind string
	tier           risk.Tier
	surface        string
	vague          bool
}
