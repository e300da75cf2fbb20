package inbox

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// Choice is one way to narrow a list down.
type Choice struct {
	// Name is the field of the form, Label what it is called.
	Name, Label string
	// Value is what was chosen. Values are what can be; nil for any text, with
	// Hints to choose from.
	Value  string
	Values []Value
	Hints  []string
}

// Value is a value to choose, with what it is called.
type Value struct{ Value, Label string }

// Pages say where in a list a page is; empty addresses lead nowhere.
type Pages struct {
	// Newer and Older are the addresses of the pages beside it.
	Newer, Older string
	// Note says what is not looked at, empty where all is.
	Note string
}

// narrowing is the form and the links of a list, as the templates print them.
type narrowing struct {
	Path    string
	Choices []Choice
	Pages
}

func narrowed(path string, choices []Choice, p Pages) narrowing {
	shown := make([]Choice, len(choices))
	for i, c := range choices {
		c.Value = spell(c.Value)
		c.Hints = append([]string(nil), c.Hints...)
		for j := range c.Hints {
			c.Hints[j] = spell(c.Hints[j])
		}
		shown[i] = c
	}
	return narrowing{path, shown, p}
}

// Past is a question of the history, with what a person says of it.
type Past struct {
	approval.Approval
	// Label is "needless" or empty.
	Label string
}

// past is a Past as the template prints it.
type past struct {
	item
	CSRFLabel, Label string
	// Allowed is never set: there was a question.
	Allowed bool
}

// History draws a page of questions, the newest first. back is the address of the
// page itself, to which its buttons return.
func History(f Frame, list []Past, back string, choices []Choice, p Pages) ([]byte, error) {
	view := struct {
		frame
		narrowing
		Back  string
		Items []past
	}{f.view("history", hereHistory, "History"), narrowed("/history", choices, p), back, nil}
	for i := range list {
		a := &list[i].Approval
		view.Items = append(view.Items, past{item: itemOf(f.Now, a), CSRFLabel: f.CSRF(FormLabel(a.ID)), Label: list[i].Label})
	}
	return draw("history.html", view)
}

// StateValues are the states of a question to choose from.
func StateValues() []Value {
	values := []Value{{"", "every state"}}
	for _, s := range approval.States() {
		values = append(values, Value{s.String(), stateWords[s]})
	}
	return values
}

// CategoryValues are the consequences to choose from.
func CategoryValues() []Value {
	values := []Value{{"", "everything"}}
	for _, c := range risk.Categories() {
		values = append(values, Value{c.String(), words(c.String())})
	}
	return values
}

// Action is a decision of the record, with what a person says of it.
type Action struct {
	Seq int64
	At  time.Time
	ledger.Decision
	// Label is "needless", "missed" or empty.
	Label string
}

// action is an Action as the template prints it.
type action struct {
	ID, CSRFLabel, Label, Reason, App, Category, Tier, Agent, By, Grant string
	Outcome, Kind, At, AtISO                                            string
	Allowed, Asked                                                      bool
}

// Actions draws a page of decisions, the newest first. back is the address of
// the page itself, to which its buttons return.
func Actions(f Frame, list []Action, back string, choices []Choice, p Pages) ([]byte, error) {
	view := struct {
		frame
		narrowing
		Back  string
		Items []action
	}{f.view("actions", hereActions, "Actions"), narrowed("/actions", choices, p), back, nil}
	for i := range list {
		view.Items = append(view.Items, f.action(&list[i]))
	}
	return draw("actions.html", view)
}

func (f *Frame) action(a *Action) action {
	v := action{
		ID: a.ActionID, CSRFLabel: f.CSRF(FormLabel(a.ActionID)), Label: a.Label,
		Reason: excerpt(a.Reason), App: excerpt(a.App.Package), Category: words(a.Category.String()), Tier: a.App.Tier.String(),
		Agent: excerpt(a.Agent), At: clock(a.At), AtISO: iso(a.At),
		Allowed: a.Outcome == risk.Allow, Asked: a.Approval != "" && a.Approval == a.ActionID,
	}
	v.Outcome, v.Kind = outcomeWords(&a.Decision)
	switch {
	case a.Decision.Grant != "":
		v.Grant = a.Decision.Grant
	case a.DecidedBy != "" && a.DecidedBy != "layer":
		v.By = "by " + words(spell(a.DecidedBy))
	}
	return v
}

// outcomeWords say what became of an action.
func outcomeWords(d *ledger.Decision) (word, kind string) {
	switch {
	case d.Observe && d.Outcome == risk.Confirm:
		return "let pass in observe mode, would be asked about", "over"
	case d.Observe && d.Outcome == risk.Deny:
		return "let pass in observe mode, would be refused", "over"
	case d.Outcome == risk.Allow:
		return "allowed without a question", "yes"
	case d.Outcome == risk.Confirm:
		return "asked", "waits"
	}
	return "refused without a question", "no"
}

// row is a row of the record as the template prints it.
type row struct {
	Seq             int64
	Kind, At, AtISO string
	Lines           []string
}

// Record draws the rows about one action, in order. id is the action's, label
// what a person says of its decision, asked whether there was a question.
func Record(f Frame, id, label string, rows []ledger.Row) ([]byte, error) {
	view := struct {
		frame
		ID, CSRFLabel, Label string
		Asked, Allowed       bool
		Rows                 []row
	}{frame: f.view("record", hereHistory, "Record"), ID: id, CSRFLabel: f.CSRF(FormLabel(id)), Label: label}
	for i := range rows {
		r := &rows[i]
		if d, err := r.Decision(); err == nil {
			view.Allowed = d.Outcome == risk.Allow
			view.Asked = view.Asked || d.Approval == r.Subject
		}
		view.Rows = append(view.Rows, row{r.Seq, words(string(r.Kind)), clock(r.At), iso(r.At), indented(r.Body)})
	}
	return draw("record.html", view)
}

// indented is JSON as lines, spelled out; as it is where it cannot be read. The
// line breaks are ours: those of a text are escaped in JSON.
func indented(body json.RawMessage) []string {
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		return []string{spell(string(body))}
	}
	shown := strings.Split(b.String(), "\n")
	for i, line := range shown {
		text := strings.TrimLeft(line, " ")
		shown[i] = line[:len(line)-len(text)] + spell(text)
	}
	return shown
}
