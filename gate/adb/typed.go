package adb

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/wire"
)

// terminal refuses a shell with a terminal: what its line editor makes of keys and
// of its history cannot be told from the bytes.
func (s *serving) terminal(ctx context.Context) error {
	if s.gate.options.Observe {
		return s.run(ctx, s.actWay(false, s.opaque("an interactive shell, whose commands are not seen", s.raw)))
	}
	return s.turnAway(ctx, turnedAway("A shell with a terminal cannot be looked into. "+
		"Give the command as an argument, as in: adb shell getprop; or send lines to adb shell -T.").message)
}

// lines carries a shell that runs the lines of its input: each command is judged
// when it is whole, and only then goes on to the phone. One that is refused ends
// the shell, for what follows was written for what it did.
func (s *serving) lines(ctx context.Context) error {
	s.answered = true
	if err := s.client.Accept(); err != nil {
		return err
	}
	t := &typist{serving: s, life: ctx}
	asking, stop := s.whileThere(ctx)
	defer stop()
	err := t.read(func(unit string) error { return t.take(asking, unit) })
	return t.finish(ctx, err)
}

// typist is the state of a shell whose lines are judged as they come.
type typist struct {
	*serving
	life  context.Context
	text  assembler
	phone net.Conn // nil until the first line is let through
	shown chan struct{}

	taken   int  // commands that went to the phone
	clouded bool // one of them may have read or changed what comes behind it
	ticket  hold.Ticket

	writing sync.Mutex // of whole packets to the client
}

// read reads what is typed and gives whole commands to take, and at the end of the
// input what stands behind the last line break.
func (t *typist) read(take func(unit string) error) error {
	input := onlyReader{t.client}
	for {
		data, ended, err := t.piece(input)
		if err != nil {
			return cutShort(err)
		}
		err = t.text.feed(data, !t.echoes, take)
		var no *refused
		if errors.As(err, &no) && t.gate.options.Observe {
			return t.pour(input)
		}
		if err != nil {
			return err
		}
		if !ended {
			continue
		}
		if rest := t.text.rest(); rest != "" {
			return take(rest)
		}
		return nil
	}
}

// pour lets the rest of what is typed go on as it comes, in observe mode, where it
// cannot be taken apart.
func (t *typist) pour(input io.Reader) error {
	w := t.actWay(false, t.opaque("text typed into a shell that cannot be taken apart", ""))
	w.follows = true
	w.release = func(ctx context.Context) error { return t.send(ctx, t.text.rest()+string(t.text.left)) }
	if _, err := t.judge(t.life, w); err != nil {
		return err
	}
	for {
		data, ended, err := t.piece(input)
		switch {
		case err != nil:
			return cutShort(err)
		case ended:
			return nil
		}
		if err := t.send(t.life, string(data)); err != nil {
			return err
		}
	}
}

// piece reads the next piece of what is typed. ended is the end of the input.
func (t *typist) piece(input io.Reader) (data []byte, ended bool, err error) {
	if !t.v2 {
		chunk := make([]byte, 4<<10)
		n, err := input.Read(chunk)
		return chunk[:n], false, err
	}
	id, data, err := wire.ReadShellPacket(input, wire.MaxPayload)
	switch {
	case err != nil:
		return nil, false, err
	case id == wire.ShellCloseStdin:
		return nil, true, nil
	case id != wire.ShellStdin: // there is no terminal that could have a size
		return nil, false, nil
	}
	return data, false, nil
}

// cutShort is nil for an input that ended.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// take judges one command and sends it to the phone as it came.
func (t *typist) take(ctx context.Context, unit string) error {
	t.asks()
	w := t.unitWay(ctx, strings.TrimSuffix(unit, "\n"))
	w.release = func(ctx context.Context) error { return t.send(ctx, unit) }
	w.ended, w.follows = func() <-chan struct{} { return t.shown }, true
	var err error
	if t.ticket, err = t.judge(ctx, w); err != nil {
		return err
	}
	if !silent(unit) {
		t.taken++
	}
	t.clouded = t.clouded || !readsNothing(unit)
	return nil
}

// unitWay is the way of one command.
func (t *typist) unitWay(ctx context.Context, unit string) way {
	if silent(unit) {
		return t.lineWay(ctx, "# "+strings.TrimSpace(unit), false)
	}
	if t.clouded {
		return t.actWay(false, t.opaque("a line of a shell, behind one that may have read it or changed what it means", unit))
	}
	return t.lineWay(ctx, unit, t.taken > 0)
}

// silent reports whether a command does nothing at all: an empty line, a comment.
func silent(unit string) bool {
	unit = strings.Trim(unit, " \t\n")
	return unit == "" || unit[0] == '#' && !strings.Contains(unit, "\n")
}

// send sends a command to the phone, whose shell it opens with the first.
func (t *typist) send(ctx context.Context, unit string) error {
	if t.phone == nil {
		conn, err := t.dial(ctx, t.raw)
		if err != nil {
			return err
		}
		t.phone, t.shown = conn, make(chan struct{})
		stop := context.AfterFunc(t.life, func() { conn.Close() })
		go func() {
			defer close(t.shown)
			defer stop()
			t.show()
			t.client.Close() // the phone's shell is over
		}()
	}
	if !t.v2 {
		_, err := io.WriteString(t.phone, unit)
		return err
	}
	return wire.WriteShellPacket(t.phone, wire.ShellStdin, []byte(unit))
}

// show carries what the phone prints, packet by packet, so that a word of the
// gate's never stands inside one.
func (t *typist) show() {
	if !t.v2 {
		io.Copy(locked{t}, t.phone)
		return
	}
	for {
		id, data, err := wire.ReadShellPacket(t.phone, wire.MaxPayload)
		if err != nil {
			return
		}
		t.writing.Lock()
		err = wire.WriteShellPacket(t.client, id, data)
		t.writing.Unlock()
		if err != nil {
			return
		}
	}
}

// locked writes to the client, one write at a time.
type locked struct{ *typist }

func (l locked) Write(p []byte) (int, error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	return l.client.Write(p)
}

// finish ends the shell: by the end of its input, or by a command that was
// refused.
func (t *typist) finish(ctx context.Context, err error) error {
	if t.isOver() {
		t.phone.Close()
		return ctx.Err()
	}
	if err == nil && t.phone != nil && !t.isGone() {
		if t.v2 {
			err = wire.WriteShellPacket(t.phone, wire.ShellCloseStdin, nil)
		} else {
			over := make(chan struct{})
			go endWriting(t.phone, over)
			defer close(over)
		}
		if err == nil {
			<-t.shown
			t.phone.Close()
			return ctx.Err()
		}
	}
	if t.phone != nil { // once the client has been told
		defer func() { t.phone.Close(); <-t.shown }()
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case t.isGone():
		return err
	case err == nil:
		return t.exit(0, "")
	}
	return errors.Join(ErrRefused, err, t.exit(exitRefused, explain(&t.ticket, err)+"\n"))
}

// isOver reports whether the phone has ended the shell.
func (t *typist) isOver() bool {
	if t.phone == nil {
		return false
	}
	select {
	case <-t.shown:
		return true
	default:
		return false
	}
}

// exit ends the client's shell with a message.
func (t *typist) exit(code byte, message string) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	if !t.v2 {
		_, err := io.WriteString(t.client, message)
		return err
	}
	var err error
	if message != "" {
		err = wire.WriteShellPacket(t.client, wire.ShellStderr, []byte(message))
	}
	return errors.Join(err, wire.WriteShellPacket(t.client, wire.ShellExit, []byte{code}))
}
