package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// rowsInMemory are a record without a file.
type rowsInMemory struct {
	head ledger.Head
	rows []ledger.Row
}

func (m *rowsInMemory) add(t *testing.T, at time.Time, e ledger.Entry) {
	t.Helper()
	row, head, err := m.head.Append(at, e)
	if err != nil {
		t.Fatal(err)
	}
	m.head, m.rows = head, append(m.rows, row)
}

func (m *rowsInMemory) Head(context.Context) (ledger.Head, error) { return m.head, nil }

func (m *rowsInMemory) Rows(_ context.Context, after int64, limit int) ([]ledger.Row, error) {
	rest := m.rows[min(int(after), len(m.rows)):]
	return rest[:min(limit, len(rest))], nil
}

func (m *rowsInMemory) About(_ context.Context, subject string) (about []ledger.Row, _ error) {
	for _, r := range m.rows {
		if r.Subject == subject {
			about = append(about, r)
		}
	}
	return about, nil
}

func (*rowsInMemory) Approval(context.Context, string) (a approval.Approval, err error) {
	return a, hold.ErrNotFound
}
func (*rowsInMemory) Agents(context.Context) ([]identity.Agent, error) { return nil, nil }

// TestLogLinesAreHarmless prints rows whose every text is drawn: each is one
// line within the terminal, without a character that could steer it.
func TestLogLinesAreHarmless(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab é送إ\x1b\r\n\t\u202e\u2028\u200b\x9b]0;”")), 0, 80, -1)
	at := time.Date(2026, 10, 7, 14, 0, 0, 0, time.UTC)
	rapid.Check(t, func(rt *rapid.T) {
		subject := rapid.SampledFrom([]string{"", "a_one", "a_two"})
		var out bytes.Buffer
		term := &terminal{out: &out, width: rapid.IntRange(minWidth, maxWidth).Draw(rt, "width")}
		lines := &logLines{t: term}
		var head ledger.Head
		n := rapid.IntRange(1, 4).Draw(rt, "rows")
		for range n {
			e := ledger.Entry{Subject: subject.Draw(rt, "subject")}
			e.Kind = rapid.SampledFrom(rowKinds).Draw(rt, "kind")
			e.Body = drawBody(rt, e.Kind, text)
			row, next, err := head.Append(at, e)
			if err != nil {
				rt.Fatal(err)
			}
			head = next
			if err := lines.print(&row); err != nil {
				rt.Fatal(err)
			}
		}
		if got := strings.Count(out.String(), "\n"); got != n+1 {
			rt.Fatalf("%d lines for a day and %d rows:\n%q", got, n, out.String())
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if picture.Columns(line) > term.width {
				rt.Fatalf("%d columns in a terminal of %d: %q", picture.Columns(line), term.width, line)
			}
			if i := strings.IndexFunc(line, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }); i >= 0 {
				rt.Fatalf("a character that steers the terminal at %d: %q", i, line)
			}
		}
	})
}

func drawBody(rt *rapid.T, kind ledger.Kind, text *rapid.Generator[string]) any {
	word := func(what string) string { return text.Draw(rt, what) }
	switch kind {
	case ledger.KindDecision:
		return ledger.Decision{
			Kind: risk.ActionKind(word("action")), Outcome: rapid.SampledFrom([]risk.Outcome{risk.Allow, risk.Confirm, risk.Deny}).Draw(rt, "outcome"),
			Category: risk.Money, Source: risk.ContextAwareGuard, Delta: risk.Suppressed, DecidedBy: word("by"), Observe: rapid.Bool().Draw(rt, "observe"),
			App: ledger.App{Package: word("package")}, Target: &ledger.Target{Label: word("label"), ResourceID: word("id")},
		}
	case ledger.KindTransition:
		return ledger.Transition{From: word("from"), To: word("to"), By: word("by"), How: word("how"), Code: word("code"), Note: word("note")}
	case ledger.KindResult:
		return ledger.Result{Code: word("code"), Note: word("note")}
	case ledger.KindRefused:
		return ledger.Refused{Agent: word("agent"), What: word("what"), Why: word("why")}
	case ledger.KindAggregate:
		return ledger.Aggregate{Agent: word("agent")}
	case ledger.KindLabel:
		return ledger.Label{By: word("by"), Should: word("should"), Note: word("note")}
	}
	return ledger.Change{By: word("by"), What: word("what"), Detail: word("detail")}
}

