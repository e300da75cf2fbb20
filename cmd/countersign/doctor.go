package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"

	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
)

// doctorCommand looks whether everything is as it should be.
type doctorCommand struct {
	homeFlag
	Known []string `placeholder:"ADDR" help:"An address of this machine that is no way round the guard, such as that of a simulated phone: 127.0.0.1:5555."`
	JSON  bool     `name:"json" help:"Print one JSON object a line."`
}

// Help is the longer text of --help.
func (doctorCommand) Help() string {
	return `Asks the running guard, through its owner's socket, how it stands, and says of each thing whether it is
well and, where it is not, what to do. It changes nothing and sends nothing. In front of a phone
(countersign adb) it also looks for ways round the guard, on this machine and on the phone.

The exit code is 0 when nothing failed (warnings count as well), 1 when something did.`
}

// The states of a finding.
const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateFailed  = "failed"
)

// finding is what a check found.
type finding struct {
	Check string `json:"check"`
	// Name is which of several things it is about, such as a channel.
	Name  string `json:"name,omitempty"`
	State string `json:"state"`
	Said  string `json:"said"`
	// Todo is what to do about it, empty where there is nothing to do.
	Todo string `json:"todo,omitempty"`
}

// examination is what the checks know and find out.
type examination struct {
	home   string
	guard  *client.Client // nil until the guard was found
	status client.Status
	// known are addresses of this machine that are no way round the guard.
	known []string
	// dial knocks at addresses of this machine; nil is the network.
	dial func(context.Context, string) (net.Conn, error)
}

// check is one thing that is looked at. What it finds is named after it.
type check struct {
	name string
	look func(context.Context, *examination) []finding
}

// checks are all that is looked at, in order. The first one finds the guard; where
// that fails the others have nobody to ask.
var checks = []check{
	{"guard", lookForGuard},
	{"version", lookAtVersion},
	{"level", lookAtLevel},
	{"record", lookAtRecord},
	{"policy", lookAtPolicy},
	{"mode", lookAtMode},
	{"approvers", lookAtApprovers},
	{"channels", lookAtChannels},
	{"inbox", lookAtInbox},
	{"around", lookAround},
}

// Run looks at everything.
func (c *doctorCommand) Run(t *terminal) error {
	home, err := c.dir()
	if err != nil {
		return err
	}
	e := &examination{home: home, known: c.Known}
	defer func() {
		if e.guard != nil {
			e.guard.Close()
		}
	}()
	failed := false
	for _, ch := range checks {
		for _, f := range ch.look(context.Background(), e) {
			f.Check = ch.name
			failed = failed || f.State == stateFailed
			if err := c.show(t, f); err != nil {
				return err
			}
		}
		if e.guard == nil {
			break
		}
	}
	if failed {
		return exitWith(exitFailed)
	}
	return nil
}

// stateInks set the states.
var stateInks = map[string]ink{stateOK: green, stateWarning: yellow, stateFailed: red}

// nameWidth is the room for the name of what was looked at, with what stands after it.
const nameWidth = 14

// show prints a finding, and what to do on lines of their own.
func (c *doctorCommand) show(t *terminal, f finding) error {
	if c.JSON {
		line, err := jsonLine(f)
		if err == nil {
			_, err = fmt.Fprintln(t.out, line)
		}
		if err != nil {
			return fmt.Errorf("write what was found: %w", err)
		}
		return nil
	}
	var b strings.Builder
	lead := t.paint(stateInks[f.State], f.State) + strings.Repeat(" ", 9-len(f.State)) + pad(cmp.Or(f.Name, f.Check), nameWidth)
	const column = 9 + nameWidth
	width := min(t.width, readableWidth) - column
	lines := fold(f.Said, width)
	if f.Todo != "" {
		lines = append(lines, fold("→ "+f.Todo, width)...)
	}
	for i, line := range lines {
		if i > 0 {
			lead = strings.Repeat(" ", column)
		}
		b.WriteString(lead + line + "\n")
	}
	if _, err := fmt.Fprint(t.out, b.String()); err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	return nil
}

// said is a text of the guard's as it is shown.
func said(text string) string { return decide.Quote(text, 500) }

func (e *examination) socket() string { return filepath.Join(e.home, daemon.SocketFile) }
