package inbox

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold/fatigue"
	"github.com/countersign/countersign/ledger"
)

// hereStats is its place in the header.
const hereStats = "stats"

// The values of what the table of Stats is by.
const (
	ByCategory = "category"
	ByApp      = "app"
	BySource   = "source"
	ByAgent    = "agent"
)

// ByValues are they, to choose from.
func ByValues() []Value {
	return []Value{{ByCategory, "consequence"}, {ByApp, "app"}, {BySource, "which guard asked"}, {ByAgent, "agent"}}
}

// statsRow is a row of the table, as the template prints it.
type statsRow struct {
	Name  string
	Cells []string
	// Bar is how long the bar is, of 100.
	Bar string
}

// statsColumns are the columns of the table. One in which no row says anything is
// left out.
var statsColumns = []struct {
	head string
	cell func(*ledger.AskingGroup) string
}{
	{"Actions", func(g *ledger.AskingGroup) string { return number(g.Actions) }},
	{"Asked", func(g *ledger.AskingGroup) string { return number(g.Asked + g.WouldAsk) }},
	{"Per 100", func(g *ledger.AskingGroup) string { return perHundred(g.AskedPer100) }},
	{"Approved", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Approved) }},
	{"Denied", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Denied) }},
	{"Expired", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Expired) }},
	{"Half within", func(g *ledger.AskingGroup) string { return within(g, g.Median) }},
	{"9 in 10 within", func(g *ledger.AskingGroup) string { return within(g, g.P90) }},
	{"Too fast", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Hasty) }},
	{"Joined", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Joined) }},
	{"Linked", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Linked) }},
	{"By a grant", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Granted) }},
	{"Needless", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Needless) }},
	{"Missed", func(g *ledger.AskingGroup) string { return fatigue.Percent(g.Shares.Missed) }},
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func within(g *ledger.AskingGroup, m ledger.Millis) string {
	if g.Answered() == 0 {
		return ""
	}
	return fatigue.Took(m)
}

func perHundred(n float64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n, 'f', 1, 64)
}

// mostRows is how many rows the table has.
const mostRows = 30

// habit is something that was always answered yes, as the template prints it.
type habit struct {
	Agent, Scope, Approved         string
	From, FromISO, To, ToISO       string
	Grant, Line, Spares, Why, Else string
	Examples                       []example
}

// example is an action that a proposal reaches besides.
type example struct {
	ID, What, Agent, Became, Kind, At, AtISO string
}

// Stats draws what asking has cost: the figures, a table by category, app, source
// or agent, and what was always answered yes with what would have spared it. It
// has no button that would do so.
func Stats(f Frame, r *fatigue.Report, by string, choices []Choice, note string) ([]byte, error) {
	view := struct {
		frame
		narrowing
		Headline, By  string
		Figures       []field
		Heads         []string
		Rows          []statsRow
		More          string
		Habits        []habit
		Some          bool
		From, FromISO string
		To, ToISO     string
	}{frame: f.view("stats", hereStats, "What asking costs"), narrowing: narrowed("/stats", choices, Pages{Note: note})}
	for _, v := range ByValues() {
		if v.Value == by {
			view.By = v.Label
		}
	}
	if view.Some = r.All.Actions > 0 || r.All.Joined > 0; view.Some {
		view.From, view.FromISO, view.To, view.ToISO = clock(r.From), iso(r.From), clock(r.To), iso(r.To)
		view.Headline, view.Figures = headline(&r.All), figures(r)
		groups := map[string][]ledger.AskingGroup{ByCategory: r.Categories, ByApp: r.Apps, BySource: r.Sources, ByAgent: r.Agents}[by]
		view.Heads, view.Rows = statsTable(groups[:min(len(groups), mostRows)], by)
		if more := len(groups) - len(view.Rows); more > 0 {
			view.More = counted(more, "more is", "more are") + " shown by countersign log stats --json."
		}
	}
	for i := range r.Habits {
		view.Habits = append(view.Habits, habitOf(&r.Habits[i]))
	}
	return draw("stats.html", view)
}

func headline(a *ledger.Asking) string {
	text := fmt.Sprintf("%s, %s: %.1f for 100 actions", counted(int(a.Actions), "action", "actions"), counted(int(a.Asked+a.WouldAsk), "question", "questions"), a.AskedPer100)
	if a.Tasks > 0 {
		text += fmt.Sprintf(", %.1f a task", a.AskedPerTask)
	}
	return text
}

