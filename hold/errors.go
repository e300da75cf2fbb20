package hold

import "errors"

// The errors of a Desk beside those of its Store and *approval.Conflict.
var (
	// ErrNoDigest says that the decision has no digest, so that an answer could
	// not be bound to it.
	ErrNoDigest = errors.New("the guard has no digest key, so nothing can be held or released; give it one (Options.DigestKey)")
	// ErrDigest says that an answer was given to something else than what is asked.
	ErrDigest = errors.New("the answer carries the digest of another question; look at the question again before answering")
	// ErrKeyReused says that an idempotency key came with another action.
	ErrKeyReused = errors.New("the idempotency key was used for another action; use a new one for each action")
	// ErrTooMany says that the agent has too many open questions.
	ErrTooMany = errors.New("too many questions of this agent are open; wait until some are answered, or withdraw them")
	// ErrActionNeeded says that the action is no longer known in full.
	ErrActionNeeded = errors.New("the guard was restarted and does not keep secrets, so send the whole action again with the fresh screen")
	// ErrClosed says that the desk was closed.
	ErrClosed = errors.New("the guard is shutting down; ask again in a moment")
)

func isMoved(err error) bool { return errors.Is(err, ErrMoved) }
