package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/wire"
)

// Bounds of what is typed into a shell before it is a whole command. A terminal
// drops what is beyond 4095 bytes of a line.
const (
	maxUnit     = 16 << 10
	maxUnitRows = 128
	maxTerminal = 1000
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
	err := t.read(func(unit string, last bool) error { return t.take(asking, unit, last) })
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

// read reads what is typed and gives whole commands to take. last is set for what
// stands behind the last line break when the input ends.
func (t *typist) read(take func(unit string, last bool) error) error {
	input := io.Reader(onlyReader{t.client})
	chunk := make([]byte, 4<<10)
	for {
		var data []byte
		ended := false
		if t.v2 {
			id, packet, err := wire.ReadShellPacket(input, wire.MaxPayload)
			switch {
			case err != nil:
				return cutShort(err)
			case id == wire.ShellStdin:
				data = packet
			case id == wire.ShellCloseStdin:
				ended = true
			default: // there is no terminal that could have a size
			}
		} else {
			n, err := input.Read(chunk)
			data = chunk[:n]
			if err != nil {
				return cutShort(err)
			}
		}
		if err := t.text.feed(data, !t.echoes, func(unit string) error { return take(unit, false) }); err != nil || !ended {
			if err != nil {
				return err
			}
			continue
		}
		if rest := t.text.rest(); rest != "" {
			if err := take(rest, true); err != nil {
				return err
			}
		}
		return nil
	}
}

// cutShort is nil for an input that ended.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// take judges one command and sends it to the phone as it came.
func (t *typist) take(ctx context.Context, unit string, last bool) error {
	w := t.unitWay(ctx, strings.TrimSuffix(unit, "\n"))
	w.release = func(ctx context.Context) error { return t.send(ctx, unit) }
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

// assembler makes commands of what is typed.
type assembler struct {
	text []byte // since the last whole command
	rows int
}

// feed adds what came and gives whole commands on. plain says that there is no
// terminal on the phone which reads some characters as keys.
func (a *assembler) feed(data []byte, plain bool, take func(unit string) error) error {
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n') + 1
		line := data
		if end > 0 {
			line = data[:end]
		}
		data = data[len(line):]
		if len(a.text)+len(line) > maxUnit {
			return turnedAway("A command typed into a shell may have %d bytes.", maxUnit)
		}
		if why := untypable(line, plain); why != "" {
			return turnedAway("%s", why)
		}
		a.text = append(a.text, line...)
		if !plain && len(a.text) > maxTerminal {
			return turnedAway("A command typed into this shell may have %d bytes.", maxTerminal)
		}
		if end == 0 {
			return nil
		}
		if a.rows++; a.rows > maxUnitRows {
			return turnedAway("A command typed into a shell may have %d lines; this one does not end.", maxUnitRows)
		}
		if !whole(string(a.text)) {
			continue
		}
		unit := a.rest()
		if err := take(unit); err != nil {
			return err
		}
	}
	return nil
}

// rest is what was typed since the last whole command; it is taken out.
func (a *assembler) rest() string {
	unit := string(a.text)
	*a = assembler{text: a.text[:0]}
	return unit
}

// untypable says why a line must not be typed: characters that are keys to a
// terminal, or that shells read differently.
func untypable(line []byte, plain bool) string {
	for _, c := range line {
		switch {
		case c == '\n', c == '\t' && plain:
		case c < ' ' || c == 0x7f:
			return fmt.Sprintf("The character %#02x cannot be typed into a shell here.", c)
		case c >= 0x80 && !plain:
			return "Only ASCII can be typed into a shell with a terminal."
		}
	}
	return ""
}

// whole reports whether the phone's shell would run a text now, rather than wait
// for more of it: it parses, and its last line does not go on in the next.
func whole(text string) bool {
	end := strings.TrimRight(strings.TrimSuffix(text, "\n"), `\`)
	if (len(text)-1-len(end))%2 == 1 {
		return false
	}
	if silent(text) {
		return true
	}
	return !slices.ContainsFunc(command.Shell(text), func(e command.Effect) bool { return e.Code == "syntax" })
}

// readsNothing reports whether a command neither reads the input that the shell
// reads its commands from, nor changes what later ones mean. Others may eat the
// beginning of the next line, and what is left of it was never judged.
func readsNothing(unit string) bool {
	if silent(unit) {
		return true
	}
	words, plain := plainWords(strings.TrimSuffix(unit, "\n"))
	if !plain {
		return false
	}
	switch programOf(words[0]) {
	case "input", "monkey", "settings", "dumpsys", "wm", "getprop", "setprop", "svc", "ime", "appops", "screencap",
		"uiautomator", "echo", "pwd", "true", "false", "id", "whoami", "date", "uname", "uptime", "ls", "ps", "pidof",
		"df", "du", "reboot", "logcat", "service":
		return true
	case "am":
		return len(words) > 1 && slices.Contains([]string{"start", "start-activity", "broadcast", "force-stop", "kill",
			"startservice", "start-service", "start-foreground-service"}, words[1])
	case "pm":
		return len(words) > 1 && !strings.HasPrefix(words[1], "install")
	}
	return false
}
