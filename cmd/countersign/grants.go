package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
)

// grantsCommand is the owner's side of grants.
type grantsCommand struct {
	List   grantsListCommand   `cmd:"" default:"withargs" help:"List the grants."`
	Revoke grantsRevokeCommand `cmd:"" help:"End a grant at once."`
}

// Help is the longer text of --help.
func (grantsCommand) Help() string {
	return `A grant comes with the yes to a question: countersign approvals approve ID --grant 3 --for 10m, or g in
countersign approvals watch. It lets the same agent do the same again in the same app, to the same recipient
or about the same thing, so many times and until then. It ends by itself, with a revoke, with a freeze, and
with the refusal of something like it.`
}

// grantsListCommand lists grants.
type grantsListCommand struct {
	homeFlag
	All  bool `short:"a" help:"Those that are over, too."`
	JSON bool `name:"json" help:"Print one JSON object a line."`
}

// Run lists.
func (c *grantsListCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	list, err := guard.Grants(context.Background(), c.All)
	if err != nil {
		return err
	}
	if !c.JSON && len(list.Grants) == 0 {
		fmt.Fprintln(t.err, "no grants")
	}
	for i := range list.Grants {
		g := &list.Grants[i]
		line := printable(g.ID) + "  " + client.GrantLine(*g, list.Now.In(time.Local))
		if c.JSON {
			text, err := encode(g, "")
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

// grantsRevokeCommand ends a grant.
type grantsRevokeCommand struct {
	homeFlag
	ID string `arg:"" help:"The grant's id, or the beginning of it."`
}

// Run ends it. That needs no second look: it can only stop something.
func (c *grantsRevokeCommand) Run(t *terminal) error {
	guard, err := c.client()
	if err != nil {
		return usage(err)
	}
	defer guard.Close()
	id, err := grantID(guard, c.ID)
	if err != nil {
		return err
	}
	g, err := guard.RevokeGrant(context.Background(), id)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%s is over, used %d of %s\n", printable(g.ID), g.Used, approval.Times(g.Count))
	return err
}

// grantID is the id of the only grant that begins so.
func grantID(guard *client.Client, begin string) (string, error) {
	list, err := guard.Grants(context.Background(), true)
	if err != nil {
		return "", err
	}
	var found []string
	for i := range list.Grants {
		if id := list.Grants[i].ID; id == begin {
			return id, nil
		} else if begin != "" && strings.HasPrefix(id, begin) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", usage(fmt.Errorf("there is no grant %q", begin), "see countersign grants --all")
	case 1:
		return found[0], nil
	}
	return "", usage(fmt.Errorf("%q is the beginning of %d grants", begin, len(found)), "give more of the id: "+strings.Join(found[:min(len(found), 5)], ", "))
}

// grantFlags ask for a grant with a yes.
type grantFlags struct {
	Grant int           `placeholder:"TIMES" help:"Let the agent do the same again, so many times (1 to 20)."`
	For   time.Duration `placeholder:"TIME" help:"For how long, with --grant: 1m to 24h (10m)."`
}

// offer is what the flags would grant with the yes to a question, on which terms;
// nil for both where they ask for no grant.
func (f *grantFlags) offer(guard *client.Client, a approval.Approval) (*approval.GrantTerms, *approval.Grant, error) {
	switch {
	case f.Grant == 0 && f.For == 0:
		return nil, nil, nil
	case f.Grant == 0:
		return nil, nil, usage(errors.New("--for says how long a grant lasts, and none is asked for"), "add --grant TIMES")
	}
	terms := approval.GrantTerms{Count: f.Grant, For: f.For}
	if f.For == 0 {
		terms.For = approval.UsualGrantFor
	}
	if err := terms.Check(); err != nil {
		return nil, nil, usage(err)
	}
	g, ok, err := guard.Offer(context.Background(), a.ID)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, usage(errors.New("no grant may be given with this question"), "leave --grant out to say yes for this time", "docs/approvals.md says what a grant never covers")
	}
	given := client.Offered(g, terms, time.Now())
	return &terms, &given, nil
}

// showGrant says what a yes would grant.
func (t *terminal) showGrant(g *approval.Grant) error {
	if g == nil {
		return nil
	}
	_, err := fmt.Fprintf(t.out, "%s\n", t.paint(yellow, "with a grant: "+client.GrantLine(*g, time.Now())))
	return err
}

// granted says what was granted.
func (t *terminal) granted(id string, g *approval.Grant) error {
	_, err := fmt.Fprintf(t.out, "granted %s: %s\n", printable(id), client.GrantLine(*g, time.Now()))
	return err
}
