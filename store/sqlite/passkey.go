package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/countersign/countersign/identity"
)

// errOthers says that a passkey's id is that of another approver's.
var errOthers = errors.New("another approver has a passkey with this id")

// SavePasskey adds the passkey or replaces it; see identity.Store.
func (s *Store) SavePasskey(ctx context.Context, p identity.Passkey) error {
	return s.save(ctx, "passkey", func(g *group) error {
		changed, err := g.exec(savePasskey, p.ID, p.Approver, p.Name, p.Host, p.Credential, micro(p.CreatedAt), micro(p.UsedAt))
		if err == nil && changed == 0 {
			err = errOthers
		}
		return err
	})
}

// PasskeysOf lists those of an approver, by CreatedAt and then ID.
func (s *Store) PasskeysOf(ctx context.Context, approver string) ([]identity.Passkey, error) {
	return list(ctx, s, "passkeys", selectPasskeysOf, scanPasskey, approver)
}

func scanPasskey(row scanner) (p identity.Passkey, err error) {
	var created, used sql.NullInt64
	err = row.Scan(&p.ID, &p.Approver, &p.Name, &p.Host, &p.Credential, &created, &used)
	p.CreatedAt, p.UsedAt = fromMicro(created), fromMicro(used)
	return p, err
}

// DeletePasskey removes one of an approver's, or answers identity.ErrNotFound.
func (s *Store) DeletePasskey(ctx context.Context, approver, id string) error {
	return s.save(ctx, "passkey", func(g *group) error {
		changed, err := g.exec(deletePasskey, approver, id)
		if err == nil && changed == 0 {
			err = identity.ErrNotFound
		}
		return err
	})
}
