package command

import (
	"strings"
	"testing"
)

// judged checks a table of shell lines: "category code | line", one a row. What
// is compared is the effect that decides. The number of rows is stated, so that
// a table cannot lose rows unnoticed.
func judged(t *testing.T, rows int, table string) {
	t.Helper()
	ran := 0
	for row := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
		want, line, ok := strings.Cut(strings.TrimSpace(row), " | ")
		fields := strings.Fields(want)
		if !ok || len(fields) != 2 {
			t.Fatalf("row %q is not \"category code | line\"", row)
		}
		ran++
		effects := Shell(line)
		e := effects[Worst(effects)]
		if e.Category.String() != fields[0] || e.Code != fields[1] {
			t.Errorf("%s\n got %s %s (%s)\nwant %s %s", line, e.Category, e.Code, e.Term, fields[0], fields[1])
		}
	}
	if ran != rows {
		t.Errorf("ran %d rows, the table should have %d", ran, rows)
	}
}

// has reports whether one of the effects has the category and code.
func has(effects []Effect, category, code string) bool {
	for _, e := range effects {
		if e.Category.String() == category && e.Code == code {
			return true
		}
	}
	return false
}
