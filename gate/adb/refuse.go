package adb

import (
	"context"
	"errors"
	"fmt"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/wire"
)

// exitRefused is the exit code of a shell command that was refused: POSIX's for
// one that was found and could not be run.
const exitRefused = 126

// refused is a refusal that nobody was asked about: the reason is for the agent's
// model.
type refused struct{ message string }

func (r *refused) Error() string { return r.message }

// refuse says no in the form that the clients of this service understand. A
// shell of version 2 must be answered by its exit code: at a bare refusal "adb
// uninstall" tries again without end.
func (s *serving) refuse(message string) error {
	if s.answered {
		return nil
	}
	s.answered = true
	if s.kind != kindShell || !s.v2 {
		return s.client.Refuse(message)
	}
	if err := s.client.Accept(); err != nil {
		return err
	}
	return errors.Join(
		wire.WriteShellPacket(s.client, wire.ShellStderr, []byte(message+"\n")),
		wire.WriteShellPacket(s.client, wire.ShellExit, []byte{exitRefused}))
}

// turnAway refuses a service without asking anybody, and leaves a record of it.
func (s *serving) turnAway(ctx context.Context, why string) error {
	s.record(ctx, why)
	return errors.Join(ErrRefused, s.refuse(why))
}

// Refuse refuses a service of a client for a front end that has a reason of its own,
// in the form that the clients of this service understand, and leaves a record of it.
// It returns ErrRefused; the front end closes the client.
func (d *Device) Refuse(ctx context.Context, service string, c Client, why string) error {
	s := &serving{Device: d, service: parseService(service), client: c}
	return s.turnAway(ctx, why)
}

// record leaves a row of what came to no decision.
func (s *serving) record(ctx context.Context, why string) { s.gate.Refused(ctx, s.raw, why) }

// maxShown is how much of a service is written down where it came to no
// decision, in runes.
const maxShown = 200

// explain words, for the agent's model, why an action was not carried out: what
// was refused, by whom, that trying again will not help, what it may do. It never
// says which word gave it away.
func explain(t *hold.Ticket, err error) string {
	const who = "countersign: "
	var no *refused
	var own *wire.Failure
	switch {
	case errors.As(err, &no):
		return no.message
	case errors.As(err, &own):
		return own.Message // the phone's own words
	case errors.Is(err, errUnreached):
		return who + "not done: " + errUnreached.Error() + "."
	case errors.Is(err, hold.ErrNotYet):
		return who + "not answered yet. " + t.Reason + " A person has been asked. Nothing was done so far; send exactly the same again " +
			"in a moment, and it will be done once if they say yes."
	case errors.Is(err, errBusy):
		return who + "not done. " + errBusy.Error() + "; ask again when that is answered."
	case errors.Is(err, hold.ErrNotReleased):
		return who + "not done. " + t.Reason + " " + t.Message
	case errors.Is(err, hold.ErrTooMany), errors.Is(err, hold.ErrClosed):
		return who + "not done: " + err.Error() + "."
	}
	return who + "not done: it could not be judged. Nothing passes until the guard's owner has looked into it."
}

// turnedAway is the text of a refusal without a question.
func turnedAway(format string, values ...any) *refused {
	return &refused{"countersign: refused. " + fmt.Sprintf(format, values...) +
		" Trying again will not help; tell the user what you wanted to do and let them do it themselves."}
}
