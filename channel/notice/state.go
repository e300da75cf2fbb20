package notice

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/redact"
)

// The states of a channel, and of telling it of one question.
const (
	Untried = "untried" // nothing was sent yet
	Works   = "works"   // the last message was taken
	Fails   = "fails"   // the last message was not
	Waiting = "waiting" // one question: it is about to be told, perhaps once more
	Told    = "told"    // one question: it was told
	Over    = "over"    // one question: it ended before it was told
)

// State is how a channel stands, or how telling it of one question went.
type State struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Where string `json:"where,omitempty"`
	State string `json:"state"`
	// Why is why the last try failed, or why there was none.
	Why string `json:"why,omitempty"`
	// At is the last try; LastOK and LastFailure are how earlier ones went. They
	// are the zero time where there was none.
	At          time.Time `json:"at,omitzero"`
	LastOK      time.Time `json:"last_ok,omitzero"`
	LastFailure time.Time `json:"last_failure,omitzero"`
}

// Failure is why a channel did not take a message.
type Failure struct {
	// Why is for a person. It may quote the other side: it is made safe to show
	// before it is.
	Why string
	// Final says that the same message would fail again.
	Final bool
	// After is how long the other side wants to be left alone; 0 where it did not
	// say.
	After time.Duration
}

// Error is Why.
func (f *Failure) Error() string { return f.Why }

// longWhy is the length of the longest reason that is kept, in runes.
const longWhy = 200

// reason is an error as it may be kept and shown.
func reason(err error) string {
	var at *url.Error
	if errors.As(err, &at) { // it names the whole address, which may hold a secret
		err = at.Err
	}
	text := err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		text = "it did not answer in time"
	}
	return decide.Quote(redact.Text(text), longWhy)
}
