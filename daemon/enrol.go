package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
)

// The names of the first approver and the first agent.
const (
	FirstApprover = "owner"
	FirstAgent    = "first-agent"
)

// enrol makes the first approver, and with it the first agent, when there is
// none: whoever starts the guard for the first time is its owner. The tokens go
// into files that only the owner may read, and are printed nowhere.
//
// The rows about it are the first of the record and come last. While they are
// missing a first start was cut short, and the tokens it made may be on no disk:
// it is done again, or the owner would be locked out for good.
func (d *Daemon) enrol(ctx context.Context) error {
	approvers, err := d.registry.Approvers(ctx)
	if err != nil {
		return err
	}
	head, err := d.store.Head(ctx)
	if err != nil || len(approvers) > 0 && head.Size > 0 {
		return err
	}
	if err := d.unenrol(ctx); err != nil {
		return err
	}
	d.first = true
	_, token, err := d.registry.AddApprover(ctx, FirstApprover)
	if err != nil {
		return fmt.Errorf("make the first approver: %w", err)
	}
	if err := d.home.write(ApproverTokenFile, token); err != nil {
		return err
	}
	_, token, err = d.registry.AddAgent(ctx, FirstAgent, nil, FirstApprover)
	if err != nil {
		return fmt.Errorf("make the first agent: %w", err)
	}
	if err := d.home.write(AgentTokenFile, token); err != nil {
		return err
	}
	return d.desk.Record(ctx,
		ledger.Entry{Kind: ledger.KindCredential, Body: ledger.Change{By: "countersign", What: "approver " + FirstApprover + " added", Detail: "first start"}},
		ledger.Entry{Kind: ledger.KindCredential, Body: ledger.Change{By: "countersign", What: "agent " + FirstAgent + " added", Detail: "first start"}},
	)
}

// unenrol takes back what a first start has made that was cut short.
func (d *Daemon) unenrol(ctx context.Context) error {
	if _, err := d.registry.RevokeApprover(ctx, FirstApprover); err != nil && !errors.Is(err, identity.ErrNotFound) {
		return err
	}
	if _, err := d.registry.RevokeAgent(ctx, FirstAgent); err != nil && !errors.Is(err, identity.ErrNotFound) {
		return err
	}
	return nil
}

// SignInLink makes a link that signs the first approver in once. It belongs on
// the owner's own terminal and nowhere else.
func (d *Daemon) SignInLink(ctx context.Context) (link string, expires time.Time, err error) {
	secret, expires, err := d.registry.SignInTicket(ctx, FirstApprover)
	if err != nil {
		return "", expires, err
	}
	return d.InboxURL() + "/sign-in?ticket=" + secret, expires, nil
}
