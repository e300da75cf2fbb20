package browser

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
)

// allowed proposes an action that has to go ahead without a question.
func (g *guard) allowed(request map[string]any) string {
	g.t.Helper()
	h := g.call(g.token, http.MethodPost, "/v1/actions", request)
	if h.Outcome != "allow" {
		g.t.Fatalf("it was not allowed: %+v", h)
	}
	return h.ID
}

// A grant is offered on the card, spelled out before it is given, counted down on
// its page, and ended there.
func TestGrants(t *testing.T) {
	t.Parallel()
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			g := startGuard(t)
			p := newPerson(t, g, s)
			p.signIn("owner")
			request := chat("Anna Schmidt", "Message 1")
			id := g.ask(request)
			p.open("/approvals/" + id)
			p.ready()
			p.do(chromedp.Click(chromedp.CSS("details.grant summary")), chromedp.WaitVisible(chromedp.CSS("details.grant button.approve")))
			for _, what := range []string{"Approve, and let the next 3 such go on for 10 minutes", "Anna Schmidt", "com.whatsapp", "3 times", "first-agent"} {
				p.shows("details.grant", what)
			}
			if in := is[bool](p, inView("details.grant button.approve")); !in {
				t.Error("the button is not in view")
			}
			p.follows("details.grant button.approve")
			p.shows("#standing", "approved, not carried out yet")
			given := g.wantState(id, approval.Approved)
			if given.Grant == "" {
				t.Fatal("no grant was given")
			}
			g.redeem(id, request)
			g.allowed(chat("Anna Schmidt", "Message 2"))
			g.ask(chat("Ben", "To somebody else"))

			p.open("/grants")
			p.shows("main", "2 of 3 left")
			p.shows("main", "given by owner, in the inbox")
			g.allowed(chat("Anna Schmidt", "Message 3"))
			p.open("/grants")
			p.shows("main", "1 of 3 left")
			p.follows(".items button.deny")
			p.shows("main", "used 2 times of 3")
			p.shows("main", "revoked")
			g.ask(chat("Anna Schmidt", "Message 4"))
			p.open("/approvals/" + id)
			p.follows(`a[href="/grants#` + given.Grant + `"]`)
			p.shows("h1", "Grants")
		})
	}
}

// What is critical has no grant to give.
func TestNoGrantForWhatIsCritical(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	p.open("/approvals/" + g.ask(transfer("Acme Ltd", "$80.00")))
	p.shows("#standing", "CRITICAL")
	if is[bool](p, `!!document.querySelector("details.grant, [name=answer][value=grant]")`) {
		t.Error("a grant is offered")
	}
}

// inView reports whether all of an element can be seen, and is on top where it is.
func inView(selector string) string {
	return `(() => { const e = document.querySelector(` + js(selector) + `), r = e.getBoundingClientRect();
		const on = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		return r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth && (on === e || e.contains(on)); })()`
}
