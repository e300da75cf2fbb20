package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/countersign/countersign/channel/client"
)

// freezeCommand stops everything.
type freezeCommand struct {
	homeFlag
	Note string `arg:"" optional:"" help:"Why; it is recorded and told to agents."`
}

// Help is the longer text of --help.
func (freezeCommand) Help() string {
	return `From now on nothing is released, whatever the policy says; open questions and unused answers are
revoked. Only unfreeze lets actions go on.`
}

// Run freezes.
func (c *freezeCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	if err := guard.Freeze(context.Background(), c.Note); err != nil {
		return err
	}
	_, err = fmt.Fprintln(t.out, "frozen: nothing is released until countersign unfreeze")
	return err
}

// unfreezeCommand lets actions go on.
type unfreezeCommand struct {
	homeFlag
	Note string `arg:"" optional:"" help:"Why; it is recorded."`
}

// Run unfreezes.
func (c *unfreezeCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	status, err := guard.Status(context.Background())
	if err != nil {
		return err
	}
	if !status.Frozen {
		_, err = fmt.Fprintln(t.out, "nothing is frozen")
		return err
	}
	if err := guard.Unfreeze(context.Background(), c.Note); err != nil {
		return err
	}
	_, err = fmt.Fprintln(t.out, "unfrozen: actions go on; what was revoked stays revoked")
	return err
}

// reloadCommand reads the policy again.
type reloadCommand struct{ homeFlag }

// Run reloads. Where the new policy cannot be read the old one stays.
func (c *reloadCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	policy, err := guard.Reload(context.Background())
	var p *client.Problem
	if errors.As(err, &p) {
		return usage(errors.New(p.Detail)) // it shows lines of the policy
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "policy %s is in force\n", printable(policy))
	return err
}
