package inbox

import (
	"time"

	"github.com/countersign/countersign/approval"
)

// refreshEmpty is after how many seconds the list loads itself again while no
// question is open. With one it stays still, so that no link moves under a finger.
const refreshEmpty = 5

// item is a question in the list.
type item struct {
	ID, Sentence, App, Tier, Category, Agent string
	Critical                                 bool
	State, Kind                              string
	Left, By, At, AtISO                      string
}

// List draws the open questions and those that were settled last, each in the
// order given.
func List(f Frame, open, settled []approval.Approval) ([]byte, error) {
	view := struct {
		frame
		Open, Settled []item
	}{frame: f.view("Questions")}
	if len(open) > 0 {
		view.Title = "Questions: " + counted(len(open), "open", "open")
	} else {
		view.Refresh = refreshEmpty
	}
	for i := range open {
		view.Open = append(view.Open, f.item(&open[i]))
	}
	for i := range settled {
		view.Settled = append(view.Settled, f.item(&settled[i]))
	}
	return draw("list.html", view)
}

func (f *Frame) item(a *approval.Approval) item {
	c := &a.Card
	it := item{
		ID: a.ID, Sentence: excerpt(c.Reason), App: excerpt(appName(c)), Tier: c.Tier.String(), Category: c.Category.String(),
		Agent: excerpt(a.AgentName), Critical: c.Critical, State: stateWords[a.State], Kind: stateKind(a.State), By: excerpt(a.AnsweredBy),
	}
	at := a.CreatedAt
	switch {
	case a.State.Open():
		at = a.Wake()
		it.Left = left(at.Sub(f.Now))
	case !a.SettledAt.IsZero():
		at = a.SettledAt
	}
	it.At, it.AtISO = clock(at), at.UTC().Format(time.RFC3339)
	return it
}
