package catalog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/countersign/countersign/risk"
	"go.yaml.in/yaml/v3"
)

// OverrideError is one thing that is wrong in an overrides file.
type OverrideError struct {
	// Line and Column count from 1; both are 0 where the whole file is meant.
	Line, Column int
	// Problem says what is wrong and what is accepted.
	Problem string
}

// Error gives the place and the problem.
func (e *OverrideError) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

const (
	maxOverrideBytes    = 1 << 20
	maxOverrideProblems = 20
)

// ReadOverrides reads the user's own tiers from YAML of at most 1 MiB:
//
//	apps:
//	  com.example.bank: HIGH
//	  "com.example.games.*": LOW
//
// See [MakeOverrides] for what a key may be. An empty file overrides nothing.
// Everything that is not in this form is an error: unknown or repeated keys,
// other words than HIGH, MEDIUM and LOW, aliases, several documents. The error
// joins up to 20 [OverrideError], each with its line, column and, for a
// misspelt word, the nearest valid one.
func ReadOverrides(r io.Reader) (Overrides, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxOverrideBytes+1))
	if err != nil {
		return Overrides{}, fmt.Errorf("read overrides: %w", err)
	}
	if len(text) > maxOverrideBytes {
		return Overrides{}, &OverrideError{Problem: "the file is larger than 1 MiB"}
	}
	var doc yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return Overrides{}, nil
	} else if err != nil {
		return Overrides{}, &OverrideError{Problem: "not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return Overrides{}, &OverrideError{Problem: "the file holds more than one document"}
	}
	reader := &overrideReader{}
	reader.document(doc.Content[0])
	if len(reader.problems) > 0 {
		return Overrides{}, errors.Join(reader.problems...)
	}
	reader.found.sort()
	return reader.found, nil
}

// ReadOverridesFile reads a file by [ReadOverrides]; its errors name the file.
func ReadOverridesFile(path string) (Overrides, error) {
	file, err := os.Open(path)
	if err != nil {
		return Overrides{}, fmt.Errorf("read overrides: %w", err)
	}
	defer file.Close()
	o, err := ReadOverrides(file)
	if err != nil {
		return Overrides{}, fmt.Errorf("%s: %w", path, err)
	}
	return o, nil
}

// overrideReader walks the document and gathers problems instead of stopping
// at the first.
type overrideReader struct {
	found    Overrides
	problems []error
}

func (r *overrideReader) problem(at *yaml.Node, format string, args ...any) {
	if len(r.problems) < maxOverrideProblems {
		r.problems = append(r.problems, &OverrideError{at.Line, at.Column, fmt.Sprintf(format, args...)})
	}
}

func (r *overrideReader) document(root *yaml.Node) {
	r.mapping(root, "the file", func(key, value *yaml.Node) {
		if key.Value != "apps" {
			r.problem(key, "unknown key %q; only \"apps\" is accepted%s", key.Value, didYouMean(key.Value, "apps"))
			return
		}
		r.mapping(value, "apps", r.app)
	})
}

// mapping calls each for every key of a mapping, once. Nothing at all stands
// for an empty mapping.
func (r *overrideReader) mapping(node *yaml.Node, what string, each func(key, value *yaml.Node)) {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return
	}
	if node.Kind != yaml.MappingNode {
		r.problem(node, "%s must be a mapping, with lines such as \"com.example.bank: HIGH\" below \"apps:\"", what)
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			r.problem(key, "a key must be a plain word")
			continue
		}
		if line, repeated := first[key.Value]; repeated {
			r.problem(key, "%q stands here again, first in line %d", key.Value, line)
			continue
		}
		first[key.Value] = key.Line
		each(key, value)
	}
}

func (r *overrideReader) app(key, value *yaml.Node) {
	var tier risk.Tier
	if value.Kind != yaml.ScalarNode || tier.UnmarshalText([]byte(value.Value)) != nil {
		r.problem(value, "tier %q is not one of HIGH, MEDIUM, LOW%s", value.Value, didYouMean(value.Value, "HIGH", "MEDIUM", "LOW"))
		return
	}
	if err := r.found.set(key.Value, tier); err != nil {
		r.problem(key, "%q: %v", key.Value, err)
	}
}

// didYouMean offers the nearest of the valid words, if one is within two edits.
func didYouMean(got string, valid ...string) string {
	if len(got) > 32 {
		return ""
	}
	for edits := range 3 {
		for _, word := range valid {
			if isWithin([]byte(strings.ToUpper(got)), strings.ToUpper(word), edits) {
				return fmt.Sprintf("; did you mean %s?", word)
			}
		}
	}
	return ""
}
