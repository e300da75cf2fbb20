package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
)

// scripts switches the scripts of pages off or on. What the test itself evaluates
// runs all the same.
func (p *person) scripts(on bool) {
	p.t.Helper()
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
}

// Everything that answers works without the script: signing in, the list, which
// loads itself again while it is empty, the card, a note, the freeze.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			g := startGuard(t)
			p := newPerson(t, g, s)
			p.scripts(false)
			p.signIn("owner")
			if is[bool](p, `document.documentElement.classList.contains("js")`) {
				t.Fatal("the page's script ran")
			}
			p.shows("main", "This page loads again by itself while no question is open")

			id := g.ask(chat("Anna Schmidt", "I will be 20 minutes late"))
			p.shows("#items", "Anna Schmidt") // nothing but the page itself loads it
			p.follows("#items a.to")
			p.shows("#standing", "left when this page was loaded")
			p.follows("#bar button.approve")
			p.shows("#standing", "approved, not carried out yet")
			g.wantState(id, approval.Approved)
			p.follows("#bar button.deny") // takes the yes back
			p.shows("#standing", "taken back")
			g.wantState(id, approval.Revoked)

			id = g.ask(chat("Ben", "Here is the report"))
			p.open("/approvals/" + id)
			p.do(chromedp.SendKeys(chromedp.CSS("#note"), "Ask me tomorrow"))
			p.follows("#bar button.deny")
			p.shows("#standing", "refused")
			if a := g.wantState(id, approval.Denied); a.Note != "Ask me tomorrow" {
				t.Errorf("the note is %q", a.Note)
			}

			id = g.ask(chat("Carla", "And this"))
			p.open("/")
			p.do(chromedp.Click(chromedp.CSS("details.freeze summary")))
			p.follows("details.freeze button.deny")
			p.shows("main", "FROZEN")
			g.wantState(id, approval.Revoked)
			if !g.freeze().Frozen {
				t.Error("nothing is frozen")
			}
		})
	}
}

// What is critical is approved by typing the word, since nothing can be held.
func TestCriticalWithoutScripts(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, phone)
	p.scripts(false)
	p.signIn("owner")
	id := g.ask(transfer("Acme Ltd", "$80.00"))
	p.open("/approvals/" + id)
	is[any](p, `window.same = true`)
	for _, word := range []string{"", "yep"} {
		p.do(chromedp.SendKeys(chromedp.CSS("#sure"), word), chromedp.Click(chromedp.CSS(holdButton)))
		p.waits("the browser leads back to the field", `document.activeElement.matches("#sure:invalid")`)
		g.wantState(id, approval.Pending)
	}
	if !is[bool](p, `window.same === true`) {
		t.Error("the form was sent without the word")
	}
	is[any](p, `document.querySelector("#sure").value = ""`)
	p.do(chromedp.SendKeys(chromedp.CSS("#sure"), "yes"))
	p.follows(holdButton)
	p.shows("#standing", "approved, not carried out yet")
	g.wantState(id, approval.Approved)
}
