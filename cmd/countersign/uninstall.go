package main

import (
	"github.com/countersign/countersign/daemon/install"
)

// uninstallCommand takes the service off again.
type uninstallCommand struct {
	stagedFlags
	Purge bool `help:"Remove the record, the keys, the credentials and the user as well."`
}

// Help is the longer text of --help.
func (uninstallCommand) Help() string {
	return `Stops the service and removes it with the program. The record, the keys and the service user stay,
so that installing again goes on where it was; --purge removes them for good.

  countersign uninstall --dry-run
  sudo countersign uninstall
  sudo countersign uninstall --purge`
}

// Run uninstalls the guard.
func (c *uninstallCommand) Run(t *terminal) error {
	i, err := c.installation(install.Options{})
	if err != nil {
		return err
	}
	return c.carryOut(t, i, i.Uninstall(c.Purge))
}
