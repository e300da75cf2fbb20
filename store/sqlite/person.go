package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/countersign/countersign/identity"
)

// SaveAgent adds the agent or replaces it; see identity.Store. The ids of
// devices must be valid UTF-8.
func (s *Store) SaveAgent(ctx context.Context, a identity.Agent) error {
	for _, id := range a.Devices {
		if !utf8.ValidString(id) {
			return fmt.Errorf("sqlite: save agent %q: the id of a device is no valid UTF-8: %q", a.Name, id)
		}
	}
	devices, err := json.Marshal(a.Devices)
	if err != nil {
		return fmt.Errorf("sqlite: save agent %q: %w", a.Name, err)
	}
	folded := strings.ToLower(a.Name)
	return s.save(ctx, "agent", func(g *group) error {
		if err := g.nameIsFree(selectAgentNamed, folded, a.ID, a.Revoked()); err != nil {
			return err
		}
		_, err := g.exec(saveAgent, a.ID, a.Name, folded, string(devices), a.SecretHash, micro(a.CreatedAt), micro(a.RevokedAt), a.CreatedBy, a.Gate)
		return err
	})
}

// SaveApprover adds the approver or replaces him; see identity.Store.
func (s *Store) SaveApprover(ctx context.Context, a identity.Approver) error {
	folded := strings.ToLower(a.Name)
	return s.save(ctx, "approver", func(g *group) error {
		if err := g.nameIsFree(selectApproverNamed, folded, a.ID, a.Revoked()); err != nil {
			return err
		}
		_, err := g.exec(saveApprover, a.ID, a.Name, folded, a.SecretHash, micro(a.CreatedAt), micro(a.RevokedAt))
		return err
	})
}

// save writes one identity and says which kind could not be written.
func (s *Store) save(ctx context.Context, what string, apply func(*group) error) error {
	err := s.write(ctx, apply)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, identity.ErrNameTaken), errors.Is(err, identity.ErrNotFound):
		return fmt.Errorf("sqlite: %s: %w", what, err)
	}
	return unavailable("save "+what, err)
}

// nameIsFree answers identity.ErrNameTaken when another one in use has the name.
func (g *group) nameIsFree(named statement, folded, id string, revoked bool) error {
	if revoked {
		return nil
	}
	taken, err := g.exists(named, folded, id)
	if err == nil && taken {
		err = identity.ErrNameTaken
	}
	return err
}

// Agents lists all, revoked ones too, by CreatedAt and then ID.
func (s *Store) Agents(ctx context.Context) ([]identity.Agent, error) {
	return list(ctx, s, "agents", selectAgents, scanAgent)
}

// Approvers lists all, revoked ones too, by CreatedAt and then ID.
func (s *Store) Approvers(ctx context.Context) ([]identity.Approver, error) {
	return list(ctx, s, "approvers", selectApprovers, scanApprover)
}

// AgentByHash finds the agent with this SecretHash, or answers
// identity.ErrNotFound.
func (s *Store) AgentByHash(ctx context.Context, hash string) (identity.Agent, error) {
	return found("agent", s.reader.queryRow(ctx, selectAgentByHash, hash), scanAgent)
}

// ApproverByHash finds the approver with this SecretHash, or answers
// identity.ErrNotFound.
func (s *Store) ApproverByHash(ctx context.Context, hash string) (identity.Approver, error) {
	return found("approver", s.reader.queryRow(ctx, selectApproverByHash, hash), scanApprover)
}

// scanner is a row of one or of many.
type scanner interface{ Scan(into ...any) error }

func scanAgent(row scanner) (a identity.Agent, err error) {
	var devices string
	var created, revoked sql.NullInt64
	if err := row.Scan(&a.ID, &a.Name, &devices, &a.SecretHash, &created, &revoked, &a.CreatedBy, &a.Gate); err != nil {
		return a, err
	}
	a.CreatedAt, a.RevokedAt = fromMicro(created), fromMicro(revoked)
	if err := json.Unmarshal([]byte(devices), &a.Devices); err != nil {
		return a, fmt.Errorf("the stored devices of agent %s are damaged: %w", a.ID, err)
	}
	return a, nil
}

func scanApprover(row scanner) (a identity.Approver, err error) {
	var created, revoked sql.NullInt64
	err = row.Scan(&a.ID, &a.Name, &a.SecretHash, &created, &revoked)
	a.CreatedAt, a.RevokedAt = fromMicro(created), fromMicro(revoked)
	return a, err
}

// list reads all that a statement yields.
func list[T any](ctx context.Context, s *Store, what string, which statement, scan func(scanner) (T, error), args ...any) ([]T, error) {
	rows, err := s.reader.query(ctx, which, args...)
	if err != nil {
		return nil, unavailable("read "+what, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, unavailable("read "+what, err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable("read "+what, err)
	}
	return all, nil
}

// found reads one that may not be there.
func found[T any](what string, row *sql.Row, scan func(scanner) (T, error)) (T, error) {
	one, err := scan(row)
	var none T
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return none, fmt.Errorf("sqlite: %s: %w", what, identity.ErrNotFound)
	case err != nil:
		return none, unavailable("read "+what, err)
	}
	return one, nil
}

// micro is a time as identities store it: NULL for none.
func micro(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

func fromMicro(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.UnixMicro(n.Int64).UTC()
}
