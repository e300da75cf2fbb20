package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// committers is how many commit at the same time, as in the budget of DESIGN.md.
const committers = 64

// decisionRow is what an action leaves: some 1,300 bytes.
func decisionRow(id string) ledger.Entry {
	return ledger.Entry{Kind: ledger.KindDecision, Subject: id, Body: ledger.Decision{
		ActionID: id, Agent: "agt_1", Device: "emulator-5554", Session: "s1", Task: "answer Anna", Kind: risk.Tap,
		Outcome: risk.Allow, Category: risk.Message, Source: risk.ContextAwareGuard, Delta: risk.Added,
		DecidedBy: "layer", Rule: "table HIGH.message", App: ledger.App{Package: "com.example.chat", Tier: risk.High, Why: "catalogue: messaging"},
		Target: &ledger.Target{Label: "Send", Role: risk.IconButton, ResourceID: "com.example.chat:id/send"},
		Evidence: []risk.Evidence{{
			Signal: risk.SignalResourceID, Match: "send", Start: 20, End: 24, Term: "send", Language: "en", Layer: risk.LayerTerm, Category: risk.Message,
		}},
		Reason: "Sends a message in com.example.chat (HIGH).",
		Facts:  risk.Facts{Object: "chat with Anna", Recipient: "Anna", Text: "see you at nine and bring cake"},
		Digest: "hmac-sha256:6f1ed002ab5595859014ebf0951522d9f0c4f8a5b8e2c1d4f7a6b5c4d3e2f101",
		Policy: "default@sha256:00ff", Replay: ledger.ReplayExact,
		Features: []byte(`{"action":{"kind":"tap"},"target":{"text":"Send","role":"icon_button"},"app":{"package":"com.example.chat"}}`),
		Screen:   ledger.Screen{Observed: true, Package: "com.example.chat"},
	}}
}

// BenchmarkDecisions is one durable row an iteration, by many at the same time.
func BenchmarkDecisions(b *testing.B) {
	s := newKeys(b).open(b, filepath.Join(b.TempDir(), "countersign.db"), Options{})
	at := time.Now()
	var next atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(committers / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			row := decisionRow(fmt.Sprintf("a_%012d", next.Add(1)))
			if _, err := s.Commit(context.Background(), hold.Change{At: at, Rows: []ledger.Entry{row}, RefuseFrozen: true}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkDecisionAlone is one durable row by one committer: what an action
// waits for.
func BenchmarkDecisionAlone(b *testing.B) {
	s := newKeys(b).open(b, filepath.Join(b.TempDir(), "countersign.db"), Options{})
	at := time.Now()
	b.ReportAllocs()
	for i := range b.N {
		row := decisionRow(fmt.Sprintf("a_%012d", i))
		if _, err := s.Commit(context.Background(), hold.Change{At: at, Rows: []ledger.Entry{row}, RefuseFrozen: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQuestions is a question from being asked to being released, four
// transactions, by many at the same time.
func BenchmarkQuestions(b *testing.B) {
	s := newKeys(b).open(b, filepath.Join(b.TempDir(), "countersign.db"), Options{})
	terms := approval.Terms{UseWithin: time.Hour, ReleaseWithin: time.Hour}
	at := time.Now()
	var next atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(committers / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			id := fmt.Sprintf("a_%012d", next.Add(1))
			a := approval.Approval{
				ID: id, State: approval.Pending, Version: 1, Agent: "agt_1", Device: "emulator-5554", Digest: id,
				CreatedAt: at, Deadline: at.Add(time.Hour), Card: approval.Card{Action: "tap", Reason: "Sends a message.", Label: "Send"},
			}
			changes := []hold.Change{{At: at, New: &a, Rows: []ledger.Entry{decisionRow(id)}, RefuseFrozen: true}}
			moving := a
			for _, e := range []approval.Event{approval.Approve, approval.Begin, approval.Succeed} {
				was := moving.Version
				if err := moving.Move(e, at, approval.Cause{By: "anna", How: "terminal"}, terms); err != nil {
					b.Error(err)
					return
				}
				row := ledger.Entry{Kind: ledger.KindTransition, Subject: id, Body: ledger.Transition{Approval: id, Event: e.String(), By: "anna"}}
				changes = append(changes, hold.Change{At: at, Moved: []hold.Moved{{Approval: moving, Was: was}}, Rows: []ledger.Entry{row}})
			}
			for _, c := range changes {
				if _, err := s.Commit(context.Background(), c); err != nil {
					b.Error(err)
					return
				}
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "questions/s")
}

// BenchmarkOpenQuestions reads what waits, with many settled ones beside it.
func BenchmarkOpenQuestions(b *testing.B) {
	s := newKeys(b).open(b, Memory, Options{})
	for i := range 20_000 {
		a := approval.Approval{ID: fmt.Sprint(i), State: approval.Released, Version: 1, Agent: fmt.Sprint("agt_", i%10), CreatedAt: time.UnixMilli(int64(i))}
		if i%1000 == 0 {
			a.State, a.Digest = approval.Pending, a.ID
		}
		if _, err := s.Commit(context.Background(), hold.Change{New: &a}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		list, err := s.Approvals(context.Background(), hold.Query{States: []approval.State{approval.Pending, approval.Approved}})
		if err != nil || len(list) != 20 {
			b.Fatalf("%d questions, %v", len(list), err)
		}
	}
}
