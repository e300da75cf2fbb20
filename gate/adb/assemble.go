package adb

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/countersign/countersign/command"
)

// Bounds of what is typed into a shell before it is a whole command. A terminal
// drops what is beyond 4095 bytes of a line.
const (
	maxUnit     = 16 << 10
	maxUnitRows = 128
	maxTerminal = 1000
)

// assembler makes commands of what is typed.
type assembler struct {
	text []byte // since the last whole command
	left []byte // what came behind it when it was refused
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
		a.left, data = data, data[len(line):]
		if err := a.fits(line, plain); err != nil {
			return err
		}
		a.text, a.left = append(a.text, line...), nil
		if end == 0 {
			return nil
		}
		a.rows++
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

// fits reports why a line may not be added to what was typed.
func (a *assembler) fits(line []byte, plain bool) error {
	n := len(a.text) + len(line)
	switch why := untypable(line, plain); {
	case why != "":
		return turnedAway("%s", why)
	case n > maxUnit || !plain && n > maxTerminal:
		return turnedAway("A command typed into a shell may have %d bytes, with a terminal %d.", maxUnit, maxTerminal)
	case a.rows >= maxUnitRows:
		return turnedAway("A command typed into a shell may have %d lines; this one does not end.", maxUnitRows)
	}
	return nil
}

// rest is what was typed since the last whole command; it is taken out.
func (a *assembler) rest() string {
	unit := string(a.text)
	*a = assembler{text: a.text[:0], left: a.left}
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
