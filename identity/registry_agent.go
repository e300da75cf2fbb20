package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// AddAgent enrols an agent and returns its token, which is not kept and cannot
// be shown again. The name must pass CheckName and be nobody's who is not
// revoked, agent or approver. by says who adds it. Errors wrap ErrBadName,
// ErrNameTaken or ErrBadDevice, or are the store's.
func (r *Registry) AddAgent(ctx context.Context, name string, devices []string, by string) (Agent, string, error) {
	return r.addAgent(ctx, Agent{Name: name, Devices: devices, CreatedBy: by})
}

// AddGate is AddAgent for the credential of a gate. Whoever calls it has made sure
// that an approver wants it.
func (r *Registry) AddGate(ctx context.Context, name string, devices []string, by string) (Agent, string, error) {
	return r.addAgent(ctx, Agent{Name: name, Devices: devices, CreatedBy: by, Gate: true})
}

func (r *Registry) addAgent(ctx context.Context, a Agent) (Agent, string, error) {
	name, devices := a.Name, a.Devices
	if err := CheckName(name); err != nil {
		return Agent{}, "", fmt.Errorf("add agent: %w", err)
	}
	if err := checkDevices(devices); err != nil {
		return Agent{}, "", fmt.Errorf("add agent %s: %w", name, err)
	}
	r.change.Lock()
	defer r.change.Unlock()
	if err := r.nameIsFree(ctx, name); err != nil {
		return Agent{}, "", fmt.Errorf("add agent: %w", err)
	}
	id, token, err := r.newCredential(agentID, agentToken)
	if err != nil {
		return Agent{}, "", err
	}
	a.ID, a.Devices, a.SecretHash, a.CreatedAt = id, slices.Clone(devices), hashOf(token), r.now()
	if err := r.store.SaveAgent(ctx, a); err != nil {
		return Agent{}, "", fmt.Errorf("add agent %s: %w", name, err)
	}
	r.agents.empty()
	return a, token, nil
}

// RevokeAgent withdraws an agent's credential, by the agent's id or by the name
// of one that is not revoked. When it returns, the credential opens nothing.
// Revoking again by id changes nothing. The error wraps ErrNotFound or is the
// store's; after the store's, whether the agent is revoked is not known.
func (r *Registry) RevokeAgent(ctx context.Context, nameOrID string) (Agent, error) {
	r.change.Lock()
	defer r.change.Unlock()
	all, err := r.store.Agents(ctx)
	if err != nil {
		return Agent{}, fmt.Errorf("revoke agent: %w", err)
	}
	i := slices.IndexFunc(all, func(a Agent) bool { return isCalled(nameOrID, a.ID, a.Name, a.RevokedAt) })
	if i < 0 {
		return Agent{}, fmt.Errorf("revoke agent: %w: no agent in use has this name, and none this id; list the agents to see them", ErrNotFound)
	}
	a := all[i]
	if a.Revoked() {
		return a, nil
	}
	a.RevokedAt = r.now()
	err = r.store.SaveAgent(ctx, a)
	// Even when the store failed: it may have written before it did.
	r.agents.empty()
	if err != nil {
		return Agent{}, fmt.Errorf("revoke agent %s: %w", a.Name, err)
	}
	return a, nil
}

// Agents lists all agents, revoked ones too, the oldest first.
func (r *Registry) Agents(ctx context.Context) ([]Agent, error) {
	all, err := r.store.Agents(ctx)
	if err != nil {
		return nil, fmt.Errorf("list agents: %w", err)
	}
	return all, nil
}

// IsGate reports whether this is the id of a gate's credential that is in use. One
// that cannot be looked up is none.
func (r *Registry) IsGate(ctx context.Context, id string) bool {
	all, err := r.store.Agents(ctx)
	return err == nil && slices.ContainsFunc(all, func(a Agent) bool { return a.ID == id && a.Gate && !a.Revoked() })
}

// Agent says whose token this is. It looks the token's hash up, so how long it
// takes tells nothing about other tokens. The Devices of the answer are shared
// and must not be changed. Errors wrap ErrUnknownCredential, ErrRevoked or
// ErrWrongDoor, or are the store's.
func (r *Registry) Agent(ctx context.Context, token string) (Agent, error) {
	if !wellFormed(token, agentToken) {
		return Agent{}, notAnAgents(token)
	}
	// A copy of known size stays off the heap.
	var text [secretLength]byte
	copy(text[:], token)
	hash := sha256.Sum256(text[:])
	a, known, emptied := r.agents.get(hash)
	if !known {
		var err error
		a, err = r.store.AgentByHash(ctx, hex.EncodeToString(hash[:]))
		if errors.Is(err, ErrNotFound) {
			return Agent{}, notAnAgents(token)
		}
		if err != nil {
			return Agent{}, fmt.Errorf("look up agent: %w", err)
		}
		r.agents.put(hash, a, emptied)
	}
	if a.Revoked() {
		return Agent{}, fmt.Errorf("%w: agent %s was revoked; ask the owner to add it again", ErrRevoked, a.Name)
	}
	return a, nil
}

// notAnAgents is the error for a token that is no agent's.
func notAnAgents(token string) error {
	if strings.HasPrefix(token, approverToken) {
		return fmt.Errorf("%w: this is an approver's credential (%s), and approvers do not act as agents; an agent's begins with %s", ErrWrongDoor, approverToken, agentToken)
	}
	return fmt.Errorf("%w: no agent has this credential; one begins with %s and is shown when the agent is added", ErrUnknownCredential, agentToken)
}

// newCredential makes an id and a secret.
func (r *Registry) newCredential(idPrefix, secretPrefix string) (id, secret string, err error) {
	if id, err = newID(r.o.Random, idPrefix); err != nil {
		return "", "", err
	}
	secret, err = newSecret(r.o.Random, secretPrefix)
	return id, secret, err
}

// nameIsFree holds a name against agents and approvers alike: the record names
// both, and one must not pass for the other.
func (r *Registry) nameIsFree(ctx context.Context, name string) error {
	agents, err := r.store.Agents(ctx)
	if err != nil {
		return err
	}
	approvers, err := r.store.Approvers(ctx)
	if err != nil {
		return err
	}
	kind := ""
	if slices.ContainsFunc(agents, func(a Agent) bool { return isCalled(name, "", a.Name, a.RevokedAt) }) {
		kind = "an agent"
	}
	if slices.ContainsFunc(approvers, func(a Approver) bool { return isCalled(name, "", a.Name, a.RevokedAt) }) {
		kind = "an approver"
	}
	if kind != "" {
		return fmt.Errorf("%w: %s is the name of %s; choose another, or revoke that one first", ErrNameTaken, name, kind)
	}
	return nil
}

// isCalled reports whether word is the id, or the name as long as it is in use.
func isCalled(word, id, name string, revokedAt time.Time) bool {
	if word == "" {
		return false
	}
	return word == id || revokedAt.IsZero() && foldName(word) == foldName(name)
}
