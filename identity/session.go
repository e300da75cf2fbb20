package identity

import (
	"fmt"
	"io"
	"time"
)

// ByLink is the How of a session that began with a sign-in link.
const ByLink = "sign-in link"

// Session is an approver signed in on one browser.
type Session struct {
	// ID is the SHA-256 of the cookie's secret, in hexadecimal. It stays out of
	// JSON and of every printed form.
	ID string `json:"-"`
	// Approver is the id of the person signed in.
	Approver string
	// Door is the place where the session was begun, such as
	// "https://inbox.example", and the only one where it counts.
	Door string
	// CreatedAt is when the session began.
	CreatedAt time.Time
	// SeenAt is when it was last used, kept to within a minute.
	SeenAt time.Time
	// ExpiresAt is the end. Use does not move it.
	ExpiresAt time.Time
	// How says how the person signed in: ByLink.
	How string
}

// String names the session by its approver, without its id.
func (s Session) String() string {
	return fmt.Sprintf("session of %s until %s", s.Approver, s.ExpiresAt.Format(time.RFC3339))
}

// Format prints String for every verb, so that no verb shows the id.
func (s Session) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// Ticket is a sign-in link that works once.
type Ticket struct {
	// ID is the SHA-256 of the link's secret, in hexadecimal. It stays out of
	// JSON and of every printed form.
	ID string `json:"-"`
	// Approver is the id of the person whom the link signs in.
	Approver string
	// CreatedAt is when the link was made.
	CreatedAt time.Time
	// ExpiresAt is when it stops working.
	ExpiresAt time.Time
}

// String names the ticket by its approver, without its id.
func (t Ticket) String() string {
	return fmt.Sprintf("sign-in ticket of %s until %s", t.Approver, t.ExpiresAt.Format(time.RFC3339))
}

// Format prints String for every verb, so that no verb shows the id.
func (t Ticket) Format(f fmt.State, _ rune) { io.WriteString(f, t.String()) }
