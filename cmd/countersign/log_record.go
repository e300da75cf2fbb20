package main

import (
	"context"
	"errors"
	"sort"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// record is what is read of the guard's record.
type record interface {
	Head(ctx context.Context) (ledger.Head, error)
	Rows(ctx context.Context, after int64, limit int) ([]ledger.Row, error)
	About(ctx context.Context, subject string) ([]ledger.Row, error)
	Approval(ctx context.Context, id string) (approval.Approval, error)
	Agents(ctx context.Context) ([]identity.Agent, error)
}

// record opens the guard's record to read it, also beside a guard that runs.
func (f *homeFlag) record(ctx context.Context) (*sqlite.Store, error) {
	path, err := f.file(daemon.DatabaseFile)
	if err != nil {
		return nil, err
	}
	rec, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, usage(err)
	}
	return rec, nil
}

// snapshot is the record at one moment, to be verified.
type snapshot struct {
	*sqlite.Snapshot
	of *sqlite.Store
}

func (f *homeFlag) snapshot(ctx context.Context) (*snapshot, error) {
	rec, err := f.record(ctx)
	if err != nil {
		return nil, err
	}
	at, err := rec.Ledger(ctx)
	if err != nil {
		return nil, errors.Join(err, rec.Close())
	}
	return &snapshot{at, rec}, nil
}

// Close ends the snapshot and closes the file.
func (s *snapshot) Close() error { return errors.Join(s.Snapshot.Close(), s.of.Close()) }

// pageRows is how many rows are read at a time.
const pageRows = 200

// rowsFrom hands on every row after one, in order, until hand returns an error.
func rowsFrom(ctx context.Context, rec record, after int64, hand func(*ledger.Row) error) error {
	for {
		rows, err := rec.Rows(ctx, after, pageRows)
		if err != nil {
			return err
		}
		for i := range rows {
			after = rows[i].Seq
			if err := hand(&rows[i]); err != nil {
				return err
			}
		}
		if len(rows) < pageRows {
			return nil
		}
	}
}

// before is the last row that was written before a time. Rows are in the order
// of their times.
func before(ctx context.Context, rec record, at time.Time) (int64, error) {
	if at.IsZero() {
		return 0, nil
	}
	head, err := rec.Head(ctx)
	if err != nil {
		return 0, err
	}
	n := sort.Search(int(head.Size), func(i int) bool {
		rows, failed := rec.Rows(ctx, int64(i), 1)
		if err = errors.Join(err, failed); err != nil || len(rows) == 0 {
			return true
		}
		return !rows[0].At.Before(at)
	})
	return int64(n), err
}

// agentID is the id of the agent that goes by a name; a name that nobody has is
// taken for an id.
func agentID(ctx context.Context, rec record, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	agents, err := rec.Agents(ctx)
	if err != nil {
		return "", err
	}
	id := name
	for i := range agents {
		// Of agents of one name the one that is not revoked is meant, else the newest.
		if strings.EqualFold(agents[i].Name, name) {
			if id = agents[i].ID; !agents[i].Revoked() {
				break
			}
		}
	}
	return id, nil
}

// agentNamed is an agent by its name and id.
func agentNamed(ctx context.Context, rec record, id string) (string, error) {
	agents, err := rec.Agents(ctx)
	for i := range agents {
		if agents[i].ID == id {
			return agents[i].Name + " (" + id + ")", err
		}
	}
	return id, err
}
