package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// signInCommand makes a link to the web page.
type signInCommand struct {
	homeFlag
	As string `placeholder:"NAME" help:"For another approver than the one who asks."`
}

// Help is the longer text of --help.
func (signInCommand) Help() string {
	return `The link signs a browser in, once and within ten minutes. It is shown on a terminal only: a program that
starts this command, such as an agent's, does not get it. Where the guard has an inbox for other devices
(countersign up --remote), there is a link for those as well.`
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
	ticket, err := guard.SignIn(context.Background(), c.As)
	if err != nil {
		return err
	}
	var b strings.Builder
	if ticket.RemoteURL == "" {
		fmt.Fprintln(&b, printable(ticket.URL))
	} else {
		fmt.Fprintf(&b, "on this computer    %s\non another device   %s\n", printable(ticket.URL), printable(ticket.RemoteURL))
		if ticket.RemoteFingerprint != "" {
			fmt.Fprintf(&b, "                    the browser will warn; go on only if it shows this SHA-256 fingerprint:\n                    %s\n", printable(ticket.RemoteFingerprint))
		}
	}
	fmt.Fprintf(&b, "(works once, until %s)\n", ticket.ExpiresAt.In(time.Local).Format("15:04"))
	_, err = fmt.Fprint(t.out, b.String())
	return err
}
