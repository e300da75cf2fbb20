package browser

import (
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
)

// Two people have one card before them. The first answer counts; the page of the
// other says that the question has moved on, and what she sends all the same is a
// conflict. The record names who it was.
func TestTheFirstOfTwoCounts(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	anna, ben := newPerson(t, g, desktop), newPerson(t, g, phone)
	anna.signIn("anna")
	ben.signIn("ben")
	id := g.ask(chat("Carla", "See you at eight"))
	for _, p := range []*person{anna, ben} {
		p.open("/approvals/" + id)
		p.ready()
	}
	anna.approve()
	anna.shows("#standing", "approved, not carried out yet")
	ben.shows("#more", "This question has moved on")
	ben.shows("#standing", "approved, not carried out yet")
	if open := is[int](ben, `document.querySelectorAll("#bar button:not(:disabled), #bar input:not(:disabled):not([type=hidden])").length`); open != 0 {
		t.Errorf("%d buttons and fields of the other page can still be used", open)
	}
	// A press that was on its way already: the form as it was a moment ago.
	is[any](ben, `(() => { const f = document.querySelector("#bar form"); for (const e of f.elements) e.disabled = false; f.submit(); })()`)
	ben.shows("main", "Your answer was not taken")
	ben.shows("main", "Answered by")
	ben.shows("main", "anna")
	if a := g.wantState(id, approval.Approved); a.AnsweredBy != "anna" {
		t.Errorf("answered by %q", a.AnsweredBy)
	}
}

// Both press at the same moment, one yes and one no: one of them has it, on the
// record and on both pages.
func TestTwoAtTheSameMoment(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	anna, ben := newPerson(t, g, desktop), newPerson(t, g, desktop)
	anna.signIn("anna")
	ben.signIn("ben")
	answered := 0
	for round := range 5 {
		id := g.ask(chat("Carla", fmt.Sprintf("Message %d", round)))
		for _, p := range []*person{anna, ben} {
			p.open("/approvals/" + id)
			p.ready()
		}
		var both sync.WaitGroup
		both.Go(func() { press(anna, "#bar button.approve") })
		both.Go(func() { press(ben, "#bar button.deny") })
		both.Wait()
		for _, p := range []*person{anna, ben} {
			p.waits("the page has the answer, and none of its own is on its way", `["approved, not carried out yet", "refused"].some(s => document.getElementById("standing").innerText.includes(s)) &&
				document.readyState === "complete" && !document.querySelector("form[data-sent]")`)
		}
		a := g.question(id)
		switch {
		case a.State == approval.Approved && a.AnsweredBy == "anna":
			anna.shows("#standing", "approved")
			ben.shows("#standing", "approved")
		case a.State == approval.Denied && a.AnsweredBy == "ben":
			anna.shows("#standing", "refused")
			ben.shows("#standing", "refused")
		default:
			t.Errorf("round %d: %s by %q", round, a.State, a.AnsweredBy)
		}
		answered++
	}
	if answered != 5 {
		t.Errorf("%d rounds", answered)
	}
}

// press clicks in the page itself. What another's answer does to the button
// meanwhile is part of the race.
func press(p *person, selector string) {
	if _, err := chromedp.Run(p.tab, chromedp.Evaluate[any](`document.querySelector(`+js(selector)+`).click()`)); err != nil {
		p.t.Errorf("press %s: %v", selector, err)
	}
}
