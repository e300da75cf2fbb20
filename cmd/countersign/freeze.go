package main

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// signInCommand makes a link to the web page.
type signInCommand struct{ homeFlag }

// Help is the longer text of --help.
func (signInCommand) Help() string {
	return `The link signs the owner in, once and for ten minutes. It is shown on a terminal only: a program that
starts this command, such as an agent's, does not get it.`
}

// Run prints the link.
func (c *signInCommand) Run(t *terminal) error {
	if !t.outTTY || !t.inTTY {
		return usage(errors.New("a sign-in link is shown on a terminal only"), "run this yourself, in a terminal of your own")
	}
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	ticket, err := guard.SignIn(context.Background())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%s\n(works once, until %s)\n", printable(ticket.URL), ticket.ExpiresAt.In(time.Local).Format("15:04"))
	return err
}
