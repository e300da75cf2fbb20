package main

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
)

// adbCommand runs the guard with the ADB gate in it.
type adbCommand struct {
	Port      string   `placeholder:"ADDR" help:"Where the gate takes the place of the adb server (127.0.0.1:5037)."`
	Device    string   `placeholder:"ADDR" help:"Be a guarded phone at this address instead, for an agent with an adb server of its own: 127.0.0.1:5580. With --port it is both."`
	Phone     string   `placeholder:"SERIAL" help:"The phone behind --device; the only one if left out."`
	Emulators bool     `help:"Take in emulators that start after the guard, too. The agent may then name such a port as well: see docs/adb.md."`
	Connect   []string `placeholder:"ADDR" help:"A phone on the network, or a simulated one, that the guard connects to."`
	ADB       string   `name:"adb" default:"adb" placeholder:"PROGRAM" help:"The adb program (adb)."`

	upCommand `embed:"" group:"As for countersign up:"`
}

// usualPort is where adb programs look for their server.
const usualPort = "127.0.0.1:5037"

// Help is the longer text of --help.
func (adbCommand) Help() string {
	return `Agents that drive a phone over ADB know nothing of a guard. It takes the place of the adb server and hides the
real one, so that what they ask of the phone is judged first.

  adb kill-server
  countersign adb                      and start the agent as always
  countersign approvals watch          in another terminal, to answer

  countersign adb --port 127.0.0.1:5039
  ADB_SERVER_SOCKET=tcp:127.0.0.1:5039 adb devices       in the agent's environment

Without a phone at hand: countersign phone, then countersign adb --connect with the address that it prints.

Agents bring helpers along that the guard would refuse: let yours in once, before, with countersign setup.
What else leads to the phone on this machine says countersign doctor. See docs/adb.md.`
}

// Run runs the guard with its gate until it is interrupted.
func (c *adbCommand) Run(t *terminal) error {
	if c.Phone != "" && c.Device == "" {
		return usage(errors.New("--phone chooses the phone behind --device, and there is no --device"),
			"give its address too: --device 127.0.0.1:5580", "or leave --phone out: who comes to --port names the phone itself (adb -s SERIAL)")
	}
	program, err := adbProgram(c.ADB)
	if err != nil {
		return err
	}
	c.gate = daemon.ADB{Program: program, Connect: c.Connect, Phone: c.Phone, Server: c.Port, Device: c.Device, Emulators: c.Emulators}
	if !c.gate.On() {
		c.gate.Server = usualPort
	}
	return c.upCommand.Run(t)
}

// greetADB says how an agent gets to the phone, and which of the ways fails closed
// when the guard is gone.
func (c *upCommand) greetADB(line func(name, format string, args ...any), d *daemon.Daemon) error {
	server, device := d.ADBAddrs()
	if server == "" && device == "" {
		return nil
	}
	if server == usualPort {
		line("adb", "the guard is this machine's adb server now; start the agent as always, best with")
		line("", "ADB_SERVER_SOCKET=tcp:%s  so that adb starts no server without a guard when this one is gone", server)
	} else if server != "" {
		_, port, err := net.SplitHostPort(server)
		if err != nil {
			return err
		}
		line("adb", "the guard is an adb server at %s; the agent's environment has to say so:", server)
		line("", "ADB_SERVER_SOCKET=tcp:%s  for the adb program; with the guard gone it finds no phone", server)
		line("", "ANDROID_ADB_SERVER_PORT=%s  for libraries that read only this, beside the other: by itself it", port)
		line("", "lets the adb program start a server without a guard when this one is gone")
	}
	if device != "" {
		line("adb", "the guarded phone is at %s; where the agent runs: adb connect %s", device, device)
	}
	phones, err := d.Phones(context.Background())
	if err != nil {
		return err
	}
	if phones = strings.TrimSpace(phones); phones == "" {
		line("phones", "none yet: connect one by cable, or start again with --connect ADDR for one on the network")
	}
	for i, phone := range strings.Split(phones, "\n") {
		name := ""
		if i == 0 {
			name = "phones"
		}
		if phone != "" {
			line(name, "%s", decide.Quote(strings.ReplaceAll(phone, "\t", " "), 120))
		}
	}
	return nil
}
