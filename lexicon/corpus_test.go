package lexicon

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"iter"
	"os"
	"path/filepath"
	"strings"
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

// readCorpus calls yield with each row of the judged strings, of which wanted
// reports the locales to take.
func readCorpus(t *testing.T, takes func(locale string) bool, yield func(*corpusRow)) {
	t.Helper()
	for row := range corpusRows(t) {
		if takes(row.Locale) {
			yield(row)
		}
	}
}

// corpusRows yields the judged strings, one file after the other.
func corpusRows(t *testing.T) iter.Seq[*corpusRow] {
	return func(yield func(*corpusRow) bool) {
		for _, name := range []string{"dev.jsonl.gz", "dev2.jsonl.gz"} {
			if !readCorpusFile(t, name, yield) {
				return
			}
		}
	}
}

// readCorpusFile yields the rows of one file; it reports false once yield does.
func readCorpusFile(t *testing.T, name string, yield func(*corpusRow) bool) bool {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "shared", "corpus", "labels", name))
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the label corpus must be there in CI: %v", err)
		}
		t.Skipf("the label corpus is not beside the checkout: %v", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row corpusRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !yield(&row) {
			return false
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return true
}

// tally counts how rows are read.
type tally struct{ positives, caught, agreed, negatives, alarms int }

func (c *tally) count(t *testing.T, row *corpusRow, text string, got Reading) {
	risky := isRisky(got.Category)
	switch {
	case row.Category == "benign":
		c.negatives++
		if risky {
			c.alarms++
			if *listMisses {
				t.Logf("ALARM %s %-8s %q key %s: %s %s %.2f", row.App, row.Subtype, text, row.Key, got.Category, got.Hits[0].Term, got.Score)
			}
		}
	case row.ActionLabel && isRisky(row.wanted()):
		c.positives++
		if risky {
			c.caught++
		}
		if got.Category == row.wanted() {
			c.agreed++
		} else if *listMisses {
			t.Logf("MISS %s %s %q key %s: %s %s (%s)", row.Category, row.Strength, text, row.Key, got.Category, got.Hits[0].Term, got.Form)
		}
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
	var all tally
	byCategory := map[string]*tally{}
	readCorpus(t, isEnglish, func(row *corpusRow) {
		got := Default().Read(Query{Text: row.Value, Language: "en", Certainty: TermsOnly})
		all.count(t, row, row.Value, got)
		if byCategory[row.Category] == nil {
			byCategory[row.Category] = &tally{}
		}
		quiet := *listMisses
		*listMisses = false
		byCategory[row.Category].count(t, row, row.Value, got)
		*listMisses = quiet
	})
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
	var all tally
	readCorpus(t, isEnglish, func(row *corpusRow) {
		if strings.Contains(row.Key, " ") {
			return // a text that is its own key
		}
		got := Default().Read(Query{Text: row.Key, Signal: risk.SignalResourceID, Certainty: TermsOnly})
		all.count(t, row, row.Key+" = "+row.Value, got)
	})
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
