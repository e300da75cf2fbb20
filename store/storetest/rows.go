package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

func rowsInOrder(t *testing.T, e Engine) {
	ctx := context.Background()
	var want []ledger.Row
	for i := range 25 {
		want = append(want, e.commit(t, hold.Change{
			At: noon.Add(time.Duration(i) * time.Second), Rows: []ledger.Entry{entry(name("a", i)), entry(name("b", i))},
		})...)
	}
	var prev ledger.Hash
	for i, r := range want {
		if r.Seq != int64(i+1) || r.Prev != prev {
			t.Fatalf("row %d has seq %d and does follow the one before: %v", i+1, r.Seq, r.Prev == prev)
		}
		prev = r.Hash
	}
	for _, tt := range []struct {
		after       int64
		limit, n    int
		description string
	}{
		{0, 100, 50, "all"}, {0, 7, 7, "the first"}, {43, 100, 7, "the last"}, {20, 10, 10, "some between"},
		{50, 10, 0, "after the end"}, {1 << 40, 10, 0, "far after the end"}, {-5, 3, 3, "before the beginning"},
		{0, 0, 0, "none"}, {0, -1, 0, "fewer than none"},
	} {
		got, err := e.Store.Rows(ctx, tt.after, tt.limit)
		must(t, err)
		if len(got) != tt.n {
			t.Fatalf("%s: %d rows, want %d", tt.description, len(got), tt.n)
		}
		if from := max(tt.after, 0); tt.n > 0 && !reflect.DeepEqual(got, want[from:from+int64(tt.n)]) {
			t.Errorf("%s: other rows than were committed", tt.description)
		}
	}
	head, err := e.Store.Head(ctx)
	must(t, err)
	if last := want[len(want)-1]; head.Size != 50 || head.Last != last.Hash || !head.At.Equal(last.At) {
		t.Errorf("the head is %+v", head)
	}
}

func rowsAbout(t *testing.T, e Engine) {
	ctx := context.Background()
	for i, subject := range []string{"one", "two", "", "one", "ONE", "on", hostile, "one"} {
		e.commit(t, hold.Change{At: noon.Add(time.Duration(i) * time.Second), Rows: []ledger.Entry{entry(subject)}})
	}
	for subject, want := range map[string][]int64{"one": {1, 4, 8}, "two": {2}, "ONE": {5}, hostile: {7}, "": nil, "o%": nil} {
		rows, err := e.Store.About(ctx, subject)
		must(t, err)
		var got []int64
		for _, r := range rows {
			got = append(got, r.Seq)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("about %q: rows %v, want %v", subject, got, want)
		}
	}
}

func clockGoesBack(t *testing.T, e Engine) {
	e.commit(t, hold.Change{At: noon, Rows: []ledger.Entry{entry("first")}})
	rows := e.commit(t, hold.Change{At: noon.Add(-time.Hour), Rows: []ledger.Entry{entry("second")}})
	if !rows[0].At.Equal(noon) {
		t.Errorf("the time of the second row is %v, want that of the first, %v", rows[0].At, noon)
	}
}

// badRows: what the ledger does not take is refused with its reason, and with
// the error that stands for everything that cannot be recorded.
func badRows(t *testing.T, e Engine) {
	for _, tt := range []struct {
		entry ledger.Entry
		want  error
	}{
		{ledger.Entry{Kind: "No Kind"}, ledger.ErrKind},
		{ledger.Entry{Kind: ledger.KindStart, Subject: "a\nb"}, ledger.ErrSubject},
		{ledger.Entry{Kind: ledger.KindStart, Body: []int{1}}, ledger.ErrBody},
		{ledger.Entry{Kind: ledger.KindStart, Body: map[string]any{"f": func() {}}}, ledger.ErrBody},
		{ledger.Entry{Kind: ledger.KindStart, Body: map[string]string{"text": large(ledger.MaxRow)}}, ledger.ErrTooLarge},
	} {
		c := hold.Change{Rows: []ledger.Entry{entry("good"), tt.entry}}
		e.refuse(t, c, tt.want)
		e.refuse(t, c, hold.ErrUnavailable)
	}
	if got := e.size(t); got != 0 {
		t.Errorf("there are %d rows, want none", got)
	}
	e.commit(t, hold.Change{Rows: []ledger.Entry{entry("good")}})
}

// givenUp: whoever gave up before it began finds nothing done.
func givenUp(t *testing.T, e Engine) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := asked("a", "agent", "device", "digest", noon)
	_, err := e.Store.Commit(ctx, hold.Change{At: noon, New: &a, Rows: []ledger.Entry{entry("a")}})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("given up: %v", err)
	}
	if _, err := e.Store.Approval(context.Background(), "a"); !errors.Is(err, hold.ErrNotFound) || e.size(t) != 0 {
		t.Errorf("the question that was given up: %v, and %d rows", err, e.size(t))
	}
	// Many that are given up while they are on their way: what says that it was
	// done was, and what says that it was not was not.
	done := make([]bool, 200)
	for i, err := range atOnce(len(done), func(i int) error {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		_, err := e.Store.Commit(ctx, hold.Change{At: noon, Rows: []ledger.Entry{entry(name("s", i))}})
		return err
	}) {
		done[i] = err == nil
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	}
	for i, want := range done {
		rows, err := e.Store.About(context.Background(), name("s", i))
		must(t, err)
		if (len(rows) == 1) != want {
			t.Errorf("change %d was done: %v, and left %d rows", i, want, len(rows))
		}
	}
}

