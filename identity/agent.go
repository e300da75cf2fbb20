package identity

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// Agent is a program that may ask. It can never answer.
type Agent struct {
	// ID begins with agt_ and is never used again.
	ID string
	// Name is what people call it; see CheckName.
	Name string
	// Devices are the ids of the devices it may name. Without any it may name
	// none, and the device of its requests is "".
	Devices []string
	// Gate says that it is a gate's: what it is let do after a yes leaves a ticket
	// for the gate below it.
	Gate bool
	// SecretHash is the SHA-256 of its token, in hexadecimal. It stays out of
	// JSON and of every printed form.
	SecretHash string `json:"-"`
	// CreatedAt is when it was added.
	CreatedAt time.Time
	// RevokedAt is when it was revoked, zero while it is not.
	RevokedAt time.Time
	// CreatedBy says who added it.
	CreatedBy string
}

// Revoked reports whether the agent's credential has been withdrawn.
func (a Agent) Revoked() bool { return !a.RevokedAt.IsZero() }

// MayUse reports whether the agent may act on the device with this id. An agent
// without devices may only leave it empty, one with devices has to name one of
// them, exactly. A revoked agent may use nothing.
func (a Agent) MayUse(device string) bool {
	if a.Revoked() {
		return false
	}
	if len(a.Devices) == 0 {
		return device == ""
	}
	return device != "" && slices.Contains(a.Devices, device)
}

// String names the agent without its hash.
func (a Agent) String() string { return fmt.Sprintf("agent %q (%s)", a.Name, a.ID) }

// Format prints String for every verb, so that no verb shows the hash.
func (a Agent) Format(f fmt.State, _ rune) { io.WriteString(f, a.String()) }
