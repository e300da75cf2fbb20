package approval

import "fmt"

// State is where a question stands. The zero value is None: nothing was asked,
// and nothing can be released on it.
type State uint8

// The states. Released, Failed, Denied, Expired, Cancelled, NoChannel, Void and
// Revoked are final.
const (
	None      State = iota // not asked yet
	Pending                // waits for an answer
	Approved               // answered yes, not yet used
	Releasing              // the action is being carried out
	Released               // carried out
	Failed                 // could not be carried out, or nobody knows
	Denied                 // answered no
	Expired                // nobody answered, or nobody used the answer, in time
	Cancelled              // the requester withdrew it or went away
	NoChannel              // there was nobody to ask
	Void                   // the screen was no longer the one that was approved
	Revoked                // taken back, or everything was frozen
	stateCount
)

var stateNames = [stateCount]string{
	None: "none", Pending: "pending", Approved: "approved", Releasing: "releasing", Released: "released",
	Failed: "failed", Denied: "denied", Expired: "expired", Cancelled: "cancelled", NoChannel: "no_channel",
	Void: "void", Revoked: "revoked",
}

// String returns the wire name, such as "no_channel".
func (s State) String() string {
	if s < stateCount {
		return stateNames[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// Open reports whether the question can still move.
func (s State) Open() bool { return s == Pending || s == Approved || s == Releasing }

// States are all states but None, in order.
func States() []State {
	states := make([]State, 0, stateCount-1)
	for s := Pending; s < stateCount; s++ {
		states = append(states, s)
	}
	return states
}

// MarshalText writes the wire name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a wire name.
func (s *State) UnmarshalText(text []byte) error {
	for i, name := range stateNames {
		if name == string(text) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("state %q is not one of %v", text, stateNames[1:])
}
