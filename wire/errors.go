package wire

import (
	"errors"
	"fmt"
	"io"
)

// ErrProtocol is in every error about bytes that are not ADB: a magic that
// does not fit, a length beyond the bound, a packet out of turn. The
// connection cannot be used any further; close it.
var ErrProtocol = errors.New("not the adb protocol")

// ErrSessionEnded is in the error of everything that was under way on a
// session when it ended.
var ErrSessionEnded = errors.New("the adb session has ended")

// ErrStreamClosed is in the error of a write to a stream that either side has
// closed.
var ErrStreamClosed = errors.New("the adb stream is closed")

// Failure is a refusal by the other side, in its own words. The message comes
// from outside: quote it before a person or a terminal sees it.
type Failure struct {
	Message string
}

// Error says that it was a refusal, and the other side's words quoted.
func (f *Failure) Error() string { return fmt.Sprintf("refused by adb: %q", f.Message) }

// broken is an ErrProtocol that says what was wrong.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrProtocol, fmt.Sprintf(format, args...))
}

// cutOff is the error of a read inside a record: the end of the connection is
// an unexpected one there.
func cutOff(what string, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: %w", what, err)
}
