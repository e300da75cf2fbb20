package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
)

const holdButton = "#bar button.hold"

// holdFor is how long it has to be held, in milliseconds (docs/inbox.md).
const holdFor = 1200

// grip is a way of holding the button of a critical card. Each of release lets go
// before it counts, or takes the press away.
type grip struct {
	name    string
	size    size
	press   func(*person)
	release map[string]func(*person)
}

func (p *person) pressMouse() {
	p.mouse(input.DispatchMouseEventTypeMouseMoved, p.middle(holdButton))
	p.mouse(input.DispatchMouseEventTypeMousePressed, p.middle(holdButton))
}

func (p *person) releaseMouse() {
	p.mouse(input.DispatchMouseEventTypeMouseReleased, p.middle(holdButton))
}

func (p *person) pressKey(k key) {
	p.do(chromedp.Focus(chromedp.CSS(holdButton)))
	p.keyDown(k)
}

func releaseKey(k key) map[string]func(*person) {
	return map[string]func(*person){
		"let go early": func(p *person) { p.keyUp(k) },
		"the focus goes elsewhere": func(p *person) {
			p.do(chromedp.Focus(chromedp.CSS("#note")))
			p.keyUp(k)
		},
	}
}

var grips = []grip{
	{"mouse", desktop, (*person).pressMouse, map[string]func(*person){
		"let go early": (*person).releaseMouse,
		"slips off": func(p *person) {
			p.mouse(input.DispatchMouseEventTypeMouseMoved, p.middle("h1"))
			p.mouse(input.DispatchMouseEventTypeMouseReleased, p.middle("h1"))
		},
	}},
	{"finger", phone, func(p *person) { p.finger(input.DispatchTouchEventTypeTouchStart, p.middle(holdButton)) }, map[string]func(*person){
		"let go early": func(p *person) { p.finger(input.DispatchTouchEventTypeTouchEnd) },
		"another takes over": func(p *person) {
			p.finger(input.DispatchTouchEventTypeTouchCancel)
		},
	}},
	{"space bar", desktop, func(p *person) { p.pressKey(space) }, releaseKey(space)},
	{"Enter", desktop, func(p *person) { p.pressKey(enter) }, releaseKey(enter)},
}

// A critical card is approved by a button that is held: with the mouse, a finger
// or a key. Whatever lets go before approves nothing, and the button can be held
// again.
func TestHoldToApprove(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	cases := 0
	for n, by := range grips {
		t.Run(by.name, func(t *testing.T) {
			p := newPerson(t, g, by.size)
			p.signIn("owner")
			id := g.ask(transfer("Acme Ltd", fmt.Sprintf("$%d.00", 40+n)))
			p.open("/approvals/" + id)
			p.shows("#standing", "CRITICAL")
			p.ready()
			p.takeTime()
			for how, release := range by.release {
				by.press(p)
				p.waits("the button shows that it is held", `!!document.querySelector(".hold.held")`)
				p.passes(holdFor - 1)
				p.wantNotSent(how)
				release(p)
				p.waits("it shows that it is not", `!document.querySelector(".hold.held")`)
				p.passes(2 * holdFor)
				p.wantNotSent(how)
				g.wantState(id, approval.Pending)
				cases++
			}
			p.giveTime()
			p.leaves(func() { by.press(p) })
			p.shows("#standing", "approved, not carried out yet")
			if a := g.wantState(id, approval.Approved); a.AnsweredBy != "owner" || a.How != "web" {
				t.Errorf("answered by %s, %s", a.AnsweredBy, a.How)
			}
			cases++
		})
	}
	if cases != 12 {
		t.Errorf("%d cases, want 12", cases)
	}
}

// Short presses approve nothing, however many there are, and neither does a form
// that is sent in another way than by holding.
func TestPressingIsNotHolding(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	id := g.ask(transfer("Acme Ltd", "$70.00"))
	p.open("/approvals/" + id)
	p.ready()
	p.takeTime()
	for range 10 {
		p.do(chromedp.Click(chromedp.CSS(holdButton)))
		p.passes(holdFor / 4) // the presses together are longer than a hold
	}
	p.passes(2 * holdFor)
	p.wantNotSent("short presses")
	is[any](p, `document.querySelector("form[data-hold]").requestSubmit()`)
	p.wantNotSent("not by holding")
	g.wantState(id, approval.Pending)
	// Even past the script the word is missing.
	p.leaves(func() { is[any](p, `document.querySelector("form[data-hold]").submit()`) })
	p.shows("main", "Your answer was not taken")
	g.wantState(id, approval.Pending)
}

// Who cannot hold types the word, with the script or without.
func TestTheWordInsteadOfHolding(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, phone)
	p.signIn("owner")
	id := g.ask(transfer("Acme Ltd", "$80.00"))
	p.open("/approvals/" + id)
	p.ready()
	p.takeTime()
	p.do(chromedp.Click(chromedp.CSS("#by-word")), chromedp.SendKeys(chromedp.CSS("#sure"), "no"), chromedp.Click(chromedp.CSS(holdButton)))
	p.waits("the browser leads back to the field", `document.activeElement.matches("#sure:invalid")`)
	p.passes(2 * holdFor)
	p.wantNotSent("another word")
	g.wantState(id, approval.Pending)
	is[any](p, `document.querySelector("#sure").value = ""`)
	p.do(chromedp.SendKeys(chromedp.CSS("#sure"), "Yes"))
	p.follows(holdButton)
	p.shows("#standing", "approved, not carried out yet")
	g.wantState(id, approval.Approved)
}
