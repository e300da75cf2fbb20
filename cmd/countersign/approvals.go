package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/picture"
)

// approvalsCommand is the owner's side of questions.
type approvalsCommand struct {
	List    approvalsListCommand    `cmd:"" default:"withargs" help:"List the questions."`
	Show    approvalsShowCommand    `cmd:"" help:"Show one question in full."`
	Approve approvalsApproveCommand `cmd:"" help:"Say yes."`
	Deny    approvalsDenyCommand    `cmd:"" help:"Say no, with a note for the agent."`
	Revoke  approvalsRevokeCommand  `cmd:"" help:"Take a question or a yes back that has not been used."`
	Watch   approvalsWatchCommand   `cmd:"" help:"Wait for questions and answer them."`
}

// approvalsListCommand lists questions.
type approvalsListCommand struct {
	homeFlag
	State string `default:"open" enum:"open,settled,all" help:"Which: open, settled or all."`
	Limit int    `short:"n" default:"50" help:"How many at most."`
	JSON  bool   `name:"json" help:"Print one JSON object a line."`
}

// Run lists.
func (c *approvalsListCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	list, err := guard.List(context.Background(), client.Which(c.State), c.Limit)
	if err != nil {
		return err
	}
	if !c.JSON && len(list.Approvals) == 0 {
		fmt.Fprintf(t.err, "no questions (%s)\n", c.State)
	}
	for i := range list.Approvals {
		line := listLine(&list.Approvals[i], time.Now(), t.width)
		if c.JSON {
			text, err := encode(list.Approvals[i], "")
			if err != nil {
				return err
			}
			line = strings.TrimSuffix(string(text), "\n")
		}
		if _, err := fmt.Fprintln(t.out, line); err != nil {
			return fmt.Errorf("write the list: %w", err)
		}
	}
	return nil
}

// listLine is a question in one line.
func listLine(a *approval.Approval, now time.Time, width int) string {
	left := ""
	if wake := a.Wake(); !wake.IsZero() {
		left = ", " + max(0, wake.Sub(now)).Round(time.Second).String() + " left"
	}
	critical := ""
	if a.Card.Critical {
		critical = "CRITICAL "
	}
	head := fmt.Sprintf("%s  %s%s%s  ", a.ID, critical, a.State, left)
	what := decide.Quote(a.Card.Reason, 200) + " (" + decide.Quote(a.AgentName, 64) + ")"
	return head + clip(what, max(20, width-picture.Columns(head)))
}

// approvalsShowCommand shows one question.
type approvalsShowCommand struct {
	homeFlag
	JSON bool   `name:"json" help:"Print JSON."`
	ID   string `arg:"" help:"The question's id, or the beginning of it."`
}

// Run shows.
func (c *approvalsShowCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	a, err := question(guard, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		text, err := encode(a, "  ")
		if err == nil {
			_, err = t.out.Write(text)
		}
		return err
	}
	return t.show(a)
}

// show prints a question's card with what an answer needs.
func (t *terminal) show(a approval.Approval) error {
	const column = 11 // as on the card
	_, err := fmt.Fprintf(t.out, "%s%s%s\n", client.Card(a, time.Now(), min(t.width, readableWidth), t.cardColour()), pad("digest", column), a.Digest)
	return err
}

// question returns the question with an id or the only open one that begins so.
func question(guard *client.Client, id string) (approval.Approval, error) {
	a, err := guard.Get(context.Background(), id)
	var p *client.Problem
	if err == nil || !errors.As(err, &p) || p.Status != 404 {
		return a, err
	}
	list, listErr := guard.List(context.Background(), client.ListAll, 500)
	if listErr != nil {
		return a, listErr
	}
	var found []string
	for i := range list.Approvals {
		if id != "" && strings.HasPrefix(list.Approvals[i].ID, id) {
			found = append(found, list.Approvals[i].ID)
		}
	}
	switch len(found) {
	case 0:
		return a, usage(fmt.Errorf("there is no question %q", id), "see countersign approvals --state all")
	case 1:
		return guard.Get(context.Background(), found[0])
	}
	return a, usage(fmt.Errorf("%q is the beginning of %d questions", id, len(found)), "give more of the id: "+strings.Join(found[:min(len(found), 5)], ", "))
}

// approvalsApproveCommand says yes.
type approvalsApproveCommand struct {
	homeFlag
	ID     string `arg:"" help:"The question's id, or the beginning of it."`
	Digest string `placeholder:"DIGEST" help:"The digest as show prints it; needed where nobody can be asked whether this is the card that was seen."`
	Note   string `placeholder:"TEXT" help:"What to tell the agent."`
	grantFlags
}

