package identity

import (
	"context"
	"time"
)

// Store keeps what a Registry must not forget. Every method is atomic, durable
// when it returns, and safe for concurrent use. identitytest.RunStore holds an
// engine to what is written here.
//
// Times come in UTC, cut to the microsecond; they go out as the same instants,
// and a zero time stays zero. Text, which is UTF-8 without a NUL, comes back byte
// for byte.
type Store interface {
	// SaveAgent adds the agent or, where its ID is known, replaces it. It
	// answers ErrNameTaken when another agent that is not revoked has the name,
	// letter case aside, and some error when another has the SecretHash; nothing
	// is changed then.
	SaveAgent(ctx context.Context, a Agent) error
	// Agents lists all, revoked ones too, by CreatedAt and then ID.
	Agents(ctx context.Context) ([]Agent, error)
	// AgentByHash finds the agent with this SecretHash, revoked or not, or
	// answers ErrNotFound.
	AgentByHash(ctx context.Context, hash string) (Agent, error)

	// SaveApprover is SaveAgent for approvers. Names of agents do not count here.
	SaveApprover(ctx context.Context, a Approver) error
	// Approvers lists all, revoked ones too, by CreatedAt and then ID.
	Approvers(ctx context.Context) ([]Approver, error)
	// ApproverByHash finds the approver with this SecretHash, revoked or not, or
	// answers ErrNotFound.
	ApproverByHash(ctx context.Context, hash string) (Approver, error)

	// SaveSession adds the session or, where its ID is known, replaces it.
	SaveSession(ctx context.Context, s Session) error
	// SessionByID finds a session, expired or not, or answers ErrNotFound.
	SessionByID(ctx context.Context, id string) (Session, error)
	// DeleteSession removes a session; one that is not there is no error.
	DeleteSession(ctx context.Context, id string) error
	// DeleteSessionsOf removes all sessions of the approver with this id.
	DeleteSessionsOf(ctx context.Context, approver string) error

	// SaveTicket adds a ticket.
	SaveTicket(ctx context.Context, t Ticket) error
	// TakeTicket removes a ticket, expired or not, and returns it in one step:
	// of two takers one gets it and the other ErrNotFound.
	TakeTicket(ctx context.Context, id string) (Ticket, error)
	// DeleteTicketsOf removes all tickets of the approver with this id.
	DeleteTicketsOf(ctx context.Context, approver string) error

	// SavePasskey adds the passkey or, where its ID is known and is the same
	// approver's, replaces it. One with the ID of another approver's is an error,
	// and nothing is changed.
	SavePasskey(ctx context.Context, p Passkey) error
	// PasskeysOf lists those of the approver with this id, by CreatedAt and then
	// ID.
	PasskeysOf(ctx context.Context, approver string) ([]Passkey, error)
	// DeletePasskey removes one of an approver's, or answers ErrNotFound.
	DeletePasskey(ctx context.Context, approver, id string) error

	// DeleteExpired removes the sessions and tickets whose ExpiresAt is not
	// after now.
	DeleteExpired(ctx context.Context, now time.Time) error
}
