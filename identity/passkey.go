package identity

import (
	"fmt"
	"io"
	"time"
)

// Passkey is a key on one of an approver's devices with which the person shows
// to be there: the private half never leaves the device (WebAuthn, Level 3).
type Passkey struct {
	// ID is the credential id in base64url, without padding.
	ID string
	// Approver is the id of the person whose it is.
	Approver string
	// Name is what the person calls it; see CheckName.
	Name string
	// Host is the host name of the page that it was made for, without a port. A
	// passkey works on no other.
	Host string
	// Credential is the public half and what goes with it, as JSON of package
	// identity/passkey.
	Credential []byte
	// CreatedAt is when it was added, UsedAt when it was last used, zero for
	// never.
	CreatedAt, UsedAt time.Time
}

// String names the passkey without its credential.
func (p Passkey) String() string {
	return fmt.Sprintf("passkey %q of %s for %s", p.Name, p.Approver, p.Host)
}

// Format prints String for every verb.
func (p Passkey) Format(f fmt.State, _ rune) { io.WriteString(f, p.String()) }