// Help is the longer text of --help.
func (approvalsApproveCommand) Help() string {
	return `On a terminal the card is shown and has to be confirmed: y, or for a critical one the whole word yes.
In a script give --digest, which binds the answer to the card that was looked at.

--grant 3 --for 10m also lets the agent do the same again, three times in the next ten minutes: the same
consequence in the same app, to the same recipient or about the same thing. What the grant covers is shown
first. It is never for critical actions; countersign grants lists and ends what was given.`
}

// Run shows the card and asks, or takes the digest's word.
func (c *approvalsApproveCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	a, err := question(guard, c.ID)
	if err != nil {
		return err
	}
	if a.State != approval.Pending {
		return &approval.Conflict{ID: a.ID, State: a.State, Event: approval.Approve}
	}
	terms, offer, err := c.offer(guard, a)
	if err != nil {
		return err
	}
	digest := c.Digest
	if digest == "" {
		if !t.inTTY || !t.outTTY {
			return usage(errors.New("the answer needs the digest of the card that was looked at"), "see countersign approvals show "+a.ID, "then countersign approvals approve "+a.ID+" --digest DIGEST")
		}
		yes, err := t.confirm(a, offer)
		if err != nil || !yes {
			return cmp.Or(err, exitWith(exitFailed))
		}
		digest = a.Digest
	}
	if terms == nil {
		a, err = guard.Approve(context.Background(), a.ID, digest, c.Note)
	} else {
		a, err = guard.ApproveWithGrant(context.Background(), a.ID, digest, c.Note, *terms)
	}
	if err != nil {
		return err
	}
	if err := t.settled(a); err != nil || terms == nil {
		return err
	}
	return t.granted(a.Grant, offer)
}

// confirm shows a card, and the grant that comes with the yes unless that is nil,
// and asks for a deliberate yes.
func (t *terminal) confirm(a approval.Approval, grant *approval.Grant) (bool, error) {
	if err := t.show(a); err != nil {
		return false, err
	}
	if err := t.showGrant(grant); err != nil {
		return false, err
	}
	question, word := "approve? [y/N] ", "y"
	if a.Card.Critical {
		question, word = "approve? [type yes/N] ", "yes"
	}
	fmt.Fprint(t.out, t.paint(bold, question))
	return askPerson(t, word)
}

// settled says what became of a question.
func (t *terminal) settled(a approval.Approval) error {
	_, err := fmt.Fprintf(t.out, "%s is %s\n", a.ID, a.State)
	return err
}

// approvalsDenyCommand says no.
type approvalsDenyCommand struct {
	homeFlag
	ID   string `arg:"" help:"The question's id, or the beginning of it."`
	Note string `placeholder:"TEXT" help:"What to tell the agent."`
}

// Run denies. A no needs no second look: it can only stop something.
func (c *approvalsDenyCommand) Run(t *terminal) error {
	return c.change(t, func(guard *client.Client, a approval.Approval) (approval.Approval, error) {
		return guard.Deny(context.Background(), a.ID, a.Digest, c.Note)
	}, c.ID)
}

// approvalsRevokeCommand takes back.
type approvalsRevokeCommand struct {
	homeFlag
	ID   string `arg:"" help:"The question's id, or the beginning of it."`
	Note string `placeholder:"TEXT" help:"What to tell the agent."`
}

// Run revokes.
func (c *approvalsRevokeCommand) Run(t *terminal) error {
	return c.change(t, func(guard *client.Client, a approval.Approval) (approval.Approval, error) {
		return guard.Revoke(context.Background(), a.ID, a.Digest, c.Note)
	}, c.ID)
}

// change moves the question that an id names and says what became of it.
func (h *homeFlag) change(t *terminal, move func(*client.Client, approval.Approval) (approval.Approval, error), id string) error {
	guard, err := h.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	a, err := question(guard, id)
	if err != nil {
		return err
	}
	if a, err = move(guard, a); err != nil {
		return err
	}
	return t.settled(a)
}

// approvalsWatchCommand waits for questions.
type approvalsWatchCommand struct {
	homeFlag
	Bell bool `help:"Ring when a question comes."`
}

// Help is the longer text of --help.
func (approvalsWatchCommand) Help() string {
	return `Questions stand in a list, the chosen one in full beside it. Long cards scroll, the choices stay in
view. a approves (then y, or the word yes for a critical one), d denies, r revokes, f freezes, q leaves;
g approves and lets the agent do the same again, after showing what that covers. Enter alone does nothing.
What was typed before a card was on the screen does not count.`
}

// Run watches until the owner leaves.
func (c *approvalsWatchCommand) Run(t *terminal) error {
	if !t.inTTY || !t.outTTY {
		return usage(errors.New("watch needs a terminal"), "in a script use countersign approvals list --json, approve and deny")
	}
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	options := client.WatchOptions{Colour: t.colour, Bell: c.Bell}
	if os.Getenv("TERM") == "dumb" { // it cannot place a cursor: one question after the other
		return client.Ask(ctx, guard, t.in, t.out, options)
	}
	return client.Watch(ctx, guard, t.in, t.out, options)
}
