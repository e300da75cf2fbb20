package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
)

// DefaultUser is the service user where none is named.
const DefaultUser = "countersign"

// Where things are, below Options.Root.
const (
	BinaryPath  = "/usr/local/bin/countersign"
	HomePath    = "/var/lib/countersign"
	UnitPath    = "/etc/systemd/system/countersign.service"
	AgentSocket = "/run/countersign/agent.sock"
	TokenDir    = "/etc/countersign/agents"

	configDir = "/etc/countersign"
	unitName  = "countersign.service"
	// agentToken is the file in HomePath that the guard makes for its first agent.
	agentToken = "agent.token"
)

// Options say what is installed. The zero value of everything but Binary is a
// usable default.
type Options struct {
	// Binary is the executable that is copied. Uninstalling needs none.
	Binary string
	// Root is a folder that all paths are taken below; empty is the machine's own.
	Root string
	// Machine makes users and runs the service. Without one files are written and
	// nothing is run (staging), and Root must be given.
	Machine Machine
	// User is the service user and its group.
	User string
	// Observe has the guard decide and record, and hold nothing.
	Observe bool
	// AgentFor is a user who gets a copy of the first agent's credential.
	AgentFor string
	// ADB puts the ADB gate into the guard; nil is a guard without.
	ADB *ADB
	// Force replaces or removes a unit that was edited by hand.
	Force bool
}

// Names that useradd takes, and those that may be in a user database. Neither
// has anything that a path, a unit or a shell could read otherwise.
var (
	serviceName = regexp.MustCompile(`^[a-z_][a-z0-9_-]{0,30}$`)
	personName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,31}$`)
)

func (o *Options) validate() error {
	if o.User == "" {
		o.User = DefaultUser
	}
	if !serviceName.MatchString(o.User) {
		return fmt.Errorf("%q is no name for a service user; accepted are up to 31 of a-z, 0-9, _ and -, beginning with a letter or _", o.User)
	}
	if o.User == "root" {
		return errors.New("the guard as root would protect nothing from root's agents; leave --user out")
	}
	if o.Root != "" {
		root, err := filepath.Abs(o.Root)
		if err != nil {
			return fmt.Errorf("root %q: %w", o.Root, err)
		}
		if o.Root = root; root == "/" {
			return errors.New("--root / is this machine; leave --root out")
		}
	}
	if o.Machine == nil && o.Root == "" {
		return errors.New("without a machine nothing can be run; name a folder for the files with --root")
	}
	if err := o.validateAgent(); err != nil || o.ADB == nil {
		return err
	}
	gate := *o.ADB // what is filled in does not reach the caller's
	o.ADB = &gate
	return o.ADB.validate(o)
}

func (o *Options) validateAgent() error {
	switch {
	case o.AgentFor == "":
		return nil
	case !personName.MatchString(o.AgentFor):
		return fmt.Errorf("%q is no name of a user", o.AgentFor)
	case o.AgentFor == "root" || o.AgentFor == o.User:
		return fmt.Errorf("an agent that runs as %s can read everything of the guard's; give it a user of its own", o.AgentFor)
	case o.Machine == nil:
		return errors.New("--agent-for needs a guard that has run; it does not go together with --root")
	}
	return nil
}
