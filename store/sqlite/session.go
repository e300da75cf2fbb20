package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/countersign/countersign/identity"
)

// SaveSession adds the session or replaces it.
func (s *Store) SaveSession(ctx context.Context, v identity.Session) error {
	return s.run(ctx, "session", saveSession, v.ID, v.Approver, v.Door, micro(v.CreatedAt), micro(v.SeenAt), micro(v.ExpiresAt), v.How)
}

// SessionByID finds a session, expired or not, or answers identity.ErrNotFound.
func (s *Store) SessionByID(ctx context.Context, id string) (identity.Session, error) {
	return found("session", s.reader.queryRow(ctx, selectSession, id), scanSession)
}

func scanSession(row scanner) (v identity.Session, err error) {
	var created, seen, expires sql.NullInt64
	err = row.Scan(&v.ID, &v.Approver, &v.Door, &created, &seen, &expires, &v.How)
	v.CreatedAt, v.SeenAt, v.ExpiresAt = fromMicro(created), fromMicro(seen), fromMicro(expires)
	return v, err
}

// DeleteSession removes a session; one that is not there is no error.
func (s *Store) DeleteSession(ctx context.Context, id string) error {
	return s.run(ctx, "session", deleteSession, id)
}

// DeleteSessionsOf removes all sessions of the approver with this id.
func (s *Store) DeleteSessionsOf(ctx context.Context, approver string) error {
	return s.run(ctx, "sessions", deleteSessionsOf, approver)
}

// SaveTicket adds a ticket.
func (s *Store) SaveTicket(ctx context.Context, v identity.Ticket) error {
	return s.run(ctx, "ticket", insertTicket, v.ID, v.Approver, micro(v.CreatedAt), micro(v.ExpiresAt))
}

// TakeTicket removes a ticket and returns it, or answers identity.ErrNotFound.
func (s *Store) TakeTicket(ctx context.Context, id string) (v identity.Ticket, err error) {
	err = s.save(ctx, "ticket", func(g *group) error {
		var created, expires sql.NullInt64
		err := g.scan(takeTicket, []any{id}, &v.ID, &v.Approver, &created, &expires)
		v.CreatedAt, v.ExpiresAt = fromMicro(created), fromMicro(expires)
		if errors.Is(err, sql.ErrNoRows) {
			return identity.ErrNotFound
		}
		return err
	})
	if err != nil {
		return identity.Ticket{}, err
	}
	return v, nil
}

// DeleteTicketsOf removes all tickets of the approver with this id.
func (s *Store) DeleteTicketsOf(ctx context.Context, approver string) error {
	return s.run(ctx, "tickets", deleteTicketsOf, approver)
}

// DeleteExpired removes the sessions and tickets whose ExpiresAt is not after now.
func (s *Store) DeleteExpired(ctx context.Context, now time.Time) error {
	return s.save(ctx, "what has not expired", func(g *group) error {
		for _, expired := range []statement{deleteExpiredSessions, deleteExpiredTickets} {
			if _, err := g.exec(expired, now.UnixMicro()); err != nil {
				return err
			}
		}
		return nil
	})
}

// run writes with one statement.
func (s *Store) run(ctx context.Context, what string, which statement, args ...any) error {
	return s.save(ctx, what, func(g *group) error {
		_, err := g.exec(which, args...)
		return err
	})
}
