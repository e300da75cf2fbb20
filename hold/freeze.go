package hold

import (
	"context"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// Freeze stops everything at once: from the moment it is recorded nothing is
// released, and every open question and unused answer is revoked. What is being
// carried out already cannot be stopped.
func (d *Desk) Freeze(ctx context.Context, by, note string) error {
	if by == "" {
		return ErrAnonymous
	}
	at := d.clock.read()
	err := d.commit(ctx, Change{
		Rows:   []ledger.Entry{{Kind: ledger.KindFreeze, Body: ledger.Change{By: by, What: "everything", Detail: note}}},
		Freeze: &Freeze{Frozen: true, At: at, By: by, Note: note},
	})
	if err != nil {
		return err
	}
	return d.revokeOpen(ctx, by)
}

// revokeOpen takes back all that has not been released.
func (d *Desk) revokeOpen(ctx context.Context, by string) error {
	for {
		open, err := d.options.Store.Approvals(ctx, Query{States: []approval.State{approval.Pending, approval.Approved}})
		if err != nil {
			return err
		}
		if len(open) == 0 {
			break
		}
		for i := range open {
			_, err := d.move(ctx, open[i].ID, approval.Revoke, approval.Cause{By: by, How: "freeze", Code: approval.CodeFrozen}, nil)
			if err != nil && !isConflict(err) {
				return err
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.announce()
	return nil
}

// Unfreeze lets actions go on. What was revoked stays revoked.
func (d *Desk) Unfreeze(ctx context.Context, by, note string) error {
	if by == "" {
		return ErrAnonymous
	}
	err := d.commit(ctx, Change{
		Rows:   []ledger.Entry{{Kind: ledger.KindUnfreeze, Body: ledger.Change{By: by, What: "everything", Detail: note}}},
		Freeze: &Freeze{At: d.clock.read(), By: by, Note: note},
	})
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.announce()
	return nil
}

// Frozen returns whether everything is frozen, and by whom.
func (d *Desk) Frozen(ctx context.Context) (Freeze, error) { return d.options.Store.Freeze(ctx) }
