// Package bypass looks for ways round the ADB gate: on the machine that the guard
// runs on, and on the phone. It changes nothing; what it finds, a person closes.
//
// It sees what is open to be seen. A program of the owner's own user can always
// reach what the guard reaches; only a user of its own for the guard closes that.
package bypass

// A State says how a way round the guard was found.
type State string

// The states of a way.
const (
	// Closed is a way that was looked at and is shut.
	Closed State = "closed"
	// Open is a way that an agent could take now.
	Open State = "open"
	// Unknown is a way that could not be looked at.
	Unknown State = "unknown"
)

// Way is one way round the guard, and how it stands.
type Way struct {
	// Name is one stable word, such as "adbd" or "adb-key".
	Name  string
	State State
	// Said is what was found, in a sentence. It may quote the phone: it is
	// untrusted.
	Said string
	// Todo is how to close the way, empty where it is closed.
	Todo string
}
