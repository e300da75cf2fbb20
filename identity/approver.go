package identity

import (
	"fmt"
	"io"
	"time"
)

// Approver is a person who may answer.
type Approver struct {
	// ID begins with apr_ and is never used again.
	ID string
	// Name is what the record calls the person; see CheckName.
	Name string
	// SecretHash is the SHA-256 of the token, in hexadecimal. It stays out of
	// JSON and of every printed form.
	SecretHash string `json:"-"`
	// CreatedAt is when the approver was added.
	CreatedAt time.Time
	// RevokedAt is when the approver was revoked, zero while he is not.
	RevokedAt time.Time
}

// Revoked reports whether the approver's credential has been withdrawn.
func (a Approver) Revoked() bool { return !a.RevokedAt.IsZero() }

// String names the approver without the hash.
func (a Approver) String() string { return fmt.Sprintf("approver %q (%s)", a.Name, a.ID) }

// Format prints String for every verb, so that no verb shows the hash.
func (a Approver) Format(f fmt.State, _ rune) { io.WriteString(f, a.String()) }