// TestNewestAgreesWithAllRows holds the search from the end against a filter
// over everything.
func TestNewestAgreesWithAllRows(t *testing.T) {
	rec := &rowsInMemory{}
	at := time.Date(2026, 10, 7, 14, 0, 0, 0, time.UTC)
	const rows = 3*pageRows + 7
	for i := range rows {
		kind := ledger.KindStart
		if i%5 == 0 {
			kind = ledger.KindFreeze
		}
		rec.add(t, at.Add(time.Duration(i)*time.Second), ledger.Entry{Kind: kind})
	}
	rapid.Check(t, func(rt *rapid.T) {
		f := ledger.Filter{Kind: rapid.SampledFrom([]ledger.Kind{"", ledger.KindFreeze, ledger.KindStop}).Draw(rt, "kind")}
		if rapid.Bool().Draw(rt, "bounded") {
			f.Since = at.Add(time.Duration(rapid.IntRange(-5, rows+5).Draw(rt, "since")) * time.Second)
		}
		n := rapid.IntRange(1, rows+10).Draw(rt, "n")
		var want, got []int64
		for i := range rec.rows {
			if f.Match(rec.rows[i]) {
				want = append(want, rec.rows[i].Seq)
			}
		}
		want = want[max(0, len(want)-n):]
		l := listing{rec: rec, filter: f, print: func(r *ledger.Row) error { got = append(got, r.Seq); return nil }}
		if err := l.newest(context.Background(), n); err != nil {
			rt.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			rt.Fatalf("rows %v, want %v", got, want)
		}
		after, err := before(context.Background(), rec, f.Since)
		if first := int(after); err != nil || first > 0 && !rec.rows[first-1].At.Before(f.Since) || first < rows && rec.rows[first].At.Before(f.Since) {
			rt.Fatalf("row %d is not the last before %s, %v", after, f.Since, err)
		}
	})
}

func TestFollowPrintsWhatIsNew(t *testing.T) {
	rec := &rowsInMemory{}
	at := time.Date(2026, 10, 7, 14, 0, 0, 0, time.UTC)
	decided := func(id string) {
		rec.add(t, at, ledger.Entry{Kind: ledger.KindDecision, Subject: id, Body: ledger.Decision{App: ledger.App{Package: "com.example"}}})
	}
	decided("a_old")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tick := make(chan time.Time)
	printed := make(chan string)
	l := listing{rec: rec, filter: ledger.Filter{App: "com.example"}, print: func(r *ledger.Row) error {
		printed <- string(r.Kind) + " " + r.Subject
		return nil
	}}
	ended := make(chan error)
	go func() {
		if err := l.newest(ctx, 1); err != nil {
			ended <- err
			return
		}
		ended <- l.follow(ctx, tick)
	}()
	want := func(line string) {
		t.Helper()
		if got := <-printed; got != line {
			t.Errorf("printed %q, want %q", got, line)
		}
	}
	want("decision a_old")
	tick <- at // nothing is new
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}

	ctx, again := context.WithCancel(context.Background())
	decided("a_new")
	rec.add(t, at, ledger.Entry{Kind: ledger.KindTransition, Subject: "a_new", Body: ledger.Transition{To: "pending"}})
	rec.add(t, at, ledger.Entry{Kind: ledger.KindTransition, Subject: "a_other", Body: ledger.Transition{To: "pending"}})
	go func() { ended <- l.follow(ctx, tick) }()
	tick <- at
	want("decision a_new")
	want("transition a_new")
	again()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if l.after != 4 || l.printed != 3 {
		t.Errorf("%d rows read and %d printed, want 4 and 3", l.after, l.printed)
	}
}

