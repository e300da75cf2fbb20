package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// step is one move of a question as the ledger has it.
type step struct {
	seq      int64
	at       time.Time
	from, to string
	event    string
}

// record is what the guard's own files say at one moment.
type record struct {
	questions  map[string]approval.Approval
	steps      map[string][]step
	rows       int64
	frozen     bool
	faults     []string
	checkpoint []byte
}

func (r *record) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// readRecord reads the record of a home and verifies it, against a checkpoint of
// before as well: then no row from before is gone or changed.
func readRecord(home string, kept []byte) (*record, error) {
	ctx := context.Background()
	store, err := sqlite.OpenReadOnly(ctx, filepath.Join(home, daemon.DatabaseFile))
	if err != nil {
		return nil, err
	}
	r := &record{questions: map[string]approval.Approval{}, steps: map[string][]step{}}
	return r, errors.Join(r.read(ctx, store, home, kept), store.Close())
}

func (r *record) read(ctx context.Context, store *sqlite.Store, home string, kept []byte) error {
	key, err := secretOf(home, daemon.LedgerKeyFile)
	if err != nil {
		return err
	}
	moment, err := store.Ledger(ctx)
	if err != nil {
		return err
	}
	defer moment.Close()
	o := ledger.VerifyOptions{}
	if len(kept) > 0 {
		o.Kept = [][]byte{kept}
	}
	report, err := ledger.VerifyWith(ctx, moment, key, o)
	if err != nil {
		return err
	}
	if !report.OK() {
		r.fault("the ledger: %v", report.First)
	}
	r.rows = report.Rows
	if err := r.readSteps(ctx, moment); err != nil {
		return err
	}
	if r.checkpoint, err = store.Checkpoint(ctx); err != nil {
		return err
	}
	all, err := store.Approvals(ctx, hold.Query{Limit: 1 << 20})
	for i := range all {
		r.questions[all[i].ID] = all[i]
	}
	return err
}

// readSteps reads the moves of all questions, in the order of their rows. While
// everything is frozen nothing may be released.
func (r *record) readSteps(ctx context.Context, moment *sqlite.Snapshot) error {
	const page = 500
	for after := int64(0); ; {
		rows, err := moment.Rows(ctx, after, page)
		if err != nil {
			return err
		}
		for i := range rows {
			after = rows[i].Seq
			row, err := ledger.ParseRow(rows[i].Data)
			if err != nil {
				return err
			}
			switch row.Kind {
			case ledger.KindFreeze, ledger.KindUnfreeze:
				r.frozen = row.Kind == ledger.KindFreeze
			case ledger.KindTransition:
				var body ledger.Transition
				if err := json.Unmarshal(row.Body, &body); err != nil {
					return err
				}
				if r.frozen && body.Event == approval.Begin.String() {
					r.fault("row %d: %s is released while everything is frozen", row.Seq, row.Subject)
				}
				r.steps[row.Subject] = append(r.steps[row.Subject], step{row.Seq, row.At, body.From, body.To, body.Event})
			}
		}
		if len(rows) < page {
			return nil
		}
	}
}

// place finds a state on the way of a question; -1 when it was never there.
func place(steps []step, s approval.State) int {
	for i := range steps {
		if steps[i].to == s.String() {
			return i
		}
	}
	return -1
}

// moves is approval.Table by its words.
var moves = func() map[[2]string]string {
	m := map[[2]string]string{}
	for _, s := range approval.Table() {
		m[[2]string{s.From.String(), s.Event.String()}] = s.To.String()
	}
	return m
}()

// checkWays holds every question's way against the table, and what is stored of
// it against its rows.
func (r *record) checkWays() {
	for id, steps := range r.steps {
		at, begun := approval.None.String(), 0
		for _, s := range steps {
			if to, ok := moves[[2]string{s.from, s.event}]; !ok || to != s.to || s.from != at {
				r.fault("%s: row %d moves it from %s by %s to %s, and it was %s", id, s.seq, s.from, s.event, s.to, at)
			}
			if at = s.to; s.event == approval.Begin.String() {
				begun++
			}
		}
		if begun > 1 {
			r.fault("%s was released %d times", id, begun)
		}
		q, ok := r.questions[id]
		if !ok {
			r.fault("%s has rows and is lost", id)
			continue
		}
		if q.State.String() != at || q.Version != int64(len(steps)) {
			r.fault("%s is %v at version %d, its rows lead to %s at version %d", id, q.State, q.Version, at, len(steps))
		}
		r.checkTimes(&q)
	}
	for id := range r.questions {
		if len(r.steps[id]) == 0 {
			r.fault("%s is there without a row", id)
		}
	}
}

