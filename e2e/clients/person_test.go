package clients

import (
	"slices"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// answers makes a person answer every question from now on.
func (w *world) answers(how func(*approval.Approval) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = how
}

func yes(*approval.Approval) bool { return true }
func no(*approval.Approval) bool  { return false }

// person answers what is asked, each question once.
func (w *world) person() {
	seen := map[string]bool{}
	for w.ctx.Err() == nil {
		changed := w.guard.Desk().Changed()
		waiting, err := w.guard.Desk().Views(w.ctx, hold.Query{States: []approval.State{approval.Pending}})
		w.mu.Lock()
		answer := w.answer
		w.mu.Unlock()
		for i := range waiting {
			q := &waiting[i]
			if answer == nil || seen[q.ID] || err != nil {
				continue
			}
			seen[q.ID] = true
			w.mu.Lock()
			w.asked = append(w.asked, *q)
			w.mu.Unlock()
			_, _ = w.guard.Desk().Answer(w.ctx, hold.Answer{ID: q.ID, Digest: q.Digest, Yes: answer(q), By: "owner", How: "test"})
		}
		select {
		case <-changed:
		case <-time.After(50 * time.Millisecond): // an answer may have been given to nobody
		case <-w.ctx.Done():
		}
	}
}

// questions are those that were asked so far.
func (w *world) questions() []approval.Approval {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// held waits for the question that waits for an answer.
func (w *world) held() approval.Approval {
	w.t.Helper()
	var q approval.Approval
	w.until("a question waits", func() bool {
		waiting, err := w.guard.Desk().Views(w.ctx, hold.Query{States: []approval.State{approval.Pending}})
		if err != nil || len(waiting) == 0 {
			return false
		}
		q = waiting[0]
		return true
	})
	return q
}

// until waits for a state of the questions.
func (w *world) until(what string, is func() bool) {
	w.t.Helper()
	for over := time.Now().Add(patience); !is(); {
		if time.Now().After(over) {
			w.t.Fatalf("it never came to this: %s", what)
		}
		select {
		case <-w.guard.Desk().Changed():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// yesLate says yes when the client's patience is over: it has been told that nobody
// has answered yet, and to ask again.
func (w *world) yesLate() {
	w.t.Helper()
	q := w.held()
	w.until("the client is told to ask again", func() bool {
		v, err := w.guard.Desk().View(w.ctx, q.ID)
		return err == nil && !v.ParkedUntil.IsZero()
	})
	if _, err := w.guard.Desk().Answer(w.ctx, hold.Answer{ID: q.ID, Digest: q.Digest, Yes: true, By: "owner", How: "test"}); err != nil {
		w.t.Errorf("a late yes: %v", err)
	}
}

// dies kills a client while its question is held, and says yes to nobody. Where the
// gate is the adb server it hears of the death and takes the question back. Behind a
// server of the client's own it may not: that server says nothing of a client that
// has gone before its service was opened. Then the yes counts and comes to nothing,
// since the gate asks after the client of what took longer than an eye blink.
func (w *world) dies(kill func()) {
	w.t.Helper()
	still := w.since()
	q := w.held()
	kill()
	state := func() approval.State {
		v, err := w.guard.Desk().View(w.ctx, q.ID)
		if err != nil {
			w.t.Fatal(err)
		}
		return v.State
	}
	if w.front == asServer {
		w.until("the question of a client that has gone is cancelled", func() bool { return state() == approval.Cancelled })
	} else {
		w.until("a person would have had time to answer", func() bool { return time.Since(q.CreatedAt) > time.Second })
	}
	_, err := w.guard.Desk().Answer(w.ctx, hold.Answer{ID: q.ID, Digest: q.Digest, Yes: true, By: "owner", How: "test"})
	if err == nil && w.front == asServer {
		w.t.Error("a yes counts that came after the client had gone")
	}
	w.until("the question is settled", func() bool { return !state().Open() })
	if s := state(); s == approval.Released {
		w.t.Error("what a client wanted that has gone was carried out")
	}
	still("its client died while it was held, and a yes came afterwards")
}
