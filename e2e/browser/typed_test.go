package browser

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
)

// Above the owner's limit the amount or the app is typed, and then the button is
// held all the same. What is below is held alone.
func TestLargeAmountsAreTyped(t *testing.T) {
	t.Parallel()
	g := startGuard(t, func(o *daemon.Options) { o.TypeAbove = map[string]string{"*": "100"} })
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	for _, c := range []struct{ name, amount, typed, other string }{
		{"the amount", "$250.00", "250.00", "25.00"},
		{"the app", "$300.00", "PayPal", "PayPals"},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := g.ask(transfer("Acme Ltd", c.amount))
			p.open("/approvals/" + id)
			p.ready()
			p.shows("#bar", "To approve, type")
			p.takeTime()
			p.pressMouse()
			if is[bool](p, `!!document.querySelector(".hold.held")`) {
				t.Error("holding begins with nothing typed")
			}
			p.passes(2 * holdFor)
			p.releaseMouse()
			p.wantNotSent("nothing typed")
			p.giveTime()
			g.wantState(id, approval.Pending)

			p.do(chromedp.SendKeys(chromedp.CSS("#typed"), c.other))
			p.holdAway()
			p.shows("main", "Your answer was not taken")
			g.wantState(id, approval.Pending)

			p.ready()
			p.do(chromedp.SendKeys(chromedp.CSS("#typed"), c.typed))
			p.holdAway()
			p.shows("#standing", "approved, not carried out yet")
			g.wantState(id, approval.Approved)
		})
	}
	id := g.ask(transfer("Acme Ltd", "$99.00"))
	p.open("/approvals/" + id)
	if is[bool](p, `!!document.querySelector("#typed")`) {
		t.Error("a small amount has to be typed")
	}
}
