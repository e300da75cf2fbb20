package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/countersign/countersign/daemon/install"
)

// stagedFlags are those of install and uninstall alike.
type stagedFlags struct {
	User   string `default:"countersign" placeholder:"NAME" help:"The service user and its group."`
	Root   string `placeholder:"DIR" help:"Work on files below this folder, run nothing, make no users."`
	DryRun bool   `help:"Print every step and file, change nothing."`
	Force  bool   `help:"Give up what was edited by hand in the service's file."`
}

// installCommand makes the guard a service of its own user.
type installCommand struct {
	stagedFlags
	Observe    bool     `help:"Decide and record everything, hold nothing."`
	AgentFor   string   `placeholder:"USER" help:"Give this user a copy of the first agent's credential."`
	ADB        bool     `name:"adb" help:"With the gate for agents that drive a phone over ADB."`
	Port       string   `placeholder:"ADDR" help:"With --adb: where the guard is the adb server (127.0.0.1:5037)."`
	Device     string   `placeholder:"ADDR" help:"With --adb: be a guarded phone at this address instead, or with --port as well."`
	Connect    []string `placeholder:"ADDR" help:"With --adb: a phone on the network that the guard connects to."`
	ADBProgram string   `name:"adb-program" placeholder:"PATH" help:"With --adb: the adb program, which has to be root's; the machine's own if left out."`
}

// Help is the longer text of --help.
func (installCommand) Help() string {
	return `On Linux with systemd, as root. A second run changes nothing.

  countersign install --dry-run                  read first
  sudo ./countersign install
  sudo countersign install --agent-for robot     the agent runs as user robot
  sudo countersign install --agent-for robot --adb     and drives a phone over ADB

A later run with or without --adb changes the service to that.
You answer as the service user, in a terminal of your own:

  sudo -u countersign countersign approvals watch --home /var/lib/countersign

The agent's user must not be able to become root. See docs/separate-user.md.`
}

// Run installs the guard.
func (c *installCommand) Run(t *terminal) error {
	binary, err := os.Executable()
	if err == nil {
		binary, err = filepath.EvalSymlinks(binary)
	}
	if err != nil {
		return fmt.Errorf("find the program to copy: %w", err)
	}
	gate, err := c.gate()
	if err != nil {
		return err
	}
	i, err := c.installation(install.Options{Binary: binary, Observe: c.Observe, AgentFor: c.AgentFor, ADB: gate})
	if err != nil {
		return err
	}
	if err := c.carryOut(t, i, i.Install()); err != nil || c.DryRun {
		return err
	}
	_, err = fmt.Fprint(t.err, c.next())
	return err
}

// gate is the ADB gate that the flags describe, nil for none.
func (c *installCommand) gate() (*install.ADB, error) {
	if !c.ADB {
		for _, f := range []struct {
			name  string
			given bool
		}{{"port", c.Port != ""}, {"device", c.Device != ""}, {"connect", len(c.Connect) > 0}, {"adb-program", c.ADBProgram != ""}} {
			if f.given {
				return nil, usage(fmt.Errorf("--%s is for a guard with the ADB gate, and there is no --adb", f.name), "add --adb, or leave --"+f.name+" out")
			}
		}
		return nil, nil
	}
	a := &install.ADB{Port: c.Port, Device: c.Device, Connect: c.Connect, Program: c.ADBProgram}
	if c.Root != "" {
		a.Group = install.StagedGroup()
		return a, nil
	}
	if a.Program == "" {
		var err error
		if a.Program, err = install.FindADB(); err != nil {
			return nil, usage(err, "install it for the whole machine: apt install adb",
				"one that lies elsewhere and that only root can write is named with --adb-program PATH")
		}
	}
	a.Group = install.CableGroup(context.Background(), install.ThisMachine())
	a.Caller, a.VendorKeys = caller(), os.Getenv("ADB_VENDOR_KEYS")
	return a, nil
}

// caller is who runs this, behind sudo; empty where that is not known.
func caller() string {
	if name := os.Getenv("SUDO_USER"); name != "" && os.Geteuid() == 0 {
		return name
	}
	me, err := user.Current()
	if err != nil {
		return ""
	}
	return me.Username
}

// next is how to go on.
func (c *installCommand) next() string {
	if c.Root != "" {
		return fmt.Sprintf("nothing was run; on the machine itself make user %s (docs/separate-user.md has the command), then: systemctl enable --now countersign.service\n", c.User)
	}
	as := fmt.Sprintf("sudo -u %s %s ", c.User, install.BinaryPath)
	home := " --home " + install.HomePath + "\n"
	next := "answer in a terminal:  " + as + "approvals watch" + home +
		"or on the web page:    " + as + "sign-in" + home
	if !c.ADB {
		return next
	}
	if c.Port != "" || c.Device == "" {
		next += "where the agent runs:  ADB_SERVER_SOCKET=tcp:" + cmp.Or(c.Port, install.UsualPort) + " in its environment\n"
	}
	if c.Device != "" {
		next += "the guarded phone:     adb connect " + c.Device + ", where the agent's adb server runs\n"
	}
	return next + "on the phone:          trust this computer when it asks, and take the trust in older keys back\n" +
		"ways round that are left: " + as + "doctor" + home
}

// installation is the one that the flags describe.
func (f *stagedFlags) installation(o install.Options) (*install.Installation, error) {
	if runtime.GOOS != "linux" {
		return nil, usage(fmt.Errorf("there is no service to install on %s, only on Linux", runtime.GOOS),
			"docs/separate-user.md says what else is to be had")
	}
	o.User, o.Root, o.Force = f.User, f.Root, f.Force
	if f.Root == "" {
		o.Machine = install.ThisMachine()
	}
	i, err := install.New(o)
	if err != nil {
		return nil, usage(err)
	}
	return i, nil
}

// carryOut takes the steps, or shows them.
func (f *stagedFlags) carryOut(t *terminal, i *install.Installation, steps []install.Step) error {
	if f.DryRun {
		return install.Show(t.out, steps)
	}
	ctx, done := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer done()
	err := i.Run(ctx, steps, func(s install.Step, r install.Result, note string) {
		line := pad(string(r), 9) + s.Name
		if r == install.Done {
			line += " (before: " + note + ")"
		}
		if r == install.Left {
			line += "\n" + strings.Repeat(" ", 9) + note
		}
		fmt.Fprintln(t.out, printable(line))
	})
	if errors.Is(err, install.ErrNotRoot) {
		return usage(err, "sudo "+shellWord(os.Args[0])+" "+strings.Join(shellWords(os.Args[1:]), " "),
			"what it would do: add --dry-run")
	}
	return err
}

// shellWords are arguments as they have to be written for a shell.
func shellWords(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = shellWord(a)
	}
	return out
}
