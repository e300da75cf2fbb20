package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// AddApprover enrols a person who may answer and returns the token, which is not
// kept and cannot be shown again. The name must pass CheckName and be nobody's
// who is not revoked, agent or approver. Errors wrap ErrBadName or ErrNameTaken,
// or are the store's.
func (r *Registry) AddApprover(ctx context.Context, name string) (Approver, string, error) {
	if err := CheckName(name); err != nil {
		return Approver{}, "", fmt.Errorf("add approver: %w", err)
	}
	r.change.Lock()
	defer r.change.Unlock()
	if err := r.nameIsFree(ctx, name); err != nil {
		return Approver{}, "", fmt.Errorf("add approver: %w", err)
	}
	id, token, err := r.newCredential(approverID, approverToken)
	if err != nil {
		return Approver{}, "", err
	}
	a := Approver{ID: id, Name: name, SecretHash: hashOf(token), CreatedAt: r.now()}
	if err := r.store.SaveApprover(ctx, a); err != nil {
		return Approver{}, "", fmt.Errorf("add approver %s: %w", name, err)
	}
	return a, token, nil
}

// RevokeApprover withdraws an approver's credential and ends all his sessions
// and sign-in links, by his id or by the name of one that is not revoked. Once
// the revocation is stored nothing of his opens anything, even when clearing up
// fails after it; revoking again by id clears up again. The error wraps
// ErrNotFound or is the store's.
func (r *Registry) RevokeApprover(ctx context.Context, nameOrID string) (Approver, error) {
	r.change.Lock()
	defer r.change.Unlock()
	a, err := r.findApprover(ctx, nameOrID)
	if err != nil {
		return Approver{}, fmt.Errorf("revoke approver: %w", err)
	}
	if !a.Revoked() {
		a.RevokedAt = r.now()
		if err := r.store.SaveApprover(ctx, a); err != nil {
			return Approver{}, fmt.Errorf("revoke approver %s: %w", a.Name, err)
		}
	}
	err = errors.Join(r.store.DeleteSessionsOf(ctx, a.ID), r.store.DeleteTicketsOf(ctx, a.ID))
	if err != nil {
		return a, fmt.Errorf("approver %s is revoked, but what he had open was not cleared away: %w", a.Name, err)
	}
	return a, nil
}

// Approvers lists all approvers, revoked ones too, the oldest first.
func (r *Registry) Approvers(ctx context.Context) ([]Approver, error) {
	all, err := r.store.Approvers(ctx)
	if err != nil {
		return nil, fmt.Errorf("list approvers: %w", err)
	}
	return all, nil
}

// Approver says whose token this is. It looks the token's hash up, so how long
// it takes tells nothing about other tokens. Errors wrap ErrUnknownCredential,
// ErrRevoked or ErrWrongDoor, or are the store's.
func (r *Registry) Approver(ctx context.Context, token string) (Approver, error) {
	if !wellFormed(token, approverToken) {
		return Approver{}, notAnApprovers(token)
	}
	a, err := r.store.ApproverByHash(ctx, hashOf(token))
	if errors.Is(err, ErrNotFound) {
		return Approver{}, notAnApprovers(token)
	}
	if err != nil {
		return Approver{}, fmt.Errorf("look up approver: %w", err)
	}
	if a.Revoked() {
		return Approver{}, revokedApprover(a)
	}
	return a, nil
}

// notAnApprovers is the error for a token that is no approver's.
func notAnApprovers(token string) error {
	if strings.HasPrefix(token, agentToken) {
		return fmt.Errorf("%w: this is an agent's credential (%s), and agents cannot answer; an approver's begins with %s", ErrWrongDoor, agentToken, approverToken)
	}
	return fmt.Errorf("%w: no approver has this credential; one begins with %s and is shown when the approver is added", ErrUnknownCredential, approverToken)
}

func revokedApprover(a Approver) error {
	return fmt.Errorf("%w: approver %s was revoked; another approver can add him again", ErrRevoked, a.Name)
}

// findApprover finds an approver by id, or by name among those in use.
func (r *Registry) findApprover(ctx context.Context, nameOrID string) (Approver, error) {
	all, err := r.store.Approvers(ctx)
	if err != nil {
		return Approver{}, err
	}
	i := slices.IndexFunc(all, func(a Approver) bool { return isCalled(nameOrID, a.ID, a.Name, a.RevokedAt) })
	if i < 0 {
		return Approver{}, fmt.Errorf("%w: no approver in use has this name, and none this id; list the approvers to see them", ErrNotFound)
	}
	return all[i], nil
}
