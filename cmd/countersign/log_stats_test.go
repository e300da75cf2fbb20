package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// habitsScript is the command "habits HOME" of scripts: it fills a record with
// questions that are always answered yes.
func habitsScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: habits HOME")
	}
	ts.Check(fillHabits(ts.MkAbs(args[0])))
}

// fillHabits makes a record of two days: a list that is cleared every ten
// minutes, a board that is posted to, and people who answer in a hurry.
func fillHabits(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	r := &recording{ctx: context.Background(), at: recordedDay}
	var err error
	// Shared, since a lock outlives Close while another script starts a program.
	if r.store, err = sqlite.Open(r.ctx, filepath.Join(home, daemon.DatabaseFile), sqlite.Options{Shared: true}); err != nil {
		return err
	}
	guard, err := countersign.New(countersign.Options{DigestKey: []byte(strings.Repeat("k", 32))})
	if err != nil {
		return err
	}
	r.desk, err = hold.New(r.ctx, hold.Options{
		Store: r.store, Decider: guard, Random: rand.NewChaCha8([32]byte{2}),
		Now: func() time.Time { return r.at }, Somebody: func(context.Context) bool { return true },
	})
	if err != nil {
		return err
	}
	r.must(r.store.SaveAgent(r.ctx, identity.Agent{ID: "agt_one", Name: "pocket", SecretHash: strings.Repeat("0", 64), CreatedAt: r.at, CreatedBy: "owner"}))
	r.habits()
	r.desk.Close()
	return errors.Join(r.err, r.store.Close())
}

func (r *recording) habits() {
	clearing := press("com.example.notes", "Delete")
	clearing.Target.DialogMessage = "Delete “Milk”?"
	posting := press("com.example.board", "Post")
	for _, req := range []*decide.Request{clearing, posting} {
		req.Session = "tidy"
	}
	approve := func(req *decide.Request, took time.Duration) {
		ticket := r.propose(req)
		r.at = r.at.Add(took)
		r.answer(ticket, true, "")
		r.finish(ticket, req)
		r.at = r.at.Add(10*time.Minute - took)
	}
	for i := range 24 {
		r.propose(press("com.example.notes", "Next page"))
		approve(clearing, time.Duration(1+i%4)*time.Second)
	}
	for range 21 {
		approve(posting, 20*time.Second)
		r.at = r.at.Add(time.Hour)
	}
	no := r.propose(press("com.example.shop", hostileLabel+" Buy"))
	r.answer(no, false, "")
	r.at = r.at.Add(time.Hour)
	for _, label := range []string{"Post", "Post " + hostileLabel} {
		ticket, err := r.desk.Propose(r.ctx, hold.Proposal{Agent: "agt_two", AgentName: "desktop", Request: press("com.example.board", label)})
		r.must(err)
		r.answer(ticket, true, "")
	}
	joined := r.propose(press("com.example.shop", "Buy $4.99"))
	r.propose(press("com.example.shop", "Buy $4.99"))
	r.must(r.desk.Record(r.ctx, ledger.Entry{Kind: ledger.KindLabel, Subject: joined.ID, Body: ledger.Label{By: "Anna", Should: "allow"}}))
}

func TestBars(t *testing.T) {
	bars := map[float64]string{0: "", 10: strings.Repeat("▇", 8), 0.1: "▇", 5: "▇▇▇▇"}
	for n, want := range bars {
		if got := bar(n, 10, 8); got != want {
			t.Errorf("the bar of %v is %q, want %q", n, got, want)
		}
	}
	if len(bars) != 4 || bar(1, 10, 2) != "" {
		t.Errorf("%d bars", len(bars))
	}
}
