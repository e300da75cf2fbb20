package main

import (
	"context"
	"net"
	"strings"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
)

// adbCommand runs the guard with the ADB gate in it.
type adbCommand struct {
	upCommand
	Port    string   `default:"127.0.0.1:5037" placeholder:"ADDR" help:"Where the gate takes the place of the adb server (127.0.0.1:5037)."`
	Device  string   `placeholder:"ADDR" help:"Be a guarded phone at this address instead, for an agent with an adb server of its own: 127.0.0.1:5580."`
	Phone   string   `placeholder:"SERIAL" help:"The phone behind --device; the only one if left out."`
	Connect []string `placeholder:"ADDR" help:"A phone on the network, or a simulated one, that the guard connects to."`
	ADB     string   `name:"adb" placeholder:"PROGRAM" help:"The adb program (adb)."`
}

// Help is the longer text of --help.
func (adbCommand) Help() string {
	return `The guard in front of a phone, for agents that drive it over ADB and know nothing of a guard. It takes the place
of the adb server and hides the real one; what an agent asks of the phone is judged first.

  adb kill-server
  countersign adb                      and start the agent as always
  countersign approvals watch          in another terminal, to answer

When the guard is gone, the agent has no phone. All flags of "countersign up" count here too. Agents bring
helpers along that the guard would refuse: let yours in once, before, with countersign setup. See docs/adb.md.`
}

// Run runs the guard with its gate until it is interrupted.
func (c *adbCommand) Run(t *terminal) error {
	o := daemon.ADB{Program: c.ADB, Connect: c.Connect, Phone: c.Phone}
	if c.Device != "" {
		o.Device = c.Device
	} else {
		o.Server = c.Port
	}
	c.gate = o
	return c.upCommand.Run(t)
}

// greetADB says how an agent gets to the phone.
func (c *upCommand) greetADB(line func(name, format string, args ...any), d *daemon.Daemon) error {
	server, device := d.ADBAddrs()
	switch {
	case server == "127.0.0.1:5037":
		line("adb", "the guard is this machine's adb server now; start the agent as always")
	case server != "":
		_, port, err := net.SplitHostPort(server)
		if err != nil {
			return err
		}
		line("adb", "the guard is an adb server at %s: an agent has to be pointed at it", server)
		line("", "ADB_SERVER_SOCKET=tcp:%s (the adb program), ANDROID_ADB_SERVER_PORT=%s (libraries)", server, port)
	case device != "":
		line("adb", "the guarded phone is at %s; where the agent runs: adb connect %s", device, device)
	default:
		return nil
	}
	phones, err := d.Phones(context.Background())
	if err != nil {
		return err
	}
	if phones = strings.TrimSpace(phones); phones == "" {
		line("phones", "none yet; connect one by cable, or on the network with --connect")
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
