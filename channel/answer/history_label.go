package answer

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// The labels that a person may give a decision.
const (
	labelNeedless = "needless" // it should have been allowed
	labelMissed   = "missed"   // it should have been asked about
	labelRight    = "right"    // an earlier label was wrong
)

// labelIn is what is said of a decision, of the rows about it.
func labelIn(rows []ledger.Row) (d ledger.Decision, label string) {
	d, l, ok := ledger.Labelled(rows)
	switch {
	case !ok:
	case l.Should == risk.Allow.String():
		label = labelNeedless
	default:
		label = labelMissed
	}
	return d, label
}

// labelOf is what is said of a decision, empty for nothing and without a record.
func (h *handler) labelOf(ctx context.Context, id string) (string, error) {
	if h.o.Record == nil {
		return "", nil
	}
	rows, err := h.o.Record.About(ctx, id)
	_, label := labelIn(rows)
	return label, err
}

// labelPage records what a person says of a decision: one row, which countersign
// log label --recorded makes a test case of.
func (h *handler) labelPage(c *call) error {
	id := c.r.PathValue("id")
	if err := h.formOf(c, inbox.FormLabel(id)); err != nil {
		return err
	}
	rows, err := h.about(c.r.Context(), id)
	if err != nil {
		return err
	}
	d, is := labelIn(rows)
	say := c.r.PostForm.Get("label")
	l, err := labelFor(&d, say)
	if err != nil {
		return err
	}
	l.By = c.Name
	if say != is && (say != labelRight || is != "") { // else it is said already
		if err := h.desk.Record(c.r.Context(), ledger.Entry{Kind: ledger.KindLabel, Subject: id, Body: l}); err != nil {
			return err
		}
	}
	http.Redirect(c.w, c.r, labelledFrom(c.r.PostForm.Get("back"), id, &d), http.StatusSeeOther)
	return nil
}

// labelFor is the label that a word stands for.
func labelFor(d *ledger.Decision, say string) (ledger.Label, error) {
	asked := d.Outcome != risk.Allow
	switch {
	case say == labelRight:
		return ledger.Label{Should: d.Outcome.String(), Category: d.Category.String()}, nil
	case say == labelNeedless && asked:
		return ledger.Label{Should: risk.Allow.String(), Category: risk.None.String()}, nil
	case say == labelMissed && !asked:
		category := d.Category
		if !category.Risky() {
			category = risk.Other
		}
		return ledger.Label{Should: risk.Confirm.String(), Category: category.String()}, nil
	case say == labelNeedless:
		return ledger.Label{}, problem(http.StatusConflict, "bad_label", "the guard allowed it, so nothing was needless")
	case say == labelMissed:
		return ledger.Label{}, problem(http.StatusConflict, "bad_label", "the guard did not allow it, so it missed nothing")
	}
	return ledger.Label{}, problem(http.StatusBadRequest, "bad_label", "the label is %s, %s or %s", labelNeedless, labelMissed, labelRight)
}

// labelledFrom is the page to go back to: the one that the form was on, as far as
// it is one of those that have it.
func labelledFrom(back, id string, d *ledger.Decision) string {
	self := "/approvals/" + url.PathEscape(id)
	for _, list := range [...]string{"/actions", "/history"} {
		query, ok := strings.CutPrefix(back, list)
		if !ok || query != "" && query[0] != '?' {
			continue
		}
		values, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
		if err != nil {
			values = nil
		}
		return itself(list, values) + "#" + url.PathEscape(id)
	}
	if back == "record" || d.Approval != id {
		return self + "/record"
	}
	return self
}
