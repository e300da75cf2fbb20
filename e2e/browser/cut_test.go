package browser

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
)

// items is how many questions the list shows.
const items = `document.querySelectorAll("#items li").length`

// Of more than a hundred questions the list shows a hundred and says how many more
// there are, with a link to all, by keys, on a phone, and without scripts. A new one
// comes into the hundred by itself, however many of other agents wait.
func TestMoreThanAHundred(t *testing.T) {
	t.Parallel()
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			g := crowdedGuard(t)
			p := newPerson(t, g, s)
			p.signIn("owner")
			p.waits("a hundred are listed", items+` === 100 && document.title.startsWith("(121) ")`)
			p.shows("#open", "121")
			p.shows("#board .banner", "21 more are open")
			p.shows("#items", "Anna Schmidt") // the only one of its agent
			p.save(s.name + "-list-cut-at-once")

			// A new one comes in, though there is no room left.
			late := g.call(g.agent("late"), http.MethodPost, "/v1/actions", transfer("Wide Roads Inc", "$20.00")).ID
			p.waits("the new one is listed, and one less of the others", `!!document.querySelector("#items li.critical[data-id=`+late+`]") && `+items+` === 100`)
			p.waits("all are counted", `document.title.startsWith("(122) ")`)
			p.shows("#open", "122")
			p.shows("#board .banner", "22 more are open")
			p.shows("#board .banner", "Asked last: ⚠ CRITICAL")

			p.do(chromedp.Focus(chromedp.CSS("#items + p a")))
			p.leaves(func() { p.keyDown(enter); p.keyUp(enter) })
			p.waits("all are listed", items+` === 122 && !document.querySelector("#board .banner")`)
			// The whole list follows what happens as well.
			g.deny(late)
			p.waits("it has one less", items+` === 121 && document.title.startsWith("(121) ")`)
			p.follows(`#board a[href="/"]`)
			p.waits("a hundred are listed", items+` === 100`)
		})
	}
}

// One that makes room for another is still open, and nothing on a page that has it
// under its hand says otherwise; one that was settled is marked.
func TestWhatMakesRoomIsNotSettled(t *testing.T) {
	t.Parallel()
	g := crowdedGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	p.waits("a hundred are listed", items+` === 100`)
	shown := is[[]string](p, `[...document.querySelectorAll("#items li")].map(li => li.dataset.id)`)
	p.do(chromedp.Focus(chromedp.CSS("#items li:nth-child(2) a.to")))
	for _, name := range []string{"Dora", "Emil", "Farah"} {
		g.call(g.agent(name), http.MethodPost, "/v1/actions", chat(name, "A new one"))
	}
	p.shows("#more", "3 more: show")
	g.deny(shown[0])
	p.waits("the one that was settled is marked", `[...document.querySelectorAll("#items li.gone")].map(li => li.dataset.id).join() === `+js(shown[0]))
	p.do(chromedp.Click(chromedp.CSS("#more button")))
	p.waits("the new ones are listed", `["Dora", "Emil", "Farah"].every(name => document.querySelector("#items").innerText.includes(name)) && `+items+` === 100`)
	left := is[[]string](p, `(() => { const now = [...document.querySelectorAll("#items li")].map(li => li.dataset.id); return `+jsList(shown[1:])+`.filter(id => !now.includes(id)); })()`)
	for _, id := range left {
		g.wantState(id, approval.Pending)
	}
	// Three came and one went; a place that an agent had left may be another's now.
	if len(left) < 2 {
		t.Errorf("%d made room for three new ones where one was settled", len(left))
	}
}

// Without scripts the link leads to all of them, each of them can be answered from
// there, and the freeze is where it always is.
func TestMoreThanAHundredWithoutScripts(t *testing.T) {
	t.Parallel()
	g := crowdedGuard(t)
	p := newPerson(t, g, phone)
	p.scripts(false)
	p.signIn("owner")
	p.shows("#items + p", "and 21 more: show them")
	short := is[[]string](p, `[...document.querySelectorAll("#items li")].map(li => li.dataset.id)`)
	p.follows("#items + p a")
	left := is[[]string](p, `[...document.querySelectorAll("#items li")].map(li => li.dataset.id).filter(id => !`+jsList(short)+`.includes(id))`)
	if len(left) != 21 {
		t.Fatalf("%d more are listed, want 21", len(left))
	}
	if !is[bool](p, `!!document.querySelector("details.freeze button.deny")`) {
		t.Error("there is no freeze")
	}
	p.follows("#items li[data-id=" + left[0] + "] a.to")
	p.follows("#bar button.deny")
	p.shows("#standing", "refused")
	g.wantState(left[0], approval.Denied)
	p.open("/")
	p.shows("#items + p", "and 20 more: show them")
	p.do(chromedp.Click(chromedp.CSS("details.freeze summary")))
	p.follows("details.freeze button.deny")
	p.shows("main", "FROZEN")
	g.wantState(left[1], approval.Revoked)
}
