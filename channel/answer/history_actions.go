package answer

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/ledger"
)

const (
	// rowsAtOnce is how many rows of the record are read at a time, rowsForPage how
	// many for one page at most.
	rowsAtOnce  = 200
	rowsForPage = 5000
)

// outcomeValues are the outcomes to choose from; the first is what this page is
// for.
var outcomeValues = []inbox.Value{
	{Value: "allow", Label: "allowed without a question"}, {Value: "confirm", Label: "asked"}, {Value: "deny", Label: "refused without a question"}, {Value: "all", Label: "all"},
}

// actionsPage shows decisions of the record, the newest first: what agents did
// without a question too.
func (h *handler) actionsPage(c *call) error {
	if h.o.Record == nil {
		return problem(http.StatusNotImplemented, "no_record", "the record is not shown here; read it with countersign log")
	}
	values := c.r.URL.Query()
	want, err := readActions(values)
	if err != nil {
		return err
	}
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	list, next, err := h.actions(c.r.Context(), &want)
	if err != nil {
		return err
	}
	var pages inbox.Pages
	if want.before > 0 {
		pages.Newer = turned("/actions", withoutPlace(values), "outcome", want.outcome)
	}
	if next > 0 {
		pages.Older = turned("/actions", values, "before", strconv.FormatInt(next, 10))
		if len(list) < pageLong {
			pages.Note = "So many rows were looked through; there are older ones."
		}
	}
	page, err := inbox.Actions(f, list, itself("/actions", values), want.choices(), pages)
	h.send(c.w, http.StatusOK, page, err)
	return nil
}

// withoutPlace leaves out where in the list a page is.
func withoutPlace(values url.Values) url.Values {
	other := url.Values{}
	for k, v := range values {
		if k != "before" {
			other[k] = v
		}
	}
	return other
}

// actionsWanted is what a page of actions was asked for.
type actionsWanted struct {
	outcome, app, category string
	before                 int64 // the row before which to look, 0 for the end
}

func readActions(v url.Values) (w actionsWanted, err error) {
	w = actionsWanted{outcome: cmp.Or(v.Get("outcome"), "allow"), app: strings.TrimSpace(v.Get("app")), category: v.Get("category")}
	known := func(value string, in []inbox.Value) bool {
		return slices.ContainsFunc(in, func(x inbox.Value) bool { return x.Value == value })
	}
	if !known(w.outcome, outcomeValues) || !known(w.category, inbox.CategoryValues()) {
		return w, problem(http.StatusBadRequest, "bad_query", "outcome and category are those of the form")
	}
	if text := v.Get("before"); text != "" {
		if w.before, err = strconv.ParseInt(text, 10, 64); err != nil || w.before < 1 {
			return w, problem(http.StatusBadRequest, "bad_query", "before is the number of a row")
		}
	}
	return w, nil
}

func (w *actionsWanted) wants(d *ledger.Decision) bool {
	return (w.outcome == "all" || d.Outcome.String() == w.outcome) && (w.app == "" || contains(d.App.Package, w.app)) &&
		(w.category == "" || d.Category.String() == w.category)
}

func (w *actionsWanted) choices() []inbox.Choice {
	return []inbox.Choice{
		{Name: "outcome", Label: "What the guard did", Value: w.outcome, Values: outcomeValues},
		{Name: "app", Label: "App", Value: w.app},
		{Name: "category", Label: "Consequence", Value: w.category, Values: inbox.CategoryValues()},
	}
}

// actions reads decisions backwards from a row. next is the row from which to go
// on, 0 at the beginning of the record.
func (h *handler) actions(ctx context.Context, w *actionsWanted) (list []inbox.Action, next int64, err error) {
	end := w.before - 1
	if w.before == 0 {
		head, err := h.o.Record.Head(ctx)
		if err != nil {
			return nil, 0, err
		}
		end = head.Size
	}
	names, err := h.agentNames(ctx)
	if err != nil {
		return nil, 0, err
	}
	for looked := 0; end > 0 && looked < rowsForPage; looked += rowsAtOnce {
		start := max(0, end-rowsAtOnce)
		rows, err := h.o.Record.Rows(ctx, start, int(end-start))
		if err != nil {
			return nil, 0, err
		}
		for i := len(rows) - 1; i >= 0; i-- {
			d, err := rows[i].Decision()
			if err != nil || !w.wants(&d) {
				continue
			}
			label, err := h.labelOf(ctx, d.ActionID)
			if err != nil {
				return nil, 0, err
			}
			d.Agent = cmp.Or(names[d.Agent], d.Agent)
			list = append(list, inbox.Action{Seq: rows[i].Seq, At: rows[i].At, Decision: d, Label: label})
			if len(list) == pageLong {
				return list, placeBefore(rows[i].Seq), nil
			}
		}
		end = start
	}
	return list, placeBefore(end + 1), nil
}

// placeBefore is where a list goes on that has come to a row, 0 when that is the
// first.
func placeBefore(seq int64) int64 {
	if seq <= 1 {
		return 0
	}
	return seq
}

// agentNames are the agents' names by their ids.
func (h *handler) agentNames(ctx context.Context) (map[string]string, error) {
	all, err := h.registry.Agents(ctx)
	names := map[string]string{}
	for i := range all {
		names[all[i].ID] = all[i].Name
	}
	return names, err
}
