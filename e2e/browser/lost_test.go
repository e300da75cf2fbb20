package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
)

// The guard goes away and comes back. The page says since when it cannot be
// reached, and when it can again it is right, without being loaded anew.
func TestConnectionLostAndRegained(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p, q := newPerson(t, g, desktop), newPerson(t, g, phone)
	p.signIn("owner")
	q.signIn("owner")
	first := g.ask(chat("Anna", "Before the guard stops"))
	gone := g.ask(chat("Ben", "Answered while nobody sees it"))
	q.open("/approvals/" + gone)
	p.shows("#items", "Anna")
	for _, one := range []*person{p, q} {
		is[any](one, `window.same = true`)
	}
	g.remember()
	g.stop()
	for _, one := range []*person{p, q} {
		one.waits("the page says that nothing reaches the guard", `/^Countersign cannot be reached since \d\d?:\d\d.*answers given now will not arrive/.test(document.getElementById("lost").innerText)`)
	}
	p.save("desktop-lost")

	g.start()
	second := g.ask(chat("Carla", "Asked before the page is back"))
	g.deny(gone)
	p.waits("the banner goes away", `document.getElementById("lost").hidden`)
	q.waits("the banner goes away", `document.getElementById("lost").hidden`)
	p.waits("the list has the two that are open", `[...document.querySelectorAll("#items li")].map(li => li.dataset.id).sort().join() === `+js(sorted(first, second)))
	p.waits("the title counts them", `document.title.startsWith("(2) ")`)
	q.shows("#standing", "refused")
	q.shows("#more", "moved on")
	for _, one := range []*person{p, q} {
		if !is[bool](one, `window.same === true`) {
			t.Error("the page was loaded anew")
		}
	}
	g.wantState(first, approval.Pending)
}

// sorted are ids as the page's own sort and join give them.
func sorted(ids ...string) string {
	slices.Sort(ids)
	return strings.Join(ids, ",")
}
