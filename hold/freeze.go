package hold

import (
	"context"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// Freeze stops everything at once: from the moment it is recorded nothing is
// released and no grant can be used; every open question and unused answer is
// revoked and every grant is ended. What is being carried out already cannot be
// stopped.
func (d *Desk) Freeze(ctx context.Context, by, note string) error {
	if by == "" {
		return ErrAnonymous
	}
	d.granting.Lock()
	defer d.granting.Unlock()
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
	if err := d.endGrants(ctx, GrantQuery{}, frozenBy(by)); err != nil {
		return err
	}
	for {
		open, err := d.options.Store.Approvals(ctx, Query{States: []approval.State{approval.Pending, approval.Approved}})
		if err != nil {
			return err
		}
		if len(open) == 0 {
			break
		}
		for i := range open {
			_, err := d.move(ctx, open[i].ID, approval.Revoke, frozenBy(by), nil)
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

func frozenBy(by string) approval.Cause {
	return approval.Cause{By: by, How: "freeze", Code: approval.CodeFrozen}
}

// Unfreeze lets actions go on. What was revoked or ended stays so.
func (d *Desk) Unfreeze(ctx context.Context, by, note string) error {
	if by == "" {
		return ErrAnonymous
	}
	d.granting.Lock()
	defer d.granting.Unlock()
	// A grant that outlived the freeze, since the guard died in the middle, must
	// not come back with its end.
	if f, err := d.options.Store.Freeze(ctx); err != nil {
		return err
	} else if f.Frozen {
		if err := d.endGrants(ctx, GrantQuery{}, frozenBy(f.By)); err != nil {
			return err
		}
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
