package answer

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/hold/fatigue"
)

// rowsForStats is how many rows of the record a page of figures reads at most,
// twice: what takes longer than a moment is for countersign log stats.
const rowsForStats = 20000

// measured is the record with the questions beside it.
type measured struct {
	Record
	desk *hold.Desk
}

// Approval is a question as it is kept.
func (m measured) Approval(ctx context.Context, id string) (approval.Approval, error) {
	return m.desk.View(ctx, id)
}

// Approvals are the questions that match.
func (m measured) Approvals(ctx context.Context, q hold.Query) ([]approval.Approval, error) {
	return m.desk.Views(ctx, q)
}

// statsPage shows what asking has cost, and what would cost less.
func (h *handler) statsPage(c *call) error {
	if h.o.Record == nil {
		return problem(http.StatusNotImplemented, "no_record", "the record is not shown here; read it with countersign log stats")
	}
	values := c.r.URL.Query()
	days, by := cmp.Or(values.Get("days"), strconv.Itoa(usualDays)), cmp.Or(values.Get("by"), inbox.ByCategory)
	known := func(value string, in []inbox.Value) bool {
		return slices.ContainsFunc(in, func(x inbox.Value) bool { return x.Value == value })
	}
	if !known(days, dayValues) || !known(by, inbox.ByValues()) {
		return problem(http.StatusBadRequest, "bad_query", "days and by are those of the form")
	}
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	o := fatigue.Options{Newest: rowsForStats}
	if n, err := strconv.Atoi(days); err == nil {
		o.Since = h.desk.Now().AddDate(0, 0, -n)
	}
	report, err := fatigue.Measure(c.r.Context(), measured{h.o.Record, h.desk}, o)
	if err != nil {
		return err
	}
	agents, err := h.registry.Agents(c.r.Context())
	if err != nil {
		return err
	}
	report.NameAgents(agents)
	note := ""
	if report.Cut {
		note = "The newest " + strconv.Itoa(rowsForStats) + " rows of the record were read. countersign log stats reads all of them."
	}
	choices := []inbox.Choice{
		{Name: "days", Label: "Time", Value: days, Values: dayValues},
		{Name: "by", Label: "By", Value: by, Values: inbox.ByValues()},
	}
	page, err := inbox.Stats(f, report, by, choices, note)
	h.send(c.w, http.StatusOK, page, err)
	return nil
}
