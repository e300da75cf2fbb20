package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/lab"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// TestRecordedLabels: what was marked on the web page becomes cases, once; what
// was taken back does not.
func TestRecordedLabels(t *testing.T) {
	home := t.TempDir()
	if err := fillRecord(home); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(home, daemon.DatabaseFile), sqlite.Options{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := store.Rows(ctx, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var allowed, asked []string
	for i := range rows {
		switch d, err := rows[i].Decision(); {
		case err != nil:
		case d.Outcome == risk.Allow:
			allowed = append(allowed, d.ActionID)
		case d.Outcome == risk.Confirm:
			asked = append(asked, d.ActionID)
		}
	}
	say := func(id, should, category string) {
		t.Helper()
		_, err := store.Commit(ctx, hold.Change{At: rows[len(rows)-1].At, Rows: []ledger.Entry{{
			Kind: ledger.KindLabel, Subject: id, Body: ledger.Label{By: "owner", Should: should, Category: category},
		}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	say(allowed[0], "confirm", "message")
	say(asked[0], "allow", "none")
	say(asked[1], "allow", "none")
	say(asked[1], "confirm", "money") // taken back
	say("a_nothing", "allow", "none") // of nothing
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}

	run := func(c logLabelCommand) (string, string, error) {
		var out, errs bytes.Buffer
		c.Home, c.Recorded = home, true
		err := c.Run(&terminal{in: strings.NewReader(""), out: &out, err: &errs, width: defaultWidth})
		return out.String(), errs.String(), err
	}
	file := filepath.Join(home, "mine.jsonl")
	for i, want := range []string{"2 marked on the web page, 2 added to " + file + "\n", "2 marked on the web page, 0 added to " + file + "\n"} {
		if out, errs, err := run(logLabelCommand{Out: file}); err != nil || out != want || errs != "" {
			t.Errorf("run %d: %q, %q, %v, want %q", i, out, errs, err, want)
		}
	}
	cases, err := lab.ReadCases(strings.NewReader(read(t, file)), ".")
	if err != nil || len(cases) != 2 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	if c := cases[0]; c.ID != allowed[0] || c.Want != risk.Confirm || c.Category != risk.Message {
		t.Errorf("the missed one: %s, %s, %s", c.ID, c.Want, c.Category)
	}
	if c := cases[1]; c.ID != asked[0] || c.Want != risk.Allow || c.Category != risk.None {
		t.Errorf("the needless one: %s, %s, %s", c.ID, c.Want, c.Category)
	}
	if out, _, err := run(logLabelCommand{Out: "-"}); err != nil || out != read(t, file) {
		t.Errorf("on standard output: %q, %v", out, err)
	}
	for _, c := range []logLabelCommand{{ID: "5"}, {Category: "money"}} {
		if _, _, err := run(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}
