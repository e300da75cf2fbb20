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
	// ErrOtherDoor is a session that was begun at another door. It is
	// ErrUnknownCredential as well, with its text: whoever has a stolen one is told
	// no more.
	ErrOtherDoor = errors.New("session of another door")
	// ErrExpired is a link or a session whose time is over.
	ErrExpired = errors.New("expired")
	// ErrWrongDoor is an agent's credential at the approvers' door, or an
	// approver's at the agents'.
	ErrWrongDoor = errors.New("wrong credential for this door")
)

// OtherDoorError is an ErrOtherDoor, with what the record may say of it.
type OtherDoorError struct {
	// Session is the one that was presented.
	Session Session
	// Door is where it was presented.
	Door string
}

// Error is the text of a cookie that is nobody's.
func (e *OtherDoorError) Error() string { return signedOut().Error() }

// Is reports ErrOtherDoor and ErrUnknownCredential.
func (e *OtherDoorError) Is(target error) bool {
	return target == ErrOtherDoor || target == ErrUnknownCredential
}
