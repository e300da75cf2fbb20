package hold

import (
	"context"
	"time"

	"github.com/countersign/countersign/ledger"
)

// Rows that nothing waits for are put off for a moment and written together: they
// share a transaction, and a sync of the disk, and the action that they are about is
// through before its result takes the processor.
const (
	putOff       = 10 * time.Millisecond
	mostTogether = 1024
)

// note queues a row for writeLater; when the queue is full it writes at once.
func (d *Desk) note(e ledger.Entry) {
	d.mu.Lock()
	queued := false
	if !d.closed {
		select {
		case d.later <- e:
			queued = true
		default:
		}
	}
	d.mu.Unlock()
	if !queued {
		d.writeResults(e)
	}
}

// writeLater writes rows that nothing waits for: the results of actions that
// needed no answer.
func (d *Desk) writeLater() {
	for first := range d.later {
		time.Sleep(putOff)
		d.writeResults(d.together(first)...)
	}
}

// together is a row with those that wait behind it.
func (d *Desk) together(first ledger.Entry) []ledger.Entry {
	rows := []ledger.Entry{first}
	for len(rows) < mostTogether {
		select {
		case e, open := <-d.later:
			if !open {
				return rows
			}
			rows = append(rows, e)
		default:
			return rows
		}
	}
	return rows
}

// writeResults writes rows in one transaction. Where that fails each is written by
// itself, so that one that cannot be takes no other along.
func (d *Desk) writeResults(rows ...ledger.Entry) {
	err := d.commit(context.Background(), Change{Rows: rows})
	if err == nil {
		return
	}
	for i := range rows {
		if len(rows) > 1 {
			err = d.commit(context.Background(), Change{Rows: rows[i : i+1]})
		}
		if err != nil {
			d.options.Log.Error("a result could not be recorded", "action", rows[i].Subject, "error", err.Error())
		}
	}
}
