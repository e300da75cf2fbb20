package lexicon

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// ownRow is one label of corpus/labels, written by hand; its README has the
// format.
type ownRow struct {
	ID, Label, Category, Form, Why, Beside, Class, Script string

	Also []string // other categories that are as right
}

// readOwn reads the files of one folder of corpus/labels, by language.
func readOwn(t testing.TB, folder string) map[string][]ownRow {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "corpus", "labels", folder, "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	rows := map[string][]ownRow{}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		language := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var row ownRow
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil || row.Label == "" || row.ID == "" {
				t.Fatalf("%s: bad line %s: %v", name, lines.Bytes(), err)
			}
			rows[language] = append(rows[language], row)
		}
	}
	return rows
}

// ownClaims are the ways a label is read: its language told and withheld, on a
// control of no known role and on a button.
func ownClaims(language string) []Query {
	return []Query{{Language: language}, {}, {Language: language, Role: risk.Button}, {Role: risk.Button}}
}

// labelCategories are the categories that a label by itself can carry.
var labelCategories = []string{"money", "message", "call", "publish", "share", "delete", "install", "uninstall", "permission",
	"account", "credential", "sign_out", "cancel_service", "block_report", "submit", "settings", "device"}

// notRead are the labels that are known to be read wrongly, each with a reason.
var notRead = map[string]string{
	"tr-message-3": "a name with its suffix written to it is one unknown word, and ilet alone opens the choice of whom to forward to",
}

// Every label that must be asked about is read as its category, and its twin is
// not risky, whether or not the language is told.
func TestOwnCorpusTwins(t *testing.T) {
	ask, let := readOwn(t, "must_ask"), readOwn(t, "must_not_ask")
	if len(ask) != ownLanguages || len(let) != ownLanguages {
		t.Errorf("%d and %d languages, want %d", len(ask), len(let), ownLanguages)
	}
	for language, rows := range ask {
		perCategory := map[string]int{}
		if len(rows) != ownPairs || len(let[language]) != ownPairs {
			t.Fatalf("%s has %d labels and %d twins, want %d", language, len(rows), len(let[language]), ownPairs)
		}
		for i, row := range rows {
			perCategory[row.Category]++
			twin := let[language][i]
			if twin.ID != row.ID || twin.Beside != row.Category || twin.Why == "" {
				t.Fatalf("%s: %s has no twin at the same place", language, row.ID)
			}
			checkOwnPair(t, language, &row, &twin)
		}
		for _, c := range labelCategories {
			if perCategory[c] < 3 {
				t.Errorf("%s has %d labels of %s", language, perCategory[c], c)
			}
		}
	}
}

const ownLanguages, ownPairs = 18, 54

func checkOwnPair(t *testing.T, language string, row, twin *ownRow) {
	t.Helper()
	if want, ok := risk.ParseCategory(row.Category); !ok || !isRisky(want) {
		t.Fatalf("%s: category %q", row.ID, row.Category)
	}
	read := true
	for _, q := range ownClaims(language) {
		q.Text = row.Label
		got := Default().Read(q)
		if name := got.Category.String(); name != row.Category && !slices.Contains(row.Also, name) {
			read = false
			if notRead[row.ID] == "" {
				t.Errorf("%s (claimed %q, %s): %q is %s (%s, hit %q of %s)", row.ID, q.Language, q.Role, row.Label,
					got.Category, got.Form, got.Hits[0].Term, got.Hits[0].Language)
			}
		}
		checkHarmless(t, q, twin)
	}
	if read && notRead[row.ID] != "" {
		t.Errorf("%s is read by now; take it off the list", row.ID)
	}
}

func checkHarmless(t *testing.T, q Query, row *ownRow) {
	t.Helper()
	q.Text = row.Label
	if got := Default().Read(q); isRisky(got.Category) {
		t.Errorf("%s (claimed %q, %s): %q is %s, hit %q of %s; want it harmless", row.ID, q.Language, q.Role, row.Label,
			got.Category, got.Hits[0].Term, got.Hits[0].Language)
	}
}

// evasionScripts is in how many scripts each class of disguise is written: five
// or more, or all that have it.
var evasionScripts = map[string]int{
	"ignorable": 11, "bidi": 8, "override": 8, "lookalike": 6, "presentation": 5, "spaced": 12, "decomposed": 6, "case": 5,
	"marks": 5, "joiner": 6, "blank": 7, "trailing": 10, "prose": 5,
	"width":        3, // only Latin, kana and Hangul have two widths
	"mathematical": 3, // Unicode has such letters for these alone
	"leet":         3, // elsewhere no digit is beyond doubt
	"boxed":        1, "symbol": 1,
}

// What is hidden behind invisible characters, look-alike letters, odd spacing
// and the like is read as what a person sees, and the evidence is a span of
// the original.
func TestOwnCorpusEvasion(t *testing.T) {
	rows := 0
	scripts := map[string]map[string]bool{}
	for language, file := range readOwn(t, "evasion") {
		for _, row := range file {
			rows++
			if scripts[row.Class] == nil {
				scripts[row.Class] = map[string]bool{}
			}
			scripts[row.Class][row.Script] = true
			for _, claimed := range []string{language, ""} {
				got := Default().Read(Query{Text: row.Label, Language: claimed, Role: risk.Button})
				if got.Category.String() != row.Category {
					t.Errorf("%s (claimed %q): %q is %s (%s, hit %q of %s), want %s", row.ID, claimed, row.Label, got.Category, got.Form,
						got.Hits[0].Term, got.Hits[0].Language, row.Category)
				}
				for _, h := range got.Hits[:got.N] {
					if h.Start < 0 || h.Start >= h.End || h.End > utf8.RuneCountInString(row.Label) {
						t.Errorf("%s: hit %d-%d of %q", row.ID, h.Start, h.End, row.Label)
					}
				}
			}
		}
	}
	if rows != 242 || len(scripts) != len(evasionScripts) {
		t.Errorf("%d labels of %d classes ran", rows, len(scripts))
	}
	for class, in := range scripts {
		if len(in) != evasionScripts[class] {
			t.Errorf("%s is written in %d scripts, want %d", class, len(in), evasionScripts[class])
		}
	}
}

// What must stay what it is: spellings that joiners belong to, names, and words
// that only look like a command.
func TestOwnCorpusEdge(t *testing.T) {
	rows, languages := 0, readOwn(t, "edge")
	for language, file := range languages {
		for _, row := range file {
			rows++
			for _, q := range ownClaims(language) {
				checkHarmless(t, q, &row)
			}
		}
	}
	if rows != 155 || len(languages) != 21 {
		t.Errorf("%d labels in %d languages ran", rows, len(languages))
	}
}
