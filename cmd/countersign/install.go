package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
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
	Observe  bool   `help:"Decide and record everything, hold nothing."`
	AgentFor string `placeholder:"USER" help:"Give this user a copy of the first agent's credential."`
}

// Help is the longer text of --help.
func (installCommand) Help() string {
	return `On Linux with systemd, as root. A second run changes nothing.

  countersign install --dry-run                  read first
  sudo ./countersign install
  sudo countersign install --agent-for robot     the agent runs as user robot

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
	i, err := c.installation(install.Options{Binary: binary, Observe: c.Observe, AgentFor: c.AgentFor})
	if err != nil {
		return err
	}
	if err := c.carryOut(t, i, i.Install()); err != nil || c.DryRun {
		return err
	}
	_, err = fmt.Fprint(t.err, c.next())
	return err
}

// next is how to go on.
func (c *installCommand) next() string {
	if c.Root != "" {
		return fmt.Sprintf("nothing was run; on the machine itself make user %s (docs/separate-user.md has the command), then: systemctl enable --now countersign.service\n", c.User)
	}
	as := fmt.Sprintf("sudo -u %s %s ", c.User, install.BinaryPath)
	home := " --home " + install.HomePath + "\n"
	return "answer in a terminal:  " + as + "approvals watch" + home +
		"or on the web page:    " + as + "sign-in" + home
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
