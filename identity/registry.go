package identity

import (
	"context"
	"errors"
	"io"
	"time"
)

// Options are what a Registry can be told. The zero value is good.
type Options struct {
	// Now is the clock, time.Now when nil.
	Now func() time.Time
	// Random is where secrets come from, crypto/rand.Reader when nil.
	Random io.Reader
	// SessionFor is how long a session lasts: 1 minute to 90 days, 7 days when zero.
	SessionFor time.Duration
	// TicketFor is how long a sign-in link works: 1 second to 1 hour, 10 minutes when zero.
	TicketFor time.Duration
}

// Registry is the one that knows who is who. It is safe for concurrent use.
type Registry struct{}

var errSkeleton = errors.New("identity: not written yet")

func New(store Store, o Options) (*Registry, error) { return nil, errSkeleton }
func (r *Registry) AddAgent(ctx context.Context, name string, devices []string, by string) (Agent, string, error) {
	return Agent{}, "", errSkeleton
}
func (r *Registry) RevokeAgent(ctx context.Context, nameOrID string) (Agent, error) {
	return Agent{}, errSkeleton
}
func (r *Registry) Agents(ctx context.Context) ([]Agent, error) { return nil, errSkeleton }
func (r *Registry) Agent(ctx context.Context, token string) (Agent, error) {
	return Agent{}, errSkeleton
}
func (r *Registry) AddApprover(ctx context.Context, name string) (Approver, string, error) {
	return Approver{}, "", errSkeleton
}
func (r *Registry) RevokeApprover(ctx context.Context, nameOrID string) (Approver, error) {
	return Approver{}, errSkeleton
}
func (r *Registry) Approvers(ctx context.Context) ([]Approver, error) { return nil, errSkeleton }
func (r *Registry) Approver(ctx context.Context, token string) (Approver, error) {
	return Approver{}, errSkeleton
}
func (r *Registry) SignInTicket(ctx context.Context, approverID string) (string, time.Time, error) {
	return "", time.Time{}, errSkeleton
}
func (r *Registry) TakeTicket(ctx context.Context, secret string) (Approver, string, Session, error) {
	return Approver{}, "", Session{}, errSkeleton
}
func (r *Registry) Session(ctx context.Context, cookie string) (Approver, Session, error) {
	return Approver{}, Session{}, errSkeleton
}
func (r *Registry) EndSession(ctx context.Context, cookie string) error { return errSkeleton }
func (r *Registry) CSRF(cookie, form string) string                     { return "" }
func (r *Registry) CheckCSRF(cookie, form, token string) bool           { return false }
