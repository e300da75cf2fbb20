package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// places are where the items of the list are.
const places = `JSON.stringify([...document.querySelectorAll("#items li")].map(li => { const r = li.getBoundingClientRect(); return [li.dataset.id, r.x, r.y, r.width, r.height]; }))`

// ticks waits until the list has counted down so often. Each time it also looks
// whether it may change.
func (p *person) ticks(times int) {
	p.t.Helper()
	const left = `document.querySelector("#items time[data-until]").textContent`
	for range times {
		p.waits("the time that is left is less", left+` !== `+js(is[string](p, left)))
	}
}

// Nothing moves in the list while the pointer, the focus or a press is in it; it
// says instead that there is more.
func TestTheListDoesNotMoveUnderTheHand(t *testing.T) {
	t.Parallel()
	cases := 0
	for _, c := range []struct {
		name        string
		rest, leave func(*person)
	}{
		{"pointer", func(p *person) {
			p.mouse(input.DispatchMouseEventTypeMouseMoved, p.middle("#items li:nth-child(2) a.to"))
		}, func(p *person) { p.mouse(input.DispatchMouseEventTypeMouseMoved, point{1, 1}) }},
		{"focus", func(p *person) { p.do(chromedp.Focus(chromedp.CSS("#items li:nth-child(2) a.to"))) },
			func(p *person) { is[any](p, `document.activeElement.blur()`) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := startGuard(t)
			p := newPerson(t, g, desktop)
			p.signIn("owner")
			var ids []string
			for n := range 3 {
				ids = append(ids, g.ask(chat(fmt.Sprintf("Person %d", n), "Hello")))
			}
			p.waits("three are listed", `document.querySelectorAll("#items li").length === 3`)
			c.rest(p)
			p.waits("the hand is in the list", `!!document.querySelector("#items li:hover, #items li:focus-within")`)
			before := is[string](p, places)
			g.ask(chat("Dora", "A new one"))
			p.shows("#more", "1 more: show")
			g.ask(transfer("Acme Ltd", "$80.00"))
			p.shows("#more", "2 more: show")
			g.deny(ids[0])
			p.waits("the one that was settled is marked where it stands", `!!document.querySelector("#items li.gone")`)
			p.ticks(2)
			if after := is[string](p, places); after != before {
				t.Errorf("the list has moved:\n%s\n%s", before, after)
			}
			if gone := is[string](p, `document.querySelector("#items li.gone").dataset.id`); gone != ids[0] {
				t.Errorf("%s is marked, want %s", gone, ids[0])
			}
			c.leave(p)
			p.waits("the list is the new one", `document.querySelectorAll("#items li").length === 4 && document.getElementById("more").hidden`)
			cases++
		})
	}
	if cases != 2 {
		t.Errorf("%d cases, want 2", cases)
	}
}

// Whoever does not want to wait shows the new list by its button.
func TestMoreIsShown(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, phone)
	p.signIn("owner")
	first := g.ask(chat("Anna", "Hello"))
	p.waits("one is listed", `document.querySelectorAll("#items li").length === 1`)
	p.do(chromedp.Focus(chromedp.CSS("#items a.to")))
	second := g.ask(chat("Ben", "Hello"))
	p.shows("#more", "1 more: show")
	p.do(chromedp.Click(chromedp.CSS("#more button")))
	p.waits("both are listed", `[...document.querySelectorAll("#items li")].map(li => li.dataset.id).sort().join() === `+js(sorted(first, second)))
}

// j and k go down and up the list, and Enter opens.
func TestKeysInTheList(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	for n := range 3 {
		g.ask(chat(fmt.Sprintf("Person %d", n), "Hello"))
	}
	p.waits("three are listed", `document.querySelectorAll("#items li").length === 3`)
	cases := 0
	for _, c := range []struct {
		key  key
		want string
	}{
		{keyJ, "Person 0"}, {keyJ, "Person 1"}, {keyJ, "Person 2"}, {keyJ, "Person 2"},
		{keyK, "Person 1"}, {keyK, "Person 0"}, {keyK, "Person 0"}, {keyJ, "Person 1"},
	} {
		p.keyDown(c.key)
		p.keyUp(c.key)
		p.waits("the focus is on "+c.want, `document.activeElement.matches("#items a.to") && document.activeElement.innerText.includes(`+js(c.want)+`)`)
		cases++
	}
	if cases != 8 {
		t.Errorf("%d cases, want 8", cases)
	}
	p.leaves(func() {
		p.keyDown(enter)
		p.keyUp(enter)
	})
	p.shows("h1", "Person 1")
	// On a card the letters are letters.
	p.do(chromedp.SendKeys(chromedp.CSS("#note"), "jk"))
	if note := is[string](p, `document.querySelector("#note").value`); note != "jk" {
		t.Errorf("the note is %q", note)
	}
}
