package decide

import (
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// Features is the request with the target as it was resolved in place of the
// tree: what is kept of an action so that it can be decided again, under another
// policy or a better lexicon. What was typed into a password field is not in it.
// What the tree alone shows (forms, rows, neighbours) is lost, so that a
// decision on the features may differ; who keeps them has to compare.
func (d *Decision) Features() *Request {
	if d.req == nil {
		return nil
	}
	req := *d.req
	req.Action = d.plainAction()
	req.Target = nil
	if s := d.req.Screen; s != nil {
		seen := *s
		seen.Tree, seen.TreePath, seen.Parsed = "", "", nil
		req.Screen = &seen
	}
	if d.placed {
		req.Target = claimOf(&d.target)
	}
	return &req
}

// SecretTyped reports whether the action carries text into a password field.
func (d *Decision) SecretTyped() bool {
	return d.placed && d.target.Flags.Has(screen.Password) && d.req != nil &&
		(d.req.Action.Text != "" || d.action != nil && d.action.Text != "")
}

// plainAction is the action as it was asked for, without a typed secret.
func (d *Decision) plainAction() risk.Action {
	a := d.req.Action
	if d.SecretTyped() {
		a.Text, a.Shell = redact.Secret(a.Text), redact.Secret(a.Shell)
	}
	return a
}

// claimOf is a resolved control in the form in which a caller describes one.
func claimOf(t *screen.Target) *Target {
	on := func(f screen.Flags) *bool { b := t.Flags.Has(f); return &b }
	enabled := !t.Flags.Has(screen.Disabled)
	c := &Target{
		Text: t.Text, ContentDesc: t.Description, ResourceID: t.ResourceID, Class: t.Class, Hint: t.Hint, Role: t.Role,
		Bounds:    [4]int{int(t.Bounds.Left), int(t.Bounds.Top), int(t.Bounds.Right), int(t.Bounds.Bottom)},
		Clickable: on(screen.Clickable), Enabled: &enabled, Checked: t.Flags.Has(screen.Checked),
		Focused: t.Flags.Has(screen.Focused), Password: t.Flags.Has(screen.Password),
		DialogTitle: t.Dialog.Title, DialogMessage: t.Dialog.Message,
	}
	for _, label := range t.Labels {
		c.Descendants = append(c.Descendants, label.Text)
	}
	return c
}
