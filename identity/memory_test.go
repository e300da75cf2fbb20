package identity_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/identity/identitytest"
)

// memory is a Store that forgets.
type memory struct {
	mu        sync.Mutex
	agents    map[string]identity.Agent
	approvers map[string]identity.Approver
	sessions  map[string]identity.Session
	tickets   map[string]identity.Ticket
	passkeys  map[string]identity.Passkey

	// lookups counts the calls of AgentByHash. after runs in each of them, and
	// in those of SessionByID, when it has read. fail makes every call fail.
	lookups int
	after   func()
	fail    error
}

func newMemory() *memory {
	return &memory{
		agents: map[string]identity.Agent{}, approvers: map[string]identity.Approver{},
		sessions: map[string]identity.Session{}, tickets: map[string]identity.Ticket{},
		passkeys: map[string]identity.Passkey{},
	}
}

func TestMemoryKeepsTheContract(t *testing.T) {
	identitytest.RunStore(t, func(*testing.T) identity.Store { return newMemory() })
}

// do runs f alone, unless the store is to fail. It lets others go first, so that
// what a registry does not hold together comes apart in the tests.
func (m *memory) do(f func() error) error {
	runtime.Gosched()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	return f()
}

func (m *memory) SaveAgent(_ context.Context, a identity.Agent) error {
	return m.do(func() error {
		for _, other := range m.agents {
			if err := clash(a.ID, other.ID, a.Name, other.Name, a.SecretHash, other.SecretHash, a.RevokedAt, other.RevokedAt); err != nil {
				return err
			}
		}
		a.Devices = slices.Clone(a.Devices)
		m.agents[a.ID] = a
		return nil
	})
}

func (m *memory) SaveApprover(_ context.Context, a identity.Approver) error {
	return m.do(func() error {
		for _, other := range m.approvers {
			if err := clash(a.ID, other.ID, a.Name, other.Name, a.SecretHash, other.SecretHash, a.RevokedAt, other.RevokedAt); err != nil {
				return err
			}
		}
		m.approvers[a.ID] = a
		return nil
	})
}

// clash says why the first cannot be beside the second.
func clash(id, otherID, name, otherName, hash, otherHash string, revoked, otherRevoked time.Time) error {
	switch {
	case id == otherID:
		return nil
	case hash == otherHash:
		return errors.New("hash taken")
	case revoked.IsZero() && otherRevoked.IsZero() && strings.EqualFold(name, otherName):
		return identity.ErrNameTaken
	}
	return nil
}

func (m *memory) Agents(context.Context) (all []identity.Agent, err error) {
	err = m.do(func() error {
		for _, a := range m.agents {
			a.Devices = slices.Clone(a.Devices)
			all = append(all, a)
		}
		slices.SortFunc(all, func(a, b identity.Agent) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		return nil
	})
	return all, err
}

func (m *memory) Approvers(context.Context) (all []identity.Approver, err error) {
	err = m.do(func() error {
		all = slices.SortedFunc(maps.Values(m.approvers), func(a, b identity.Approver) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		return nil
	})
	return all, err
}

func (m *memory) AgentByHash(_ context.Context, hash string) (found identity.Agent, err error) {
	err = m.do(func() error {
		m.lookups++
		for _, a := range m.agents {
			if a.SecretHash == hash {
				a.Devices = slices.Clone(a.Devices)
				found = a
				return nil
			}
		}
		return identity.ErrNotFound
	})
	if m.after != nil {
		m.after()
	}
	return found, err
}

func (m *memory) ApproverByHash(_ context.Context, hash string) (found identity.Approver, err error) {
	err = m.do(func() error {
		for _, a := range m.approvers {
			if a.SecretHash == hash {
				found = a
				return nil
			}
		}
		return identity.ErrNotFound
	})
	return found, err
}

func (m *memory) SaveSession(_ context.Context, s identity.Session) error {
	return m.do(func() error { m.sessions[s.ID] = s; return nil })
}

func (m *memory) SessionByID(_ context.Context, id string) (found identity.Session, err error) {
	err = m.do(func() error {
		var ok bool
		if found, ok = m.sessions[id]; !ok {
			return identity.ErrNotFound
		}
		return nil
	})
	if m.after != nil {
		m.after()
	}
	return found, err
}

func (m *memory) DeleteSession(_ context.Context, id string) error {
	return m.do(func() error { delete(m.sessions, id); return nil })
}

func (m *memory) DeleteSessionsOf(_ context.Context, approver string) error {
	return m.do(func() error {
		maps.DeleteFunc(m.sessions, func(_ string, s identity.Session) bool { return s.Approver == approver })
		return nil
	})
}

func (m *memory) SaveTicket(_ context.Context, t identity.Ticket) error {
	return m.do(func() error { m.tickets[t.ID] = t; return nil })
}

func (m *memory) TakeTicket(_ context.Context, id string) (taken identity.Ticket, err error) {
	err = m.do(func() error {
		var ok bool
		if taken, ok = m.tickets[id]; !ok {
			return identity.ErrNotFound
		}
		delete(m.tickets, id)
		return nil
	})
	return taken, err
}

func (m *memory) DeleteTicketsOf(_ context.Context, approver string) error {
	return m.do(func() error {
		maps.DeleteFunc(m.tickets, func(_ string, t identity.Ticket) bool { return t.Approver == approver })
		return nil
	})
}

func (m *memory) DeleteExpired(_ context.Context, now time.Time) error {
	return m.do(func() error {
		maps.DeleteFunc(m.sessions, func(_ string, s identity.Session) bool { return !now.Before(s.ExpiresAt) })
		maps.DeleteFunc(m.tickets, func(_ string, t identity.Ticket) bool { return !now.Before(t.ExpiresAt) })
		return nil
	})
}