func largeBodies(t *testing.T, e Engine) {
	ctx := context.Background()
	a := asked("a", "agent", "device", "digest", noon)
	a.Card.Reason = large(3 << 20)
	text := large(ledger.MaxRow - 1000)
	rows := e.commit(t, hold.Change{New: &a, Rows: []ledger.Entry{
		{Kind: ledger.KindDecision, Subject: "a", Body: map[string]string{"text": text}},
		{Kind: ledger.KindDecision, Subject: "a", Body: map[string]string{"text": text}},
	}})
	same(t, "a large question", e.get(t, "a"), a)
	got, err := e.Store.About(ctx, "a")
	must(t, err)
	if !reflect.DeepEqual(got, rows) || len(got[0].Data) < len(text) {
		t.Error("large rows came back changed")
	}
}

// snapshotStandsStill: rows that are appended after a snapshot are not in it,
// and it is whole.
func snapshotStandsStill(t *testing.T, e Engine) {
	ctx := context.Background()
	for i := range 10 {
		e.commit(t, hold.Change{Rows: []ledger.Entry{entry(name("a", i))}})
	}
	src, end, err := e.Source(ctx)
	must(t, err)
	var writer chan error
	if e.Reopen != nil { // an engine in memory may have its writers wait
		writer = make(chan error, 1)
		go func() {
			_, err := e.Store.Commit(ctx, hold.Change{At: noon, Rows: []ledger.Entry{entry("later"), entry("later")}})
			writer <- err
		}()
		must(t, <-writer)
	}
	report, err := ledger.Verify(ctx, src, e.PublicKey, nil)
	must(t, err)
	if !report.OK() || report.Rows != 10 {
		t.Errorf("the snapshot has %d rows, want 10; %v", report.Rows, report.First)
	}
	must(t, end())
	must(t, end())
	if writer != nil && e.verify(t) != 12 {
		t.Error("the rows after the snapshot are missing")
	}
}

// reopens: everything that was committed is there after the engine was closed.
func reopens(t *testing.T, e Engine) {
	ctx := context.Background()
	a, b := full(), asked("b", "agent", "device", "b", noon)
	key := hold.Key{Agent: "agent", Key: "k", Request: "r", Action: "b", At: noon}
	freeze := hold.Freeze{Frozen: true, At: noon, By: "anna"}
	grant := fullGrant()
	want := e.commit(t, hold.Change{New: &a, NewGrant: &grant, Key: &key, Rows: []ledger.Entry{entry(a.ID)}})
	want = append(want, e.commit(t, hold.Change{New: &b, Freeze: &freeze, Rows: []ledger.Entry{entry("b")}})...)
	for i := range 3 {
		e = e.Reopen(t)
		same(t, "a question", e.get(t, a.ID), a)
		if got := e.grant(t, grant.ID); !reflect.DeepEqual(got, grant) {
			t.Errorf("opened again: a grant came back as %+v", got)
		}
		gotKey, err := e.Store.Key(ctx, "agent", "k")
		must(t, err)
		gotFreeze, err := e.Store.Freeze(ctx)
		must(t, err)
		if gotKey != key || gotFreeze != freeze {
			t.Errorf("opened again: key %+v, freeze %+v", gotKey, gotFreeze)
		}
		rows, err := e.Store.Rows(ctx, 0, 100)
		must(t, err)
		if !reflect.DeepEqual(rows, want) {
			t.Fatalf("opened again: %d rows, want %d", len(rows), len(want))
		}
		e.refuse(t, hold.Change{Key: &key}, hold.ErrKeyTaken)
		e.refuse(t, hold.Change{RefuseFrozen: true}, hold.ErrFrozen)
		again := b
		again.ID = "b again"
		e.refuse(t, hold.Change{New: &again}, hold.ErrJoin)
		want = append(want, e.commit(t, hold.Change{Rows: []ledger.Entry{entry(fmt.Sprint("opened ", i))}})...)
		if got := e.verify(t); got != int64(len(want)) {
			t.Errorf("opened again: %d rows verify, want %d", got, len(want))
		}
	}
	e.commit(t, move(t, b, approval.Deny, noon.Add(time.Minute)))
	must(t, e.Close())
	must(t, e.Close())
	if _, err := e.Store.Commit(ctx, hold.Change{At: noon, Rows: []ledger.Entry{entry("closed")}}); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("a change after Close: %v", err)
	}
	if _, err := e.Store.Approval(ctx, "b"); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("a question after Close: %v", err)
	}
}