// figures are those of the whole.
func figures(r *fatigue.Report) []field {
	a := &r.All
	var out fields
	line := func(name, text, hint string) { out.add(field{Name: name, text: oneLine(text), Hint: hint}) }
	line("What became of them", fatigue.List(fatigue.Ends(a)), "")
	if a.WouldAsk > 0 {
		line("In observe mode", counted(int(a.WouldAsk), "question", "questions")+" that would have been put", "")
	}
	if n := a.Answered(); n > 0 {
		line("Answered", "half within "+fatigue.Took(a.Median)+", 9 in 10 within "+fatigue.Took(a.P90), "")
		line("Too fast", fmt.Sprintf("%d of %s (%s) came sooner than the card can be read", a.Hasty, counted(int(n), "answer", "answers"), cmp.Or(fatigue.Percent(a.Shares.Hasty), "0 %")),
			"at 4 words a second, and at least 1.5 seconds")
	}
	line("Not asked", fatigue.List(fatigue.Spared(a)), "")
	line("Labels", fatigue.List(fatigue.Labels(a)), "")
	if a.Tasks > 0 {
		hint := fmt.Sprintf("%d told apart by the session that the agent names, %d without one by the text of the task", r.TasksBySession, r.TasksByText)
		if r.NoTask > 0 {
			hint += "; " + counted(int(r.NoTask), "action", "actions") + " came with neither"
		}
		line("Tasks", strconv.FormatInt(a.Tasks, 10), hint)
	}
	return out
}

// statsTable is the table of groups.
func statsTable(groups []ledger.AskingGroup, by string) (heads []string, rows []statsRow) {
	rows = make([]statsRow, len(groups))
	most := 0.0
	for i := range groups {
		rows[i].Name = cmp.Or(nameIn(by, groups[i].Name), "none is named")
		most = max(most, groups[i].AskedPer100)
	}
	for _, column := range statsColumns {
		cells, says := make([]string, len(groups)), false
		for i := range groups {
			cells[i] = column.cell(&groups[i])
			says = says || cells[i] != ""
		}
		if !says {
			continue
		}
		heads = append(heads, column.head)
		for i := range rows {
			rows[i].Cells = append(rows[i].Cells, cells[i])
		}
	}
	for i := range rows {
		if n := groups[i].AskedPer100; n > 0 {
			rows[i].Bar = strconv.FormatFloat(max(1, 100*n/most), 'f', 1, 64)
		}
	}
	return heads, rows
}

// nameIn is the name of a group for people. Names of apps and agents come from
// outside.
func nameIn(by, name string) string {
	switch by {
	case ByCategory:
		return words(name)
	case BySource:
		return words(strings.ToLower(name))
	}
	return excerpt(name)
}

func habitOf(h *fatigue.Habit) habit {
	v := habit{
		Agent: excerpt(cmp.Or(h.AgentName, h.Agent)), Scope: spell(h.Scope()), Approved: approval.Times(h.Approved),
		From: clock(h.First), FromISO: iso(h.First), To: clock(h.Last), ToISO: iso(h.Last), Why: spell(h.Why),
	}
	switch {
	case h.Grant != nil:
		v.Grant = spell(h.Grant.Sentence())
		v.Spares = fmt.Sprintf("%d of %d questions, had it been given %s", h.Grant.Spared, h.Grant.Of, approval.Times(h.Grant.Given))
	case h.Line != nil:
		v.Line = h.Line.YAML
		v.Spares = fmt.Sprintf("%d of %d questions, and has no end", h.Line.Spared, h.Line.Of)
	}
	if b := &h.Besides; b.Count > 0 {
		v.Else = "It would have let pass " + counted(b.Count, "more action", "more actions")
		if b.Refused > 0 {
			v.Else += fmt.Sprintf(", %d of them refused by a person", b.Refused)
		}
		v.Else += "."
	} else if h.Grant != nil || h.Line != nil {
		v.Else = "It would have let pass nothing else that is on record for that time."
	}
	for i := range h.Besides.Examples {
		v.Examples = append(v.Examples, exampleOf(&h.Besides.Examples[i]))
	}
	return v
}

func exampleOf(e *fatigue.Example) example {
	what := excerpt(e.Reason)
	if about := excerpt(cmp.Or(e.Recipient, e.Object)); about != "" && !strings.Contains(what, about) {
		what += " “" + about + "”"
	}
	kind := "over"
	if e.Refused() {
		kind = "no"
	}
	return example{
		ID: e.Action, What: what, Agent: excerpt(cmp.Or(e.AgentName, e.Agent)), Became: e.Became, Kind: kind, At: clock(e.At), AtISO: iso(e.At),
	}
}
