package identity

import "errors"

// What the calls of this package answer, to be tested with errors.Is. The text
// around them says what to do; none of it contains a secret.
var (
	// ErrNotFound is a name or an id that nobody has, and a Store's answer where
	// nothing is there.
	ErrNotFound = errors.New("not found")
	// ErrBadName is a name that is not accepted.
	ErrBadName = errors.New("name not accepted")
	// ErrNameTaken is a name that somebody not revoked has.
	ErrNameTaken = errors.New("name taken")
	// ErrBadDevice is a device id that is not accepted.
	ErrBadDevice = errors.New("device id not accepted")
	// ErrUnknownCredential is a credential, link or cookie that was never given
	// out, or is used up.
	ErrUnknownCredential = errors.New("unknown credential")
	// ErrRevoked is a credential that was withdrawn.
	ErrRevoked = errors.New("credential revoked")
	// ErrExpired is a link or a session whose time is over.
	ErrExpired = errors.New("expired")
	// ErrWrongDoor is an agent's credential at the approvers' door, or an
	// approver's at the agents'.
	ErrWrongDoor = errors.New("wrong credential for this door")
)
