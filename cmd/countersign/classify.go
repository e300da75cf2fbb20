package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// classifyCommand says what labels mean, without a screen around them.
type classifyCommand struct {
	JSONL    bool     `name:"jsonl" help:"Read one JSON object a line: {id, text, language?, role?, signal?}."`
	JSON     bool     `name:"json" help:"Print JSON about one label as well."`
	Language string   `placeholder:"TAG" help:"The language the label is in, such as fr or zh-Hant."`
	Role     string   `placeholder:"ROLE" help:"The control it stands on, such as button or row."`
	Signal   string   `placeholder:"SIGNAL" help:"Where it was read, such as text, resource_id or dialog_title."`
	Label    []string `arg:"" optional:"" help:"The label; with --jsonl a file, standard input if left out or -."`
}

// Help is the longer text of --help.
func (classifyCommand) Help() string {
	return `Without a screen around it: which words are known, and what they do.

  countersign classify "Delete chat"
  countersign classify --signal resource_id com.example:id/btn_send
  countersign classify --jsonl labels.jsonl > read.jsonl

A bare label may also be "affirmative" (OK, Yes) or "dismissal" (Cancel): what those do depends
on what is around them.`
}

// label is a line of classify --jsonl.
type label struct {
	ID       json.RawMessage `json:"id"`
	Text     string          `json:"text"`
	Language string          `json:"language"`
	Role     risk.Role       `json:"role"`
	Signal   risk.Signal     `json:"signal"`
}

// labelSignals are where a label can be read.
var labelSignals = []risk.Signal{
	risk.SignalText, risk.SignalDescription, risk.SignalHint, risk.SignalResourceID,
	risk.SignalDescendant, risk.SignalChildID, risk.SignalAncestorID, risk.SignalRow,
	risk.SignalDialogTitle, risk.SignalDialogMessage,
}

// meaning is the answer to a label.
type meaning struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Category risk.Category   `json:"category"`
	Score    float32         `json:"score"`
	Evidence []risk.Evidence `json:"evidence"`

	reading lexicon.Reading
}

// Run classifies.
func (c *classifyCommand) Run(t *terminal) error {
	if c.JSONL {
		if len(c.Label) > 1 {
			return usage(errors.New("--jsonl reads one file"), "join them: cat FILE... | countersign classify --jsonl")
		}
		in, _, err := t.open(strings.Join(c.Label, ""))
		if err != nil {
			return err
		}
		defer in.Close()
		return t.batch(in, func(line []byte) (any, error) {
			l, err := readLabel(line)
			if err != nil {
				return nil, err
			}
			return l.read(), nil
		})
	}
	if len(c.Label) == 0 {
		return usage(errors.New("no label is given"), `try: countersign classify "Delete chat"`, "for many labels use --jsonl")
	}
	l := label{Text: strings.Join(c.Label, " "), Language: c.Language, Signal: risk.Signal(c.Signal)}
	if err := l.Role.UnmarshalText([]byte(c.Role)); err != nil {
		return usage(err)
	}
	if err := l.check(); err != nil {
		return usage(err)
	}
	m := l.read()
	if c.JSON {
		text, err := encode(m, "  ")
		if err == nil {
			_, err = t.out.Write(text)
		}
		return err
	}
	return l.print(t, &m)
}

// readLabel reads a line strictly.
func readLabel(data []byte) (label, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var l label
	if err := dec.Decode(&l); err != nil {
		return label{}, fmt.Errorf("label: %s; accepted is an object with id, text, language, role, signal",
			strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return label{}, errors.New("label: more data after the closing brace; one label is one JSON object")
	}
	return l, l.check()
}

func (l *label) check() error {
	if l.Signal == "" {
		l.Signal = risk.SignalText
	}
	if !slices.Contains(labelSignals, l.Signal) {
		return fmt.Errorf("signal %q is not one of %s", l.Signal, joined(labelSignals))
	}
	return nil
}

// joined lists words for an error.
func joined[T ~string](words []T) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = string(w)
	}
	return strings.Join(parts, ", ")
}

// read asks the lexicon.
func (l *label) read() meaning {
	r := lexicon.Default().Read(lexicon.Query{Text: l.Text, Signal: l.Signal, Role: l.Role, Language: l.Language})
	return meaning{
		ID: l.ID, Category: r.Category, Score: r.Score, reading: r,
		Evidence: r.AppendEvidence([]risk.Evidence{}, l.Signal, l.Text),
	}
}

// print tells a person what a label means.
func (l *label) print(t *terminal, m *meaning) error {
	var b strings.Builder
	r := &m.reading
	fmt.Fprintf(&b, "%s  “%s”\n", t.paint(bold, m.Category.String()), decide.Quote(l.Text, 200))
	for i := range m.Evidence {
		e := &m.Evidence[i]
		fmt.Fprintf(&b, "  %s  %s\n", marked(t, l.Text, e), evidenceSource(e))
	}
	fmt.Fprintf(&b, "  %s\n", t.paint(dim, fmt.Sprintf("score %.2f, form %s, fit %s%s", r.Score, r.Form, r.Fit, l.remark(r))))
	_, err := io.WriteString(t.out, b.String())
	return err
}

// remark explains an answer that is not plain.
func (l *label) remark(r *lexicon.Reading) string {
	switch {
	case r.Category == risk.None && r.Topic.Risky():
		return "; it is about " + r.Topic.String() + " and does nothing of the kind"
	case r.Category == risk.Affirmative || r.Category == risk.Dismissal:
		return "; what it does depends on what is around it"
	case !r.Understood:
		return "; the words are not known"
	case r.Permanent:
		return "; for good"
	}
	return ""
}
