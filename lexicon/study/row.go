package study

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/countersign/countersign/risk"
)

// ErrRow says that a line of labelled strings cannot be read.
var ErrRow = errors.New("not a labelled string; wanted is one JSON object a line with app, locale, value and category")

// Row is one labelled string of an app's interface.
type Row struct {
	App    string `json:"app"`
	Key    string `json:"key"`
	Locale string `json:"locale"` // a BCP 47 tag
	Value  string `json:"value"`
	// Category is the word of the data; see Class.
	Category string `json:"category"`
	// ActionLabel says that the text stands on a button or menu item.
	ActionLabel bool   `json:"action_label"`
	Strength    string `json:"strength"` // strong or weak, of risky rows
	Subtype     string `json:"subtype"`  // of benign rows: plain, status, lookalike, negation, question
}

// Class is the category of a row in our words, and whether the row counts at
// all: ambiguous ones and headings do not.
func (r *Row) Class() (risk.Category, bool) {
	switch r.Category {
	case "benign":
		return risk.None, true
	case "affirmative_generic":
		return risk.Affirmative, true
	case "ambiguous":
		return risk.Unknown, false
	case "send":
		return risk.Message, r.ActionLabel
	case "subscribe_cancel":
		return risk.CancelService, r.ActionLabel
	}
	c, ok := risk.ParseCategory(r.Category)
	return c, ok && r.ActionLabel
}

// Language is the language of a row without its region, where the region is
// not another way of writing.
func (r *Row) Language() string {
	base, rest, _ := strings.Cut(strings.ReplaceAll(r.Locale, "_", "-"), "-")
	switch base {
	case "zh":
		switch rest {
		case "TW", "HK", "MO", "Hant":
			return "zh-Hant"
		}
		return "zh-Hans"
	case "no", "nn":
		return "nb"
	case "tl":
		return "fil"
	case "iw":
		return "he"
	case "in":
		return "id"
	}
	return base
}

// ReadRows reads labelled strings, one JSON object a line, plain or gzipped.
// The error wraps [ErrRow] and names the line.
func ReadRows(in io.Reader) ([]Row, error) {
	buffered := bufio.NewReader(in)
	if head, _ := buffered.Peek(2); bytes.Equal(head, []byte{0x1F, 0x8B}) {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("unzip: %w", err)
		}
		defer unzipped.Close()
		buffered = bufio.NewReader(unzipped)
	}
	var rows []Row
	lines := bufio.NewScanner(buffered)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r Row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%w: line %d: %s", ErrRow, n, strings.TrimPrefix(err.Error(), "json: "))
		}
		if r.App == "" || r.Locale == "" || r.Category == "" {
			return nil, fmt.Errorf("%w: line %d lacks one of them", ErrRow, n)
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}
