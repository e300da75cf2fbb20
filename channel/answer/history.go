package answer

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

const (
	// pageLong is how many questions or actions a page has.
	pageLong = 50
	// lookedThrough is how many questions a page of the history looks through; what
	// is older is found by fewer days, or by a narrower state.
	lookedThrough = 5000
	// usualDays is how far back the history goes at first.
	usualDays = 7
)

// Record reads the ledger; *sqlite.Store does.
type Record interface {
	Head(ctx context.Context) (ledger.Head, error)
	About(ctx context.Context, subject string) ([]ledger.Row, error)
	Rows(ctx context.Context, after int64, limit int) ([]ledger.Row, error)
}

// dayValues are the spans of time to choose from.
var dayValues = []inbox.Value{{Value: "1", Label: "1 day"}, {Value: "7", Label: "7 days"}, {Value: "30", Label: "30 days"}, {Value: "365", Label: "a year"}, {Value: "all", Label: "all"}}

// sought is what a page of the history was asked for.
type sought struct {
	app, category, state, approver, agent, days string
	page                                        int
}

func readSought(v url.Values) (s sought, err error) {
	s = sought{
		app: strings.TrimSpace(v.Get("app")), category: v.Get("category"), state: v.Get("state"),
		approver: strings.TrimSpace(v.Get("approver")), agent: strings.TrimSpace(v.Get("agent")),
		days: cmp.Or(v.Get("days"), strconv.Itoa(usualDays)), page: 1,
	}
	known := func(value string, in []inbox.Value) bool {
		return slices.ContainsFunc(in, func(x inbox.Value) bool { return x.Value == value })
	}
	if !known(s.category, inbox.CategoryValues()) || !known(s.state, inbox.StateValues()) || !known(s.days, dayValues) {
		return s, problem(http.StatusBadRequest, "bad_query", "category, state and days are those of the form")
	}
	if text := v.Get("page"); text != "" {
		if s.page, err = strconv.Atoi(text); err != nil || s.page < 1 || s.page > lookedThrough {
			return s, problem(http.StatusBadRequest, "bad_query", "page is a number from 1 to %d", lookedThrough)
		}
	}
	return s, nil
}

// query is as much of it as the store knows.
func (s *sought) query(now time.Time) hold.Query {
	q := hold.Query{Limit: lookedThrough}
	for _, state := range approval.States() {
		if state.String() == s.state {
			q.States = []approval.State{state}
		}
	}
	if days, err := strconv.Atoi(s.days); err == nil {
		q.Since = now.AddDate(0, 0, -days)
	}
	return q
}

// wants is the rest of it.
func (s *sought) wants(a *approval.Approval) bool {
	return (s.app == "" || contains(a.Card.App, s.app) || contains(a.Card.Package, s.app)) &&
		(s.category == "" || a.Card.Category.String() == s.category) &&
		(s.approver == "" || contains(a.AnsweredBy, s.approver)) &&
		(s.agent == "" || contains(a.AgentName, s.agent))
}

// contains compares without regard to capitals.
func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// choices are the form's fields, with what there is to choose from.
func (s *sought) choices(all []approval.Approval) []inbox.Choice {
	hints := func(of func(*approval.Approval) string) []string {
		var names []string
		for i := range all {
			if name := of(&all[i]); name != "" {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		names = slices.Compact(names)
		return names[:min(len(names), pageLong)]
	}
	return []inbox.Choice{
		{Name: "app", Label: "App", Value: s.app, Hints: hints(func(a *approval.Approval) string { return cmp.Or(a.Card.App, a.Card.Package) })},
		{Name: "category", Label: "Consequence", Value: s.category, Values: inbox.CategoryValues()},
		{Name: "state", Label: "State", Value: s.state, Values: inbox.StateValues()},
		{Name: "approver", Label: "Answered by", Value: s.approver, Hints: hints(func(a *approval.Approval) string { return a.AnsweredBy })},
		{Name: "agent", Label: "Agent", Value: s.agent, Hints: hints(func(a *approval.Approval) string { return a.AgentName })},
		{Name: "days", Label: "Time", Value: s.days, Values: dayValues},
	}
}

// historyPage shows questions, the newest first.
func (h *handler) historyPage(c *call) error {
	values := c.r.URL.Query()
	s, err := readSought(values)
	if err != nil {
		return err
	}
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	all, err := h.desk.Views(c.r.Context(), s.query(h.desk.Now()))
	if err != nil {
		return err
	}
	var found []approval.Approval
	for i := range all {
		if s.wants(&all[i]) {
			found = append(found, all[i])
		}
	}
	from := min((s.page-1)*pageLong, len(found))
	to := min(from+pageLong, len(found))
	var pages inbox.Pages
	if s.page > 1 {
		pages.Newer = turned("/history", values, "page", strconv.Itoa(s.page-1))
	}
	if to < len(found) {
		pages.Older = turned("/history", values, "page", strconv.Itoa(s.page+1))
	}
	if len(all) == lookedThrough {
		pages.Note = "The newest " + strconv.Itoa(lookedThrough) + " questions were looked through. What is older is found by fewer days or by its state."
	}
	shown := make([]inbox.Past, 0, to-from)
	for _, a := range found[from:to] {
		label, err := h.labelOf(c.r.Context(), a.ID)
		if err != nil {
			return err
		}
		shown = append(shown, inbox.Past{Approval: a, Label: label})
	}
	page, err := inbox.History(f, shown, itself("/history", values), s.choices(all), pages)
	h.send(c.w, http.StatusOK, page, err)
	return nil
}

// turned is the address of another page of a list.
func turned(path string, values url.Values, name, value string) string {
	other := asked(values)
	other.Set(name, value)
	return path + "?" + other.Encode()
}

// itself is the address of a page of a list.
func itself(path string, values url.Values) string {
	if other := asked(values); len(other) > 0 {
		return path + "?" + other.Encode()
	}
	return path
}

// asked is what a list was narrowed down by.
func asked(values url.Values) url.Values {
	other := url.Values{}
	for k, v := range values {
		if len(v) > 0 && v[0] != "" {
			other.Set(k, v[0])
		}
	}
	return other
}

// recordPage shows the rows about an action, whether there was a question or not.
func (h *handler) recordPage(c *call) error {
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	id := c.r.PathValue("id")
	rows, err := h.about(c.r.Context(), id)
	if err != nil {
		return err
	}
	_, label := labelIn(rows)
	page, err := inbox.Record(f, id, label, rows)
	h.send(c.w, http.StatusOK, page, err)
	return nil
}

// about are the rows about an action; that there is none is an error.
func (h *handler) about(ctx context.Context, id string) ([]ledger.Row, error) {
	if h.o.Record == nil {
		return nil, problem(http.StatusNotImplemented, "no_record", "the record is not shown here; read it with countersign log")
	}
	rows, err := h.o.Record.About(ctx, id)
	if err == nil && !slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.Kind == ledger.KindDecision }) {
		err = problem(http.StatusNotFound, "not_found", "no action of this id is on record")
	}
	return rows, err
}
