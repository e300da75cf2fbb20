package hold

import (
	"context"
	"errors"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// The errors of a Store. They are wrapped with what and where.
var (
	// ErrNotFound says that there is no such question, grant or key.
	ErrNotFound = errors.New("not found")
	// ErrMoved says that a question or grant is no longer at the version that was seen:
	// somebody else moved it first.
	ErrMoved = errors.New("somebody else moved it first")
	// ErrJoin says that the same question, by the same agent and device, is open
	// already.
	ErrJoin = errors.New("the same question is open already")
	// ErrKeyTaken says that the agent used the idempotency key before.
	ErrKeyTaken = errors.New("the idempotency key was used before")
	// ErrFrozen says that everything is frozen.
	ErrFrozen = errors.New("everything is frozen; an approver has to unfreeze first")
	// ErrUnavailable says that the store cannot write or read: a full disk, a
	// read-only file, a corrupted page. Nothing is released while it lasts.
	ErrUnavailable = errors.New("the record cannot be written or read")
)

// Store keeps questions, grants, idempotency keys and the ledger. Every method is safe
// for concurrent use, also from several processes on one store. An error that
// is none of those above wraps ErrUnavailable.
type Store interface {
	// Commit applies a change in one transaction and appends its rows to the
	// ledger; when it returns without an error the change is on the disk. When it
	// returns an error nothing of the change was applied; if it cannot tell, the
	// error wraps ErrUnavailable and the caller has to read again.
	Commit(ctx context.Context, c Change) ([]ledger.Row, error)

	// Approval returns a question by its id.
	Approval(ctx context.Context, id string) (approval.Approval, error)
	// Approvals returns the questions that match, newest first.
	Approvals(ctx context.Context, q Query) ([]approval.Approval, error)
	// Key returns what an agent's idempotency key was used for.
	Key(ctx context.Context, agent, key string) (Key, error)
	// Grants returns the grants that match, newest first.
	Grants(ctx context.Context, q GrantQuery) ([]approval.Grant, error)
	// Freeze returns whether everything is frozen, and by whom.
	Freeze(ctx context.Context) (Freeze, error)

	// Head returns the head of the ledger, About the rows about one subject in
	// order, Rows up to limit rows after the row with the given number.
	Head(ctx context.Context) (ledger.Head, error)
	About(ctx context.Context, subject string) ([]ledger.Row, error)
	Rows(ctx context.Context, after int64, limit int) ([]ledger.Row, error)
}

// Change is what one transaction does: the rows and, with them, what they are
// about.
type Change struct {
	// At is the time of the rows. A row is never earlier than the one before it.
	At   time.Time
	Rows []ledger.Entry
	// New is a question that was not there before. It fails with ErrJoin when the
	// same agent and device have a question with the same digest that is pending
	// or approved.
	New *approval.Approval
	// Moved are questions that were at version Was.
	Moved []Moved
	// NewGrant is a grant that was not there before.
	NewGrant *approval.Grant
	// MovedGrants are grants that were at version Was; one that is at another
	// makes the change fail with ErrMoved.
	MovedGrants []MovedGrant
	// Key is an idempotency key that is used for the first time.
	Key *Key
	// Freeze replaces the state of the freeze.
	Freeze *Freeze
	// RefuseFrozen makes the change fail with ErrFrozen while everything is
	// frozen: what lets an action go ahead has it set.
	RefuseFrozen bool
}

// Moved is a question as it is to be and the version it must be at.
type Moved struct {
	Approval approval.Approval
	Was      int64
}

// MovedGrant is a grant as it is to be and the version it must be at.
type MovedGrant struct {
	Grant approval.Grant
	Was   int64
}

// Key is one use of an idempotency key.
type Key struct {
	Agent, Key string
	// Request is a hash of what was asked with it, Action the id it was given.
	Request, Action string
	At              time.Time
}

// Freeze is whether everything is frozen.
type Freeze struct {
	Frozen bool      `json:"frozen"`
	At     time.Time `json:"at,omitzero"`
	By     string    `json:"by,omitempty"`
	Note   string    `json:"note,omitempty"`
}

// Query picks questions. Empty fields match everything.
type Query struct {
	// States are the states that count; none means all.
	States                  []approval.State
	Agent                   string
	Digest, Intent, Similar string
	// Since is the earliest time of the last event: SettledAt for what is
	// settled, else AnsweredAt or CreatedAt.
	Since time.Time
	// Limit is the most that are returned; 0 stands for 100.
	Limit int
}

// GrantQuery picks grants. Empty fields match everything.
type GrantQuery struct {
	ID, Agent, Similar string
	// From is the id of the question that a grant came with.
	From string
	// Open picks those that have not been ended, be their time over or not.
	Open bool
	// Limit is the most that are returned; 0 stands for 100.
	Limit int
}