func TestMoments(t *testing.T) {
	now := time.Date(2026, 10, 7, 14, 0, 0, 0, time.Local)
	table := []struct {
		text string
		want time.Time
	}{
		{"24h", now.Add(-24 * time.Hour)}, {"90m", now.Add(-90 * time.Minute)}, {"7d", now.Add(-7 * 24 * time.Hour)},
		{"2w", now.Add(-14 * 24 * time.Hour)}, {"0s", now},
		{"2026-10-01", time.Date(2026, 10, 1, 0, 0, 0, 0, time.Local)},
		{"2026-10-01T08:30", time.Date(2026, 10, 1, 8, 30, 0, 0, time.Local)},
		{"2026-10-01 08:30:15", time.Date(2026, 10, 1, 8, 30, 15, 0, time.Local)},
		{"2026-10-01T08:30:15Z", time.Date(2026, 10, 1, 8, 30, 15, 0, time.UTC)},
	}
	for _, c := range table {
		got := moment("since", c.text, now, func(err error) { t.Errorf("%s: %v", c.text, err) })
		if !got.Equal(c.want) {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
	wrong := []string{"yesterday", "7", "-3h", "-7d", "1.5d", "99999999999d", "4000000000w", "999999h999999h999999999999h", "2026-13-01", "d", "1d2h"}
	failed := 0
	for _, text := range wrong {
		before := failed
		if at := moment("since", text, now, func(error) { failed++ }); failed == before {
			t.Errorf("%q is read as %s", text, at)
		}
	}
	if len(table) != 9 || failed != 11 {
		t.Errorf("%d times and %d mistakes", len(table), failed)
	}
}

func TestWordsMayBeShortened(t *testing.T) {
	table := []struct {
		got  string
		want string // empty for a mistake
	}{
		{"money", "money"}, {"MONEY", "money"}, {"mon", "money"}, {"install", "install"}, {"unin", "uninstall"},
		{"s", ""}, {"frob", ""}, {"moneyy", ""}, {"ſ", ""},
	}
	for _, c := range table {
		failed := false
		found := choose("category", c.got, risk.Categories(), func(error) { failed = true })
		switch {
		case c.want == "" && (!failed || found != nil):
			t.Errorf("%q is taken for %v", c.got, found)
		case c.want != "" && (found == nil || found.String() != c.want):
			t.Errorf("%q is %v, want %s", c.got, found, c.want)
		}
	}
	if len(table) != 9 {
		t.Errorf("%d words were tried", len(table))
	}
}

// A checkpoint is found in whatever was kept of what was printed.
func TestCheckpointIsCutOut(t *testing.T) {
	private, public, err := ledger.GenerateKey("countersign")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ledger.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	text, err := signer.Checkpoint(ledger.Head{})
	if err != nil {
		t.Fatal(err)
	}
	plain := string(text)
	kept := []string{
		plain, strings.TrimSpace(plain), "✓ the record is as it was written\n\n  rows 0\n\n" + plain,
		strings.ReplaceAll(plain, "\n", "\r\n"), plain + "\n\n  \n", "countersign\nis a program\n" + plain,
	}
	for i, k := range kept {
		if _, _, err := ledger.OpenCheckpoint(cutCheckpoint([]byte(k)), public); err != nil {
			t.Errorf("%d: %v\n%q", i, err, cutCheckpoint([]byte(k)))
		}
	}
	if _, _, err := ledger.OpenCheckpoint(cutCheckpoint([]byte(strings.Replace(plain, "\n0\n", "\n1\n", 1))), public); err == nil {
		t.Error("a changed checkpoint is opened")
	}
	if len(kept) != 6 {
		t.Errorf("%d forms were tried", len(kept))
	}
}

// The record is read while a guard has the file open and writes to it.
func TestLogIsReadBesideAGuard(t *testing.T) {
	home := t.TempDir()
	if err := fillRecord(home); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(context.Background(), filepath.Join(home, daemon.DatabaseFile), sqlite.Options{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for i := range 3 {
		at := recordedDay.Add(time.Hour + time.Duration(i)*time.Second)
		if _, err := store.Commit(context.Background(), hold.Change{At: at, Rows: []ledger.Entry{{Kind: ledger.KindStop, Body: ledger.Change{By: "Anna"}}}}); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		term := &terminal{out: &out, err: &errs, width: defaultWidth}
		if code := run([]string{"log", "--home", home, "--kind", "stop"}, term); code != exitDone || strings.Count(out.String(), "stop by Anna") != i+1 {
			t.Fatalf("exit code %d after %d rows:\n%s%s", code, i+1, out.String(), errs.String())
		}
		out.Reset()
		if code := run([]string{"log", "verify", "--home", home}, term); code != exitDone || !strings.Contains(out.String(), "signed       rows 1 to 24; ") {
			t.Fatalf("verify ends with %d:\n%s%s", code, out.String(), errs.String())
		}
	}
}
