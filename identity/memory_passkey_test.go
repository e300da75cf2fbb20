package identity_test

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/countersign/countersign/identity"
)

func (m *memory) SavePasskey(_ context.Context, p identity.Passkey) error {
	return m.do(func() error {
		if old, ok := m.passkeys[p.ID]; ok && old.Approver != p.Approver {
			return errors.New("id taken")
		}
		m.passkeys[p.ID] = p
		return nil
	})
}

func (m *memory) PasskeysOf(_ context.Context, approver string) (all []identity.Passkey, err error) {
	err = m.do(func() error {
		for _, p := range m.passkeys {
			if p.Approver == approver {
				all = append(all, p)
			}
		}
		slices.SortFunc(all, func(a, b identity.Passkey) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		return nil
	})
	return all, err
}

func (m *memory) DeletePasskey(_ context.Context, approver, id string) error {
	return m.do(func() error {
		if p, ok := m.passkeys[id]; !ok || p.Approver != approver {
			return identity.ErrNotFound
		}
		delete(m.passkeys, id)
		return nil
	})
}
