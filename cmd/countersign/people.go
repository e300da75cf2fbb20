package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/decide"
)

// agentsCommand is about the programs that may ask.
type agentsCommand struct {
	List   agentsListCommand   `cmd:"" default:"withargs" help:"List the agents."`
	Add    agentsAddCommand    `cmd:"" help:"Make a credential for an agent."`
	Revoke agentsRevokeCommand `cmd:"" help:"Withdraw an agent's credential."`
}

// agentsListCommand lists agents.
type agentsListCommand struct {
	homeFlag
	JSON bool `name:"json" help:"Print one JSON object a line."`
}

// Run lists.
func (c *agentsListCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	agents, err := guard.Agents(context.Background())
	if err != nil {
		return err
	}
	for i := range agents {
		a := &agents[i]
		devices := "no device of its own"
		if len(a.Devices) > 0 {
			devices = "devices " + decide.Quote(strings.Join(a.Devices, ", "), 200)
		}
		if a.Gate {
			devices = "a gate, " + devices
		}
		line := person(a.Name, a.ID, a.RevokedAt, devices)
		if c.JSON {
			if line, err = jsonLine(a); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(t.out, line); err != nil {
			return fmt.Errorf("write the list: %w", err)
		}
	}
	return nil
}

// person is a credential's holder in one line.
func person(name, id string, revoked time.Time, more string) string {
	state := "in use"
	if !revoked.IsZero() {
		state = "revoked " + revoked.Local().Format("2006-01-02 15:04")
	}
	return strings.TrimRight(fmt.Sprintf("%-24s %-32s %s  %s", decide.Quote(name, 64), decide.Quote(id, 64), state, more), " ")
}

func jsonLine(v any) (string, error) {
	text, err := encode(v, "")
	return strings.TrimSuffix(string(text), "\n"), err
}

// agentsAddCommand makes a credential.
type agentsAddCommand struct {
	homeFlag
	Name   string   `arg:"" help:"What to call it: letters, digits, - _ and . only."`
	Device []string `placeholder:"SERIAL" help:"The devices it may act on; without any it names none."`
	Gate   bool     `help:"It asks for what then passes another gate: what you say yes to passes there once without a second question."`
}

// Help is the longer text of --help.
func (agentsAddCommand) Help() string {
	return `The token is printed once, alone on standard output, so that it can go into a file:

  countersign agents add shopper --device emulator-5554 > shopper.token

It lets the agent ask, read its own, and withdraw. It cannot answer.

With --gate it is for what asks on an agent's behalf and then acts through another
gate of this guard, such as a backend that taps through adb:

  countersign agents add backend --gate --device emulator-5554 > backend.token`
}

// Run adds.
func (c *agentsAddCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	add, may := guard.AddAgent, "may ask"
	if c.Gate {
		add, may = guard.AddGate, "may ask, and leave tickets for the gate below it"
	}
	a, token, err := add(context.Background(), c.Name, c.Device)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.err, "agent %s (%s) %s; this is its token, shown once:\n", decide.Quote(a.Name, 64), decide.Quote(a.ID, 64), may)
	_, err = fmt.Fprintln(t.out, printable(token))
	return err
}

// agentsRevokeCommand withdraws a credential.
type agentsRevokeCommand struct {
	homeFlag
	Name string `arg:"" help:"The agent's name or id."`
}

// Run revokes.
func (c *agentsRevokeCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	if err := guard.RevokeAgent(context.Background(), c.Name); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "agent %s is revoked\n", decide.Quote(c.Name, 64))
	return err
}

// approversCommand is about the people who may answer.
type approversCommand struct {
	List   approversListCommand   `cmd:"" default:"withargs" help:"List the approvers."`
	Add    approversAddCommand    `cmd:"" help:"Let another person answer."`
	Revoke approversRevokeCommand `cmd:"" help:"Withdraw an approver's credential."`
}

// approversListCommand lists approvers.
type approversListCommand struct {
	homeFlag
	JSON bool `name:"json" help:"Print one JSON object a line."`
}

// Run lists.
func (c *approversListCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	approvers, err := guard.Approvers(context.Background())
	if err != nil {
		return err
	}
	for i := range approvers {
		line := person(approvers[i].Name, approvers[i].ID, approvers[i].RevokedAt, "")
		if c.JSON {
			if line, err = jsonLine(approvers[i]); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(t.out, line); err != nil {
			return fmt.Errorf("write the list: %w", err)
		}
	}
	return nil
}

// approversAddCommand makes an approver.
type approversAddCommand struct {
	homeFlag
	Name string `arg:"" help:"The person's name in the record: letters, digits, - _ and . only."`
}

// Run adds. The token opens the door to answers, so that it is shown on a
// terminal only: a program that starts this command does not get it.
func (c *approversAddCommand) Run(t *terminal) error {
	if !t.outTTY || !t.inTTY {
		return usage(errors.New("an approver's token is shown on a terminal only"), "run this yourself, in a terminal of your own")
	}
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	a, token, err := guard.AddApprover(context.Background(), c.Name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "approver %s may answer; the token is shown once:\n%s\n", decide.Quote(a.Name, 64), printable(token))
	return err
}

// approversRevokeCommand withdraws a credential.
type approversRevokeCommand struct {
	homeFlag
	Name string `arg:"" help:"The approver's name or id."`
}

// Run revokes.
func (c *approversRevokeCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	if err := guard.RevokeApprover(context.Background(), c.Name); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "approver %s is revoked, with all sessions and sign-in links\n", decide.Quote(c.Name, 64))
	return err
}