// releaseWithin is how long a release may take; it tells when one was begun.
const releaseWithin = time.Minute

// checkTimes holds what counted against the time it had to come by.
func (r *record) checkTimes(q *approval.Approval) {
	if !q.AnsweredAt.IsZero() && !q.AnsweredAt.Before(q.Deadline) {
		r.fault("%s was answered at %v, its deadline was %v", q.ID, q.AnsweredAt, q.Deadline)
	}
	if begun := q.ReleaseBy.Add(-releaseWithin); !q.ReleaseBy.IsZero() && !begun.Before(q.UseBy) {
		r.fault("%s was released at %v, the yes was good until %v", q.ID, begun, q.UseBy)
	}
}

// checkJournal holds the record against what the clients were told and what the
// device did. It adds to the journal's faults.
func (r *record) checkJournal(j *journal) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for id, k := range j.questions {
		q, ok := r.questions[id]
		if !ok {
			r.fault("%s (key %s) was acknowledged and is lost", id, k.key)
			continue
		}
		if !k.deadline.IsZero() && !q.Deadline.Equal(k.deadline) {
			r.fault("%s: its deadline was %v, the store has %v", id, k.deadline, q.Deadline)
		}
		r.checkSights(id, k)
		r.checkDevice(id, k)
	}
}

// checkSights wants every state that somebody was told of in the record, and in
// the order in which they were told.
func (r *record) checkSights(id string, k *known) {
	steps := r.steps[id]
	for i := range k.sights {
		s := &k.sights[i]
		at := place(steps, s.state)
		if at < 0 {
			r.fault("%s: %s was told that it is %v, and it never was", id, s.by, s.state)
			continue
		}
		for l := range i {
			if before := &k.sights[l]; before.got.Before(s.sent) && place(steps, before.state) > at {
				r.fault("%s: was %v and then again %v", id, before.state, s.state)
			}
		}
	}
}

// checkDevice wants the device to have acted only on what was released, once,
// and in time.
func (r *record) checkDevice(id string, k *known) {
	if len(k.acted) == 0 {
		return
	}
	if len(k.acted) > 1 {
		r.fault("%s: the device carried it out %d times", id, len(k.acted))
	}
	if place(r.steps[id], approval.Releasing) < 0 {
		r.fault("%s: the device carried it out, and it was never released", id)
	}
	for i := range k.sights {
		s := &k.sights[i]
		switch s.state {
		case approval.Denied, approval.Cancelled, approval.Revoked, approval.Expired, approval.Void, approval.NoChannel:
			r.fault("%s: the device carried out what %s was told is %v", id, s.by, s.state)
		}
	}
}

// checkRestart holds the record after a start against that of before: nothing is
// lost, and of what was being carried out nobody knows.
func (r *record) checkRestart(before *record, at time.Time) {
	for id, was := range before.questions {
		q, ok := r.questions[id]
		if !ok {
			r.fault("%s was lost in a restart", id)
			continue
		}
		switch same := q.State == was.State && q.Version == was.Version && q.Deadline.Equal(was.Deadline) && q.UseBy.Equal(was.UseBy); {
		case was.State == approval.Releasing:
			if q.State != approval.Failed || q.Code != approval.CodeResultUnknown {
				r.fault("%s was being carried out at the kill, and is %v (%s) after the restart", id, q.State, q.Code)
			}
		case same:
		case was.State.Open() && q.State == approval.Expired && !at.Before(was.Wake()):
		case was.State.Open() && q.State == approval.Revoked && q.Code == approval.CodeFrozen && before.frozen: // a kill in the middle of it
		default:
			r.fault("%s was %v (version %d) before the restart and is %v (version %d) after it", id, was.State, was.Version, q.State, q.Version)
		}
	}
	for id := range r.questions {
		if _, ok := before.questions[id]; !ok {
			r.fault("%s came into being in a restart", id)
		}
	}
}

// copyRecord copies what a killed guard has left, so that looking at it repairs
// nothing: the next guard finds the files as they were.
func copyRecord(home, to string) error {
	for _, name := range []string{daemon.DatabaseFile, daemon.DatabaseFile + "-wal", daemon.LedgerKeyFile} {
		data, err := os.ReadFile(filepath.Join(home, name))
		if errors.Is(err, os.ErrNotExist) && name == daemon.DatabaseFile+"-wal" {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), data, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
