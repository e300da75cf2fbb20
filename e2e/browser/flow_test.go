package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
)

// The whole way of a question, at both widths: it appears by itself in the list,
// the card says what would happen, and the answer counts.
func TestQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			g := startGuard(t)
			p := newPerson(t, g, s)
			p.open("/")
			p.shows("main", "Nobody is signed in")
			p.signIn("owner")
			p.shows("#board", "No question is open")

			request := chat("Anna Schmidt", "I will be 20 minutes late")
			id := g.ask(request)
			p.shows("#items", "WhatsApp")
			p.waits("the title says how many wait", `document.title.startsWith("(1) ")`)
			p.follows("#items a.to")
			for _, fact := range []string{"Anna Schmidt", "I will be 20 minutes late", "WhatsApp"} {
				p.shows("main", fact)
			}
			if marked := p.text("mark"); !strings.EqualFold(marked, "send") {
				t.Errorf("%q is marked, want the word that asked", marked)
			}
			p.waits("the picture of the screen is drawn", `(() => { const i = document.querySelector(".shot img"); return !!i && i.complete && i.naturalWidth > 0; })()`)
			g.wantState(id, approval.Pending)
			p.approve()
			p.shows("#standing", "approved, not carried out yet")
			a := g.wantState(id, approval.Approved)
			if a.AnsweredBy != "owner" || a.How != "web" {
				t.Errorf("answered by %s, %s", a.AnsweredBy, a.How)
			}
			g.redeem(id, request)
			p.shows("#more", "moved on")
			p.follows("#more button")
			p.shows("main", "Answered by")
			g.wantState(id, approval.Released)
		})
	}
}

// approve presses Approve once the page is ready to take it.
func (p *person) approve() {
	p.t.Helper()
	p.ready()
	p.follows("#bar button.approve")
}

// ready waits for the moment after a page is shown in which it takes no answer.
func (p *person) ready() {
	p.t.Helper()
	p.waits("the page takes answers", `document.documentElement.classList.contains("armed")`)
}

func TestDeniedWithANote(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, phone)
	p.signIn("owner")
	id := g.ask(chat("Ben", "Here is the report"))
	p.open("/approvals/" + id)
	p.ready()
	p.do(chromedp.SendKeys(chromedp.CSS("#note"), "Ask me tomorrow"))
	p.follows("#bar button.deny")
	p.shows("#standing", "refused")
	if a := g.wantState(id, approval.Denied); a.Note != "Ask me tomorrow" {
		t.Errorf("the note is %q", a.Note)
	}
}

func TestFreezeFromAnyPage(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	pages := []string{"/", "/history", "/actions", "/grants", "/passkeys", "/stats"}
	for _, page := range pages {
		id := g.ask(chat("Ben", "From "+page))
		p.open(page)
		p.do(chromedp.Click(chromedp.CSS("details.freeze summary")))
		p.follows("details.freeze button.deny")
		p.shows("main", "FROZEN")
		if !g.freeze().Frozen {
			t.Errorf("%s: nothing is frozen", page)
		}
		g.wantState(id, approval.Revoked)
		p.do(chromedp.Click(chromedp.CSS("details.frozen summary")))
		p.follows("details.frozen button")
		p.waits("the freeze is lifted", `!document.querySelector("details.frozen")`)
		if g.freeze().Frozen {
			t.Errorf("%s: it stays frozen", page)
		}
	}
	if len(pages) != 6 {
		t.Errorf("%d pages", len(pages))
	}
}
