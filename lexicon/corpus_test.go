package lexicon

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/countersign/countersign/risk"
)

var listMisses = flag.Bool("misses", false, "list the corpus rows that are read wrongly")

// corpusRow is one judged interface string of ../shared/corpus/labels.
type corpusRow struct {
	App, Key, Locale, Value, Category, Strength, Subtype string

	ActionLabel bool `json:"action_label"`
}

// wanted is the category of a row in our words.
func (r *corpusRow) wanted() risk.Category {
	switch r.Category {
	case "send":
		return risk.Message
	case "subscribe_cancel":
		return risk.CancelService
	}
	c, _ := risk.ParseCategory(r.Category)
	return c
}

// judged reads the judged strings, once for all tests: to read them takes as long
// as to judge them.
var judged = sync.OnceValues(func() ([]corpusRow, error) {
	names := [...]string{"dev.jsonl.gz", "dev2.jsonl.gz"}
	var files [len(names)][]corpusRow
	var errs [len(names)]error
	var reading sync.WaitGroup
	for i, name := range names {
		reading.Go(func() { files[i], errs[i] = readCorpusFile(name) })
	}
	reading.Wait()
	return slices.Concat(files[:]...), errors.Join(errs[:]...)
})

// readCorpusFile reads the rows of one file.
func readCorpusFile(name string) ([]corpusRow, error) {
	file, err := os.Open(filepath.Join("..", "..", "shared", "corpus", "labels", name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var rows []corpusRow
	known := map[string]string{} // one copy of what many rows have
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row corpusRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, len(rows)+1, err)
		}
		for _, s := range []*string{&row.App, &row.Key, &row.Locale, &row.Category, &row.Strength, &row.Subtype} {
			if _, ok := known[*s]; !ok {
				known[*s] = *s
			}
			*s = known[*s]
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

// corpusRows returns the judged strings, which no test may change.
func corpusRows(t *testing.T) []corpusRow {
	t.Helper()
	rows, err := judged()
	switch {
	case errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") != "true":
		t.Skipf("the label corpus is not beside the checkout: %v", err)
	case err != nil:
		t.Fatalf("the label corpus must be there in CI: %v", err)
	}
	return rows
}

// tally counts how rows are read.
type tally struct{ positives, caught, agreed, negatives, alarms int }

func (c *tally) count(row *corpusRow, got risk.Category) {
	switch {
	case row.Category == "benign":
		c.negatives++
		if isRisky(got) {
			c.alarms++
		}
	case row.ActionLabel && isRisky(row.wanted()):
		c.positives++
		if isRisky(got) {
			c.caught++
		}
		if got == row.wanted() {
			c.agreed++
		}
	}
}

// list logs a row that is read wrongly, where that is asked for.
func (r *corpusRow) list(t *testing.T, text string, got *Reading) {
	switch {
	case !*listMisses:
	case r.Category == "benign" && isRisky(got.Category):
		t.Logf("ALARM %s %-8s %q key %s: %s %s %.2f", r.App, r.Subtype, text, r.Key, got.Category, got.Hits[0].Term, got.Score)
	case r.ActionLabel && isRisky(r.wanted()) && got.Category != r.wanted():
		t.Logf("MISS %s %s %q key %s: %s %s (%s)", r.Category, r.Strength, text, r.Key, got.Category, got.Hits[0].Term, got.Form)
	}
}

func (c *tally) recall() float64    { return 100 * float64(c.caught) / float64(c.positives) }
func (c *tally) agreement() float64 { return 100 * float64(c.agreed) / float64(c.positives) }
func (c *tally) falseAlarms() float64 {
	return 100 * float64(c.alarms) / float64(c.negatives)
}

// The terms alone are tested here: the statistical model has seen these rows, so
// that with it the figures would flatter. The floors are what the rules reach, rounded down; a change that falls below
// one has broken something.
func TestCorpusEnglishLabels(t *testing.T) {
	t.Parallel()
	var all tally
	byCategory := map[string]*tally{}
	rows := corpusRows(t)
	for i := range rows {
		row := &rows[i]
		if !isEnglish(row.Locale) {
			continue
		}
		got := Default().Read(Query{Text: row.Value, Language: "en", Certainty: TermsOnly})
		row.list(t, row.Value, &got)
		all.count(row, got.Category)
		if byCategory[row.Category] == nil {
			byCategory[row.Category] = &tally{}
		}
		byCategory[row.Category].count(row, got.Category)
	}
	for name, c := range byCategory {
		if c.positives > 0 {
			t.Logf("%-16s recall %5.1f %% (%5.1f %% as that category) of %d", name, c.recall(), c.agreement(), c.positives)
		}
	}
	if all.positives < 1900 || all.negatives < 10000 {
		t.Fatalf("only %d and %d rows were read", all.positives, all.negatives)
	}
	if all.recall() < 97.5 || all.agreement() < 93 || all.falseAlarms() > 1.2 {
		t.Error("worse than the floor: recall 97.5 %, 93 % as that category, false alarms 1.2 %")
	}
	t.Logf("English labels: recall %.1f %% of %d (%.1f %% as that category), false alarms %.2f %% of %d",
		all.recall(), all.positives, all.agreement(), all.falseAlarms(), all.negatives)
}

// The keys of the strings stand in for resource ids. They say less: many name
// the place of a text rather than what it does.
func TestCorpusEnglishIdentifiers(t *testing.T) {
	t.Parallel()
	var all tally
	rows := corpusRows(t)
	for i := range rows {
		row := &rows[i]
		if !isEnglish(row.Locale) || strings.Contains(row.Key, " ") { // a text that is its own key
			continue
		}
		got := Default().Read(Query{Text: row.Key, Signal: risk.SignalResourceID, Certainty: TermsOnly})
		row.list(t, row.Key+" = "+row.Value, &got)
		all.count(row, got.Category)
	}
	if all.positives < 1600 || all.negatives < 9000 {
		t.Fatalf("only %d and %d rows were read", all.positives, all.negatives)
	}
	if all.recall() < 58 || all.falseAlarms() > 1.5 {
		t.Error("worse than the floor: recall 58 %, false alarms 1.5 %")
	}
	t.Logf("identifiers: recall %.1f %% of %d (%.1f %% as that category), false alarms %.2f %% of %d",
		all.recall(), all.positives, all.agreement(), all.falseAlarms(), all.negatives)
}

func isEnglish(locale string) bool { return locale == "en" || strings.HasPrefix(locale, "en-") }
