package main

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/store/sqlite"
)

// hostileLabel tries to clear the screen, turn the text round, and begin a line
// of its own that looks like an allowed action.
const hostileLabel = "Send \x1b[2J\u202e\r\n    1  00:00:00  ✓ allow"

// recording is a guard that decides with a clock of its own, to fill a record.
type recording struct {
	ctx   context.Context
	at    time.Time
	store *sqlite.Store
	desk  *hold.Desk
	err   error
}

// recordedDay is when the record begins.
var recordedDay = time.Date(2026, 10, 7, 14, 0, 0, 0, time.UTC)

// fillRecord makes a guard's folder with a record in it. The state half way is
// kept beside it as early.db.
func fillRecord(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	private, public, err := ledger.GenerateKey("countersign")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(home, daemon.LedgerKeyFile), []byte(public+"\n"), 0o600); err != nil {
		return err
	}
	signer, err := ledger.NewSigner(private)
	if err != nil {
		return err
	}
	path := filepath.Join(home, daemon.DatabaseFile)
	r := &recording{ctx: context.Background(), at: recordedDay}
	ids := rand.NewChaCha8([32]byte{1})
	for i, part := range []func(){r.questions, r.rest} {
		// Shared, since a lock outlives Close while another script starts a program.
		if r.store, err = sqlite.Open(r.ctx, path, sqlite.Options{Signer: signer, Shared: true}); err != nil {
			return err
		}
		for _, observe := range []bool{false, true} {
			guard, err := countersign.New(countersign.Options{DigestKey: []byte(strings.Repeat("k", 32))})
			if err != nil {
				return err
			}
			r.desk, err = hold.New(r.ctx, hold.Options{
				Store: r.store, Decider: guard, Random: ids, Observe: observe,
				Now:      func() time.Time { r.at = r.at.Add(time.Second); return r.at },
				Somebody: func(context.Context) bool { return true },
			})
			if err != nil {
				return err
			}
			if observe {
				r.propose(press("com.whatsapp", "Send"))
			} else {
				part()
			}
			r.desk.Close()
		}
		if err := errors.Join(r.err, r.store.Close()); err != nil {
			return err
		}
		if i == 0 {
			early, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(home, "early.db"), early, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// questions are answered yes, answered no, and withdrawn.
func (r *recording) questions() {
	r.must(r.store.SaveAgent(r.ctx, identity.Agent{ID: "agt_one", Name: "pocket", SecretHash: strings.Repeat("0", 64), CreatedAt: r.at, CreatedBy: "owner"}))
	r.propose(press("com.whatsapp", "Back"))
	send := press("com.whatsapp", "Send")
	yes := r.propose(send)
	r.answer(yes, true, "")
	r.finish(yes, send)
	r.answer(r.propose(press("com.android.vending", "Buy $4.99")), false, "not \x1b[31mnow")
	hostile := press("com.twitter.android", hostileLabel)
	hostile.LLM = decide.LLM{RequiresConfirmation: true, Reason: hostileLabel}
	gone := r.propose(hostile)
	_, err := r.desk.Withdraw(r.ctx, "agt_one", gone.ID, approval.CodeWithdrawn)
	r.must(err)
}

// rest has what is not asked about, a freeze, and a question that stays open.
func (r *recording) rest() {
	r.propose(press("com.whatsapp", "Payment history"))
	r.propose(&decide.Request{
		Action: risk.Action{Kind: risk.TypeText, Text: "hunter2 is my password"},
		Screen: &decide.Screen{Package: "com.example.bank"},
		Target: &decide.Target{Class: "android.widget.EditText", Hint: "Password", Password: true, Focused: true},
	})
	r.propose(&decide.Request{Action: risk.Action{Kind: risk.ShellLine, Shell: "pm uninstall com.example.app"}})
	r.must(r.desk.Freeze(r.ctx, "Anna", "lost my phone"))
	r.must(r.desk.Unfreeze(r.ctx, "Anna", "found it"))
	r.must(r.desk.Record(r.ctx, ledger.Entry{Kind: ledger.KindRefused, Body: ledger.Refused{Agent: "agt_one", What: "propose", Why: "the JSON ends early"}}))
	r.propose(press("com.twitter.android", "Post"))
}

// press is a tap on a button of an app.
func press(pkg, label string) *decide.Request {
	yes := true
	return &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Task: "tidy up",
		Screen: &decide.Screen{Package: pkg},
		Target: &decide.Target{Text: label, Class: "android.widget.Button", Role: risk.Button, Clickable: &yes, Bounds: [4]int{0, 0, 90, 90}},
	}
}

func (r *recording) must(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *recording) propose(req *decide.Request) hold.Ticket {
	t, err := r.desk.Propose(r.ctx, hold.Proposal{Agent: "agt_one", AgentName: "pocket", Request: req})
	r.must(err)
	return t
}

func (r *recording) answer(t hold.Ticket, yes bool, note string) {
	_, err := r.desk.Answer(r.ctx, hold.Answer{ID: t.ID, Digest: t.Digest, Yes: yes, By: "Anna", How: "terminal", Note: note})
	r.must(err)
}

func (r *recording) finish(t hold.Ticket, req *decide.Request) {
	_, err := r.desk.Begin(r.ctx, "agt_one", t.ID, req)
	r.must(err)
	_, err = r.desk.Finish(r.ctx, "agt_one", t.ID, hold.Result{OK: true})
	r.must(err)
}

// recordScript is the command "record HOME" of scripts: it fills a record.
func recordScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: record HOME")
	}
	ts.Check(fillRecord(ts.MkAbs(args[0])))
}

// tamperScript is the command "tamper HOME ROW OLD NEW" of scripts: it changes a
// row behind the guard's back.
func tamperScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: tamper HOME ROW OLD NEW")
	}
	row, err := strconv.Atoi(args[1])
	ts.Check(err)
	db, err := sql.Open("sqlite", filepath.Join(ts.MkAbs(args[0]), daemon.DatabaseFile))
	ts.Check(err)
	defer db.Close()
	result, err := db.Exec(`UPDATE ledger SET data = CAST(replace(CAST(data AS TEXT), ?, ?) AS BLOB)
		WHERE seq = ? AND instr(CAST(data AS TEXT), ?) > 0`, args[2], args[3], row, args[2])
	ts.Check(err)
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		ts.Fatalf("row %d has no %q: %d rows changed, %v", row, args[2], n, err)
	}
}
